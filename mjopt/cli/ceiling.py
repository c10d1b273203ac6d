"""`mjopt ceiling`: build, check and describe tables of a bound for every hand."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.files import check_output
from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt._internal.signals import STOPPED
from mjopt.chances.ceiling.build import (
    build_ceiling,
    check_memory,
    finished_layers,
    gigabytes,
    requirements,
)
from mjopt.chances.ceiling.check import TableCheck, check_table
from mjopt.chances.ceiling.describe import (
    QUANTILES,
    CeilingGroup,
    TableDescription,
    describe_table,
    plot_description,
)
from mjopt.chances.ceiling.table import UNKNOWN, CeilingTable, TableKey, data_folder
from mjopt.cli.options import Json, TileSetName, count_jobs
from mjopt.cli.output import print_json, print_table, right, warn
from mjopt.cli.progress import Bar
from mjopt.errors import CertificateError, FileError
from mjopt.hands.tiles import as_tiles

REFUSED = 3

TableFile = Annotated[str, Argument(help="A table by `mjopt ceiling build`.", metavar="FILE")]
Threads = Annotated[
    int | None, Option("--jobs", "-j", help="Threads. [default: one a core]", metavar="N")
]

REBUILT = "SHA-256 of every layer; the table was built again and is equal at all hands"
FILE_ONLY = "SHA-256 of every layer"
NOT_REBUILT = "the values and their means, which a check without --quick builds again"


def build(
    *,
    tiles: TileSetName = "m0",
    draws: Annotated[int, Option(help="Draws to come.", metavar="N")] = 18,
    called: Annotated[int, Option(help="Melds on the table, 0 to 4.")] = 0,
    melds: Annotated[
        str, Option(help="Whether the tiles of called melds are unknown or known.")
    ] = UNKNOWN,
    all_layers: Annotated[
        bool,
        Option(
            "--all-layers", help="Also keep a bound for each smaller number of draws, for agents."
        ),
    ] = False,
    output: Annotated[
        str | None,
        Option("--output", "-o", help="The file. [default: in the data folder]", metavar="FILE"),
    ] = None,
    jobs: Threads = None,
    json: Json = False,
) -> None:
    """Build a table: for every hand, a chance to win within N draws that no play exceeds.

    The same command resumes an interrupted build after its last finished layer. By default the
    file is in the user's data folder (MJOPT_DATA names another), where `mjopt.ceiling` finds it.
    The file depends only on tiles, draws, called melds and layers, not on the threads.

    Example: `mjopt ceiling build --called 2 --draws 12`
    """
    key = TableKey(
        tiles=as_tiles(tiles).key, called=called, draws=draws, melds=melds, all_layers=all_layers
    )
    path = data_folder() / key.file_name if output is None else Path(output)
    is_there, start = path.exists(), time.perf_counter()
    with Bar("building", unit="million hands") as bar:
        try:
            table = build_ceiling(
                None if output is None else path,
                key=key,
                threads=count_jobs(jobs),
                progress=bar,
            )
        except STOPPED:
            bar.progress.stop()
            done = finished_layers(path, key)
            after = f"resumes after layer {done} of {draws}" if done else "starts again"
            warn(f"interrupted; the same command {after}")
            raise
    seconds = time.perf_counter() - start
    if json:
        print_json({**_document(table), "built": not is_there, "seconds": round(seconds, 3)})
        return
    print(f"{plain(str(path))}: {'already built' if is_there else f'built in {seconds:.1f} s'}")
    print(
        f"  mean over all deals: {table.means[-1]:.8f}; no play without calls wins a larger share "
        f"of deals within {draws} draws"
    )
    print(f"  use: {_usage(table, is_default=output is None)}")


def _usage(table: CeilingTable, *, is_default: bool) -> str:
    """Return an example of Python code that reads the table."""
    key = table.key
    options = [f"called={key.called}"] if key.called else []
    options += [f"draws={key.draws}"] if key.draws != 18 else []
    # Only a table under its own name that does not know the melds' tiles is found by itself.
    found_by_default = is_default and key.melds == UNKNOWN
    options += [] if found_by_default else [f"table={str(table.path)!r}"]
    return f"mjopt.ceiling({', '.join(['hand', *options])})"


def _document(table: CeilingTable) -> dict[str, object]:
    """Return what a table holds as a JSON document."""
    held, full = requirements(table.key).hands
    return {
        "file": str(table.path),
        **asdict(table.key),
        "wall_size": table.key.wall_size,
        "hands": held,
        "hands_with_draw": full,
        "bytes": table.path.stat().st_size,
        "mean": table.means[-1],
    }


def check(
    file: TableFile,
    *,
    sample: Annotated[int, Option(help="Random hands to recompute in exact fractions.")] = 1000,
    quick: Annotated[
        bool, Option("--quick", help="Check the file alone: SHA-256, and layer against layer.")
    ] = False,
    jobs: Threads = None,
    json: Json = False,
) -> int:
    """Check a table. Exit status 3 if it is refused.

    The table is built again, which takes the memory of a build. Sampled hands of every layer are
    recomputed from the layer before, in exact fractions and plain Python, and must be equal. With
    --quick nothing is built: in a table with all layers, sampled hands must agree with the layer
    before within the rounding of the file.

    Example: `mjopt ceiling check FILE --sample 10000`
    """
    reason, found = None, None
    try:
        table = _open(file)
        with Bar("checking") as bar:
            if not quick:
                bar.say(_announcement(table))
            found = check_table(
                table,
                sample=sample,
                rebuild=not quick,
                threads=count_jobs(jobs),
                progress=bar,
            )
    except CertificateError as error:
        reason = error.detail if error.argument == file else str(error)
    if json:
        row = {"file": file, "accepted": reason is None, "reason": reason}
        print_json(row | (asdict(found) if found else {}))
    elif found:
        _show_check(file, found)
    else:
        print(f"{plain(file)}: refused: {shorten(str(reason), MESSAGE)}")
    return REFUSED if reason else 0


def _announcement(table: CeilingTable) -> str:
    """Return what a check takes, or refuse it."""
    needed = requirements(table.key)
    try:
        check_memory(needed)
    except FileError as error:
        error.hint = "--quick checks the file alone"
        raise
    return f"the table is built again: {gigabytes(needed.memory)} of memory"


def _open(file: str) -> CeilingTable:
    """Open a table; a damaged one is refused, and a missing one is bad input."""
    try:
        return CeilingTable.open(file)
    except FileError as error:
        if isinstance(error.__cause__, OSError):
            raise
        raise CertificateError(error.detail, argument=error.argument) from error


def _show_check(file: str, found: TableCheck) -> None:
    print(f"{plain(file)}: accepted")
    how = "equal in exact fractions" if found.rebuilt else "agree with the layer before"
    sampled = (
        f"; {found.sampled:,} sampled hands of all layers {how}, with {found.sampled_full:,} "
        f"hands that one draw leads to"
        if found.sampled
        else ""
    )
    print(f"  checked: {REBUILT if found.rebuilt else FILE_ONLY}{sampled}")
    if not found.rebuilt:
        print(f"  not checked: {NOT_REBUILT}")


def describe(
    file: TableFile,
    *,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            help="Also plot the mean by number of draws: .svg or .png.",
            metavar="FILE",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Describe the values of a table over all deals, by deficiency and by number of draws.

    The share of deals that the discards with the greatest ceiling win, a bound from below, is what
    `mjopt solitaire ceiling` finds.

    Example: `mjopt ceiling describe FILE -o ceiling.svg`
    """
    if output is not None:
        check_output(output)
    table = CeilingTable.open(file)
    with Bar("reading") as bar:
        found = describe_table(table, threads=count_jobs(None), progress=bar)
    if output is not None:
        plot_description(found, Path(output))
    if json:
        print_json({**_document(table), **found.to_document()})
    else:
        _show(file, found)


