"""The report of a study: ``report.html``, ``tables.md`` and ``summary.json``."""

import json
from collections.abc import Mapping
from math import isfinite
from statistics import fmean
from typing import Final, TypedDict

from mjopt._internal.files import atomic_write
from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt._internal.report_page import Section
from mjopt._internal.report_page import write_report as write_pages
from mjopt._internal.tables import Row, Table, Value, make_rows
from mjopt._internal.validation import expect
from mjopt._version import __version__
from mjopt.studies.config import CURVES, SAMPLE, StudyConfig
from mjopt.studies.metrics import BASELINE
from mjopt.studies.study import RESULTS, Study

SUMMARY_FILE: Final = "summary.json"
SUMMARY_LAYOUT: Final = 5  # changes with the keys of the file


class SetSummary(TypedDict):
    """The main numbers of a hand set."""

    name: str
    recipe: Value
    hands: Value
    certified: Value
    baseline: str
    baseline_accuracy: Value
    methods: list[Row]
    by_deficiency: list[Row]


class PairSummary(TypedDict):
    """Two methods on a hand set."""

    set: Value
    methods: list[Value]
    accuracies: list[Value]
    significant: Value
    signed_rank_p: Value
    nemenyi_p: Value
    rank_sum_p: Value
    t_test_p: Value


class StudySummary(TypedDict):
    """The content of ``summary.json``."""

    version: str
    layout: int
    seed: int
    runs: int
    early_stop: bool
    sets: list[SetSummary]
    pairs: list[PairSummary]


def result_section(study: Study, name: str) -> Section:
    """Return a result as a section of a report, with its figure."""
    result, frame = RESULTS[name], study.results(name)
    table = Table(
        name=name,
        title=result.title,
        rows=make_rows(frame),
        formats=result.formats,
        notes=(result.note,) if result.note else (),
    )
    is_drawn = result.plot is not None and not frame.empty
    figure = result.plot(frame) if is_drawn else None  # type: ignore[misc]
    return Section(table, figure, has_table=not result.is_plot_only)


def write_report(study: Study) -> StudySummary:
    """Write ``report.html``, ``tables.md`` and ``summary.json`` of a study.

    Every table is also written as CSV and LaTeX, and every figure as SVG, into ``export``.
    The same rows give the same bytes.

    Parameters
    ----------
    study
        A complete study.

    Returns
    -------
    dict
        The content of ``summary.json``.

    Raises
    ------
    FileError
        If raw rows are missing or damaged.
    MissingExtraError
        If the extra ``experiments`` is not installed.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> sorted(write_report(study))[:3]
    ['early_stop', 'layout', 'pairs']
    """
    expect(study, Study, "study")
    need(*EXPERIMENTS, extra="experiments")
    config = study.config
    write_pages(
        study.folder,
        f"Study of {', '.join(study.methods)}",
        [result_section(study, name) for name in RESULTS],
        lead=differences(study),
        closing=[
            "A value is right if it is the true deficiency, which is known for every hand and "
            "hidden from the methods. Figures show the first eight methods.",
            f"mjopt {config.version}, seed {config.seed}. Each method, hand and run has its own "
            "random stream: rows do not depend on the number of processes or the order of work. "
            "Raw rows: hands/*.parquet, rows.parquet, curves.parquet and units.csv. All tables: "
            "tables.md. Tables as CSV and LaTeX, figures as SVG: export. The command that "
            "runs this study, and without methods and hands writes its report again:",
        ],
        command=make_command(config),
    )
    document = summary_document(study)
    atomic_write(study.folder / SUMMARY_FILE, json.dumps(document, indent=1) + "\n")
    return document


def read_summary(study: Study) -> StudySummary | None:
    """Return the stored summary of a study; None if its report is missing or out of date."""
    try:
        document = json.loads((study.folder / SUMMARY_FILE).read_text(encoding="utf-8"))
        is_current = (document["version"], document["layout"]) == (__version__, SUMMARY_LAYOUT)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    written = all((study.folder / name).is_file() for name in ("tables.md", "report.html"))
    return document if is_current and written else None


def differences(study: Study) -> list[str]:
    """Return a sentence for each hand set: the methods that are more accurate than others."""
    pairs, sentences = _rows(study, "pairs"), []
    for name in study.sets if pairs else ():
        worse: dict[str, list[str]] = {}
        of_set = [row for row in pairs if row["set"] == name]
        for row in of_set:
            first, second = str(row["first"]), str(row["second"])
            if row["sign"] == ">":
                worse.setdefault(first, []).append(second)
            elif row["sign"] == "<":
                worse.setdefault(second, []).append(first)
        found = "; ".join(f"{method} than {', '.join(others)}" for method, others in worse.items())
        found = found.replace(" than ", " is right more often than ", 1)
        num_alike = len(of_set) - sum(map(len, worse.values()))
        alike = f"{num_alike} of {len(of_set)} pairs do not differ significantly"
        sentences.append(f"{name}: {found + '; ' if found else ''}{alike}.")
    if sentences:
        sentences[-1] += " This is the signed-rank test over hands, corrected for all pairs."
    return sentences


