"""`mjopt certify`: the deficiency of a hand, or of many, with a proof anybody can check."""

from typing import Annotated

import typer

from mjopt.cli.options import (
    Called,
    Forms,
    HandReader,
    Json,
    Melds,
    Model,
    NotationName,
    Partial,
    Seed,
    SolverName,
    Threads,
    TileSetName,
    TimeLimit,
    Unseen,
    solve_options,
    split_forms,
)
from mjopt.errors import HandError
from mjopt.hands.forms import STANDARD

NAME = "certify"


def command(
    hand: Annotated[
        str | None, typer.Argument(help="A hand of 13 or 14 tiles.", metavar="HAND")
    ] = None,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", help="File, or folder for --hands; - for stdout.")
    ] = "-",
    format: Annotated[
        str | None,
        typer.Option("--format", help="json, vipr or opb. [default: by the ending, or json]"),
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option("--hands", help="File of hands: .txt, .csv or .npy; - for stdin."),
    ] = None,
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    meld: Melds = None,
    partial: Partial = False,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    model: Model = None,
    solver: SolverName = None,
    time_limit: TimeLimit = None,
    seed: Seed = 0,
    threads: Threads = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes, for --hands. [default: all]")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    json: Json = False,
) -> None:
    """Write a certificate: target, decomposition, and a proof that nothing is nearer.

    It is checked before it is written; `mjopt verify` checks it again. A shortest path
    finds the value, or the model and solver named. The opb format is two files,
    FILE.opb and FILE.pbp. With --hands, -o is a folder, or a file of
    JSON lines (.jsonl).

    Example: `mjopt certify 1112345678999m1p -o hand.json`
    """
    # NumPy and rich's progress bars load here: `mjopt --help` needs neither.
    from mjopt.cli.certify_run import CertifyRun, certify_file, certify_one

    reader = HandReader(tiles=tiles, notation=notation, called=called, melds=meld, partial=partial)
    run = CertifyRun(
        reader=reader,
        output=output,
        format=format,
        unseen=reader.unseen(unseen),
        forms=split_forms(forms),
        model=model,
        solver=solver,
        options=solve_options(time_limit, seed, threads),
        jobs=jobs,
        quiet=quiet,
        as_json=json,
    )
    if (hand is None) == (hands is None):
        raise HandError("expected one HAND, or --hands FILE")
    if hand is not None:
        certify_one(hand, run)
    elif hands is not None:
        certify_file(hands, run)
