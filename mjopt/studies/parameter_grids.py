"""Grids of one heuristic over populations and generations: tables and figures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from mjopt._internal.plot_style import (
    INK,
    add_legend,
    label_rows,
    make_panels,
    plot_style,
    series_style,
    set_log_ticks,
    set_panel_title,
    thousands,
)
from mjopt._internal.report import Cell, Table, make_table, parse_columns
from mjopt.studies.summary import MethodResult, Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cells = Mapping[tuple[int, int], float]
"""A value for each (population, generations)."""

MEASURES: Final = {"accuracy": ("accuracy (%)", 100.0), "time": ("CPU time a hand (µs)", 1e6)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One heuristic over a grid of populations and generations."""

    name: str  # in the registry
    slug: str  # a unique name for files
    labels: Mapping[tuple[int, int], str]  # of each (population, generations) of the study

    @property
    def populations(self) -> tuple[int, ...]:
        """The population sizes, ascending."""
        return tuple(sorted({population for population, _ in self.labels}))

    @property
    def generations(self) -> tuple[int, ...]:
        """The numbers of generations, ascending."""
        return tuple(sorted({generations for _, generations in self.labels}))


def grids(summary: Summary) -> tuple[Grid, ...]:
    """Return the grids of a study: at least two populations by two numbers of generations."""
    families: dict[tuple[str, tuple[tuple[str, str], ...]], dict[tuple[int, int], str]] = {}
    for method in summary.config.methods:
        values = dict(method.parameters)
        population, generations = (values.pop(name, None) for name in ("population", "generations"))
        if isinstance(population, int) and isinstance(generations, int):
            others = tuple(sorted((key, repr(value)) for key, value in values.items()))
            family = families.setdefault((method.name, others), {})
            family[population, generations] = method.label
    result: list[Grid] = []
    for (name, _), labels in families.items():
        slug = f"grid-{name}".replace("_", "-").lower()
        number = sum(grid.name == name for grid in result)
        grid = Grid(name=name, slug=f"{slug}-{number + 1}" if number else slug, labels=labels)
        if len(grid.populations) > 1 and len(grid.generations) > 1:
            result.append(grid)
    return tuple(result)


def grid_tables(summary: Summary, grid: Grid) -> tuple[Table, Table]:
    """Return accuracy and time over populations and generations, as the paper's Tables 1 and 2."""

    def table(name: str, title: str, form: str, of: Callable[[MethodResult], Cell]) -> Table:
        early_stop = "with" if summary.config.early_stop else "without"
        early = f" Runs {early_stop} early stop." if name == "times" else ""
        return make_table(
            f"{grid.slug}-{name}",
            f"{title} of {grid.name} by population and generations",
            parse_columns("set", "population:count", *(f"{g}:{form}" for g in grid.generations)),
            (
                (
                    *(hands.name, population),
                    *(
                        of(hands.method(label)) if label else None
                        for label in (grid.labels.get((population, g)) for g in grid.generations)
                    ),
                )
                for hands in summary.sets
                for population in grid.populations
            ),
            f"Columns are numbers of generations.{early}",
        )

    return (
        table("accuracy", "Accuracy", "percent:3", lambda result: result.accuracy.share),
        table("times", "CPU time a hand", "micros:1", lambda result: result.mean_seconds),
    )


@plot_style()
def draw_grid(
    sets: Mapping[str, Cells],
    *,
    published: Mapping[str, Cells] | None = None,
    measure: Literal["accuracy", "time"] = "accuracy",
) -> "Figure":
    """Draw a line for each population over generations, a panel for each set: Figure 2.

    Parameters
    ----------
    sets
        For each set its accuracies (in 0..1) or times (in seconds).
    published
        Published values for comparison, drawn hollow and dashed; only sets of the same name.
    measure
        ``accuracy`` or ``time``.
    """
    from matplotlib.lines import Line2D
    from matplotlib.ticker import NullLocator

    title, scale = MEASURES[measure]
    hollow: dict[str, Any] = {"linestyle": (0, (2, 2)), "linewidth": 1, "markerfacecolor": "white"}
    populations = sorted({population for cells in sets.values() for population, _ in cells})
    figure, axes = make_panels(len(sets), height=3.0)
    for panel, (name, cells) in zip(axes, sets.items(), strict=True):
        for index, population in enumerate(populations):
            own: dict[str, Any] = {
                "color": series_style(index).color,
                "marker": series_style(index).marker,
            }
            solid = {"label": f"population {population}"}
            for values, options in ((cells, solid), ((published or {}).get(name, {}), hollow)):
                row = sorted((g, scale * v) for (p, g), v in values.items() if p == population)
                if row:
                    panel.plot(*zip(*row, strict=True), **own, **options)
        ticks = sorted({generations for _, generations in cells})
        panel.set_xscale("log")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.set_xlabel("generations")
        if measure == "time":
            panel.set_yscale("log")
            set_log_ticks(panel.yaxis, *panel.get_ylim())
        set_panel_title(panel, name)
    label_rows(axes, title)
    if published:
        axes[0].add_line(Line2D([], [], color=INK, marker="o", label="published", **hollow))
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def draw_times_by_population(
    sets: Mapping[str, Cells],
    generations: int,
    *,
    published: Mapping[str, Cells] | None = None,
) -> "Figure":
    """Draw the time a hand over populations, a line for each set: Figure 3.

    Parameters
    ----------
    sets
        For each set the seconds a hand.
    generations
        Number of generations of the cells to draw.
    published
        Published values for comparison, in a separate panel since they are from another machine.
    """
    title, scale = MEASURES["time"]
    pictures = {"measured": sets} | ({"published": published} if published else {})
    figure, axes = make_panels(len(pictures), share_y=False, height=3.0)
    for panel, (whose, cells_of) in zip(axes, pictures.items(), strict=True):
        lines = {
            name: {p: scale * v for (p, g), v in sorted(cells.items()) if g == generations}
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
    label_rows(axes, title)
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
