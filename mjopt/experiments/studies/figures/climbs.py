"""The share of tries solved within so many evaluations."""

from typing import TYPE_CHECKING

import numpy as np

from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.summary import Summary
from mjopt.reports.figure import (
    add_legend,
    log_ticks,
    look,
    name_panel,
    name_rows,
    panels,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_climbs(summary: Summary, reading: Reading) -> "Figure":
    """Draw the ECDF of evaluations to the true value; what is unsolved stays unsolved.

    A curve ends, with its marker, at the last evaluation that solved a try.
    """
    labels = reading.drawn(summary)
    rises = [hands.method(label).climb.at for hands in summary.sets for label in labels]
    ends = [max(int(at), 1) for rise in rises if len(rise) for at in (rise[0], rise[-1])]
    least, most = min(ends, default=1), max(ends, default=1)
    with styled():
        figure, axes = panels(len(summary.sets))
        for panel, hands in zip(axes, summary.sets, strict=True):
            for place, label in enumerate(labels):
                rise, style = hands.method(label).climb, look(place)
                at, share = np.maximum(rise.at, 1), 100 * rise.share
                panel.step(
                    at,
                    share,
                    where="post",
                    color=style.colour,
                    linestyle=style.line,
                    marker=style.marker,
                    markevery=[len(at) - 1] if len(at) else None,
                    markersize=6,
                    label=label,
                )
            panel.set_xscale("log")
            panel.set_ylim(-2, 103)
            log_ticks(panel.xaxis, least, most)
            panel.set_xlabel("evaluations of the cost")
            panel.tick_params(axis="x", labelbottom=True)
            name_panel(panel, hands.name)
        name_rows(axes, "tries solved (%)")
        add_legend(figure, axes[0])
        return figure
