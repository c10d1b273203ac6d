"""`mjopt battle`: many games between four agents, and what they show."""

from dataclasses import replace
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from mjopt._internal.optional_deps import imported_meanwhile
from mjopt.cli.options import BattleFolder, DecisionLimit, Json, Wide, Work
from mjopt.cli.output import print_json, print_tables, warn
from mjopt.cli.progress import Bar, waiting
from mjopt.errors import GameError
from mjopt.game.agents.registry import check_agents
from mjopt.game.rules import NUM_SEATS
from mjopt.tournaments.battle import GAMES, fight
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.presets import Preset, get_preset
from mjopt.tournaments.report import battle_report, write_battle_report

SHOWN_FAULTS = 5


def command(
    agents: Annotated[
        list[str] | None,
        Argument(
            help="Four agents: l1, l2, l3, deficiency, ... (see mjopt agents), process:COMMAND, "
            "FILE.py:CLASS; options behind a colon, as in deficiency:method=ndde,population=20; "
            "NAME= before it is what it is called.",
            metavar="AGENT...",
        ),
    ] = None,
    *,
    games: Annotated[
        int | None,
        Option("--games", "-n", help="Walls, each played in all rounds. [default: 1000]"),
    ] = None,
    rules: Annotated[
        str | None, Option(help="m0, gmjbg or jj, and what differs: jj,ready=0. [default: gmjbg]")
    ] = None,
    seed: Annotated[int | None, Option(help="Of the walls and the agents. [default: 0]")] = None,
    rounds: Annotated[
        int | None, Option(help="4: seats rotated over each wall; 2: exchanged; 1. [default: 4]")
    ] = None,
    plain: Annotated[bool, Option("--plain", help="One round: everyone keeps the seat.")] = False,
    dealer: Annotated[
        str | None, Option(help="Who begins: turns or first. [default: turns]")
    ] = None,
    time_limit: DecisionLimit = None,
    preset: Annotated[
        str | None,
        Option(
            help="A published battle: gmjbg-table-1, gmjbg-table-2 (or these with -nearest), "
            "section-4.3."
        ),
    ] = None,
    margin: Annotated[
        float | None,
        Option(
            help="Test also whether two agents are less than so many points a game apart.",
            metavar="POINTS",
        ),
    ] = None,
    work: Work,
    output: BattleFolder = None,
    records: Annotated[
        str | None, Option(help="Write every game's record, one a line.", metavar="FILE")
    ] = None,
    perfect_information: Annotated[
        bool,
        Option("--perfect-information", help="Let agents play that see all tiles: mcts:FILE."),
    ] = False,
    wide: Wide = False,
    json: Json = False,
) -> None:
    """Let four agents fight over the same walls with rotated seats.

    Luck cancels: every agent plays every hand of a wall. With `-o DIR` a battle that was
    stopped goes on when the same command is given again, and no game that was played is
    lost; the rows are the same for any number of processes. A preset plays what a paper
    played and prints its figures beside.

    Example: `mjopt battle l1 l3 l1 l2 --games 1000 --seed 1`
    """
    if plain and rounds not in (None, 1):
        raise GameError(f"--plain is one round, --rounds says {rounds}")
    if margin is not None and not 0 < margin < inf:
        raise GameError(f"--margin {margin:g}, expected above 0")
    said = {
        "games": games,
        "rules": rules,
        "seed": seed,
        "rounds": 1 if plain else rounds,
        "dealer": dealer,
        "time_limit": time_limit,
    }
    given = {name: value for name, value in said.items() if value is not None}
    plan, published = _plan(tuple(agents or ()), preset, given)
    workers = work.workers(", expected at least 1")
    folder = None if output is None else Path(output)
    # Refused before anything is said.
    check_agents(
        plan.agents,
        rules=plan.rule_set,
        here=work.scheduler is None,
        perfect_information=perfect_information,
    )
    warn(f"seed {plan.seed}")
    resumes = folder is not None
    with (
        imported_meanwhile("scipy.stats"),  # what p-values are reckoned with takes a second
        Bar("games", plan.num_played, unit="games", quiet=work.quiet, resumes=resumes) as bar,
    ):
        battle = fight(
            plan,
            **workers,
            folder=folder,
            records=None if records is None else Path(records),
            perfect_information=perfect_information,
            advance=bar.advance,
            say=bar.say,
        )
    if (held := battle.plan.games) > plan.games:
        warn(f"{folder}: holds {held} games, more than {plan.games}: all stay and are reported")
    with waiting("summing up"):
        report = battle_report(battle, published, margin=margin)
        if folder is not None:
            write_battle_report(report, folder)
    for package, what in (("matplotlib", "figures"), ("scipy", "p-values")):
        if find_spec(package) is None and (what == "p-values" or folder is not None):
            warn(f"no {what}: pip install 'mjopt[experiments]'")
    if battle.faults:
        warn(f"{len(battle.faults)} games were broken, such as")
        for fault in battle.faults[:SHOWN_FAULTS]:
            warn(f"  {fault}")
    if json:
        print_json(report.document)
    else:
        print_tables(report.tables, wide=wide)


def _plan(
    agents: tuple[str, ...], name: str | None, given: dict[str, Any]
) -> tuple[Plan, Preset | None]:
    """Return the plan, and the preset it was made from."""
    if name is None:
        if len(agents) != NUM_SEATS:
            raise GameError(f"{len(agents)} agents, expected four, or --preset NAME")
        return Plan(agents=agents, **{"games": GAMES, **given}), None
    if agents:
        raise GameError("--preset names its agents: give no others")
    preset = get_preset(name)
    for own in ("rules", "rounds"):
        if own in given:
            raise GameError(f"--preset {preset.name} has its own {own}")
    return replace(preset.plan, **given), preset
