"""`mjopt reproduce`: the paper's tables and figures, ours beside the published."""

from typing import Annotated

import typer

from mjopt.cli.options import Json

NAME = "reproduce"


def command(
    targets: Annotated[
        list[str],
        typer.Argument(help="table1 ... table7, figure2 ... figure4, or all.", metavar="WHAT..."),
    ],
    *,
    scale: Annotated[
        str, typer.Option("--scale", help="quick (minutes) or paper (318,800 hands, 30 runs).")
    ] = "quick",
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="The folder. [default: reproduction-SCALE]", metavar="DIR"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Draws the hands and every run.")] = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes. [default: all cores]")
    ] = None,
    rows_only: Annotated[
        bool, typer.Option("--rows-only", help="Make the raw rows, and no tables yet.")
    ] = False,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Reproduce tables and figures of Yan and Li (2023), beside the published ones.

    The folder gets raw rows, tables (Markdown, CSV, LaTeX), figures (SVG, PNG) and the
    list of what the paper leaves open with the reading taken. A run that was stopped
    goes on when the same command is given again. Section 4.3, the games, is not here.

    Example: `mjopt reproduce table1 figure2 -o reproduction`
    """
    from mjopt.cli.reproduce_run import reproduce_command

    reproduce_command(
        targets,
        scale=scale,
        output=output,
        seed=seed,
        jobs=jobs,
        rows_only=rows_only,
        as_json=json,
        quiet=quiet,
    )
