"""Machine code of kernels on disk: one folder for each kernel and content of its code.

The folder of all entries is ``kernels`` in ``NUMBA_CACHE_DIR`` or in the user's cache folder, for
all environments and copies of mjopt of that user. Numba unpickles what it finds there, so the
folder is used only if no one but the user and the administrator can write to it, and an
entry only if its files have the checksums that were written with them.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from mjopt._internal.cache_folder import CacheFolder, note_use, open_cache_folder, unused
from mjopt._internal.files import atomic_path, sha256_of

FOLDER: Final = "kernels"
CHECKSUMS: Final = "checksums.sha256"  # in each entry, as sha256sum writes and reads them
_OLD_FOLDERS: Final = "kernels-" + "[0-9a-f]" * 16  # of mjopt 0.9


def open_cache() -> CacheFolder:
    """Return the folder of machine code; it is made if need be."""
    return open_cache_folder(FOLDER)


def entry_of(cache: CacheFolder, name: str, digest: str | None) -> Path | None:
    """Return the folder of a kernel's code, which need not exist; None if there can be none."""
    if cache.folder is None or digest is None:
        return None
    return cache.folder / f"{name}-{digest[:32]}"


def is_intact(entry: Path) -> bool:
    """Return whether an entry exists and its files are those that were written.

    A day's first use is noted as the time of its checksums.
    """
    checksums = entry / CHECKSUMS
    try:
        if checksums.read_text("utf-8") != _checksums(entry):
            return False
        note_use(checksums)
    except (OSError, ValueError):
        return False
    return True


def _checksums(entry: Path) -> str:
    names = sorted(path.name for path in entry.iterdir() if path.name != CHECKSUMS)
    return "".join(f"{sha256_of(entry / name)}  {name}\n" for name in names)


@contextmanager
def write_entry(entry: Path) -> Iterator[None]:
    """Replace an entry by the files that numba writes in the block, all of them or none."""
    shutil.rmtree(entry, ignore_errors=True)  # it is damaged, if there is one
    with atomic_path(entry) as folder:
        folder.mkdir()
        with EntryLocator.use(folder):
            yield
        (folder / CHECKSUMS).write_text(_checksums(folder), "utf-8")
    _remove_unused(entry.parent)


def _remove_unused(folder: Path) -> None:
    """Remove entries that were not used for a while, and the folders of old versions."""
    entries = [checksums.parent for checksums in unused(folder.glob(f"*/{CHECKSUMS}"))]
    for path in (*entries, *unused(folder.parent.glob(_OLD_FOLDERS))):
        shutil.rmtree(path, ignore_errors=True)


class EntryLocator:
    """The folder where numba keeps the code of a function: the one entry that is in use.

    Numba calls these methods of each class named by its setting ``CACHE_LOCATOR_CLASSES``.
    """

    _folder: ClassVar[Path | None] = None

    def __init__(self, folder: Path) -> None:
        self._path = folder

    @classmethod
    @contextmanager
    def use(cls, folder: Path) -> Iterator[None]:
        """Let numba keep the functions that a block compiles in a folder."""
        cls._folder = folder
        try:
            yield
        finally:
            cls._folder = None

    @classmethod
    def from_function(cls, _function: object, _file: str) -> "EntryLocator | None":
        """Return the locator for a function."""
        return cls(cls._folder) if cls._folder else None

    def ensure_cache_path(self) -> None:
        """Raise OSError if the folder is gone."""
        self._path.stat()

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Return nothing: the name of the folder contains the digest of the code."""
        return ""

    def get_disambiguator(self) -> str:
        """Return nothing, for the same reason."""
        return ""
