"""`mjopt label`: the deficiency of every hand in a file."""

from typing import Annotated

import typer

from mjopt.answers import DEFAULT_MODEL
from mjopt.cli.options import (
    Called,
    Forms,
    Model,
    NotationName,
    Partial,
    SolverName,
    TileSetName,
    get_tiles,
)
from mjopt.forms import STANDARD, check_forms

__all__ = ["NAME", "command"]

NAME = "label"


def command(
    source: Annotated[
        str, typer.Argument(help="Hands: .txt, .csv or .npy; - for text on stdin.", metavar="IN")
    ],
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", help=".csv, .jsonl or .npy; - for CSV on stdout.")
    ] = "-",
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    partial: Partial = False,
    forms: Forms = STANDARD,
    model: Model = None,
    solver: SolverName = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes. [default: all cores]")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Label every hand of a file with its deficiency.

    Hands that differ only by suits or a reversal of ranks are solved once. A run
    that was stopped goes on where it was when the same command is given again.

    Example: `mjopt label hands.txt -o labels.csv --jobs 2`
    """
    # NumPy and rich's progress bars load here: `mjopt --help` needs neither.
    from mjopt.cli.label_run import LabelRun, label_file
    from mjopt.labelling import Recipe

    tile_set = get_tiles(tiles)
    label_file(
        LabelRun(
            source=source,
            output=output,
            tiles=tile_set,
            notation=notation,
            called=called or 0,
            partial=partial,
            recipe=Recipe(
                model=model or DEFAULT_MODEL,
                solver=solver,
                forms=check_forms(tuple(form.strip() for form in forms.split(",")), tile_set),
            ),
            jobs=jobs,
            quiet=quiet,
        )
    )
