"""Folder of a battle: finished units while it runs, one file of rows when it is complete.

An interrupted run resumes from the units in the folder, and a complete battle can be extended
by more games. Every file is written atomically.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from mjopt._internal.arrays import BROKEN
from mjopt._internal.files import (
    atomic_path,
    atomic_write,
    claim_folder,
    lock_folder,
    make_folder,
    sha256_of,
)
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.user_module import code_version
from mjopt.errors import FileError
from mjopt.play.game.agents.program import ProgramAgent
from mjopt.play.game.agents.registry import without_alias
from mjopt.play.game.play import Agent
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.tournaments.config import BattleConfig
from mjopt.play.tournaments.results import ENDINGS, Rows, empty_rows, row_type
from mjopt.play.tournaments.results import FAULTS as FAULT_REASONS
from mjopt.play.tournaments.runner import Unit

CONFIG: Final = "battle.json"
ROWS: Final = "games.npz"
FAULTS: Final = "faults.txt"
UNITS: Final = "units"
OLD_CONFIG: Final = "plan.json"
FLUSH_SECONDS: Final = 2.0
"""Minimum seconds between two unit files, which limits their number."""


class BattleFolder:
    """The games of a battle in a folder; see :func:`open_battle_folder`.

    Attributes
    ----------
    config
        The battle, with as many games as the folder holds if fewer were requested.
    done
        Number of games already played.
    """

    def __init__(self, folder: Path, config: BattleConfig, *, records: bool) -> None:
        self._folder, self._records = folder, records
        rules = config.rule_set
        complete = _read_complete(folder, config)
        segments = [complete] if complete.games and not records else []
        done = sum(unit.games for unit in segments)
        units = list(self._read_units(row_type(rules)))
        from_start = _contiguous(units, 0, records)
        if sum(unit.games for unit in from_start) > done:
            segments = from_start
        else:
            segments += _contiguous(units, done, records)
        self.done = sum(unit.games for unit in segments)
        self.config = replace(config, games=max(config.games, self.done, complete.games))
        # Records stay in the unit files.
        self._segments = [replace(unit, records=[]) for unit in segments]
        self._unwritten: list[Unit] = []
        self._last_write = time.monotonic()

    def append(self, unit: Unit) -> None:
        """Add the next games."""
        self._unwritten.append(unit)
        self.done += unit.games
        if time.monotonic() >= self._last_write + FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the games added since the last time as one file."""
        if not self._unwritten:
            return
        unit = merge(self._unwritten, self.config)
        make_folder(self._folder / UNITS)
        texts = json.dumps({"faults": unit.faults, "records": unit.records})
        target = self._folder / UNITS / f"{unit.first:010}.npz"
        with atomic_path(target) as path, path.open("wb") as file:
            np.savez(file, rows=unit.rows, texts=np.array(texts))
        self._segments.append(replace(unit, records=[]))
        self._unwritten, self._last_write = [], time.monotonic()

    def merged(self) -> Unit:
        """Return all games so far, without records."""
        return merge(self._segments, self.config)

    def copy_records(self, target: IO[bytes]) -> None:
        """Write all records to a file, in the order of the games."""
        self.flush()
        units = self._read_units(row_type(self.config.rule_set))
        for unit in _contiguous(list(units), 0, records=True):
            write_records(target, unit)

    def complete(self) -> None:
        """Merge all units into one file of rows, and remove them."""
        self.flush()
        unit = self.merged()
        with atomic_path(self._folder / ROWS) as path, path.open("wb") as file:
            np.savez(file, rows=unit.rows)  # with a checksum
        faults = "".join(f"{index}\t{text}\n" for index, text in unit.faults)
        if faults:
            atomic_write(self._folder / FAULTS, faults)
        else:
            (self._folder / FAULTS).unlink(missing_ok=True)
        shutil.rmtree(self._folder / UNITS, ignore_errors=True)

    def _read_units(self, row: np.dtype[Any]) -> Iterator[Unit]:
        """Yield the units in the folder in the order of their games."""
        for path in sorted((self._folder / UNITS).glob("*.npz")):
            try:
                with np.load(path, allow_pickle=False) as arrays:
                    rows, texts = arrays["rows"], json.loads(str(arrays["texts"]))
                if rows.dtype != row:
                    raise ValueError(f"rows of {rows.dtype}")
                faults = [(int(index), str(text)) for index, text in texts["faults"]]
                records = list(map(str, texts["records"]))
                first, num_games = int(rows["game"][0]), len(np.unique(rows["game"]))
            except (*BROKEN, OSError, IndexError) as error:
                reason = shorten(str(error))
                raise FileError(
                    f"{path}: no games of this battle ({reason}); remove it to play them again"
                ) from None
            yield Unit(first, num_games, rows, faults, records)


def _contiguous(units: Sequence[Unit], first: int, records: bool) -> list[Unit]:
    """Return the units that continue from a game without a gap."""
    chosen = []
    for unit in units:
        if unit.first == first and (not records or len(unit.records) == len(unit.rows)):
            chosen.append(unit)
            first += unit.games
    return chosen


def write_records(target: IO[bytes], unit: Unit) -> None:
    """Write the records of a unit to a file, one a line."""
    target.writelines(f"{line}\n".encode() for line in unit.records)


