"""Accuracy and time over populations and generations."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from mjopt.reports.figure import (
    INK,
    add_legend,
    log_ticks,
    look,
    name_panel,
    name_rows,
    panels,
    styled,
    thousands,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cells = Mapping[tuple[int, int], float]
"""A value for each (population, generations)."""

AXES = {
    "accuracy": ("accuracy (%)", 100.0),
    "time": ("CPU time a hand (µs)", 1e6),
}


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
        Values to set beside them, drawn hollow and dashed; only sets named alike.
    measure
        ``accuracy`` or ``time``.
    """
    title, scale = AXES[measure]
    populations = sorted({population for cells in sets.values() for population, _ in cells})
    with styled():
        from matplotlib.lines import Line2D
        from matplotlib.ticker import NullLocator

        figure, axes = panels(len(sets), height=3.0)
        for panel, (name, cells) in zip(axes, sets.items(), strict=True):
            for place, population in enumerate(populations):
                style = look(place)
                for values, is_ours in ((cells, True), ((published or {}).get(name, {}), False)):
                    row = sorted((g, v) for (p, g), v in values.items() if p == population)
                    if row:
                        panel.plot(
                            [g for g, _ in row],
                            [scale * value for _, value in row],
                            color=style.colour,
                            linestyle="-" if is_ours else (0, (2, 2)),
                            linewidth=1.6 if is_ours else 1,
                            marker=style.marker,
                            markerfacecolor=style.colour if is_ours else "white",
                            label=f"population {population}" if is_ours else None,
                        )
            ticks = sorted({generations for _, generations in cells})
            panel.set_xscale("log")
            panel.xaxis.set_minor_locator(NullLocator())
            panel.set_xticks(ticks, [str(tick) for tick in ticks])
            panel.tick_params(axis="x", labelbottom=True)
            panel.set_xlabel("generations")
            if measure == "time":
                panel.set_yscale("log")
                log_ticks(panel.yaxis, *panel.get_ylim())
            name_panel(panel, name)
        name_rows(axes, title)
        if published:
            hollow = Line2D(
                [], [], color=INK, marker="o", markerfacecolor="white", linewidth=1,
                linestyle=(0, (2, 2)), label="published",
            )  # fmt: skip
            axes[0].add_line(hollow)
        add_legend(figure, axes[0])
        return figure


def draw_times_by_population(
    sets: Mapping[str, Mapping[int, float]],
    *,
    published: Mapping[str, Mapping[int, float]] | None = None,
) -> "Figure":
    """Draw the time a hand over populations, a line for each set: Figure 3.

    Parameters
    ----------
    sets
        For each set the seconds a hand at each population.
    published
        Values to set beside them, in a panel of their own: another machine's.
    """
    pictures = {"measured": sets} | ({"published": published} if published else {})
    with styled():
        figure, axes = panels(len(pictures), share_y=False, height=3.0)
        for panel, (title, lines) in zip(axes, pictures.items(), strict=True):
            for place, (name, values) in enumerate(lines.items()):
                style = look(place)
                panel.plot(
                    list(values),
                    [1e6 * seconds for seconds in values.values()],
                    color=style.colour,
                    linestyle=style.line,
                    marker=style.marker,
                    label=name,
                )
            panel.margins(y=0.1)
            panel.set_ylim(bottom=0)
            panel.set_xticks(sorted({p for values in lines.values() for p in values}))
            panel.tick_params(axis="x", labelbottom=True)
            panel.yaxis.set_major_formatter(thousands)
            panel.set_xlabel("population")
            name_panel(panel, title if len(pictures) > 1 else "")
        name_rows(axes, "CPU time a hand (µs)")
        add_legend(figure, axes[0])
        return figure
