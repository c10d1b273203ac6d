"""Hand: concealed tiles, called melds and the tile set they come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, expect
from mjopt.errors import HandError, TileError
from mjopt.hands.blocks import Block, Shape, usage
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.notation.base import held_tiles
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import (
    COPIES,
    FULL,
    M0,
    TileSet,
    as_list,
    as_tiles,
    check_counts,
    from_full,
    places_in_full,
)

MAX_CALLED = 4  # melds in a complete hand of 14 tiles
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def check_called(called: int, most: int = MAX_CALLED) -> int:
    """Validate a number of called melds and return it.

    Examples
    --------
    >>> check_called(5)
    Traceback (most recent call last):
    mjopt.errors.HandError: 5 called melds, expected 0..4
    """
    number = as_whole(called)
    if number is None or number not in range(most + 1):
        raise HandError(
            f"{short_repr(called)} called melds", expected=f"0..{most}" if most else "0"
        )
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The tiles of one player.

    Build one with :meth:`parse` or :meth:`from_counts`; both check everything.

    Parameters
    ----------
    tiles
        The tile set.
    counts
        Concealed copies per kind, each in ``0..4``.
    called
        Melds already on the table, ``0..4``. The hand then holds
        ``14 - 3 * called`` tiles, or one fewer before the draw; other rules have other sizes.
    melds
        The called melds if they are known, else empty. Their tiles are not unseen.
    red
        Number of red fives per kind; only notations use it.
    partial
        Allow fewer tiles; the deficiency is then the number of missing tiles.
    rules
        The rule set, if it is not hands of 14 tiles without further rules. It decides the
        size of the hand, and its winning forms are those of every question about the hand.

    Examples
    --------
    >>> hand = Hand.parse("123m406p123789s11z")
    >>> hand.num_tiles, hand.to_text(), sum(hand.counts)
    (14, '123m406p123789s11z', 14)
    >>> Hand.parse("19m")
    Traceback (most recent call last):
    mjopt.errors.HandError: 2 tiles: 14 less four called melds, expected called 4
    """

    tiles: TileSet
    counts: tuple[int, ...]
    called: int = 0
    melds: tuple[Block, ...] = ()
    red: tuple[int, ...] = ()
    partial: bool = field(default=False, compare=False)
    rules: RuleSet | None = None

    def __post_init__(self) -> None:
        """Validate all fields together."""
        expect(self.tiles, TileSet, "tiles")
        if self.rules is not None:
            expect(self.rules, RuleSet, "rules")
            _check_tiles(self.rules, self.tiles)
        expect(self.partial, bool, "partial")
        object.__setattr__(self, "counts", check_counts(self.counts, self.tiles))
        has_no_red = isinstance(self.red, tuple) and not self.red
        red = (0,) * self.tiles.num_kinds if has_no_red else self.red
        object.__setattr__(self, "red", check_counts(red, self.tiles, what="red fives"))
        if any(r > c for r, c in zip(self.red, self.counts, strict=True)):
            raise HandError("more red fives than fives")
        self._check_size()

    def _check_size(self) -> None:
        """Validate the called melds and the number of tiles."""
        object.__setattr__(self, "called", check_called(self.called, self.most_called))
        self._check_melds()
        full = self.size - 3 * self.called
        held = sum(self.counts)
        number = "1 tile" if held == 1 else f"{held} tiles"
        if self.partial:
            if held > full:
                raise HandError(number, expected=f"at most {full}{self._with_called()}")
        elif held not in (full, full - 1):
            less = (self.size - held) // 3
            if 0 < less <= self.most_called and not self.called and (self.size - held) % 3 < 2:
                melds = "one called meld" if less == 1 else f"{_NUMBERS[less]} called melds"
                more = held + 3 * less
                raise HandError(f"{number}: {more} less {melds}", expected=f"called {less}")
            raise HandError(number, expected=f"{full} or {full - 1}{self._with_called()}")

    def __repr__(self) -> str:
        """Return the call that parses this hand."""
        arguments = [repr(self.to_text())]
        if self.tiles != M0 and self.rules is None:
            arguments.append(f"tiles={short_repr(self.tiles)}")
        if self.melds:
            arguments.append(f"melds={[meld.text(self.tiles) for meld in self.melds]}")
        elif self.called:
            arguments.append(f"called={self.called}")
        if self.num_tiles not in (full := self.size - 3 * self.called, full - 1):
            arguments.append("partial=True")
        if self.rules is not None:
            arguments.append(f"rules={self.rules.name!r}")
        return f"Hand.parse({', '.join(arguments)})"

    def _with_called(self) -> str:
        return f" with {self.called} called" if self.called else ""

    def _check_melds(self) -> None:
        object.__setattr__(self, "melds", tuple(as_list(self.melds, "melds", "blocks")))
        for meld in self.melds:
            expect(meld, Block, "melds")
        if not self.melds:
            return
        if len(self.melds) != self.called:
            raise HandError(f"{len(self.melds)} melds named but {self.called} called")
        for meld in self.melds:
            first, letter = meld.kinds[0], self.tiles.letter(meld.kinds[0])
            if not meld.is_meld or (
                meld.shape is Shape.CHOW and first not in self.tiles.chow_starts
            ):
                raise HandError(f"called {meld.text(self.tiles)} ({letter}) is not a meld")
        for kind, (held, shown) in enumerate(zip(self.counts, self.shown, strict=True)):
            if held + shown > COPIES:
                name = self.tiles.names[kind]
                raise TileError(f"{held} of {name} held and {shown} called", expected="at most 4")

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        tiles: TileSet | str | None = None,
        notation: str = "mpsz",
        called: int | None = None,
        melds: Sequence[str] = (),
        partial: bool = False,
        rules: RuleSet | str | Path | None = None,
    ) -> "Hand":
        """Read a hand from text.

        Parameters
        ----------
        text
            The concealed tiles.
        tiles
            The tile set or its name, ``m0``, ``136`` or ``sanma``; by default ``FULL`` if a
            tile or a called meld is an honour, else ``M0``.
        notation
            One of ``mjopt.NOTATIONS``; never guessed, but the error message suggests a
            notation that can read the text.
        called
            Number of melds on the table; by default the length of ``melds``.
        melds
            The called melds in the same notation, each three or four tiles.
        partial
            Allow fewer tiles than a hand has.
        rules
            The rule set, by its name or a file; see :func:`mjopt.get_rules`. It also decides
            the tile set.

        Raises
        ------
        NotationError
            If the text is not tiles of that set in that notation; the message
            names the position.
        HandError
            If the number of tiles is wrong.

        Examples
        --------
        >>> Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper").to_text()
        '456m678p12333888s'
        >>> Hand.parse("11m", called=4).called
        4
        >>> Hand.parse("123m1s", melds=["111z", "234p", "7777s"]).unseen[33 - 6]
        1
        >>> Hand.parse("一二三萬 123456P 東東東中").tiles is FULL
        True
        >>> Hand.parse("123456789m123p12344s", rules="taiwan").num_tiles
        17
        """
        expect(text, str, "text")
        rules = _as_rules(rules)
        melds = as_list([melds] if isinstance(melds, str) else melds, "melds", "texts")
        for meld in melds:
            expect(meld, str, "melds")
        expected = None if tiles is None else as_tiles(tiles)
        if rules is not None:
            expected = rules.tiles if expected is None else _check_tiles(rules, expected)
        tiles, [(counts, red), *others] = read_tiles([text, *melds], notation, expected)
        shown = tuple(_meld(other.counts, meld) for other, meld in zip(others, melds, strict=True))
        expect(partial, bool, "partial")
        melds_called = len(shown) if called is None else called
        hand = cls.of_checked(tiles, counts, red, melds_called, shown, partial, rules)
        hand._check_size()
        return hand

    @classmethod
    def from_counts(
        cls,
        counts: Sequence[int],
        *,
        tiles: TileSet | str | None = None,
        called: int = 0,
        melds: Sequence[Block] = (),
        partial: bool = False,
        rules: RuleSet | str | Path | None = None,
    ) -> "Hand":
        """Make a hand from copies per kind.

        Parameters
        ----------
        counts
            Copies held per kind, 27 or 34 of them.
        tiles
            The tile set or its name, ``m0``, ``136`` or ``sanma``. By default the length
            decides: 27 counts are ``M0``, 34 are ``FULL`` even without honours. 34 counts of
            another set are those of ``FULL``, with 0 for each kind that the set lacks; with
            ``FULL``, 27 counts are padded with seven zeros.
        called, melds, partial, rules
            As for :meth:`parse`, the melds as blocks.

        Examples
        --------
        >>> Hand.from_counts([3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18).to_text()
        '11123456789999m'
        >>> [Hand.from_counts([2] * 7 + [0] * 27, tiles=t).tiles.name for t in (None, "m0")]
        ['FULL', 'M0']
        """
        counts = as_list(counts, "counts")
        rules = _as_rules(rules)
        if rules is not None:
            tiles = rules.tiles if tiles is None else _check_tiles(rules, as_tiles(tiles))
        by_length = {M0.num_kinds: M0, FULL.num_kinds: FULL}
        if tiles is None:
            if len(counts) not in by_length:
                raise TileError(f"{len(counts)} counts", expected="27 (M0) or 34 (FULL)")
            tiles = by_length[len(counts)]
        tiles = as_tiles(tiles)
        if tiles is FULL and len(counts) == M0.num_kinds:
            counts += [0] * (FULL.num_kinds - M0.num_kinds)
        elif len(counts) == FULL.num_kinds != tiles.num_kinds and places_in_full(tiles):
            counts = from_full(counts, tiles)
        shown = tuple(as_list(melds, "melds", "blocks"))
        return cls(
            tiles=tiles,
            counts=tuple(counts),
            called=len(shown) if as_whole(called) == 0 else called,
            melds=shown,
            partial=partial,
            rules=rules,
        )

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand, called melds with three tiles each."""
        return HAND_SIZE if self.rules is None else self.rules.size

    @property
    def most_called(self) -> int:
        """Most melds that can be on the table."""
        return MAX_CALLED if self.rules is None else self.rules.most_called

    @property
    def num_tiles(self) -> int:
        """Number of concealed tiles."""
        return sum(self.counts)

    @property
    def melds_needed(self) -> int:
        """Number of melds still to be made from concealed tiles."""
        return self.most_called - self.called

    @property
    def is_full(self) -> bool:
        """Whether the hand holds as many tiles as a complete hand does."""
        return self.num_tiles == self.size - 3 * self.called

    @property
    def shown(self) -> tuple[int, ...]:
        """Copies per kind in the called melds that are known."""
        return usage(self.melds, self.tiles.num_kinds)

    @property
    def unseen(self) -> tuple[int, ...]:
        """Copies per kind that are neither held nor in a known called meld."""
        if not self.melds:
            return tuple([COPIES - held for held in self.counts])
        return tuple([COPIES - h - s for h, s in zip(self.counts, self.shown, strict=True)])

    def to_text(self, notation: str = "mpsz") -> str:
        """Write the concealed tiles in a notation.

        Examples
        --------
        >>> Hand.parse("1112345678999m1p").to_text("paper")
        'C1C1C1C2C3C4C5C6C7C8C9C9C9D1'
        """
        return get_notation(notation).spell(held_tiles(self.counts, self.red, self.tiles))

    def in_full(self) -> "Hand":
        """Return the same hand in the set of 136 tiles.

        Examples
        --------
        >>> Hand.parse("1112345678999m1p").in_full().tiles is FULL
        True
        """
        if self.tiles == FULL:
            return self
        places = places_in_full(self.tiles)
        if not places:
            raise TileError(f"{self.tiles.name}: its tiles are not those of {FULL.name}")
        counts, red = [0] * FULL.num_kinds, [0] * FULL.num_kinds
        for place, copies, num_red in zip(places, self.counts, self.red, strict=True):
            counts[place], red[place] = copies, num_red
        melds = [replace(meld, kinds=tuple([places[k] for k in meld.kinds])) for meld in self.melds]
        fields = tuple(counts), tuple(red), self.called, tuple(melds), self.partial
        return Hand.of_checked(FULL, *fields)

    def with_counts(self, counts: Sequence[int]) -> "Hand":
        """Return a copy with other concealed tiles (any number up to a full hand)."""
        return replace(self, counts=tuple(as_list(counts, "counts")), red=(), partial=True)

    def with_one(self, kind: int, by: int) -> "Hand":
        """Return a copy with one more (1) or one fewer (-1) tile of a kind."""
        if by == -1 and self.counts[kind]:  # always valid, so skip the checks
            counts = list(self.counts)
            counts[kind] -= 1
            return self.with_checked(tuple(counts))
        return self.with_counts([c + by * (k == kind) for k, c in enumerate(self.counts)])

    def with_checked(self, counts: tuple[int, ...]) -> "Hand":
        """Return :meth:`with_counts` without validation, for counts that are known to be valid."""
        red = (0,) * len(counts)
        return Hand.of_checked(self.tiles, counts, red, self.called, self.melds, True, self.rules)

    @classmethod
    def of_checked(
        cls,
        tiles: TileSet,
        counts: tuple[int, ...],
        red: tuple[int, ...],
        called: int,
        melds: tuple[Block, ...],
        partial: bool,
        rules: RuleSet | None = None,
    ) -> "Hand":
        """Return a hand without validation, of parts that are known to be valid."""
        hand = object.__new__(Hand)
        set_field = object.__setattr__
        set_field(hand, "tiles", tiles)
        set_field(hand, "counts", counts)
        set_field(hand, "called", called)
        set_field(hand, "melds", melds)
        set_field(hand, "red", red)
        set_field(hand, "partial", partial)
        set_field(hand, "rules", rules)
        return hand


def _as_rules(rules: RuleSet | str | Path | None) -> RuleSet | None:
    if rules is None:
        return None
    from mjopt.hands.rules.rule_file import get_rules  # of no use to most hands

    return get_rules(rules)


def _check_tiles(rules: RuleSet, tiles: TileSet) -> TileSet:
    """Return the tiles; raise unless they are those of the rules."""
    if tiles != rules.tiles:
        raise TileError(f"{tiles.name}, but the rules {rules.name} are about {rules.tiles.name}")
    return tiles


def _meld(counts: tuple[int, ...], text: str) -> Block:
    kinds = tuple(kind for kind, held in enumerate(counts) for _ in range(held))
    distinct = len(set(kinds))
    if distinct == 1 and len(kinds) in (3, 4):
        return Block(kinds, Shape.PONG if len(kinds) == 3 else Shape.KONG)
    if len(kinds) == 3 and kinds == (kinds[0], kinds[0] + 1, kinds[0] + 2):
        return Block(kinds, Shape.CHOW)
    raise HandError(f"called meld {short_repr(text)}", expected="a chow, a pong or a kong")
