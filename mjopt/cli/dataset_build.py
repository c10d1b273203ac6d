"""`mjopt dataset build`: build a labelled dataset, or a conformance suite."""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from mjopt._internal.sanitize import plain
from mjopt.audits.conformance import RECIPE as CONFORMANCE
from mjopt.audits.conformance import build_suite, read_hands
from mjopt.cli.options import Json, RuleSetName, Size, TilesOfHands, Work
from mjopt.cli.output import print_json, warn
from mjopt.cli.progress import Bar
from mjopt.cli.readers import as_recipes, tiles_of_recipes
from mjopt.datasets.builder import build as build_dataset
from mjopt.datasets.card import NO_TEXT
from mjopt.datasets.collection import PAPER, build_collection, paper_plans
from mjopt.datasets.labels.registry import BUILTIN
from mjopt.datasets.manifest import read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.planner import PlanOptions, make_plan
from mjopt.datasets.shard import BuildReport
from mjopt.errors import ArgumentError


def build(
    recipe: Annotated[
        str,
        Argument(
            help="one-type, two-type:N, three-type:N, deals:N, distinct:N, "
            "stratified:N[:D=SHARE,...], kongs:N[:K], all, file:PATH, positions:PATH, paper, or "
            "conformance:RULES.",
            metavar="RECIPE",
        ),
    ],
    *,
    output: Annotated[str, Option("--output", "-o", help="The folder.", metavar="DIR")],
    seed: Annotated[int, Option(help="Seed of random recipes.")] = 0,
    shards: Annotated[
        int | None, Option(help="Parts. [default: about a million rows each]", metavar="K")
    ] = None,
    work: Work,
    labels: Annotated[
        str,
        Option(
            help=f"Comma-separated: {', '.join(BUILTIN)}, deficiency:FORM, win_within:N, advice:N, "
            "heuristic:METHOD, danger:PRIOR, FILE.py:NAME; -text leaves out the hands as mpsz text."
        ),
    ] = "deficiency",
    tiles: TilesOfHands = None,
    size: Size = None,
    called: Annotated[int, Option(help="Melds on the table, 0 to 4.")] = 0,
    rules: RuleSetName = None,
    splits: Annotated[str, Option(help="Such as train=0.8,validation=0.1,test=0.1.")] = "train",
    check: Annotated[
        int,
        Option(help="Rows of each shard whose labels are proved by a second method.", metavar="K"),
    ] = 0,
    where: Annotated[
        str,
        Option(help="Keep only hands for which this function is true.", metavar="FILE.py:FUNCTION"),
    ] = "",
    licence: Annotated[
        str | None,
        Option(
            help="SPDX name, such as CC-BY-4.0, or a file with the text. [default: MIT]",
            metavar="NAME|FILE",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Build a labelled dataset; the same command resumes an interrupted build.

    The files depend only on recipe, seed, shards and labels, not on the workers. The command
    with more labels, rows or splits adds them to a dataset that is complete.
    The recipe `paper` builds the three sets of Yan and Li (2023). With `--rules` the labels are
    about the winning forms of a rule set, and the dataset holds their definition. The recipe
    `conformance:RULES` writes the conformance suite of a rule set, for authors of engines.

    Example: `mjopt dataset build deals:1e6 -o hands --labels deficiency,useful --check 20`
    """
    [recipe] = as_recipes([recipe])
    folder, is_paper = Path(output), recipe == PAPER
    if recipe.startswith(CONFORMANCE):
        given = {"--tiles": tiles, "--size": size, "--rules": rules, "--called": called}
        given |= {"--where": where, "--check": check, "--licence": licence, "--seed": seed}
        given |= {"--shards": shards, "--splits": splits != "train"}
        given |= {"--labels": labels != "deficiency"}
        for name in (name for name, value in given.items() if value):
            raise ArgumentError(f"{name} does not go with {recipe}, whose hands are given")
        _build_suite(recipe.removeprefix(CONFORMANCE), folder, work.num_jobs, json=json)
        return
    if is_paper and rules is not None:
        raise ArgumentError(
            "its sets are of M0 and the standard form",
            argument="recipe",
            value=PAPER,
            hint="leave out --rules",
        )
    tile_set, why = (tiles, "") if rules is not None else tiles_of_recipes(tiles, [recipe])
    names = [name.strip() for name in labels.split(",")]
    options: PlanOptions = {
        "tiles": tile_set,
        "size": size,
        "called": called,
        "rules": rules,
        "seed": seed,
        "shards": shards,
        "labels": tuple(name for name in names if name != NO_TEXT),
        "splits": splits,
        "text": NO_TEXT not in names,
        "check": check,
        "where": where,
    }
    plans = paper_plans(**options) if is_paper else [("", make_plan(recipe, **options))]
    total = sum(plan.num_rows for _, plan in plans)
    # A cluster builds one shard for each core at a time.
    jobs = None if work.scheduler else work.num_jobs
    with Bar("building", total, unit="rows", resumes=True) as bar:
        if is_paper:
            reports = build_collection(
                plans,
                folder,
                advance=bar.advance,
                jobs=jobs,
                scheduler=work.scheduler,
                licence=licence,
            )
        else:
            [(_, plan)] = plans
            report = build_dataset(
                plan,
                folder,
                advance=bar.advance,
                jobs=jobs,
                scheduler=work.scheduler,
                licence=licence,
            )
            reports = [report]
    built = [
        _built(folder / name, plan, report)
        for (name, plan), report in zip(plans, reports, strict=True)
    ]
    if json:
        about = {"folder": str(folder), "recipe": recipe, "seed": seed, "rows": total}
        print_json({**about, "datasets": built})
    else:
        _show_build(built, seed)
    if why:
        warn(why)


def _build_suite(rules: str, folder: Path, jobs: int, *, json: bool) -> None:
    """Write the conformance suite of a rule set."""
    with Bar("certifying", len(read_hands(rules)), unit="hands") as bar:
        number = build_suite(rules, folder, jobs=jobs, advance=bar.advance)
    if json:
        print_json({"folder": str(folder), "recipe": f"{CONFORMANCE}{rules}", "rows": number})
    else:
        print(f"{plain(str(folder))}: {number:,} hands of {rules}, each with a certificate")


def _built(folder: Path, plan: DatasetPlan, report: BuildReport) -> dict[str, Any]:
    seconds, manifest = max(report.seconds, 1e-9), read_manifest(folder)
    return {
        "folder": str(folder),
        "recipe": plan.recipe,
        "engine": plan.engine,
        "rows_by_split": manifest["rows"],
        "shards": plan.num_shards,
        "shards_done_before": report.kept_shards,
        "rows_now": report.rows,
        "bytes_now": report.bytes,
        "seconds": round(report.seconds, 3),
        "rows_per_second": round(report.rows / seconds),
        "megabytes_per_second": round(report.bytes / seconds / 1e6, 3),
        "labelling_share": round(report.labelling_share, 4),
        "cpu_seconds": {step: round(value, 3) for step, value in report.steps.items()},
        "peak_memory": {str(k): value for k, value in report.memory.items()},
        "rows_proved": sum(int(record.get("checked", 0)) for record in manifest["shards"]),
    }


def _show_build(datasets: list[dict[str, Any]], seed: int) -> None:
    """Print a summary of the build."""
    for report in datasets:
        splits = ", ".join(f"{name} {rows:,}" for name, rows in report["rows_by_split"].items())
        print(f"{plain(report['folder'])}: {plain(report['recipe'])}, seed {seed}: {splits} rows")
        if not report["rows_now"]:
            print("  already complete; nothing to do")
            continue
        kept = report["shards_done_before"]
        before = f" ({kept} of {report['shards']} shards existed before)" if kept else ""
        print(
            f"  {report['rows_now']:,} rows in {report['seconds']:.1f} s{before}: "
            f"{report['rows_per_second']:,} rows/s, {report['megabytes_per_second']:.2f} MB/s, "
            f"labelling {report['labelling_share']:.0%} of the work, "
            f"at most {sum(report['peak_memory'].values()) / 2**20:,.0f} MiB in all processes"
        )
        if report["rows_proved"]:
            print(f"  {report['rows_proved']} random rows verified by a second method: all agree")
