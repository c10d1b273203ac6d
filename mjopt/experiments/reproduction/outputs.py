"""The files of a reproduction, from its raw rows alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mjopt.experiments.reproduction.choices import choices_table
from mjopt.experiments.reproduction.figures import figure2, figure3, figure4, figure4_table
from mjopt.experiments.reproduction.grid_tables import table1, table2
from mjopt.experiments.reproduction.rank_table import table7
from mjopt.experiments.reproduction.run_tables import accuracy_table, time_table
from mjopt.experiments.studies.figures import save_figure
from mjopt.experiments.studies.report.report import write_report
from mjopt.experiments.studies.study import Study
from mjopt.reports.table import Table
from mjopt.reports.table_files import to_markdown, write_table
from mjopt.runtime.folder import write_whole

PAGE: Final = "reproduction.md"
FIGURE_AFTER: Final = {"table1": "figure2", "table2": "figure3", "figure4": "figure4"}


def tables_of(targets: Sequence[str], studies: Mapping[str, Study]) -> list[Table]:
    """Return the tables behind some targets, in the paper's order."""
    tables: list[Table] = []
    if "table1" in targets:
        tables += table1(studies["grid"])
    if "table2" in targets:
        tables += table2(studies["times"])
    for number in (3, 4, 5, 6):
        if f"table{number}" in targets:
            make = accuracy_table if number % 2 else time_table
            tables.append(make(studies["methods"], number))
    if "table7" in targets:
        tables.append(table7(studies["methods"]))
    if "figure4" in targets:
        tables.append(figure4_table(studies["curves"]))
    tables.append(choices_table())
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
    for name, draw, study in (
        ("figure2", figure2, "grid"),
        ("figure3", figure3, "times"),
        ("figure4", figure4, "curves"),
    ):
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
    for table in tables:
        figure = FIGURE_AFTER.get(table.name)
        if not table.name.endswith("-cells"):
            parts.append(to_markdown(table).replace("### ", "## ", 1))
        if figure in targets:
            parts.append(f"![{figure}](figures/{figure}.svg)\n")
    shown = {FIGURE_AFTER.get(table.name) for table in tables}
    parts += [
        f"![{name}](figures/{name}.svg)\n"
        for name in targets
        if name.startswith("figure") and name not in shown
    ]
    return "\n".join(parts)
