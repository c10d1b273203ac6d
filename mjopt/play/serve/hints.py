"""Hints: the move of an agent with its reasons, from the observation of the seat only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Final, NamedTuple

import numpy as np

from mjopt.chances.ceiling.lookup import discard_ceilings
from mjopt.chances.draws.ranking import DiscardDraws, rank_discards
from mjopt.hands.hand import Hand
from mjopt.play.game.agents.ceiling import CeilingAgent
from mjopt.play.game.agents.expected_draws import DrawsAgent
from mjopt.play.game.agents.gmjbg import L3
from mjopt.play.game.agents.horizon import draws_to_come
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.agents.win_chance import WinChanceAgent
from mjopt.play.game.moves import Action, Move, after_call, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rule_reading import drawable_of, judge_at
from mjopt.play.game.rules import HAND_SIZE
from mjopt.play.game.tile_weights import (
    NO_LOCK,
    ORPHAN_TOTAL,
    basic_weight,
    call_totals,
    locked_copies,
    tile_weights,
    total_weight,
)
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.tiles import tile_name, tile_words

LOCKED: Final = -1  # the weight that the source gives to the tiles of a locked chow
SECONDS: Final = 0.1  # of the search for the chance to win
MOST_DRAWS: Final = 18  # of the ceiling tables


class Weight(NamedTuple):
    """Weight of a tile as computed by the agent."""

    kind: int
    copies: int
    basic: int
    added: int
    is_locked: bool = False  # whether it is in the locked chow, with weight -1
    is_chosen: bool = False  # whether it is the discard

    @property
    def total(self) -> int:
        """The sum of both weights."""
        return LOCKED if self.is_locked else self.basic + self.added


class Judged(NamedTuple):
    """Total weight or deficiency before and after a call; lower is better."""

    move: Move
    before: int
    after: int


class DiscardChances(NamedTuple):
    """The chance to win of each discard within a number of draws: a bound."""

    by_kind: dict[int, Fraction]
    draws: int
    is_ceiling: bool  # whether it is an upper bound; else a lower one


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The move of an agent, with its reasons."""

    agent: str  # its specification
    move: Move  # its move
    is_by_weight: bool  # whether the agent uses weights of tiles; else it uses the deficiency
    is_by_draws: bool = False  # whether it uses expected draws
    to_orphans: bool = False  # aims at thirteen orphans because all weights are low
    weights: tuple[Weight, ...] = ()
    discards: tuple[DiscardDraws, ...] = ()
    missing: tuple[int, ...] = ()  # the deficiency after each discard, by kind
    chances: DiscardChances | None = None  # for agents that maximise the chance to win
    calls: tuple[Judged, ...] = ()


def hint_of(view: View, moves: tuple[Move, ...], text: str) -> Hint:
    """Return the hint of an agent.

    An agent that maximises the chance to win discards by :func:`mjopt.optimal_play`, so that its
    move agrees with the chances shown.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, legal_moves, shuffle_wall, start, view_of
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> hint = hint_of(view_of(state, 0), legal_moves(state), "l2")
    >>> chosen = min(hint.weights, key=lambda weight: (weight.is_locked, weight.total))
    >>> chosen.is_chosen, chosen.kind == hint.move.kind
    (True, True)
    """
    agent = read_agent(text)
    # A separate random stream: the hint must not depend on the seed of the match.
    move = agent.choose(view, moves, rng=np.random.default_rng(len(view.table.events)))
    is_turn = view.phase in (Phase.TURN, Phase.CALLED)
    locking = getattr(agent, "locking", None)
    if locking is None:
        rows = _ranked(view) if is_turn else ()
        missing = list[int]()
        if is_turn:
            drawable = drawable_of(view)
            missing, _ = judge_at(view, view.hand, view.called, drawable, is_discard=True)
        chances = None
        if is_turn and isinstance(agent, WinChanceAgent | CeilingAgent):
            chances = _chances(view, rows)
        if chances is not None:
            values = chances.by_kind
            rows = tuple(sorted(rows, key=lambda row: -values.get(row.kind, 0)))
            legal = [m for m in moves if m.action is Action.DISCARD and values.get(m.kind)]
            if legal and move.action is Action.DISCARD:
                move = max(legal, key=lambda m: values[m.kind])
        return Hint(
            agent=text,
            move=move,
            is_by_weight=False,
            is_by_draws=isinstance(agent, DrawsAgent),
            discards=rows,
            missing=tuple(missing),
            chances=chances,
            calls=tuple(_by_deficiency(view, moves)),
        )
    is_small = total_weight(view.hand) <= ORPHAN_TOTAL
    to_orphans = is_turn and sum(view.hand) > HAND_SIZE and is_small
    return Hint(
        agent=text,
        move=move,
        is_by_weight=True,
        to_orphans=to_orphans,
        weights=tuple(_weights(view, move, locking=locking and not to_orphans)) if is_turn else (),
        calls=tuple(_by_weight(view, moves)) if isinstance(agent, L3) else (),
    )


