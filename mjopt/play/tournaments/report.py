"""Reports of battles and leagues: tables, figures, and a document for machines."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write
from mjopt._internal.report_page import Section
from mjopt._internal.report_page import write_report as write_pages
from mjopt._internal.tables import SHARE, Row, Table
from mjopt._version import __version__
from mjopt.play.tournaments.config import Preset
from mjopt.play.tournaments.league import League, Member
from mjopt.play.tournaments.plots import plot_agents, plot_ratings, plot_turns
from mjopt.play.tournaments.results import ENDINGS, Battle
from mjopt.play.tournaments.statistics import (
    BattleSummary,
    Comparison,
    Side,
    compare,
    multipliers_by_name,
    summarise,
    wins_by_turn,
)
from mjopt.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED_MULTIPLIERS: Final[dict[float, float]] = {1: 0.883, 2: 0.089, 4: 0.019, 8: 0.007}
"""Published shares of wins by multiplier, as multiples of an ordinary win."""

REPORT_PACKAGES: Final = ("jinja2", "matplotlib", "pandas", "tabulate")


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """Tables, figures and data of a battle or a league."""

    name: str  # of the document as a file: report or league
    title: str  # heading of the page
    tables: tuple[Table, ...]
    document: dict[str, object]  # the tables as plain data, for JSON
    # The functions that plot some tables, by name; they need Matplotlib.
    plots: "Mapping[str, Callable[[], Figure]]" = field(default_factory=dict)
    plot_data: tuple[Table, ...] = ()  # tables of which reports show the figures only

    def sections(self) -> list[Section]:
        """Return the sections of the report, with their figures."""
        figures = {name: plot() for name, plot in self.plots.items()}
        every = [(table, True) for table in self.tables]
        every += [(table, False) for table in self.plot_data]
        return [Section(table, figures.get(table.name), shown) for table, shown in every]


def battle_report(
    battle: Battle, preset: Preset | None = None, *, margin: float | None = None
) -> TournamentReport:
    """Return the report of a battle.

    The figures of a published battle get a table beside ours. With a margin, in points a game, also
    test whether agents differ by less than it. All tests need SciPy.

    Examples
    --------
    >>> from mjopt.play import battle
    >>> report = battle_report(battle(["l1"] * 4, seed=1, games=4))
    >>> [table.name for table in report.tables], report.document["played"]
    (['agents', 'endings'], 16)
    """
    config, summary = battle.config, summarise(battle)
    pairs = compare(battle, tests=find_spec("scipy") is not None, margin=margin)
    endings = {
        ending.value: int((battle.rows["ending"] == index).sum())
        for index, ending in enumerate(ENDINGS)
    }
    document: dict[str, object] = {
        "version": __version__,
        **config.settings(),
        "games": config.games,
        "played": summary.played,
        "entrants": [_side_data(side) for side in summary.entrants],
        "sides": [_side_data(side) for side in summary.sides],
        "drawn": {
            "games": summary.drawn,
            "share": summary.drawn_rate,
            "interval": list(summary.drawn_share),
        },
        "endings": endings,
        "pairs": [_pair_data(pair) for pair in pairs],
        "faults": battle.faults,
    }
    title = (
        f"{config.rules}, {config.games:,} games x {config.rounds} "
        f"round{'s' * (config.rounds > 1)}, seed {config.seed}"
    )
    tables = [
        Table(
            name="agents",
            title=title,
            rows=[{"seat": side.entrants[0] + 1, **_side_row(side)} for side in summary.entrants],
            formats=SIDE_FORMATS,
            notes=(
                "Low, high: 95 % intervals over walls, Wilson's for wins, bootstrap for points. "
                "Turn: mean turn of the wins. Calls: melds on the table. "
                "Paid: games that others won with its tile.",
            ),
            optional=OPTIONAL,
        )
    ]
    if len(summary.sides) not in (1, len(summary.entrants)):
        tables.append(
            Table(
                name="sides",
                title="Agents of the same name together",
                rows=[_side_row(side) for side in summary.sides],
                formats=SIDE_FORMATS,
                optional=OPTIONAL,
            )
        )
    if pairs:
        tables.append(_pairs_table(pairs, margin))
    tables.append(_endings_table(endings))
    if multipliers := multipliers_by_name(battle):
        document["multipliers"] = {
            name: {str(value): wins for value, wins in by_value.items()}
            for name, by_value in multipliers.items()
        }
        tables.append(_multipliers_table(multipliers, config.rule_set.multipliers.normal))
    if preset is not None:
        published = asdict(preset, dict_factory=_as_json)
        del published["config"]
        document["published"] = {"preset": published.pop("name"), **published}
        tables.append(_published_table(preset, battle, summary))
    turns = Table(name="turns", title="Wins by turn", rows=wins_by_turn(battle))
    plots: dict[str, Callable[[], Figure]] = {
        "agents": lambda: plot_agents(summary),
        "turns": lambda: plot_turns(turns.rows),
    }
    heading = f"Battle of {', '.join(battle.names)}"
    return TournamentReport("report", heading, tuple(tables), document, plots, (turns,))


def _side_data(side: Side) -> dict[str, object]:
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


def _pair_data(pair: Comparison) -> dict[str, object]:
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


# Columns to leave out on a narrow terminal, in this order.
OPTIONAL: Final = (
    *("calls", "turn", "points", "paid", "own draw", "low | high", "games"),
    *("a game low | a game high", "seat", "faults"),
)

SIDE_FORMATS: Final = {
    **dict.fromkeys(("wins", "low", "high", "own draw", "paid"), SHARE),
    **dict.fromkeys(("a game", "a game low", "a game high"), "+,.4f"),
    **dict.fromkeys(("turn", "calls"), ".2f"),
}


def _side_row(side: Side) -> Row:
    return {
        "agent": side.name,
        "games": side.played,
        "wins": side.win_rate,
        "low": side.share.low,
        "high": side.share.high,
        "own draw": side.own_draw_rate,
        "points": side.points,
        "a game": side.points_a_game,
        "a game low": side.mean.low,
        "a game high": side.mean.high,
        "turn": side.turn,
        "calls": side.calls,
        "paid": side.paid / side.played,
        "faults": side.faults,
    }


def _pairs_table(pairs: Iterable[Comparison], margin: float | None) -> Table:
    rows: list[Row] = []
    for pair in pairs:
        tests = {"p (paired t)": pair.t_test, "p (signed rank)": pair.signed_rank}
        if margin is not None:
            tests[f"p (apart by under {margin:g})"] = pair.equivalence
        rows.append(
            {
                "agent": pair.first,
                "less": pair.second,
                "difference": pair.difference,
                "low": pair.interval.low,
                "high": pair.interval.high,
                **{name: test.final_p if test else None for name, test in tests.items()},
            }
        )
    return Table(
        name="pairs",
        title="Points a game, one agent less the other, on the same walls",
        rows=rows,
        formats=dict.fromkeys(("difference", "low", "high"), "+,.4f"),
        notes=("p-values are corrected by Holm's method over all pairs of a test.",),
        optional=("p (signed rank)", "low | high"),
    )


def _endings_table(endings: Mapping[str, int]) -> Table:
    played = sum(endings.values())
    return Table(
        name="endings",
        title="How the games ended",
        rows=[
            {"ending": ending, "games": games, "share": games / played}
            for ending, games in endings.items()
            if games
        ],
        formats={"share": SHARE},
    )


def _multipliers_table(by_name: Mapping[str, Mapping[int, int]], plain: int) -> Table:
    """Return the share of an agent's wins at each multiplier, beside the published ones."""
    values = {value for wins in by_name.values() for value in wins}
    values |= {plain * int(times) for times in PUBLISHED_MULTIPLIERS}
    total = {name: sum(wins.values()) for name, wins in by_name.items()}
    return Table(
        name="multipliers",
        title="Multipliers of the wins",
        rows=[
            {
                "multiplier": value,
                "of a plain win": value / plain,
                "published": PUBLISHED_MULTIPLIERS.get(value / plain),
                **{
                    name: wins.get(value, 0) / total[name] if total[name] else None
                    for name, wins in by_name.items()
                },
            }
            for value in sorted(values)
        ],
        formats=dict.fromkeys(("published", *by_name), ".1%"),
        notes=(
            "Published: Table 8 of the study of JJ World's game, shares of 428 wins by a "
            "multiplier of one, two, four and eight; 0.2 % had more. Its appendix A counts 6, 8, "
            "12 and 12 and does not say what makes a two, a four or an eight, so the lines need "
            "not agree; here a declaration doubles, which is this package's choice.",
        ),
    )


