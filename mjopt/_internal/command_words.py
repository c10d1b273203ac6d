"""A command in one text, cut into words as the platform's own programs cut it."""

import os
import re
import shlex
from typing import Final

IS_WINDOWS: Final = os.name == "nt"

_PIECE: Final = re.compile(r'(\\*)"|([ \t]+)|([^" \t\\]+|\\+)')
"""Backslashes before a quote and that quote; blanks; anything else."""


def command_words(text: str, *, windows: bool = IS_WINDOWS) -> tuple[str, ...]:
    r"""Return the words of a command.

    Parameters
    ----------
    text
        The command.
    windows
        Whether a backslash is an ordinary character unless a double quote follows, as in
        the paths of Windows; by default where the platform has it so. Else as in a shell.

    Raises
    ------
    ValueError
        If a quotation does not end.

    Examples
    --------
    >>> command_words(r'C:\bots\play.exe --level "3 4"', windows=True)
    ('C:\\bots\\play.exe', '--level', '3 4')
    >>> command_words("python3 'my player.py'", windows=False)
    ('python3', 'my player.py')
    """
    if not windows:
        return tuple(shlex.split(text))
    words: list[str] = []
    is_word, is_quoted = False, False
    for piece in _PIECE.finditer(text):
        slashes, blanks, plain = piece.groups()
        if blanks and not is_quoted:
            is_word = False
            continue
        if not is_word:
            words.append("")
            is_word = True
        if slashes is None:
            words[-1] += blanks or plain
            continue
        words[-1] += "\\" * (len(slashes) // 2)
        if len(slashes) % 2:
            words[-1] += '"'
        else:
            is_quoted = not is_quoted
    if is_quoted:
        raise ValueError("No closing quotation")
    return tuple(words)
