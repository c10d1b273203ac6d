"""`mjopt compare`: compare methods on hands whose deficiency is certified."""

from math import inf
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt._internal.sanitize import plain
from mjopt._internal.tables import Row, Table, Value
from mjopt.cli.options import Json, StudySeed, TilesOfHands, Work
from mjopt.cli.output import print_json, print_tables
from mjopt.cli.progress import Bar, waiting
from mjopt.cli.readers import as_recipes, tiles_of_recipes
from mjopt.errors import ArgumentError, FileError
from mjopt.studies.api import make_config
from mjopt.studies.ioh_log import FORMATS, write_ioh_log
from mjopt.studies.report import PairSummary, SetSummary, StudySummary, read_summary, write_report
from mjopt.studies.runner import run_study
from mjopt.studies.study import Study

WHOLE = "µs to the end"
ALL_EVALUATIONS = "evaluations to the end"


def command(
    methods: Annotated[
        list[str] | None,
        Argument(
            help="Methods, such as ndde or ndde:population=50,generations=500 (see mjopt methods), "
            "FILE.py:CLASS, or an optimiser of another package like pymoo:GA. LABEL= sets its "
            "label.",
            metavar="METHOD...",
        ),
    ] = None,
    *,
    hands: Annotated[
        list[str] | None,
        Option(
            help="Hands: one-type, two-type:N, deals:N, a file, ...; RECIPE@N for N of them.",
            metavar="RECIPE|FILE",
        ),
    ] = None,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            help="The folder to write; without methods and hands, the report of its study.",
            metavar="DIR",
        ),
    ] = None,
    runs: Annotated[int, Option(help="Runs of each method on each hand.")] = 10,
    seed: StudySeed = 0,
    tiles: TilesOfHands = None,
    early_stop: Annotated[
        bool,
        Option(
            "--early-stop", help="Stop each run at the certified value, as in the paper's timings."
        ),
    ] = False,
    certificates: Annotated[
        str | None,
        Option(
            help="Labels to certify: all, or a number. [default: all up to 20,000 hands, "
            "else 1,000]"
        ),
    ] = None,
    log: Annotated[
        tuple[str, str] | None,
        Option(
            help="Also write when each search improved, for IOHprofiler: ioh DIR.",
            metavar="FORMAT DIR",
        ),
    ] = None,
    work: Work,
    json: Json = False,
) -> None:
    """Compare methods on hands whose deficiency is certified.

    The folder gets the raw rows (Parquet), report.html, and every table as Markdown, CSV and LaTeX.
    The same command resumes an interrupted run. Methods, hands and runs may be added or left out;
    the rows of a method whose code has changed are recomputed.

    Example: `mjopt compare ndde pso tree-search --hands two-type:1000 -o study`
    """
    if log is not None and log[0] not in FORMATS:
        raise ArgumentError(
            argument="--log", value=str(log[0]), expected=f"{', '.join(FORMATS)}, then a folder"
        )
    if output and not methods and not hands and log is None:
        need(*EXPERIMENTS, extra="experiments")
        study = Study(output)
        if missing := study.missing():
            unit = missing[0]
            raise FileError(
                f"{output}: not complete, {unit.method} on {unit.hand_set}, run {unit.run} "
                "is missing"
            )
        with waiting("writing the report"):
            document = write_report(study)
        _show(study, document, json=json)
        return
    for option, value in (("a METHOD", methods), ("--hands RECIPE", hands), ("-o DIR", output)):
        if not value:
            raise ArgumentError(
                f"{option} is missing: mjopt compare METHOD... --hands RECIPE -o DIR"
            )
    number = _num_certificates(certificates)
    need(*EXPERIMENTS, extra="experiments")  # fail before hours of work
    recipes = as_recipes(hands or ())
    tile_set, why = tiles_of_recipes(tiles, recipes)
    config = make_config(
        methods or (),
        recipes,
        runs=runs,
        seed=seed,
        tiles=tile_set,
        early_stop=early_stop,
        certificates=number,
    )
    workers = work.workers
    with Bar("searching", unit="CPU s", resumes=True) as bar:
        bar.say(f"seed {seed}")
        if why:
            bar.say(why)
        study = run_study(config, Path(output or ""), progress=bar, **workers)
        if log is not None:
            bar.say(f"repeating the searches for {log[1]}")
            write_ioh_log(study, config, log[1], progress=bar, **workers)
        stored = read_summary(study)
        if stored is None:
            bar.say("writing report.html and tables.md")
        document = stored or write_report(study)
    _show(study, document, json=json)


