"""Accuracy of every method, whole and by a property of the hand."""

from typing import TYPE_CHECKING

from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.summary import BASELINE, STRATA, Summary
from mjopt.reports.figure import (
    MUTED,
    add_legend,
    folded,
    look,
    name_panel,
    name_rows,
    panels,
    row_panels,
    styled,
    thousands,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_accuracy(summary: Summary, reading: Reading) -> "Figure":
    """Draw a dot with its interval for every method, a panel for each set."""
    labels = reading.drawn(summary)
    with styled():
        figure, axes = row_panels(labels, len(summary.sets))
        lowest = 100.0
        for panel, hands in zip(axes, summary.sets, strict=True):
            base = 100 * hands.baseline.share
            panel.axvline(base, color=MUTED, linestyle=(0, (3, 2)), linewidth=1)
            panel.annotate(
                f"always {BASELINE}",
                (base, 0),
                xycoords=("data", "axes fraction"),
                xytext=(3, 3),
                textcoords="offset points",
                fontsize=7.5,
                color=MUTED,
            )
            lowest = min(lowest, base)
            for place, label in enumerate(labels):
                tally, style = hands.method(label).tally, look(place)
                low, high = tally.interval(reading.confidence)
                share = 100 * tally.share
                panel.errorbar(
                    share,
                    place,
                    xerr=[[share - 100 * low], [100 * high - share]],
                    color=style.colour,
                    marker=style.marker,
                    markersize=5.5,
                    elinewidth=2,
                    linestyle="",
                )
                # To the right if there is room, and the line of the baseline is not there.
                left = share > 80 or 20 <= share <= base < share + 20
                panel.annotate(
                    f"{share:.2f}",
                    (100 * (low if left else high), place),
                    xytext=(-6 if left else 6, 0),
                    textcoords="offset points",
                    ha="right" if left else "left",
                    va="center",
                    fontsize=8,
                )
                lowest = min(lowest, 100 * low)
            panel.set_xlabel(f"accuracy (%) on {thousands(hands.hands)} hands")
            name_panel(panel, hands.name)
        axes[0].set_xlim(max(lowest - 12, 0), 102)
        return figure


def draw_strata(summary: Summary, reading: Reading, what: str) -> "Figure":
    """Draw accuracy with intervals by a property of the hand, a panel for each set.

    Parameters
    ----------
    summary, reading
        The study.
    what
        A key of `STRATA`.
    """
    labels = reading.drawn(summary)
    keys = sorted({key for hands in summary.sets for key in hands.strata[what]})
    words = {key: word for hands in summary.sets for key, word in hands.words[what].items()}
    at = {key: place for place, key in enumerate(keys)}
    lowest = min(
        tally.interval(reading.confidence).low
        for hands in summary.sets
        for label in labels
        for tally in hands.method(label).strata[what].values()
    )
    bottom = 10 * int(10 * lowest) if lowest > 0.2 else 0
    with styled():
        figure, axes = panels(len(summary.sets), height=3.1)
        for panel, hands in zip(axes, summary.sets, strict=True):
            for place, label in enumerate(labels):
                tallies, style = hands.method(label).strata[what], look(place)
                shift = 0.5 * (place - (len(labels) - 1) / 2) / max(len(labels), 4)
                ends = [tally.interval(reading.confidence) for tally in tallies.values()]
                shares = [100 * tally.share for tally in tallies.values()]
                panel.errorbar(
                    [at[key] + shift for key in tallies],
                    shares,
                    yerr=[
                        [share - 100 * low for share, (low, _) in zip(shares, ends, strict=True)],
                        [100 * high - share for share, (_, high) in zip(shares, ends, strict=True)],
                    ],
                    color=style.colour,
                    marker=style.marker,
                    linestyle=style.line,
                    elinewidth=1,
                    capsize=2,
                    label=label,
                )
            panel.set_ylim(bottom - 0.03 * (100 - bottom), 100 + 0.03 * (100 - bottom))
            panel.set_xticks(range(len(keys)), [words[key] for key in keys])
            panel.tick_params(axis="x", labelbottom=True)
            panel.grid(axis="x", visible=False)
            panel.set_xlabel(STRATA[what])
            sizes = [hands.strata[what].get(key, 0) for key in keys]
            for key, size in enumerate(sizes):
                panel.annotate(
                    _share_of(size, hands.hands),
                    (key, 1),
                    xycoords=("data", "axes fraction"),
                    xytext=(0, 2),
                    textcoords="offset points",
                    ha="center",
                    fontsize=6.5,
                    color=MUTED,
                )
            panel.set_title(folded(hands.name), pad=14)
        name_rows(axes, "accuracy (%)")
        add_legend(figure, axes[0])
        return figure


def _share_of(size: int, hands: int) -> str:
    """Write a share of the hands in a few signs."""
    share = 100 * size / hands
    if not size or size == hands:
        return f"{share:.0f} %"
    return ">99 %" if share >= 99.5 else f"{share:.0f} %" if share >= 9.95 else f"{share:.2g} %"
