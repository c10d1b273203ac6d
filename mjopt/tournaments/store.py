"""A battle's folder: parts so far, so that a battle that was stopped goes on from there."""

import json
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from mjopt._internal.arrays import map_array
from mjopt._internal.folder import (
    hold_folder,
    make_folder,
    replace_whole,
    write_whole,
)
from mjopt._internal.journal import Journal
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.sums import SUMS, Sums
from mjopt.errors import FileError
from mjopt.game.rules import NUM_SEATS
from mjopt.studies.provenance import read_record, write_record
from mjopt.tournaments.makers import completed, what_changed
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.playing import Part
from mjopt.tournaments.rows import ENDINGS, ROW, Rows, empty_rows, row_type
from mjopt.tournaments.rows import FAULTS as KINDS_OF_FAULT

ROWS: Final = "games.npy"
PLAN: Final = "plan.json"
FAULTS: Final = "faults.txt"
JOURNAL: Final = ".games.journal"
HEAD: Final = struct.Struct("<II")  # rows and faults of a part, before them and the records


class Store:
    """The folder of one battle.

    While the battle is fought, a journal grows by whole parts: rows, faults and records.

    Parameters
    ----------
    folder
        Where; see :func:`open_store`.
    plan
        The battle; one of the same with fewer games is gone on with.
    journal
        What is done so far.
    records
        Whether records are kept. Games without one are then played again.
    makers
        Who plays, as the folder's record says it.

    Attributes
    ----------
    plan
        The battle, with as many games as the folder holds where fewer were asked for: no
        game that was played is lost.
    done
        Games that need not be played again.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        journal: Journal,
        *,
        records: bool,
        makers: Mapping[str, Any],
    ) -> None:
        self.folder, self._journal, self.makers = folder, journal, makers
        self._row = row_type(plan.rule_set)
        finished = _finished_rows(folder, plan)
        kept = sum(HEAD.unpack_from(record)[0] for record in journal)
        most = max(len(finished), kept) // plan.rounds
        self.plan = replace(plan, games=max(plan.games, most))
        if len(finished) > kept and not (kept and records):
            part = self._finished(finished)  # more games than last time, or the same
            _check_sums(folder)
            self._journal.keep(0)
            self.append(part)
        self.done = 0
        for number, part in enumerate(self._parts()):
            if records and len(part.lines) < len(part.rows):
                self._journal.keep(number)
                break
            self.done += part.count

    def _finished(self, rows: Rows) -> Part:
        """Return the games of a battle that was fought to its end."""
        part, path = Part(0, len(rows) // self.plan.rounds, rows), self.folder / FAULTS
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            for line in text.splitlines():
                row, _, told = line.partition("\t")
                if int(row) < len(rows):
                    part.faults.append((int(row), told))
        except ValueError:
            raise FileError(
                f"{path}: not the faults of this battle, expected a row and a text a line"
            ) from None
        return part

    def append(self, part: Part) -> None:
        """Add the next games; they survive the process."""
        texts = [f"{place}\t{text}" for place, text in part.faults] + part.lines
        head = HEAD.pack(len(part.rows), len(part.faults))
        self._journal.append(head + part.rows.tobytes() + "\n".join(texts).encode())
        self.done = part.first + part.count

    def _parts(self) -> Iterator[Part]:
        """Yield what was appended; of a battle of more games the first ones."""
        first = 0
        for record in self._journal:
            num_rows, num_faults = HEAD.unpack_from(record)
            end = HEAD.size + num_rows * self._row.itemsize
            texts = record[end:].decode().split("\n") if end < len(record) else []
            wanted = min(num_rows, (self.plan.games - first) * self.plan.rounds)
            rows = np.frombuffer(record, self._row, num_rows, HEAD.size)[:wanted]
            told = (line.partition("\t") for line in texts[:num_faults])
            faults = [(int(place), text) for place, _, text in told if int(place) < wanted]
            lines = texts[num_faults : num_faults + wanted]
            yield Part(first, wanted // self.plan.rounds, rows, lines, faults)
            first += wanted // self.plan.rounds

    def rows(self) -> Rows:
        """Return all rows so far."""
        return np.concatenate(
            [empty_rows(0, self.plan.rule_set), *(part.rows for part in self._parts())]
        )

    def faults(self) -> list[str]:
        """Return how games were broken, one line each."""
        return [text for part in self._parts() for _, text in part.faults]

    def copy_records(self, target: IO[bytes]) -> None:
        """Write all records so far to a file."""
        for part in self._parts():
            target.writelines(f"{line}\n".encode() for line in part.lines)

    def finish(self) -> None:
        """Put the rows where they stay, and remove what was only for going on."""
        with replace_whole(self.folder / ROWS) as file:
            np.save(file, self.rows())
        faults = "".join(
            f"{part.first * self.plan.rounds + place}\t{text}\n"
            for part in self._parts()
            for place, text in part.faults
        )
        if faults:
            write_whole(self.folder / FAULTS, faults.encode())
        else:
            (self.folder / FAULTS).unlink(missing_ok=True)
        paths = [path for path in map(self.folder.joinpath, (FAULTS, ROWS)) if path.exists()]
        (self.folder / SUMS).unlink(missing_ok=True)  # of games that are played again
        Sums(self.folder).note(paths)
        self._journal.discard()  # until here it is what a run goes on from


def _check_plan(folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Write what a folder is about, or refuse one that is about another battle.

    What release began it is no difference: the code that played is looked at by itself.
    """
    path = folder / PLAN
    if not path.exists():
        write_whole(path, (json.dumps(settings, indent=2) + "\n").encode())
        return settings
    found = read_json_file(path)
    if not isinstance(found, dict):
        raise FileError(f"{path}: not the plan of a battle, expected an object")
    settings = {**settings, "version": found.get("version")}
    if found != settings:
        differs = [key for key in settings if found.get(key) != settings[key]]
        raise FileError(
            f"{folder}: holds another battle ({', '.join(differs)} differ), "
            f"expected an empty folder"
        )
    return settings