def describe_hint(hint: Hint, words: str) -> str:
    """Return a hint in one sentence.

    Parameters
    ----------
    hint
        The hint.
    words
        Its move in words.
    """
    move = hint.move
    if move.action not in (Action.DISCARD, Action.READY):
        return _describe_call(hint, words)
    weight = next((weight for weight in hint.weights if weight.is_chosen), None)
    row = next((row for row in hint.discards if row.kind == move.kind), None)
    if row is None or isinf(row.mean):
        reason = gettext("no win can be reached") if row else ""
        if weight is not None:
            reason = gettext("its weight of %(weight)d is the least")
            if hint.to_orphans:
                reason = gettext("its weight of %(weight)d is the greatest, for thirteen orphans")
            reason %= {"weight": weight.total}
    else:
        reason = ngettext(
            "%(num)d tile improves the hand", "%(num)d tiles improve the hand", row.num_useful
        ) % {"num": row.num_useful}
    chance = hint.chances.by_kind.get(move.kind) if hint.chances else None
    values = {"move": words, "reason": reason}
    if hint.chances and chance:
        template = gettext("%(move)s: wins %(chance)s %% within %(draws)d draws; %(reason)s")
        if hint.chances.is_ceiling:
            template = gettext(
                "%(move)s: wins at most %(chance)s %% within %(draws)d draws; %(reason)s"
            )
        return template % {
            **values,
            "chance": f"{100 * float(chance):.1f}",
            "draws": hint.chances.draws,
        }
    if hint.is_by_draws and row is not None and not isinf(row.mean):
        template = gettext("%(move)s: a win takes %(mean)s draws on average; %(reason)s")
        return template % {**values, "mean": f"{row.mean:.1f}"}
    return gettext("%(move)s: %(reason)s") % values


def _describe_call(hint: Hint, words: str) -> str:
    judged = next((call for call in hint.calls if call.move == hint.move), None)
    values = {"move": words}
    if judged is None or judged.after > HAND_SIZE > judged.before:
        is_pass = hint.move.action is Action.PASS and hint.calls
        template = gettext("%(move)s: no call improves the hand") if is_pass else "%(move)s"
        return template % values
    template = gettext("%(move)s: %(after)d tiles missing instead of %(before)d")
    if hint.is_by_weight:
        template = gettext("%(move)s: the total weight falls from %(before)d to %(after)d")
    return template % {**values, "before": judged.before, "after": judged.after}


def short_name(kind: int) -> str:
    """Return the name of a tile in a hint: ``4m``, or the honour in words.

    Examples
    --------
    >>> short_name(3), short_name(27)
    ('4m', 'east wind')
    """
    name = tile_name(kind)
    return tile_words(name) if name.endswith("z") else name


def _chances(view: View, rows: Sequence[DiscardDraws]) -> DiscardChances | None:
    """Return bounds of the chance to win; None if the hand is too far from a win."""
    from mjopt.chances.win_chance.optimal_play import FAR, optimal_play  # loading it is slow

    hand = Hand.from_counts(view.hand, tiles=view.tiles, called=view.called)
    draws, forms = draws_to_come(view, is_passing=False, is_full=True), view.rules.forms
    if draws < 1:
        return None
    if min(row.deficiency for row in rows) > FAR:  # a search would take seconds
        draws = min(draws, MOST_DRAWS)
        ceilings = discard_ceilings(hand, forms=forms, draws=draws)
        return DiscardChances(ceilings, draws, is_ceiling=True) if ceilings else None
    play = optimal_play(hand, wall=view.unseen, draws=draws, forms=forms, seconds=SECONDS)
    is_ceiling = play.is_ranked_by_ceiling
    values = {
        row.kind: row.ceiling or Fraction(0) if is_ceiling else row.lower
        for row in play.discards
        if row.kind is not None
    }
    return DiscardChances(values, play.draws, is_ceiling=is_ceiling)


def _weights(view: View, move: Move, *, locking: bool) -> Iterator[Weight]:
    counts = view.hand
    locked = locked_copies(counts) if locking else NO_LOCK[: len(counts)]
    thrown = move.kind if move.action is Action.DISCARD else None
    free = {kind: (copies, weight) for kind, copies, weight in tile_weights(counts, locked)}
    for kind in (kind for kind, held in enumerate(counts) if held):
        if locked[kind]:
            yield Weight(kind, locked[kind], 0, 0, is_locked=True)
        if kind in free:
            (copies, weight), basic = free[kind], basic_weight(kind)
            yield Weight(kind, copies, basic, weight - basic, is_chosen=kind == thrown)


def _by_weight(view: View, moves: tuple[Move, ...]) -> Iterator[Judged]:
    for move in moves:
        if move.action in (Action.CHOW, Action.PONG):  # the agents never declare kongs
            yield Judged(move, *call_totals(view.hand, move, view.tile))


def _ranked(view: View) -> tuple[DiscardDraws, ...]:
    hand = Hand.from_counts(view.hand, tiles=view.tiles, called=view.called)
    return tuple(rank_discards(hand, wall=view.unseen, forms=view.rules.forms, exact=False))


def _by_deficiency(view: View, moves: tuple[Move, ...]) -> Iterator[Judged]:
    if view.phase is not Phase.CLAIM:
        return
    drawable = drawable_of(view)
    [before], _ = judge_at(view, view.hand, view.called, drawable, is_discard=False)
    rest = with_copies(drawable, view.tile, -1)  # the called tile is then in a meld
    for move in moves:
        if move.action in (Action.CHOW, Action.PONG, Action.KONG):
            left, throws = after_call(view.hand, move, view.tile), move.action is not Action.KONG
            after, _ = judge_at(view, left, view.called + 1, rest, is_discard=throws)
            yield Judged(move, before, min(after))
