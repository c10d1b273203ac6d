"""Files that are complete or absent, and folders that one process writes at a time."""

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from mjopt._internal.unfinished import (
    IS_POSIX,
    hold_unfinished,
    open_through,
    open_unfinished,
    remove_left,
    take,
    unfinished_name,
)
from mjopt.errors import FileError

NAMELESS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What is refused as a file is written, and names none: above all a full disk."""

LOCK: Final = ".lock"
"""The file in a folder that is held; it is there only while somebody writes."""


@contextmanager
def replace_whole(path: Path, *, within: Path | None = None) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` for writing; it takes its place if all goes well.

    Two processes, even on two machines, may write the same file at once: each writes
    its own, and the last to end puts its own in place. What an earlier process left beside
    it when it was killed is removed.

    A file keeps its mode, and its owner where that is permitted; a link stays and its
    target is written. What is no file (a device, a pipe, ``/dev/stdout``) is written through,
    as it comes.

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
    OSError
        If it may not be written, or the disk is full; it names ``path``.

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
    beside = path
    try:
        through = open_through(path)
        if through is not None:
            with through as file:
                yield file
            return
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        if target.is_dir():
            raise FileError(f"{path}: is a folder, expected a file name")
        if not target.parent.is_dir():
            raise FileError(f"{path}: the folder {target.parent} does not exist")
        before = target.stat() if target.exists() else None
        if before is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        folder = target.parent if within is None else within
        remove_left(folder, target.name)
        beside = folder / unfinished_name(target.name)
        try:
            # Until it is whole, nobody else reads what nobody else could read before.
            with open_unfinished(beside, 0o666 if before is None else 0o600) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if before is not None:
                    _make_like(beside, before)
                if IS_POSIX:
                    beside.replace(target)  # held as it is placed: nobody takes it for left
            if not IS_POSIX:
                beside.replace(target)  # nor can it be placed while it is open
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        if error.filename == str(beside) or (error.filename is None and error.errno in NAMELESS):
            error.filename = str(path)
        raise


def _make_like(path: Path, before: os.stat_result) -> None:
    """Give a file the owner of another, if we may, and its mode."""
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder to be filled; it takes its place if all goes well, and else goes.

    Raises
    ------
    FileError
        If something is there already, or there is no folder for it.
    """
    if os.path.lexists(path):
        raise FileError(f"{path}: exists; name a new folder, or a file that ends in .jsonl")
    if not path.absolute().parent.is_dir():
        raise FileError(f"{path}: the folder {path.parent} does not exist")
    remove_left(path.parent, path.name)
    beside = path.with_name(unfinished_name(path.name))
    beside.mkdir()
    held = hold_unfinished(beside)
    try:
        yield beside
        beside.rename(path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if held is not None:
            os.close(held)


def write_whole(path: Path, content: bytes, *, within: Path | None = None) -> None:
    """Write a whole file, or leave what was there."""
    with replace_whole(path, within=within) as file:
        file.write(content)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Open one of many files of a folder that is itself not in its place yet."""
    with path.open("xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


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
        remove_left(folder)  # by a run that was killed as it wrote
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
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        # Removed while it is held: whoever opened it meanwhile finds it gone and looks again.
        # On Windows nothing can be removed that somebody, we too, has open.
        if IS_POSIX:
            path.unlink(missing_ok=True)
        os.close(descriptor)
        if not IS_POSIX:
            with suppress(OSError):
                path.unlink()


def _open_held(path: Path, refusal: str) -> int:
    """Open the lock file and take it, or refuse."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
        if not take(descriptor):
            os.close(descriptor)
            raise FileError(refusal.replace("OWNER", owner or "?"))
        if os.fstat(descriptor).st_nlink:  # else the last owner has just removed it
            return descriptor
        os.close(descriptor)
