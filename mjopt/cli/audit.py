"""`mjopt audit`: somebody else's values, another package or the paper, held against the truth."""

from typing import Annotated

import typer

from mjopt.cli.options import (
    Called,
    Json,
    NotationName,
    Partial,
    TileSetName,
    get_tiles,
    read_forms,
)
from mjopt.errors import MjoptError
from mjopt.hands.forms import FORMS, STANDARD

NAME = "audit"
MEANINGS = ("deficiency", "shanten")


def command(
    file: Annotated[
        str | None,
        typer.Argument(help="Hands with values: .csv or .parquet; - for CSV on stdin."),
    ] = None,
    *,
    package: Annotated[
        str | None,
        typer.Option("--package", help="Audit mahjong, xiangting or riichienv, with --hands."),
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option("--hands", help="Hands for --package: .txt, .csv or .npy; - for stdin."),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Audit the paper's cost over all hands of M0.")
    ] = False,
    column: Annotated[
        str | None,
        typer.Option("--column", help="The column of values. [default: deficiency or shanten]"),
    ] = None,
    means: Annotated[
        str | None, typer.Option("--means", help=f"What it holds: {' or '.join(MEANINGS)}.")
    ] = None,
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    partial: Partial = False,
    forms: Annotated[
        str | None,
        typer.Option(
            "--forms",
            help=f"Winning forms, comma-separated: {', '.join(FORMS)}. "
            f"[default: {STANDARD}, or what the package answers for]",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Folder for the rows, certificates and summary."),
    ] = None,
    certificates: Annotated[
        str | None,
        typer.Option(
            "--certificates",
            help="all, representatives (one of all hands alike) or none. "
            "[default: all; with --paper representatives]",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes. [default: all cores]")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    json: Json = False,
) -> int:
    """Find every value that is wrong, with the likely cause and a certificate.

    Many packages give shanten, one less than the deficiency, and the least over
    three forms: see --means and --forms. Exit status 1 if anything is wrong.
    With --paper, over all 21,310,147,575 hands: where the least cost of Eq. 8 is not
    the deficiency.

    Example: `mjopt audit values.csv --tiles 136 -o found`
    """
    # NumPy and rich's progress bars load here: `mjopt --help` needs neither.
    from mjopt.cli.audit_paper import run_paper
    from mjopt.cli.audit_run import AuditRun, audit_file, audit_package

    if (file is not None) + (package is not None) + paper != 1:
        raise MjoptError("expected one of FILE, --package NAME --hands FILE, and --paper")
    if (package is None) != (hands is None):
        raise MjoptError("--package and --hands go together")
    if means is not None and means not in MEANINGS:
        raise MjoptError(f"--means {means}: expected {' or '.join(MEANINGS)}")
    if means is not None and column is None:
        raise MjoptError("--means goes with --column")
    if jobs is not None and jobs < 1:
        raise MjoptError(f"--jobs {jobs}: expected at least 1")
    if paper:
        return run_paper(
            output=output,
            certificates=certificates or "representatives",
            jobs=jobs,
            quiet=quiet,
            as_json=json,
        )
    tile_set = get_tiles(tiles)
    chosen = None
    if forms is not None:
        chosen = read_forms(forms, tile_set)
    run = AuditRun(
        tiles=tile_set,
        notation=notation,
        called=called,
        partial=partial,
        forms=chosen,
        output=output,
        certificates=certificates or "all",
        jobs=jobs,
        quiet=quiet,
        as_json=json,
    )
    if package is not None and hands is not None:
        if column or partial:
            raise MjoptError("--package takes whole hands: no --column, no --partial")
        return audit_package(package, hands, run)
    return audit_file(file or "-", column, means, run)
