"""The danger of logged discards: what the players in riichi can hold, as the discarder saw it."""

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

from mjopt.chances.advice.options import Advice, Say
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.why import LEAST_LOSS
from mjopt.chances.danger.danger import KindDanger, danger
from mjopt.chances.danger.opponent import Opponent
from mjopt.play.game.in_riichi import players_in_riichi
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.play.review.rows import DiscardRow

KEPT: Final = 4096  # dangers, a few kB each

DANGER: Final = "danger of %(tile)s: %(danger)s"
SAFEST: Final = "the safest was %(tile)s: %(danger)s"
GIVES_UP: Final = "it loses about %(points)s points of chance"
JOINED: Final = "; "
TEXTS: Final = (DANGER, SAFEST, GIVES_UP, JOINED)
"""Every text of a sentence, for translations."""


class LoggedDanger(NamedTuple):
    """The danger of a discard beside the safest one of its decision."""

    thrown: KindDanger  # of the kind that was discarded
    safest: KindDanger  # of the safest kind that could have been discarded
    lost: float | None  # chance to win that the safest one loses to the best option; None: unknown


def riichi_opponents(state: LogState, seat: int) -> dict[int, Opponent]:
    """Return the players in riichi as a seat sees them, by seat, in kinds of the tiles of a hand.

    There are none under rules without furiten, by which nothing would be safe by rule.
    """
    if state.rules.rule_set != RIICHI_TABLE:
        return {}
    return players_in_riichi(state.table, seat, state.rules.tiles)


@lru_cache(maxsize=KEPT)
def _rows(position: Position, opponents: tuple[Opponent, ...]) -> dict[int, KindDanger]:
    """Return the danger of each kind that may be discarded, the safest first."""
    rows = danger(position, opponents).discards
    return {row.kind: row for row in rows if row.kind not in position.barred}


def logged_danger(
    position: Position,
    opponents: tuple[Opponent, ...],
    discard: int,
    advice: Advice | None = None,
) -> LoggedDanger | None:
    """Return the danger of a discard; None if nobody was in riichi.

    Examples
    --------
    >>> riichi = Opponent(passed=(0, 8, 33), is_ready=True)
    >>> found = logged_danger(Position.parse("123m406p123789s11z"), (riichi,), 14)
    >>> found.thrown.text, found.safest.name, found.safest.text
    ('8.6 %', '1m', 'safe by rule')
    """
    if not opponents:
        return None
    rows = _rows(position, opponents)
    first = next(iter(rows.values()))
    lost: dict[int, float | None] = {}
    for kind, row in rows.items():
        if row.share == first.share:  # of these the one that gives up least
            option = None if advice is None else advice.option(kind)
            known = option is not None and option.lost is not None
            lost[kind] = float(option.lost or 0) if option is not None and known else None
    best = min(lost, key=lambda kind: inf if (loss := lost[kind]) is None else loss)
    return LoggedDanger(rows[discard], rows[best], lost[best])


def say_danger(row: DiscardRow, *, say: Say = str.__mod__, tell: Callable[[str], str] = str) -> str:
    """Return the danger of a discard beside the safest one; empty if nobody was in riichi.

    ``say`` fills a text with its values, ``tell`` translates a text that has none.

    Examples
    --------
    >>> row = {"discard": "6p", "danger": "8.6 %", "safest": "1m", "safest_danger": "proved safe"}
    >>> say_danger(row | {"safest_lost": 0.032})
    'danger of 6p: 8.6 %; the safest was 1m: proved safe; it loses about 3.2 points of chance'
    """
    if not row.get("danger"):
        return ""
    parts = [say(DANGER, {"tile": row["discard"], "danger": tell(row["danger"] or "")})]
    if row["safest"] != row["discard"].replace("0", "5"):
        safest = {"tile": row["safest"], "danger": tell(row["safest_danger"] or "")}
        parts.append(say(SAFEST, safest))
        if (lost := row["safest_lost"] or 0.0) >= LEAST_LOSS:
            parts.append(say(GIVES_UP, {"points": f"{100 * lost:.1f}"}))
    return say(JOINED, {}).join(parts)
