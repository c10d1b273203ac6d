"""A position: everything that one player knows when a decision is due."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.chances.draws.distribution import check_wall
from mjopt.errors import ArgumentError, HandError, MjoptError, NotationError, TileError
from mjopt.hands.blocks import Block, Shape, chow, kong, pong, usage
from mjopt.hands.coerce import as_hand, as_kind
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.readings import MPSZ, read_text, to_mpsz
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.hands.winning_forms import STANDARD, check_forms

DRAWS: Final = 18
"""Draws of a player where nothing is known: a quarter of the wall that four hands leave."""

FIELDS: Final = ("hand", "tiles", "melds", "called", "seen", "draws", "offered", "calls", "forms")
NONE: Final = "none"
ALL: Final = "all"
MAX_CHARACTERS: Final = 1000
"""Length of a text; all 136 tiles take less than half of it."""

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallOption:
    """A meld that can be called now, with the player's own draws after it.

    Parameters
    ----------
    meld
        A chow, a pong or a kong. Without a tile on offer: a kong of the player's own tiles.
    draws
        Own draws left after the call, 0 or more; the draw that replaces a kong is one of them.
    """

    meld: Block
    draws: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Everything that one player knows when a decision is due.

    Parameters
    ----------
    hand
        The concealed tiles and the called melds, before or after the draw.
    wall
        Copies of each kind that the player sees nowhere, each in ``0..4``; by default all that
        the hand and the tile on offer leave. Tiles in other hands count as part of the wall.
    draws
        Own draws left if nothing is called, 0 or more; at most the size of the wall. by default
        18, or the size of the wall if that is smaller.
    forms
        The winning forms; by default all that the tile set and the melds allow.
    offered
        The kind that another player discards, by number or name; only before the draw.
    calls
        The melds that can be called: with the tile on offer, or a kong of the player's own tiles
        after the draw. By default all that the tiles allow; a chow or a pong then replaces the
        next draw, and a kong of own tiles adds one.

    Raises
    ------
    MjoptError
        If the parts contradict each other; the argument of the error is the field.

    Examples
    --------
    >>> position = Position.parse("2378m345p6688s11z draws=6 seen=11m offered=4m")
    >>> position.draws, sum(position.wall), [call.draws for call in position.calls]
    (6, 120, [5])
    >>> position.to_text()
    '2378m345p6688s11z seen=11m draws=6 offered=4m'
    """

    hand: Hand
    wall: Counts = ()
    draws: int = -1
    forms: tuple[str, ...] = ()
    offered: int | None = None
    calls: tuple[CallOption, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        """Validate all fields together."""

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("hand", as_hand(self.hand))
        tiles = self.hand.tiles
        size = 13 - 3 * self.hand.called
        if self.hand.num_tiles not in (size, size + 1):
            raise HandError(
                f"{self.hand.num_tiles} tiles", argument="hand", expected=f"{size} or {size + 1}"
            )
        if not tiles.is_built_in:
            raise TileError(
                f"tile set {tiles.name}", argument="hand", expected="a built-in tile set"
            )
        put("forms", _forms(self.forms, self.hand))
        if self.offered is not None:
            with errors_of("offered"):
                put("offered", as_kind(self.offered, tiles))
            self._check_offered()
        left = self._left()
        if isinstance(self.wall, tuple) and not self.wall:
            put("wall", left)
        else:
            put("wall", check_wall(self.hand, self.wall))
            for name, copies, most in zip(tiles.names, self.wall, left, strict=True):
                if copies > most:
                    raise TileError(
                        f"{copies} copies of {name}, but hand and offer leave {most}",
                        argument="wall",
                    )
        put("draws", self._checked_draws(self.draws, "draws", default=DRAWS))
        calls = self._possible_calls() if self.calls is None else tuple(self.calls)
        put("calls", calls)
        for call in calls:
            self._check_call(call)

    def _left(self) -> Counts:
        """Return the copies that neither the hand nor the offer shows."""
        return tuple(
            copies - (kind == self.offered) for kind, copies in enumerate(self.hand.unseen)
        )

    def _check_offered(self) -> None:
        name = self.hand.tiles.names[self.offered or 0]
        if self.hand.is_full:
            raise HandError(
                f"{name} on offer to a hand after its draw",
                argument="offered",
                expected=f"{13 - 3 * self.hand.called} tiles",
            )
        if not self.hand.unseen[self.offered or 0]:
            raise TileError(
                f"{name}: the hand shows all {COPIES} copies, nobody can have discarded one",
                argument="offered",
            )

    def _checked_draws(self, draws: int, argument: str, default: int | None = None) -> int:
        size = sum(self.wall)
        number = whole(draws, argument)
        if default is not None and number == -1:
            return min(default, size)
        if not 0 <= number <= size:
            raise ArgumentError(
                f"{number} draws from a wall of {size} tiles",
                argument=argument,
                expected=f"0 to {size}",
            )
        return number

    def _possible_calls(self) -> tuple[CallOption, ...]:
        """Return all calls that the tiles allow."""
        hand, kind = self.hand, self.offered
        if STANDARD not in self.forms:
            return ()  # the other forms have no melds
        if hand.called == MAX_CALLED:
            own = [meld.kinds[0] for meld in hand.melds if meld.shape is Shape.PONG]
            melds = [kong(k) for k in own if hand.is_full and hand.counts[k]]
        elif kind is not None:
            melds = list(melds_with(hand, kind))
        elif hand.is_full:
            own = [meld.kinds[0] for meld in hand.melds if meld.shape is Shape.PONG]
            melds = [
                kong(k)
                for k, held in enumerate(hand.counts)
                if held == COPIES or (held and k in own)
            ]
        else:
            melds = []
        size = sum(self.wall)
        changes = {Shape.KONG: 1 if hand.is_full else 0}
        return tuple(
            CallOption(meld, max(0, min(size, self.draws + changes.get(meld.shape, -1))))
            for meld in melds
            if size or meld.shape is not Shape.KONG
        )

    def _check_call(self, call: CallOption) -> None:
        expect(call, CallOption, "calls")
        expect(call.meld, Block, "calls")
        possible = [each.meld for each in self._possible_calls()]
        if call.meld not in possible:
            shown = [meld.text(self.hand.tiles) for meld in possible]
            raise TileError(
                f"{call.meld.text(self.hand.tiles)}: no call of this position",
                argument="calls",
                expected=", ".join(shown) or NONE,
            )
        self._checked_draws(call.draws, "calls")

    @property
    def seen(self) -> Counts:
        """Copies of each kind seen elsewhere: in discards and melds of other players."""
        return tuple(most - copies for most, copies in zip(self._left(), self.wall, strict=True))

    def after(self, call: CallOption) -> Hand:
        """Return the hand after a call, before its discard or the draw that replaces a kong."""
        return after_call(self.hand, call.meld, self.offered)

    def to_fields(self) -> dict[str, str]:
        """Return the fields that are not default, as texts in mpsz notation.

        Examples
        --------
        >>> Position.parse("23m67p44s1z melds=345m,777z draws=4").to_fields()
        {'hand': '23m67p44s1z', 'melds': '345m,777z', 'draws': '4'}
        """
        hand, tiles = self.hand, self.hand.tiles
        default = Position(hand=hand, wall=self.wall, offered=self.offered)
        fields = {"hand": hand.to_text()}
        if tiles is not FULL:
            fields["tiles"] = tiles.key
        if hand.melds:
            fields["melds"] = ",".join(meld.text(tiles) for meld in hand.melds)
        elif hand.called:
            fields["called"] = str(hand.called)
        if any(self.seen):
            fields["seen"] = get_notation(MPSZ).write(self.seen, (0,) * len(self.seen), tiles)
        if self.draws != default.draws:
            fields["draws"] = str(self.draws)
        if self.offered is not None:
            fields["offered"] = tiles.names[self.offered]
        if (
            self.calls
            != Position(hand=hand, wall=self.wall, offered=self.offered, draws=self.draws).calls
        ):
            calls = self.calls or ()
            fields["calls"] = (
                ",".join(f"{call.meld.text(tiles)}:{call.draws}" for call in calls) or NONE
            )
        if self.forms != default.forms:
            fields["forms"] = ",".join(self.forms)
        return fields

    def to_text(self) -> str:
        """Return the text form, which :meth:`parse` reads: the hand, then ``name=value``."""
        fields = self.to_fields()
        return " ".join([fields.pop("hand"), *(f"{name}={fields[name]}" for name in fields)])

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read the text form: the concealed tiles, and words ``name=value`` in any order.

        The names are ``tiles``, ``melds`` (separated by commas), ``called`` (their number, if
        the melds are not known), ``seen``, ``draws``, ``offered``, ``calls`` (each with its
        draws: ``234m:17``) and ``forms``.

        Raises
        ------
        MjoptError
            If a word is unknown or appears twice, or a value is wrong; the error names it.

        Examples
        --------
        >>> Position.parse("2378m345p6688s11z drawn=4")
        Traceback (most recent call last):
        mjopt.errors.ArgumentError: position: 'drawn', expected tiles, melds, called, seen, ...
        """
        expect(text, str, "position")
        if len(text) > MAX_CHARACTERS:
            raise ArgumentError(
                f"{len(text)} characters", argument="position", expected=f"at most {MAX_CHARACTERS}"
            )
        words = text.split()
        fields = {"hand": " ".join(word for word in words if "=" not in word)}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                continue
            if name not in FIELDS[1:]:
                raise ArgumentError(
                    short_repr(name), argument="position", expected=", ".join(FIELDS[1:])
                )
            if name in fields:
                raise ArgumentError(f"{name} twice", argument="position", expected="once")
            fields[name] = value
        return cls.of_fields(fields)

    @classmethod
    def of_fields(cls, fields: Mapping[str, str], notation: str = "") -> "Position":
        """Read the fields of :meth:`to_fields`; missing and empty ones have their default.

        Parameters
        ----------
        fields
            Texts by name.
        notation
            The notation of the tiles; empty: any that reads them.
        """
        values = {name: value for name in FIELDS if (value := fields.get(name, ""))}
        with errors_of("tiles"):
            tiles = as_tiles(values["tiles"]) if "tiles" in values else FULL

        def counts(name: str) -> Counts:
            with errors_of(name):
                return read_text(values[name], notation, tiles).counts

        called = None
        with errors_of("called"):
            if "called" in values:
                called = _number(values["called"], "called", MAX_CALLED)
        melds: list[str] = []
        with errors_of("melds"):
            parts = values.get("melds", "").replace(";", ",").split(",")
            melds = [to_mpsz(read_text(part, notation, tiles), tiles) for part in parts if part]
            Hand.parse("", tiles=tiles, melds=melds, partial=True)
        with errors_of("hand"):
            text = to_mpsz(read_text(values.get("hand", ""), notation, tiles), tiles)
            hand = Hand.parse(text, tiles=tiles, melds=melds, called=called)
        offered = None
        if "offered" in values:
            offer = counts("offered")
            if sum(offer) != 1:
                raise TileError(f"{sum(offer)} tiles", argument="offered", expected="one")
            offered = offer.index(1)
        forms = tuple(values["forms"].split(",")) if "forms" in values else ()
        known = cls(hand=hand, offered=offered, forms=forms)
        wall = known.wall
        if "seen" in values:
            wall = _without(tiles, wall, counts("seen"))
        draws = _number(values["draws"], "draws") if "draws" in values else -1
        calls = None
        if "calls" in values:
            calls = tuple(_read_calls(values["calls"], tiles))
        return cls(hand=hand, wall=wall, draws=draws, forms=forms, offered=offered, calls=calls)


def own_draws(left: int, next_seat: int, seat: int, players: int) -> int:
    """Return the number of own draws if all seats draw in turn until no tile is left.

    Parameters
    ----------
    left
        Tiles that will be drawn.
    next_seat
        The seat that draws the first of them.
    seat, players
        The seat that asks, and the number of seats.

    Examples
    --------
    >>> [own_draws(5, next_seat, 0, 4) for next_seat in range(4)]
    [2, 1, 1, 1]
    """
    before = (seat - next_seat) % players
    return max(0, -((before - left) // players))


def after_call(hand: Hand, meld: Block, offered: int | None) -> Hand:
    """Return the hand after a call, before its discard or the draw that replaces a kong.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow
    >>> after_call(Hand.parse("2378m345p6688s11z"), chow(1), 3).to_text()
    '78m345p6688s11z'
    """
    tiles = hand.tiles
    knows_melds = len(hand.melds) == hand.called
    former = pong(meld.kinds[0])
    if offered is None and former in hand.melds:  # the fourth tile joins a pong
        melds = list(hand.melds)
        melds[melds.index(former)] = meld
        return Hand.from_counts(
            [c - (k == meld.kinds[0]) for k, c in enumerate(hand.counts)],
            tiles=tiles,
            called=hand.called,
            melds=melds,
        )
    used = usage([meld], tiles.num_kinds)
    counts = [
        held + (kind == offered) - gone
        for kind, (held, gone) in enumerate(zip(hand.counts, used, strict=True))
    ]
    melds = [*hand.melds, meld] if knows_melds else []
    return Hand.from_counts(counts, tiles=tiles, called=hand.called + 1, melds=melds)


def melds_with(hand: Hand, kind: int) -> Iterator[Block]:
    """Yield the melds that a discarded tile makes with tiles of a hand.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> [meld.text(FULL) for meld in melds_with(Hand.parse("2333m345p6688s11z"), 2)]
    ['333m', '3333m']
    """
    for first in range(kind - 2, kind + 1):
        if first in hand.tiles.chow_starts:
            meld = chow(first)
            if all(hand.counts[other] for other in meld.kinds if other != kind):
                yield meld
    if hand.counts[kind] >= 2:
        yield pong(kind)
    if hand.counts[kind] == 3:
        yield kong(kind)


@contextmanager
def errors_of(field: str) -> Iterator[None]:
    """Name the field that an error is about."""
    try:
        yield
    except MjoptError as error:
        error.locate(field)
        raise


def _forms(forms: Sequence[str], hand: Hand) -> tuple[str, ...]:
    with errors_of("forms"):
        is_default = isinstance(forms, tuple) and not forms
        chosen = check_forms(ALL if is_default else forms, hand.tiles)
    if hand.called and STANDARD in chosen:
        return (STANDARD,)  # the others have no melds
    return chosen


def _without(tiles: TileSet, wall: Counts, seen: Counts) -> Counts:
    for name, copies, gone in zip(tiles.names, wall, seen, strict=True):
        if gone > copies:
            raise TileError(
                f"{gone} of {name}, but only {copies} can be elsewhere", argument="seen"
            )
    return tuple(copies - gone for copies, gone in zip(wall, seen, strict=True))


def _number(text: str, argument: str, most: int = 999) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:9]) <= most and len(text) < 9):
        raise ArgumentError(short_repr(text), argument=argument, expected=f"0 to {most}")
    return int(text)


def _read_calls(text: str, tiles: TileSet) -> Iterator[CallOption]:
    for part in text.split(",") if text != NONE else ():
        written, colon, draws = part.partition(":")
        with errors_of("calls"):
            counts = read_text(written, MPSZ, tiles).counts
        kinds = tuple(k for k, copies in enumerate(counts) for _ in range(copies))
        shapes = [shape for shape in (chow, pong, kong) if kinds and shape(kinds[0]).kinds == kinds]
        if not colon or not shapes:
            raise NotationError(
                short_repr(part), argument="calls", expected="a meld and its draws: 234m:17"
            )
        yield CallOption(shapes[0](kinds[0]), _number(draws, "calls"))
