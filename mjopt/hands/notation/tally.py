"""Tally: the tiles read so far, each checked as it arrives."""

from mjopt.errors import NotationError
from mjopt.hands.notation.base import Parsed
from mjopt.hands.notation.refused import one_of, refusal
from mjopt.hands.tiles import COPIES, TileSet

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
