"""Atomic writes, locks of folders, and checksums."""

import errno
import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import FileError

LOCK_NAME: Final = ".lock"
"""File in a folder that :func:`lock_folder` locks; removed with the lock."""

_STALE_SECONDS: Final = 3600.0
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def atomic_write(path: str | Path, data: bytes | str) -> None:
    """Write a file atomically: after an interruption it is complete or unchanged.

    Parameters
    ----------
    path
        The file to create or replace.
    data
        Its content; text is written as UTF-8.

    Raises
    ------
    FileError
        As for :func:`atomic_path`.
    """
    with atomic_path(path) as temporary:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Return a temporary path beside a file, and rename it to the file if the block succeeds.

    The temporary file is synced to disk before it replaces the target. If the block fails, it is
    removed and the target stays as it was. A symbolic link stays, and its target is replaced. The
    new file keeps the permissions of the old one. The block may also make a folder, if there is
    none at the path yet.

    A process killed with SIGKILL leaves its temporary file, ``.NAME.DIGITS.tmp``. The first write
    to the same file after an hour removes it, or the next :func:`lock_folder` of its folder.

    Parameters
    ----------
    path
        The file to create or replace.

    Yields
    ------
    Path
        A path where nothing exists yet, for anything that writes files.

    Raises
    ------
    FileError
        If the parent folder is missing, the path is no regular file, or the file cannot be
        written: no permission, disk full. The message names the path.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "answer.txt"
    ...     with atomic_path(path) as temporary:
    ...         _ = temporary.write_text("42")
    ...     path.read_text()
    '42'
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    try:
        _check_target(target, path)
        yield temporary
        if temporary.is_dir():
            temporary.rename(target)
            return
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except OSError as error:
        if error.errno in _WRITE_ERRORS or error.filename in (str(temporary), str(target)):
            raise FileError(f"{path}: {error.strerror or error}") from error
        raise
    finally:
        _remove(temporary)


@contextmanager
def atomic_open(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file for writing, with the guarantees of :func:`atomic_path`."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        yield file


def _check_target(target: Path, path: str | Path) -> None:
    """Reject a target that cannot be replaced; remove temporary files of killed writers."""
    if target.is_dir():
        raise FileError(f"{path}: is a folder, expected a file name")
    if target.exists() and not target.is_file():
        raise FileError(f"{path}: is not a regular file")
    if not target.parent.is_dir():
        raise FileError(f"{path}: the folder {target.parent} does not exist")
    if target.exists() and not os.access(target, os.W_OK):
        raise FileError(f"{path}: {os.strerror(errno.EACCES)}")
    remove_stale_temp(target.parent, target.name, older_than=_STALE_SECONDS)


def remove_stale_temp(folder: Path, name: str = "", *, older_than: float = 0.0) -> None:
    """Remove temporary files of :func:`atomic_path` that killed processes left in a folder.

    Parameters
    ----------
    folder
        The folder. The caller holds its lock, unless `older_than` is given.
    name
        Only temporary files for a target with this name; by default for any.
    older_than
        Minimum age in seconds: another process may still write a newer file.
    """
    for temporary in folder.glob(".*.tmp"):
        target_name = temporary.name[1:].rsplit(".", 2)[0]
        with suppress(OSError):
            if name in ("", target_name) and (
                time.time() - temporary.stat().st_mtime >= older_than
            ):
                _remove(temporary)


def _remove(path: Path) -> None:
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        path.unlink(missing_ok=True)


def as_path(given: "str | os.PathLike[str]", what: str) -> Path:
    """Return a path, which need not exist.

    Raises
    ------
    TypeError
        If it is no path.
    FileError
        If the system accepts no such path: it is too long, holds a null character, or lies in a
        folder without permission.

    Examples
    --------
    >>> as_path(3, "folder")
    Traceback (most recent call last):
    TypeError: folder: 3, expected a path
    """
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"{what}: {short_repr(given)}, expected a path")
    path = Path(given)
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{shorten(str(path), 200)}: {reason}") from None
    return path


def make_folder(folder: str | Path, *, parents: bool = True) -> Path:
    """Create a folder unless it exists.

    Raises
    ------
    FileError
        If the path is a file, its parent is missing and `parents` is false, or the folder cannot
        be created.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder}: is a file, expected a folder")
    if not parents and not folder.absolute().parent.is_dir():
        raise FileError(f"{folder}: the folder {folder.parent} does not exist")
    try:
        folder.mkdir(parents=parents, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from error
    return folder


@contextmanager
def lock_folder(folder: str | Path) -> Iterator[Path]:
    """Lock a folder against other processes; create the folder unless it exists.

    The lock ends with the process, also if it is killed. Stale temporary files are removed.

    Raises
    ------
    FileError
        If another process holds the lock, or the folder cannot be created.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name, lock_folder(name) as folder:
    ...     atomic_write(folder / "rows.csv", "1,2")
    """
    from filelock import FileLock, Timeout

    folder = make_folder(folder)
    lock_path = folder / LOCK_NAME
    lock = FileLock(lock_path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise FileError(f"{folder}: another process is writing here now") from None
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from error
    try:
        remove_stale_temp(folder)
        yield folder
    finally:
        with suppress(OSError):  # while locked: filelock retries if the lock file is gone
            lock_path.unlink()
        lock.release()


def sha256_of(source: Path | bytes) -> str:
    """Return the SHA-256 of a file or of bytes, in hexadecimal.

    Examples
    --------
    >>> sha256_of(b"")[:8]
    'e3b0c442'
    """
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
