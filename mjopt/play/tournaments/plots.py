"""The figures of battles and leagues."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mjopt._internal.plot_style import (
    MUTED,
    add_legend,
    make_panels,
    plot_style,
    series_style,
    set_panel_title,
)
from mjopt._internal.tables import Row
from mjopt.play.tournaments.league import League
from mjopt.play.tournaments.ratings import ELO_MEAN
from mjopt.play.tournaments.statistics import BattleSummary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_agents(summary: BattleSummary) -> "Figure":
    """Plot the share of games won and the points a game of every entrant."""
    names = [f"{number} {side.name}" for number, side in enumerate(summary.entrants, 1)]
    with plot_style():
        figure, axes = make_panels(2, height=1.0 + 0.35 * len(names), share_x=False)
        shares = [
            (100 * side.win_rate, 100 * side.share.low, 100 * side.share.high)
            for side in summary.entrants
        ]
        _plot_intervals(axes[0], names, shares, 100 * (1 - summary.drawn_rate) / len(names))
        set_panel_title(axes[0], "games won (%)", detail="dashed: all alike")
        points = [(side.points_a_game, *side.mean) for side in summary.entrants]
        _plot_intervals(axes[1], names, points, 0.0)
        set_panel_title(axes[1], "points a game")
        return figure


def plot_turns(rows: Sequence[Row]) -> "Figure":
    """Plot the share of all games that each agent has won by a turn."""
    with plot_style():
        figure, axes = make_panels(1, height=3.2)
        for index, name in enumerate(dict.fromkeys(row["agent"] for row in rows)):
            own, style = [row for row in rows if row["agent"] == name], series_style(index)
            axes[0].step(
                [float(row["turn"] or 0) for row in own],
                [100 * float(row["won"] or 0) for row in own],
                where="post",
                color=style.color,
                linestyle=style.line,
                label=name,
            )
        axes[0].set_xlabel("turn")
        axes[0].set_ylabel("games won by then (%)")
        add_legend(figure, *axes[0].get_legend_handles_labels())
        return figure


def plot_ratings(league: League) -> "Figure":
    """Plot the rating of every member with its interval."""
    names = [member.name for member in league.members]
    with plot_style():
        figure, axes = make_panels(1, height=1.0 + 0.35 * len(names))
        ratings = [(member.rating, *member.rating_interval) for member in league.members]
        _plot_intervals(axes[0], names, ratings, ELO_MEAN)
        set_panel_title(axes[0], "rating (Elo)")
        return figure


def _plot_intervals(
    panel: "Axes",
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    reference: float,
) -> None:
    """Plot values with both ends of their intervals, a row a name."""
    panel.axvline(reference, color=MUTED, linestyle=(0, (3, 2)), linewidth=1)
    for row, (value, low, high) in enumerate(values):
        ends = [[max(value - low, 0)], [max(high - value, 0)]]
        panel.errorbar(value, row, xerr=ends, **series_style(row).point)
    panel.set_yticks(range(len(names)), names)
    panel.set_ylim(len(names) - 0.5, -0.5)
    panel.grid(axis="y", visible=False)
