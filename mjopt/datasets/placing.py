"""Files of a dataset: written in the build folder, hashed on the way, then put in place."""

import hashlib
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

DATA = "data"
BUILD = ".build"


class Sink:
    """A file that is only written forward, and hashed as it is.

    Parameters
    ----------
    file
        Where the bytes go.
    """

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, content: bytes | memoryview) -> int:
        """Write some bytes."""
        view = memoryview(content).cast("B")
        self._file.write(view)
        self._hash.update(view)
        self.size += len(view)
        return len(view)

    def tell(self) -> int:
        """Return how many bytes there are."""
        return self.size

    def flush(self) -> None:
        """Hand over what is buffered."""
        self._file.flush()

    def close(self) -> None:
        """Leave closing to whoever opened the file."""

    @property
    def sha256(self) -> str:
        """The digest of all bytes so far."""
        return self._hash.hexdigest()


@dataclass(slots=True)
class Placed:
    """A file being written, and afterwards its size and digest.

    Parameters
    ----------
    name
        Its name in the folder ``data``.
    sink
        Where to write.
    """

    name: str
    sink: Sink

    def to_document(self, split: str, rows: int) -> dict[str, Any]:
        """Return what the manifest says of the file."""
        return {
            "name": f"{DATA}/{self.name}",
            "split": split,
            "rows": rows,
            "bytes": self.sink.size,
            "sha256": self.sink.sha256,
        }


@contextmanager
def placed(folder: Path, name: str) -> Iterator[Placed]:
    """Write a file of a dataset; it is in its place, whole, only if all goes well.

    Two processes may write the same file at once (a worker taken for dead may live on):
    each writes its own, the bytes are the same, and the last to end puts its own in place.
    """
    beside = folder / BUILD / "tmp" / f"{name}.{uuid.uuid4().hex}"
    try:
        with beside.open("wb") as file:
            record = Placed(name, Sink(file))
            yield record
            file.flush()
            os.fsync(file.fileno())
        beside.replace(folder / DATA / name)
    finally:
        beside.unlink(missing_ok=True)


def put(folder: Path, name: str, content: bytes) -> None:
    """Put a small file beside the data, whole; what a kill leaves is in the build folder."""
    beside = folder / BUILD / "tmp" / name
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / name)
