"""`mjopt export`: write the integer program of a hand for other solvers."""

from pathlib import Path
from typing import Annotated

from typer import Option

from mjopt._internal.files import atomic_write
from mjopt.cli.options import HandReader, HandText, Model, OutputFile, Unseen
from mjopt.errors import ModelError
from mjopt.hands.files import file_format
from mjopt.models.lp_mps import to_lp, to_mps
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL


def command(
    hand: HandText,
    *,
    output: OutputFile = "-",
    format: Annotated[
        str | None, Option(help="lp or mps. [default: by the ending of the file, else lp]")
    ] = None,
    model: Model = None,
    reader: HandReader,
    unseen: Unseen = None,
) -> None:
    """Write the integer program of a hand as an LP or MPS file.

    Example: `mjopt export 1112345678999m1p --model completion -o hand.lp`
    """
    writers = {"lp": to_lp, "mps": to_mps}
    kind = format
    if kind is None:
        kind = "lp" if output == "-" else file_format(Path(output), {".lp": "lp", ".mps": "mps"})
    if kind not in writers:
        raise ModelError(f"--format {kind}: expected one of {', '.join(writers)}")
    formulation = get_formulation(DEFAULT_MODEL if model is None else model)
    read = reader.hand(hand, unseen)
    text = writers[kind](formulation.build(read, reader.unseen(unseen, read)))
    if output == "-":
        print(text, end="")
    else:
        atomic_write(output, text)
