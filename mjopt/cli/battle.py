"""`mjopt battle`: many games between four agents, and their statistics."""

from dataclasses import replace
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from mjopt.cli.options import BattleFolder, DecisionLimit, Json, Work
from mjopt.cli.output import print_json, print_tables, warn
from mjopt.cli.progress import Bar, waiting
from mjopt.errors import ArgumentError
from mjopt.play.game.agents.registry import check_agents
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.tournaments.api import GAMES, battle
from mjopt.play.tournaments.config import PRESETS, BattleConfig, Preset
from mjopt.play.tournaments.report import battle_report, has_report_packages, write_report
from mjopt.play.tournaments.statistics import BattleSummary, summarise

SHOWN_FAULTS = 5


def command(
    agents: Annotated[
        list[str],
        Argument(
            help="Four agents: l1, l2, l3, deficiency, ... (see mjopt agents), process:COMMAND, "
            "FILE.py:CLASS; options after a colon, as in deficiency:method=ndde,population=20; "
            "NAME= in front gives an alias. Or one published battle, which names its agents: "
            f"{', '.join(PRESETS)}.",
            metavar="AGENT...",
        ),
    ],
    *,
    games: Annotated[
        int | None,
        Option("--games", "-n", help="Walls, each played in all rounds. [default: 1000]"),
    ] = None,
    rules: Annotated[
        str | None,
        Option(help="m0, gmjbg or jj, with changes: jj,ready=0; or riichi. [default: gmjbg]"),
    ] = None,
    seed: Annotated[
        int | None, Option(help="Seed of the walls and the agents. [default: 0]")
    ] = None,
    rounds: Annotated[
        int | None,
        Option(help="4: seats rotated over each wall; 2: exchanged; 1: fixed. [default: 4]"),
    ] = None,
    time_limit: DecisionLimit = None,
    margin: Annotated[
        float | None,
        Option(
            help="Also test whether agents differ by less than this many points a game.",
            metavar="POINTS",
        ),
    ] = None,
    work: Work,
    output: BattleFolder = None,
    records: Annotated[
        str | None, Option(help="Write the record of every game, one a line.", metavar="FILE")
    ] = None,
    perfect_information: Annotated[
        bool,
        Option("--perfect-information", help="Allow agents that see all tiles: mcts:FILE."),
    ] = False,
    json: Json = False,
) -> int:
    """Let four agents play the same walls with rotated seats.

    Rotation reduces luck: every agent plays every seat. With `-o DIR` the same command resumes
    after an interruption, and more games can be added later. The rows are the same for any number
    of processes. A published battle is played again, with its figures beside the new ones. Exit
    status 1 if every game ended with a fault of an agent.

    Example: `mjopt battle l1 l3 l1 l2 --games 1000 --seed 1`
    """
    if margin is not None and not 0 < margin < inf:
        raise ArgumentError(argument="--margin", value=f"{margin:g}", expected="above 0")
    options = {
        "games": games,
        "rules": rules,
        "seed": seed,
        "rounds": rounds,
        "time_limit": time_limit,
    }
    changes = {name: value for name, value in options.items() if value is not None}
    config, published = _configure(tuple(agents), changes)
    workers = work.workers
    folder = None if output is None else Path(output)
    # Check the agents before any output.
    check_agents(
        config.agents,
        rules=config.rule_set,
        here=work.scheduler is None,
        perfect_information=perfect_information,
    )
    warn(f"seed {config.seed}")
    resumes = folder is not None
    with Bar("games", config.num_played, unit="games", resumes=resumes) as bar:
        result = battle(
            **config.settings(),
            games=config.games,
            **workers,
            folder=folder,
            records=records,
            perfect_information=perfect_information,
            advance=bar.advance,
            log=bar.say,
        )
    if (held := result.config.games) > config.games:
        warn(f"{folder}: holds {held} games, more than {config.games}: all are reported")
    with waiting("writing the report"):
        report = battle_report(result, published, margin=margin)
        if folder is not None:
            write_report(report, folder)
    if find_spec("scipy") is None:
        warn("no p-values: pip install 'mjopt[experiments]'")
    if folder is not None and not has_report_packages():
        warn("no report.html: pip install 'mjopt[experiments]'")
    if result.faults:
        warn(f"{len(result.faults)} games ended with a fault, such as")
        for fault in result.faults[:SHOWN_FAULTS]:
            warn(f"  {fault}")
    if json:
        print_json(report.document)
    else:
        print_tables(report.tables)
    return _report_faults(summarise(result))


def _report_faults(summary: BattleSummary) -> int:
    """Print how many games each agent broke, if any; return 1 if these are all games, else 0."""
    if summary.faulty:
        broken = [
            f"{side.name} broke {side.faults:,} of {summary.played:,} games"
            for side in summary.sides
            if side.faults
        ]
        warn("; ".join(broken))
    return int(summary.faulty == summary.played)


def _configure(
    agents: tuple[str, ...], changes: dict[str, Any]
) -> tuple[BattleConfig, Preset | None]:
    """Return the configuration, and the published battle that it comes from."""
    if len(agents) == 1 and agents[0] in PRESETS:
        preset = PRESETS[agents[0]]
        for option in ("rules", "rounds"):
            if option in changes:
                raise ArgumentError(f"{preset.name} has its own {option}")
        return replace(preset.config, **changes), preset
    if len(agents) != NUM_SEATS:
        raise ArgumentError(
            f"{len(agents)} agents", expected=f"four, or one of the battles {', '.join(PRESETS)}"
        )
    return BattleConfig(agents=agents, **{"games": GAMES, **changes}), None
