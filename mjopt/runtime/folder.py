"""Files that are complete or absent, and folders that one process writes at a time."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from mjopt.errors import FileError

try:
    import fcntl
except ImportError:  # not on Windows: the file's owner is asked for instead
    fcntl = None  # type: ignore[assignment]

LOCK: Final = ".lock"
"""The file in a folder that is held; it is there only while somebody writes."""


@contextmanager
def replace_whole(path: Path, *, within: Path | None = None) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` for writing; it takes its place if all goes well.

    Two processes, even on two machines, may write the same file at once: each writes
    its own, and the last to end puts its own in place.

    Parameters
    ----------
    path
        Where the file shall stand. Nothing is there before the block ends, and
        what was there stays if the block fails.
    within
        The folder that it is written in, and where a kill leaves it: on the same disk,
        by default that of ``path``.

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
    beside = (within or path.parent) / f".{path.name}.{os.urandom(8).hex()}.tmp"
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, *, within: Path | None = None) -> None:
    """Write a whole file, or leave what was there."""
    with replace_whole(path, within=within) as file:
        file.write(content)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_folder(folder: Path, *, parents: bool = True) -> None:
    """Make a folder if it is not there yet; refuse a file, and perhaps a folder within none."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder}: is a file, expected a folder")
    if not parents and not folder.parent.is_dir():
        raise FileError(f"{folder}: the folder {folder.parent} does not exist")
    folder.mkdir(parents=parents, exist_ok=True)


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep every other writer out of a folder.

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
    with hold_lock(folder / LOCK, f"{folder}: process OWNER is writing here now"):
        for left in folder.glob(f".*.{'?' * 16}.tmp"):  # by a run that was killed as it wrote
            left.unlink()
        yield


@contextmanager
def hold_lock(path: Path, refusal: str) -> Iterator[None]:
    """Hold a lock that dies with the process: a killed run leaves nothing to clean up.

    Ours, not the library `filelock`: that one names no owner, and leaves its file behind.

    Parameters
    ----------
    path
        The lock's file; removed in the end.
    refusal
        What to say if another process holds it; its number takes the place of ``OWNER``.

    Raises
    ------
    FileError
        If another process holds it.
    """
    descriptor = _open_held(path, refusal)
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        # Removed while it is held: whoever opened it meanwhile finds it gone and looks again.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _open_held(path: Path, refusal: str) -> int:
    """Open the lock file and take it, or refuse."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
        if not _take(descriptor, owner):
            os.close(descriptor)
            raise FileError(refusal.replace("OWNER", owner or "?"))
        if os.fstat(descriptor).st_nlink:  # else the last owner has just removed it
            return descriptor
        os.close(descriptor)


def _take(descriptor: int, owner: str) -> bool:
    """Return whether the lock is ours now."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif owner.isdigit() and int(owner) != os.getpid():
            os.kill(int(owner), 0)
            return False
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return True
