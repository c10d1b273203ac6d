"""A battle's folder: rows so far, so that a battle that was stopped goes on from there."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import numpy as np

from mjopt.errors import FileError
from mjopt.experiments.battles.plan import Plan
from mjopt.experiments.battles.playing import Part
from mjopt.experiments.battles.rows import ROW, Rows
from mjopt.runtime.folder import replace_whole, write_whole
from mjopt.runtime.folder_lock import hold_folder

ROWS: Final = "games.npy"
PLAN: Final = "plan.json"
FAULTS: Final = "faults.txt"


class Store:
    """The folder of one battle.

    While the battle is fought, ``.games.part`` grows by whole games, and beside it the
    records and the faults. A process may be killed at any byte: what is not a whole game
    in all three is cut off when the next one opens the folder.

    Parameters
    ----------
    folder
        Where; see :func:`open_store`.
    plan
        The battle. A folder of another one is refused; one of the same with fewer games
        is gone on with.
    records
        Whether records are kept. Games without one are then played again.

    Raises
    ------
    FileError
        If the folder holds another battle.
    """

    def __init__(self, folder: Path, plan: Plan, *, records: bool = False) -> None:
        self.folder, self.plan = folder, plan
        self._check_plan()
        self._paths = {
            "rows": folder / ".games.part",
            "faults": folder / ".faults.part",
            "records": folder / ".records.part",
        }
        self._records = records
        self._open_parts()

    def _check_plan(self) -> None:
        path = self.folder / PLAN
        settings = self.plan.settings()
        if path.exists():
            try:
                found = json.loads(path.read_text())
            except ValueError:
                raise FileError(f"{path}: not a plan") from None
            if found != settings:
                differs = [key for key in settings if found.get(key) != settings[key]]
                raise FileError(
                    f"{self.folder}: holds another battle ({', '.join(differs)} differ), "
                    f"expected an empty folder"
                )
            return
        write_whole(path, (json.dumps(settings, indent=2) + "\n").encode())

    def _open_parts(self) -> None:
        """Bring what was kept to the last game that is whole everywhere."""
        rows, records = self._paths["rows"], self._paths["records"]
        finished = self.folder / ROWS
        if not rows.exists() and finished.exists():  # more games than last time, or the same
            kept = np.load(finished)
            write_whole(rows, kept.tobytes())
            if (self.folder / FAULTS).exists():
                write_whole(self._paths["faults"], (self.folder / FAULTS).read_bytes())
        for path in self._paths.values():
            path.touch()
        whole = rows.stat().st_size // (ROW.itemsize * self.plan.rounds)
        if self._records:
            whole = min(whole, _num_lines(records) // self.plan.rounds)
        whole = min(whole, self.plan.games)
        os.truncate(rows, whole * self.plan.rounds * ROW.itemsize)
        _keep_lines(records, whole * self.plan.rounds if self._records else 0)
        faults = [
            line
            for line in self._paths["faults"].read_text().splitlines(keepends=True)
            if line.endswith("\n") and int(line.split("\t")[0]) < whole * self.plan.rounds
        ]
        self._paths["faults"].write_text("".join(faults))
        self.done = whole
        self._files: dict[str, IO[bytes]] = {
            name: path.open("ab") for name, path in self._paths.items()
        }

    def append(self, part: Part) -> None:
        """Add the next games; they survive the process."""
        start = part.first * self.plan.rounds
        faults = (f"{start + place}\t{text}\n" for place, text in part.faults)
        # Rows last: they say how much of the others counts.
        for name, content in (
            ("faults", "".join(faults).encode()),
            ("records", "".join(f"{line}\n" for line in part.lines).encode()),
            ("rows", part.rows.tobytes()),
        ):
            self._files[name].write(content)
            self._files[name].flush()
        self.done = part.first + part.count

    def rows(self) -> Rows:
        """Return all rows so far."""
        found: Rows = np.fromfile(self._paths["rows"], ROW)
        return found

    def faults(self) -> list[str]:
        """Return how games were broken, one line each."""
        lines = self._paths["faults"].read_text().splitlines()
        return [line.partition("\t")[2] for line in lines]

    def copy_records(self, target: IO[bytes]) -> None:
        """Write all records so far to a file."""
        with self._paths["records"].open("rb") as source:
            while content := source.read(1 << 20):
                target.write(content)

    def finish(self) -> None:
        """Put the rows where they stay, and remove what was only for going on."""
        with replace_whole(self.folder / ROWS) as file:
            np.save(file, self.rows())
        if self._paths["faults"].stat().st_size:
            write_whole(self.folder / FAULTS, self._paths["faults"].read_bytes())
        self.close()
        for path in self._paths.values():
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop writing; what is done stays for the next time."""
        for file in self._files.values():
            file.close()


def _num_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(content.count(b"\n") for content in _blocks(file))


def _keep_lines(path: Path, number: int) -> None:
    """Cut a file off after some lines."""
    with path.open("rb+") as file:
        for _ in range(number):
            file.readline()
        file.truncate(file.tell())


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    while content := file.read(1 << 20):
        yield content


def make_folder(folder: Path) -> None:
    """Make a folder if it is not there yet; refuse a file, and a folder within none."""
    if folder.is_file():
        raise FileError(f"{folder}: is a file, expected a folder")
    if not folder.parent.is_dir():
        raise FileError(f"{folder}: the folder {folder.parent} does not exist")
    folder.mkdir(exist_ok=True)


@contextmanager
def open_store(folder: Path, plan: Plan, *, records: bool = False) -> Iterator[Store]:
    """Open a folder for one writer, made if need be, and close it whatever happens.

    Raises
    ------
    FileError
        If there cannot be such a folder, or it holds another battle.
    StudyError
        If another process writes to it now.
    """
    make_folder(folder)
    with hold_folder(folder):
        store = Store(folder, plan, records=records)
        try:
            yield store
        finally:
            store.close()
