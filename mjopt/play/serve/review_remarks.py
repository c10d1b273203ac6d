"""The sentences of a review: positions, discards and calls, in the current language."""

from collections.abc import Sequence
from dataclasses import replace

from mjopt._internal.tables import Table
from mjopt.play.game.events import KIND_OF, TILE_NAMES, Event
from mjopt.play.game.log import LogRound
from mjopt.play.game.moves import Action
from mjopt.play.review.evaluate import Call, Evaluation, useful_after
from mjopt.play.review.export import DiscardRow
from mjopt.play.review.summary import NO_FURITEN, NOT_SAID, YARDSTICK, ReviewSummary
from mjopt.play.serve.board import WINDS
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.tiles import tile_words


def seat_words(seat: int) -> str:
    """Return the words for the player of a seat.

    Examples
    --------
    >>> seat_words(2)
    'seat 2'
    """
    return gettext("seat %(number)d") % {"number": seat}


def round_words(deal: LogRound) -> str:
    """Return the name of a round.

    Examples
    --------
    >>> round_words(LogRound(wind=1, number=3, honba=1, dealer=2, points=(), hands=(), events=()))
    'South 3, counter 1'
    """
    values = {"wind": gettext(WINDS[deal.wind % 4]), "number": deal.number, "count": deal.honba}
    if deal.honba:
        return gettext("%(wind)s %(number)d, counter %(count)d") % values
    return gettext("%(wind)s %(number)d") % values


def place_words(deal: LogRound, turn: int, player: str) -> str:
    """Return a position: round, turn and player."""
    values = {"round": round_words(deal), "turn": turn, "player": player}
    return gettext("%(round)s, turn %(turn)d, %(player)s") % values


def describe_yardstick() -> str:
    """Say how discards are ranked, and what is ignored."""
    return f"{gettext(NOT_SAID)} {gettext(YARDSTICK)}"


def describe_furiten(summary: ReviewSummary) -> str:
    """Say that wins are judged by form only, if one was passed up."""
    return gettext(NO_FURITEN) if summary.wins_passed else ""


def translate_table(table: Table) -> Table:
    """Return a table of shares with its columns in the current language."""
    rows = [{gettext(column): value for column, value in row.items()} for row in table.rows]
    formats = {gettext(column): spec for column, spec in table.formats.items()}
    hidden = tuple(map(gettext, table.optional))
    return replace(table, title=gettext(table.title), rows=rows, formats=formats, optional=hidden)


def describe_cost(row: DiscardRow) -> str:
    """Describe in one sentence what a discard cost."""
    values = {
        "thrown": tile_words(row["discard"]),
        "best": tile_words(row["best"]),
        "before": row["before"],
        "after": row["deficiency"],
        "copies": row["copies"],
        "more": row["best_copies"],
    }
    if row["deficiency"] > row["before"]:
        return (
            gettext(
                "%(thrown)s, deficiency %(before)d to %(after)d; %(best)s keeps it, "
                "with %(more)d useful copies"
            )
            % values
        )
    return gettext("%(thrown)s, %(copies)d useful copies; %(best)s, %(more)d") % values


def describe_calls(summary: ReviewSummary) -> str:
    """Describe all calls in one line, as the terminal does."""
    values = {
        "calls": summary.calls,
        "nearer": summary.calls_nearer,
        "passed": summary.passed,
        "passed_nearer": summary.passed_nearer,
    }
    line = (
        gettext(
            "%(calls)d calls, %(nearer)d of them nearer to a win; "
            "%(passed)d passed up, %(passed_nearer)d nearer"
        )
        % values
    )
    wins = summary.wins_passed
    if not wins:
        return line
    return f"{line}; {ngettext('%(num)d win passed up', '%(num)d wins passed up', wins)}" % {
        "num": wins
    }