def merge(units: Sequence[Unit], config: BattleConfig) -> Unit:
    """Merge consecutive units of a battle into one."""
    rows = np.concatenate([empty_rows(0, config.rule_set), *(unit.rows for unit in units)])
    faults: list[tuple[int, str]] = []
    records: list[str] = []
    offset = 0
    for unit in units:
        faults += [(offset + index, text) for index, text in unit.faults]
        records += unit.records
        offset += len(unit.rows)
    first = units[0].first if units else 0
    return Unit(first, len(rows) // config.rounds, rows, faults, records)


def _read_complete(folder: Path, config: BattleConfig) -> Unit:
    """Return the games of a complete battle in a folder; empty without one."""
    path = folder / ROWS
    if not path.exists():
        return Unit(0, 0, empty_rows(0, config.rule_set))
    try:
        with np.load(path, allow_pickle=False) as arrays:
            rows = arrays["rows"]
        fits = _are_rows(rows, config)
    except (*BROKEN, OSError):
        fits = False
    if not fits:
        raise FileError(
            f"{path}: not the rows of this battle, game by game; remove it to play them again"
        )
    return Unit(0, len(rows) // config.rounds, rows, _read_faults(folder / FAULTS))


def _are_rows(rows: Rows, config: BattleConfig) -> bool:
    if rows.dtype != row_type(config.rule_set) or rows.ndim != 1 or len(rows) % config.rounds:
        return False
    number = np.arange(len(rows))
    return bool(
        (rows["game"] == number // config.rounds).all()
        and (rows["round"] == number % config.rounds).all()
        and (rows["ending"] < len(ENDINGS)).all()
        and (rows["fault"] < len(FAULT_REASONS)).all()
        and (rows["payer"] < NUM_SEATS).all()
    )


def _read_faults(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        pairs = (line.partition("\t") for line in text.splitlines())
        return [(int(index), fault) for index, _, fault in pairs]
    except ValueError:
        raise FileError(
            f"{path}: not the faults of this battle, expected a row and a text a line"
        ) from None


def describe_provenance(agents: Sequence[str], entrants: Sequence[Agent]) -> dict[str, str]:
    """Return the version of the code and data behind each agent, by the text of the agent."""
    versions: dict[str, str] = {}
    for number, (text, entrant) in enumerate(zip(agents, entrants, strict=True), 1):
        agent = without_alias(entrant)
        parts = [code_version(type(agent))]
        if isinstance(agent, ProgramAgent):
            files = [Path(word) for word in agent.command if Path(word).is_file()]
            parts += [f"{file} {sha256_of(file)}" for file in files]
        if digest := getattr(agent, "weights_digest", ""):
            parts.append(f"weights {digest}")
        version = ", ".join(parts)
        if versions.setdefault(text, version) != version:  # objects with equal texts
            versions[f"{text} (agent {number})"] = version
    return versions


@contextmanager
def open_battle_folder(
    folder: Path,
    config: BattleConfig,
    *,
    provenance: Mapping[str, str],
    records: bool = False,
    log: Callable[[str], None] = lambda _: None,
) -> Iterator[BattleFolder]:
    """Open the folder of a battle for a single writer; create it if needed.

    Parameters
    ----------
    folder
        The folder.
    config
        The battle. A folder with the same battle and another number of games is continued.
    provenance
        The version of every agent, from :func:`describe_provenance`. If one has changed, the
        games in the folder are removed, and `log` gets a line about it.
    records
        Whether every game needs its record. Games without one are then played again.
    log
        Called with messages for the user.

    Raises
    ------
    FileError
        If the folder cannot be made, holds something else, or is in use by another process.
    """
    make_folder(folder, parents=False)
    with lock_folder(folder):
        claim_folder(folder, (CONFIG, OLD_CONFIG, ROWS, UNITS), "battle")
        _check_config(folder, config.settings(), provenance, log)
        battle = BattleFolder(folder, config, records=records)
        try:
            yield battle
        finally:
            battle.flush()


def _check_config(
    folder: Path,
    settings: dict[str, Any],
    provenance: Mapping[str, str],
    log: Callable[[str], None],
) -> None:
    """Compare the folder with a battle and its agents; remove games of other code."""
    if (folder / OLD_CONFIG).exists():
        raise FileError(
            f"{folder}: a battle in the layout of an earlier version ({OLD_CONFIG}), expected an "
            "empty folder"
        )
    path = folder / CONFIG
    if path.exists():
        document = read_json_file(path)
        known = isinstance(document, dict) and document.keys() == {"settings", "provenance"}
        if not known or not all(isinstance(part, dict) for part in document.values()):
            raise FileError(f"{path}: not the configuration of a battle")
        differences = [key for key in settings if document["settings"].get(key) != settings[key]]
        if differences:
            raise FileError(
                f"{folder}: holds another battle ({', '.join(differences)} differ), expected an "
                "empty folder"
            )
        changed = [
            name for name, one in provenance.items() if document["provenance"].get(name) != one
        ]
        if changed:
            log(f"{folder}: {', '.join(changed)} changed: the games are played again")
            shutil.rmtree(folder / UNITS, ignore_errors=True)
            for name in (ROWS, FAULTS):
                (folder / name).unlink(missing_ok=True)
    text = json.dumps({"settings": settings, "provenance": dict(provenance)}, indent=2)
    atomic_write(path, text + "\n")
