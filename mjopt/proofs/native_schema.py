"""Strict readers of the parts of a native certificate: exact keys and plain integers."""

from functools import lru_cache
from typing import Any, NamedTuple

from mjopt.errors import CertificateError, TileError
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TILE_SETS, Suit, TileSet

Document = dict[str, Any]
Counts = tuple[int, ...]

MOST_KINDS = 300  # for a tile set: 26 letters and 9 ranks are 234
_ONLY_INT = {int}


class Query(NamedTuple):
    """The query of a certificate, with every part validated.

    ``melds`` are the texts of the called melds, if the certificate names them; ``definitions``
    are the SHA-256 of the forms that it defines.
    """

    tiles: TileSet
    held: Counts
    unseen: Counts
    called: int
    melds: tuple[str, ...]
    forms: tuple[WinningForm, ...]
    size: int
    definitions: tuple[str, ...]

    @property
    def reach(self) -> Counts:
        """Copies held or able to arrive, per kind."""
        return tuple([h + u for h, u in zip(self.held, self.unseen, strict=True)])

    @property
    def meld_kinds(self) -> tuple[Counts, ...]:
        """The kinds of each named meld."""
        return tuple([tuple(meld_kinds(text, self.tiles)) for text in self.melds])


def quoted(value: object) -> str:
    """Return any JSON value for a message, shortened to 60 characters."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer with too many digits, or nesting too deep
        text = f"some {type(value).__name__}"
    text = " ".join(text[:500].split())  # on one line
    return text if len(text) <= 60 else f"{text[:57]}..."


def exact(value: object, names: frozenset[str], what: str) -> Document:
    """Return a value if it is an object with exactly these keys, or raise.

    Examples
    --------
    >>> exact({"a": 1, "c": 2}, frozenset("ab"), "claim")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: claim: 'b' is missing
    """
    if not isinstance(value, dict):
        raise CertificateError(quoted(value), argument=what, expected="an object")
    if value.keys() != names:
        missing = sorted(names - value.keys())
        if missing:
            raise CertificateError(f"{missing[0]!r} is missing", argument=what)
        raise CertificateError(f"unknown {quoted(next(iter(value.keys() - names)))}", argument=what)
    return value


def whole(value: object, low: int, high: int, what: str) -> int:
    """Return a value if it is an integer in a range, or raise; True and 1.0 are rejected."""
    # By type, since True == 1 and 1.0 == 1, which other readers of the file may tell apart.
    if type(value) is not int or not low <= value <= high:
        raise CertificateError(quoted(value), argument=what, expected=f"{low}..{high}")
    return value


def counts(value: object, length: int, what: str) -> Counts:
    """Return a value as a tuple if it is a list of integers in ``0..4`` of this length, or raise.

    Examples
    --------
    >>> counts([0, 4, True], 3, "held")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: held: expected 3 numbers in 0..4
    """
    if (
        not isinstance(value, list)
        or len(value) != length
        or set(map(type, value)) != _ONLY_INT
        or min(value) < 0
        or max(value) > COPIES
    ):
        raise CertificateError(argument=what, expected=f"{length} numbers in 0..{COPIES}")
    return tuple(value)


_TILES_KEYS = frozenset({"name", "suits"})
_SUIT_KEYS = frozenset({"letter", "name", "ranks", "has_chows"})


def tile_set(value: object) -> TileSet:
    """Return the tile set that a certificate describes.

    A set with the name of a built-in one must be equal to it.
    """
    data = exact(value, _TILES_KEYS, "tiles")
    suits = data["suits"]
    if not isinstance(suits, list):
        raise CertificateError(f"tiles.suits: {quoted(suits)}", expected="a list")
    parts: list[tuple[str, str, Counts, bool]] = []
    for suit in suits:
        if not isinstance(suit, dict) or suit.keys() != _SUIT_KEYS:
            exact(suit, _SUIT_KEYS, "tiles.suits")
        letter, name, ranks = suit["letter"], suit["name"], suit["ranks"]
        if not (
            isinstance(letter, str)
            and isinstance(name, str)
            and isinstance(ranks, list)
            and set(map(type, ranks)) == _ONLY_INT
            and isinstance(suit["has_chows"], bool)
        ):
            raise CertificateError(
                quoted(suit),
                argument="tiles.suits",
                expected="text letter and name, whole numbers in ranks, has_chows true or false",
            )
        parts.append((letter, name, tuple(ranks), suit["has_chows"]))
    if sum(len(part[2]) for part in parts) > MOST_KINDS:
        raise CertificateError(f"more than {MOST_KINDS} kinds", argument="tiles.suits")
    if not isinstance(data["name"], str):
        raise CertificateError(f"tiles.name: {quoted(data['name'])}", expected="text")
    return _known_or_new(data["name"], tuple(parts))


@lru_cache(maxsize=256)
def _known_or_new(name: str, parts: tuple[tuple[str, str, Counts, bool], ...]) -> TileSet:
    """Build the tile set; the types were checked, so equal arguments give the same set."""
    try:
        tiles = TileSet(name, tuple(Suit(*part) for part in parts))
    except TileError as error:
        raise CertificateError(str(error), argument="tiles") from None
    for known in TILE_SETS.values():
        # Statements name the tile set: "deficiency 2 in FULL" must not be about fewer kinds.
        if known.name == name and known != tiles:
            raise CertificateError(f"the set named {name} has other suits", argument="tiles")
    return tiles


def melds(value: object, tiles: TileSet, called: int) -> Counts:
    """Count the tiles of the called melds per kind; all 0 if the melds are not named."""
    if not isinstance(value, list):
        raise CertificateError(f"melds: {quoted(value)}", expected="a list")
    in_melds = [0] * tiles.num_kinds
    # Copies in named melds are not unseen, so either all melds are named or none is.
    if value and len(value) != called:
        raise CertificateError(f"{len(value)} named, but {called} called", argument="melds")
    for meld in value:
        for kind in meld_kinds(meld, tiles):
            in_melds[kind] += 1
    return tuple(in_melds)


def meld_kinds(text: object, tiles: TileSet) -> list[int]:
    """Return the kinds of a chow, pong or kong written as ranks and a letter."""
    if not isinstance(text, str) or len(text) not in (4, 5):
        raise CertificateError(
            f"{quoted(text)} is not a meld", argument="melds", expected="text such as 234m or 5555p"
        )
    names = [rank + text[-1] for rank in text[:-1]]
    if not set(names) <= set(tiles.names):
        raise CertificateError(f"{text!r} names kinds that do not exist", argument="melds")
    kinds = [tiles.names.index(name) for name in names]
    first = kinds[0]
    if kinds == [first] * len(kinds):
        return kinds
    if kinds == [first, first + 1, first + 2] and first in tiles.chow_starts:
        return kinds
    raise CertificateError(
        f"{text!r} is not a meld", argument="melds", expected="a chow, a pong or a kong"
    )
