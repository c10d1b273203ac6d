"""Files are complete or absent: written beside their place, then renamed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from mjopt.errors import FileError


@contextmanager
def replace_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` for writing; it takes its place if all goes well.

    Parameters
    ----------
    path
        Where the file shall stand. Nothing is there before the block ends, and
        what was there stays if the block fails.

    Raises
    ------
    FileError
        If the folder does not exist, or ``path`` is a folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "answer.txt"
    ...     with replace_whole(path) as file:
    ...         _ = file.write(b"42")
    ...     path.read_text()
    '42'
    """
    if path.is_dir():
        raise FileError(f"{path}: is a folder, expected a file name")
    if not path.parent.is_dir():
        raise FileError(f"{path}: the folder {path.parent} does not exist")
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a whole file, or leave what was there."""
    with replace_whole(path) as file:
        file.write(content)
