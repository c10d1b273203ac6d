"""`mjopt export`: write the integer program of a hand for other solvers."""

from typing import Annotated

from typer import Option

from mjopt._internal.files import check_output
from mjopt.cli.options import HandText, Model, OutputFile, Unseen
from mjopt.cli.readers import WholeHandReader
from mjopt.errors import ArgumentError
from mjopt.models.export import export, make_program
from mjopt.models.lp_mps import to_lp
from mjopt.models.solve import DEFAULT_MODEL
from mjopt.models.solvers.registry import SOLVERS


def command(
    hand: HandText,
    *,
    output: OutputFile = "-",
    model: Model = None,
    solver: Annotated[
        str | None,
        Option(
            help="Also write the optimum that this solver finds, beside the file and ending in "
            f".sol: {', '.join(SOLVERS)}, or FILE.py:CLASS."
        ),
    ] = None,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: Annotated[
        str | None,
        Option(
            "--forms",
            help="One winning form, also of a rule set or of FILE.toml. [default: that of --rules, "
            "else of the model]",
            metavar="FORM",
        ),
    ] = None,
) -> None:
    """Write the integer program of a hand as an LP, MPS or OPB file.

    The ending of the file decides the format; a file that ends in .gz is compressed. Standard
    output gets the LP format. The winning form is that of `--rules`, which may be a file with one.

    Example: `mjopt export 1112345678999m1p --model completion -o hand.mps.gz --solver cbc`
    """
    chosen = DEFAULT_MODEL if model is None else model
    read = reader.hand(hand, unseen, forms=forms)
    copies = reader.unseen(unseen, read)
    if output != "-":
        check_output(output)
        export(
            read,
            output,
            model=chosen,
            solution=solver is not None,
            unseen=copies,
            solver=solver,
            forms=forms,
        )
        return
    if solver is not None:
        raise ArgumentError(
            argument="--solver", expected="-o FILE, beside which the optimum is written"
        )
    print(to_lp(make_program(read, chosen, unseen=copies, forms=forms)), end="")
