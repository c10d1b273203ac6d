"""One writer a folder: a lock that dies with the process that holds it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mjopt.errors import StudyError

try:
    import fcntl
except ImportError:  # not on Windows: the file's owner is asked for instead
    fcntl = None  # type: ignore[assignment]

__all__ = ["hold_folder"]

LOCK = ".lock"


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep every other writer out of a folder.

    The operating system drops the lock when the process ends, however it ends: a
    killed run leaves nothing to clean up.

    Parameters
    ----------
    folder
        A folder that exists.

    Raises
    ------
    StudyError
        If another process holds it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     with hold_folder(Path(name)):
    ...         print("alone")
    alone
    """
    path = folder / LOCK
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
        if not _take(descriptor, owner):
            raise StudyError(f"{folder}: process {owner or '?'} is writing this study now")
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


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
