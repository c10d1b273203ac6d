"""`mjopt export`: write the integer program of a hand for other solvers."""

from pathlib import Path
from typing import Annotated

from typer import Option

from mjopt.cli.options import HandReader, HandText, Model, OutputFile, SolverName, Unseen
from mjopt.errors import ArgumentError
from mjopt.hands.query import HandQuery
from mjopt.models.export import FORMATS, export, format_of
from mjopt.models.registry import get_formulation, write_program
from mjopt.models.solve import DEFAULT_MODEL


def command(
    hand: HandText,
    *,
    output: OutputFile = "-",
    format: Annotated[
        str | None, Option(help="lp, mps or opb. [default: by the ending of the file, else lp]")
    ] = None,
    model: Model = None,
    solution: Annotated[
        bool, Option("--solution", help="Write the optimum beside it, ending in .sol.")
    ] = False,
    solver: SolverName = None,
    reader: HandReader,
    unseen: Unseen = None,
) -> None:
    """Write the integer program of a hand as an LP, MPS or OPB file.

    A file that ends in .gz is compressed.

    Example: `mjopt export 1112345678999m1p --model completion -o hand.mps.gz --solution`
    """
    chosen = DEFAULT_MODEL if model is None else model
    read = reader.hand(hand, unseen)
    copies = reader.unseen(unseen, read)
    if output != "-":
        export(
            read,
            output,
            model=chosen,
            format=format,
            solution=solution,
            unseen=copies,
            solver=solver,
        )
        return
    if solution:
        raise ArgumentError(
            argument="--solution", expected="-o FILE, beside which the optimum is written"
        )
    formulation = get_formulation(chosen)
    program = write_program(formulation, HandQuery(read, formulation.form, copies))
    print(FORMATS[format_of(Path("hand.lp"), format)](program), end="")
