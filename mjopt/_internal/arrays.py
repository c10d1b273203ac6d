"""Load arrays from untrusted ``.npy`` files."""

import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import FileError

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
    """Memory-map the array of a ``.npy`` file.

    Nothing is unpickled, and memory use is bounded by the size of the file, whatever its header
    says.

    Raises
    ------
    FileError
        If the file is not a ``.npy`` file, or is truncated.
    OSError
        If the file cannot be opened.

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
