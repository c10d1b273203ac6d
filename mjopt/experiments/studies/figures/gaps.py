"""How far off the wrong values are."""

from math import floor, log10
from typing import TYPE_CHECKING

from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.summary import Summary
from mjopt.reports.figure import (
    INK,
    MUTED,
    add_legend,
    look,
    name_panel,
    name_rows,
    panels,
    styled,
    thousands,
)
from mjopt.reports.table import MINUS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_gaps(summary: Summary, reading: Reading) -> "Figure":
    """Draw the share of values at each signed gap but 0, a panel for each set.

    The scale is logarithmic: values below the deficiency are rare, and matter.
    """
    from matplotlib.patches import Patch
    from matplotlib.ticker import FuncFormatter

    labels = reading.drawn(summary)
    gaps = sorted(
        {
            gap
            for hands in summary.sets
            for label in labels
            for gap in hands.method(label).gaps
            if gap
        }
        | {-1, 1}
    )
    at = {gap: place for place, gap in enumerate(gaps)}
    border = sum(gap < 0 for gap in gaps) - 0.5
    with styled():
        figure, axes = panels(len(summary.sets), height=3.0)
        for panel, hands in zip(axes, summary.sets, strict=True):
            width = 0.8 / len(labels)
            for place, label in enumerate(labels):
                one, style = hands.method(label), look(place)
                shares = {gap: 100 * n / one.tally.tries for gap, n in one.gaps.items() if gap}
                panel.bar(
                    [at[gap] + (place - (len(labels) - 1) / 2) * width for gap in shares],
                    list(shares.values()),
                    width=0.9 * width,
                    color=style.colour,
                    hatch=style.hatch,
                    edgecolor="white",
                    linewidth=0.4,
                )
            panel.axvline(border, color=INK, linewidth=0.8)
            for words, side, shift in (("too low", "right", -4), ("too high", "left", 4)):
                panel.annotate(
                    words,
                    (border, 1),
                    xycoords=("data", "axes fraction"),
                    xytext=(shift, -2),
                    textcoords="offset points",
                    ha=side,
                    va="top",
                    fontsize=7.5,
                    color=MUTED,
                )
            panel.set_yscale("log")
            panel.set_xlim(-0.6, len(gaps) - 0.4)
            panel.set_xticks(range(len(gaps)), [f"{gap:+d}".replace("-", MINUS) for gap in gaps])
            panel.tick_params(axis="x", labelbottom=True)
            panel.grid(axis="x", visible=False)
            panel.set_xlabel("value found less true deficiency")
            name_panel(panel, hands.name)
        shares_drawn = [
            100 * count / hands.method(label).tally.tries
            for hands in summary.sets
            for label in labels
            for gap, count in hands.method(label).gaps.items()
            if gap
        ] or [0.1, 10.0]
        axes[0].set_ylim(10.0 ** floor(log10(min(shares_drawn) / 2)), 3 * max(shares_drawn))
        axes[0].yaxis.set_major_formatter(FuncFormatter(thousands))
        name_rows(axes, "share of values (%)")
        looks = [look(place) for place in range(len(labels))]
        add_legend(
            figure,
            handles=[
                Patch(facecolor=style.colour, hatch=style.hatch, edgecolor="white", linewidth=0.4)
                for style in looks
            ],
            labels=labels,
        )
        return figure
