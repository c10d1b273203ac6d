"""The notations by name."""

from typing import Final

from mjopt._internal.validation import expect
from mjopt.errors import NotationError
from mjopt.hands.notation.base import Notation
from mjopt.hands.notation.botzone import Botzone
from mjopt.hands.notation.ids136 import Ids136
from mjopt.hands.notation.mjai import Mjai
from mjopt.hands.notation.mpsz import Mpsz, Prefix
from mjopt.hands.notation.unicode import Unicode
from mjopt.hands.notation.yan_li import Paper

NOTATIONS: Final[dict[str, Notation]] = {
    "mpsz": Mpsz(),
    "paper": Paper(),
    "ids136": Ids136(),
    "mjai": Mjai(),
    "unicode": Unicode(),
    "botzone": Botzone(),
    "prefix": Prefix(),
}
"""Every notation that text can be read and written in; mpsz is the default."""


def get_notation(name: str) -> Notation:
    """Return the notation of that name: named, never guessed.

    Raises
    ------
    NotationError
        If there is none.

    Examples
    --------
    >>> get_notation("mjai").example
    '1m 2m 3m 2p 2p 4p 5pr 6p 1s 1s 1s 7s 8s 9s'
    >>> get_notation("morse")
    Traceback (most recent call last):
    mjopt.errors.NotationError: no notation 'morse', expected one of mpsz, paper, ...
    """
    expect(name, str, "notation")
    if name not in NOTATIONS:
        raise NotationError(f"no notation {name!r}, expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[name]
