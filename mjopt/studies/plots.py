"""The figures of a study; each function draws one and returns it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt._internal.plot_style import (
    INK,
    MUTED,
    SeriesStyle,
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
from mjopt._internal.report import MINUS
from mjopt.errors import StudyError
from mjopt.studies.summary import BASELINE, STRATA, MethodResult, SetResult, Summary
from mjopt.studies.tables import plotted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CORNER: Final = ("data", "axes fraction")
"""Coordinates of an annotation: data across, share of the panel's height upwards."""


def _by_set(
    axes: "Sequence[Axes]", summary: Summary, below: str
) -> Iterator[tuple["Axes", SetResult, list[tuple[int, MethodResult, SeriesStyle]]]]:
    """Yield each set with its titled panel and the plotted methods with their styles."""
    labels = plotted(summary)
    for panel, hands in zip(axes, summary.sets, strict=True):
        panel.set_xlabel(below.format(hands=thousands(hands.hands)))
        set_panel_title(panel, hands.name)
        yield (
            panel,
            hands,
            [(n, hands.method(label), series_style(n)) for n, label in enumerate(labels)],
        )


@plot_style()
def draw_accuracy(summary: Summary) -> "Figure":
    """Draw a dot with its interval for every method, a panel for each set."""
    figure, axes = make_row_panels(plotted(summary), len(summary.sets))
    lowest = 100.0
    for panel, hands, drawn in _by_set(axes, summary, "accuracy (%) on {hands} hands"):
        base = 100 * hands.baseline.share
        panel.axvline(base, color=MUTED, linestyle=(0, (3, 2)), linewidth=1)
        annotate(panel, f"always {BASELINE}", (base, 0), (3, 3), xycoords=CORNER, fontsize=7.5)
        lowest = min(lowest, base)
        for index, result, style in drawn:
            low, high = result.accuracy.interval()
            share = 100 * result.accuracy.share
            ends = [[share - 100 * low], [100 * high - share]]
            panel.errorbar(share, index, xerr=ends, **style.point)
            # To the right if there is room without crossing the line of the baseline.
            left = share > 80 or 20 <= share <= base < share + 20
            end, away, side = (low, -6, "right") if left else (high, 6, "left")
            options: dict[str, Any] = {"ha": side, "va": "center", "fontsize": 8, "color": INK}
            annotate(panel, f"{share:.2f}", (100 * end, index), (away, 0), **options)
            lowest = min(lowest, 100 * low)
    axes[0].set_xlim(max(lowest - 12, 0), 102)
    return figure


