"""`mjopt label`: the deficiency of every hand in a file."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.files import atomic_path, check_output, temporary_folder
from mjopt._internal.signals import STOPPED
from mjopt.cli.options import FormsOfHand, Model, SolverName, Work
from mjopt.cli.output import warn
from mjopt.cli.progress import Bar
from mjopt.cli.readers import FileReader
from mjopt.datasets.label_file import (
    LabelProgram,
    check_labels,
    label_by_program,
    label_by_tables,
    label_checkpoint,
)
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.files.formats import file_format
from mjopt.hands.files.labelled_files import WRITABLE, free_name, write_labels
from mjopt.hands.rules.read_forms import read_forms
from mjopt.models.solve import DEFAULT_MODEL


def command(
    source: Annotated[
        str,
        Argument(
            help="Hands: .txt, .csv, .tsv, .jsonl, .parquet or .npy; - for text on stdin.",
            metavar="IN",
        ),
    ],
    *,
    output: Annotated[
        str, Option("--output", "-o", help=".csv, .jsonl or .npy; - for CSV on stdout.")
    ] = "-",
    reader: FileReader,
    forms: FormsOfHand = None,
    model: Model = None,
    solver: SolverName = None,
    check: Annotated[
        int, Option(help="Solve K random rows again by an integer program.", metavar="K")
    ] = 0,
    work: Work,
) -> None:
    """Label every hand of a file with its deficiency.

    The values come from the tables, on `--jobs` threads. With `--model` or `--solver` they
    come from an integer program, solved once for all hands that are equal up to suits and
    reversal of ranks; the same command resumes an interrupted run. `--check K` verifies K
    random rows with an integer program.

    Example: `mjopt label hands.txt -o labels.csv --check 100`
    """
    if check < 0:
        raise ArgumentError(argument="--check", value=str(check), expected="0 or more rows")
    by_tables = model is None and solver is None
    if by_tables and work.scheduler is not None:
        raise ArgumentError("--scheduler goes with --model or --solver: the tables need no cluster")
    out = None if output == "-" else Path(output)
    out_format = "csv" if out is None else file_format(out, WRITABLE)
    if out is not None:
        check_output(out)
    with reader.hands_file(source, forms) as hands, ExitStack() as stack:
        chosen = read_forms(forms, hands.tiles, hands.size, rules=hands.rules)
        program = LabelProgram(
            model=DEFAULT_MODEL if model is None else model, solver=solver, forms=chosen
        )
        total = len(hands)
        if not total:
            raise HandError(f"{hands.label}: no hands")
        if by_tables:
            with Bar("labelling", total, unit="rows") as bar:
                labels = label_by_tables(hands, chosen, threads=work.num_jobs, advance=bar.advance)
        else:
            place = out or stack.enter_context(temporary_folder("label")) / "stdout"
            checkpoint = stack.enter_context(label_checkpoint(place, hands, program))
            if done := len(checkpoint.labels):
                print(f"resuming at row {done} of {total}", file=sys.stderr)
            try:
                with Bar("labelling", total, unit="rows", done=done) as bar:
                    labels = label_by_program(
                        hands,
                        program,
                        checkpoint,
                        advance=bar.advance,
                        **work.workers,
                    )
            except STOPPED:
                hint = "" if out is None else "; the same command resumes there"
                warn(f"interrupted after {len(checkpoint.labels)} rows{hint}")
                raise
        if check:
            checked = check_labels(hands, labels, program, number=check, seed=0)
            warn(f"{checked} rows solved again by {program.model}: all agree")
        if out is None:
            write_labels(sys.stdout.buffer, out_format, hands, labels, program.label_name)
        else:
            with atomic_path(out) as path, path.open("wb") as file:
                write_labels(file, out_format, hands, labels, program.label_name)
        name = free_name(program.label_name, hands.header)
        if name != program.label_name and out_format != "npy":
            warn(f"{hands.label} has a column {program.label_name}; the new one is {name}")
