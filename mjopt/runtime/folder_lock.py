"""One writer a folder: a lock that dies with the process that holds it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mjopt.errors import FileError

try:
    import fcntl
except ImportError:  # not on Windows: the file's owner is asked for instead
    fcntl = None  # type: ignore[assignment]

LOCK: Final = ".lock"
"""The file in the folder; it is there only while somebody writes."""


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep every other writer out of a folder.

    The operating system drops the lock when the process ends, however it ends: a
    killed run leaves nothing to clean up.

    Parameters
    ----------
    folder
        The folder; made if it is not there.

    Raises
    ------
    FileError
        If another process holds it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     with hold_folder(Path(name)):
    ...         print("alone")
    alone
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK
    descriptor = _open_held(path)
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        # Removed while it is held: whoever opened it meanwhile finds it gone and looks again.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _open_held(path: Path) -> int:
    """Open the lock file and take it, or refuse."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
        if not _take(descriptor, owner):
            os.close(descriptor)
            raise FileError(f"{path.parent}: process {owner or '?'} is writing here now")
        if _is_still(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_still(descriptor: int, path: Path) -> bool:
    """Return whether an open file is the one that a path names now."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _take(descriptor: int, owner: str) -> bool:
    """Return whether the lock is ours now."""
    if fcntl is None:
        return not (owner.isdigit() and int(owner) != os.getpid() and _runs(int(owner)))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _runs(process: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
