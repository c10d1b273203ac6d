"""Validation of arrays from callers and of untrusted ``.npy`` files."""

import math
import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import is_number
from mjopt.errors import FileError, MjoptError, TileError

Array = NDArray[Any]
"""An array whose element type is known only at run time."""

Whole = TypeVar("Whole", bound=np.integer[Any])

BROKEN: Final = (
    *(EOFError, KeyError, MemoryError, OverflowError, RuntimeError, SyntaxError, TokenError),
    *(TypeError, ValueError, zipfile.BadZipFile, zlib.error),
)
"""Exceptions that NumPy raises for invalid ``.npy`` and ``.npz`` files."""


def as_whole_numbers(array: Array) -> Array:
    """Return an array of floats as integers if all are whole numbers; any other as it is.

    Numbers beyond 32 bits are reduced to them.

    Examples
    --------
    >>> as_whole_numbers(np.array([2.0, 0.0], np.float32)), as_whole_numbers(np.array([0.5]))
    (array([2, 0]), array([0.5]))
    """
    is_whole = array.dtype.kind == "f" and np.isfinite(array) & (array == np.trunc(array))
    if array.size and np.all(is_whole):
        limit = 2.0**31
        return np.asarray(np.asarray(array, np.float64).clip(-limit, limit), np.int64)
    return array


def as_array(given: ArrayLike, what: str, error: type[MjoptError] = TileError) -> Array:
    """Convert to an array of any type; an error of the given class if it is no array.

    A masked number is an error as well: the number under the mask does not count.
    """
    parts = given if isinstance(given, list | tuple) else [given]
    try:
        if any(isinstance(part, np.ma.MaskedArray) for part in parts):
            is_masked = np.ma.getmaskarray(np.ma.asarray(given))
            if is_masked.any():
                raise _no_number("masked", what, np.argwhere(is_masked)[0].tolist(), error)
        return np.asarray(given)
    except (TypeError, ValueError, OverflowError) as fault:
        if isinstance(fault, MjoptError):
            raise
        for row, part in enumerate(parts):
            if part is None or _is_nan(part):
                raise _no_number(short_repr(part), what, [row], error) from None
        raise error(f"no array of numbers ({fault!s:.80})", argument=what) from None


def as_integers(given: ArrayLike, what: str, error: type[MjoptError] = TileError) -> Array:
    """Convert to an array; floats become integers if all are whole numbers.

    An absent number, None or NaN, is an error of the given class that names its row.

    Examples
    --------
    >>> as_integers([[1.0, 2.0]], "counts")
    array([[1, 2]])
    >>> as_integers([[1, 0], [1, None]], "counts")
    Traceback (most recent call last):
    mjopt.errors.TileError: counts row 1: None at position 1, expected a whole number
    """
    array = as_whole_numbers(as_array(given, what, error))
    if array.dtype.kind == "f":
        is_nothing = np.isnan(array)
    elif array.dtype.kind == "O" and array.ndim < 3:
        flags = [not is_number(item) or _is_nan(item) for item in array.flat]
        is_nothing = np.array(flags, np.bool_).reshape(array.shape)
    else:
        return array
    for place in np.argwhere(is_nothing)[:1].tolist():
        raise _no_number(short_repr(array.item(*place)), what, place, error)
    return array


def _is_nan(given: object) -> bool:
    """Return whether an object is the float NaN; a whole number may be too large for a float."""
    return isinstance(given, float | np.floating) and math.isnan(given)


def _no_number(found: str, what: str, place: list[int], error: type[MjoptError]) -> MjoptError:
    """Return the error for the place of something that is no number."""
    fault = error(found, expected="a whole number")
    if len(place) > 1:
        fault = error(value=found, position=place[1], expected="a whole number")
    fault.locate(what, place[0] if place else None)
    return fault


def distinct(numbers: NDArray[Whole]) -> NDArray[Whole]:
    """Return the distinct numbers of a one-dimensional array, sorted.

    The same as :func:`numpy.unique`, which hashes since NumPy 2.3: three million numbers, a sixth
    of them distinct, took it 16 times as long.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.zeros(0, np.int64)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


def map_array(path: Path) -> Array:
    """Memory-map the array of a ``.npy`` file; `FileError` if it is another file, or truncated.

    Nothing is unpickled, and memory use is bounded by the size of the file, whatever its header
    says. A file that cannot be opened is an ``OSError``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "some.npy"
    ...     np.save(path, np.arange(3))
    ...     map_array(path).tolist()
    [0, 1, 2]
    """
    try:
        array: Array = np.lib.format.open_memmap(path, mode="r")
    except BROKEN as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FileError(f"not a .npy array ({reason})", argument=str(path)) from None
    return array
