"""The best value found, generation by generation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mjopt.reports.figure import (
    MUTED,
    add_legend,
    look,
    name_panel,
    name_rows,
    panels,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """One hand.

    Parameters
    ----------
    name, detail
        Written above it: a short name, and the hand.
    truth
        Its deficiency.
    curves
        For each method the mean best value after each generation, from generation 0.
    """

    name: str
    detail: str
    truth: int
    curves: Mapping[str, NDArray[np.float64]]


def draw_convergence(hands: Sequence[Panel], *, most_columns: int = 3) -> "Figure":
    """Draw mean best value by generation, a panel for each hand, as the paper's Figure 4.

    Methods have the same look in every panel.
    """
    labels = list(dict.fromkeys(label for hand in hands for label in hand.curves))
    with styled():
        from matplotlib.ticker import MaxNLocator

        figure, axes = panels(len(hands), height=2.5, most_columns=most_columns, share_y=False)
        for panel, hand in zip(axes, hands, strict=True):
            panel.axhline(hand.truth, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
            for label, curve in hand.curves.items():
                style = look(labels.index(label))
                if len(curve) == 1:  # a method without generations: one point
                    panel.plot(
                        0, curve[0], style.marker, color=style.colour, label=label, clip_on=False
                    )
                    continue
                panel.plot(
                    np.arange(len(curve)),
                    curve,
                    color=style.colour,
                    linestyle=style.line,
                    marker=style.marker,
                    markevery=max(len(curve) // 6, 1),
                    markersize=4,
                    label=label,
                )
            highest = max(float(curve.max()) for curve in hand.curves.values())
            lowest = min(float(curve.min()) for curve in hand.curves.values())
            # Room for the word below the line, where only faults of the cost are drawn.
            bottom = min(lowest, hand.truth - 0.22 * (max(highest, hand.truth + 0.5) - hand.truth))
            panel.set_ylim(bottom, max(highest, hand.truth + 0.5) + 0.15)
            panel.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10]))
            panel.annotate(
                f"deficiency {hand.truth}",
                (1, hand.truth),
                xycoords=("axes fraction", "data"),
                xytext=(0, -2.5),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=7,
                color=MUTED,
            )
            panel.tick_params(axis="x", labelbottom=True)
            panel.set_xlabel("generation")
            name_panel(panel, hand.name, detail=hand.detail)
        name_rows(axes, "mean best value")
        fullest = max(range(len(axes)), key=lambda place: len(hands[place].curves))
        add_legend(figure, axes[fullest])
        return figure
