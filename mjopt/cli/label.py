"""`mjopt label`: the deficiency of every hand in a file."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from mjopt.cli.input_file import input_path
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
from mjopt.errors import FileError, HandError
from mjopt.hands.forms import STANDARD
from mjopt.models.solving import DEFAULT_MODEL

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
    from mjopt.datasets.label_file import (
        LabelProgram,
        check_labels,
        label_by_program,
        label_by_tables,
        label_journal,
        labels_in,
    )
    from mjopt.hands.files import READABLE, WRITABLE, HandFile, file_format, write_labels
    from mjopt.runtime.folder import replace_whole

    if check < 0:
        raise HandError(f"--check {check}, expected 0 or more rows")
    tile_set = get_tiles(tiles)
    chosen = read_forms(forms, tile_set)
    program = LabelProgram(model=model or DEFAULT_MODEL, solver=solver, forms=chosen)
    cores = (os.cpu_count() or 1) if jobs is None else jobs
    out = None if output == "-" else Path(output)
    out_format = "csv" if out is None else file_format(out, WRITABLE)
    with input_path([source]) as [path], ExitStack() as stack:
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        hands = HandFile(
            path=path,
            format="text" if source == "-" else file_format(path, READABLE),
            tiles=tile_set,
            notation=notation,
            called=called or 0,
            partial=partial,
        )
        if model is None and solver is None:
            with _bar(len(hands), quiet=quiet) as advance:
                labels = label_by_tables(hands, chosen, threads=cores, advance=advance)
        else:
            place = out or Path(stack.enter_context(TemporaryDirectory()), "stdout")
            journal = stack.enter_context(label_journal(place, hands, program))
            total, done = len(hands), len(labels_in(journal))
            if done:
                print(f"going on from row {done} of {total}", file=sys.stderr)
            try:
                with _bar(total, done=done, quiet=quiet) as advance:
                    labels = label_by_program(
                        hands, program, journal, jobs=cores, kept=out is not None, advance=advance
                    )
            except KeyboardInterrupt:
                hint = "" if out is None else "; the same command goes on from there"
                rows = len(labels_in(journal))
                print(f"mjopt: interrupted after {rows} rows{hint}", file=sys.stderr)
                raise
        if check:
            checked = check_labels(hands, labels, program, number=check, seed=seed)
            print(
                f"mjopt: {checked} rows (seed {seed}) solved again by {program.model}: all agree",
                file=sys.stderr,
            )
        with nullcontext(sys.stdout.buffer) if out is None else replace_whole(out) as file:
            write_labels(file, out_format, hands, labels, program.label_name)


@contextmanager
def _bar(total: int, *, done: int = 0, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal, unless told not to; give what moves it on."""
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(),
    )
    hide = quiet or not console.is_terminal
    with progress.Progress(*columns, console=console, disable=hide) as bar:
        task = bar.add_task("labelling", total=total, completed=done, rate="")

        def advance(rows: int) -> None:
            bar.advance(task, rows)
            bar.update(task, rate=f"{bar.tasks[0].speed or 0:,.0f} rows/s")

        yield advance
