"""Parse the numbers in the cells of a table."""

import math
from typing import Any

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError


def whole_number(value: Any) -> int | None:
    """Parse a cell, text or a number, as a whole number; None if it is not one.

    Examples
    --------
    >>> whole_number("2"), whole_number(-1.0), whole_number("2.5"), whole_number(None)
    (2, -1, None, None)
    >>> whole_number("1_0"), whole_number("٣"), whole_number(True)
    (None, None, None)
    """
    if isinstance(value, bool) or (isinstance(value, str) and not is_plain(value)):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else None  # infinity and NaN are not integers


def is_plain(text: str) -> bool:
    """Return whether a cell is safe for ``float``, which also reads ``1_0`` as 10."""
    return text.isascii() and "_" not in text


def is_absent(value: object) -> bool:
    """Return whether a cell holds nothing, which is not zero: None, NaN or no text."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or (isinstance(value, str) and not value.strip())


def count_in(value: object, name: str) -> int:
    """Parse the number of copies or melds in a cell; an absent number is an error."""
    number = whole_number(value)
    if number is None:
        found = "no number" if is_absent(value) else short_repr(value)
        raise FileError(f"{name}: {found}", expected="a whole number")
    return number
