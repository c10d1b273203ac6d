"""`mjopt dataset`: build, check and describe large sets of labelled hands."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
from rich.bar import Bar as ShareBar
from rich.table import Table
from typer import Argument, Option

from mjopt._internal.files import check_output
from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.cli.dataset_build import build
from mjopt.cli.options import FigureFile, Folder, Json
from mjopt.cli.output import cell, print_json, print_table, right, warn
from mjopt.cli.progress import Bar, waiting
from mjopt.cli.standard_input import input_paths
from mjopt.datasets.card import card_text
from mjopt.datasets.check import CheckReport, check_dataset
from mjopt.datasets.collection import datasets_in
from mjopt.datasets.describe import Description, describe_dataset, plot_description
from mjopt.datasets.licence import licence_lines
from mjopt.datasets.manifest import read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reader import sample_rows
from mjopt.datasets.recipes.registry import is_from_file
from mjopt.errors import ArgumentError, FileError


def check(
    folder: Folder,
    *,
    sample: Annotated[int, Option(help="Random rows of each shard to prove again.")] = 4,
    code: Annotated[
        list[str] | None,
        Option(
            help="A label, recipe or filter whose code or file may be read: heuristic:NAME, "
            "FILE.py:NAME, file:PATH, positions:PATH, as in the command that built the dataset; "
            "repeatable.",
            metavar="NAME",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Verify every file, recount the rows, and prove the labels of a sample.

    Exit status 1 if anything is wrong.

    Example: `mjopt dataset check hands --sample 20`
    """
    if sample < 0:
        raise ArgumentError(argument="--sample", value=str(sample), expected="0 or more")
    folders, trusted = datasets_in(Path(folder)), code or []
    manifests = [read_manifest(path) for path in folders]
    total = sum(record["rows"] for manifest in manifests for record in manifest["shards"])
    reports: list[tuple[Path, CheckReport]] = []
    with Bar("checking", total, unit="rows") as bar:
        for path, manifest in zip(folders, manifests, strict=True):
            report = check_dataset(
                path,
                sample=sample,
                labels=trusted,
                recipe=_named(manifest["plan"].get("recipe"), trusted),
                where=_named(manifest["plan"].get("where"), trusted),
                advance=bar.advance,
            )
            reports.append((path, report))
    is_sound = all(report.is_sound for _, report in reports)
    if json:
        documents = [{"folder": str(path), **asdict(report)} for path, report in reports]
        print_json({"folder": folder, "sound": is_sound, "datasets": documents})
    else:
        for path, report in reports:
            state = "sound" if report.is_sound else f"{len(report.faults)} fault(s)"
            print(
                f"{plain(str(path))}: {state}; {report.rows:,} rows counted, "
                f"{report.files} files verified ({report.bytes / 1e6:,.1f} MB), "
                f"{report.sampled} rows proved again"
            )
            for fault in report.faults:
                print(f"  {shorten(fault, MESSAGE)}")
    return 0 if is_sound else 1


def _named(name: object, given: Sequence[str]) -> str:
    """Return the given name that is this one, or that of a file at another path."""
    is_file = isinstance(name, str) and is_from_file(name)
    return next((n for n in given if n == name or (is_file and is_from_file(n, str(name)))), "")


def card(folder: Folder) -> None:
    """Print the card of a dataset, made from its manifest.

    Example: `mjopt dataset card hands > hands/README.md`
    """
    manifest = read_manifest(Path(folder))
    plan = DatasetPlan.from_document(manifest["plan"], folder)
    print(card_text(plan, manifest["rows"], licence_lines(Path(folder))), end="")


def describe(
    folder: Folder,
    *,
    output: FigureFile = None,
    json: Json = False,
) -> None:
    """Compare the distribution of the labels with the exact census, with a test.

    Example: `mjopt dataset describe hands -o deficiency.svg`
    """
    if output is not None:
        check_output(output)
    folders = datasets_in(Path(folder))
    with waiting("reading"):
        descriptions = [describe_dataset(path) for path in folders]
    if output is not None:
        if len(descriptions) > 1:
            raise ArgumentError(
                f"{len(descriptions)} datasets; -o FILE draws one", argument=str(folder)
            )
        plot_description(descriptions[0], Path(output))
    if json:
        documents = [each.to_document() for each in descriptions]
        print_json(documents[0] if folders[0] == Path(folder) else {"datasets": documents})
    else:
        for description in descriptions:
            _show_description(description)


