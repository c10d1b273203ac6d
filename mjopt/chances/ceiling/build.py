"""Build a ceiling table, layer by layer."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Final

from mjopt._internal.files import as_path, lock_folder, make_folder
from mjopt._internal.memory import available_memory
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt._internal.validation import expect
from mjopt.chances.ceiling._kernels import Values
from mjopt.chances.ceiling.layout import make_layout
from mjopt.chances.ceiling.sweeps import Sweeps, stored_values, sweeping
from mjopt.chances.ceiling.table import (
    HEADER_SIZE,
    VERSION,
    CeilingTable,
    TableKey,
    data_folder,
    header_bytes,
)
from mjopt.errors import FileError
from mjopt.tables.rows._array_input import check_threads

# After each layer its stored values are written first, then a checkpoint that names their digests.
# An interrupted build continues after the last checkpoint: bytes that were written beyond it are
# overwritten, and the file gets its header and its name only when it is complete.

_SPARE_BYTES: Final = 400 << 20  # tables of classes, Python, numba and its compiler
_CONFIG: Final = "build.json"
_CHECKPOINT: Final = "checkpoint"
_LAYERS: Final = "layers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """Memory and disk that a table takes, in bytes.

    Parameters
    ----------
    hands
        Hands after a discard, and hands with a drawn tile.
    memory
        While it is built or checked.
    disk
        While it is built: the file and two checkpoints.
    file
        Of the finished file.

    Examples
    --------
    >>> from mjopt.chances.ceiling import TableKey, requirements
    >>> needed = requirements(TableKey(called=4))
    >>> needed.hands, needed.file > 0
    ((5, 50), True)
    """

    hands: tuple[int, int]
    memory: int
    disk: int
    file: int


def requirements(key: TableKey) -> Requirements:
    """Return the memory and disk that a table takes.

    Examples
    --------
    >>> requirements(TableKey()).hands, requirements(TableKey()).memory > 3.5e9
    ((240772620, 657833665), True)
    """
    expect(key, TableKey, "key")
    held = make_layout(key.tile_set, key.size).num_states
    full = make_layout(key.tile_set, key.size + 1).num_states
    file = HEADER_SIZE + len(key.layers) * 2 * held
    return Requirements(
        hands=(held, full),
        memory=4 * (held + full) + _SPARE_BYTES,
        disk=file + 2 * 4 * held,
        file=file,
    )


def build_ceiling(
    path: str | os.PathLike[str] | None = None,
    *,
    key: TableKey | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CeilingTable:
    """Build a ceiling table: a bound on the chance to win for every hand.

    For each hand after a discard and each number of draws up to ``key.draws``, no play without
    calls wins more often. An interrupted build resumes after the last finished layer, with the
    same result.

    Parameters
    ----------
    path
        The file; by default in the user's data folder, where :func:`mjopt.ceiling` finds it. If
        it exists and answers the same question, it is returned as it is.
    key
        The question; by default 108 tiles, 18 draws, no called melds.
    threads
        Number of threads; by default all cores.
    progress
        Receives progress reports.

    Raises
    ------
    FileError
        If memory or disk are too small, another process builds the same file, the file exists and
        is another table, or the folder beside it holds a damaged checkpoint or files of others.

    References
    ----------
    .. [1] docs/reference/ceiling.md: the theorem and its proof.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     [round(mean, 4) for mean in table.means]
    [0.028, 0.0569, 0.0846, 0.1113, 0.1369, 0.1616, 0.1853]
    """
    key = TableKey() if key is None else key
    expect(key, TableKey, "key")
    threads, progress = check_threads(threads), progress or NoProgress()
    path = make_folder(data_folder()) / key.file_name if path is None else as_path(path, "path")
    if not path.name or path.is_dir():
        raise FileError("is a folder", argument=str(path), expected="a file name")
    work = _work_folder(path)
    if not path.parent.is_dir():
        raise FileError(f"the folder {path.parent} does not exist", argument=str(path))
    if path.exists() and not work.exists():
        return _open_finished(path, key)
    try:
        with lock_folder(work):
            if not path.exists() or (work / _CONFIG).exists():
                config = {"version": VERSION, **asdict(key)}
                claim_run(work, _CONFIG, config, what="unfinished table", accept=lambda _: None)
                unfinished = _UnfinishedTable(work, key)
                try:
                    if not path.exists():
                        _build(path, key, unfinished, threads, progress)
                finally:
                    if path.exists() or not unfinished.done:
                        unfinished.remove()
    finally:
        with suppress(OSError):  # it holds layers, or another process writes there
            work.rmdir()
    return _open_finished(path, key)


def finished_layers(path: Path, key: TableKey) -> int:
    """Return the number of layers that an interrupted build has kept."""
    return _UnfinishedTable(_work_folder(path), key).done


def _work_folder(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def _open_finished(path: Path, key: TableKey) -> CeilingTable:
    table = CeilingTable.open(path)
    if table.key != key:
        raise FileError(
            f"holds the table of {table.key.describe()}",
            argument=str(path),
            hint="name another file",
        )
    return table


def _build(
    path: Path, key: TableKey, unfinished: "_UnfinishedTable", threads: int, progress: Progress
) -> None:
    needed = requirements(key)
    _check_disk(needed, unfinished.folder)
    check_memory(needed)
    progress.say(_announcement(path, key, needed, unfinished.done))
    with sweeping(key, threads, progress) as sweeps:
        unfinished.resume(sweeps)
        sweeps.run(unfinished.save)
        unfinished.finish(path, sweeps.means)


def _announcement(path: Path, key: TableKey, needed: Requirements, done: int) -> str:
    held, full = needed.hands
    text = (
        f"{held:,} hands before a draw and {full:,} after it, {key.draws} layers: "
        f"{gigabytes(needed.memory)} of memory, {gigabytes(needed.disk)} of disk while building, "
        f"then {gigabytes(needed.file)} in {path}"
    )
    return text + (f"; resumes after layer {done} of {key.draws}" if done else "")


def gigabytes(number: int) -> str:
    """Return a number of bytes as text.

    Examples
    --------
    >>> gigabytes(3_800_000_000), gigabytes(540_000)
    ('3.8 GB', '0.5 MB')
    """
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"


class _UnfinishedTable:
    """The finished layers of a table, in a folder beside it: stored values, and a checkpoint."""

    def __init__(self, folder: Path, key: TableKey) -> None:
        self.folder, self._key = folder, key
        self._store = UnitStore(folder, [VERSION, asdict(key)])
        facts = self._store.facts(_CHECKPOINT) or {"done": 0, "digests": []}
        self.done: int = facts["done"]
        self._digests: list[str] = facts["digests"]

    def resume(self, sweeps: Sweeps) -> None:
        """Restore the values of the last finished layer."""
        if self.done:
            checkpoint = self._store.read(_CHECKPOINT)
            sweeps.held.data.cast("B")[:] = checkpoint.content
            sweeps.done, sweeps.means = self.done, checkpoint.facts["means"]

    def save(self, sweeps: Sweeps) -> None:
        """Write the stored values of a layer, then the checkpoint."""
        if sweeps.done in self._key.layers:
            self._write_layer(sweeps)
        means = sweeps.means[: sweeps.done]
        facts = {"done": sweeps.done, "means": means, "digests": self._digests}
        self._store.write(_CHECKPOINT, facts, sweeps.held.data.cast("B"))
        self.done = sweeps.done

    def _write_layer(self, sweeps: Sweeps) -> None:
        number = self._key.layers.index(sweeps.done)
        path = self.folder / _LAYERS
        with _named_errors(path), path.open("r+b" if path.exists() else "w+b") as file:
            file.seek(HEADER_SIZE + number * 2 * len(sweeps.held))
            self._digests[number:] = [_write_values(file, sweeps.held)]
            file.truncate()
            file.flush()
            os.fsync(file.fileno())

    def finish(self, path: Path, means: list[float]) -> None:
        """Write the header and move the file to its place."""
        layers = self.folder / _LAYERS
        with _named_errors(path):
            with layers.open("r+b") as file:
                file.write(header_bytes(self._key, means, self._digests))
                file.flush()
                os.fsync(file.fileno())
            layers.replace(path)

    def remove(self) -> None:
        """Remove the files of the build, the configuration last."""
        self._store.finish()
        for name in (_LAYERS, _CONFIG):
            (self.folder / name).unlink(missing_ok=True)


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Name the file in errors of writing."""
    try:
        yield
    except OSError as error:
        raise FileError(str(error.strerror or error), argument=str(path)) from error


def _write_values(file: BinaryIO, values: Values) -> str:
    """Write stored values, and return their SHA-256."""
    digest = hashlib.sha256()
    for part in stored_values(values):
        file.write(part.tobytes())
        digest.update(part.data)
    return digest.hexdigest()


def _check_disk(needed: Requirements, folder: Path) -> None:
    """Refuse to start without enough disk; files of an interrupted build count as free."""
    free = shutil.disk_usage(folder).free + sum(f.stat().st_size for f in folder.iterdir())
    if free < needed.disk:
        raise FileError(
            f"{folder.parent}: {gigabytes(free)} free, the table takes {gigabytes(needed.disk)} "
            "while it is built"
        )


def check_memory(needed: Requirements) -> None:
    """Raise a FileError if less memory is available than needed, as far as the system says."""
    available = available_memory()
    if available is not None and available < needed.memory:
        raise FileError(
            f"{gigabytes(available)} of memory available, this takes {gigabytes(needed.memory)}"
        )
