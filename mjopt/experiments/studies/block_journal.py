"""What is done of an unfinished run: blocks of rows, kept as they come."""

import struct
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from mjopt.experiments.studies.row_files import ROWS, Columns

KEPT: Final = tuple(name for name in ROWS if name != "hand")
"""Columns that are kept; the numbers of the hands are known."""

ROW_BYTES: Final = sum(np.dtype(ROWS[name]).itemsize for name in KEPT)
HEAD: Final = struct.Struct("<4sIIdI")  # mark, first row, rows, seconds, CRC of all but itself
MARK: Final = b"mjb1"


def no_rows() -> Columns:
    """Return the kept columns of no rows."""
    return {name: np.zeros(0, dtype=ROWS[name]) for name in KEPT}


class BlockJournal:
    """Blocks of one run, in order, in a file beside the rows they will become.

    Each block carries a checksum. Whatever a kill leaves at the end of the file is cut
    off, and the run goes on after the last whole block.

    Parameters
    ----------
    path
        The file; it need not exist.

    Attributes
    ----------
    times
        For each block its first row, its rows and the CPU seconds it took.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run-00.journal"
    ...     with BlockJournal(path) as journal:
    ...         journal.append({n: np.zeros(5, ROWS[n]) for n in KEPT}, seconds=0.25)
    ...     _ = path.write_bytes(path.read_bytes() + b"half a blo")
    ...     with BlockJournal(path) as again:
    ...         len(again), again.times
    (5, [(0, 5, 0.25)])
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.times: list[tuple[int, int, float]] = []
        self._parts: list[Columns] = []
        self._file = path.open("ab+")
        self._recover()

    def __enter__(self) -> "BlockJournal":
        """Keep the file open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it; what is done stays for the next run."""
        self._file.close()

    def __len__(self) -> int:
        """Return how many rows are done."""
        return sum(rows for _, rows, _ in self.times)

    def append(self, columns: Columns, *, seconds: float) -> None:
        """Add the next block; it survives the process."""
        first, rows = len(self), len(columns[KEPT[0]])
        content = b"".join(
            np.ascontiguousarray(columns[name], ROWS[name]).tobytes() for name in KEPT
        )
        head = HEAD.pack(MARK, first, rows, seconds, 0)[:-4]
        checksum = struct.pack("<I", zlib.crc32(head + content))
        self._file.write(head + checksum + content)
        self._file.flush()
        self._take(first, rows, seconds, content)

    def columns(self) -> Columns:
        """Return the kept columns of all blocks."""
        parts = self._parts or [no_rows()]
        return {name: np.concatenate([part[name] for part in parts]) for name in KEPT}

    def discard(self) -> None:
        """Remove the file: the rows stand."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _recover(self) -> None:
        self._file.seek(0)
        content, place = self._file.read(), 0
        while place + HEAD.size <= len(content):
            mark, first, rows, seconds, checksum = HEAD.unpack_from(content, place)
            end = place + HEAD.size + rows * ROW_BYTES
            body = content[place + HEAD.size : end]
            whole = mark == MARK and first == len(self) and end <= len(content)
            if not whole or checksum != zlib.crc32(content[place : place + HEAD.size - 4] + body):
                break
            self._take(first, rows, seconds, body)
            place = end
        self._file.truncate(place)

    def _take(self, first: int, rows: int, seconds: float, content: bytes) -> None:
        part, place = {}, 0
        for name in KEPT:
            kind = np.dtype(ROWS[name])
            part[name] = np.frombuffer(content, kind, rows, place)
            place += rows * kind.itemsize
        self._parts.append(part)
        self.times.append((first, rows, seconds))
