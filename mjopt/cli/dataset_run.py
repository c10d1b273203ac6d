"""What `mjopt dataset` does: bars while it works, tables when it is done."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from mjopt.datasets.building import BuildReport, build
from mjopt.datasets.check import check_dataset
from mjopt.datasets.collection import PAPER, build_collection, datasets_in, paper_plans
from mjopt.datasets.describe import Description
from mjopt.datasets.folder import read_manifest
from mjopt.datasets.plan import DatasetPlan, make_plan

BAR = 30  # columns of the longest bar


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRun:
    """One build, as asked for on the command line.

    Parameters
    ----------
    recipe, options
        What to build.
    folder
        Where.
    jobs, kind, scheduler
        Who builds it.
    quiet
        Show no bar.
    """

    recipe: str
    folder: Path
    options: dict[str, Any]
    jobs: int | None
    kind: str
    scheduler: str | None
    quiet: bool


class _RateColumn(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        """Show the rate, once there is one."""
        return Text(f"{task.speed:,.0f} rows/s" if task.speed else "")


@contextmanager
def _progress(word: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _RateColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task(word, total=total)
        yield lambda rows: progress.advance(task, rows)


def run_build(run: BuildRun) -> dict[str, Any]:
    """Build, and return what was done."""
    plans = (
        paper_plans(**run.options)
        if run.recipe == PAPER
        else [("", make_plan(run.recipe, **run.options))]
    )
    total = sum(plan.num_rows for _, plan in plans)
    try:
        with _progress("building", total, quiet=run.quiet) as advance:
            if run.scheduler:
                how = {"scheduler": run.scheduler, "jobs": run.jobs}
                reports = _build(run, plans, how, advance)
            else:
                jobs = (os.cpu_count() or 1) if run.jobs is None else run.jobs
                reports = _build(run, plans, {"jobs": jobs, "kind": run.kind}, advance)
    except KeyboardInterrupt:
        print("mjopt: interrupted; the same command goes on from there", file=sys.stderr)
        raise
    return {
        "folder": str(run.folder),
        "recipe": run.recipe,
        "seed": run.options["seed"],
        "rows": total,
        "datasets": [
            _built(run.folder / name, plan, report)
            for (name, plan), report in zip(plans, reports, strict=True)
        ],
    }


def _build(
    run: BuildRun,
    plans: list[tuple[str, DatasetPlan]],
    how: dict[str, Any],
    advance: Callable[[int], None],
) -> list[BuildReport]:
    if run.recipe == PAPER:
        return build_collection(plans, run.folder, advance=advance, **how)
    return [build(plans[0][1], run.folder, advance=advance, **how)]


def _built(folder: Path, plan: DatasetPlan, report: BuildReport) -> dict[str, Any]:
    seconds = max(report.seconds, 1e-9)
    return {
        "folder": str(folder),
        "recipe": plan.recipe,
        "engine": plan.engine,
        "rows_by_split": read_manifest(folder)["rows"],
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
        "rows_proved": _proved(folder),
    }


def _proved(folder: Path) -> int:
    return sum(int(record.get("checked", 0)) for record in read_manifest(folder)["shards"])


def show_build(summary: dict[str, Any]) -> None:
    """Print what was built."""
    for found in summary["datasets"]:
        splits = ", ".join(f"{name} {rows:,}" for name, rows in found["rows_by_split"].items())
        print(f"{found['folder']}: {found['recipe']}, seed {summary['seed']}: {splits} rows")
        if not found["rows_now"]:
            print("  complete before; nothing to do")
            continue
        kept = found["shards_done_before"]
        before = f" ({kept} of {found['shards']} shards were done before)" if kept else ""
        print(
            f"  {found['rows_now']:,} rows in {found['seconds']:.1f} s{before}: "
            f"{found['rows_per_second']:,} rows/s, {found['megabytes_per_second']:.2f} MB/s, "
            f"labelling {found['labelling_share']:.0%} of the work, "
            f"at most {sum(found['peak_memory'].values()) / 2**20:,.0f} MiB in all processes"
        )
        if found["rows_proved"]:
            print(f"  {found['rows_proved']} random rows labelled again another way: all agree")


def run_check(folder: Path, *, sample: int, seed: int, quiet: bool) -> list[dict[str, Any]]:
    """Check every dataset in a folder, and return what was found."""
    folders = datasets_in(folder)
    total = sum(read_manifest(path)["plan"].get("rows", 0) for path in folders)
    found = []
    with _progress("checking", total, quiet=quiet) as advance:
        for path in folders:
            report = check_dataset(path, sample=sample, seed=seed, advance=advance)
            found.append({"folder": str(path), **asdict(report)})
    return found


def description_document(found: Description) -> dict[str, Any]:
    """Return a description as plain data."""
    test = found.fit
    value, share = found.baseline
    return {
        "recipe": found.plan.recipe,
        "rows": found.rows,
        "by_deficiency": [
            {
                "deficiency": value,
                "rows": rows,
                "share": rows / found.rows,
                "exact": None if found.expected is None else _exact(found, value),
                "weighted": None if found.weighted is None else found.weighted[value],
            }
            for value, rows in enumerate(found.counts)
        ],
        "always_same_answer": {"deficiency": value, "right": share},
        "chi_squared": None
        if test is None or test.is_certain
        else {
            "statistic": test.statistic,
            "degrees": test.degrees,
            "p_value": test.p_value,
            "rows": test.rows,
            "effect_w": test.effect,
        },
        "exactly_as_counted": bool(test.p_value) if test and test.is_certain else None,
        "labels": {
            name: {"least": low, "mean": mean, "greatest": high}
            for name, low, mean, high in found.labels
        },
    }


def _exact(found: Description, value: int) -> float:
    shares = found.expected or ()
    return float(shares[value]) if value < len(shares) else 0.0


def show_description(found: Description) -> None:
    """Print a description."""
    print(f"{found.plan.recipe}, seed {found.plan.seed}: {found.rows:,} rows")
    extra = f" {'weighted':>10}" if found.weighted else ""
    print(f"{'deficiency':>10} {'rows':>15} {'share':>10} {'exact':>10}{extra}")
    for value, rows in enumerate(found.counts):
        share = rows / found.rows
        exact = "-" if found.expected is None else f"{_exact(found, value):.5%}"
        weighted = f" {found.weighted[value]:>10.5%}" if found.weighted else ""
        bar = "█" * round(BAR * share)
        print(f"{value:>10} {rows:>15,} {share:>10.5%} {exact:>10}{weighted} {bar}".rstrip())
    test = found.fit
    if test is not None and test.is_certain:
        print("exactly as counted" if test.p_value else "NOT what the recipe must give")
    elif test is not None:
        print(
            f"chi-squared {test.statistic:.3f}, {test.degrees} degrees of freedom, "
            f"p = {test.p_value:.4f}, n = {test.rows:,}, w = {test.effect:.2e}"
        )
    value, share = found.baseline
    print(f"always answering {value} is right on {share:.2%}")
    for name, low, mean, high in found.labels:
        print(f"{name}: {low} to {high}, mean {mean:.4f}")


def show_rows(rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    from rich.table import Table

    if not rows:
        return
    table = Table()
    names = [name for name in rows[0] if name not in ("engine", "certificate")]
    for name in names:
        table.add_column(name)
    for row in rows:
        cells = (row[name] for name in names)
        table.add_row(*(" ".join(c) if isinstance(c, list) else str(c) for c in cells))
    console = Console()
    console.print(table, width=None if console.is_terminal else 200)
