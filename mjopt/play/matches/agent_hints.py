"""The move that an agent would make, with its reasons, as far as the seat can see."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from mjopt.chances.draws.ranking import DiscardDraws, rank_discards
from mjopt.hands.hand import Hand
from mjopt.play.game.agents.expected_draws import DrawsAgent
from mjopt.play.game.agents.gmjbg import L3
from mjopt.play.game.agents.registry import read_agent
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

LOCKED: Final = -1  # the weight that the source gives to the tiles of a locked chow


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHint:
    """The move of an agent with its reasons."""

    agent: str  # specification of the agent
    move: Move
    is_by_weight: bool = False  # whether the agent uses weights of tiles
    is_by_draws: bool = False  # whether it uses expected draws
    to_orphans: bool = False  # aims at thirteen orphans because all weights are low
    weights: tuple[Weight, ...] = ()
    discards: tuple[DiscardDraws, ...] = ()
    missing: tuple[int, ...] = ()  # the deficiency after each discard, by kind
    calls: tuple[Judged, ...] = ()


def hint_of(view: View, moves: tuple[Move, ...], text: str) -> AgentHint:
    """Return the hint of an agent.

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
        missing = list[int]()
        if is_turn:
            drawable = drawable_of(view)
            missing, _ = judge_at(view, view.hand, view.called, drawable, is_discard=True)
        return AgentHint(
            agent=text,
            move=move,
            is_by_draws=isinstance(agent, DrawsAgent),
            discards=_ranked(view) if is_turn else (),
            missing=tuple(missing),
            calls=tuple(_by_deficiency(view, moves)),
        )
    is_small = total_weight(view.hand) <= ORPHAN_TOTAL
    to_orphans = is_turn and sum(view.hand) > HAND_SIZE and is_small
    return AgentHint(
        agent=text,
        move=move,
        is_by_weight=True,
        to_orphans=to_orphans,
        weights=tuple(_weights(view, move, locking=locking and not to_orphans)) if is_turn else (),
        calls=tuple(_by_weight(view, moves)) if isinstance(agent, L3) else (),
    )


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
