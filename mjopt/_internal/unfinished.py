"""What is written beside its place until it is whole; a kill leaves it, the next run removes it."""

import glob
import os
import re
import shutil
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final

try:
    import fcntl
except ImportError:  # on Windows: there an open file cannot be moved or removed
    fcntl = None  # type: ignore[assignment]

IS_POSIX: Final = fcntl is not None
LOCKED: Final = 2**31 - 2  # on Windows nobody else can read a byte that is locked: one far off

DIGITS: Final = 16  # hexadecimal, that no two writers share
OPEN: Final = re.compile(r"/(?:dev|proc/(?:self|thread-self))/fd/([0-9]{1,9})")
STANDARD: Final = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
LINKS: Final = 40  # followed, as many as Linux does


def unfinished_name(name: str) -> str:
    """Return a name beside a name, another each time.

    Examples
    --------
    >>> len(unfinished_name("a.json")), unfinished_name("a.json")[:8]
    (28, '.a.json.')
    """
    return f".{name}.{os.urandom(DIGITS // 2).hex()}.tmp"


def take(descriptor: int, *, wait: bool = False) -> bool:
    """Return whether an open file is ours alone until it is closed."""
    try:
        if IS_POSIX:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        else:
            msvcrt: Any = import_module("msvcrt")
            place = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.lseek(descriptor, LOCKED, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, place, os.SEEK_SET)
    except OSError:
        return False
    return True


def open_unfinished(path: Path, mode: int) -> BinaryIO:
    """Begin a file and hold it, so that a later run sees whether its writer lives."""
    while True:
        path.touch(mode, exist_ok=False)
        file = path.open("wb")
        take(file.fileno(), wait=True)
        if os.fstat(file.fileno()).st_nlink:  # else another run took it, new as it was, for left
            return file
        file.close()


def hold_unfinished(folder: Path) -> int | None:
    """Hold a folder as one is begun; its descriptor, to be closed, where that can be done."""
    if not IS_POSIX:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    take(descriptor, wait=True)
    return descriptor


def remove_left(folder: Path, name: str | None = None) -> None:
    """Remove what killed writers of a name in a folder left there, by default of any name.

    What somebody holds stays, and so does what we may not remove.
    """
    stem = "*" if name is None else glob.escape(name)
    for left in list(folder.glob(f".{stem}.{'[0-9a-f]' * DIGITS}.tmp")):
        with suppress(OSError):
            how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK if IS_POSIX else os.O_RDWR
            descriptor = os.open(left, how)
            try:
                is_left = take(descriptor)
                if is_left and IS_POSIX:
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
            finally:
                os.close(descriptor)
            if is_left and not IS_POSIX:
                left.unlink()


def open_through(path: Path) -> BinaryIO | None:
    """Open what no file can take the place of, such as a device or a pipe; None for the rest.

    What this process has open itself, such as ``/dev/stdout``, is gone on with where it is.
    """
    number = open_number(path)
    if number is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        return os.fdopen(os.dup(number), "wb")
    with suppress(FileNotFoundError, NotADirectoryError):
        path.stat()  # an error if we may not even look, or its links go in a circle
        if not path.is_file() and not path.is_dir():
            return path.open("wb")
    return None


def open_number(path: Path) -> int | None:
    """Return the descriptor of this process that a path stands for, if it stands for one.

    Examples
    --------
    >>> import os
    >>> open_number(Path("/dev/stdout")), open_number(Path("stdout"))
    (1, None)
    """
    if os.name != "posix":
        return None
    where = os.path.abspath(path)
    for _ in range(LINKS):
        found = OPEN.fullmatch(where)
        if found or where in STANDARD:
            return int(found[1]) if found else STANDARD[where]
        try:
            where = os.path.normpath(os.path.join(os.path.dirname(where), os.readlink(where)))
        except OSError:  # no link
            break
    return None
