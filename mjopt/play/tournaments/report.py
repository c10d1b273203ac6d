"""Reports of battles and leagues: tables, figures, and a document for machines."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mjopt._internal.files import atomic_write, make_folder
from mjopt._internal.plot_style import save_figure, to_svg
from mjopt._internal.report import (
    Cell,
    Column,
    Plot,
    Section,
    Table,
    export_tables,
    make_table,
    parse_columns,
    render_report,
    tables_page,
)
from mjopt._version import __version__
from mjopt.play.tournaments.config import Preset
from mjopt.play.tournaments.league import League, Member
from mjopt.play.tournaments.plots import draw_agents, draw_ratings, draw_turns
from mjopt.play.tournaments.results import ENDINGS, Battle
from mjopt.play.tournaments.statistics import (
    Comparison,
    Side,
    Summary,
    compare,
    multipliers_by_name,
    summarise,
)
from mjopt.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED_MULTIPLIERS: Final[dict[float, float]] = {1: 0.883, 2: 0.089, 4: 0.019, 8: 0.007}
"""Published shares of wins by multiplier, as multiples of an ordinary win."""

REPORT_PACKAGES: Final = ("jinja2", "matplotlib", "pandas", "tabulate")


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """Tables, figures and data of a battle or a league.

    Parameters
    ----------
    name
        Name of the document as a file: ``report`` or ``league``.
    title
        Heading of the page.
    tables
        The tables.
    document
        The same as plain data, for JSON.
    figures
        Functions that draw the figures, by name and title; they need Matplotlib.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    document: dict[str, Any]
    figures: "Mapping[tuple[str, str], Callable[[], Figure]]" = field(default_factory=dict)


def battle_report(
    battle: Battle, preset: Preset | None = None, *, margin: float | None = None
) -> TournamentReport:
    """Return the report of a battle.

    Parameters
    ----------
    battle
        The battle.
    preset
        A published battle, whose figures get a table beside ours.
    margin
        Points a game: also test whether agents differ by less than this margin. All tests need
        SciPy.

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
    document: dict[str, Any] = {
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
    tables = [_agents_table(title, document["entrants"])]
    if len(summary.sides) not in (1, len(summary.entrants)):
        rows = map(_side_cells, document["sides"])
        together = "Agents of the same name together"
        tables.append(make_table("sides", together, _SIDE, rows, optional=_OPTIONAL))
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
    figures: dict[tuple[str, str], Callable[[], Figure]] = {
        ("agents", "Games won and points"): lambda: draw_agents(summary),
        ("turns", "Wins by turn"): lambda: draw_turns(battle),
    }
    heading = f"Battle of {', '.join(battle.names)}"
    return TournamentReport("report", heading, tuple(tables), document, figures)


def _side_data(side: Side) -> dict[str, Any]:
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


def _pair_data(pair: Comparison) -> dict[str, Any]:
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
_OPTIONAL: Final = (
    *("calls", "turn", "points", "paid", "own draw", "from | to", "games", "from  | to ", "seat"),
    "faults",
)

# Column names must be unique in a table, so the second of two equal names ends with a space.
_SIDE: Final = parse_columns(
    *("agent", "games:count", "wins:percent", "from:percent", "to:percent"),
    *("own draw:percent", "points:count", "a game:signed:4", "from :signed:4", "to :signed:4"),
    *("turn:number", "calls:number", "paid:percent", "faults:count"),
)


def _side_cells(side: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return the cells of a side for the columns ``_SIDE``."""
    return (
        *(side["name"], side["played"], side["win_share"], *side["win_interval"]),
        *(side["own_draw_share"], side["points"]),
        *(side["points_a_game"], *side["points_interval"], side["turn"], side["calls"]),
        *(side["paid"] / side["played"], side["faults"]),
    )


def _agents_table(title: str, entrants: Iterable[Mapping[str, Any]]) -> Table:
    return make_table(
        "agents",
        title,
        (*parse_columns("seat:count"), *_SIDE),
        ((*side["seats"], *_side_cells(side)) for side in entrants),
        "Intervals are 95 %, over walls: Wilson's for shares, bootstrap for points. "
        "Turn: mean turn of the wins. Calls: melds on the table. "
        "Paid: games that others won with its tile.",
        optional=_OPTIONAL,
    )


def _pairs_table(pairs: Iterable[Comparison], margin: float | None) -> Table:
    same = "" if margin is None else f" | p (apart by under {margin:g}):p"
    return make_table(
        "pairs",
        "Points a game, one agent less the other, on the same walls",
        "agent | less | difference:signed:4 | from:signed:4 | to:signed:4 | "
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
        optional=("p (signed rank)", "from | to"),
    )


def _endings_table(endings: Mapping[str, int]) -> Table:
    played = sum(endings.values())
    rows = ((word, games, games / played) for word, games in endings.items() if games)
    columns = "ending | games:count | share:percent"
    return make_table("endings", "How the games ended", columns, rows)


