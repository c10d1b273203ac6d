"""Run what a table or figure of the paper needs, and write ours beside the published."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from mjopt._internal.folder import write_whole
from mjopt._internal.progress import Quiet, Watcher
from mjopt.errors import StudyError
from mjopt.reports.figure import save_figure
from mjopt.reports.table import Table
from mjopt.reports.table_formats import to_markdown, write_table
from mjopt.studies.report import write_report
from mjopt.studies.reproduction.left_open import left_open_table
from mjopt.studies.reproduction.paper_figures import figure2, figure3, figure4, figure4_table
from mjopt.studies.reproduction.plans import COMPARED, Scale, studies_behind
from mjopt.studies.reproduction.tables import (
    accuracy_table,
    labels_of,
    table1,
    table2,
    table7,
    time_table,
)
from mjopt.studies.running import open_rest
from mjopt.studies.study import Study
from mjopt.studies.summary import summarise

PAGE: Final = "reproduction.md"
FIGURES: Final = {
    "figure2": (figure2, "grid", "table1"),
    "figure3": (figure3, "times", "table2"),
    "figure4": (figure4, "curves", "figure4"),
}
"""What draws each figure, of which study, and the table that it stands below."""


def reproduce(
    targets: Sequence[str],
    scale: Scale,
    folder: Path,
    *,
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    watcher: Watcher | None = None,
    rows_only: bool = False,
) -> list[Table]:
    """Reproduce tables and figures of the paper.

    What is there already is not made again; a run that was stopped goes on.

    Parameters
    ----------
    targets
        ``table1`` ... ``table7``, ``figure2`` ... ``figure4``.
    scale
        How much is run.
    folder
        Where everything goes: a folder for each study, ``tables`` and ``figures``.
    seed
        Of hands and runs.
    jobs, scheduler
        Who works, as for `run_study`.
    watcher
        Is told how it goes.
    rows_only
        Make the raw rows and stop there.

    Returns
    -------
    list of Table
        The tables, those behind Figure 4 and the list of choices last.

    Raises
    ------
    StudyError, FileError
        As for `mjopt.studies.running.run_study`.
    """
    watcher = watcher or Quiet()
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file, expected a folder")
    needed = studies_behind(targets, scale, seed=seed)
    studies: dict[str, Study] = {}
    with ExitStack() as stack:
        how: dict[str, Any] = {"jobs": jobs, "scheduler": scheduler, "watcher": watcher}
        rests = [
            stack.enter_context(
                open_rest(one.plan, one.sets, folder / one.name, only=one.only, **how)
            )
            for one in needed
        ]
        watcher.begin(sum(rest.expected_seconds for rest in rests))
        for one, rest in zip(needed, rests, strict=True):
            rest.run()
            studies[one.name] = rest.study
    if rows_only:
        return []
    watcher.say("writing tables and figures")
    tables = tables_of(targets, studies)
    write_outputs(folder, targets, studies, tables)
    return tables


def tables_of(targets: Sequence[str], studies: Mapping[str, Study]) -> list[Table]:
    """Return the tables behind some targets, in the paper's order."""
    tables: list[Table] = []
    if "table1" in targets:
        tables += table1(studies["grid"])
    if "table2" in targets:
        tables += table2(studies["times"])
    numbers = [number for number in COMPARED if f"table{number}" in targets]
    if numbers:
        study = studies["methods"]
        labels = labels_of(study.plan)
        only = {labels[name] for number in numbers for name in COMPARED[number]}
        summary = summarise(study, only=only)
        for number in numbers:
            if number == 7:
                tables.append(table7(summary))
            else:
                tables.append((accuracy_table if number % 2 else time_table)(summary, number))
    if "figure4" in targets:
        tables.append(figure4_table(studies["curves"]))
    tables.append(left_open_table())
    return tables


def write_outputs(
    folder: Path,
    targets: Sequence[str],
    studies: Mapping[str, Study],
    tables: Sequence[Table],
) -> None:
    """Write tables and figures; the same rows give the same bytes."""
    for name in ("tables", "figures"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for table in tables:
        write_table(folder / "tables", table)
    for name, (draw, study, _) in FIGURES.items():
        if name in targets:
            save_figure(folder / "figures", name, draw(studies[study]))
    methods = studies.get("methods")
    if methods is not None and methods.is_complete:
        write_report(methods)
    write_whole(folder / PAGE, _page(targets, studies, tables).encode())


def _page(targets: Sequence[str], studies: Mapping[str, Study], tables: Sequence[Table]) -> str:
    """Return one page with every table and figure."""
    runs = ", ".join(
        f"{name} (seed {study.plan.seed}, {study.plan.runs} run{'s' * (study.plan.runs > 1)})"
        for name, study in studies.items()
    )
    parts = [
        "# Yan and Li (2023), made again\n",
        "The tables and figures of section 4 beside ours, made by `mjopt reproduce` with mjopt "
        f"{next(iter(studies.values())).plan.version}. Studies: {runs}. Every raw row is in their "
        "folders. Section 4.3, the games, is not here.\n",
    ]
    left = {table: name for name, (_, _, table) in FIGURES.items() if name in targets}
    for table in tables:
        if not table.name.endswith("-cells"):
            parts.append(to_markdown(table).replace("### ", "## ", 1))
        if figure := left.pop(table.name, None):
            parts.append(f"![{figure}](figures/{figure}.svg)\n")
    parts += [f"![{figure}](figures/{figure}.svg)\n" for figure in left.values()]
    return "\n".join(parts)