def _published_table(preset: Preset, battle: Battle, summary: BattleSummary) -> Table:
    """Return the published figures beside ours, with the interval of ours."""
    rows: list[Row] = []
    sides, config = summary.entrants, battle.config

    def add(figure: str, unit: str, published: float | None, *ours: float) -> None:
        names = ("figure", "unit", "published", "ours", "low", "high")
        rows.append(dict(zip(names, (figure, unit, published, *ours), strict=True)))

    def add_share(figure: str, published: float, ours: float, interval: Interval) -> None:
        add(figure, "%", published, *(100 * share for share in (ours, *interval)))

    seats = [f"seat {number} ({side.name})" for number, side in enumerate(sides, 1)]
    for seat, side, share in zip(seats, sides, preset.wins, strict=False):
        add_share(f"wins, {seat}", share, side.win_rate, side.share)
    for seat, side, share in zip(seats, sides, preset.own_draws, strict=False):
        add_share(f"own draws, {seat}", share, side.own_draw_rate, side.own_share)
    if preset.drawn is not None:
        add_share("drawn games", preset.drawn, summary.drawn_rate, summary.drawn_share)
    if preset.score is not None:
        first, games = summary.sides[0], config.games
        a_game = first.played / games  # its seats and rounds
        low, high = (end * a_game for end in first.mean)
        points, label = float(first.points), f"points of {first.name}, "
        per_game = f"{label}a game of {config.rounds} rounds"
        add(f"{label}all games", "points", preset.score, points, low * games, high * games)
        add(per_game, "points", None, points / games, low, high)
    return Table(
        name="published",
        title=f"Published ({preset.source}) beside ours",
        rows=rows,
        formats={
            "published": ",.3f" if preset.score else ",.1f",
            **dict.fromkeys(("ours", "low", "high"), ",.3f"),
        },
        optional=("unit",),
    )


