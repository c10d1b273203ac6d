"""`mjopt league`: rate agents by battles between every two of them."""

from math import comb
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt.cli.options import BattleFolder, DecisionLimit, Json, RulesName, Work
from mjopt.cli.output import print_json, print_tables, warn
from mjopt.cli.progress import Bar, waiting
from mjopt.play.game.agents.registry import check_agents
from mjopt.play.game.play import check_time_limit
from mjopt.play.riichi.rules import get_table_rules
from mjopt.play.tournaments.league import check_entrants, league
from mjopt.play.tournaments.report import has_report_packages, league_report, write_report


def command(
    agents: Annotated[
        list[str],
        Argument(
            help="Two or more agents, all different: as for mjopt battle.", metavar="AGENT..."
        ),
    ],
    *,
    games: Annotated[
        int, Option("--games", "-n", help="Walls a pair, each played in two rounds.")
    ] = 1_000,
    rules: RulesName = "gmjbg",
    seed: Annotated[int, Option(help="Seed of the walls and the agents.")] = 0,
    time_limit: DecisionLimit = None,
    work: Work,
    output: BattleFolder = None,
    json: Json = False,
) -> None:
    """Rate agents: Bradley-Terry strengths on Elo's scale, and Tenhou's stable rank.

    Every pair of agents plays the same walls, with two seats each and with seats exchanged.
    All figures have confidence intervals over walls.

    Example: `mjopt league l1 l2 l3 deficiency draws --games 200`
    """
    folder = None if output is None else Path(output)
    total = 2 * max(games, 0) * comb(len(agents), 2)
    # Check the entrants before any output.
    check_entrants(agents, games)
    check_agents(agents, rules=get_table_rules(rules), here=work.scheduler is None)
    if time_limit is not None:
        check_time_limit(time_limit)
    warn(f"seed {seed}")
    resumes = folder is not None
    with Bar("games", total, unit="games", resumes=resumes) as bar:
        result = league(
            agents,
            games=games,
            rules=rules,
            seed=seed,
            **work.workers,
            time_limit=time_limit,
            folder=folder,
            advance=bar.advance,
            log=bar.say,
        )
    if result.games > games:
        warn(f"{folder}: holds {result.games} games a pair, more than {games}: all are reported")
    with waiting("writing the report"):
        report = league_report(result)
        if folder is not None:
            write_report(report, folder)
    if folder is not None and not has_report_packages():
        warn("no report.html: pip install 'mjopt[experiments]'")
    if json:
        print_json({"rules": rules, "seed": seed, **report.document})
    else:
        print_tables(report.tables)
