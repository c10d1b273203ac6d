"""The observation of a seat: the public state and its own hand."""

from dataclasses import dataclass, field

from mjopt._internal.validation import expect
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.play.game.events import KIND_OF, Meld
from mjopt.play.game.mjai_messages import Message
from mjopt.play.game.moves import NO_KIND
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import GameRules, check_seat
from mjopt.play.game.state import NO_REDS, RoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The observation of a seat, without hidden information.

    Parameters
    ----------
    seat
        The observing seat.
    table
        The public state.
    hand
        The seat's concealed copies per kind, shape ``(K,)``, including a drawn tile.
    drawn
        The tile just drawn by the seat, or -1.
    wind
        The prevailing wind, 0 for east. This field and the next ones are of riichi; games by
        other rules have their defaults.
    honba, sticks
        Counters for repeated hands, and deposits of 1,000 points on the table.
    reds
        Red fives among ``hand``, of characters, dots and bamboos. Those on the table are in the
        events and the melds.
    points
        Points of each seat; empty if the rules keep none.
    messages
        The hand so far as mjai messages, as the seat sees it. At other tables empty.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, shuffle_wall, start
    >>> view = view_of(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), 0)
    >>> sum(view.hand), view.hand[view.drawn] > 0, sum(view.unseen)
    (14, True, 122)
    """

    seat: int
    table: OpenTable
    hand: tuple[int, ...]
    drawn: int = NO_KIND
    wind: int = 0
    honba: int = 0
    sticks: int = 0
    reds: tuple[int, ...] = NO_REDS
    points: tuple[int, ...] = ()
    messages: tuple[Message, ...] = field(default=(), compare=False, repr=False)

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return self.table.rules

    @property
    def tiles(self) -> TileSet:
        """The tile set."""
        return self.table.rules.tiles

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        return self.table.phase

    @property
    def tile(self) -> int:
        """The kind on offer, or -1."""
        return self.table.tile

    @property
    def indicators(self) -> tuple[int, ...]:
        """The kinds of the dora indicators, in the order in which they were turned."""
        return tuple(KIND_OF[tile] for tile in self.table.indicators)

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The seat's own melds."""
        return self.table.melds[self.seat]

    @property
    def called(self) -> int:
        """Number of melds that the seat has on the table."""
        return len(self.table.melds[self.seat])

    @property
    def unseen(self) -> tuple[int, ...]:
        """Copies of each kind that the seat cannot see: in the wall or in other hands."""
        return tuple(
            COPIES - held - shown for held, shown in zip(self.hand, self.table.shown, strict=True)
        )

    def as_hand(self) -> Hand:
        """Return the seat's hand as a :class:`mjopt.Hand`, melds included."""
        return Hand.from_counts(
            self.hand, tiles=self.tiles, melds=[meld.block for meld in self.melds]
        )


def view_of(state: RoundState, seat: int) -> View:
    """Return the observation of a seat, 0 to 3.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> view = view_of(state, 1)
    >>> sum(view.hand), hasattr(view, "wall")
    (13, False)
    """
    expect(state, RoundState, "state")
    check_seat(seat)
    is_drawn = state.table.turn == seat and state.drawn != NO_KIND
    return View(
        seat=seat,
        table=state.table,
        hand=state.hands[seat],
        drawn=KIND_OF[state.drawn] if is_drawn else NO_KIND,
        reds=state.reds[seat],
    )
