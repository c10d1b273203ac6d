"""Figures of plain numbers over generations and populations, as the paper's Figures 2 to 4."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from mjopt.reports.figure import (
    INK,
    MUTED,
    add_legend,
    log_ticks,
    look,
    name_panel,
    name_rows,
    panels,
    remark,
    styled,
    thousands,
)
from mjopt.studies.summary import SetSummary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cells = Mapping[tuple[int, int], float]
"""A value for each (population, generations)."""

MEASURES: Final = {"accuracy": ("accuracy (%)", 100.0), "time": ("CPU time a hand (µs)", 1e6)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """One hand."""

    name: str  # written above it, and beside that:
    detail: str  # the hand itself
    truth: int  # its deficiency
    curves: Mapping[str, NDArray[np.float64]]  # mean best value by generation, from 0
    spent: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)  # evaluations by then


def panels_of(
    hands: SetSummary, shown: Mapping[str, str], name: str, *, first: int = 0, spent: bool = False
) -> list[Panel]:
    """Return the hands of a set that have curves.

    Parameters
    ----------
    hands
        The set.
    shown
        What each method is called, by its label; others are left out.
    name, first
        What a hand is called, its number in braces, counted from ``first``.
    spent
        Draw the curves over evaluations, not generations.
    """
    return [
        Panel(
            name=name.format(hand + first),
            detail=hands.texts[hand],
            truth=hands.truths[hand],
            curves={
                word: one.curves[hand]
                for label, word in shown.items()
                for one in [hands.method(label)]
                if hand in one.curves
            },
            spent={word: hands.method(label).spent[hand] for label, word in shown.items()}
            if spent
            else {},
        )
        for hand in sorted(hands.texts)
    ]


@styled()
def draw_convergence(hands: Sequence[Panel]) -> "Figure":
    """Draw mean best value, a panel for each hand: by generation, as the paper's Figure 4.

    Or by evaluations, if the panels know them. Methods have the same look in every panel.
    """
    from matplotlib.ticker import MaxNLocator

    labels = list(dict.fromkeys(label for hand in hands for label in hand.curves))
    figure, axes = panels(len(hands), height=2.5, share_y=False)
    for panel, hand in zip(axes, hands, strict=True):
        panel.axhline(hand.truth, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        for label, curve in hand.curves.items():
            style, at = look(labels.index(label)), hand.spent.get(label, np.arange(len(curve)))
            if len(curve) == 1:  # a method without generations: one point
                point: dict[str, Any] = {"color": style.colour, "label": label, "clip_on": False}
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
            log_ticks(panel.xaxis, *panel.get_xlim())
        else:
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10]))
        how: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "top"}
        remark(panel, f"deficiency {hand.truth}", (1, hand.truth), (0, -2.5), fontsize=7, **how)
        panel.set_xlabel("evaluations of the cost" if hand.spent else "generation")
        name_panel(panel, hand.name, detail=hand.detail)
    name_rows(axes, "mean best value")
    fullest = max(range(len(axes)), key=lambda place: len(hands[place].curves))
    add_legend(figure, *axes[fullest].get_legend_handles_labels())
    return figure


@styled()
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
    from matplotlib.lines import Line2D
    from matplotlib.ticker import NullLocator

    title, scale = MEASURES[measure]
    hollow: dict[str, Any] = {"linestyle": (0, (2, 2)), "linewidth": 1, "markerfacecolor": "white"}
    populations = sorted({population for cells in sets.values() for population, _ in cells})
    figure, axes = panels(len(sets), height=3.0)
    for panel, (name, cells) in zip(axes, sets.items(), strict=True):
        for place, population in enumerate(populations):
            own: dict[str, Any] = {"color": look(place).colour, "marker": look(place).marker}
            solid = {"label": f"population {population}"}
            for values, how in ((cells, solid), ((published or {}).get(name, {}), hollow)):
                row = sorted((g, scale * v) for (p, g), v in values.items() if p == population)
                if row:
                    panel.plot(*zip(*row, strict=True), **own, **how)
        ticks = sorted({generations for _, generations in cells})
        panel.set_xscale("log")
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.set_xlabel("generations")
        if measure == "time":
            panel.set_yscale("log")
            log_ticks(panel.yaxis, *panel.get_ylim())
        name_panel(panel, name)
    name_rows(axes, title)
    if published:
        axes[0].add_line(Line2D([], [], color=INK, marker="o", label="published", **hollow))
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure


@styled()
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
        The cells with so many generations are drawn.
    published
        Values to set beside them, in a panel of their own: another machine's.
    """
    title, scale = MEASURES["time"]
    pictures = {"measured": sets} | ({"published": published} if published else {})
    figure, axes = panels(len(pictures), share_y=False, height=3.0)
    for panel, (whose, cells_of) in zip(axes, pictures.items(), strict=True):
        lines = {
            name: {p: scale * v for (p, g), v in sorted(cells.items()) if g == generations}
            for name, cells in cells_of.items()
        }
        for place, (name, times) in enumerate(lines.items()):
            panel.plot(list(times), list(times.values()), label=name, **look(place).curve)
        panel.margins(y=0.1)
        panel.set_ylim(bottom=0)
        panel.set_xticks(sorted({p for times in lines.values() for p in times}))
        panel.yaxis.set_major_formatter(thousands)
        panel.set_xlabel("population")
        name_panel(panel, whose if len(pictures) > 1 else "")
    name_rows(axes, title)
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
