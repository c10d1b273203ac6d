"""Ids for the files of a folder, so that web addresses contain no paths."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mjopt._internal.sanitize import plain

DEPTH: Final = 2  # levels of subfolders
MAX_FOLDERS, MAX_FILES = 1_000, 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file of the index."""

    id: str  # used in addresses
    name: str  # path in the folder, sanitized
    path: Path
    size: int
    time: int

    @property
    def written(self) -> str:
        """Modification time as text."""
        return f"{datetime.fromtimestamp(self.time / 1e9).astimezone():%Y-%m-%d %H:%M}"


def file_id(name: str) -> str:
    """Return the id of a file, a digest of its name within the folder."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


def files_in(folder: Path | None, *endings: str) -> dict[str, Listed]:
    """Return the files of a folder with the given suffixes, by id, the newest first.

    The folder and two levels of subfolders are searched; hidden files and symbolic links are
    skipped.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     _ = (Path(name) / "a.txt").write_text("a")
    ...     [(one.name, len(one.id), one.size) for one in files_in(Path(name), ".txt").values()]
    [('a.txt', 16, 1)]
    """
    found = [] if folder is None else list(_walk(folder, endings))
    found.sort(key=lambda one: (-one.time, one.name))
    return {one.id: one for one in found}


def _walk(folder: Path, endings: tuple[str, ...]) -> Iterator[Listed]:
    waiting, num_files = [(folder, 0)], 0
    for place, depth in waiting:  # the list grows in the loop
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEPTH and len(waiting) < MAX_FOLDERS:
                        waiting.append((Path(entry.path), depth + 1))
                elif entry.name.endswith(endings) and entry.is_file(follow_symlinks=False):
                    about, path = entry.stat(follow_symlinks=False), Path(entry.path)
                    name = path.relative_to(folder).as_posix()
                    yield Listed(
                        id=file_id(name),
                        name=plain(name),
                        path=path,
                        size=about.st_size,
                        time=about.st_mtime_ns,
                    )
                    if (num_files := num_files + 1) == MAX_FILES:
                        return
