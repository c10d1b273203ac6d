"""Holdings: counts laid out as tiles, ready to be written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.notation.tally import RED_RULE, has_red_five
from mjopt.hands.tiles import TileSet, check_counts


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


def sign_of(name: str, signs: Mapping[str, str], notation: str) -> str:
    """Return how a notation writes a kind.

    Parameters
    ----------
    name
        The kind in mpsz notation.
    signs
        What the notation writes for each kind that it knows.
    notation
        Its name, for the message.

    Raises
    ------
    NotationError
        If it has no sign for the kind.

    Examples
    --------
    >>> sign_of("1z", {"1s": "B1"}, "paper")
    Traceback (most recent call last):
    mjopt.errors.NotationError: 1z has no sign in notation paper
    """
    if name not in signs:
        raise NotationError(f"{name} has no sign in notation {notation}")
    return signs[name]