def make_command(config: StudyConfig) -> str:
    """Return the command that runs a study, with every option."""
    words = ["mjopt compare"]
    words += [method.text for method in config.methods]
    words += [f"--hands {hands.recipe}" for hands in config.sets]
    words += ["-o DIR", f"--runs {config.runs}", f"--seed {config.seed}", f"--tiles {config.tiles}"]
    words += ["--early-stop"] if config.early_stop else []
    proved = [hands.certificates for hands in config.sets]
    is_all = proved == [hands.num_hands for hands in config.sets]
    words.append(f"--certificates {'all' if is_all else max(proved)}")
    if (config.sample, config.curves) != (SAMPLE, CURVES):
        words.append(f"# and in Python sample={config.sample}, curves={config.curves}")
    return " \\\n  ".join(words)


def summary_document(study: Study) -> StudySummary:
    """Return the main numbers of a study: ``summary.json`` and ``mjopt compare --json``."""
    accuracies = {(row["set"], row["method"]): row for row in _rows(study, "accuracy")}
    baselines = {name: str(label) for name, label in accuracies if str(label).startswith(BASELINE)}
    spent = {(row["set"], row["method"]): row for row in _rows(study, "evaluations")}
    tallies = study.tallies
    proofs = {
        (row["set"], row["method"]): {
            name: number for name, number in row.items() if isinstance(number, int | float)
        }
        for row in make_rows(tallies.proofs)
    }
    by_deficiency = make_rows(tallies.deficiencies)
    timed = tallies.times.groupby(["set", "method", "early_stop"])["seconds"]
    times = {key: fmean(seconds) for key, seconds in timed}
    return {
        "version": __version__,
        "layout": SUMMARY_LAYOUT,
        "seed": study.config.seed,
        "runs": study.config.runs,
        "early_stop": study.config.early_stop,
        "sets": [
            {
                "name": str(hands["set"]),
                "recipe": hands["recipe"],
                "hands": hands["hands"],
                "certified": hands["certified"],
                "baseline": baselines[hands["set"]],
                "baseline_accuracy": accuracies[hands["set"], baselines[hands["set"]]]["accuracy"],
                "methods": [
                    {
                        "method": label,
                        "runs": row["runs"],
                        "accuracy": row["accuracy"],
                        "accuracy_low": row["low"],
                        "accuracy_high": row["high"],
                        "undershoots": row["too_low"],
                        "mean_evaluations_until_stopped": spent[name, label]["early_stop"],
                        "seconds_with_early_stop": times.get((name, label, True)),
                        "seconds_without_early_stop": times.get((name, label, False)),
                        **_proof_document(proofs.get((name, label))),
                    }
                    for (name, label), row in accuracies.items()
                    if name == hands["set"] and label in study.methods
                ],
                "by_deficiency": [
                    {name: value for name, value in row.items() if name != "set"}
                    for row in by_deficiency
                    if row["set"] == hands["set"]
                ],
            }
            for hands in _rows(study, "sets")
        ],
        "pairs": [
            {
                "set": row["set"],
                "methods": [row["first"], row["second"]],
                "accuracies": [row["first_accuracy"], row["second_accuracy"]],
                "significant": row["significant"],
                "signed_rank_p": row["signed_rank_p"],
                "nemenyi_p": row["nemenyi_p"],
                "rank_sum_p": row["rank_sum_p"],
                "t_test_p": row["t_test_p"],
            }
            for row in _rows(study, "pairs")
        ],
    }


def _rows(study: Study, name: str) -> list[dict[str, Value]]:
    return make_rows(study.results(name))


def _proof_document(proof: Mapping[str, float] | None) -> dict[str, float | None]:
    """Return the time to proof; None where it was not measured, or too few tries were proved."""
    keys = {
        "proof_seconds_median": "half",
        "proof_seconds_ninety_five": "most",
        "proof_seconds_median_parallel": "half_parallel",
        "proof_seconds_ninety_five_parallel": "most_parallel",
    }
    return {
        "proof_tries": proof["tries"] if proof else 0,
        "proof_share": proof["proved"] / proof["tries"] if proof else None,
        **{
            name: proof[key] if proof and isfinite(proof[key]) else None
            for name, key in keys.items()
        },
    }
