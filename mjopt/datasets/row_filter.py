"""Filters of hands by a function of the user."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mjopt._internal.registry import USER_CLASS
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode, load_function
from mjopt.datasets.labels.base import HandRows
from mjopt.errors import ArgumentError

Filter = Callable[[HandRows], object]
"""Returns a boolean for each hand: whether it is kept."""


def load_filter(spec: str) -> Filter:
    """Load the function of ``FILE.py:FUNCTION``; `ArgumentError` for a text of another form.

    A file that cannot be run, or has no such function, is a `FileError`.
    """
    found = USER_CLASS.fullmatch(spec)
    if not (found and found[2] and found[3] is None):
        raise ArgumentError(argument="where", value=short_repr(spec), expected="FILE.py:FUNCTION")
    return load_function(spec)


def kept_rows(name: str, function: Filter, rows: HandRows) -> npt.NDArray[np.bool_]:
    """Return which hands a filter keeps, shape ``(N,)``.

    If the function fails, or returns something else than a boolean for each hand, `ArgumentError`
    is raised.
    """
    with UserCode(function, f"where {short_repr(name)} fails", ArgumentError):
        result = np.asarray(function(rows))
    if result.dtype != np.bool_ or result.shape != (len(rows.hands),):
        raise ArgumentError(
            argument="where",
            value=name,
            expected=f"booleans of shape ({len(rows.hands)},), "
            f"not {result.dtype} of shape {result.shape}",
        )
    return result
