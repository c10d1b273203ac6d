"""`mjopt export`: write the integer program of a hand for other solvers."""

from typing import Annotated

from typer import Option

from mjopt._internal.files import atomic_write
from mjopt.cli.options import HandReader, HandText, Model, OutputFile, Unseen
from mjopt.errors import ModelError
from mjopt.models.lp_mps import to_lp, to_mps
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL


def command(
    hand: HandText,
    *,
    output: OutputFile = "-",
    format: Annotated[str, Option(help="lp or mps.")] = "lp",
    model: Model = None,
    reader: HandReader,
    unseen: Unseen = None,
) -> None:
    """Write the integer program of a hand as an LP or MPS file.

    Example: `mjopt export 1112345678999m1p --model completion -o hand.lp`
    """
    writers = {"lp": to_lp, "mps": to_mps}
    if format not in writers:
        raise ModelError(f"--format {format}: expected one of {', '.join(writers)}")
    formulation = get_formulation(DEFAULT_MODEL if model is None else model)
    read = reader.hand(hand, unseen)
    text = writers[format](formulation.build(read, reader.unseen(unseen, read)))
    if output == "-":
        print(text, end="")
    else:
        atomic_write(output, text)