def league_report(league: League) -> TournamentReport:
    """Return the report of a league: standings, and the share of walls won by every pair."""
    members = league.members
    document = {
        "games": league.games,
        "members": [_member_data(member) for member in members],
        "wins": league.wins.tolist(),
    }
    standings = Table(
        name="standings",
        title=f"League, {league.games:,} walls a pair",
        rows=[_standing(member) for member in members],
        formats={
            **dict.fromkeys(("rating", "low", "high"), ",.0f"),
            "points a game": "+,.4f",
            **dict.fromkeys(("stable rank", "stable low", "stable high"), ",.2f"),
        },
        notes=(
            "Rating: Bradley-Terry on Elo's scale, mean 1500. Stable rank: "
            "(5 n1 + 2 n2) / n4 - 2 over matches of four games, 5 for equals. "
            "Low, high: 95 % intervals, bootstrap over walls and matches.",
        ),
        optional=("1st | 2nd | 3rd | 4th", "stable low | stable high", "stable rank", "low | high"),
    )
    numbers = range(1, len(members) + 1)
    wins = Table(
        name="wins",
        title="Share of walls won, row against column (a draw is half)",
        rows=[
            {
                "agent": f"{i} {member.name}",
                **{
                    str(j): None if i == j else float(won) / league.games
                    for j, won in enumerate(row, 1)
                },
            }
            for i, member, row in zip(numbers, members, league.wins, strict=True)
        ],
        formats=dict.fromkeys(map(str, numbers), ".1%"),
        optional=tuple(map(str, reversed(numbers))),
    )
    title = f"League of {', '.join(member.name for member in members)}"
    plots = {"standings": lambda: plot_ratings(league)}
    return TournamentReport("league", title, (standings, wins), document, plots)


def _standing(member: Member) -> Row:
    return {
        "agent": member.name,
        "rating": member.rating,
        "low": member.rating_interval.low,
        "high": member.rating_interval.high,
        "points a game": member.points_a_game,
        **dict(zip(("1st", "2nd", "3rd", "4th"), member.places, strict=True)),
        "stable rank": member.stable_rank,
        "stable low": member.stable_interval.low,
        "stable high": member.stable_interval.high,
    }


def _member_data(member: Member) -> dict[str, object]:
    """Return a member as plain data; an infinite rank (never fourth) is None."""
    data = asdict(member, dict_factory=_as_json)
    del data["stable_interval"]
    ranks = [
        rank if isfinite(rank) else None for rank in (member.stable_rank, *member.stable_interval)
    ]
    return data | {"stable_rank": ranks[0], "stable_rank_interval": ranks[1:]}


def _as_json(items: list[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of a record as JSON has them: tuples are lists."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in items}


def write_report(report: TournamentReport, folder: Path) -> None:
    """Write a report into a folder, which exists; FileError if a file cannot be written.

    The document is ``report.json`` or ``league.json``. With the extra ``experiments`` installed,
    all tables are in ``tables.md``, and tables and figures in ``report.html``, and as CSV, LaTeX
    and SVG in ``export``.
    """
    text = json.dumps(report.document, indent=2, ensure_ascii=False)
    atomic_write(folder / f"{report.name}.json", text + "\n")
    if not has_report_packages():
        return
    write_pages(folder, report.title, report.sections())


def has_report_packages() -> bool:
    """Return whether the packages for ``tables.md`` and ``report.html`` are installed."""
    return all(find_spec(package) is not None for package in REPORT_PACKAGES)
