"""Tiles and their counts: tallied as they are read, laid out as they are written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.notation.base import Parsed
from mjopt.hands.notation.refused import one_of, refusal
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


class Tally:
    """Count the tiles that a notation reads, and refuse the impossible ones.

    Parameters
    ----------
    tiles
        The tile set that the text is read in.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> tally = Tally(M0)
    >>> tally.add("5m", "0", 0, red=True)
    >>> tally.add("5m", "5", 1)
    >>> tally.parsed().counts[:6], tally.parsed().red[:6]
    ((0, 0, 0, 0, 2, 0), (0, 0, 0, 0, 1, 0))
    >>> tally.add("1z", "E", 2)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'E' at character 3: M0 has no 1z, expected a suit m, p or s
    """

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self._counts = dict.fromkeys(tiles.names, 0)
        self._red = dict.fromkeys(tiles.names, 0)

    def add(self, name: str, written: str, at: int, *, red: bool = False) -> None:
        """Count one more tile.

        Parameters
        ----------
        name
            Its kind in mpsz notation, a rank and a suit letter.
        written
            How the text has it.
        at
            Where it starts in the text, counted from 0.
        red
            Whether it is a red five.

        Raises
        ------
        NotationError
            If the tile set lacks the kind, the kind has no red copies, or this
            would be its fifth copy.
        """
        if red and not has_red_five(name):
            raise refusal(written, at, f"no red {name}, {RED_RULE}")
        if name not in self._counts:
            raise self._lacks(name, written, at)
        if self._counts[name] == COPIES:
            raise refusal(written, at, f"a fifth {name}, expected at most {COPIES}")
        self._counts[name] += 1
        self._red[name] += red

    def parsed(self) -> Parsed:
        """Return what was counted, in the order of the kinds."""
        return Parsed(tuple(self._counts.values()), tuple(self._red.values()))

    def _lacks(self, name: str, written: str, at: int) -> NotationError:
        suit = self.tiles.suit(name[1])
        if suit is None:
            expected = f"a suit {one_of(suit.letter for suit in self.tiles.suits)}"
        elif suit.ranks[-1] - suit.ranks[0] == len(suit.ranks) - 1:
            expected = f"a rank {suit.ranks[0]}..{suit.ranks[-1]} of {suit.letter}"
        else:
            expected = f"a rank {one_of(map(str, suit.ranks))} of {suit.letter}"
        return refusal(written, at, f"{self.tiles.name} has no {name}, expected {expected}")


class Held(NamedTuple):
    """One tile in a hand.

    Attributes
    ----------
    name
        Its kind in mpsz notation.
    red
        Whether it is a red five.
    """

    name: str
    red: bool


def holdings(counts: Sequence[int], red: Sequence[int], tiles: TileSet) -> Iterator[Held]:
    """Yield the tiles in the order of the kinds, red fives before plain ones.

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
    [Held(name='5m', red=True), Held(name='5m', red=False)]
    """
    held = check_counts(counts, tiles)
    reds = check_counts(red, tiles, what="red fives") if red else (0,) * tiles.num_kinds
    for name, copies, num_red in zip(tiles.names, held, reds, strict=True):
        if num_red > copies:
            raise NotationError(f"{num_red} red of {copies} {name}, expected at most {copies}")
        if num_red and not has_red_five(name):
            raise NotationError(f"{num_red} red {name}, {RED_RULE}")
        for copy in range(copies):
            yield Held(name, copy < num_red)


class SignWriter:
    """Writes tiles one sign each, for a notation that says how.

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
