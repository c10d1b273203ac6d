"""Digests of the files of a folder, so that none is used that is not what was written."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mjopt._internal.folder import file_digest, write_whole
from mjopt.errors import FileError

SUMS: Final = "SHA256SUMS"
"""Their file, as `sha256sum --check` reads it."""


class Sums:
    """The digests that a folder keeps; of files of before there were any, none.

    Parameters
    ----------
    folder
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     rows = Path(name) / "rows"
    ...     _ = rows.write_bytes(b"as written")
    ...     Sums(Path(name)).note([rows])
    ...     _ = rows.write_bytes(b"changed")
    ...     Sums(Path(name)).differs(rows)
    True
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        text = ""
        self.are_there = (folder / SUMS).exists()
        if self.are_there:
            text = (folder / SUMS).read_text(encoding="utf-8", errors="replace")
        lines = (line.partition("  ") for line in text.splitlines())
        self._noted = {name: digest for digest, _, name in lines}

    def differs(self, path: Path) -> bool:
        """Return whether a file is not what was noted: changed, gone, or there and not noted."""
        found = file_digest(path) if path.is_file() else None
        return found != self._noted.get(self._name(path))

    def check(self, path: Path) -> None:
        """Refuse a file that was noted and is there with other bytes.

        Raises
        ------
        FileError
            With the path.
        """
        if self._name(path) in self._noted and path.is_file() and self.differs(path):
            raise FileError(
                f"{path}: not the bytes that were written (SHA-256 differs); remove it and run "
                "the same command again"
            )

    def note(self, paths: Iterable[Path]) -> None:
        """Note what these files are, of which nothing is noted yet, and write it."""
        new = [path for path in paths if self._name(path) not in self._noted]
        self._write(self._noted | {self._name(path): file_digest(path) for path in new})

    def forget(self, paths: Iterable[Path]) -> None:
        """Know nothing of files that are to be made."""
        gone = {self._name(path) for path in paths}
        self._write({name: digest for name, digest in self._noted.items() if name not in gone})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _write(self, noted: dict[str, str]) -> None:
        if noted != self._noted:
            self._noted = noted
            text = "".join(f"{digest}  {name}\n" for name, digest in sorted(noted.items()))
            write_whole(self._folder / SUMS, text.encode())
