"""Reproduce tables and figures of Yan and Li (2023), beside the published ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from mjopt._internal.files import atomic_write, make_folder
from mjopt._internal.plot_style import to_svg
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.tables import Table, export_tables
from mjopt.errors import ArgumentError
from mjopt.studies.config import HandSet, StudyConfig
from mjopt.studies.instances import PAPER_EXAMPLES, read_hand_set
from mjopt.studies.method import parse_method, parse_methods
from mjopt.studies.report import write_report
from mjopt.studies.reproduction.assumptions import assumptions_table
from mjopt.studies.reproduction.figures import figure2, figure3, figure4, figure4_table
from mjopt.studies.reproduction.method_tables import accuracy_table, table7, time_table
from mjopt.studies.reproduction.paper_methods import COMPARED, NDDE, PAPER_METHODS, labels_of
from mjopt.studies.reproduction.parameter_tables import table1, table2
from mjopt.studies.reproduction.published_results import GENERATIONS, POPULATIONS
from mjopt.studies.runner import run_study
from mjopt.studies.study import Study
from mjopt.studies.tallies import tally

TARGETS: Final = tuple(f"table{n}" for n in range(1, 8)) + tuple(f"figure{n}" for n in (2, 3, 4))

TIMED_RUNS: Final = 5
"""Runs of each cell of Table 2; their median is robust against other load of the machine."""

CERTIFICATES: Final = 1000
"""Deficiencies of each set that are certified."""

PAGE: Final = "reproduction.md"

FIGURES: Final = {
    "figure2": (figure2, "grid", "table1"),
    "figure3": (figure3, "times", "table2"),
    "figure4": (figure4, "curves", "figure4"),
}
"""For each figure the function that plots it, its study, and the table above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The size of a reproduction."""

    hands: dict[str, str]  # the recipe of each of the three sets
    runs: int  # runs of each method on each hand in Tables 3 to 7 and Figure 4
    sample: int  # hands of each set that are also run without early stop in these tables
    timed: int  # hands of each set that every cell of Table 2 is timed on, both ways


SCALES: Final = {
    "quick": Scale(
        hands={"one": "one-type@3000", "two": "two-type:2000", "three": "three-type:2000"},
        runs=10,
        sample=300,
        timed=300,
    ),
    "paper": Scale(
        hands={"one": "one-type", "two": "two-type:100000", "three": "three-type:100000"},
        runs=30,
        sample=2000,
        timed=2000,
    ),
}


def read_targets(words: Iterable[str]) -> tuple[str, ...]:
    """Parse the names of tables and figures; return them in the paper's order.

    Examples
    --------
    >>> read_targets(["figure4", "table1"])
    ('table1', 'figure4')
    >>> len(read_targets(["all"]))
    10
    >>> read_targets(["table8"])
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: 'table8', expected table1 ... table7, figure2 ... figure4 or all
    """
    chosen = set()
    for word in words:
        if word not in (*TARGETS, "all"):
            raise ArgumentError(
                repr(word), expected="table1 ... table7, figure2 ... figure4 or all"
            )
        chosen |= set(TARGETS) if word == "all" else {word}
    if not chosen:
        raise ArgumentError(
            "name a table or a figure: table1 ... table7, figure2 ... figure4 or all"
        )
    return tuple(target for target in TARGETS if target in chosen)


def configs_for(
    targets: Iterable[str], scale: Scale, *, seed: int
) -> dict[str, tuple[StudyConfig, frozenset[str]]]:
    """Return by name the studies that some tables and figures need, the quickest first.

    ``curves`` is for Figure 4. ``grid`` is for Table 1 and Figure 2: one run at 500 generations for
    each population, since a run with fewer generations is a prefix of it, with the same random
    numbers; the generation of the first hit gives the accuracy at every budget. ``times`` is for
    Table 2 and Figure 3: every cell timed on a sample, with and without early stop. ``methods`` is
    for Tables 3 to 7. Each has its configuration and the labels of the methods that are needed.
    """
    wanted = set(targets)
    configs: dict[str, tuple[StudyConfig, frozenset[str]]] = {}

    def add(
        name: str,
        methods: Iterable[str],
        sets: tuple[HandSet, ...],
        *,
        only: Iterable[str] = (),
        runs: int,
        early_stop: bool = False,
        sample: int = 0,
        curves: int = 0,
    ) -> None:
        parsed = parse_methods(methods)
        config = StudyConfig(
            methods=parsed,
            sets=sets,
            seed=seed,
            runs=runs,
            early_stop=early_stop,
            sample=sample,
            curves=curves,
        )
        needed = [parse_method(text) for text in only] or parsed
        configs[name] = config, frozenset(method.label for method in needed)

    def three_sets(*, timed: bool = False) -> tuple[HandSet, ...]:
        return tuple(
            read_hand_set(
                f"{recipe.partition('@')[0]}@{scale.timed}" if timed else recipe,
                seed=seed,
                name=f"{types}-type",
                certificates=CERTIFICATES,
            )
            for types, recipe in scale.hands.items()
        )

    if "figure4" in wanted:
        four = [PAPER_METHODS[name] for name in COMPARED[7]]
        six = read_hand_set(PAPER_EXAMPLES, seed=seed)
        add("curves", four, (six,), runs=scale.runs, curves=6)
    if wanted & {"table1", "figure2"}:
        longest = [NDDE.format(population, GENERATIONS[-1]) for population in POPULATIONS]
        add("grid", longest, three_sets(), runs=1, early_stop=True)
    if wanted & {"table2", "figure3"}:
        cells = [NDDE.format(*cell) for cell in product(POPULATIONS, GENERATIONS)]
        sample = scale.timed
        add("times", cells, three_sets(timed=True), runs=TIMED_RUNS, early_stop=True, sample=sample)
    names = {name for number in COMPARED if f"table{number}" in wanted for name in COMPARED[number]}
    if names:
        add(
            "methods",
            PAPER_METHODS.values(),
            three_sets(),
            only=[PAPER_METHODS[name] for name in names],
            runs=scale.runs,
            early_stop=True,
            sample=scale.sample,
        )
    return configs


def reproduce(
    targets: Sequence[str],
    scale: Scale,
    folder: Path,
    *,
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    rows_only: bool = False,
) -> list[Table]:
    """Reproduce tables and figures of the paper.

    Interrupted work resumes; existing rows are not computed again.

    Targets are ``table1`` ... ``table7``, ``figure2`` ... ``figure4``. The folder receives the page
    with tables and figures, and a folder for each study; ``seed`` is that of hands and runs. The
    tables are returned; the data of Figure 4 and the assumptions come last. With ``rows_only``,
    only the raw rows are computed. Other arguments and errors are those of :func:`run_study`.
    """
    progress = progress or NoProgress()
    configs = configs_for(targets, scale, seed=seed)
    make_folder(folder)
    studies = {
        name: run_study(
            config, folder / name, jobs=jobs, scheduler=scheduler, progress=progress, only=only
        )
        for name, (config, only) in configs.items()
    }
    if rows_only:
        return []
    progress.say("writing tables and figures")
    tables = make_tables(targets, studies)
    write_outputs(folder, targets, studies, tables)
    return tables


def make_tables(targets: Sequence[str], studies: Mapping[str, Study]) -> list[Table]:
    """Return the tables for some targets, in the paper's order."""
    tables: list[Table] = []
    if "table1" in targets:
        tables += table1(studies["grid"])
    if "table2" in targets:
        tables += table2(studies["times"])
    numbers = [number for number in COMPARED if f"table{number}" in targets]
    if numbers:
        study = studies["methods"]
        labels = labels_of(study.config)
        only = {labels[name] for number in numbers for name in COMPARED[number]}
        tallies = tally(study, only)
        for number in numbers:
            if number == 7:
                tables.append(table7(study, tallies))
            else:
                make = accuracy_table if number % 2 else time_table
                tables.append(make(study, tallies, number))
    if "figure4" in targets:
        tables.append(figure4_table(studies["curves"]))
    tables.append(assumptions_table())
    return tables


