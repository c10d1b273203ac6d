"""Tile sets as data: which kinds exist, how many copies, which chows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import as_whole, expect, expect_all
from mjopt.errors import TileError

COPIES: Final = 4
"""Copies of every kind, in every tile set."""


@dataclass(frozen=True, slots=True)
class Suit:
    """Kinds that share a letter, in order of rank."""

    letter: str  # lower case, as in mpsz notation
    name: str  # in English
    ranks: tuple[int, ...]  # ascending, each in 1..9
    has_chows: bool = True  # whether three consecutive ranks make a chow

    def __repr__(self) -> str:
        chows = "" if self.has_chows else ", has_chows=False"
        return f"Suit({self.letter!r}, {self.name!r}, {self.ranks}{chows})"

    def __post_init__(self) -> None:
        """Validate the letter and the ranks."""
        if len(self.letter) != 1 or not self.letter.islower():
            raise TileError(f"suit letter must be one lower-case letter: {self.letter!r}")
        if not self.ranks or list(self.ranks) != sorted(set(self.ranks) & set(range(1, 10))):
            raise TileError(f"suit {self.letter}: ranks must ascend within 1..9: {self.ranks}")


@dataclass(frozen=True)
class TileSet:
    """The tile kinds of a game, with ``COPIES`` copies of each.

    Kinds are numbered 0, 1, ... through the suits in order; the rest of the package
    refers to kinds by that number. A tile set for a single suit needs no other code.

    Parameters
    ----------
    name
        Name of the set on the command line and in messages.
    suits
        The suits, in the order of the counts.

    Attributes
    ----------
    num_kinds
        Number of kinds (27 in ``M0`` and in ``SANMA``, 34 in ``FULL``).
    names
        The name of each kind in mpsz notation, ``("1m", "2m", ...)``.
    chow_starts
        The kinds t such that t, t+1, t+2 make a chow.

    Examples
    --------
    >>> M0.num_kinds, M0.num_tiles, len(M0.chow_starts)
    (27, 108, 21)
    >>> one_suit = TileSet("bamboos", (Suit("s", "bamboos", tuple(range(1, 10))),))
    >>> one_suit.num_kinds, one_suit.names[:3]
    (9, ('1s', '2s', '3s'))
    """

    name: str
    suits: tuple[Suit, ...]
    num_kinds: int = field(init=False, compare=False)
    names: tuple[str, ...] = field(init=False, compare=False, repr=False)
    chow_starts: tuple[int, ...] = field(init=False, compare=False, repr=False)
    slices: tuple[slice, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Derive the kinds from the suits."""
        expect(self.name, str, "name")
        expect_all(self.suits, Suit, "suits")
        letters = [suit.letter for suit in self.suits]
        if not letters or len(set(letters)) != len(letters):
            raise TileError(f"tile set {self.name}: suit letters must differ: {letters}")
        names: list[str] = []
        starts: list[int] = []
        slices: list[slice] = []
        for suit in self.suits:
            first = len(names)
            names += [f"{rank}{suit.letter}" for rank in suit.ranks]
            slices.append(slice(first, len(names)))
            if suit.has_chows:
                starts += [
                    first + i
                    for i in range(len(suit.ranks) - 2)
                    if suit.ranks[i + 2] == suit.ranks[i] + 2
                ]
        object.__setattr__(self, "num_kinds", len(names))
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "chow_starts", tuple(starts))
        object.__setattr__(self, "slices", tuple(slices))

    def __hash__(self) -> int:  # many times faster than one of all suits
        return hash(self.name)

    def __repr__(self) -> str:
        """Return the name of a built-in set; otherwise name and suits."""
        name = next((tiles.name for tiles in TILE_SETS.values() if tiles == self), None)
        return name or f"TileSet({self.name!r}, {self.suits})"

    @property
    def num_tiles(self) -> int:
        """Number of tiles, including all copies."""
        return COPIES * self.num_kinds

    @property
    def is_built_in(self) -> bool:
        """Whether this is ``M0``, ``FULL`` or ``SANMA``, for which there are tables."""
        # Identity first: comparing two tile sets takes longer than a look-up.
        return self is M0 or self is FULL or self is SANMA or self in TILE_SETS.values()

    @property
    def key(self) -> str:
        """Short name for the command line: ``m0``, ``136``, ``sanma``, ..."""
        return next((key for key, known in TILE_SETS.items() if known == self), self.name)

    def suit(self, letter: str) -> Suit | None:
        """Return the suit with a letter, or None if the set has no such suit."""
        return next((suit for suit in self.suits if suit.letter == letter), None)

    def kind(self, rank: int, letter: str) -> int | None:
        """Return the number of a kind, or None if this set lacks it.

        Examples
        --------
        >>> FULL.kind(1, "z"), M0.kind(1, "z")
        (27, None)
        """
        try:
            return self.names.index(f"{rank}{letter}")
        except ValueError:
            return None

    def rank(self, kind: int) -> int:
        """Return the rank of a kind."""
        return int(self.names[kind][0])

    def letter(self, kind: int) -> str:
        """Return the suit letter of a kind."""
        return self.names[kind][1]


