"""What is written beside the rows of a battle or a league: tables, figures, one document."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mjopt._internal.folder import write_whole
from mjopt.reports.figure import save_figure
from mjopt.reports.statistics import Interval
from mjopt.reports.table import Cell, Field, Table, fields, make_table
from mjopt.reports.table_formats import write_table
from mjopt.tournaments.battle import Battle
from mjopt.tournaments.league import League, Member
from mjopt.tournaments.presets import Preset
from mjopt.tournaments.rows import ENDINGS
from mjopt.tournaments.summary import (
    Comparison,
    Side,
    Summary,
    compare,
    multipliers_by_name,
    summarise,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED_MULTIPLIERS: Final[dict[float, float]] = {1: 0.883, 2: 0.089, 4: 0.019, 8: 0.007}
"""Shares of the published wins by how many times a plain win they are worth."""


@dataclass(frozen=True, slots=True)
class BattleReport:
    """A battle or a league, read.

    Parameters
    ----------
    name
        The document's name as a file.
    tables
        What it shows.
    document
        The same as plain data.
    draw
        Draws the figures, by name; matplotlib loads then.
    """

    name: str
    tables: tuple[Table, ...]
    document: dict[str, Any]
    draw: "Callable[[], Mapping[str, Figure]]"


def battle_report(
    battle: Battle, preset: Preset | None = None, *, margin: float | None = None
) -> BattleReport:
    """Read a battle; tests are made where SciPy is installed, of equivalence within a margin.

    Examples
    --------
    >>> from mjopt.tournaments.battle import fight
    >>> from mjopt.tournaments.plan import Plan
    >>> report = battle_report(fight(Plan(agents=("l1",) * 4, seed=1, games=4)))
    >>> [table.name for table in report.tables], report.document["played"]
    (['agents', 'endings'], 16)
    """
    plan, summary = battle.plan, summarise(battle)
    pairs = compare(battle, tests=find_spec("scipy") is not None, margin=margin)
    endings = {
        ending.value: int((battle.rows["ending"] == place).sum())
        for place, ending in enumerate(ENDINGS)
    }
    document: dict[str, Any] = {
        **plan.settings(),
        "games": plan.games,
        "played": summary.played,
        "entrants": [_side(side) for side in summary.entrants],
        "sides": [_side(side) for side in summary.sides],
        "drawn": {
            "games": summary.drawn,
            "share": summary.drawn_rate,
            "interval": list(summary.drawn_share),
        },
        "endings": endings,
        "pairs": [_pair(pair) for pair in pairs],
        "faults": battle.faults,
    }
    title = (
        f"{plan.rules}, {plan.games:,} games x {plan.rounds} "
        f"round{'s' * (plan.rounds > 1)}, seed {plan.seed}"
    )
    tables = [_agents(title, document["entrants"])]
    if len(summary.sides) not in (1, len(summary.entrants)):
        rows = map(_cells, document["sides"])
        together = "Agents of the same name together"
        tables.append(make_table("sides", together, _SIDE, rows, groups=0, less=_LESS))
    if pairs:
        tables.append(_differences(pairs, margin))
    tables.append(_endings(endings))
    if worth := multipliers_by_name(battle):
        document["multipliers"] = {
            name: {str(value): wins for value, wins in found.items()}
            for name, found in worth.items()
        }
        tables.append(_multipliers(worth, plan.rule_set.multipliers.normal))
    if preset is not None:
        published = asdict(preset, dict_factory=_plain)
        del published["plan"]
        document["published"] = {"preset": published.pop("name"), **published}
        tables.append(_published(preset, battle, summary))

    def draw() -> "Mapping[str, Figure]":
        from mjopt.tournaments.figures import draw_battle, draw_turns

        return {"agents": draw_battle(summary), "turns": draw_turns(battle)}

    return BattleReport("report", tuple(tables), document, draw)


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "seats": [entrant + 1 for entrant in side.entrants],
        "played": side.played,
        "wins": side.wins,
        "win_share": side.win_rate,
        "win_interval": list(side.share),
        "own_draws": side.own_draws,
        "own_draw_share": side.own_draw_rate,
        "own_draw_interval": list(side.own_share),
        "points": side.points,
        "points_a_game": side.points_a_game,
        "points_interval": list(side.mean),
        "turn": side.turn,
        "calls": side.calls,
        "paid": side.paid,
        "faults": side.faults,
    }


def _pair(pair: Comparison) -> dict[str, Any]:
    more = ("corrected_p", "correction", "effect", "effect_name")
    tests = {
        one.test: {"n": one.n[0], "statistic": one.statistic, "p": one.p_value}
        | {name: getattr(one, name) for name in more}
        for one in (pair.t_test, pair.signed_rank, pair.equivalence)
        if one is not None
    }
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": list(pair.interval),
        "tests": tests,
    }


# What a narrow terminal leaves out, in this order.
_LESS: Final = (
    *("calls", "turn", "points", "paid", "own draw", "from | to", "games", "from  | to ", "seat"),
    "faults",
)

# Names that come twice in a table differ by a space: files need them apart.
_SIDE: Final = fields(
    *("agent:name", "games:count", "wins:percent", "from:percent", "to:percent"),
    *("own draw:percent", "points:count", "a game:signed:4", "from :signed:4", "to :signed:4"),
    *("turn:number", "calls:number", "paid:percent", "faults:count"),
)


def _cells(side: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return the cells of a side for the columns ``_SIDE``."""
    return (
        *(side["name"], side["played"], side["win_share"], *side["win_interval"]),
        *(side["own_draw_share"], side["points"]),
        *(side["points_a_game"], *side["points_interval"], side["turn"], side["calls"]),
        *(side["paid"] / side["played"], side["faults"]),
    )


