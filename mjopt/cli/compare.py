"""`mjopt compare`: methods against hands whose value is known."""

from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt._internal.sanitize import plain
from mjopt.cli.grid import print_grid
from mjopt.cli.options import Json, RowsOnly, StudySeed, TilesOfHands, Wide, Work, tiles_of_recipes
from mjopt.cli.output import cell, print_json, right
from mjopt.cli.progress import StudyBar, waiting
from mjopt.errors import StudyError
from mjopt.studies.comparing import plan_study
from mjopt.studies.comparisons import (
    Analysis,
    Verdict,
    compare_accuracies,
    judge_pairs,
)
from mjopt.studies.report import write_report
from mjopt.studies.report_words import pair_lines
from mjopt.studies.running import run_study
from mjopt.studies.study import Study
from mjopt.studies.summary import MethodOnSet, SetSummary, Summary, summarise

LESS = ("µs to the end", "µs", "too low", "95 % interval")  # what a narrow terminal leaves out


def command(
    methods: Annotated[
        list[str] | None,
        Argument(
            help="Methods, such as ndde or ndde:population=50,generations=500 (see mjopt methods), "
            "or FILE.py:CLASS; NAME= before it is what it is called.",
            metavar="METHOD...",
        ),
    ] = None,
    *,
    hands: Annotated[
        list[str] | None,
        Option(
            help="Hands: one-type, two-type:N, deals:N, file:PATH, ...; RECIPE@N for N of them.",
            metavar="RECIPE",
        ),
    ] = None,
    output: Annotated[
        str | None, Option("--output", "-o", help="The folder to write.", metavar="DIR")
    ] = None,
    runs: Annotated[int, Option(help="Runs of each method on each hand.")] = 10,
    seed: StudySeed = 0,
    tiles: TilesOfHands = None,
    early_stop: Annotated[
        bool,
        Option("--early-stop", help="Stop each run at the certified value, as the paper times it."),
    ] = False,
    sample: Annotated[int, Option(help="Hands of each set also run the other way.")] = 2000,
    curves: Annotated[int, Option(help="Hands of each set whose convergence is kept.")] = 6,
    certificates: Annotated[
        str | None,
        Option(
            help="Labels to certify: all, or a number. [default: all up to 20,000 hands, "
            "else 1,000]"
        ),
    ] = None,
    rebuild: Annotated[
        str | None, Option(help="Only write tables and figures again.", metavar="DIR")
    ] = None,
    rows_only: RowsOnly = False,
    work: Work,
    wide: Wide = False,
    json: Json = False,
) -> None:
    """Compare methods on hands whose deficiency is certified.

    The folder gets every raw row, then tables (Markdown, CSV, LaTeX), figures (SVG, PNG)
    and one report.html. A run that was stopped goes on when the same command is given
    again; methods, hands and runs may be added or left out, and rows stay until the code
    of their method changes. They are the same for any number of processes.

    Example: `mjopt compare ndde pso tree-search --hands two-type:1000 -o study`
    """
    if rebuild is not None:
        if methods or hands or output:
            raise StudyError("--rebuild DIR stands alone: the folder knows its methods and hands")
        with waiting("writing tables, figures and report.html"):
            study = _rebuilt(rebuild)
        _show(study, wide=wide, json=json)
        return
    for what, given in (("a METHOD", methods), ("--hands RECIPE", hands), ("-o DIR", output)):
        if not given:
            raise StudyError(f"{what} is missing: mjopt compare METHOD... --hands RECIPE -o DIR")
    number = _num_certificates(certificates)
    need(*EXPERIMENTS, extra="experiments")  # before hours of work, not after
    tile_set, why = tiles_of_recipes(tiles, hands or ())
    plan, sets = plan_study(
        methods or (),
        hands or (),
        runs=runs,
        seed=seed,
        tiles=tile_set,
        early_stop=early_stop,
        sample=sample,
        curves=curves,
        certificates=number,
    )
    workers = work.workers()
    with StudyBar(jobs=workers["jobs"], quiet=work.quiet) as bar:
        bar.say(f"seed {seed}")
        if why:
            bar.say(why)
        study = run_study(plan, sets, Path(output or ""), watcher=bar, **workers)
        if rows_only:
            return
        bar.say("writing tables, figures and report.html")
        write_report(study)
    _show(study, wide=wide, json=json)


def _num_certificates(text: str | None) -> int | None:
    """Return how many labels of each set to certify: -1 for all, None for the usual number."""
    if text not in (None, "all") and not str(text).isdigit():
        raise StudyError(f"--certificates {text}: expected all, or a number")
    return None if text is None else -1 if text == "all" else int(text)


def _rebuilt(folder: str) -> Study:
    """Write the tables and figures of a folder again, from its raw rows alone."""
    need(*EXPERIMENTS, extra="experiments")
    study = Study(folder)
    if (missing := next(study.missing(), None)) is not None:
        raise StudyError(f"{folder}: not complete, {missing.relative_to(folder)} is missing")
    write_report(study)
    return study


def _show(study: Study, *, wide: bool, json: bool) -> None:
    """Print what came out."""
    summary = summarise(study)
    verdicts = judge_pairs(summary, compare_accuracies(summary, Analysis()), Analysis())
    if json:
        pairs = [_verdict(one) for one in verdicts]
        print_json({"folder": str(study.folder), **_document(summary), "pairs": pairs})
        return
    for hands in summary.sets:
        title = f"{hands.name}: {hands.hands:,} hands, {hands.certified:,} certified"
        notes = pair_lines(verdicts) if hands is summary.sets[-1] else ()
        print_grid(_table(hands), title=title, notes=notes, less=LESS, wide=wide)
    print("evaluations and µs (CPU) to the certified value, failed runs with all they spent")
    print(plain(f"{study.folder}/report.html"))


def _document(summary: Summary) -> dict[str, Any]:
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


def _verdict(one: Verdict) -> dict[str, Any]:
    """Return what the tests say of a pair on one set."""
    return {
        "set": one.hands,
        "methods": list(one.sides),
        "accuracies": list(one.shares),
        "significant": one.is_significant,
        "signed_rank_p": one.signed_rank.final_p,
        "nemenyi_p": one.nemenyi.final_p,
        "rank_sum_p": one.rank_sum.final_p,
        "t_test_p": one.t_test.final_p,
    }


def _mean(values: tuple[float, ...]) -> float | None:
    return fmean(values) if values else None


def _table(hands: SetSummary) -> Table:
    figures = ["accuracy %", "95 % interval", "too low", "evaluations", "µs", "µs to the end"]
    table = Table("method", *right(figures))
    for one in hands.methods:
        found = _numbers(one)
        table.add_row(
            cell(one.label),
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
