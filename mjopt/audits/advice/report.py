"""The audit of advice as a table, a figure and a summary."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write, make_folder
from mjopt._internal.plot_style import (
    add_legend,
    label_rows,
    make_panels,
    plot_style,
    save_figure,
    series_style,
    set_panel_title,
)
from mjopt._internal.report import Cell, Table, export_tables, make_table
from mjopt.audits.advice.audit import AdviceAudit, JudgedAdvice
from mjopt.audits.packages.export import write_summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW: Final = 50
"""Fewer hands of a deficiency are a line of the table, none of the figure, if others have more."""

NAMES: Final = {"useful": "most useful tiles", "draws": "fewest expected draws"}


def write_report(audit: AdviceAudit, folder: Path) -> None:
    """Write ``tables/``, ``figures/`` and ``summary.json`` of an audit.

    They come from the rows alone: the same rows give the same bytes.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    table = advice_table(audit, audit.judged)
    tables = make_folder(folder / "tables")
    atomic_write(tables / "advice.md", table.to_markdown())
    export_tables(tables, [table])
    save_figure(make_folder(folder / "figures"), "advice", draw_advice(audit))
    write_summary(folder, audit.to_document())


def advice_table(audit: AdviceAudit, rows: Iterable[JudgedAdvice]) -> Table:
    """Return how often advice is proven wrong, and best, with intervals."""
    return make_table(
        "advice",
        "How often common advice is proven wrong",
        "advice | deficiency:count | draws:count | hands:count | wrong:percent:2 | "
        "low:percent:2 | high:percent:2 | wrong, any play:percent:2 | best:percent:1 | "
        "loss, mean:points:2 | loss, most:points:2",
        map(_cells, rows),
        f"Wrong: another discard wins more often than any that the advice names can, among plays "
        f"of waste {audit.waste}; among all ways to play, where it says so. Best: no other discard "
        "wins more often. Of the rest nothing is proven.",
        "Low and high: Wilson's 95 % interval. Loss: of the chance to win, at least, where it is "
        "wrong.",
        optional=["loss, most", "wrong, any play", "hands", "loss, mean", "draws"],
    )


def _cells(one: JudgedAdvice) -> tuple[Cell, ...]:
    known = one.to_document()
    return (
        *(NAMES[one.advice], one.deficiency, one.draws, one.hands),
        *(one.wrong / one.hands, known["wrong_low"], known["wrong_high"]),
        *(one.wrong_for_all / one.hands, one.right / one.hands),
        *(known["mean_loss"], known["most_lost"]),
    )


@plot_style()
def draw_advice(audit: AdviceAudit) -> "Figure":
    """Draw the share of hands on which each advice is proven wrong, a line for a deficiency."""
    figure, axes = make_panels(len(NAMES), height=3.2)
    hands = {one.deficiency: one.hands for one in audit.judged}
    drawn = [far for far, number in sorted(hands.items()) if number >= FEW] or sorted(hands)
    for panel, (advice, name) in zip(axes, NAMES.items(), strict=True):
        set_panel_title(panel, name)
        panel.set_xlabel("draws to come")
        for place, deficiency in enumerate(drawn):
            rows = [o for o in audit.judged if (o.advice, o.deficiency) == (advice, deficiency)]
            at, style = [one.draws for one in rows], series_style(place)
            shares = [100 * one.wrong / one.hands for one in rows]
            ends = [one.interval for one in rows]
            low, high = ([100 * end for end in side] for side in zip(*ends, strict=True))
            panel.fill_between(at, low, high, color=style.color, alpha=0.13, linewidth=0)
            said = f"deficiency {deficiency}, {rows[0].hands:,} hands"
            panel.plot(at, shares, label=said, markerfacecolor="white", **style.curve)
            # Filled: what is proven there holds for every way to play.
            for_all = min(deficiency + audit.waste, len(rows))
            panel.plot(at[:for_all], shares[:for_all], style.marker, color=style.color)
        panel.locator_params(axis="x", integer=True)
    # A band of few hands may leave the panel: else it would leave no room for the lines.
    shown = (one.wrong / one.hands for one in audit.judged if one.deficiency in drawn)
    most = max(shown, default=0)
    axes[0].set_ylim(0, max(1, 150 * most))
    label_rows(axes, "proven wrong (% of hands)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
