"""Refusals: one line that names the text, where it stands and what was expected."""

from collections.abc import Iterable

from mjopt.errors import NotationError

LONGEST = 20  # characters of the offending text worth repeating


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
