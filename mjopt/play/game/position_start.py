"""Games that begin at a position: the hand, melds and seen tiles of a player as given.

The history is one that the rules allow. Every tile seen elsewhere was drawn and discarded at
once, every chow and pong was called from the seat before, and every kong is closed. So the game
is recorded, replayed and stored like any other. The other hands and the wall are dealt at random
from the tiles that the player has not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mjopt.chances.advice.position import Position
from mjopt.errors import GameError
from mjopt.hands.blocks import Shape
from mjopt.hands.tiles import FULL, M0
from mjopt.play.game.engine import start, step
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import DEALT, GMJBG, HAND_SIZE, JJ, M0_RULES, NUM_SEATS, GameRules
from mjopt.play.game.state import State

OWN_SEAT: Final = 0


@dataclass(frozen=True, slots=True)
class PositionStart:
    """The start of a game at the decision of one player.

    The position needs the tiles of the called melds and at least one draw; a tile on offer was
    discarded by the seat before. GameError if no game of four players can lead there.

    Examples
    --------
    >>> start = PositionStart(Position.parse("445m34677p2346s55z draws=6"))
    >>> state = start.deal(np.random.default_rng(1))
    >>> state.to_move, state.table.live, state.table.rules.dead_wall
    (0, 24, 59)
    """

    position: Position

    def __post_init__(self) -> None:
        """Check that a game can lead to the position."""
        hand = self.position.hand
        if hand.called > len(hand.melds):
            raise GameError("the tiles of the called melds are not known", argument="melds")
        if hand.rules is not None:
            raise GameError(
                "games have rules of their own", argument="rules", value=hand.rules.name
            )
        if self.position.draws < 1:
            raise GameError("no draw is left to play on", argument="draws")
        _ = self.rules

    @property
    def num_calls(self) -> int:
        """Number of melds called from other players."""
        return sum(meld.shape is not Shape.KONG for meld in self.position.hand.melds)

    @property
    def is_claim(self) -> bool:
        """Whether the decision is about a tile on offer."""
        return self.position.offered is not None

    @property
    def num_turns(self) -> int:
        """Number of discards before the decision."""
        called = self.position.hand.called
        least = NUM_SEATS * called + bool(called)  # each meld on a turn of its own
        return max(sum(self.position.seen) + self.num_calls + self.is_claim, least)

    @property
    def dealer(self) -> int:
        """The seat that drew first."""
        return (OWN_SEAT - self.num_turns) % NUM_SEATS

    @property
    def num_random(self) -> int:
        """Number of unseen tiles that are discarded at random to make room for the melds."""
        return self.num_turns - self.num_calls - self.is_claim - sum(self.position.seen)

    @property
    def live(self) -> int:
        """Number of tiles that may still be drawn."""
        position = self.position
        if not self.is_claim:
            return NUM_SEATS * (position.draws - (not position.hand.is_full))
        keeps_draws = any(call.draws == position.draws for call in position.calls or ())
        return NUM_SEATS * position.draws - (0 if keeps_draws else NUM_SEATS - 1)

    @property
    def rules(self) -> GameRules:
        """The rules, with a dead wall that leaves the player the draws of the position."""
        hand = self.position.hand
        with_pairs = JJ if any(form.is_pairs for form in self.position.forms) else M0_RULES
        base = {FULL: GMJBG, M0: with_pairs}.get(hand.tiles)
        if base is None:
            raise GameError(f"no rules with the tiles {hand.tiles.name}", argument="tiles")
        num_kongs = hand.called - self.num_calls
        num_drawn = self.num_turns - self.num_calls + num_kongs + (not self.is_claim)
        dead = base.tiles.num_tiles - DEALT - num_drawn - self.live
        if dead < 0:
            raise GameError(
                "so many draws and seen tiles leave too few tiles for three other hands",
                argument="draws",
            )
        return replace(base, dead_wall=dead)

    def deal(self, rng: np.random.Generator) -> State:
        """Deal the other hands and the wall, and play the history up to the decision."""
        hand, offered = self.position.hand, self.position.offered
        unseen = _shuffle(_spread(self.position.wall), rng)
        more = [unseen.pop() for _ in range(self.num_random)]
        rivers = _shuffle(_spread(self.position.seen) + more, rng)
        own = _spread(hand.counts)
        drawn = [own.pop(int(rng.integers(len(own))))] if hand.is_full else []
        history = _History(self, rivers)
        own += history.dealt
        others = [unseen.pop() for _ in range(DEALT - HAND_SIZE)]
        if not self.is_claim and not drawn:
            drawn = [unseen.pop()]
        hands = {OWN_SEAT: own}
        for seat in range(1, NUM_SEATS):
            hands[seat] = others[HAND_SIZE * (seat - 1) : HAND_SIZE * seat]
        order = [(self.dealer + place) % NUM_SEATS for place in range(NUM_SEATS)]
        dealt = [kind for seat in order for kind in hands[seat]]
        wall = (*dealt, *history.draws, *drawn, *unseen, *reversed(history.replacements))
        state = start(self.rules, wall, dealer=self.dealer)
        while not self._is_reached(state):
            number = _num_discards(state)
            if state.table.phase is Phase.CLAIM:
                move = history.claims.get(number, PASS) if state.to_move == OWN_SEAT else PASS
            elif number == self.num_turns:
                name = hand.tiles.names[offered or 0]
                raise GameError(f"{name} cannot be called or won", argument="offered")
            else:
                move = history.kongs.pop(number, Move(Action.DISCARD, history.discards[number]))
            state = step(state, move)
        return state

    def _is_reached(self, state: State) -> bool:
        is_claim = state.table.phase is Phase.CLAIM
        is_due = state.to_move == OWN_SEAT and _num_discards(state) == self.num_turns
        return is_due and is_claim == self.is_claim


class _History:
    """The draws and moves before the decision of a position."""

    def __init__(self, begin: PositionStart, rivers: Sequence[int]) -> None:
        self.dealt: list[int] = []  # own tiles from the deal that are gone by now
        self.draws: list[int] = []
        self.replacements: list[int] = []
        self.discards: list[int] = []
        self.claims: dict[int, Move] = {}  # by the number of discards before
        self.kongs: dict[int, Move] = {}
        position, last = begin.position, begin.num_turns
        kinds = iter(rivers)
        latest = enumerate(reversed(position.hand.melds), start=1)
        melds = {last - NUM_SEATS * n: meld for n, meld in latest}
        for turn in range(last):
            meld, called = melds.get(turn), melds.get(turn + 1)
            if called is not None and called.shape is not Shape.KONG:
                discard = called.kinds[0]
            elif turn == last - 1 and position.offered is not None:
                discard = position.offered
            else:
                discard = next(kinds)
            self.discards.append(discard)
            if meld is None:
                self.draws.append(discard)
            elif meld.shape is Shape.KONG:
                self.kongs[turn] = Move(Action.CLOSED_KONG, meld.kinds[0])
                self.dealt += meld.kinds[1:]
                self.draws.append(meld.kinds[0])
                self.replacements.append(discard)
            else:
                action = Action.CHOW if meld.shape is Shape.CHOW else Action.PONG
                self.claims[turn] = Move(action, meld.kinds[0])
                self.dealt += [*meld.kinds[1:], discard]


def _num_discards(state: State) -> int:
    return sum(event.action is Action.DISCARD for event in state.table.events)


def _shuffle(kinds: list[int], rng: np.random.Generator) -> list[int]:
    order: list[int] = rng.permutation(len(kinds)).tolist()
    return [kinds[place] for place in order]


def _spread(counts: Sequence[int]) -> list[int]:
    return [kind for kind, copies in enumerate(counts) for _ in range(copies)]
