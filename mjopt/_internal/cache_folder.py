"""Cache folders of the user for compiled kernels and derived tables.

They lie in ``NUMBA_CACHE_DIR`` or in the user's cache folder, for all environments and copies of
mjopt of that user. A folder is used only if no one but the user and the administrator can write to
it.
"""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

UNUSED_DAYS: Final = 90  # after which something is removed
_DAY: Final = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """A folder, and what may be done with it."""

    folder: Path | None  # None if it must not be used
    is_writable: bool
    problem: str  # why nothing can be kept; empty if everything can


def open_cache_folder(name: str) -> CacheFolder:
    """Return a folder where the environment says, or of the user; it is made if need be."""
    from platformdirs import user_cache_path

    setting = os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("mjopt", appauthor=False)
    return _open(Path(setting), name)


@cache
def _open(parent: Path, name: str) -> CacheFolder:
    if not parent.is_absolute():  # no home folder
        return CacheFolder(None, False, f"the folder {parent} has no absolute path")
    folder = parent / name
    with suppress(OSError):
        parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    try:
        status = folder.lstat()
    except OSError as error:
        return CacheFolder(None, False, f"{folder}: {error.strerror}")
    if not stat.S_ISDIR(status.st_mode):
        return CacheFolder(None, False, f"{folder} is not a folder")
    if status.st_uid not in (0, os.geteuid()) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return CacheFolder(None, False, f"others can write to {folder}")
    try:
        with TemporaryFile(dir=folder):
            return CacheFolder(folder, True, "")
    except OSError as error:
        return CacheFolder(folder, False, f"{folder}: {error.strerror}")


def note_use(path: Path) -> None:
    """Note a day's first use of a file as its time."""
    with suppress(OSError):  # there is none, or the folder can only be read
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)


def unused(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files and folders that were not used for :data:`UNUSED_DAYS`."""
    limit = time.time() - UNUSED_DAYS * _DAY
    for path in paths:
        with suppress(OSError):  # it is gone
            if path.lstat().st_mtime < limit:
                yield path
