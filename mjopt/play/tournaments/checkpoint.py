"""Folder of a battle: finished units while it runs, one file of rows when it is complete.

An interrupted run resumes from the units in the folder, and a complete battle can be extended
by more games. Every file is written atomically.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import BROKEN
from mjopt._internal.files import atomic_path, atomic_write, lock_folder, make_folder, sha256_of
from mjopt._internal.progress import ignore
from mjopt._internal.unit_store import UnitStore, check_same_run, claim_run
from mjopt._internal.user_module import code_version
from mjopt.errors import FileError
from mjopt.play.game.agents.program import ProgramAgent
from mjopt.play.game.agents.registry import without_alias
from mjopt.play.game.play import Agent
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.tournaments.config import BattleConfig
from mjopt.play.tournaments.results import ENDINGS, Rows, empty_rows, row_type
from mjopt.play.tournaments.results import FAULTS as FAULT_REASONS
from mjopt.play.tournaments.runner import PlayedGames

CONFIG: Final = "battle.json"
ROWS: Final = "games.npz"
FAULTS: Final = "faults.txt"
UNITS: Final = "units"
FLUSH_SECONDS: Final = 2.0
"""Minimum seconds between two stored units, which limits their number."""


class BattleFolder:
    """The games of a battle in its folder; see :func:`open_battle_folder`."""

    def __init__(
        self, folder: Path, config: BattleConfig, store: UnitStore, *, records: bool
    ) -> None:
        self._folder, self._store, self._records = folder, store, records
        self._row_type = row_type(config.rule_set)
        complete = _read_complete(folder, config)
        segments = [complete] if complete.games and not records else []
        from_start = list(self._stored(0))
        if sum(part.games for part in from_start) > sum(part.games for part in segments):
            segments = from_start
        elif segments:
            segments += self._stored(complete.games)
        self.done = sum(part.games for part in segments)  # number of games already played
        # The battle, with as many games as the folder holds if fewer were requested.
        self.config = replace(config, games=max(config.games, self.done, complete.games))
        # Records stay in the store.
        self._segments = [replace(part, records=[]) for part in segments]
        self._unwritten: list[PlayedGames] = []
        self._last_write = time.monotonic()

    def append(self, games: PlayedGames) -> None:
        """Add the next games."""
        self._unwritten.append(games)
        self.done += games.games
        if time.monotonic() >= self._last_write + FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Store the games added since the last time as one unit."""
        if not self._unwritten:
            return
        part = merge(self._unwritten, self.config)
        facts = {"games": part.games, "faults": part.faults, "records": part.records}
        self._store.write(_key(part.first), facts, part.rows.tobytes())
        self._segments.append(replace(part, records=[]))
        self._unwritten, self._last_write = [], time.monotonic()

    def merged(self) -> PlayedGames:
        """Return all games so far, without records."""
        return merge(self._segments, self.config)

    def copy_records(self, target: IO[bytes]) -> None:
        """Write all records to a file, in the order of the games."""
        self.flush()
        for part in self._stored(0):
            write_records(target, part)

    def complete(self) -> None:
        """Merge all games into one file of rows, and remove the units."""
        self.flush()
        games = self.merged()
        with atomic_path(self._folder / ROWS) as path, path.open("wb") as file:
            # With a checksum, and the battle: another battle's rows may have the same numbers.
            np.savez(file, rows=games.rows, battle=_digest(self.config))
        faults = "".join(f"{index}\t{text}\n" for index, text in games.faults)
        if faults:
            atomic_write(self._folder / FAULTS, faults)
        else:
            (self._folder / FAULTS).unlink(missing_ok=True)
        self._store.finish()

    def _stored(self, first: int) -> Iterator[PlayedGames]:
        """Yield the stored games from a number on, until some or their records are missing."""
        while unit := self._store.get(_key(first)):
            rows = np.frombuffer(unit.content, self._row_type)
            faults = [(index, text) for index, text in unit.facts["faults"]]
            records = unit.facts["records"]
            if self._records and len(records) != len(rows):
                return
            yield PlayedGames(first, unit.facts["games"], rows, faults, records)
            first += unit.facts["games"]


def _key(first: int) -> str:
    return f"{first:010}"


def write_records(target: IO[bytes], unit: PlayedGames) -> None:
    """Write the records of a unit to a file, one a line."""
    target.writelines(f"{line}\n".encode() for line in unit.records)


def merge(units: Sequence[PlayedGames], config: BattleConfig) -> PlayedGames:
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
    return PlayedGames(first, len(rows) // config.rounds, rows, faults, records)


def _read_complete(folder: Path, config: BattleConfig) -> PlayedGames:
    """Return the games of a complete battle in a folder; empty without one."""
    path = folder / ROWS
    if not path.exists():
        return PlayedGames(0, 0, empty_rows(0, config.rule_set))
    try:
        with np.load(path, allow_pickle=False) as arrays:
            rows, battle = arrays["rows"], arrays["battle"]
        fits = _are_rows(rows, config) and np.array_equal(battle, _digest(config))
    except (*BROKEN, OSError):
        fits = False
    if not fits:
        raise FileError(
            "not the rows of this battle, game by game",
            argument=str(path),
            hint="remove it to play them again",
        )
    return PlayedGames(0, len(rows) // config.rounds, rows, _read_faults(folder / FAULTS))


def _digest(config: BattleConfig) -> NDArray[np.uint8]:
    """Return a digest of everything that the rows of a battle depend on."""
    text = json.dumps(config.settings(), sort_keys=True)
    return np.frombuffer(bytes.fromhex(sha256_of(text.encode())), np.uint8)


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
            "not the faults of this battle", argument=str(path), expected="a row and a text a line"
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
    log: Callable[[str], None] = ignore,
) -> Iterator[BattleFolder]:
    """Open the folder of a battle for a single writer; create it if needed.

    A folder with the same battle and another number of games is continued. ``provenance`` is the
    version of every agent, from :func:`describe_provenance`: if one has changed, the games in the
    folder are removed, and ``log``, which gets messages for the user, gets a line about it. If
    every game needs its record (``records``), games without one are played again. FileError if the
    folder cannot be made, holds something else, or is in use by another process.
    """
    make_folder(folder, parents=False)
    settings = config.settings()
    run = {"settings": settings, "provenance": dict(provenance)}

    def accept(stored: Mapping[str, object]) -> None:
        before, versions = stored.get("settings"), stored.get("provenance")
        if not isinstance(before, dict) or not isinstance(versions, dict):
            raise FileError(f"{folder / CONFIG}: not the configuration of a battle")
        check_same_run(folder, before, settings, what="battle")
        changed = [name for name, version in provenance.items() if versions.get(name) != version]
        if changed:
            log(f"{folder}: {', '.join(changed)} changed: the games are played again")
            for name in (ROWS, FAULTS):
                (folder / name).unlink(missing_ok=True)

    with lock_folder(folder):
        claim_run(folder, CONFIG, run, what="battle", accept=accept)
        store = UnitStore(folder / UNITS, [run, row_type(config.rule_set).descr])
        battle = BattleFolder(folder, config, store, records=records)
        try:
            yield battle
        finally:
            battle.flush()
