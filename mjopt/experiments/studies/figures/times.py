"""CPU time of every method."""

from typing import TYPE_CHECKING, Any

from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.summary import Summary
from mjopt.reports.figure import (
    MUTED,
    add_legend,
    log_ticks,
    look,
    name_panel,
    row_panels,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_times(summary: Summary, reading: Reading) -> "Figure":
    """Draw CPU time a hand with and without early stop, a panel for each set."""
    from matplotlib.lines import Line2D

    labels = reading.drawn(summary)
    with styled():
        figure, axes = row_panels(labels, len(summary.sets))
        for panel, hands in zip(axes, summary.sets, strict=True):
            for place, label in enumerate(labels):
                one, style = hands.method(label), look(place)
                means = [
                    (1e6 * sum(values) / len(values), face)
                    for values, face in (
                        (one.seconds_stopped, style.colour),
                        (one.seconds_ran_on, "white"),
                    )
                    if values
                ]
                panel.plot(
                    [mean for mean, _ in means],
                    [place] * len(means),
                    color=style.colour,
                    linewidth=1,
                )
                for mean, face in means:
                    panel.plot(
                        mean,
                        place,
                        marker=style.marker,
                        markersize=6.5,
                        markeredgewidth=1.4,
                        markeredgecolor=style.colour,
                        markerfacecolor=face,
                        linestyle="",
                    )
            panel.set_xscale("log")
            panel.margins(x=0.12)
            log_ticks(panel.xaxis, *panel.get_xlim())
            panel.set_xlabel("CPU time a hand (µs)")
            name_panel(panel, hands.name)
        ink: dict[str, Any] = {
            "marker": "o",
            "markersize": 6.5,
            "linestyle": "",
            "markeredgewidth": 1.4,
            "markeredgecolor": MUTED,
        }
        add_legend(
            figure,
            handles=[Line2D([], [], markerfacecolor=face, **ink) for face in (MUTED, "white")],
            labels=["stopped at the true value", "whole budget"],
        )
        return figure
