"""The audit of advice as a table, a figure and a summary."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from advice.audit import AdviceAudit, JudgedAdvice
from mjopt._internal.files import as_path, atomic_write, make_folder
from mjopt._internal.plot_style import (
    add_legend,
    label_rows,
    make_panels,
    plot_style,
    series_style,
    set_panel_title,
    write_figure,
)
from mjopt._internal.tables import SHARE, Row, Table, export_tables
from mjopt._internal.validation import expect
from mjopt.audits.export import write_summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW: Final = 50
"""Minimum number of hands per deficiency for a line of the figure, if any has as many."""

NAMES: Final = {"useful": "most useful tiles", "draws": "fewest expected draws"}


def write_report(audit: AdviceAudit, folder: Path | str) -> None:
    """Write ``tables/``, ``figures/`` and ``summary.json`` of an audit.

    They depend only on the rows: the same rows give the same bytes.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from advice.audit import audit_advice
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     audit = audit_advice("stratified:4:1=1", f"{folder}/rows", draws=2)
    ...     write_report(audit, f"{folder}/report")
    ...     Path(folder, "report", "summary.json").is_file()
    True
    """
    expect(audit, AdviceAudit, "audit")
    folder = as_path(folder, "folder")
    table = advice_table(audit, audit.judged)
    tables = make_folder(folder / "tables")
    atomic_write(tables / "advice.md", table.to_markdown())
    export_tables(tables, [table])
    write_figure(make_folder(folder / "figures") / "advice.svg", plot_advice(audit))
    write_summary(folder, audit.to_document())


def advice_table(audit: AdviceAudit, rows: Iterable[JudgedAdvice]) -> Table:
    """Return how often advice is proven wrong or best, with confidence intervals."""
    return Table(
        name="advice",
        title="How often common advice is proven wrong",
        rows=[_row(row) for row in rows],
        formats={
            **dict.fromkeys(("wrong", "low", "high", "wrong, any play", "best"), SHARE),
            **dict.fromkeys(("loss, mean", "loss, most"), "+.2%"),
        },
        notes=(
            f"Wrong: another discard wins more often than any discard that the advice names, among "
            f"plays of waste {audit.waste}, or among all ways to play ('any play'). Best: no other "
            "discard wins more often. Nothing is proven about the other hands.",
            "Low and high: Wilson's 95 % interval. Loss: lower bound on the lost chance to win "
            "where the advice is wrong.",
            *_notes(audit),
        ),
        optional=("loss, most", "wrong, any play", "hands", "loss, mean", "draws"),
    )


def _notes(audit: AdviceAudit) -> list[str]:
    """Return what ceilings and more rules add."""
    notes = []
    if audit.ceilings:
        tables = ", ".join(dict.fromkeys(audit.ceilings.values()))
        notes.append(f"Ceilings of {tables} are among the bounds for all ways to play.")
    if any(rule not in NAMES for rule in audit.rules):
        notes.append(
            "Rules other than the two are judged by ceilings alone: wrong, best and loss are those "
            "among all ways to play."
        )
    return notes


def _row(row: JudgedAdvice) -> Row:
    document = row.to_document()
    return {
        "advice": NAMES.get(row.advice, row.advice),
        "deficiency": row.deficiency,
        "draws": row.draws,
        "hands": row.hands,
        "wrong": row.wrong / row.hands,
        "low": document["wrong_low"],
        "high": document["wrong_high"],
        "wrong, any play": row.wrong_for_all / row.hands,
        "best": row.right / row.hands,
        "loss, mean": document["mean_loss"],
        "loss, most": document["most_lost"],
    }


@plot_style()
def plot_advice(audit: AdviceAudit) -> "Figure":
    """Plot the share of hands with advice proven wrong, one line for each deficiency."""
    rules = audit.rules or tuple(NAMES)
    figure, axes = make_panels(len(rules), height=3.2)
    hands = {row.deficiency: row.hands for row in audit.judged}
    drawn = sorted(key for key, number in hands.items() if number >= FEW) or sorted(hands)
    for panel, advice in zip(axes, rules, strict=True):
        name = NAMES.get(advice, advice)
        set_panel_title(panel, name)
        panel.set_xlabel("draws to come")
        for index, deficiency in enumerate(drawn):
            rows = [r for r in audit.judged if (r.advice, r.deficiency) == (advice, deficiency)]
            draws, style = [row.draws for row in rows], series_style(index)
            shares = [100 * row.wrong / row.hands for row in rows]
            intervals = [row.interval for row in rows]
            low, high = ([100 * end for end in side] for side in zip(*intervals, strict=True))
            panel.fill_between(draws, low, high, color=style.color, alpha=0.13, linewidth=0)
            label = f"deficiency {deficiency}, {rows[0].hands:,} hands"
            panel.plot(draws, shares, label=label, markerfacecolor="white", **style.curve)
            # Filled marks: the proof covers every way to play.
            shares_for_all = [100 * row.wrong_for_all / row.hands for row in rows]
            if audit.ceilings:
                panel.plot(draws, shares_for_all, style.marker, color=style.color, linestyle=":")
            else:
                for_all = min(deficiency + audit.waste, len(rows))
                panel.plot(draws[:for_all], shares[:for_all], style.marker, color=style.color)
        panel.locator_params(axis="x", integer=True)
    # Wide bands of few hands may exceed the axis, so that the lines stay readable.
    shares_drawn = (row.wrong / row.hands for row in audit.judged if row.deficiency in drawn)
    axes[0].set_ylim(0, max(1, 150 * max(shares_drawn, default=0)))
    label_rows(axes, "proven wrong (% of hands)")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
