"""The figures of a study; each function plots a result.

Figures show at most eight methods: the first ones of the study.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from mjopt._internal.optional_deps import need
from mjopt._internal.plot_style import (
    INK,
    MUTED,
    PALETTE,
    CurveStyle,
    TextStyle,
    add_legend,
    annotate,
    label_rows,
    make_panels,
    make_row_panels,
    plot_style,
    series_style,
    set_log_ticks,
    set_panel_title,
    thousands,
    wrap_name,
)
from mjopt.statistics import critical_difference
from mjopt.studies.metrics import BASELINE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CORNER: Final = ("data", "axes fraction")
"""Coordinates of an annotation: data across, share of the panel's height upwards."""

MAX_HANDS: Final = 6
"""Hands in a figure of convergence, as in the paper."""


def _methods(table: "pd.DataFrame") -> list[str]:
    """Return the methods to plot."""
    labels = [label for label in table["method"].unique() if not label.startswith(BASELINE)]
    return labels[: len(PALETTE)]


def _by_set(
    axes: "Sequence[Axes]", table: "pd.DataFrame"
) -> "Iterator[tuple[Axes, list[tuple[int, str, pd.DataFrame]], pd.DataFrame]]":
    """Yield the panel of each set, its methods with number, label and rows, and all its rows."""
    labels = _methods(table)
    for panel, (name, rows) in zip(axes, table.groupby("set", sort=False), strict=True):
        set_panel_title(panel, name)
        by_method = ((n, label, rows[rows["method"] == label]) for n, label in enumerate(labels))
        yield panel, [one for one in by_method if len(one[2])], rows


@plot_style()
def plot_accuracy(table: "pd.DataFrame") -> "Figure":
    """Plot a dot with its interval for every method, a panel for each set."""
    figure, axes = make_row_panels(_methods(table), table["set"].nunique())
    lowest = 100.0
    for panel, drawn, rows in _by_set(axes, table):
        panel.set_xlabel(f"accuracy (%) on {thousands(rows['hands'].iloc[0])} hands")
        [constant] = rows[rows["method"].str.startswith(BASELINE)].itertuples()
        base = 100 * constant.accuracy
        panel.axvline(base, color=MUTED, linestyle=(0, (3, 2)), linewidth=1)
        annotate(panel, constant.method, (base, 0), (3, 3), xycoords=CORNER, fontsize=7.5)
        lowest = min(lowest, base)
        for index, _, result in drawn:
            low, high, share = (100 * float(result[c].iloc[0]) for c in ("low", "high", "accuracy"))
            ends = [[share - low], [high - share]]
            panel.errorbar(share, index, xerr=ends, **series_style(index).point)
            # To the right if there is room without crossing the line of the baseline.
            left = share > 80 or 20 <= share <= base < share + 20
            end, away, side = (low, -6, "right") if left else (high, 6, "left")
            style = TextStyle(ha=side, va="center", fontsize=8, color=INK)
            annotate(panel, f"{share:.2f}", (end, index), (away, 0), **style)
            lowest = min(lowest, low)
    axes[0].set_xlim(max(lowest - 12, 0), 102)
    return figure


