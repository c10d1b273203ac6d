"""What `mjopt battle` does: plan, fight, report, print."""

import os
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mjopt.cli.game_show import GameProgress, print_tables
from mjopt.cli.show import print_json
from mjopt.errors import GameError
from mjopt.experiments.battles.battle import fight
from mjopt.experiments.battles.plan import Plan
from mjopt.experiments.battles.presets import Preset, get_preset
from mjopt.experiments.battles.report import battle_report, write_battle_report
from mjopt.game.agents.registry import read_agent
from mjopt.game.rules import NUM_SEATS

GAMES = 1_000
SHOWN_FAULTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleRun:
    """One battle as asked for on the command line; None is what was not said."""

    agents: tuple[str, ...]
    games: int | None
    rules: str | None
    seed: int | None
    rounds: int | None
    plain: bool
    dealer: str | None
    time_limit: float | None
    preset: str | None
    jobs: int | None
    output: str | None
    records: str | None
    engine: str
    as_json: bool
    quiet: bool

    def plan(self) -> tuple[Plan, Preset | None]:
        """Return the plan, and the preset it was made from."""
        if self.plain and self.rounds not in (None, 1):
            raise GameError(f"--plain is one round, --rounds says {self.rounds}")
        if self.engine not in ("auto", "python"):
            raise GameError(f"--engine {self.engine}, expected auto or python")
        said = {
            "games": self.games,
            "rules": self.rules,
            "seed": self.seed,
            "rounds": 1 if self.plain else self.rounds,
            "dealer": self.dealer,
            "time_limit": self.time_limit,
        }
        given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        if self.preset is not None:
            if self.agents:
                raise GameError("--preset names its agents: give no others")
            preset = get_preset(self.preset)
            for name in ("rules", "rounds"):
                if name in given:
                    raise GameError(f"--preset {preset.name} has its own {name}")
            return replace(preset.plan, **given), preset
        if len(self.agents) != NUM_SEATS:
            raise GameError(f"{len(self.agents)} agents, expected four, or --preset NAME")
        return Plan(agents=self.agents, **{"games": GAMES, **given}), None


def num_jobs(jobs: int | None) -> int:
    """Return the number of processes asked for, by default one a core."""
    if jobs is not None and jobs < 1:
        raise GameError(f"--jobs {jobs}, expected at least 1")
    return (os.cpu_count() or 1) if jobs is None else jobs


def run_battle(run: BattleRun) -> None:
    """Fight, report, print."""
    plan, preset = run.plan()
    jobs = num_jobs(run.jobs)
    folder = None if run.output is None else Path(run.output)
    for text in plan.agents:
        read_agent(text)  # refused before anything is said
    print(f"mjopt: seed {plan.seed}", file=sys.stderr)
    with GameProgress(plan.num_played, quiet=run.quiet, resumes=folder is not None) as advance:
        battle = fight(
            plan,
            jobs=jobs,
            folder=folder,
            records=None if run.records is None else Path(run.records),
            engine=run.engine,
            advance=advance,
        )
    report = battle_report(battle, preset)
    if folder is not None:
        write_battle_report(report, folder)
    for package, what in (("matplotlib", "figures"), ("scipy", "p-values")):
        if find_spec(package) is None and (what == "p-values" or folder is not None):
            print(f"mjopt: no {what}: pip install 'mjopt[experiments]'", file=sys.stderr)
    if battle.faults:
        print(f"mjopt: {len(battle.faults)} games were broken, such as", file=sys.stderr)
        for fault in battle.faults[:SHOWN_FAULTS]:
            print(f"mjopt:   {fault}", file=sys.stderr)
    if run.as_json:
        print_json(report.document)
    else:
        print_tables(report.tables)
