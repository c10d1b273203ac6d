"""Arrays of NumPy's own format from files that may be anything."""

from pathlib import Path
from tokenize import TokenError
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import FileError

BROKEN: Final = (
    *(EOFError, MemoryError, OverflowError, RecursionError, SyntaxError, TokenError),
    *(TypeError, ValueError),
)
"""What NumPy raises for bytes that are no array."""


def map_array(path: Path) -> NDArray[Any]:
    """Map the array of a ``.npy`` file from disk.

    Nothing is unpickled, and no more memory is taken than the file has bytes, whatever its
    first lines say.

    Raises
    ------
    FileError
        If it is not such a file, or is not whole.
    OSError
        If it cannot be opened.

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
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except BROKEN as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FileError(f"{path}: not a .npy array ({reason})") from None
    return array
