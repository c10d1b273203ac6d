"""Figures 2 to 4, with the published values where the paper prints numbers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mjopt._internal.report import Cell, Table, make_table, parse_columns
from mjopt.studies.parameter_grids import draw_grid, draw_times_by_population
from mjopt.studies.plots import Panel, draw_convergence, panels_of
from mjopt.studies.reproduction.published_results import published_cell
from mjopt.studies.reproduction.tables import (
    COMPARED,
    WORDS,
    accuracy_cells,
    shown_name,
    time_cells,
)
from mjopt.studies.results import Study
from mjopt.studies.summary import summarise

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GENERATIONS_OF_FIGURE_3 = 50

Cells = dict[str, dict[tuple[int, int], float]]
"""For each set, a value for each (population, generations)."""


def _by_set(table: int, cells: Iterable[tuple[str, int, int, float]]) -> tuple[Cells, Cells]:
    """Return our cells and the published ones, set by set."""
    ours: Cells = {}
    published: Cells = {}
    for types, population, generations, value in cells:
        ours.setdefault(WORDS[types], {})[population, generations] = value
        cell = published_cell(table, types, population, generations)
        published.setdefault(WORDS[types], {})[population, generations] = cell
    return ours, published


def figure2(study: Study) -> "Figure":
    """Draw accuracy over generations for each population, published hollow."""
    cells = ((t, p, g, value.share) for t, p, g, value in accuracy_cells(study))
    ours, published = _by_set(1, cells)
    return draw_grid(ours, published=published)


def figure3(study: Study) -> "Figure":
    """Draw the time per hand over populations at Gmax 50, published in its own panel."""
    cells = ((t, p, g, stopped) for t, p, g, stopped, _ in time_cells(study))
    ours, published = _by_set(2, cells)
    return draw_times_by_population(ours, GENERATIONS_OF_FIGURE_3, published=published)


def _panels(study: Study) -> list[Panel]:
    [hands] = summarise(study).sets
    names = [shown_name(7, name) for name in COMPARED[7]]
    return panels_of(hands, dict(zip(study.methods, names, strict=True)), "H{}", first=1)


def figure4(study: Study) -> "Figure":
    """Draw the mean best value by generation on the paper's hands H1 to H6."""
    return draw_convergence(_panels(study))


def figure4_table(study: Study) -> Table:
    """Return the data of Figure 4; the paper prints no numbers."""
    rows: list[tuple[Cell, ...]] = []
    columns = (0, 1, 5, 10, 20, 50)
    for panel in _panels(study):
        for method, curve in panel.curves.items():
            values = (float(curve[min(at, len(curve) - 1)]) for at in columns)
            rows.append((panel.name, panel.detail, panel.truth, method, *values))
    return make_table(
        "figure4",
        "Figure 4: mean best value by generation",
        parse_columns(
            *("hand", "tiles", "deficiency:count", "method", *(f"{at}:number" for at in columns))
        ),
        rows,
        "Columns are generations; 0 is the first population. "
        f"Mean over {study.config.runs} runs, none stopped early.",
        optional=("1", "20", "5", "10", "deficiency"),
    )
