"""Tile sets as data: which kinds exist, how many copies, which chows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import as_whole, expect, expect_all
from mjopt.errors import TileError

COPIES: Final = 4  # of every kind, in every tile set


@dataclass(frozen=True, slots=True)
class Suit:
    """Kinds that share a letter, in order of rank.

    Parameters
    ----------
    letter
        One lower-case letter, as in mpsz notation.
    name
        The English name of the suit.
    ranks
        The ranks that exist, ascending, each in ``1..9``.
    has_chows
        Whether three consecutive ranks make a chow.

    Examples
    --------
    >>> Suit("z", "honours", (1, 2, 3, 4, 5, 6, 7), has_chows=False).letter
    'z'
    """

    letter: str
    name: str
    ranks: tuple[int, ...]
    has_chows: bool = True

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
    refers to kinds by that number. A tile set for three players, or for a single
    suit, needs no other code.

    Parameters
    ----------
    name
        Name of the set on the command line and in messages.
    suits
        The suits, in the order of the counts.

    Attributes
    ----------
    num_kinds
        Number of kinds (27 in ``M0``, 34 in ``FULL``).
    names
        The name of each kind in mpsz notation, ``("1m", "2m", ...)``.
    chow_starts
        The kinds t such that t, t+1, t+2 make a chow.

    Examples
    --------
    >>> M0.num_kinds, M0.num_tiles, len(M0.chow_starts)
    (27, 108, 21)
    >>> three_player = TileSet(
    ...     "three-player",
    ...     (
    ...         Suit("m", "characters", (1, 9), has_chows=False),
    ...         Suit("p", "dots", tuple(range(1, 10))),
    ...         Suit("s", "bamboos", tuple(range(1, 10))),
    ...         Suit("z", "honours", tuple(range(1, 8)), has_chows=False),
    ...     ),
    ... )
    >>> three_player.num_kinds, three_player.names[:3]
    (27, ('1m', '9m', '1p'))
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

    def __repr__(self) -> str:
        """Return the name of a built-in set; otherwise name and suits."""
        name = next((tiles.name for tiles in TILE_SETS.values() if tiles == self), None)
        return name or f"TileSet({self.name!r}, {self.suits})"

    @property
    def num_tiles(self) -> int:
        """Number of tiles, including all copies."""
        return COPIES * self.num_kinds

    @property
    def key(self) -> str:
        """Short name for the command line: ``m0``, ``136``, ..."""
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
_NUMBERED = (Suit("m", "characters", _NINE), Suit("p", "dots", _NINE), Suit("s", "bamboos", _NINE))

M0: Final = TileSet("M0", _NUMBERED)
"""The basic version: three suits, 108 tiles (Yan and Li 2023, section 2.1)."""

FULL: Final = TileSet(
    "FULL", (*_NUMBERED, Suit("z", "honours", tuple(range(1, 8)), has_chows=False))
)
"""The common set: three suits and seven honours, 136 tiles."""

TILE_SETS: Final[dict[str, TileSet]] = {"m0": M0, "136": FULL}
"""Built-in tile sets, by their names on the command line."""

_OTHER_NAMES: Final = {"108": M0, "full": FULL}


def as_tiles(given: TileSet | str) -> TileSet:
    """Return a tile set, given itself or its name (case-insensitive).

    Parameters
    ----------
    given
        The tile set, or ``m0`` or ``108``, ``136`` or ``full``.

    Raises
    ------
    TileError
        If no tile set has that name.

    Examples
    --------
    >>> as_tiles("136") is as_tiles("full") is as_tiles(FULL), as_tiles("M0").name
    (True, 'M0')
    >>> as_tiles("144")
    Traceback (most recent call last):
    mjopt.errors.TileError: tiles 144: expected one of m0, 136 (108 and full are those, too)
    """
    if isinstance(given, TileSet):
        return given
    named = TILE_SETS | _OTHER_NAMES
    word = given if isinstance(given, str) else short_repr(given)
    tiles = named.get(word.strip().lower())
    if tiles is None:
        raise TileError(
            f"tiles {shorten(word)}: expected one of {', '.join(TILE_SETS)} "
            f"({' and '.join(_OTHER_NAMES)} are those, too)"
        )
    return tiles


def check_counts(counts: Iterable[int], tiles: TileSet, *, what: str = "counts") -> tuple[int, ...]:
    """Return counts as a tuple of plain integers, each in ``0..COPIES``.

    Parameters
    ----------
    counts
        Copies per kind, length ``tiles.num_kinds``.
    tiles
        The tile set that defines the positions.
    what
        Name of the numbers in messages.

    Raises
    ------
    TileError
        If the length is wrong, or a number is not an integer in ``0..4``.

    Examples
    --------
    >>> check_counts([5] + [0] * 26, M0)
    Traceback (most recent call last):
    mjopt.errors.TileError: counts: 5 copies of 1m at position 0, expected 0..4
    """
    given = as_list(counts, what)
    if len(given) != tiles.num_kinds:
        raise TileError(
            f"{what}: {len(given)} numbers, expected {tiles.num_kinds}, "
            f"one per kind of {tiles.name}"
        )
    checked = []
    for kind, number in enumerate(given):
        whole = as_whole(number)
        if whole is None or not 0 <= whole <= COPIES:
            raise TileError(
                f"{what}: {short_repr(number)} copies of {tiles.names[kind]} at position {kind}, "
                f"expected 0..{COPIES}"
            )
        checked.append(whole)
    return tuple(checked)


def as_list(given: Iterable[Any], what: str, of: str = "numbers") -> list[Any]:
    """Convert an iterable to a list; otherwise raise an error that names the argument."""
    try:
        return list(given)
    except TypeError:
        raise TileError(f"{what}: {short_repr(given)}, expected a list of {of}") from None