@plot_style()
def plot_strata(table: "pd.DataFrame") -> "Figure":
    """Plot accuracy with intervals by each property of the hand: a row of panels for each set."""
    properties = list(table["by"].unique())
    figure, axes = make_panels(len(properties) * table["set"].nunique(), height=3.0, share_x=False)
    lowest = 100.0
    for number, ((name, by), rows) in enumerate(table.groupby(["set", "by"], sort=False)):
        panel = axes[number]
        panel.set_xlabel(by)
        set_panel_title(panel, name)
        words = sorted(rows["value"].unique(), key=lambda word: int(word.partition("-")[0]))
        labels = _methods(table)
        for index, label in enumerate(labels):
            own = rows[rows["method"] == label]
            shift = 0.5 * (index - (len(labels) - 1) / 2) / max(len(labels), 4)
            low, high, share = (100 * own[c].to_numpy() for c in ("low", "high", "accuracy"))
            panel.errorbar(
                [words.index(value) + shift for value in own["value"]],
                share,
                yerr=[share - low, high - share],
                elinewidth=1,
                capsize=2,
                label=label,
                **series_style(index).curve,
            )
            lowest = min(lowest, *low)
        panel.set_xticks(range(len(words)), words)
        panel.grid(axis="x", visible=False)
        first = rows[rows["method"] == labels[0]].set_index("value")["hands"]
        for index, word in enumerate(words):
            share_of_hands = f"{100 * first[word] / first.sum():.2g} %"
            at = (index, 1)
            annotate(panel, share_of_hands, at, (0, 2), xycoords=CORNER, ha="center", fontsize=6.5)
        panel.set_title(wrap_name(name), pad=14)
    bottom = 10 * int(lowest / 10) if lowest > 20 else 0
    axes[0].set_ylim(bottom - 0.03 * (100 - bottom), 100 + 0.03 * (100 - bottom))
    label_rows(axes, "accuracy (%)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def plot_by_deficiency(table: "pd.DataFrame") -> "Figure":
    """Plot evaluations and time by deficiency: a row of two panels for each set."""
    whole = table[~table["early_stop"].astype(bool)]
    shown = whole if len(whole) else table
    figure, axes = make_panels(2 * shown["set"].nunique(), height=3.0, share_y=False)
    measures = {
        "evaluations a hand": ("evaluations", "evaluations_low", "evaluations_high"),
        "CPU microseconds a hand": ("microseconds", "low", "high"),
    }
    panels = iter(axes)
    for name, rows in shown.groupby("set", sort=False):
        for title, columns in measures.items():
            panel = next(panels)
            set_panel_title(panel, name)
            panel.set_xlabel("true deficiency")
            panel.set_ylabel(title)
            panel.set_yscale("log")
            for index, label in enumerate(_methods(table)):
                own = rows[rows["method"] == label].dropna(subset=[columns[0]])
                mean, low, high = (own[column].astype(float) for column in columns)
                ends = [(mean - low).fillna(0), (high - mean).fillna(0)]
                style = series_style(index).curve
                at = own["deficiency"] + 0.04 * index
                panel.errorbar(at, mean, yerr=ends, elinewidth=1, capsize=2, label=label, **style)
            values = rows[columns[0]].dropna().astype(float)
            if len(values):
                set_log_ticks(panel.yaxis, max(values.min(), 1e-3), max(values.max(), 1e-3))
            panel.set_xticks(sorted(rows["deficiency"].unique()))
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def plot_solved(table: "pd.DataFrame") -> "Figure | None":
    """Plot the share of tries solved within a number of evaluations, a panel for each set.

    A curve ends, with its marker, at the last evaluation that solved a try.
    """
    if table.empty:
        return None
    figure, axes = make_panels(table["set"].nunique())
    at = table["evaluations"].clip(lower=1)
    for panel, drawn, _ in _by_set(axes, table):
        panel.set_xlabel("evaluations of the cost")
        for index, label, steps in drawn:
            panel.step(
                steps["evaluations"].clip(lower=1),
                100 * steps["solved"],
                where="post",
                markevery=[len(steps) - 1],
                markersize=6,
                label=label,
                **series_style(index).curve,
            )
        panel.set_xscale("log")
        panel.set_ylim(-2, 103)
        set_log_ticks(panel.xaxis, at.min(), at.max())
    label_rows(axes, "tries solved (%)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def plot_ranks(table: "pd.DataFrame") -> "Figure | None":
    """Plot mean ranks over hands on a line, with bars over those that do not differ.

    The best is on the left. There is nothing to plot for one method or one hand.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30, Figure 1.
    """
    rows = table[(table["measure"] == "accuracy") & (table["blocks"] == "hands")]
    labels, blocks = list(rows["method"]), int(rows["num_blocks"].iloc[0])
    if len(labels) < 2 or blocks < 2:
        return None
    need("scikit_posthocs", "pandas", extra="experiments")
    from matplotlib.figure import Figure
    from pandas import DataFrame, Series
    from scikit_posthocs import critical_difference_diagram

    critical = critical_difference(len(labels), blocks)
    values = rows["rank"].to_numpy()
    alike = DataFrame(abs(values[:, None] - values) <= critical, labels, labels, dtype=float)
    span = float(np.ptp(values)) or 1.0
    figure = Figure(figsize=(8, 1.3 + 0.3 * len(labels)))
    axes = figure.subplots()
    axes.grid(visible=False)
    drawn = critical_difference_diagram(
        Series(values, index=labels),
        alike,
        ax=axes,
        label_fmt_left="{label}  {rank:.2f} ",
        label_fmt_right=" {rank:.2f}  {label}",
        elbow_props={"color": INK, "linewidth": 0.9},
        marker_props={"s": 16},
        crossbar_props={"color": INK, "linewidth": 4, "solid_capstyle": "butt"},
        text_h_margin=0.02 * span,
    )
    axes.spines["top"].set_visible(True)
    for [bar] in drawn["crossbars"]:
        # As a set it comes in any order; and two equal ranks have a bar, too.
        ends = np.asarray(bar.get_xdata())
        bar.set_xdata([min(ends) - 0.008 * span, max(ends) + 0.008 * span])
        bar.set_ydata(bar.get_ydata()[:2])
    best = float(values.min())
    axes.plot([best, best + critical], [1.6, 1.6], color=INK, linewidth=1.2, marker="|")
    words = (
        f"mean rank, 1 is best; critical difference {critical:.3g} over {thousands(blocks)} hands"
    )
    annotate(axes, words, (best, 1.6), (0, 6), fontsize=8, color=INK)
    return figure


@plot_style()
def plot_convergence(
    table: "pd.DataFrame", *, over: str = "evaluations", names: Mapping[int, str] | None = None
) -> "Figure | None":
    """Plot mean best value on the first hands of each set, a panel for each hand.

    The table is the result ``convergence``. The axis is ``evaluations``, or ``generation`` as in
    the paper's Figure 4. ``names`` has titles of the panels by hand, if there is one set.
    """
    from matplotlib.ticker import MaxNLocator

    labels = _methods(table)
    panels = [
        panel
        for _, of_set in table.groupby("set", sort=False)
        for panel in list(of_set.groupby(["set", "hand"]))[:MAX_HANDS]
    ]
    if not panels:
        return None
    figure, axes = make_panels(len(panels), height=2.5, share_y=False)
    for panel, ((name, hand), rows) in zip(axes, panels, strict=True):
        truth = int(rows["deficiency"].iloc[0])
        panel.axhline(truth, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        for index, label in enumerate(labels):
            curve, style = rows[rows["method"] == label], series_style(index)
            if curve.empty:
                continue
            if len(curve) == 1:  # a method without generations: one point
                point = CurveStyle(color=style.color, label=label, clip_on=False)
                panel.plot(curve[over], curve["best"], style.marker, **point)
                continue
            every = max(len(curve) // 6, 1)
            panel.plot(
                *(curve[over], curve["best"]),
                **style.curve,
                markevery=every,
                markersize=4,
                label=label,
            )
        shown = rows[rows["method"].isin(labels)]["best"]
        highest = max(truth + 0.5, float(shown.max()))
        # Room for the word below the line, where only faults of the cost are drawn.
        lowest = min(float(shown.min()), truth - 0.22 * (highest - truth))
        panel.set_ylim(lowest, highest + 0.15)
        panel.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
        if over == "evaluations":
            panel.set_xscale("log")
            set_log_ticks(panel.xaxis, *panel.get_xlim())
        else:
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10]))
        below = TextStyle(xycoords=("axes fraction", "data"), ha="right", va="top", fontsize=7)
        annotate(panel, f"deficiency {truth}", (1, truth), (0, -2.5), **below)
        panel.set_xlabel("evaluations of the cost" if over == "evaluations" else over)
        text = rows["text"].iloc[0]
        set_panel_title(panel, *((names[hand], text) if names else (text, name)))
    label_rows(axes, "mean best value")
    fullest = max(axes, key=lambda panel: len(panel.get_legend_handles_labels()[0]))
    add_legend(figure, *fullest.get_legend_handles_labels())
    return figure
