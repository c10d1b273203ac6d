"""Tiles and their counts: tallied as they are read, laid out as they are written."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.notation.base import Parsed, one_of, refusal
from mjopt.hands.tiles import COPIES, TileSet, check_counts

RED_RULE = "expected red only on a 5 outside suit z"


def has_red_five(name: str) -> bool:
    """Whether some copies of a kind may be red: the fives, but not the white dragon.

    Examples
    --------
    >>> has_red_five("5p"), has_red_five("4p"), has_red_five("5z")
    (True, False, False)
    """
    return name[0] == "5" and name[1] != "z"


class Written(NamedTuple):
    """One tile in a text.

    Attributes
    ----------
    name
        Its kind in mpsz notation, a rank and a suit letter.
    written
        How the text has it.
    at
        Where it starts in the text, counted from 0.
    red
        Whether it is a red five.
    """

    name: str
    written: str
    at: int
    red: bool = False


def tally(found: Iterable[Written], tiles: TileSet) -> Parsed:
    """Count the tiles that a notation reads, in the order of the kinds.

    Raises
    ------
    NotationError
        If the tile set lacks a kind, a kind has no red copies, or there is a fifth copy.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> counts, red = tally([Written("5m", "0", 0, red=True), Written("5m", "5", 1)], M0)
    >>> counts[:6], red[:6]
    ((0, 0, 0, 0, 2, 0), (0, 0, 0, 0, 1, 0))
    >>> tally([Written("1z", "E", 2)], M0)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'E' at character 3: M0 has no 1z, expected a suit m, p or s
    """
    counts = dict.fromkeys(tiles.names, 0)
    reds = counts.copy()
    for name, written, at, red in found:
        if red and not has_red_five(name):
            raise refusal(written, at, f"no red {name}, {RED_RULE}")
        if name not in counts:
            raise refusal(written, at, _lacks(tiles, name))
        if counts[name] == COPIES:
            raise refusal(written, at, f"a fifth {name}, expected at most {COPIES}")
        counts[name] += 1
        reds[name] += red
    return Parsed(tuple(counts.values()), tuple(reds.values()))


def _lacks(tiles: TileSet, name: str) -> str:
    suit = tiles.suit(name[1])
    if suit is None:
        expected = f"a suit {one_of(suit.letter for suit in tiles.suits)}"
    elif suit.ranks[-1] - suit.ranks[0] == len(suit.ranks) - 1:
        expected = f"a rank {suit.ranks[0]}..{suit.ranks[-1]} of {suit.letter}"
    else:
        expected = f"a rank {one_of(map(str, suit.ranks))} of {suit.letter}"
    return f"{tiles.name} has no {name}, expected {expected}"


def holdings(
    counts: Sequence[int], red: Sequence[int], tiles: TileSet
) -> Iterator[tuple[str, bool]]:
    """Yield name and colour of each tile by kind, red fives (True) before plain ones.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(K,)``, each in ``0..4``.
    red
        How many of those are red fives, shape ``(K,)``; empty for none, as the
        notations pass it that have no sign for a red five.
    tiles
        The tile set.

    Raises
    ------
    NotationError
        If there are more red copies than copies, or red ones of a kind that has none.
    TileError
        If a length or a number is out of range.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> fives = (0, 0, 0, 0, 2) + (0,) * 22
    >>> list(holdings(fives, (0, 0, 0, 0, 1) + (0,) * 22, M0))
    [('5m', True), ('5m', False)]
    """
    held = check_counts(counts, tiles)
    reds = check_counts(red, tiles, what="red fives") if red else (0,) * tiles.num_kinds
    for name, copies, num_red in zip(tiles.names, held, reds, strict=True):
        if num_red > copies:
            raise NotationError(f"{num_red} red of {copies} {name}, expected at most {copies}")
        if num_red and not has_red_five(name):
            raise NotationError(f"{num_red} red {name}, {RED_RULE}")
        for copy in range(copies):
            yield name, copy < num_red


class SignNotation(ABC):
    """Reads tiles one by one and writes one sign each, for a notation that says how.

    Attributes
    ----------
    name
        The notation's, for the message.
    signs
        What it writes for each kind that it knows.
    red_signs
        What it writes for red fives; if it has no sign for them, they are written as
        plain ones.
    between
        What stands between two signs.
    """

    name: str
    signs: ClassVar[Mapping[str, str]]
    red_signs: ClassVar[Mapping[str, str]] = {}
    between: ClassVar = " "

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        return tally(self.read(text), tiles)

    @abstractmethod
    def read(self, text: str) -> Iterator[Written]:
        """Yield the tiles of a text as they stand in it."""

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind without a sign."""
        held = holdings(counts, red if self.red_signs else (), tiles)
        return self.between.join(self.sign(*tile) for tile in held)

    def sign(self, name: str, red: bool = False) -> str:
        """Return how a kind is written."""
        signs = self.red_signs if red else self.signs
        if name not in signs:
            raise NotationError(f"{name} has no sign in notation {self.name}")
        return signs[name]
