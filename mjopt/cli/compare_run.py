"""What `mjopt compare` does: plan, run, report, print."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from mjopt import __version__
from mjopt.cli.options import get_tiles
from mjopt.cli.show import print_json
from mjopt.cli.study_progress import StudyProgress
from mjopt.errors import StudyError
from mjopt.experiments.studies.methods import plan_methods
from mjopt.experiments.studies.plan import Plan
from mjopt.experiments.studies.report import write_report
from mjopt.experiments.studies.running import run_study
from mjopt.experiments.studies.study import Study
from mjopt.experiments.studies.study_hands import read_hand_set
from mjopt.experiments.studies.summary import MethodOnSet, SetSummary, Summary, summarise
from mjopt.runtime.extras import EXPERIMENTS, need


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRun:
    """One comparison as asked for on the command line."""

    methods: tuple[str, ...]
    hands: tuple[str, ...]
    output: str
    runs: int
    seed: int
    tiles: str
    early_stop: bool
    sample: int
    curves: int
    certificates: str | None
    jobs: int | None
    rows_only: bool
    as_json: bool
    quiet: bool

    def __post_init__(self) -> None:
        """Refuse numbers of certificates that are none."""
        if self.certificates not in (None, "all") and not str(self.certificates).isdigit():
            raise StudyError(f"--certificates {self.certificates}: expected all, or a number")

    @property
    def num_certificates(self) -> int | None:
        """How many labels of each set to certify: -1 for all, None for the usual number."""
        if self.certificates is None:
            return None
        return -1 if self.certificates == "all" else int(self.certificates)


def compare(run: CompareRun) -> None:
    """Run the study in its folder, or what is missing of it, and report."""
    need(*EXPERIMENTS, extra="experiments")  # before hours of work, not after
    jobs = (os.cpu_count() or 1) if run.jobs is None else run.jobs
    tile_set = get_tiles(run.tiles)
    methods = plan_methods(run.methods)
    sets = [
        read_hand_set(text, seed=run.seed, tiles=tile_set, certificates=run.num_certificates)
        for text in run.hands
    ]
    plan = Plan(
        methods=methods,
        sets=tuple(hands.planned for hands in sets),
        runs=run.runs,
        seed=run.seed,
        early_stop=run.early_stop,
        sample=run.sample,
        curves=run.curves,
        tiles=run.tiles,
        version=__version__,
    )
    with StudyProgress(jobs=jobs, quiet=run.quiet) as progress:
        progress.say(f"seed {run.seed}")
        study = run_study(plan, sets, Path(run.output), jobs=jobs, watcher=progress)
        if run.rows_only:
            return
        progress.say("writing tables, figures and report.html")
        write_report(study)
    show(study, as_json=run.as_json)


def rebuild_folder(folder: str, *, as_json: bool) -> None:
    """Write the tables and figures of a folder again, from its raw rows alone."""
    need(*EXPERIMENTS, extra="experiments")
    study = Study(folder)
    if (missing := next(study.missing(), None)) is not None:
        raise StudyError(f"{folder}: not complete, {missing.relative_to(folder)} is missing")
    write_report(study)
    show(study, as_json=as_json)


def show(study: Study, *, as_json: bool) -> None:
    """Print what came out."""
    summary = summarise(study)
    if as_json:
        print_json({"folder": str(study.folder), **document(summary)})
        return
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for hands in summary.sets:
        console.print(_table(hands))
    console.print(
        "evaluations and µs (CPU) to the certified value, failed runs with all they spent",
        f"{study.folder}/report.html",
        sep="\n",
        soft_wrap=True,
    )


def document(summary: Summary) -> dict[str, Any]:
    """Return the main numbers of a study as plain data."""
    return {
        "seed": summary.plan.seed,
        "runs": summary.plan.runs,
        "early_stop": summary.plan.early_stop,
        "sets": [
            {
                "name": hands.name,
                "recipe": hands.recipe,
                "hands": hands.hands,
                "certified": hands.certified,
                "always_3_accuracy": hands.baseline.share,
                "methods": [_numbers(one) for one in hands.methods],
            }
            for hands in summary.sets
        ],
    }


def _numbers(one: MethodOnSet) -> dict[str, Any]:
    low, high = one.accuracy.interval()
    return {
        "method": one.label,
        "runs": one.runs,
        "accuracy": one.accuracy.share,
        "accuracy_low": low,
        "accuracy_high": high,
        "undershoots": one.accuracy.below,
        "mean_evaluations_until_stopped": one.effort.mean_until_stopped,
        "seconds_with_early_stop": _mean(one.seconds_stopped),
        "seconds_without_early_stop": _mean(one.seconds_ran_on),
    }


def _mean(values: tuple[float, ...]) -> float | None:
    return fmean(values) if values else None


def _table(hands: SetSummary) -> Table:
    table = Table(
        title=f"{hands.name}: {hands.hands:,} hands, {hands.certified:,} certified",
        title_justify="left",
    )
    table.add_column("method")
    for name in ("accuracy %", "95 % interval", "too low", "evaluations", "µs", "µs to the end"):
        table.add_column(name, justify="right")
    for one in hands.methods:
        found = _numbers(one)
        table.add_row(
            one.label,
            f"{100 * one.accuracy.share:.3f}",
            f"{100 * found['accuracy_low']:.3f}..{100 * found['accuracy_high']:.3f}",
            f"{one.accuracy.below:,}",
            f"{one.effort.mean_until_stopped:,.1f}",
            _micros(found["seconds_with_early_stop"]),
            _micros(found["seconds_without_early_stop"]),
        )
    table.add_row("always 3", f"{100 * hands.baseline.share:.3f}", "", "", "", "", "")
    return table


def _micros(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e6 * seconds:,.1f}"