def _sort_out(
    folder: Path, makers: Mapping[str, Any], say: Callable[[str], None]
) -> Mapping[str, Any]:
    """Remove games that others played than would play them now; note who plays, and return it."""
    there = [path for name in (ROWS, FAULTS, SUMS, JOURNAL) if (path := folder / name).exists()]
    before = read_record(folder)
    if there and before is None:
        say(f"{folder}: what code played its games was not noted: they are kept")
    elif there and (changed := what_changed(before or {}, makers)):
        say(f"{folder}: {changed}: its games are played again")
        for path in there:  # before the record: a run that is killed now finds it once more
            path.unlink()
    elif there and before is not None:
        makers = completed(before, makers)
    write_record(folder, makers)
    return makers


def _finished_rows(folder: Path, plan: Plan) -> Rows:
    """Return the rows of a battle that was fought to its end, none if none was.

    Raises
    ------
    FileError
        If the file holds something else.
    """
    path = folder / ROWS
    if not path.exists():
        return empty_rows(0, plan.rule_set)
    rows = map_array(path)
    is_whole = (
        rows.dtype == row_type(plan.rule_set) and rows.ndim == 1 and len(rows) % plan.rounds == 0
    )
    number = np.arange(len(rows) if is_whole else 0)
    if not (
        is_whole
        and (rows["game"] == number // plan.rounds).all()
        and (rows["round"] == number % plan.rounds).all()
        and (rows["ending"] < len(ENDINGS)).all()
        and (rows["fault"] < len(KINDS_OF_FAULT)).all()
        and (rows["payer"] < NUM_SEATS).all()
    ):
        raise FileError(
            f"{path}: not the rows of this battle, game by game; remove it to begin anew"
        )
    return np.array(rows)  # the file will be replaced


def _check_sums(folder: Path) -> None:
    """Refuse files of a finished battle that are not what was written."""
    sums = Sums(folder)
    for path in (folder / FAULTS, folder / ROWS):
        if sums.are_there and sums.differs(path):  # a battle of before has none
            raise FileError(
                f"{path}: not the bytes that were written (SHA-256 differs); remove {ROWS} "
                "to begin anew"
            )


@contextmanager
def open_store(
    folder: Path,
    plan: Plan,
    *,
    records: bool = False,
    makers: Mapping[str, Any] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Store]:
    """Open a folder for one writer, made if need be, and close it whatever happens.

    ``makers`` is who would play: games that others played go, and ``say`` is told.

    Raises
    ------
    FileError
        If there cannot be such a folder, it holds another battle, or another process
        writes to it now.
    """
    make_folder(folder, parents=False)
    with hold_folder(folder):
        settings = _check_plan(folder, plan.settings())
        noted = _sort_out(folder, makers, say) if makers is not None else {}
        row = row_type(plan.rule_set)
        columns = {} if row == ROW else {"columns": list(row.names or ())}
        with Journal(folder / JOURNAL, settings | columns) as journal:
            yield Store(folder, plan, journal, records=records, makers=noted)