def _multipliers_table(by_name: Mapping[str, Mapping[int, int]], plain: int) -> Table:
    """Return the share of an agent's wins at each multiplier, beside the published ones."""
    values = {value for wins in by_name.values() for value in wins}
    values |= {plain * int(times) for times in PUBLISHED_MULTIPLIERS}
    total = {name: sum(wins.values()) for name, wins in by_name.items()}
    return make_table(
        "multipliers",
        "Multipliers of the wins",
        (
            *parse_columns("multiplier:count | of a plain win:number | published:percent:1"),
            *(Column(name, "percent", 1) for name in by_name),
        ),
        (
            (
                *(value, value / plain, PUBLISHED_MULTIPLIERS.get(value / plain)),
                *(
                    wins.get(value, 0) / total[name] if total[name] else None
                    for name, wins in by_name.items()
                ),
            )
            for value in sorted(values)
        ),
        "Published: Table 8 of the study of JJ World's game, shares of 428 wins by a multiplier "
        "of one, two, four and eight; 0.2 % had more. Its appendix A counts 6, 8, 12 and 12 and "
        "does not say what makes a two, a four or an eight, so the lines need not agree; here "
        "a declaration doubles, which is this package's choice.",
    )


def _published_table(preset: Preset, battle: Battle, summary: Summary) -> Table:
    """Return the published figures beside ours, with the interval of ours."""
    rows: list[tuple[Cell, ...]] = []
    sides, config = summary.entrants, battle.config

    def add_share(figure: str, published: float, ours: float, interval: Interval) -> None:
        rows.append((figure, "%", published, *(100 * share for share in (ours, *interval))))

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
        rows += [
            (f"{label}all games", "points", preset.score, points, low * games, high * games),
            (per_game, "points", None, points / games, low, high),
        ]
    return make_table(
        "published",
        f"Published ({preset.source}) beside ours",
        f"figure | unit | published:number:{3 if preset.score else 1} | ours:number:3 | "
        "from:number:3 | to:number:3",
        rows,
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
    standings = make_table(
        "standings",
        f"League, {league.games:,} walls a pair",
        "agent | rating:number:0 | from:number:0 | to:number:0 | points a game:signed:4 | "
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
        optional=("1st | 2nd | 3rd | 4th", "from  | to ", "stable rank", "from | to"),
    )
    numbers = range(1, len(members) + 1)
    wins = make_table(
        "wins",
        "Share of walls won, row against column (a draw is half)",
        parse_columns("agent", *(f"{number}:percent:1" for number in numbers)),
        (
            (
                f"{i} {member.name}",
                *(None if i == j else float(won) / league.games for j, won in enumerate(row, 1)),
            )
            for i, member, row in zip(numbers, members, league.wins, strict=True)
        ),
        optional=map(str, reversed(numbers)),
    )
    title = f"League of {', '.join(member.name for member in members)}"
    figures = {("league", "Ratings"): lambda: draw_ratings(league)}
    return TournamentReport("league", title, (standings, wins), document, figures)


def _member_data(member: Member) -> dict[str, Any]:
    """Return a member as plain data; an infinite rank (never fourth) is None."""
    data = asdict(member, dict_factory=_as_json)
    ranks = [data["stable_rank"], *data.pop("stable_interval")]
    ranks = [rank if isfinite(rank) else None for rank in ranks]
    return data | {"stable_rank": ranks[0], "stable_rank_interval": ranks[1:]}


def _as_json(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a record as JSON has them: tuples are lists."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in items}


def write_report(report: TournamentReport, folder: Path, *, export: bool = False) -> None:
    """Write a report into a folder.

    The document is ``report.json`` or ``league.json``. With the extra ``experiments`` installed,
    all tables are in ``tables.md``, and tables and figures in ``report.html``.

    Parameters
    ----------
    report
        The report.
    folder
        The folder, which exists.
    export
        Also write every table as CSV and LaTeX and every figure as SVG and PNG, into ``export``.

    Raises
    ------
    FileError
        If a file cannot be written.
    """
    text = json.dumps(report.document, indent=2, ensure_ascii=False)
    atomic_write(folder / f"{report.name}.json", text + "\n")
    if not has_report_packages():
        return
    figures = {key: draw() for key, draw in report.figures.items()}
    plots = [
        Plot(name=name, title=title, svg=to_svg(figure))
        for (name, title), figure in figures.items()
    ]
    sections = [Section("figures", "Figures", plots), Section("tables", "Tables", report.tables)]
    atomic_write(folder / "tables.md", tables_page(report.title, report.tables))
    atomic_write(folder / "report.html", render_report(report.title, [], sections))
    if export:
        exported = make_folder(folder / "export")
        export_tables(exported, report.tables)
        for (name, _), figure in figures.items():
            save_figure(exported, name, figure)


def has_report_packages() -> bool:
    """Return whether the packages for ``tables.md`` and ``report.html`` are installed."""
    return all(find_spec(package) is not None for package in REPORT_PACKAGES)
