"""The statistics of GMJBG's levels: what was published, what a million games gave, ours here."""

import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from mjopt._internal.folder import write_whole
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError
from mjopt.game.rules import NUM_SEATS
from mjopt.serve.background_jobs import Job
from mjopt.tournaments.battle import Battle
from mjopt.tournaments.playing import play_part
from mjopt.tournaments.presets import PRESETS, Preset
from mjopt.tournaments.summary import DRAWN_GAME, figures_by_entrant

TABLES: Final = ("gmjbg-table-1", "gmjbg-table-2")
READINGS: Final = {"": "the text at its word", "-nearest": "the nearest reading"}
COUNTED: Final[dict[str, Preset]] = {
    name + ending: PRESETS[name + ending] for name in TABLES for ending in READINGS
}

Shares = tuple[tuple[float, ...], tuple[float, ...], float]
"""Percent of games won by seat, of those won by own draw, and of games drawn."""

MILLION: Final[dict[str, Shares]] = {
    "gmjbg-table-1": ((8.0, 38.0, 8.8, 13.0), (1.9, 10.6, 2.2, 3.3), 32.2),
    "gmjbg-table-1-nearest": ((8.7, 25.6, 8.7, 18.4), (2.2, 7.0, 2.2, 4.9), 38.6),
    "gmjbg-table-2": ((9.5, 14.7, 9.5, 14.7), (2.4, 3.9, 2.4, 3.8), 51.6),
    "gmjbg-table-2-nearest": ((9.0, 18.9, 9.0, 18.9), (2.3, 5.0, 2.2, 5.1), 44.2),
}
"""A million games each, as docs/game.md has them: ``mjopt battle --preset NAME --seed 2017``."""

MORE: Final = 10_000  # games that are played at a click
PART: Final = 250  # games between two looks at whether to stop: some hundredths of a second
KEPT: Final = "statistics.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What came of games that were played here."""

    seed: int  # of their walls: the same seed and as many games give the same counts
    games: int = 0
    wins: tuple[int, ...] = (0,) * NUM_SEATS
    own_draws: tuple[int, ...] = (0,) * NUM_SEATS
    drawn: int = 0  # drawn games

    def __post_init__(self) -> None:
        """Refuse what no games can give."""
        numbers = (self.seed, self.games, *self.wins, *self.own_draws, self.drawn)
        if (
            not all(type(number) is int and number >= 0 for number in numbers)
            or not len(self.wins) == len(self.own_draws) == NUM_SEATS
            or any(own > won for own, won in zip(self.own_draws, self.wins, strict=True))
            or max(*self.wins, self.drawn) > self.games
        ):
            raise FileError("counts that no games give")

    def and_more(self, name: str, games: int) -> "Count":
        """Return the counts with the next games of a table, played here and now.

        Examples
        --------
        >>> count = Count(seed=1).and_more("gmjbg-table-2", 100)
        >>> count == Count(seed=1).and_more("gmjbg-table-2", 60).and_more("gmjbg-table-2", 40)
        True
        """
        plan = replace(COUNTED[name].plan, seed=self.seed, games=self.games + games)
        part = play_part((self.games, games), plan=plan)
        found = figures_by_entrant(Battle(plan, part.rows, plan.agents))
        won, own = (found[what].sum(axis=(0, 1)).tolist() for what in ("won", "own"))
        return Count(
            seed=self.seed,
            games=self.games + games,
            wins=tuple(a + b for a, b in zip(self.wins, won, strict=True)),
            own_draws=tuple(a + b for a, b in zip(self.own_draws, own, strict=True)),
            drawn=self.drawn + int(np.isin(part.rows["ending"], DRAWN_GAME).sum()),
        )


class Counts:
    """The counts of all tables, kept in a file or, without a folder, as long as the server runs."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / KEPT
        self._lock = threading.Lock()
        self.by_name: dict[str, Count] = {
            name: Count(seed=secrets.randbits(32)) for name in COUNTED
        }
        if self._path is not None and self._path.is_file():
            try:
                self.by_name |= _read(read_json_file(self._path))
            except (KeyError, TypeError, FileError) as error:
                raise FileError(f"{self._path}: {error}; remove it to begin anew") from None

    def play(self, name: str, job: Job) -> None:
        """Play so many more games of a table as a job has, and keep what came of them.

        What was played before a stop is kept too.
        """
        count = self.by_name[name]
        while job.done < job.total and not job.stop.is_set():
            games = min(PART, job.total - job.done)
            count = count.and_more(name, games)
            self.by_name[name] = count
            job.done += games
        if self._path is not None:
            kept = {name: asdict(one) for name, one in self.by_name.items() if one.games}
            write_whole(self._path, (json.dumps(kept, indent=1) + "\n").encode())


def _read(found: Any) -> Mapping[str, Count]:
    if not isinstance(found, dict) or not found.keys() <= COUNTED.keys():
        raise FileError("not the statistics that are kept here")
    made = {}
    for name, one in found.items():
        row: dict[str, Any] = dict(one)
        row |= {what: tuple(row[what]) for what in ("wins", "own_draws")}
        made[name] = Count(**row)
    return made
