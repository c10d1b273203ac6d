"""`mjopt compare`: methods against hands whose value is known."""

from typing import Annotated

import typer

from mjopt.cli.options import Json, TileSetName

NAME = "compare"


def command(
    methods: Annotated[
        list[str] | None,
        typer.Argument(
            help="Methods, such as ndde or ndde:population=50,generations=500.", metavar="METHOD..."
        ),
    ] = None,
    *,
    hands: Annotated[
        list[str] | None,
        typer.Option(
            "--hands",
            help="Hands: one-type, two-type:N, deals:N, file:PATH, ...; RECIPE@N for N of them.",
            metavar="RECIPE",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The folder to write.", metavar="DIR")
    ] = None,
    runs: Annotated[int, typer.Option("--runs", help="Runs of each method on each hand.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Draws the hands and every run.")] = 0,
    tiles: TileSetName = "m0",
    early_stop: Annotated[
        bool,
        typer.Option(
            "--early-stop", help="Stop each run at the certified value, as the paper times it."
        ),
    ] = False,
    sample: Annotated[
        int, typer.Option("--sample", help="Hands of each set also run the other way.")
    ] = 2000,
    curves: Annotated[
        int, typer.Option("--curves", help="Hands of each set whose convergence is kept.")
    ] = 6,
    certificates: Annotated[
        str | None,
        typer.Option(
            "--certificates",
            help="Labels to certify: all, or a number. [default: all up to 20,000 hands, "
            "else 1,000]",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Processes. [default: all cores]")
    ] = None,
    rebuild: Annotated[
        str | None,
        typer.Option("--rebuild", help="Only write tables and figures again.", metavar="DIR"),
    ] = None,
    rows_only: Annotated[
        bool, typer.Option("--rows-only", help="Make the raw rows, and no report yet.")
    ] = False,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Compare methods on hands whose deficiency is certified.

    The folder gets every raw row, then tables (Markdown, CSV, LaTeX), figures (SVG, PNG)
    and one report.html. A run that was stopped goes on when the same command is given
    again; the rows are the same for any number of processes.

    Example: `mjopt compare ndde pso tree-search --hands two-type:1000 -o study`
    """
    from mjopt.cli.compare_run import CompareRun, compare, rebuild_folder
    from mjopt.errors import StudyError

    if rebuild is not None:
        if methods or hands or output:
            raise StudyError("--rebuild DIR stands alone: the folder knows its methods and hands")
        rebuild_folder(rebuild, as_json=json)
        return
    for what, given in (("a METHOD", methods), ("--hands RECIPE", hands), ("-o DIR", output)):
        if not given:
            raise StudyError(f"{what} is missing: mjopt compare METHOD... --hands RECIPE -o DIR")
    compare(
        CompareRun(
            methods=tuple(methods or ()),
            hands=tuple(hands or ()),
            output=output or "",
            runs=runs,
            seed=seed,
            tiles=tiles,
            early_stop=early_stop,
            sample=sample,
            curves=curves,
            certificates=certificates,
            jobs=jobs,
            rows_only=rows_only,
            as_json=json,
            quiet=quiet,
        )
    )
