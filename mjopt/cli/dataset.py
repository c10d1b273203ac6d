"""`mjopt dataset`: labelled hands in bulk, built, checked and described."""

from pathlib import Path
from typing import Annotated, Any

import typer

from mjopt.cli.options import Json, TileSetName, get_tiles
from mjopt.cli.show import print_json
from mjopt.errors import DatasetError

NAME = "dataset"

app = typer.Typer(help="Labelled hands in bulk: build, check, describe.")

Folder = Annotated[str, typer.Argument(help="The folder of a dataset.", metavar="DIR")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]


@app.command("build")
def build(
    recipe: Annotated[
        str,
        typer.Argument(
            help="one-type, two-type:N, three-type:N, deals:N, distinct:N, "
            "stratified:N[:D=SHARE,...], kongs:N[:K], all, file:PATH, or paper.",
            metavar="RECIPE",
        ),
    ],
    *,
    output: Annotated[str, typer.Option("--output", "-o", help="The folder.", metavar="DIR")],
    seed: Annotated[int, typer.Option("--seed", help="Seed of recipes that draw.")] = 0,
    shards: Annotated[
        int | None,
        typer.Option("--shards", help="Parts. [default: about a million rows each]", metavar="K"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Workers. [default: all cores]", metavar="N")
    ] = None,
    labels: Annotated[
        str,
        typer.Option(
            "--labels",
            help="Comma-separated: deficiency, seven_pairs, thirteen_orphans, win, useful, "
            "discards, targets, decompositions, cost, digest, certificate, heuristic:METHOD.",
        ),
    ] = "deficiency",
    tiles: TileSetName = "m0",
    size: Annotated[int, typer.Option("--size", help="Tiles in a hand: 13 or 14.")] = 14,
    called: Annotated[int, typer.Option("--called", help="Melds on the table, 0 to 4.")] = 0,
    splits: Annotated[
        str, typer.Option("--splits", help="Such as train=0.8,validation=0.1,test=0.1.")
    ] = "train",
    text: Annotated[bool, typer.Option("--text/--no-text", help="Hands as mpsz text too.")] = True,
    format: Annotated[str, typer.Option("--format", help="parquet, npz, npy or csv.")] = "parquet",
    check: Annotated[
        int,
        typer.Option("--check", help="Prove the labels of so many rows a shard.", metavar="K"),
    ] = 0,
    executor: Annotated[
        str, typer.Option("--executor", help="processes or threads.")
    ] = "processes",
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", help="Let the workers of a Dask scheduler build.", metavar="ADDRESS"
        ),
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Build a labelled dataset; stopped in any way, the same command goes on with it.

    What is written depends on recipe, seed, shards and labels alone, not on the workers.
    The recipe `paper` builds the three sets of Yan and Li (2023).

    Example: `mjopt dataset build deals:1e6 -o hands --labels deficiency,useful --check 20`
    """
    from mjopt.cli.dataset_run import BuildRun, run_build

    options: dict[str, Any] = {
        "tiles": get_tiles(tiles),
        "size": size,
        "called": called,
        "seed": seed,
        "shards": shards,
        "labels": tuple(label.strip() for label in labels.split(",")),
        "splits": splits,
        "text": text,
        "file_format": format,
        "check": check,
    }
    summary = run_build(
        BuildRun(
            recipe=recipe,
            folder=Path(output),
            options=options,
            jobs=jobs,
            kind=executor,
            scheduler=scheduler,
            quiet=quiet,
        )
    )
    if json:
        print_json(summary)
    else:
        from mjopt.cli.dataset_run import show_build

        show_build(summary)


@app.command("check")
def check(
    folder: Folder,
    *,
    sample: Annotated[
        int, typer.Option("--sample", help="Rows of each shard to draw and prove again.")
    ] = 4,
    seed: Annotated[int, typer.Option("--seed", help="Which rows those are.")] = 0,
    quiet: Quiet = False,
    json: Json = False,
) -> int:
    """Verify every file, count the rows again, and prove the labels of a sample.

    Exit status 1 if anything is wrong.

    Example: `mjopt dataset check hands --sample 20`
    """
    from mjopt.cli.dataset_run import run_check

    if sample < 0 or seed < 0:
        raise DatasetError(f"--sample {sample} --seed {seed}, expected 0 or more")
    found = run_check(Path(folder), sample=sample, seed=seed, quiet=quiet)
    if json:
        print_json({"folder": folder, "seed": seed, "sound": not _faults(found), "datasets": found})
    else:
        for dataset in found:
            state = "sound" if not dataset["faults"] else f"{len(dataset['faults'])} fault(s)"
            print(
                f"{dataset['folder']}: {state}; {dataset['rows']:,} rows counted, "
                f"{dataset['files']} files verified ({dataset['bytes'] / 1e6:,.1f} MB), "
                f"{dataset['sampled']} rows proved again (seed {seed})"
            )
            for fault in dataset["faults"]:
                print(f"  {fault}")
    return 1 if _faults(found) else 0


def _faults(found: list[dict[str, Any]]) -> bool:
    return any(dataset["faults"] for dataset in found)


@app.command("card")
def card(
    folder: Folder,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", help="File; - for stdout.", metavar="FILE")
    ] = "-",
) -> None:
    """Write the card of a dataset again, from its manifest.

    Example: `mjopt dataset card hands -o hands/README.md`
    """
    from mjopt.datasets.card import card_text
    from mjopt.datasets.folder import read_manifest
    from mjopt.datasets.plan import DatasetPlan
    from mjopt.runtime.folder import write_whole

    manifest = read_manifest(Path(folder))
    written = card_text(DatasetPlan.from_document(manifest["plan"], folder), manifest)
    if output == "-":
        print(written, end="")
    else:
        write_whole(Path(output), written.encode())


@app.command("describe")
def describe(
    folder: Folder,
    *,
    figure: Annotated[
        str | None, typer.Option("--figure", help="Also draw it: .svg, .png or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    """Show how the labels are distributed, beside the exact census, with a test.

    Example: `mjopt dataset describe hands --figure deficiency.svg`
    """
    from mjopt.cli.dataset_run import description_document, show_description
    from mjopt.datasets.collection import datasets_in
    from mjopt.datasets.describe import describe_dataset

    folders = datasets_in(Path(folder))
    found = [describe_dataset(path) for path in folders]
    if figure:
        from mjopt.datasets.describe import draw_description

        if len(found) > 1:
            raise DatasetError(f"{folder}: {len(found)} datasets; --figure draws one")
        draw_description(found[0], Path(figure))
    if json:
        documents = [description_document(one) for one in found]
        print_json(documents[0] if folders[0] == Path(folder) else {"datasets": documents})
    else:
        for one in found:
            show_description(one)


@app.command("sample")
def sample(
    folder: Folder,
    *,
    number: Annotated[int, typer.Option("--number", "-n", help="How many rows.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Which rows.")] = 0,
    split: Annotated[str | None, typer.Option("--split", help="Only from this split.")] = None,
    json: Json = False,
) -> None:
    """Print random rows of a dataset.

    Example: `mjopt dataset sample hands -n 3 --seed 1`
    """
    import numpy as np

    from mjopt.cli.dataset_run import show_rows
    from mjopt.datasets.reading import sample_rows

    if seed < 0:
        raise DatasetError(f"--seed {seed}, expected 0 or more")
    rng = np.random.default_rng(seed)
    rows = list(sample_rows(Path(folder), number, rng=rng, split=split))
    if json:
        print_json({"seed": seed, "rows": rows})
    else:
        show_rows(rows)
