"""The tables of a battle and of a league, as data."""

from mjopt.experiments.battles.battle import Battle
from mjopt.experiments.battles.league import League
from mjopt.experiments.battles.paired import Comparison
from mjopt.experiments.battles.presets import Preset
from mjopt.experiments.battles.rows import ENDINGS
from mjopt.experiments.battles.summary import Side, Summary
from mjopt.reports.statistics import Finding as Outcome
from mjopt.reports.table import Cell, Table
from mjopt.reports.table import Field as Column

_SIDE = (
    Column("games", "count"),
    Column("wins", "percent"),
    Column("from", "percent"),
    Column("to", "percent"),
    Column("own draw", "percent"),
    Column("points", "count"),
    Column("a game", "signed", 4),
    Column("from ", "signed", 4),
    Column("to ", "signed", 4),
    Column("turn", "number", 2),
    Column("calls", "number", 2),
    Column("paid", "percent"),
    Column("faults", "count"),
)
_NOTE = (
    "Intervals are 95 %, over walls: Wilson's for shares, bootstrap for points. "
    "Turn: mean turn of the wins. Calls: melds on the table. "
    "Paid: games that others won with its tile."
)


def battle_tables(
    battle: Battle, summary: Summary, pairs: tuple[Comparison, ...]
) -> tuple[Table, ...]:
    """Return what a battle shows: agents, pairs, endings.

    Entrants of the same name are also given together, where there are some.
    """
    plan = battle.plan
    title = (
        f"{plan.rules}, {plan.games:,} games x {plan.rounds} "
        f"round{'s' * (plan.rounds > 1)}, seed {plan.seed}"
    )
    tables = [
        Table(
            name="agents",
            title=title,
            columns=(Column("seat", "count"), Column("agent"), *_SIDE),
            rows=tuple(
                (entrant + 1, side.name, *_cells(side))
                for entrant, side in enumerate(summary.entrants)
            ),
            notes=(_NOTE,),
        )
    ]
    if len(summary.sides) not in (1, len(summary.entrants)):
        tables.append(
            Table(
                name="sides",
                title="Agents of the same name together",
                columns=(Column("agent"), *_SIDE),
                rows=tuple((side.name, *_cells(side)) for side in summary.sides),
            )
        )
    if pairs:
        tables.append(_pairs(pairs))
    endings, counts = battle.rows["ending"], range(len(ENDINGS))
    number = [int((endings == place).sum()) for place in counts]
    tables.append(
        Table(
            name="endings",
            title="How the games ended",
            columns=(Column("ending"), Column("games", "count"), Column("share", "percent")),
            rows=tuple(
                (ending.value, games, games / len(endings))
                for ending, games in zip(ENDINGS, number, strict=True)
                if games
            ),
        )
    )
    return tuple(tables)


def _cells(side: Side) -> tuple[Cell, ...]:
    return (
        side.played,
        side.win_rate,
        side.share.low,
        side.share.high,
        side.own_draw_rate,
        side.points,
        side.points_a_game,
        side.mean.low,
        side.mean.high,
        side.turn,
        side.calls,
        side.paid / side.played,
        side.faults,
    )


def _pairs(pairs: tuple[Comparison, ...]) -> Table:
    def p_of(outcome: Outcome | None) -> float | None:
        return outcome.final_p if outcome else None

    return Table(
        name="pairs",
        title="Points a game, one agent less the other, on the same walls",
        columns=(
            Column("agent"),
            Column("less"),
            Column("difference", "signed", 4),
            Column("from", "signed", 4),
            Column("to", "signed", 4),
            Column("p (paired t)", "p"),
            Column("p (signed rank)", "p"),
        ),
        rows=tuple(
            (
                pair.first,
                pair.second,
                pair.difference,
                pair.interval.low,
                pair.interval.high,
                p_of(pair.t_test),
                p_of(pair.signed_rank),
            )
            for pair in pairs
        ),
        notes=("p-values are corrected by Holm's method over all pairs of a test.",),
    )


def published_table(preset: Preset, battle: Battle, summary: Summary) -> Table:
    """Return the published figures beside ours, with the interval of ours."""
    rows: list[tuple[Cell, ...]] = []
    for what, published, shares in (
        ("wins", preset.wins, [(s.win_rate, *s.share) for s in summary.entrants]),
        (
            "own draws",
            preset.own_draws,
            [(s.own_draw_rate, *s.own_share) for s in summary.entrants],
        ),
    ):
        for seat, (told, (ours, low, high)) in enumerate(zip(published, shares, strict=False), 1):
            name = summary.entrants[seat - 1].name
            rows.append((f"{what}, seat {seat} ({name})", "%", told, *_percent(ours, low, high)))
    if preset.drawn is not None:
        shares_drawn = _percent(summary.drawn_rate, *summary.drawn_share)
        rows.append(("drawn games", "%", preset.drawn, *shares_drawn))
    if preset.score is not None:
        first = summary.sides[0]
        games = battle.plan.games
        per_game = first.played / games  # seats and rounds of a game
        rows.append(
            (
                f"points of {first.name}, all games",
                "points",
                preset.score,
                float(first.points),
                first.mean.low * per_game * games,
                first.mean.high * per_game * games,
            )
        )
        rows.append(
            (
                f"points of {first.name}, a game of {battle.plan.rounds} rounds",
                "points",
                None,
                first.points / games,
                first.mean.low * per_game,
                first.mean.high * per_game,
            )
        )
    return Table(
        name="published",
        title=f"Published ({preset.source}) beside ours",
        columns=(
            Column("figure"),
            Column("unit"),
            Column("published", "number", 3 if preset.score else 1),
            Column("ours", "number", 3),
            Column("from", "number", 3),
            Column("to", "number", 3),
        ),
        rows=tuple(rows),
    )


def _percent(*shares: float) -> tuple[float, ...]:
    return tuple(100 * share for share in shares)


def league_tables(league: League) -> tuple[Table, ...]:
    """Return the standings of a league, and who beat whom."""
    members = league.members
    standings = Table(
        name="standings",
        title=f"League, {league.games:,} walls a pair",
        columns=(
            Column("agent"),
            Column("rating", "number", 0),
            Column("from", "number", 0),
            Column("to", "number", 0),
            Column("points a game", "signed", 4),
            Column("1st", "count"),
            Column("2nd", "count"),
            Column("3rd", "count"),
            Column("4th", "count"),
            Column("stable rank", "number", 2),
            Column("from ", "number", 2),
            Column("to ", "number", 2),
        ),
        rows=tuple(
            (
                member.name,
                member.rating,
                *member.rating_interval,
                member.points_a_game,
                *member.places,
                member.stable_rank,
                *member.stable_interval,
            )
            for member in members
        ),
        notes=(
            "Rating: Bradley-Terry on Elo's scale, mean 1500. Stable rank: "
            "(5 n1 + 2 n2) / n4 - 2 over matches of four games, 5 for equals. "
            "Intervals are 95 %, bootstrap over walls and matches.",
        ),
    )
    against = Table(
        name="wins",
        title="Share of walls won, row against column (a draw is half)",
        columns=(
            Column("agent"),
            *(Column(f"{place}", "percent", 1) for place in range(1, len(members) + 1)),
        ),
        rows=tuple(
            (
                f"{i + 1} {member.name}",
                *(
                    None if i == j else float(league.wins[i, j] / league.games)
                    for j in range(len(members))
                ),
            )
            for i, member in enumerate(members)
        ),
    )
    return standings, against