def _agents(title: str, entrants: Iterable[Mapping[str, Any]]) -> Table:
    return make_table(
        "agents",
        title,
        (*fields("seat:count"), *_SIDE),
        ((*side["seats"], *_cells(side)) for side in entrants),
        "Intervals are 95 %, over walls: Wilson's for shares, bootstrap for points. "
        "Turn: mean turn of the wins. Calls: melds on the table. "
        "Paid: games that others won with its tile.",
        groups=0,
        less=_LESS,
    )


def _differences(pairs: Iterable[Comparison], margin: float | None) -> Table:
    same = "" if margin is None else f" | p (apart by under {margin:g}):p"
    return make_table(
        "pairs",
        "Points a game, one agent less the other, on the same walls",
        "agent:name | less:name | difference:signed:4 | from:signed:4 | to:signed:4 | "
        f"p (paired t):p | p (signed rank):p{same}",
        (
            (
                *(pair.first, pair.second, pair.difference, *pair.interval),
                *(test.final_p if test else None for test in (pair.t_test, pair.signed_rank)),
                *([pair.equivalence.final_p] if pair.equivalence else ()),
            )
            for pair in pairs
        ),
        "p-values are corrected by Holm's method over all pairs of a test.",
        groups=0,
        less=("p (signed rank)", "from | to"),
    )


def _endings(endings: Mapping[str, int]) -> Table:
    played = sum(endings.values())
    rows = ((word, games, games / played) for word, games in endings.items() if games)
    columns = "ending | games:count | share:percent"
    return make_table("endings", "How the games ended", columns, rows, groups=0)


def _multipliers(found: Mapping[str, Mapping[int, int]], plain: int) -> Table:
    """Return the share of an agent's wins at each multiplier, beside the published ones."""
    values = {value for wins in found.values() for value in wins}
    values |= {plain * int(times) for times in PUBLISHED_MULTIPLIERS}
    total = {name: sum(wins.values()) for name, wins in found.items()}
    return make_table(
        "multipliers",
        "Multipliers of the wins",
        (
            *fields("multiplier:count | of a plain win:number | published:percent:1"),
            *(Field(name, "percent", 1) for name in found),
        ),
        (
            (
                *(value, value / plain, PUBLISHED_MULTIPLIERS.get(value / plain)),
                *(
                    wins.get(value, 0) / total[name] if total[name] else None
                    for name, wins in found.items()
                ),
            )
            for value in sorted(values)
        ),
        "Published: Table 8 of the study of JJ World's game, shares of 428 wins by a multiplier "
        "of one, two, four and eight; 0.2 % had more. Its appendix A counts 6, 8, 12 and 12 and "
        "does not say what makes a two, a four or an eight, so the lines need not agree; here "
        "a declaration doubles, which is this package's choice.",
        groups=0,
    )


