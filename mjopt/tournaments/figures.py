"""Figures of a battle and of a league: dots with intervals, and when games are won."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mjopt.reports.figure import MUTED, add_legend, look, name_panel, panels, styled
from mjopt.tournaments.battle import Battle
from mjopt.tournaments.league import League
from mjopt.tournaments.summary import Summary, entrants_by_name, figures_by_entrant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Dot = tuple[float, float, float]
"""A value and both ends of its interval."""


def _dots(panel: "Axes", names: Sequence[str], dots: Sequence[Dot], middle: float | None) -> None:
    if middle is not None:
        panel.axvline(middle, color=MUTED, linestyle=(0, (3, 2)), linewidth=1)
    for place, (value, low, high) in enumerate(dots):
        ends = [[max(value - low, 0)], [max(high - value, 0)]]
        panel.errorbar(value, place, xerr=ends, **look(place).dot)
    panel.set_yticks(range(len(names)), names)
    panel.set_ylim(len(names) - 0.5, -0.5)
    panel.grid(axis="y", visible=False)


def draw_battle(summary: Summary) -> "Figure":
    """Draw the share of games won and the points a game of every entrant."""
    names = [f"{number} {side.name}" for number, side in enumerate(summary.entrants, 1)]
    with styled():
        figure, axes = panels(2, height=1.0 + 0.35 * len(names), share_x=False)
        shares = [
            (100 * side.win_rate, 100 * side.share.low, 100 * side.share.high)
            for side in summary.entrants
        ]
        _dots(axes[0], names, shares, 100 * (1 - summary.drawn_rate) / len(names))
        name_panel(axes[0], "games won (%)", detail="dashed: all alike")
        points = [(side.points_a_game, *side.mean) for side in summary.entrants]
        _dots(axes[1], names, points, 0.0)
        name_panel(axes[1], "points a game")
        return figure


def draw_turns(battle: Battle) -> "Figure":
    """Draw the share of all games that each agent has won by a turn."""
    turns = figures_by_entrant(battle)["turn"]
    last = max(int(turns.max()), 1)
    with styled():
        figure, axes = panels(1, height=3.2)
        for place, (name, which) in enumerate(entrants_by_name(battle).items()):
            chosen = turns[..., which].ravel()
            counts = np.bincount(chosen, minlength=last + 1).astype(float)
            counts[0] = 0
            share, style = 100 * np.cumsum(counts) / len(chosen), look(place)
            how: dict[str, Any] = {"color": style.colour, "linestyle": style.line, "label": name}
            axes[0].step(np.arange(last + 1), share, where="post", **how)
        axes[0].set_xlabel("turn")
        axes[0].set_ylabel("games won by then (%)")
        add_legend(figure, *axes[0].get_legend_handles_labels())
        return figure


def draw_league(league: League) -> "Figure":
    """Draw the rating of every member with its interval."""
    names = [member.name for member in league.members]
    with styled():
        figure, axes = panels(1, height=1.0 + 0.35 * len(names))
        dots = [(member.rating, *member.rating_interval) for member in league.members]
        _dots(axes[0], names, dots, 1500.0)
        name_panel(axes[0], "rating (Elo)")
        return figure
