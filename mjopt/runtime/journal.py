"""A journal of labels: what a run has done, so that the next one goes on from there."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt.errors import FileError
from mjopt.runtime.folder import write_whole

try:
    import fcntl
except ImportError:  # not on Windows: a second writer goes unnoticed there
    fcntl = None  # type: ignore[assignment]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Journal:
    """Labels so far, one byte each, in a file beside the output.

    Parameters
    ----------
    output
        The file that the labels are for.
    settings
        Everything the labels depend on; a journal with other settings is of
        another run and is begun anew.

    Raises
    ------
    FileError
        If another process writes to the same journal now.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder) / "labels.csv", {"model": "network"})
    ...     journal.append([1, 0, 3])
    ...     journal.close()
    ...     again = Journal(Path(folder) / "labels.csv", {"model": "network"})
    ...     print(len(again), again.labels().tolist())
    ...     again.discard()
    3 [1, 0, 3]
    """

    def __init__(self, output: Path, settings: dict[str, Any]) -> None:
        if not output.parent.is_dir():
            raise FileError(f"{output}: the folder {output.parent} does not exist")
        self.path = output.with_name(f".{output.name}.labels")
        self._settings = output.with_name(f".{output.name}.settings.json")
        self._file = self.path.open("ab+")
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._file.close()
                raise FileError(f"{output}: another process is writing it") from None
        text = json.dumps(settings, sort_keys=True)
        if not self._settings.exists() or self._settings.read_text() != text:
            self._file.truncate(0)
            write_whole(self._settings, text.encode())

    def __len__(self) -> int:
        """Return how many rows are done."""
        return self.path.stat().st_size

    def append(self, labels: list[int]) -> None:
        """Add the next rows; they survive the process."""
        self._file.write(np.array(labels, dtype=np.int8).tobytes())
        self._file.flush()

    def labels(self) -> npt.NDArray[np.int8]:
        """Return all labels so far."""
        return np.fromfile(self.path, dtype=np.int8)

    def close(self) -> None:
        """Stop writing; what is done stays for the next run."""
        self._file.close()

    def discard(self) -> None:
        """Remove the journal: the output stands."""
        self._settings.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)
        self._file.close()
