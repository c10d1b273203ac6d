"""`mjopt battle`: many games between four agents, and what they show."""

from typing import Annotated

import typer

from mjopt.cli.options import Json

NAME = "battle"


def command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            help="Four agents: l1, l2, l3, deficiency, draws, random, first, process:COMMAND; "
            "options behind a colon, as in deficiency:method=ndde,population=20.",
            metavar="AGENT...",
        ),
    ] = None,
    *,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", help="Walls, each played in all rounds. [default: 1000]"),
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="m0, gmjbg or jj. [default: gmjbg]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of the walls and the agents. [default: 0]")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds", help="4: seats rotated over each wall; 2: exchanged; 1. [default: 4]"
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One round: everyone keeps the seat.")
    ] = False,
    dealer: Annotated[
        str | None, typer.Option("--dealer", help="Who begins: turns or first. [default: turns]")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", help="Seconds for a decision; who is late loses.", metavar="S"
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            help="A published battle: gmjbg-table-1, gmjbg-table-2 (or these with -nearest), "
            "section-4.3.",
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
    records: Annotated[
        str | None,
        typer.Option("--records", help="Write every game's record, one a line.", metavar="FILE"),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="auto, or python never to use compiled games.")
    ] = "auto",
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Let four agents fight over the same walls with rotated seats.

    Luck cancels: every agent plays every hand of a wall. With `-o DIR` a battle that was
    stopped goes on when the same command is given again; the rows are the same for any
    number of processes. A preset plays what a paper played and prints its figures beside.

    Example: `mjopt battle l1 l3 l1 l2 --games 1000 --seed 1`
    """
    from mjopt.cli.battle_run import BattleRun, run_battle

    run_battle(
        BattleRun(
            agents=tuple(agents or ()),
            games=games,
            rules=rules,
            seed=seed,
            rounds=rounds,
            plain=plain,
            dealer=dealer,
            time_limit=time_limit,
            preset=preset,
            jobs=jobs,
            output=output,
            records=records,
            engine=engine,
            as_json=json,
            quiet=quiet,
        )
    )
