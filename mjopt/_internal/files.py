"""Atomic writes, locks of folders, and checksums."""

import errno
import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.signals import cleanup_at_end
from mjopt.errors import FileError

LOCK_NAME: Final = ".mjopt.lock"
"""File in a folder that :func:`lock_folder` locks; removed with the lock."""

_IN_TEMP: Final = re.compile(r"mjopt-[a-z]+-[0-9a-f]{16}")
_TEMPORARY: Final = re.compile(r"\.(?P<target>.+)\.[0-9a-f]{16}\.mjopt\.tmp", re.DOTALL)
_LONGEST: Final = 200  # bytes of a name that goes into that of its temporary folder
_OWNER: Final = ".mjopt.owner"  # in a temporary folder: locked while its writer runs
_SIGNATURE: Final = b"This temporary folder belongs to mjopt, which removes it.\n"
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

FileVersion = tuple[int, ...]
"""Modification time, size and inode of a file: it changes whenever the file is replaced."""


def file_version(path: Path | None) -> FileVersion:
    """Return the version of a file; empty without one."""
    if path is not None:
        with suppress(OSError):
            status = path.stat()
            return status.st_mtime_ns, status.st_size, status.st_ino
    return ()


def atomic_write(path: str | Path, data: bytes | str) -> None:
    """Write a file atomically: after an interruption it is complete or unchanged.

    Text is written as UTF-8. Errors are those of :func:`atomic_path`.
    """
    with atomic_path(path) as temporary:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Return a temporary path for a file, and rename it to the file if the block succeeds.

    The temporary file is synced to disk before it replaces the target. If the block fails, it is
    removed and the target stays as it was. A symbolic link stays, and its target is replaced. The
    new file keeps the permissions of the old one. The block may also make a folder, if there is
    none at the path yet.

    The temporary path lies in a folder ``.NAME.DIGITS.mjopt.tmp`` beside the target. Its file
    ``.mjopt.owner`` has a fixed content and is locked while its writer runs. A process killed
    with SIGKILL leaves this folder, and the next write of the same target removes it, or
    :func:`remove_stale_temp`.

    The yielded path, where nothing exists yet, suits anything that writes files. A missing parent
    folder, a path that is no regular file, and a file that cannot be written (no permission, disk
    full) are a `FileError` that names the path.

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
    folder = target.with_name(f".{_stem(target.name)}.{os.urandom(8).hex()}.mjopt.tmp")
    temporary = folder / target.name
    try:
        _check_target(target, path)
        remove_stale_temp(target.parent, target.name)
        with _owned_folder(folder):
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
        ours = map(str, (folder, temporary, target))
        if error.errno in _WRITE_ERRORS or error.filename in ours:
            raise FileError(str(error.strerror or error), argument=str(path)) from error
        raise


@contextmanager
def _owned_folder(folder: Path, mode: int = 0o777) -> Iterator[None]:
    """Make a temporary folder that is recognised as ours and as in use; remove it at the end."""
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with cleanup_at_end(remove):
        try:
            with _make_owned(folder, mode) as owner:
                owner.write(_SIGNATURE)
                yield
        finally:
            remove()


def _make_owned(folder: Path, mode: int) -> BinaryIO:
    """Make a temporary folder; return the open and locked file that marks it as in use.

    Until the file is locked, another process may take the folder for one that a killed process
    left empty, and remove it.
    """
    while True:
        folder.mkdir(mode)
        try:
            owner = (folder / _OWNER).open("xb", buffering=0)
            with suppress(OSError):  # a file system without locks: the folder counts as in use
                fcntl.flock(owner, fcntl.LOCK_EX)
            if folder.is_dir():
                return owner
            owner.close()
        except FileNotFoundError:
            pass


@contextmanager
def temporary_folder(name: str) -> Iterator[Path]:
    """Make a folder for temporary files, and remove it, also if a signal ends the process.

    A process killed with SIGKILL leaves the folder, and the next process that makes one removes
    it: the folder is marked as that of :func:`atomic_path`.

    ``name``, a word in its name, is lower-case letters.

    Examples
    --------
    >>> with temporary_folder("example") as folder:
    ...     _ = (folder / "answer.txt").write_text("42")
    >>> folder.exists()
    False
    """
    home = Path(tempfile.gettempdir())
    _remove_abandoned(home)
    folder = home / f"mjopt-{name}-{os.urandom(8).hex()}"
    with _owned_folder(folder, 0o700):
        yield folder


@cache
def _remove_abandoned(home: Path) -> None:
    """Remove what :func:`temporary_folder` left when its process was killed; once a process."""
    for name in filter(_IN_TEMP.fullmatch, os.listdir(home)):
        with suppress(OSError):
            if (home / name).lstat().st_uid == os.getuid():
                _remove_if_abandoned(home / name)