def sample(
    folder: Folder,
    *,
    number: Annotated[int, Option("--number", "-n", help="Number of rows.")] = 5,
    seed: Annotated[int, Option(help="Seed of the sample.")] = 0,
    json: Json = False,
) -> None:
    """Print random rows of a dataset.

    Example: `mjopt dataset sample hands -n 3 --seed 1`
    """
    if seed < 0:
        raise ArgumentError(argument="--seed", value=str(seed), expected="0 or more")
    rng = np.random.default_rng(seed)
    rows = list(sample_rows(Path(folder), number, rng=rng))
    if json:
        print_json({"seed": seed, "rows": rows})
    else:
        _show_rows(rows)


def positions(
    files: Annotated[
        list[str],
        Argument(help="Logs, folders of logs, or an address; - for stdin.", metavar="FILE..."),
    ],
    *,
    output: Annotated[
        str, Option("--output", "-o", help="The file of positions.", metavar="FILE.parquet")
    ],
) -> int:
    """Write the discards of logs during which exactly one opponent is in riichi, as positions.

    Reads the logs that `mjopt review` reads, of games of four players. The recipe
    `positions:FILE` labels the positions. Exit status 1 if a game could not be read.

    Example: `mjopt dataset positions logs/ -o positions.parquet`
    """
    from mjopt.play.review.api import read_source
    from mjopt.play.review.riichi_positions import write_positions

    check_output(output)
    if Path(output).suffix.lower() != ".parquet":
        raise FileError(argument="-o", value=output, expected="a .parquet file")
    with input_paths(files) as paths, waiting("replaying"):
        sources = [
            path if text == "-" or os.path.exists(text) else text
            for text, path in zip(files, paths, strict=True)
        ]
        is_alone = len(sources) == 1
        entries = (entry for source in sources for entry in read_source(source, is_alone=is_alone))
        report = write_positions(entries, Path(output))
    for source, line, why in report.refused:
        warn(f"{source}, line {line}: {shorten(why, MESSAGE)}")
    print(f"{plain(output)}: {report.num_positions:,} positions of {report.num_games:,} games")
    return 1 if report.refused else 0


def _show_description(description: Description) -> None:
    """Print a description."""
    print(
        f"{plain(description.plan.recipe)}, seed {description.plan.seed}: {description.rows:,} rows"
    )
    columns = [
        "deficiency",
        "rows",
        "share",
        "exact",
        *(["weighted"] if description.weighted else []),
    ]
    table = Table(*right(columns), "", box=None)
    for value, rows in enumerate(description.counts):
        share = rows / description.rows
        expected = description.exact_share(value)
        exact = "-" if expected is None else f"{expected:.5%}"
        weighted = [f"{description.weighted[value]:.5%}"] if description.weighted else []
        cells = [str(value), f"{rows:,}", f"{share:.5%}", exact, *weighted]
        table.add_row(*cells, ShareBar(1.0, 0.0, share, width=37))
    print_table(table)
    if description.plan.rules is not None and description.expected is None:
        print(f"the exact shares are not known for the rules {description.plan.rules.name}")
    test = description.fit
    if test is not None and test.is_certain:
        print("equal to the exact counts" if test.p_value else "NOT equal to the exact counts")
    elif test is not None:
        print(
            f"chi-squared {test.statistic:.3f}, {test.degrees} degrees of freedom, "
            f"p = {test.p_value:.4f}, n = {test.rows:,}, w = {test.effect:.2e}"
        )
    value, share = description.baseline
    print(f"always answering {value} is right on {share:.2%}")
    for name, low, mean, high in description.labels:
        print(f"{name}: {low} to {high}, mean {mean:.4f}")


def _short(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "-" if value is None else str(value)


def _show_rows(rows: list[dict[str, object]]) -> None:
    """Print rows as a table."""
    if not rows:
        return
    names = [name for name in rows[0] if name not in ("engine", "certificate")]
    table = Table(*names)
    for row in rows:
        cells = (row[name] for name in names)
        texts = (" ".join(map(_short, c)) if isinstance(c, list) else str(c) for c in cells)
        table.add_row(*map(cell, texts))
    labels = [name for name in names if name not in ("row", "hand")]
    print_table(table, optional=labels[::-1])


commands = (build, check, card, describe, sample, positions)