def _num_certificates(text: str | None) -> int | None:
    """Return the number of labels to certify in each set: -1 for all, None for the default."""
    if text not in (None, "all") and not str(text).isdigit():
        raise ArgumentError(argument="--certificates", value=text, expected="all, or a number")
    return None if text is None else -1 if text == "all" else int(text)


def _show(study: Study, document: StudySummary, *, json: bool) -> None:
    """Print the summary of a study."""
    if json:
        hidden = ("version", "layout")
        shown = {key: value for key, value in document.items() if key not in hidden}
        print_json({"folder": str(study.folder), **shown})
        return
    tables = [
        table for hands in document["sets"] for table in (_set_table(hands), _time_table(hands))
    ]
    if document["pairs"]:
        tables.append(_pairs_table(document["pairs"]))
    print_tables(tables)
    print(plain(f"{study.folder}/report.html"))


def _set_table(hands: SetSummary) -> Table:
    micro = {
        name: f"seconds_{way}_early_stop" for name, way in (("µs", "with"), (WHOLE, "without"))
    }
    micro |= {"half in µs": "proof_seconds_median", "95 % in µs": "proof_seconds_ninety_five"}

    def micros(method: Row, key: str) -> float | None:
        if (seconds := method[key]) is None:  # an infinite time to proof, or nothing measured
            is_unproved = key.startswith("proof") and method["proof_share"] is not None
            return inf if is_unproved else None
        return 1e6 * float(seconds)

    rows: list[dict[str, Value]] = [
        {
            "method": method["method"],
            "accuracy": method["accuracy"],
            "low": method["accuracy_low"],
            "high": method["accuracy_high"],
            "too low": method["undershoots"],
            "evaluations": method["mean_evaluations_until_stopped"],
            "proved": method["proof_share"],
            **{name: micros(method, key) for name, key in micro.items()},
        }
        for method in hands["methods"]
    ]
    constant = {"method": hands["baseline"], "accuracy": hands["baseline_accuracy"]}
    rows.append({**dict.fromkeys(rows[0]), **constant})
    return Table(
        name=hands["name"],
        title=f"{hands['name']}: {hands['hands']:,} hands, {hands['certified']:,} certified",
        rows=rows,
        formats=dict.fromkeys(("accuracy", "low", "high", "proved"), ".3%")
        | dict.fromkeys(("evaluations", *micro), ",.1f"),
        notes=(
            "low, high: 95 % interval; evaluations and µs (CPU) to the certified value, failed "
            "runs in full",
            "proved: runs at the certified bound; half, 95 %: search and certificate",
        ),
        optional=(WHOLE, "µs", "too low", "proved", "95 % in µs", "half in µs", "low | high"),
    )


def _time_table(hands: SetSummary) -> Table:
    """Return evaluations and time by deficiency, each method's searches side by side."""
    rows: dict[tuple[Value, Value], dict[str, Value]] = {}
    for row in hands["by_deficiency"]:
        of_method = rows.setdefault(
            (row["method"], row["deficiency"]),
            {
                "method": row["method"],
                "deficiency": row["deficiency"],
                **dict.fromkeys(("hands", "evaluations", "µs", ALL_EVALUATIONS, WHOLE)),
            },
        )
        names = ("evaluations", "µs") if row["early_stop"] else (ALL_EVALUATIONS, WHOLE)
        seconds = row["seconds"]
        of_method[names[0]] = row["evaluations"]
        of_method[names[1]] = None if seconds is None else 1e6 * float(seconds)
        of_method["hands"] = of_method["hands"] if row["early_stop"] is False else row["hands"]
    counts = ("evaluations", "µs", ALL_EVALUATIONS, WHOLE)
    return Table(
        name=f"{hands['name']}-by-deficiency",
        title=f"{hands['name']}: by true deficiency",
        rows=list(rows.values()),
        formats=dict.fromkeys(counts, ",.1f"),
        notes=("means of a hand; report.html has intervals",),
        optional=(WHOLE, ALL_EVALUATIONS, "hands"),
    )


def _pairs_table(pairs: list[PairSummary]) -> Table:
    rows = [
        {
            "set": pair["set"],
            "method": pair["methods"][0],
            "other method": pair["methods"][1],
            "accuracy": pair["accuracies"][0],
            "accuracy of the other": pair["accuracies"][1],
            "p": pair["signed_rank_p"],
            "significant": None if pair["signed_rank_p"] is None else pair["significant"],
        }
        for pair in pairs
    ]
    shares = ("accuracy", "accuracy of the other")
    return Table(
        name="pairs",
        title="Are the differences real?",
        rows=rows,
        formats=dict.fromkeys(shares, ".3%"),
        notes=("p: signed-rank test over hands, Holm-corrected",),
    )
