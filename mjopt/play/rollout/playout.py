"""Playouts: games played on to their end by the table policy, in compiled code."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.errors import GameError
from mjopt.hands.rules.classic_forms import has_plain
from mjopt.hands.rules.winning_form import standard_template
from mjopt.hands.tiles import M0
from mjopt.play.game.events import DISCARDS
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import HAND_SIZE, SEATS, GameRules
from mjopt.play.game.state import Ending, Outcome, State
from mjopt.tables.gain_tables import CLASS_BITS, SET_BITS, GainPlaces, gain_tables
from mjopt.tables.rule_tables import rule_tables
from mjopt.tables.state_index import rank_tables

if TYPE_CHECKING:  # kernels are loaded on first use
    from mjopt.play.rollout._playout_kernels import Hidden
    from mjopt.play.rollout._policy_kernels import PlayoutRules, PlayoutTables

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
_PHASES: Final = {Phase.TURN: 2, Phase.CALLED: 3, Phase.CLAIM: 4, Phase.ROB: 5}
_SHAPES: Final = {Action.CHOW: 0, Action.PONG: 1}  # all others are kongs
_KONG: Final = 2
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
    game = _game_array(state.table, state.hands, state.drawn, state.undrawn)
    first = (_EVERY_PLAYER, NO_KIND) if move is None else number_move(move)
    events = np.zeros((_MOST_EVENTS, 3), np.int8)
    result = np.zeros(kernels.NUM_RESULTS, np.int64)
    kernels.play_one(game, seat, *first, _rule_numbers(rules), playout_tables(), events, result)
    number = int(result[kernels.NUM_EVENTS])
    return Playout(
        outcome=_outcome_of(result.tolist(), rules),
        events=tuple((s, ACTIONS[action], kind) for s, action, kind in events[:number].tolist()),
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
    scores = np.zeros((number, len(moves)), np.int64)
    kernels.play_many(
        game,
        view.seat,
        hidden,
        np.array([number_move(move) for move in moves]),
        seed,
        first,
        _rule_numbers(view.rules),
        playout_tables(),
        np.zeros((3, len(game)), np.int64),
        np.zeros((0, 3), np.int8),
        np.zeros(1, np.uint64),
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
    from mjopt.play.rollout import _policy_kernels as items

    game, hidden = _seen_game(view, grown)
    rules, memory = _rule_numbers(view.rules), np.zeros(1, np.uint64)
    kernels.deal_one(game, number, seed, view.seat, hidden, rules, playout_tables(), memory)
    digits = game[items.HAND : items.SHOWN].reshape(4, 6)[:, :3, None]
    bits = digits >> np.arange(view.tiles.num_kinds) & 1
    hands = (bits << np.arange(3)[:, None]).sum(axis=1).tolist()
    return UnseenDeal(tuple(map(tuple, hands)), tuple(game[game[items.FRONT] :].tolist()))


def _seen_game(view: View, grown: bool) -> "tuple[Integers, Hidden]":
    """Return the state as a seat sees it, with the unseen tiles as its wall."""
    from mjopt.play.rollout._playout_kernels import Hidden

    check_playout_rules(view.rules)
    table, own = view.table, view.seat
    hands = [view.hand if seat == own else (0,) * view.tiles.num_kinds for seat in SEATS]
    unseen = [kind for kind, copies in enumerate(view.unseen) for _ in range(copies)]
    sizes = np.array([HAND_SIZE - 3 * len(melds) for melds in table.melds])
    draws, passed = np.zeros(len(SEATS), np.int64), np.zeros(len(SEATS), np.int64)
    if grown:
        draws[:] = [max(table.num_discards(seat), 1) for seat in SEATS]
        passed[:] = [_passed_by(table, seat) for seat in SEATS]
    return _game_array(table, hands, view.drawn, unseen), Hidden(sizes, draws, passed)


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
    from mjopt.play.rollout._policy_kernels import MOST, NUM_STATES, PlayoutTables

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
def _rule_numbers(rules: GameRules) -> "PlayoutRules":
    from mjopt.play.rollout._policy_kernels import PlayoutRules

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


def _game_array(
    table: OpenTable, hands: Sequence[Sequence[int]], drawn: int, wall: Iterable[int]
) -> Integers:
    """Return the state of a game as the kernels take it."""
    from mjopt.play.rollout import _policy_kernels as items

    tiles = [*wall]
    game = np.zeros(items.WALL + len(tiles), np.int64)
    counts = np.array(hands, np.int64)
    codes = (counts.reshape(4, 3, 9) << 2 * np.arange(9)).sum(axis=2)
    game[items.HAND : items.SHOWN] = np.hstack([_in_binary(counts), codes]).ravel()
    game[items.SHOWN : items.MELDS] = _in_binary(np.array(table.shown, np.int64))
    game[items.MELDS : items.DECLARED] = [len(melds) for melds in table.melds]
    game[items.DECLARED : items.VALUE] = table.ready
    for seat, melds in enumerate(table.melds):
        for place, meld in enumerate(melds):
            game[items.MELD_KIND + 4 * seat + place] = meld.block.kinds[0]
            game[items.MELD_SHAPE + 4 * seat + place] = _SHAPES.get(meld.action, _KONG)
    is_offer = table.phase in (Phase.CLAIM, Phase.ROB)
    game[items.PHASE : items.WALL] = (
        _PHASES[table.phase],
        table.turn,
        table.tile if is_offer else drawn,
        table.live,
        table.on_replacement,
        *(items.WALL,) * len(SEATS),
        1,
        len(game),
    )
    game[items.WALL :] = tiles
    return game


def _in_binary(counts: Integers) -> Integers:
    """Return three masks with the binary digits of the counts of each kind."""
    digits = counts[..., None, :] >> np.arange(3)[:, None] & 1
    masks: Integers = (digits << np.arange(counts.shape[-1])).sum(axis=-1)
    return masks


def _outcome_of(result: list[int], rules: GameRules) -> Outcome:
    scores, ending = tuple(result[:4]), ENDINGS[result[4]]
    winner, payer, kind, worth = result[5:9]
    if winner < 0:
        return Outcome(ending=ending, scores=scores)
    return Outcome(
        ending=ending,
        winners=(winner,),
        payer=payer,
        kind=kind,
        multipliers=(worth // rules.basic_score,),
        scores=scores,
    )