_NINE = tuple(range(1, 10))
_CHARACTERS = Suit("m", "characters", _NINE)
_TERMINALS = Suit("m", "characters", (1, 9), has_chows=False)
_DOTS_AND_BAMBOOS = (Suit("p", "dots", _NINE), Suit("s", "bamboos", _NINE))
_HONOURS = Suit("z", "honours", tuple(range(1, 8)), has_chows=False)

M0: Final = TileSet("M0", (_CHARACTERS, *_DOTS_AND_BAMBOOS))
"""The basic version: three suits, 108 tiles (Yan and Li 2023, section 2.1)."""

FULL: Final = TileSet("FULL", (*M0.suits, _HONOURS))
"""The common set: three suits and seven honours, 136 tiles."""

SANMA: Final = TileSet("SANMA", (_TERMINALS, *_DOTS_AND_BAMBOOS, _HONOURS))
"""The set for three players: ``FULL`` without 2m to 8m, 108 tiles; 1m and 9m form no chow."""

TILE_SETS: Final[dict[str, TileSet]] = {"m0": M0, "136": FULL, "sanma": SANMA}
"""Built-in tile sets, by their names on the command line."""

_OTHER_NAMES: Final = {"108": M0, "full": FULL}


def as_tiles(given: TileSet | str) -> TileSet:
    """Return a tile set, given itself or its name (case-insensitive).

    Examples
    --------
    >>> as_tiles("136") is as_tiles("full") is as_tiles(FULL), as_tiles("Sanma").name
    (True, 'SANMA')
    >>> as_tiles("144")
    Traceback (most recent call last):
    mjopt.errors.TileError: tiles 144, expected one of m0, 136, sanma; 108 is m0, full is 136
    """
    if isinstance(given, TileSet):
        return given
    named = TILE_SETS | _OTHER_NAMES
    word = given if isinstance(given, str) else short_repr(given)
    tiles = named.get(word.strip().lower())
    if tiles is None:
        raise TileError(
            argument="tiles",
            value=shorten(word),
            expected=tuple(TILE_SETS),
            hint=", ".join(f"{other} is {known.key}" for other, known in _OTHER_NAMES.items()),
        )
    return tiles


@lru_cache(maxsize=32)
def places_in_full(tiles: TileSet) -> tuple[int, ...]:
    """Return the number that each kind has in ``FULL``; empty if ``FULL`` lacks one.

    Examples
    --------
    >>> places_in_full(M0) == tuple(range(27)), places_in_full(SANMA)[:4]
    (True, (0, 8, 9, 10))
    """
    places = [FULL.names.index(name) for name in tiles.names if name in FULL.names]
    return tuple(places) if len(places) == tiles.num_kinds else ()


def from_full(counts: Iterable[int], tiles: TileSet, *, what: str = "counts") -> list[int]:
    """Return the counts of a tile set, given those of ``FULL``; copies of other kinds are errors.

    Examples
    --------
    >>> from_full([2] + [0] * 26 + [1] * 7, SANMA)[:3]
    [2, 0, 0]
    >>> from_full([2, 1] + [0] * 32, SANMA)
    Traceback (most recent call last):
    mjopt.errors.TileError: counts: 1 copy of 2m, but SANMA has no 2m
    """
    given, places = as_list(counts, what), places_in_full(tiles)
    for kind, copies in enumerate(given):
        if kind not in places and not as_whole(copies) == 0:
            raise absent_kind(copies, kind, tiles, what)
    return [given[place] for place in places]


def absent_kind(
    copies: object, kind: int, tiles: TileSet, what: str = "counts", row: int | None = None
) -> TileError:
    """Return the error for copies of a kind of ``FULL`` that a tile set lacks."""
    name, noun = FULL.names[kind], "copy" if as_whole(copies) == 1 else "copies"
    return TileError(
        f"{short_repr(copies)} {noun} of {name}, but {tiles.name} has no {name}",
        argument=what,
        position=row,
        unit="row",
    )


def check_counts(counts: Iterable[int], tiles: TileSet, *, what: str = "counts") -> tuple[int, ...]:
    """Return copies per kind, shape ``(K,)``, as plain integers; `TileError` if one is not in 0..4.

    ``what`` names the numbers in the message.

    Examples
    --------
    >>> check_counts([5] + [0] * 26, M0)
    Traceback (most recent call last):
    mjopt.errors.TileError: counts: 5 copies of 1m at position 0, expected 0..4
    """
    given = as_list(counts, what)
    if len(given) != tiles.num_kinds:
        raise TileError(
            f"{len(given)} numbers",
            argument=what,
            expected=f"{tiles.num_kinds}, one per kind of {tiles.name}",
        )
    if set(map(type, given)) == {int} and min(given) >= 0 and max(given) <= COPIES:
        return tuple(given)
    checked = []
    for kind, number in enumerate(given):
        whole = as_whole(number)
        if whole is None or not 0 <= whole <= COPIES:
            raise TileError(
                argument=what,
                value=f"{short_repr(number)} copies of {tiles.names[kind]}",
                position=kind,
                expected=f"0..{COPIES}",
            )
        checked.append(whole)
    return tuple(checked)


def as_list(given: Iterable[object], what: str, of: str = "numbers") -> list[Any]:
    """Convert an iterable to a list; otherwise raise an error that names the argument."""
    try:
        return list(given)
    except TypeError:
        raise TileError(short_repr(given), argument=what, expected=f"a list of {of}") from None
