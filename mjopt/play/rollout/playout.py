"""Playouts: games played on to their end by the table policy, in compiled code."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.errors import GameError
from mjopt.hands.rules.classic_forms import has_plain, standard_template
from mjopt.hands.tiles import M0
from mjopt.play.game.events import DISCARDS
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import HAND_SIZE, SEATS, GameRules
from mjopt.play.game.state import Ending, Outcome, State
from mjopt.play.rollout._game_record import (
    CALLED,
    CLAIM,
    COPIES,
    GAME,
    NONE,
    OF_CHOW,
    OF_KONG,
    OF_PONG,
    RESULT,
    ROB,
    TURN,
    PlayoutRules,
)
from mjopt.tables.bundles.rule_tables import rule_tables
from mjopt.tables.gains.gain_layout import CLASS_BITS, SET_BITS, GainPlaces
from mjopt.tables.gains.gain_tables import gain_tables
from mjopt.tables.suits.state_index import rank_tables

if TYPE_CHECKING:  # kernels are loaded on first use
    from mjopt.play.rollout._deal_kernels import Hidden
    from mjopt.play.rollout._hand_kernels import PlayoutTables

ACTIONS: Final = (
    Action.WIN,
    Action.KONG,
    Action.PONG,
    Action.CHOW,
    Action.PASS,
    Action.DISCARD,
    Action.READY,
    Action.CLOSED_KONG,
    Action.ADDED_KONG,
    Action.DRAW,
)
"""The actions by their numbers in the kernels."""

ENDINGS: Final = (
    Ending.DISCARD,
    Ending.OWN_DRAW,
    Ending.REPLACEMENT,
    Ending.ROBBED_KONG,
    Ending.WALL_EMPTY,
)
"""The endings by their numbers in the kernels."""

_NUMBERS: Final = {action: number for number, action in enumerate(ACTIONS)}
_PHASES: Final = {Phase.TURN: TURN, Phase.CALLED: CALLED, Phase.CLAIM: CLAIM, Phase.ROB: ROB}
_SHAPES: Final = {Action.CHOW: OF_CHOW, Action.PONG: OF_PONG}  # all others are kongs
_EVERY_PLAYER: Final = -1
_MOST_EVENTS: Final = 400  # each of 56 draws has at most a few moves

Integers = NDArray[np.int64]
TableEvent = tuple[int, Action, int]
"""A draw or a move without a pass: the seat, the action, and the kind."""


def check_playout_rules(rules: GameRules) -> None:
    """Raise GameError if playouts do not support the rules.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, JJ
    >>> check_playout_rules(JJ)
    >>> check_playout_rules(GMJBG)
    Traceback (most recent call last):
    mjopt.errors.GameError: rollout: rules gmjbg, expected jj or m0, ...
    """
    if rules.tiles is not M0 or not has_plain(rules.forms) or not rules.swaps:
        raise GameError(f"rollout: rules {rules.name}", expected="jj or m0, of 108 tiles")
    for option in ("all_winners", "four_kongs_draw", "seat_walls"):
        if getattr(rules, option):
            raise GameError(f"rollout: rules {rules.name}", expected=f"jj or m0 without {option}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Playout:
    """A game played on to its end by the table policy."""

    outcome: Outcome
    # The draws and moves from the start of the playout on, without passes.
    events: tuple[TableEvent, ...]


class UnseenDeal(NamedTuple):
    """The concealed copies of each seat, and the wall: seat s draws its tiles s, s + 4, s + 8, ...

    A seat whose part of the wall is used up draws from the part with the most tiles.
    """

    hands: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...]


def play_out(state: State, move: Move | None = None) -> Playout:
    """Play a game on to its end: every seat plays like the agent ``deficiency``.

    The game is not over, and at the first decision about a tile if one is on offer. The move is
    that of the seat to move, by default that of the policy. GameError if the game is over, the
    rules are not supported, or the move is not legal.

    Examples
    --------
    >>> from mjopt.play.game import JJ, shuffle_wall, start
    >>> playout = play_out(start(JJ, shuffle_wall(1, 0, JJ.tiles)))
    >>> playout.outcome.ending.value, playout.outcome.scores, len(playout.events)
    ('own draw', (-12, 36, -12, -12), 76)
    """
    from mjopt.play.rollout import _playout_kernels as kernels

    expect(state, State, "state")
    rules, seat = state.table.rules, state.to_move
    check_playout_rules(rules)
    if seat is None:
        raise GameError("the game is over: nothing is left to play")
    if move is not None and move not in state.pending[0][1]:
        raise GameError(f"seat {seat} cannot {move.text(rules.tiles.names)} now")
    game = _game_record(state.table, state.hands, state.drawn, state.undrawn)
    first = (_EVERY_PLAYER, NO_KIND) if move is None else number_move(move)
    events = np.zeros((_MOST_EVENTS, 3), np.int8)
    result = np.zeros(1, RESULT)[0]
    kernels.play_one(game, seat, *first, _rule_numbers(rules), playout_tables(), events, result)
    played = events[: result.num_events].tolist()
    return Playout(
        outcome=_outcome_of(result, rules),
        events=tuple((s, ACTIONS[action], kind) for s, action, kind in played),
    )


def sample_scores(
    view: View,
    moves: Sequence[Move],
    number: int,
    *,
    seed: int,
    first: int = 0,
    grown: bool = True,
) -> Integers:
    """Return the points of a seat after its moves on random deals, shape ``(number, len(moves))``.

    The deals are of the tiles that the seat cannot see. All moves are played on the same deals, and
    a deal depends on the seed, below 2**63, and its number alone; the first has number ``first``.
    If ``grown``, the hands of other seats have drawn and discarded by the policy, as often as their
    seats discarded, and wait if they have declared; otherwise they are dealt uniformly.

    Examples
    --------
    >>> from mjopt.play.game import JJ, legal_moves, shuffle_wall, start, view_of
    >>> state = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    >>> sample_scores(view_of(state, 0), legal_moves(state)[:2], 3, seed=1).shape
    (3, 2)
    """
    from mjopt.play.rollout import _playout_kernels as kernels

    game, hidden = _seen_game(view, grown)
    games = np.zeros(3, GAME)
    games[0] = game
    scores = np.zeros((number, len(moves)), np.int64)
    kernels.play_many(
        games,
        view.seat,
        hidden,
        np.array([number_move(move) for move in moves]),
        seed,
        first,
        _rule_numbers(view.rules),
        playout_tables(),
        np.zeros((0, 3), np.int8),
        np.zeros(1, np.uint64),
        np.zeros(1, RESULT)[0],
        scores,
    )
    return scores


def deal_unseen(view: View, *, seed: int, number: int = 0, grown: bool = True) -> UnseenDeal:
    """Deal the tiles that a seat cannot see: deal ``number`` of :func:`sample_scores`.

    Examples
    --------
    >>> from mjopt.play.game import JJ, shuffle_wall, start, view_of
    >>> deal = deal_unseen(view_of(start(JJ, shuffle_wall(1, 0, JJ.tiles)), 0), seed=1)
    >>> [sum(hand) for hand in deal.hands], len(deal.wall)
    ([14, 13, 13, 13], 55)
    """
    from mjopt.play.rollout import _playout_kernels as kernels

    game, hidden = _seen_game(view, grown)
    rules, memory = _rule_numbers(view.rules), np.zeros(1, np.uint64)
    kernels.deal_one(game, number, seed, view.seat, hidden, rules, playout_tables(), memory)
    held, kinds = game.seats["held"], np.arange(view.tiles.num_kinds)
    digits = [held[name][:, None] >> kinds & 1 for name in ("ones", "twos", "fours")]
    hands = digits[0] + 2 * digits[1] + 4 * digits[2]
    wall = game.wall[game.fronts[0] : game.back]
    return UnseenDeal(tuple(map(tuple, hands.tolist())), tuple(wall.tolist()))


def _seen_game(view: View, grown: bool) -> "tuple[np.record, Hidden]":
    """Return the state as a seat sees it, with the unseen tiles as its wall."""
    from mjopt.play.rollout._deal_kernels import Hidden

    check_playout_rules(view.rules)
    table, own = view.table, view.seat
    hands = [view.hand if seat == own else (0,) * view.tiles.num_kinds for seat in SEATS]
    unseen = [kind for kind, copies in enumerate(view.unseen) for _ in range(copies)]
    sizes = np.array([HAND_SIZE - 3 * len(melds) for melds in table.melds])
    draws, passed = np.zeros(len(SEATS), np.int64), np.zeros(len(SEATS), np.int64)
    if grown:
        draws[:] = [max(table.num_discards(seat), 1) for seat in SEATS]
        passed[:] = [_passed_by(table, seat) for seat in SEATS]
    return _game_record(table, hands, view.drawn, unseen), Hidden(sizes, draws, passed)


def number_move(move: Move) -> tuple[int, int]:
    """Return the number of the action, and the kind, of a move."""
    return _NUMBERS[move.action], move.kind


def _passed_by(table: OpenTable, seat: int) -> int:
    """Return the kinds that a seat did not win on after its declaration, one bit each."""
    passed, is_ready = 0, False
    if table.ready[seat]:
        last = len(table.events) - 1
        for number, event in enumerate(table.events):
            # The answers to the tile on offer are not known yet.
            is_settled = number < last or table.phase not in (Phase.CLAIM, Phase.ROB)
            is_tile = event.action in DISCARDS or event.action is Action.ADDED_KONG
            if is_ready and is_tile and is_settled:
                passed |= 1 << event.tile
            is_ready |= event.seat == seat and event.action is Action.READY
    return passed


@cache
def playout_tables() -> "PlayoutTables":
    """Return the look-up tables for all numbers of called melds, from the gain tables of M0."""
    from mjopt.play.rollout._hand_kernels import MOST, NUM_STATES, PlayoutTables

    states, words = zip(*[_suit_tables(called, NUM_STATES) for called in range(5)], strict=True)
    one, two, three, four, five = np.cumsum([0, *map(len, words[:-1])]).tolist()
    steps, starts = rank_tables(MOST)
    return PlayoutTables(
        np.concatenate([*states, steps.ravel(), starts.ravel()], dtype=np.uint32, casting="unsafe"),
        np.concatenate(words),
        (one, two, three, four, five),
    )


def _suit_tables(called: int, num_states: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return states and words of a suit beside two others: as the third one of M0.

    The three suits are alike, so that one table of the classes of two suits serves for each.
    Classes and rests of at most a byte stand in rows of 256.
    """
    found = gain_tables(rule_tables((standard_template(M0),), M0), called)
    assert found is not None
    at, words, own = GainPlaces.of(found.places[0].tolist()), found.words, 2
    size, num_halves = at.way_row[own], at.rest_row[own]
    rests = words[at.rest[own] : at.rest[own] + num_halves]  # by class of the two other suits
    joins = words[at.join[0] : at.join[0] + size * size].reshape(size, size)
    ways = words[at.way[own] :][: (int(rests.max()) + 1) * size].reshape(-1, size)[rests]
    table = np.zeros((256 + num_halves, 256), np.uint16)
    table[:size, :size] = joins
    table[256:, :size] = (ways >> SET_BITS) << 8 | ways & ((1 << SET_BITS) - 1)
    entries = found.states[at.state[own] : at.state[own] + num_states]
    begins = (entries >> np.uint32(CLASS_BITS)) + np.uint32(table.size)
    numbers: NDArray[np.uint32] = begins << np.uint32(8) | entries & np.uint32(255)
    return numbers, np.concatenate([table.ravel(), words])