def _options_of(key: TableKey) -> str:
    """Return the options that build a table."""
    words = [f"--tiles {key.tiles}", f"--draws {key.draws}"]
    words += [f"--called {key.called}"] if key.called else []
    words += [f"--melds {key.melds}"] if key.melds != UNKNOWN else []
    words += ["--all-layers"] if key.all_layers else []
    return " ".join(words)


def _show(file: str, found: TableDescription) -> None:
    """Print the description."""
    groups = (*found.groups, found.every)
    print(
        f"{plain(file)}: the table of {_options_of(found.key)}\n"
        f"{found.every.deals:,} deals of {found.key.size + 1} tiles, "
        f"mean ceiling {found.means[-1]!r}"
    )
    names = [f"{100 * share:g} %" for share in QUANTILES]
    table = Table(*right(["deficiency", "deals", "share", "mean", *names]), box=None)
    for group in groups:
        table.add_row(
            _name(group),
            f"{group.deals:,}",
            f"{group.deals / found.every.deals:.4%}",
            f"{float(group.mean):.5f}",
            *(f"{float(value):.4f}" for value in group.quantiles),
        )
    print_table(table, optional=["1 % | 99 %", "25 % | 75 %", "deals"])
    hands = Table(*right(["deficiency", "highest"]), "hand", *right(["lowest"]), "hand", box=None)
    for group in groups:
        pairs = (group.highest, group.lowest)
        cells = [(f"{float(value):.5f}", hand.to_text()) for hand, value in pairs]
        hands.add_row(_name(group), *cells[0], *cells[1])
    print_table(hands, notes=["these are the stored numbers, rounded up to multiples of 1/65535"])
    curve = Table(*right(["draws", "mean ceiling"]), box=None)
    for draws, mean in enumerate(found.means):
        curve.add_row(str(draws), f"{mean:.8f}")
    print_table(curve)


def _name(group: CeilingGroup) -> str:
    return "all" if group.deficiency is None else str(group.deficiency)


commands = (build, check, describe)