def write_outputs(
    folder: Path,
    targets: Sequence[str],
    studies: Mapping[str, Study],
    tables: Sequence[Table],
) -> None:
    """Write the page, its figures, and the report of the study of methods if it is complete."""
    figures = {
        name: plot(studies[study]) for name, (plot, study, _) in FIGURES.items() if name in targets
    }
    exported = make_folder(folder / "export")
    export_tables(exported, tables)
    for name, figure in figures.items():
        svg = to_svg(figure)
        for place in (folder, exported):
            atomic_write(place / f"{name}.svg", svg)
    methods = studies.get("methods")
    if methods is not None and methods.is_complete:
        write_report(methods)
    atomic_write(folder / PAGE, _page(targets, studies, tables))


def _page(targets: Sequence[str], studies: Mapping[str, Study], tables: Sequence[Table]) -> str:
    """Return a Markdown page with every table and figure."""
    runs = ", ".join(
        f"{name} (seed {study.config.seed}, {study.config.runs} run{'s' * (study.config.runs > 1)})"
        for name, study in studies.items()
    )
    version = next(iter(studies.values())).config.version
    parts = [
        "# Yan and Li (2023), reproduced\n",
        "The tables and figures of section 4 beside ours, made by `mjopt reproduce` with mjopt "
        f"{version}. Studies: {runs}. Their folders hold every raw row. Section 4.3, the games, "
        "is not included.\n",
    ]
    remaining = {table: name for name, (_, _, table) in FIGURES.items() if name in targets}
    for table in tables:
        parts.append(table.to_markdown(2))
        if figure := remaining.pop(table.name, None):
            parts.append(f"![{figure}]({figure}.svg)\n")
    parts += [f"![{figure}]({figure}.svg)\n" for figure in remaining.values()]
    return "\n".join(parts)
