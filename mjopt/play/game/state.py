"""The state of a round: the public state and the hands; in a game also the wall."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from mjopt._internal.validation import whole
from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES, as_list
from mjopt.play.game.events import KIND_OF, RED, RED_OF, Event
from mjopt.play.game.moves import NO_KIND, Action, Move, with_copies
from mjopt.play.game.public_state import OpenTable, Phase, evolve, with_item
from mjopt.play.game.rules import DEALT, NUM_SEATS, SEATS

Counts = tuple[int, ...]


class Ending(StrEnum):
    """How a game ended.

    Examples
    --------
    >>> Ending.OWN_DRAW.value
    'own draw'
    """

    DISCARD = "discard"
    OWN_DRAW = "own draw"
    REPLACEMENT = "replacement tile"  # an own draw too
    ROBBED_KONG = "robbed kong"
    WALL_EMPTY = "wall empty"
    FOUR_KONGS = "four kongs"
    FAULT = "fault"
    # Only in riichi:
    MANGAN = "mangan of discards"
    NINE_KINDS = "nine kinds"
    FOUR_WINDS = "four winds"
    FOUR_READY = "four ready"
    THREE_WINNERS = "three winners"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a game.

    Parameters
    ----------
    ending
        The kind of ending.
    winners
        The seats that won, in turn order after the payer; empty in a drawn game.
    payer
        The seat whose tile was won, or that broke the rules; else -1.
    kind
        The winning tile, else -1.
    multipliers
        The value of each winner's hand, in basic scores.
    scores
        Points by seat; with the deposits their sum is 0.
    deposits
        Points that the hand leaves on the table, less those that it found there.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, agent_stream, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    >>> wall = shuffle_wall(1, 0, M0_RULES.tiles)
    >>> result = run_game([L1()] * 4, wall, rules=M0_RULES, rngs=rngs)
    >>> result.outcome.ending.value, result.outcome.is_drawn_game
    ('wall empty', True)
    """

    ending: Ending
    winners: tuple[int, ...] = ()
    payer: int = -1
    kind: int = NO_KIND
    multipliers: tuple[int, ...] = ()
    scores: tuple[int, ...] = (0, 0, 0, 0)
    deposits: int = 0

    def __post_init__(self) -> None:
        """Check that scores and deposits sum to 0."""
        total = sum(whole(score, "scores") for score in self.scores) + self.deposits
        if total != 0:
            raise GameError(f"scores and deposits add up to {total}", expected="0")
        if len(self.winners) != len(self.multipliers):
            winners, multipliers = len(self.winners), len(self.multipliers)
            raise GameError(
                f"{winners} winners, {multipliers} multipliers", expected="one for each"
            )

    @property
    def by_own_draw(self) -> bool:
        """Whether the winner drew the winning tile."""
        return self.ending in (Ending.OWN_DRAW, Ending.REPLACEMENT)

    @property
    def is_drawn_game(self) -> bool:
        """Whether the game was drawn."""
        return not self.winners and self.ending is not Ending.FAULT


Pending = tuple[int, tuple[Move, ...]]
"""A seat and its legal moves."""

NO_REDS: Final = (0,) * len(RED_OF)


def held_tiles(hand: Sequence[int], reds: Counts) -> list[int]:
    """Return the tiles of a hand by kind, red fives after other fives.

    Examples
    --------
    >>> held_tiles((0, 0, 0, 0, 2), (1, 0, 0))
    [4, 34]
    """
    tiles = list[int]()
    for kind, copies in enumerate(hand):
        num_reds = reds[RED_OF[kind] - RED] if kind in RED_OF else 0
        tiles += [kind] * (copies - num_reds) + [RED_OF.get(kind, kind)] * num_reds
    return tiles


