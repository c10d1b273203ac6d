"""Split text into list items, or into ranks that share one suit letter."""

import re
import string
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.notation.base import TileToken, notation_error

_ITEM = re.compile(r"[^\s,]+", re.ASCII)


def is_list(text: str) -> bool:
    """Return whether the text opens with a bracket.

    Examples
    --------
    >>> is_list(" [1, 2]"), is_list("1, 2")
    (True, False)
    """
    return text.lstrip(string.whitespace).startswith("[")


def split_list(text: str) -> list[tuple[str, int]]:
    """Split a list into its items, each with its position.

    Parameters
    ----------
    text
        Items separated by spaces, commas or both, in optional brackets.

    Raises
    ------
    NotationError
        If only one of the two brackets is there.

    Examples
    --------
    >>> split_list("[0, 16]")
    [('0', 1), ('16', 4)]
    >>> split_list("[0, 16")
    Traceback (most recent call last):
    mjopt.errors.NotationError: '[' at character 1: never closed, expected ] at the end
    """
    start = len(text) - len(text.lstrip(string.whitespace))
    end = len(text.rstrip(string.whitespace))
    opens, closes = text.startswith("[", start), text.endswith("]", 0, end)
    if opens and not closes:
        raise notation_error("[", start, "never closed, expected ] at the end")
    if closes and not opens:
        raise notation_error("]", end - 1, "never opened, expected [ at the start")
    items = _ITEM.finditer(text, start + opens, end - closes)
    return [(item[0], item.start()) for item in items]


class Token(NamedTuple):
    """A rank, a suit letter, a whole tile or a separator.

    Attributes
    ----------
    text
        The characters of the token.
    position
        Index of its first character, from 0.
    meaning
        The mpsz rank or suit letter; both for a whole tile, empty for a comma.
    red
        Whether it is the rank of a red five.
    """

    text: str
    position: int
    meaning: str
    red: bool = False

    @property
    def is_rank(self) -> bool:
        """Whether this is a rank rather than a suit letter."""
        return self.meaning.isdigit()

    @property
    def is_separator(self) -> bool:
        """Whether a suit letter cannot apply across this token: a whole tile or a comma."""
        return len(self.meaning) != 1

    def to_tile(self) -> Iterator[TileToken]:
        """Yield the tile of a whole-tile token; nothing for a comma."""
        if self.meaning:
            yield TileToken(self.meaning, self.text, self.position)

    def with_suit(self, suit: "Token") -> TileToken:
        """Return the tile of this rank in a suit."""
        return TileToken(self.meaning + suit.meaning, self.text, self.position, self.red)


def ranks_then_suit(tokens: Iterable[Token], letters: str) -> Iterator[TileToken]:
    """Combine each rank with the next suit letter.

    Parameters
    ----------
    tokens
        Tokens in the order of the text.
    letters
        The valid suit letters, for the message.

    Yields
    ------
    TileToken
        A tile, in the order of the ranks.

    Raises
    ------
    NotationError
        If a rank has no suit letter, or a suit letter no rank.

    Examples
    --------
    >>> tokens = [Token("1", 0, "1"), Token("2", 1, "2"), Token("m", 2, "m")]
    >>> [tile.name for tile in ranks_then_suit(tokens, "m")]
    ['1m', '2m']
    >>> list(ranks_then_suit(tokens[:2], "m"))
    Traceback (most recent call last):
    mjopt.errors.NotationError: '12' at character 1: ranks without a suit, expected m after them
    """
    ranks: list[Token] = []
    for token in tokens:
        if token.is_rank:
            ranks.append(token)
            continue
        if token.is_separator:
            if ranks:
                raise _missing_suit(ranks, f"{letters} after them")
            yield from token.to_tile()
            continue
        if not ranks:
            reason = "a suit without ranks, expected ranks before it"
            raise notation_error(token.text, token.position, reason)
        yield from (rank.with_suit(token) for rank in ranks)
        ranks = []
    if ranks:
        raise _missing_suit(ranks, f"{letters} after them")


def suit_then_ranks(tokens: Iterable[Token], letters: str) -> Iterator[TileToken]:
    """Combine each rank with the last suit letter before it.

    Examples
    --------
    >>> tokens = [Token("B", 0, "s"), Token("3", 1, "3"), Token("3", 2, "3")]
    >>> [tile.name for tile in suit_then_ranks(tokens, "B")]
    ['3s', '3s']
    """
    suit: Token | None = None
    has_ranks = True
    for token in tokens:
        if token.is_rank:
            if suit is None:
                raise _missing_suit([token], f"{letters} before them")
            has_ranks = True
            yield token.with_suit(suit)
            continue
        if suit is not None and not has_ranks:
            raise _missing_ranks(suit)
        suit, has_ranks = (None, True) if token.is_separator else (token, False)
        if token.is_separator:
            yield from token.to_tile()
    if suit is not None and not has_ranks:
        raise _missing_ranks(suit)


def _missing_ranks(suit: Token) -> NotationError:
    reason = "a suit without ranks, expected ranks after it"
    return notation_error(suit.text, suit.position, reason)


def _missing_suit(ranks: list[Token], expected: str) -> NotationError:
    text = "".join(rank.text for rank in ranks)
    reason = f"ranks without a suit, expected {expected}"
    return notation_error(text, ranks[0].position, reason)
