"""What a text is cut into: the items of a list, or ranks that share one suit letter."""

import re
import string
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.notation.base import refusal
from mjopt.hands.notation.counts import Written

_TOKEN = re.compile(r"[^\s,]+", re.ASCII)


def is_list(text: str) -> bool:
    """Whether the text opens with a bracket.

    Examples
    --------
    >>> is_list(" [1, 2]"), is_list("1, 2")
    (True, False)
    """
    return text.lstrip(string.whitespace).startswith("[")


def tokens(text: str) -> list[tuple[str, int]]:
    """Split a text into the items of the list that it is, each with where it starts.

    Parameters
    ----------
    text
        Items with spaces, commas or both between them; brackets around the whole
        are optional.

    Raises
    ------
    NotationError
        If only one of the two brackets is there.

    Examples
    --------
    >>> tokens("[0, 16]")
    [('0', 1), ('16', 4)]
    >>> tokens("[0, 16")
    Traceback (most recent call last):
    mjopt.errors.NotationError: '[' at character 1: never closed, expected ] at the end
    """
    start = len(text) - len(text.lstrip(string.whitespace))
    end = len(text.rstrip(string.whitespace))
    opens, closes = text.startswith("[", start), text.endswith("]", 0, end)
    if opens and not closes:
        raise refusal("[", start, "never closed, expected ] at the end")
    if closes and not opens:
        raise refusal("]", end - 1, "never opened, expected [ at the start")
    found = _TOKEN.finditer(text, start + opens, end - closes)
    return [(item[0], item.start()) for item in found]


class Sign(NamedTuple):
    """A rank or a suit letter in the text; or what parts those before it from those after.

    Attributes
    ----------
    written
        How the text has it.
    at
        Where it starts, counted from 0.
    meaning
        The rank or the suit letter that mpsz has for it; both for a whole tile, nothing
        for a comma.
    red
        Whether it is the rank of a red five.
    """

    written: str
    at: int
    meaning: str
    red: bool = False

    @property
    def is_rank(self) -> bool:
        """Whether this is a rank rather than a suit letter."""
        return self.meaning.isdigit()

    @property
    def parts(self) -> bool:
        """Whether no suit letter reaches over this: a whole tile, or a comma."""
        return len(self.meaning) != 1

    def whole(self) -> Iterator[Written]:
        """Yield the tile that this is by itself, if it is one."""
        if self.meaning:
            yield Written(self.meaning, self.written, self.at)

    def of(self, suit: "Sign") -> Written:
        """Return the tile of this rank in a suit."""
        return Written(self.meaning + suit.meaning, self.written, self.at, self.red)


def ranks_then_suit(signs: Iterable[Sign], letters: str) -> Iterator[Written]:
    """Give each rank the next suit letter.

    Parameters
    ----------
    signs
        Ranks and suit letters in the order of the text.
    letters
        The suit letters that would do, for the message.

    Yields
    ------
    Written
        A tile, in the order of the ranks.

    Raises
    ------
    NotationError
        If a rank has no suit letter, or a suit letter no rank.

    Examples
    --------
    >>> signs = [Sign("1", 0, "1"), Sign("2", 1, "2"), Sign("m", 2, "m")]
    >>> [tile.name for tile in ranks_then_suit(signs, "m")]
    ['1m', '2m']
    >>> list(ranks_then_suit(signs[:2], "m"))
    Traceback (most recent call last):
    mjopt.errors.NotationError: '12' at character 1: ranks without a suit, expected m after them
    """
    waiting: list[Sign] = []
    for sign in signs:
        if sign.is_rank:
            waiting.append(sign)
            continue
        if sign.parts:
            if waiting:
                raise _without_suit(waiting, f"{letters} after them")
            yield from sign.whole()
            continue
        if not waiting:
            raise refusal(sign.written, sign.at, "a suit without ranks, expected ranks before it")
        yield from (rank.of(sign) for rank in waiting)
        waiting = []
    if waiting:
        raise _without_suit(waiting, f"{letters} after them")


def suit_then_ranks(signs: Iterable[Sign], letters: str) -> Iterator[Written]:
    """Give each rank the last suit letter: as above, the other way round.

    Examples
    --------
    >>> signs = [Sign("B", 0, "s"), Sign("3", 1, "3"), Sign("3", 2, "3")]
    >>> [tile.name for tile in suit_then_ranks(signs, "B")]
    ['3s', '3s']
    """
    suit: Sign | None = None
    is_bare = False
    for sign in signs:
        if sign.is_rank:
            if suit is None:
                raise _without_suit([sign], f"{letters} before them")
            is_bare = False
            yield sign.of(suit)
            continue
        if suit is not None and is_bare:
            raise _bare(suit)
        suit, is_bare = (None, False) if sign.parts else (sign, True)
        if sign.parts:
            yield from sign.whole()
    if suit is not None and is_bare:
        raise _bare(suit)


def _bare(suit: Sign) -> NotationError:
    return refusal(suit.written, suit.at, "a suit without ranks, expected ranks after it")


def _without_suit(ranks: list[Sign], expected: str) -> NotationError:
    written = "".join(rank.written for rank in ranks)
    return refusal(written, ranks[0].at, f"ranks without a suit, expected {expected}")
