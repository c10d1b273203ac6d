"""The discards of a hand as points in a chart of the chance to win, and as a list of moves."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mjopt.play.review.chance import Chance
from mjopt.play.review.cost import could_improve, is_costly
from mjopt.play.review.rows import DiscardRow
from mjopt.play.serve.board import TileView, tile_view
from mjopt.play.serve.review_remarks import describe_chance, describe_cost
from mjopt.play.serve.tiles import spoken

WIDTH: Final = 640
LEFT, RIGHT, TOP, BOTTOM, UNKNOWN = 52, 12, 10, 110, 124
"""Borders of the chart, and the height of the points whose chance is not known."""


class MovePoint(NamedTuple):
    """A discard of a hand."""

    at: int  # the step
    turn: int
    tile: TileView
    lost: float  # chance to win that a costly discard lost; else 0
    is_costly: bool
    chance: float | None  # to win after it, proven or estimated; None if it was not searched
    best: float | None  # after the best option
    is_proven: bool
    words: str


class ChanceChart(NamedTuple):
    """The geometry of a chart."""

    most: float  # the chance at the top
    xs: tuple[float, ...]  # of each point
    ys: tuple[float, ...]  # of each point
    bests: tuple[float, ...]  # upper end of the line of each point, which is its loss


def move_point(at: int, row: DiscardRow, chance: Chance | None, where: str) -> MovePoint:
    """Return a discard as a point, with its position in words."""
    left, best = None, None
    if chance is not None:
        zero = 0.0 if chance.is_hopeless else None
        left = _first(chance.at_least, chance.estimate, zero)
        best = _first(chance.best_at_least, chance.best_estimate, zero)
    cost = describe_cost(row) if could_improve(row) else describe_chance(row)
    return MovePoint(
        at=at,
        turn=row["turn"],
        tile=tile_view(row["discard"]),
        lost=(row.get("lost") or 0.0) if is_costly(row) else 0.0,
        is_costly=is_costly(row),
        chance=left,
        best=best,
        is_proven=chance is not None and (chance.at_least is not None or chance.is_hopeless),
        words=spoken(": ".join(filter(None, (where, row["discard"], cost)))),
    )


def draw_chances(points: Sequence[MovePoint]) -> ChanceChart | None:
    """Return the chart of a hand; None if no chance is known.

    Examples
    --------
    >>> known = dict(turn=1, tile=tile_view(0), lost=0, is_costly=False, is_proven=True, words="")
    >>> points = [MovePoint(at=0, chance=0.25, best=0.5, **known)]
    >>> draw_chances([*points, MovePoint(at=1, chance=None, best=None, **known)])
    ChanceChart(most=0.5, xs=(52.0, 628.0), ys=(60.0, 124), bests=(10.0, 124))
    """
    known = [max(one.chance, one.best or 0.0) for one in points if one.chance is not None]
    if not known:
        return None
    most = max(known) or 1.0
    wide = (WIDTH - LEFT - RIGHT) / max(len(points) - 1, 1)

    def height(chance: float | None) -> float:
        if chance is None:
            return UNKNOWN
        return round(BOTTOM - (BOTTOM - TOP) * chance / most, 1)

    ys = tuple(height(one.chance) for one in points)
    bests = (
        min(y, height(one.best)) if one.chance is not None else y
        for one, y in zip(points, ys, strict=True)
    )
    xs = tuple(round(LEFT + wide * at, 1) for at in range(len(points)))
    return ChanceChart(most, xs, ys, tuple(bests))


def _first(*values: float | None) -> float | None:
    """Return the first value that is known."""
    return next((value for value in values if value is not None), None)