@cache
def _rule_numbers(rules: GameRules) -> PlayoutRules:
    worth, score = rules.multipliers, rules.basic_score
    return PlayoutRules(
        int(any(form.is_pairs for form in rules.forms)),
        int(rules.kongs),
        int(rules.robbing),
        int(rules.calls_on_last_discard),
        int(rules.ready),
        worth.normal * score,
        worth.all_pongs * score,
        worth.one_suit * score,
        worth.seven_pairs * score,
        rules.ready_multiplier,
        3 if rules.discarder_pays_all else 1,
    )


def _game_record(
    table: OpenTable, hands: Sequence[Sequence[int]], drawn: int, wall: Iterable[int]
) -> np.record:
    """Return the state of a game as the kernels take it."""
    tiles = [*wall]
    game: np.record = np.zeros(1, GAME)[0]
    seats, counts = game.seats, np.array(hands, np.int64)
    seats["held"], game.shown = _in_binary(counts), _in_binary(np.array(table.shown, np.int64))
    seats["codes"] = (counts.reshape(4, 3, 9) << 2 * np.arange(9)).sum(axis=2)
    seats["num_melds"] = [len(melds) for melds in table.melds]
    seats["has_declared"] = table.ready
    for seat, melds in enumerate(table.melds):
        for place, meld in enumerate(melds):
            seats["meld_kinds"][seat, place] = meld.block.kinds[0]
            seats["meld_shapes"][seat, place] = _SHAPES.get(meld.action, OF_KONG)
    is_offer = table.phase in (Phase.CLAIM, Phase.ROB)
    game.phase, game.turn = _PHASES[table.phase], table.turn
    game.tile = table.tile if is_offer else drawn
    game.live, game.is_replacement = table.live, table.on_replacement
    game.stride, game.back = 1, len(tiles)
    game.wall[: len(tiles)] = tiles
    return game


def _in_binary(counts: Integers) -> NDArray[np.void]:
    """Return masks with the binary digits of the counts of each kind."""
    masks = np.zeros(counts.shape[:-1], COPIES)
    for digit, name in enumerate(("ones", "twos", "fours")):
        masks[name] = ((counts >> digit & 1) << np.arange(counts.shape[-1])).sum(axis=-1)
    return masks


def _outcome_of(result: np.record, rules: GameRules) -> Outcome:
    scores, ending = tuple(result.scores.tolist()), ENDINGS[result.ending]
    if result.winner == NONE:
        return Outcome(ending=ending, scores=scores)
    return Outcome(
        ending=ending,
        winners=(int(result.winner),),
        payer=int(result.payer),
        kind=int(result.kind),
        multipliers=(int(result.worth) // rules.basic_score,),
        scores=scores,
    )
