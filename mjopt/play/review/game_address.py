"""Addresses of games and hands that hold no log: the error names the file to save instead."""

import re
from typing import Final

from mjopt._internal.sanitize import shorten
from mjopt.errors import FileError

_ADDRESS: Final = re.compile(
    r"https?://\S+|(?:www\.)?(?:tenhou\.net|[\w.-]*(?:mahjong-?soul|maj-?soul)[\w.-]*)/\S*",
    re.IGNORECASE,
)
_TENHOU: Final = re.compile(r"(?:https?://)?(?:www\.)?tenhou\.net/", re.IGNORECASE)
_LOG: Final = re.compile(r"[?&]log=([0-9A-Za-z-]+)")
_HAND: Final = re.compile(r"/2/\?(?:\S*&)?[pq]=([0-9mpsz]+)")
_SOUL: Final = re.compile(r"\?(?:\S*&)?paipu=|mahjong-?soul|maj-?soul", re.IGNORECASE)
_EXPECTED: Final = "a log saved as a file"


def address_error(text: str) -> FileError | None:
    """Return the error for an address in place of a log; None if the text is none.

    Examples
    --------
    >>> address_error("tenhou.net/3/?log=2019010100gm-a").expected
    'a log saved as a file: that of https://tenhou.net/0/log/?2019010100gm-a'
    >>> address_error("tenhou.net/2/?q=123m456p789s1122z").hint
    'mjopt deficiency 123m456p789s1122z'
    >>> address_error("game.mjlog") is None
    True
    """
    address = _ADDRESS.match(text.strip())
    if address is None:
        return None
    found, name = address[0], shorten(address[0], 32)
    if _TENHOU.match(found) and (hand := _HAND.search(found)):
        return FileError("a hand, no game", argument=name, hint=f"mjopt deficiency {hand[1]}")
    if _TENHOU.match(found) and (log := _LOG.search(found)):
        saved = f"{_EXPECTED}: that of https://tenhou.net/0/log/?{log[1]}"
    elif _SOUL.search(found):
        saved = f"{_EXPECTED}: that of Mahjong Soul converted to tenhou.net/6 JSON or mjai"
    else:
        saved = _EXPECTED
    return FileError("an address", argument=name, expected=saved)