def _published(preset: Preset, battle: Battle, summary: Summary) -> Table:
    """Return the published figures beside ours, with the interval of ours."""
    rows: list[tuple[Cell, ...]] = []
    sides, plan = summary.entrants, battle.plan

    def add_share(what: str, told: float, ours: float, interval: Interval) -> None:
        rows.append((what, "%", told, *(100 * share for share in (ours, *interval))))

    seats = [f"seat {number} ({side.name})" for number, side in enumerate(sides, 1)]
    for seat, side, told in zip(seats, sides, preset.wins, strict=False):
        add_share(f"wins, {seat}", told, side.win_rate, side.share)
    for seat, side, told in zip(seats, sides, preset.own_draws, strict=False):
        add_share(f"own draws, {seat}", told, side.own_draw_rate, side.own_share)
    if preset.drawn is not None:
        add_share("drawn games", preset.drawn, summary.drawn_rate, summary.drawn_share)
    if preset.score is not None:
        first, games = summary.sides[0], plan.games
        a_game = first.played / games  # its seats and rounds
        low, high = (end * a_game for end in first.mean)
        points, what = float(first.points), f"points of {first.name}, "
        per_game = f"{what}a game of {plan.rounds} rounds"
        rows += [
            (f"{what}all games", "points", preset.score, points, low * games, high * games),
            (per_game, "points", None, points / games, low, high),
        ]
    return make_table(
        "published",
        f"Published ({preset.source}) beside ours",
        f"figure | unit | published:number:{3 if preset.score else 1} | ours:number:3 | "
        "from:number:3 | to:number:3",
        rows,
        groups=0,
        less=("unit",),
    )


def league_report(league: League) -> BattleReport:
    """Read a league: its standings, and who beat whom."""
    members = league.members
    document = {
        "games": league.games,
        "members": [_member(member) for member in members],
        "wins": league.wins.tolist(),
    }
    standings = make_table(
        "standings",
        f"League, {league.games:,} walls a pair",
        "agent:name | rating:number:0 | from:number:0 | to:number:0 | points a game:signed:4 | "
        "1st:count | 2nd:count | 3rd:count | 4th:count | "
        "stable rank:number | from :number | to :number",
        (
            (
                *(member.name, member.rating, *member.rating_interval, member.points_a_game),
                *(*member.places, member.stable_rank, *member.stable_interval),
            )
            for member in members
        ),
        "Rating: Bradley-Terry on Elo's scale, mean 1500. Stable rank: "
        "(5 n1 + 2 n2) / n4 - 2 over matches of four games, 5 for equals. "
        "Intervals are 95 %, bootstrap over walls and matches.",
        groups=0,
        less=("1st | 2nd | 3rd | 4th", "from  | to ", "stable rank", "from | to"),
    )
    numbers = range(1, len(members) + 1)
    against = make_table(
        "wins",
        "Share of walls won, row against column (a draw is half)",
        fields("agent:name", *(f"{number}:percent:1" for number in numbers)),
        (
            (
                f"{i} {member.name}",
                *(None if i == j else float(won) / league.games for j, won in enumerate(row, 1)),
            )
            for i, member, row in zip(numbers, members, league.wins, strict=True)
        ),
        groups=0,
        less=map(str, reversed(numbers)),
    )

    def draw() -> "Mapping[str, Figure]":
        from mjopt.tournaments.figures import draw_league

        return {"league": draw_league(league)}

    return BattleReport("league", (standings, against), document, draw)


def _member(member: Member) -> dict[str, Any]:
    """Return a member as plain data; ranks without a fourth place are infinite, here None."""
    found = asdict(member, dict_factory=_plain)
    ranks = [found["stable_rank"], *found.pop("stable_interval")]
    ranks = [rank if isfinite(rank) else None for rank in ranks]
    return found | {"stable_rank": ranks[0], "stable_rank_interval": ranks[1:]}


def _plain(values: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a record as JSON has them: tuples are lists."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values}


def write_battle_report(report: BattleReport, folder: Path) -> None:
    """Write tables and the document, and figures where matplotlib is installed."""
    for table in report.tables:
        write_table(folder, table)
    text = json.dumps(report.document, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / f"{report.name}.json", text.encode())
    if find_spec("matplotlib") is not None:
        for name, figure in report.draw().items():
            save_figure(folder, name, figure)