@plot_style()
def draw_strata(summary: Summary, stratum: str) -> "Figure":
    """Draw accuracy with intervals by a property of the hand, a panel for each set.

    Parameters
    ----------
    summary
        The study.
    stratum
        A key of `STRATA`.
    """
    labels = plotted(summary)
    keys = sorted({key for hands in summary.sets for key in hands.strata[stratum]})
    words = {key: word for hands in summary.sets for key, word in hands.labels[stratum].items()}
    at = {key: index for index, key in enumerate(keys)}
    lowest = 100.0
    figure, axes = make_panels(len(summary.sets), height=3.1)
    for panel, hands, drawn in _by_set(axes, summary, STRATA[stratum]):
        for index, result, style in drawn:
            strata = result.strata[stratum]
            shift = 0.5 * (index - (len(labels) - 1) / 2) / max(len(labels), 4)
            ends = 100 * np.array([accuracy.interval() for accuracy in strata.values()])
            shares = np.array([100 * accuracy.share for accuracy in strata.values()])
            panel.errorbar(
                [at[key] + shift for key in strata],
                shares,
                yerr=[shares - ends[:, 0], ends[:, 1] - shares],
                elinewidth=1,
                capsize=2,
                label=result.label,
                **style.curve,
            )
            lowest = min(lowest, *ends[:, 0])
        panel.set_xticks(range(len(keys)), [words[key] for key in keys])
        panel.grid(axis="x", visible=False)
        for index, key in enumerate(keys):
            share = _share_of(hands.strata[stratum].get(key, 0), hands.hands)
            annotate(panel, share, (index, 1), (0, 2), xycoords=CORNER, ha="center", fontsize=6.5)
        panel.set_title(wrap_name(hands.name), pad=14)
    bottom = 10 * int(lowest / 10) if lowest > 20 else 0
    axes[0].set_ylim(bottom - 0.03 * (100 - bottom), 100 + 0.03 * (100 - bottom))
    label_rows(axes, "accuracy (%)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


def _share_of(size: int, hands: int) -> str:
    """Format a share of the hands briefly."""
    share = 100 * size / hands
    if not size or size == hands:
        return f"{share:.0f} %"
    return ">99 %" if share >= 99.5 else f"{share:.0f} %" if share >= 9.95 else f"{share:.2g} %"


@plot_style()
def draw_gaps(summary: Summary) -> "Figure":
    """Draw the share of values at each signed gap but 0, a panel for each set.

    The scale is logarithmic: values below the deficiency are rare but important.
    """
    from matplotlib.patches import Patch

    labels = plotted(summary)
    shown = [hands.method(label) for hands in summary.sets for label in labels]
    gaps = sorted({gap for result in shown for gap in result.gaps if gap} | {-1, 1})
    at = {gap: index for index, gap in enumerate(gaps)}
    border = sum(gap < 0 for gap in gaps) - 0.5
    edge: dict[str, Any] = {"edgecolor": "white", "linewidth": 0.4}
    width = 0.8 / len(labels)
    figure, axes = make_panels(len(summary.sets), height=3.0)
    below, every = "value found less true deficiency", list[float]()
    for panel, _, drawn in _by_set(axes, summary, below):
        for index, result, style in drawn:
            wrong = {gap: 100 * n / result.accuracy.tries for gap, n in result.gaps.items() if gap}
            every += wrong.values()
            panel.bar(
                [at[gap] + (index - (len(labels) - 1) / 2) * width for gap in wrong],
                list(wrong.values()),
                width=0.9 * width,
                color=style.color,
                hatch=style.hatch,
                **edge,
            )
        panel.axvline(border, color=INK, linewidth=0.8)
        options: dict[str, Any] = {"xycoords": CORNER, "va": "top", "fontsize": 7.5}
        annotate(panel, "too low", (border, 1), (-4, -2), ha="right", **options)
        annotate(panel, "too high", (border, 1), (4, -2), ha="left", **options)
        panel.set_yscale("log")
        panel.set_xlim(-0.6, len(gaps) - 0.4)
        panel.set_xticks(range(len(gaps)), [f"{gap:+d}".replace("-", MINUS) for gap in gaps])
        panel.grid(axis="x", visible=False)
    every = every or [0.1, 10.0]
    axes[0].set_ylim(10.0 ** floor(log10(min(every) / 2)), 3 * max(every))
    set_log_ticks(axes[0].yaxis, *axes[0].get_ylim())
    label_rows(axes, "share of values (%)")
    styles = [series_style(index) for index in range(len(labels))]
    handles = [Patch(facecolor=style.color, hatch=style.hatch, **edge) for style in styles]
    add_legend(figure, handles, labels)
    return figure


@plot_style()
def draw_ecdfs(summary: Summary) -> "Figure":
    """Draw the ECDF of evaluations to the true value; tries without it count as unsolved.

    A curve ends, with its marker, at the last evaluation that solved a try.
    """
    labels = plotted(summary)
    rises = [hands.method(label).ecdf.at for hands in summary.sets for label in labels]
    ends = [max(int(at), 1) for rise in rises if len(rise) for at in (rise[0], rise[-1])]
    least, most = min(ends, default=1), max(ends, default=1)
    figure, axes = make_panels(len(summary.sets))
    for panel, _, drawn in _by_set(axes, summary, "evaluations of the cost"):
        for _, result, style in drawn:
            at = np.maximum(result.ecdf.at, 1)
            panel.step(
                at,
                100 * result.ecdf.share,
                where="post",
                markevery=[len(at) - 1] if len(at) else None,
                markersize=6,
                label=result.label,
                **style.curve,
            )
        panel.set_xscale("log")
        panel.set_ylim(-2, 103)
        set_log_ticks(panel.xaxis, least, most)
    label_rows(axes, "tries solved (%)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@plot_style()
def draw_times(summary: Summary) -> "Figure":
    """Draw CPU time a hand with and without early stop, a panel for each set."""
    from matplotlib.lines import Line2D

    mark: dict[str, Any] = {"linestyle": "", "markersize": 6.5, "markeredgewidth": 1.4}
    figure, axes = make_row_panels(plotted(summary), len(summary.sets))
    for panel, _, drawn in _by_set(axes, summary, "CPU time a hand (µs)"):
        for index, result, style in drawn:
            times = (result.seconds_stopped, style.color), (result.seconds_full_budget, "white")
            means = [(1e6 * sum(values) / len(values), face) for values, face in times if values]
            ends = [mean for mean, _ in means]
            panel.plot(ends, [index] * len(means), color=style.color, linewidth=1)
            own = {"marker": style.marker, "markeredgecolor": style.color, **mark}
            for mean, face in means:
                panel.plot(mean, index, markerfacecolor=face, **own)
        panel.set_xscale("log")
        panel.margins(x=0.12)
        set_log_ticks(panel.xaxis, *panel.get_xlim())
    ink = {"marker": "o", "markeredgecolor": MUTED, **mark}
    handles = [Line2D([], [], markerfacecolor=face, **ink) for face in (MUTED, "white")]
    add_legend(figure, handles, ["stopped at the true value", "whole budget"])
    return figure


@plot_style()
def draw_ranks(
    labels: Sequence[str], ranks: Sequence[float], *, critical: float, blocks: str
) -> "Figure":
    """Draw mean ranks on a line, best to the left, with bars over those that do not differ.

    Parameters
    ----------
    labels, ranks
        The methods and their mean ranks, in any order; at least two.
    critical
        Nemenyi's critical difference.
    blocks
        The blocks of the mean ranks, such as ``"318 800 hands"``.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30, Figure 1.
    """
    if len(labels) != len(ranks) or len(labels) < 2:
        raise StudyError(f"{len(labels)} labels, {len(ranks)} ranks; expected at least two of both")
    need("scikit_posthocs", "pandas", extra="experiments")
    from matplotlib.figure import Figure
    from pandas import DataFrame, Series
    from scikit_posthocs import critical_difference_diagram

    values = np.asarray(ranks, np.float64)
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
    words = f"mean rank, 1 is best; critical difference {critical:.3g} over {blocks}"
    annotate(axes, words, (best, 1.6), (0, 6), fontsize=8, color=INK)
    return figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """One hand."""

    name: str  # the title
    detail: str  # the hand itself
    truth: int  # its deficiency
    curves: Mapping[str, NDArray[np.float64]]  # mean best value by generation, from 0
    spent: Mapping[str, NDArray[np.float64]] = field(
        default_factory=dict
    )  # evaluations after each generation


def panels_of(
    hands: SetResult, shown: Mapping[str, str], name: str, *, first: int = 0, spent: bool = False
) -> list[Panel]:
    """Return the hands of a set that have curves.

    Parameters
    ----------
    hands
        The set.
    shown
        Displayed name of each method, by label; other methods are left out.
    name, first
        Displayed name of a hand, with its number in braces; the first hand has number ``first``.
    spent
        Draw the curves over evaluations, not generations.
    """
    return [
        Panel(
            name=name.format(hand + first),
            detail=hands.texts[hand],
            truth=hands.truths[hand],
            curves={
                word: result.curves[hand]
                for label, word in shown.items()
                for result in [hands.method(label)]
                if hand in result.curves
            },
            spent={word: hands.method(label).spent[hand] for label, word in shown.items()}
            if spent
            else {},
        )
        for hand in sorted(hands.texts)
    ]


@plot_style()
def draw_convergence(hands: Sequence[Panel]) -> "Figure":
    """Draw mean best value, a panel for each hand: by generation, as the paper's Figure 4.

    The x-axis shows evaluations if the panels have them. Methods have the same style in every
    panel.
    """
    from matplotlib.ticker import MaxNLocator

    labels = list(dict.fromkeys(label for hand in hands for label in hand.curves))
    figure, axes = make_panels(len(hands), height=2.5, share_y=False)
    for panel, hand in zip(axes, hands, strict=True):
        panel.axhline(hand.truth, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        for label, curve in hand.curves.items():
            style, at = (
                series_style(labels.index(label)),
                hand.spent.get(label, np.arange(len(curve))),
            )
            if len(curve) == 1:  # a method without generations: one point
                point: dict[str, Any] = {"color": style.color, "label": label, "clip_on": False}
                panel.plot(at, curve, style.marker, **point)
                continue
            every = max(len(curve) // 6, 1)
            panel.plot(at, curve, markevery=every, markersize=4, label=label, **style.curve)
        highest = max(hand.truth + 0.5, *(float(curve.max()) for curve in hand.curves.values()))
        lowest = min(float(curve.min()) for curve in hand.curves.values())
        # Room for the word below the line, where only faults of the cost are drawn.
        panel.set_ylim(min(lowest, hand.truth - 0.22 * (highest - hand.truth)), highest + 0.15)
        panel.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
        if hand.spent:
            panel.set_xscale("log")
            set_log_ticks(panel.xaxis, *panel.get_xlim())
        else:
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10]))
        options: dict[str, Any] = {
            "xycoords": ("axes fraction", "data"),
            "ha": "right",
            "va": "top",
        }
        annotate(
            panel, f"deficiency {hand.truth}", (1, hand.truth), (0, -2.5), fontsize=7, **options
        )
        panel.set_xlabel("evaluations of the cost" if hand.spent else "generation")
        set_panel_title(panel, hand.name, detail=hand.detail)
    label_rows(axes, "mean best value")
    fullest = max(range(len(axes)), key=lambda index: len(hands[index].curves))
    add_legend(figure, *axes[fullest].get_legend_handles_labels())
    return figure
