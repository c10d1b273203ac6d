"""Figures 2 to 4, with the published values where the paper prints numbers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mjopt._internal.plot_style import (
    INK,
    CurveStyle,
    add_legend,
    label_rows,
    make_panels,
    plot_style,
    series_style,
    set_panel_title,
    thousands,
)
from mjopt._internal.tables import Row, Table
from mjopt.studies.plots import plot_convergence
from mjopt.studies.reproduction.paper_methods import COMPARED, WORDS, shown_name
from mjopt.studies.reproduction.parameter_tables import accuracy_cells, time_cells
from mjopt.studies.reproduction.published_results import published_cell
from mjopt.studies.study import Study

if TYPE_CHECKING:
    import pandas as pd
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
    """Plot accuracy over generations for each population, published hollow."""
    cells = ((t, p, g, right / tries) for t, p, g, right, _, tries in accuracy_cells(study))
    ours, published = _by_set(1, cells)
    return _plot_grid(ours, published=published)


def figure3(study: Study) -> "Figure":
    """Plot the time per hand over populations at Gmax 50, published in its own panel."""
    cells = ((t, p, g, stopped) for t, p, g, stopped, _ in time_cells(study))
    ours, published = _by_set(2, cells)
    return _plot_times_by_population(ours, GENERATIONS_OF_FIGURE_3, published=published)


def _convergence(study: Study) -> "pd.DataFrame":
    """Return the convergence on the paper's hands, with the paper's names of methods and hands."""
    frame = study.results("convergence")
    names = [shown_name(7, name) for name in COMPARED[7]]
    frame["method"] = frame["method"].map(dict(zip(study.methods, names, strict=True)))
    frame["name"] = [f"H{hand + 1}" for hand in frame["hand"]]
    return frame


def figure4(study: Study) -> "Figure":
    """Plot the mean best value by generation on the paper's hands H1 to H6."""
    frame = _convergence(study)
    names = dict(zip(frame["hand"], frame["name"], strict=True))
    figure = plot_convergence(frame, over="generation", names=names)
    assert figure is not None  # the study has curves
    return figure


def figure4_table(study: Study) -> Table:
    """Return the data of Figure 4; the paper prints no numbers."""
    rows: list[Row] = []
    columns = (0, 1, 5, 10, 20, 50)
    frame = _convergence(study)
    for (name, text, deficiency), of_hand in frame.groupby(["name", "text", "deficiency"]):
        for method, curve in of_hand.groupby("method", sort=False):
            best = curve["best"].tolist()
            means = {str(at): best[min(at, len(best) - 1)] for at in columns}
            head = {"hand": name, "tiles": text, "deficiency": int(deficiency), "method": method}
            rows.append({**head, **means})
    return Table(
        name="figure4",
        title="Figure 4: mean best value by generation",
        rows=rows,
        formats=dict.fromkeys(map(str, columns), ".2f"),
        notes=(
            "Columns are generations; 0 is the first population. "
            f"Mean over {study.config.runs} runs, none stopped early.",
        ),
        optional=("1", "20", "5", "10", "deficiency"),
    )


@plot_style()
def _plot_grid(
    sets: Cells,
    *,
    published: Cells | None = None,
) -> "Figure":
    """Plot a line for each population over generations, a panel for each set: Figure 2.

    Accuracies are in 0..1. Published values are drawn hollow and dashed; only sets of the same
    name.
    """
    from matplotlib.lines import Line2D
    from matplotlib.ticker import NullLocator

    hollow = CurveStyle(linestyle=(0, (2, 2)), linewidth=1, markerfacecolor="white")
    populations = sorted({population for cells in sets.values() for population, _ in cells})
    figure, axes = make_panels(len(sets), height=3.0)
    for panel, (name, cells) in zip(axes, sets.items(), strict=True):
        for index, population in enumerate(populations):
            style = series_style(index)
            own = CurveStyle(color=style.color, marker=style.marker)
            solid = CurveStyle(label=f"population {population}")
            for values, options in ((cells, solid), ((published or {}).get(name, {}), hollow)):
                row = sorted((g, 100 * v) for (p, g), v in values.items() if p == population)
                if row:
                    panel.plot(*zip(*row, strict=True), **(own | options))
        ticks = sorted({generations for _, generations in cells})
        panel.set_xscale("log")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.set_xlabel("generations")
        set_panel_title(panel, name)
    label_rows(axes, "accuracy (%)")
    if published:
        sample = CurveStyle(color=INK, marker="o", label="published")
        axes[0].add_line(Line2D([], [], **(sample | hollow)))
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def _plot_times_by_population(
    sets: Cells,
    generations: int,
    *,
    published: Cells | None = None,
) -> "Figure":
    """Plot the seconds a hand over populations, a line for each set: Figure 3.

    ``generations`` chooses the cells to draw. Published values have a separate panel, since they
    are from another machine.
    """
    pictures = {"measured": sets} | ({"published": published} if published else {})
    figure, axes = make_panels(len(pictures), share_y=False, height=3.0)
    for panel, (whose, cells_of) in zip(axes, pictures.items(), strict=True):
        lines = {
            name: {p: 1e6 * v for (p, g), v in sorted(cells.items()) if g == generations}
            for name, cells in cells_of.items()
        }
        for index, (name, times) in enumerate(lines.items()):
            panel.plot(list(times), list(times.values()), label=name, **series_style(index).curve)
        panel.margins(y=0.1)
        panel.set_ylim(bottom=0)
        panel.set_xticks(sorted({p for times in lines.values() for p in times}))
        panel.yaxis.set_major_formatter(thousands)
        panel.set_xlabel("population")
        set_panel_title(panel, whose if len(pictures) > 1 else "")
    label_rows(axes, "CPU time a hand (µs)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
