"""What a notation is: text to counts and back; and how each refuses what is not tiles."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from mjopt.errors import NotationError
from mjopt.hands.tiles import TileSet

LONGEST = 20  # characters of the offending text worth repeating


class Parsed(NamedTuple):
    """Tiles read from text.

    Attributes
    ----------
    counts
        Copies per kind, shape ``(K,)``, each in ``0..4``.
    red
        How many of those are red fives, per kind.
    """

    counts: tuple[int, ...]
    red: tuple[int, ...]


class Notation(Protocol):
    """One named way of writing tiles."""

    name: str
    description: str
    example: str

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        ...

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind the notation has no sign for."""
        ...


def refusal(written: str, at: int, reason: str) -> NotationError:
    r"""Phrase why a piece of text is not tiles.

    Parameters
    ----------
    written
        The offending piece as it stands in the text.
    at
        Where it starts, counted from 0; the message counts from 1.
    reason
        What is wrong and what was expected.

    Returns
    -------
    NotationError
        To be raised by the caller; its message is always one line.

    Examples
    --------
    >>> print(refusal("x", 6, "not a suit of M0, expected m, p or s"))
    'x' at character 7: not a suit of M0, expected m, p or s
    >>> print(refusal("\n", 0, "expected a tile"))
    '\n' at character 1: expected a tile
    """
    # repr keeps line breaks, controls and lone surrogates out of the message
    shown = repr(written) if len(written) <= LONGEST else repr(written[:LONGEST]) + "..."
    return NotationError(f"{shown} at character {at + 1}: {reason}")


def one_of(words: Iterable[str]) -> str:
    """Phrase a choice.

    Examples
    --------
    >>> one_of("mps"), one_of("m")
    ('m, p or s', 'm')
    """
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
