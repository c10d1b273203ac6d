"""`mjopt league`: every two agents meet, and each gets a rating."""

from typing import Annotated

import typer

from mjopt.cli.options import Json

NAME = "league"


def command(
    agents: Annotated[
        list[str], typer.Argument(help="Two or more agents, all different.", metavar="AGENT...")
    ],
    *,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Walls a pair, each played in two rounds.")
    ] = 1_000,
    rules: Annotated[str, typer.Option("--rules", help="m0, gmjbg or jj.")] = "gmjbg",
    seed: Annotated[int, typer.Option("--seed", help="Of the walls and the agents.")] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", help="Seconds for a decision; who is late loses.", metavar="S"
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes. [default: all cores]")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="Keep rows, tables, figures there; can go on.", metavar="DIR"
        ),
    ] = None,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Rate agents: Bradley-Terry strengths on Elo's scale, and Tenhou's stable rank.

    Every two agents play the same walls, two seats each, seats exchanged. All figures
    come with intervals over walls.

    Example: `mjopt league l1 l2 l3 deficiency draws --games 200`
    """
    from math import comb
    from pathlib import Path

    from mjopt.cli.battle_run import num_jobs
    from mjopt.cli.game_show import GameProgress, print_tables
    from mjopt.cli.show import print_json
    from mjopt.experiments.battles.league import check_entrants, play_league
    from mjopt.experiments.battles.report import league_report, write_battle_report

    folder = None if output is None else Path(output)
    total = 2 * max(games, 0) * comb(len(agents), 2)
    check_entrants(agents, games)  # refused before anything is said
    typer.echo(f"mjopt: seed {seed}", err=True)
    with GameProgress(total, quiet=quiet, resumes=folder is not None) as advance:
        league = play_league(
            agents,
            games=games,
            rules=rules,
            seed=seed,
            jobs=num_jobs(jobs),
            time_limit=time_limit,
            folder=folder,
            advance=advance,
        )
    report = league_report(league)
    if folder is not None:
        write_battle_report(report, folder)
    if json:
        print_json({"rules": rules, "seed": seed, **report.document})
    else:
        print_tables(report.tables)
