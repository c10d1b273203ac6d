"""`mjopt reproduce`: the tables and figures of Yan and Li (2023) beside the published ones."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.files import make_folder
from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt._internal.sanitize import plain
from mjopt._internal.tables import Table
from mjopt.cli.options import Json, StudySeed, Work
from mjopt.cli.output import print_json, print_tables
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError
from mjopt.studies.reproduction.run import PAGE, SCALES, read_targets, reproduce

LONG = "-cells"  # suffix of long tables, which go to files only


def command(
    targets: Annotated[
        list[str],
        Argument(help="table1 ... table7, figure2 ... figure4, or all.", metavar="WHAT..."),
    ],
    *,
    scale: Annotated[
        str, Option(help="quick (minutes) or paper (318,800 hands, 30 runs).")
    ] = "quick",
    output: Annotated[
        str | None,
        Option("--output", "-o", help="The folder. [default: reproduction-SCALE]", metavar="DIR"),
    ] = None,
    seed: StudySeed = 0,
    work: Work,
    json: Json = False,
) -> None:
    """Reproduce tables and figures of Yan and Li (2023), beside the published ones.

    The folder gets the raw rows, reproduction.md with the tables, the figures and the assumptions
    about details that the paper leaves open, and all tables as CSV and LaTeX. The same command
    resumes an interrupted run. For section 4.3, the games, see mjopt battle.

    Example: `mjopt reproduce table1 figure2 -o reproduction`
    """
    need(*EXPERIMENTS, extra="experiments")
    wanted = read_targets(targets)
    if scale not in SCALES:
        raise ArgumentError(argument="--scale", value=str(scale), expected=tuple(SCALES))
    workers = work.workers
    folder = Path(output or f"reproduction-{scale}")
    make_folder(folder)  # fail before any output
    with Bar("searching", unit="CPU s", resumes=True) as bar:
        bar.say(f"{', '.join(wanted)} at {scale} scale in {folder}, seed {seed}")
        tables = reproduce(
            wanted,
            SCALES[scale],
            folder,
            seed=seed,
            progress=bar,
            **workers,
        )
    if json:
        document = {"folder": str(folder), "scale": scale, "seed": seed, "targets": list(wanted)}
        print_json({**document, "tables": [table_data(table) for table in tables]})
        return
    short = [table for table in tables if not table.name.endswith(LONG)]
    show_tables(short)
    print(plain(f"{folder}/{PAGE}"))


def show_tables(tables: Iterable[Table]) -> None:
    """Print tables for a terminal, or else as Markdown."""
    if sys.stdout.isatty():
        print_tables(tables)
    else:
        for table in tables:
            print(table.to_markdown())


def table_data(table: Table) -> dict[str, object]:
    """Return a table as it is printed with ``--json``."""
    return {
        "name": table.name,
        "title": table.title,
        "rows": [dict(row) for row in table.rows],
        "notes": list(table.notes),
    }