@contextmanager
def atomic_open(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file for writing, with the guarantees of :func:`atomic_path`."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        yield file


def check_output(path: str | Path) -> None:
    """Reject a path at which :func:`atomic_path` cannot write a file: before hours of work."""
    _check_target(Path(os.path.realpath(path)), path)


def _check_target(target: Path, path: str | Path) -> None:
    """Reject a target that cannot be replaced."""
    if target.is_dir():
        raise FileError("is a folder", argument=str(path), expected="a file name")
    if target.exists() and not target.is_file():
        raise FileError("is not a regular file", argument=str(path))
    if not target.parent.is_dir():
        raise FileError(f"the folder {target.parent} does not exist", argument=str(path))
    folder_access = os.access(target.parent, os.W_OK | os.X_OK)
    if not folder_access or (target.exists() and not os.access(target, os.W_OK)):
        raise FileError(os.strerror(errno.EACCES), argument=str(path))


def remove_stale_temp(folder: Path, name: str = "") -> None:
    """Remove what :func:`atomic_path` left in a folder when its process was killed.

    Everything else stays: other people's files, whatever their names, and the temporary folders
    of running processes. Call it only after the folder was accepted as a folder of mjopt.

    With ``name``, only the temporary folders for a target of this name. The folder need not exist.
    """
    for temporary in folder.glob(".*.mjopt.tmp"):
        found = _TEMPORARY.fullmatch(temporary.name)
        is_wanted = found and (not name or _stem(name) == found["target"])
        if found and is_wanted:
            _remove_if_abandoned(temporary, found["target"])


def visible_names(folder: Path) -> list[str]:
    """Return the names in a folder that do not begin with a dot, sorted."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def _stem(name: str) -> str:
    """Return the name of a target, or a digest if its temporary folder's name would be too long."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST else hashlib.sha256(encoded).hexdigest()


def _remove_if_abandoned(temporary: Path, target: str | None = None) -> None:
    """Remove a temporary folder if this module made it in a process that has ended.

    No process locks such a folder. It holds the signature and perhaps the target (any files
    without one), or nothing if the process ended before it wrote the signature. This function
    locks the folder while it removes it, because another process may just have made it: see
    :func:`_make_owned`.
    """
    owner = temporary / _OWNER
    with suppress(OSError):
        if temporary.is_symlink() or owner.is_symlink():
            return
        names = {*os.listdir(temporary)} - {_OWNER}
        if not names and not owner.exists():
            temporary.rmdir()
            return
        if not owner.is_file():
            return
        with owner.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            content = file.read(len(_SIGNATURE) + 1)
            is_target = target is None or (
                len(names) < 2 and all(_stem(name) == target for name in names)
            )
            if (content == _SIGNATURE and is_target) or (not content and not names):
                shutil.rmtree(temporary, ignore_errors=True)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; OSError for a FIFO, which would block, and other kinds."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb")


def read_regular(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes.

    A FIFO, a device, a longer file, or one that cannot be read, is a `FileError`.
    """
    try:
        with open_regular(path) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise FileError(str(error.strerror or error), argument=str(path)) from error
    if len(content) > most:
        raise FileError(f"more than {most:,} bytes", argument=str(path))
    return content


def as_path(given: "str | os.PathLike[str]", what: str, *, utf8: bool = False) -> Path:
    """Return a path, which need not exist; ``TypeError`` for anything else.

    `FileError` is raised if the system accepts no such path: it is too long, holds a null
    character, or lies in a folder without permission. With ``utf8`` it is raised also for names
    that are not UTF-8, in which PyArrow can open no file.

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
        if utf8:
            str(path.absolute()).encode()
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except UnicodeEncodeError:
        raise FileError(f"{shorten(str(path), 200)}: the name is not UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{shorten(str(path), 200)}: {reason}") from None
    return path


def make_folder(folder: str | Path, *, parents: bool = True) -> Path:
    """Create a folder unless it exists.

    `FileError` is raised if the path is a file, the folder cannot be created, or its parent is
    missing and ``parents`` is false.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileError("is a file", argument=str(folder), expected="a folder")
    if not parents and not folder.absolute().parent.is_dir():
        raise FileError(f"the folder {folder.parent} does not exist", argument=str(folder))
    try:
        folder.mkdir(parents=parents, exist_ok=True)
    except OSError as error:
        raise FileError(str(error.strerror), argument=str(folder)) from error
    return folder


@contextmanager
def lock_folder(folder: str | Path, *, name: str | Path | None = None) -> Iterator[Path]:
    """Lock a folder against other processes; create the folder unless it exists.

    The lock ends with the process, also if it is killed. `FileError` is raised if another process
    holds it, or the folder cannot be created; ``name`` is its name in errors, by default the path.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name, lock_folder(name) as folder:
    ...     atomic_write(folder / "rows.csv", "1,2")
    """
    from filelock import FileLock, Timeout

    folder = make_folder(folder)
    lock_path, name = folder / LOCK_NAME, str(name or folder)
    lock = FileLock(lock_path)

    def unlock() -> None:
        with suppress(OSError):  # while locked: filelock retries if the lock file is gone
            lock_path.unlink()

    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise FileError("another process is writing here now", argument=name) from None
    except OSError as error:
        raise FileError(str(error.strerror), argument=name) from error
    try:
        with cleanup_at_end(unlock):
            yield folder
    finally:
        unlock()
        lock.release()


@contextmanager
def lock_output(path: Path, suffix: str) -> Iterator[Path]:
    """Lock a file or folder that is being made: by a folder ``.NAME.SUFFIX`` beside it.

    This folder is yielded, and is removed at the end unless it holds files. Errors are those of
    :func:`lock_folder`.
    """
    beside = path.with_name(f".{path.name}.{suffix}")
    try:
        with lock_folder(beside, name=path):
            remove_stale_temp(path.parent, path.name)  # the lock excludes other writers
            remove_stale_temp(beside)
            yield beside
    finally:
        with suppress(OSError):  # it holds files, or another process writes there
            beside.rmdir()


def sha256_of(source: Path | bytes) -> str:
    """Return the SHA-256 of a file or of bytes, in hexadecimal."""
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
