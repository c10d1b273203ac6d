"""`mjopt label`: the deficiency of every hand in a file."""

from typing import Annotated

import typer

from mjopt.cli.options import (
    Called,
    Forms,
    Model,
    NotationName,
    Partial,
    SolverName,
    TileSetName,
    get_tiles,
    read_forms,
)
from mjopt.errors import HandError
from mjopt.hands.forms import STANDARD
from mjopt.models.solving import DEFAULT_MODEL


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
    check: Annotated[
        int, typer.Option("--check", help="Solve so many random rows again.", metavar="K")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Which rows --check picks.")] = 0,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", help="Threads or processes. [default: all cores]"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Label every hand of a file with its deficiency.

    The table engine answers. With `--model` or `--solver` an integer program does,
    hands that differ only by suits or a reversal of ranks once; such a run, if it is
    stopped, goes on where it was when the same command is given again. `--check K`
    has an integer program solve K random rows again.

    Example: `mjopt label hands.txt -o labels.csv --check 100`
    """
    # NumPy and rich's progress bars load here: `mjopt --help` needs neither.
    from mjopt.cli.label_run import LabelRun, label_file
    from mjopt.datasets.label_file import Recipe

    if check < 0:
        raise HandError(f"--check {check}, expected 0 or more rows")
    tile_set = get_tiles(tiles)
    chosen = read_forms(forms, tile_set)
    by_program = model is not None or solver is not None
    label_file(
        LabelRun(
            source=source,
            output=output,
            tiles=tile_set,
            notation=notation,
            called=called or 0,
            partial=partial,
            forms=chosen,
            recipe=Recipe(model=model or DEFAULT_MODEL, solver=solver, forms=chosen)
            if by_program
            else None,
            check=check,
            seed=seed,
            jobs=jobs,
            quiet=quiet,
        )
    )