@dataclass(frozen=True, kw_only=True)
class RoundState:
    """The state of a round: what is on the table, and the hands as far as they are known.

    :class:`State` extends it by the wall and the legal moves of a game,
    :class:`mjopt.play.game.log_replay.LogState` by the checks of a log.

    Parameters
    ----------
    table
        The public state.
    hands
        Known concealed copies per kind of each seat, a drawn tile included.
    drawn
        The tile just drawn by the seat whose turn it is, or -1.
    reds
        In logs the red fives of each suit in each hand, which ``hands`` counts as fives.
    hidden
        Number of hidden tiles in each hand.
    outcome
        The outcome, or None while the round continues. The states of a log have none.
    """

    table: OpenTable
    hands: tuple[Counts, ...]
    drawn: int = NO_KIND
    reds: tuple[Counts, ...] = (NO_REDS,) * NUM_SEATS
    hidden: tuple[int, ...] = (0,) * NUM_SEATS
    outcome: Outcome | None = None

    @property
    def to_move(self) -> int | None:
        """The seat to move; None if the round is over, or if the state does not know."""
        return None

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self.table.phase is Phase.OVER

    def winning_hand(self, seat: int) -> Counts:
        """Return a winner's concealed copies per kind, including the winning tile."""
        hand, outcome = self.hands[seat], self.outcome
        if outcome is None or outcome.by_own_draw or seat not in outcome.winners:
            return hand
        return with_copies(hand, outcome.kind, 1)

    def after(self, event: Event, **changes: object) -> Self:
        """Return the state after an event, which is trusted to be possible.

        A hidden tile becomes known when the seat lays it down. ``changes`` are further fields.
        """
        changes["table"] = self.table.after(event)
        if event.action is Action.DRAW:
            changes |= self.with_tiles(event.seat, (event.tile,), 1)
            changes["drawn"] = event.tile
        elif tiles := event.laid:
            changes |= self.with_tiles(event.seat, tiles, -1)
            changes["drawn"] = NO_KIND
        return evolve(self, **changes)

    def with_tiles(self, seat: int, tiles: Sequence[int], by: int) -> dict[str, object]:
        """Return the fields that change when tiles come to a hand (``by`` 1) or leave it (-1)."""
        hand, reds, hidden = self.hands[seat], self.reds[seat], self.hidden[seat]
        for tile in tiles:
            if tile == NO_KIND or (hidden and by < 0 and not _held(tile, hand, reds)):
                hidden += by
                continue
            hand = with_copies(hand, KIND_OF[tile], by)
            if tile >= RED:
                reds = with_copies(reds, tile - RED, by)
        changes: dict[str, object] = {"hands": with_item(self.hands, seat, hand)}
        if reds is not self.reds[seat]:
            changes["reds"] = with_item(self.reds, seat, reds)
        if hidden != self.hidden[seat]:
            changes["hidden"] = with_item(self.hidden, seat, hidden)
        return changes

    def held(self, seat: int, tile: int) -> int:
        """Return the known concealed copies of a tile; red fives are other tiles than fives."""
        return _held(tile, self.hands[seat], self.reds[seat])

    def tiles(self, seat: int) -> list[int]:
        """Return the known tiles in the hand of a seat, by kind, red fives after other fives."""
        return held_tiles(self.hands[seat], self.reds[seat])


def _held(tile: int, hand: Sequence[int], reds: Counts) -> int:
    if tile >= RED:
        return reds[tile - RED]
    return hand[tile] - (reds[RED_OF[tile] - RED] if tile in RED_OF else 0)


@dataclass(frozen=True, kw_only=True)
class State(RoundState):
    """The complete state of a game, hidden from the seats.

    Parameters
    ----------
    table, hands, drawn
        As in :class:`RoundState`.
    wall
        Kinds in order. All tiles before ``front`` are drawn.
    front
        The index of the next tile.
    back
        Number of replacement tiles drawn from the end. (With ``seat_walls``, each seat draws
        every fourth tile; see ``undrawn``.)
    draws
        Every tile drawn so far, in order.
    pending
        The seats that must still decide, each with its legal moves, in order.
    claims
        The answers so far to the tile on offer.
    unordered
        Whether the rest of the wall has no order: each draw then needs a random generator.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> state.to_move, state.is_over, len(state.undrawn)
    (0, False, 55)
    """

    wall: tuple[int, ...]
    front: int
    back: int = 0
    draws: tuple[int, ...] = ()
    pending: tuple[Pending, ...] = ()
    claims: tuple[tuple[int, Move], ...] = ()
    unordered: bool = False

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None when the game is over."""
        return self.pending[0][0] if self.pending else None

    def tiles_in_play(self) -> tuple[int, ...]:
        """Count all tiles of the game: always ``COPIES`` of each kind.

        A winning tile from another seat stays in the river or on the kong.
        """
        counts = list(self.table.shown)
        for hand in self.hands:
            for kind, copies in enumerate(hand):
                counts[kind] += copies
        for kind in self.undrawn:
            counts[kind] += 1
        return tuple(counts)

    @property
    def undrawn(self) -> tuple[int, ...]:
        """The undrawn kinds, in wall order."""
        if not self.table.rules.seat_walls:
            return self.wall[self.front : len(self.wall) - self.back]
        return tuple(self.wall[place] for place in self.undrawn_places)

    @property
    def undrawn_places(self) -> Sequence[int]:
        """The indices of undrawn tiles in the wall, ascending."""
        table = self.table
        if not table.rules.seat_walls:
            return range(self.front, len(self.wall) - self.back)
        drawn = [table.draws_of((table.dealer + place) % NUM_SEATS) for place in SEATS]
        return [
            DEALT + number
            for number in range(len(self.wall) - DEALT)
            if number // NUM_SEATS >= drawn[number % NUM_SEATS]
        ]


def check_wall(wall: tuple[int, ...], num_kinds: int) -> None:
    """Check that a wall has ``COPIES`` of each kind.

    Examples
    --------
    >>> check_wall((0, 0, 0, 0, 1, 1, 1, 2), 2)
    Traceback (most recent call last):
    mjopt.errors.GameError: wall: 8 tiles that are not 4 of each of 2 kinds
    """
    wall = tuple(whole(kind, "wall") for kind in as_list(wall, "wall", "kinds"))
    if sorted(wall) != [kind for kind in range(num_kinds) for _ in range(COPIES)]:
        raise GameError(
            f"{len(wall)} tiles that are not {COPIES} of each of {num_kinds} kinds", argument="wall"
        )
    if len(wall) <= DEALT:
        raise GameError(
            f"{len(wall)} tiles", argument="wall", expected=f"more than {NUM_SEATS} hands"
        )