def describe_call(call: Call) -> str:
    """Describe how a call, made or declined, changed the hand or would have changed it.

    Examples
    --------
    >>> place = {"game": 0, "deal": 0, "event": 9, "seat": 0, "turn": 2}
    >>> before, after = {"without": 3, "useful_without": 17}, {"with_it": 2, "useful_with": 10}
    >>> event = Event(0, Action.CHOW, 1, 3, (2, 3))
    >>> draws = {"draws_with": 9, "draws_without": 8.5}
    >>> describe_call(Call(called=event, made=False, **place, **before, **after, **draws))
    'Passed up chow 2m with 3m 4m: deficiency 3 to 2, copies 17 to 10, expected draws 8.50 to 9.00.'
    """
    said = gettext("Called %(call)s") if call.made else gettext("Passed up %(call)s")
    changes = [
        gettext("deficiency %(before)d to %(after)d")
        % {"before": call.without, "after": call.with_it}
    ]
    if call.called.action is not Action.WIN:
        values = {"before": call.useful_without, "after": call.useful_with}
        changes.append(gettext("copies %(before)d to %(after)d") % values)
    if call.draws_without == call.draws_without:  # not NaN: expected draws were requested
        draws = {"before": f"{call.draws_without:.2f}", "after": f"{call.draws_with:.2f}"}
        changes.append(gettext("expected draws %(before)s to %(after)s") % draws)
    return f"{said % {'call': _call_words(call.called)}}: {', '.join(changes)}."


def _call_words(event: Event) -> str:
    values = {
        "action": gettext(event.action.word),
        "tile": TILE_NAMES[event.tile],
        "held": " ".join(TILE_NAMES[tile] for tile in event.tiles),
    }
    if event.tiles:
        return gettext("%(action)s %(tile)s with %(held)s") % values
    return gettext("%(action)s %(tile)s") % values


def describe_discard(evaluation: Evaluation, row: int) -> tuple[str, ...]:
    """Describe a discard beside the best one, and the calls of that turn."""
    discards = evaluation.discards
    at = tuple(int(each[row]) for each in (discards.deal, discards.seat, discards.turn))
    calls = (describe_call(c) for c in evaluation.calls if (c.deal, c.seat, c.turn) == at)
    return (*_compare_discard(evaluation, row), *calls)


def _compare_discard(evaluation: Evaluation, row: int) -> Sequence[str]:
    discards = evaluation.discards
    if discards.declared[row]:
        return [gettext("Declared ready: there was no choice.")]
    before, after = int(discards.before[row]), int(discards.deficiency[row])
    rank = int(discards.rank[row])
    values: dict[str, int | str] = {
        "before": before,
        "after": after,
        "rank": rank,
        "best": TILE_NAMES[int(discards.best[row])],
        "draws": f"{discards.draws[row]:.2f}",
        "least": f"{discards.best_draws[row]:.2f}",
    }
    if after > before:
        first = gettext("Deficiency %(before)d to %(after)d: moves away.")
    else:
        first = gettext("Deficiency stays %(after)d.")
    thrown, best = KIND_OF[int(discards.discard[row])], int(discards.best[row])
    lines = [f"{first % values} {_describe_useful(evaluation, row, thrown)}"]
    if rank == 1:
        lines.append(gettext("No discard is better by deficiency and copies."))
    else:
        second = gettext("Rank %(rank)d; best is %(best)s: deficiency %(before)d.") % values
        lines.append(f"{second} {_describe_useful(evaluation, row, best)}")
    if discards.best_by_draws[row] >= 0:
        values["tile"] = TILE_NAMES[int(discards.best_by_draws[row])]
        third = gettext(
            "Expected draws %(draws)s; the least among those that keep the deficiency: "
            "%(least)s with %(tile)s."
        )
        lines.append(third % values)
    if discards.better_by_draws[row]:
        lines.append(gettext("By expected draws better than %(best)s.") % values)
    return lines


def _describe_useful(evaluation: Evaluation, row: int, kind: int) -> str:
    tiles = useful_after(evaluation, row, kind)
    values = {
        "copies": sum(tiles.values()),
        "tiles": " ".join(f"{TILE_NAMES[k]}({copies})" for k, copies in tiles.items()),
    }
    if not tiles:
        return gettext("Useful then: %(copies)d copies unseen.") % values
    return gettext("Useful then: %(copies)d copies unseen: %(tiles)s.") % values
