"""The sentences of a review: positions, discards and calls, in the current language."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from mjopt._internal.tables import Table
from mjopt.chances.advice.options import DISCARD, ESTIMATE, NOTHING, Advice
from mjopt.chances.advice.why import LEAST_LOSS, percent
from mjopt.hands.tiles import places_in_full
from mjopt.play.game.events import KIND_OF, TILE_NAMES
from mjopt.play.game.log import LogRound
from mjopt.play.game.moves import NO_KIND
from mjopt.play.review.cost import could_improve
from mjopt.play.review.evaluate import CHANCE, Call, Evaluation, best_discard, useful_after
from mjopt.play.review.log_danger import say_danger
from mjopt.play.review.rows import DiscardRow
from mjopt.play.review.summary import BESIDE_DANGER, ReviewSummary
from mjopt.play.serve.advice_words import loss_words, why_words
from mjopt.play.serve.board import TileView, round_name, tile_view
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.tiles import missing_words, tile_name

OMITTED: Final = ("mean rank", "as deficiency", "as draws")
COLUMNS: Final = {"copies given up": "useful tiles given up", "moves away": "further from a win"}
"""Columns of the shares in words for players."""


class Remark(NamedTuple):
    """A sentence, and the tiles that follow it, each with a note."""

    words: str
    tiles: tuple[tuple[TileView, str], ...] = ()


def seat_words(seat: int) -> str:
    """Return the words for the player of a seat."""
    return gettext("seat %(number)d") % {"number": seat}


def round_words(deal: LogRound) -> str:
    """Return the name of a round, such as "South 3, counter 1"."""
    return round_name(deal.wind, deal.number, deal.honba)


def place_words(deal: LogRound, turn: int, player: str) -> str:
    """Return a position: round, turn and player."""
    values = {"round": round_words(deal), "turn": turn, "player": player}
    return gettext("%(round)s, turn %(turn)d, %(player)s") % values


def describe_yardstick(by: str) -> str:
    """Say how decisions are judged, and what is ignored."""
    ignored = gettext(
        "Yaku, points and danger are ignored: a discard that moves further from a win may be safe "
        "play."
    )
    if by == CHANCE:
        ignored = gettext(BESIDE_DANGER)
        measure = gettext(
            "Points are the chance to win that a decision loses, in percent, with the own draws "
            "that were left. Discards that were safe from a player close to a win are not listed "
            "as costly."
        )
    else:
        measure = gettext("The best discard leaves the fewest missing tiles, then the most useful.")
    return f"{measure} {ignored}"


def describe_wins(summary: ReviewSummary) -> str:
    """Say how wins are judged, if one was passed up."""
    return gettext(summary.wins_told) if summary.wins_told else ""


def translate_table(table: Table) -> Table:
    """Return a table of shares with the columns for players, in the current language."""
    rows = [
        {gettext(COLUMNS.get(name, name)): row[name] for name in row if name not in OMITTED}
        for row in table.rows
    ]
    formats = {gettext(COLUMNS.get(name, name)): form for name, form in table.formats.items()}
    return replace(table, title=gettext(table.title), rows=rows, formats=formats, optional=())


def describe_cost(row: DiscardRow) -> str:
    """Describe in one sentence what a discard cost."""
    values = {
        "thrown": row["discard"],
        "best": row["best"],
        "before": missing_words(row["before"]),
        "after": missing_words(row["deficiency"]),
        "copies": row["copies"],
        "more": row["best_copies"],
    }
    if row.get("lost"):
        return gettext("%(move)s: %(reason)s") % {
            "move": values["thrown"],
            "reason": describe_chance(row),
        }
    if row["deficiency"] > row["before"]:
        return (
            gettext(
                "%(thrown)s moves further from a win: %(after)s tiles are missing, "
                "after %(best)s %(before)s"
            )
            % values
        )
    line = ngettext(
        "%(thrown)s leaves %(copies)d useful tile, %(best)s %(more)d",
        "%(thrown)s leaves %(copies)d useful tiles, %(best)s %(more)d",
        row["copies"],
    )
    return line % values


def describe_chance(row: DiscardRow | Mapping[str, object]) -> str:
    """Describe the chance to win that a decision costs; empty if it is not known yet.

    Examples
    --------
    >>> row = {"measure": "chance", "at_least": 0.3, "best_at_least": 0.325, "lost": 0.025}
    >>> describe_chance(row | {"best_option": "chow 234m, discard 8s", "is_lost_proven": False})
    'loses about 2.5 points: wins at least 29.99 %, with chow 234m, discard 8s at least 32.50 %'
    """
    measure, lost = row.get("measure"), row.get("lost")
    if measure is None:
        return ""
    if measure == NOTHING:
        words = gettext("nothing could be won with the own draws that were left")
    elif not isinstance(lost, float):
        words = gettext("not compared with the other options")
    elif measure == ESTIMATE and lost < LEAST_LOSS:
        words = gettext("no option is better, by an estimate")
    elif measure == ESTIMATE:
        words = gettext("%(loss)s, an estimate; best: %(best)s")
    elif lost < LEAST_LOSS:
        words = gettext("wins at least %(chance)s, no option is clearly better")
    else:
        words = gettext("%(loss)s: wins at least %(chance)s, with %(best)s at least %(most)s")
    return words % {
        "loss": _loss(lost, is_proven=bool(row.get("is_lost_proven"))),
        "best": best_words(str(row["best_option"])),
        "chance": _percent(row["at_least"]),
        "most": _percent(row["best_at_least"]),
    }


def _loss(lost: object, *, is_proven: bool) -> str:
    if not isinstance(lost, float):
        return ""
    return loss_words(lost, is_proven=is_proven, text=gettext("loses about %(points)s points"))


def _percent(share: object) -> str:
    return percent(Fraction(share)) if isinstance(share, float) else "?"


def best_words(name: str) -> str:
    """Translate the name of an option.

    Examples
    --------
    >>> best_words("pass"), best_words("discard 3z")
    ('pass', '3z')
    """
    parts = []
    for part in name.split(", "):
        action, _, tiles = part.partition(" ")
        if action == DISCARD:
            parts.append(tiles if part == name else gettext("discard %(tile)s") % {"tile": tiles})
        else:
            parts.append(f"{gettext(action)} {tiles}".strip())
    return gettext(", ").join(parts)


def describe_advice(advice: Advice, thrown: int) -> tuple[Remark, ...]:
    """Say why the best option is the best, and what the thrown kind loses."""
    kind = places_in_full(advice.position.hand.tiles).index(thrown)
    chosen = advice.option(kind)
    if advice.best is None or chosen is None:
        return ()
    rows = [row for at, row in enumerate(advice.options) if at == 0 or (row is chosen and at > 1)]
    return tuple(Remark(why_words(advice, row)) for row in rows)  # the first names the second


def describe_calls(summary: ReviewSummary) -> str:
    """Describe all calls in one line, as the terminal does."""
    counts = (
        (ngettext("%(num)d call", "%(num)d calls", summary.calls), summary.calls),
        (gettext("%(num)d of them nearer to a win"), summary.calls_nearer),
        (gettext("%(num)d passed up"), summary.passed),
        (gettext("%(num)d of those nearer to a win"), summary.passed_nearer),
        (
            ngettext("%(num)d win passed up", "%(num)d wins passed up", summary.wins_passed),
            summary.wins_passed,
        ),
    )
    return gettext(", ").join(words % {"num": number} for words, number in counts if number)


def describe_call(call: Call) -> Remark:
    """Describe how a call, made or declined, changed the hand or would have changed it.

    Examples
    --------
    >>> place = {"game": 0, "deal": 0, "event": 9, "seat": 0, "turn": 2}
    >>> before, after = {"without": 3, "useful_without": 17}, {"with_it": 2, "useful_with": 10}
    >>> from mjopt.play.game.events import Event
    >>> from mjopt.play.game.moves import Action
    >>> event = Event(0, Action.CHOW, 1, 3, (2, 3))
    >>> draws = {"draws_with": 9, "draws_without": 8.5}
    >>> call = Call(called=event, made=False, **place, **before, **after, **draws)
    >>> describe_call(call).words
    'Passed up a chow: missing tiles 3 to 2, useful tiles 17 to 10, expected draws 8.50 to 9.00.'
    """
    said = gettext("Called a %(call)s") if call.made else gettext("Passed up a %(call)s")
    changes = [
        gettext("missing tiles %(before)s to %(after)s")
        % {"before": missing_words(call.without), "after": missing_words(call.with_it)}
    ]
    if call.win is not None:
        changes.append(gettext(str(call.win)))
    else:
        values = {"before": call.useful_without, "after": call.useful_with}
        changes.append(gettext("useful tiles %(before)d to %(after)d") % values)
    if call.draws_without == call.draws_without:  # not NaN: expected draws were requested
        draws = {"before": f"{call.draws_without:.2f}", "after": f"{call.draws_with:.2f}"}
        changes.append(gettext("expected draws %(before)s to %(after)s") % draws)
    if call.chance is not None and (chance := describe_chance(call.chance._asdict())):
        changes.append(chance)
    words = said % {"call": gettext(call.called.action.word)}
    tiles = dict.fromkeys((call.called.tile, *call.called.tiles))
    shown = tuple((tile_view(TILE_NAMES[tile]), "") for tile in tiles)
    sentence = gettext("%(call)s: %(changes)s.")
    return Remark(sentence % {"call": words, "changes": gettext(", ").join(changes)}, shown)


def describe_discard(
    evaluation: Evaluation, row: int, told: DiscardRow, advice: Advice | None = None
) -> tuple[Remark, ...]:
    """Describe a discard beside the best one, with reasons if known, and the calls of that turn."""
    discards = evaluation.discards
    at = tuple(int(each[row]) for each in (discards.deal, discards.seat, discards.turn))
    calls = (describe_call(c) for c in evaluation.calls if (c.deal, c.seat, c.turn) == at)
    return (*_compare_discard(evaluation, row, told, advice), *calls)


def _compare_discard(
    evaluation: Evaluation, row: int, told: DiscardRow, advice: Advice | None
) -> Sequence[Remark]:
    discards = evaluation.discards
    if discards.declared[row]:
        return [Remark(gettext("Declared ready: there was no choice."))]
    lines = []
    if chance := describe_chance(told):
        lines.append(
            Remark(gettext("%(sentence)s.") % {"sentence": chance[:1].upper() + chance[1:]})
        )
    if advice is not None:
        lines += describe_advice(advice, KIND_OF[int(discards.discard[row])])
    if danger := say_danger(told, say=lambda text, values: gettext(text) % values, tell=gettext):
        danger = danger[:1].upper() + danger[1:]
        lines.append(Remark(gettext("%(sentence)s.") % {"sentence": danger}))
    elif told["folds"]:
        lines.append(Remark(gettext("Safe from a player who is close to a win.")))
    before, after = told["before"], told["deficiency"]
    if after > before:
        first = gettext("Moves further from a win: %(after)s tiles missing instead of %(before)s.")
    else:
        first = ngettext("%(after)s tile is missing.", "%(after)s tiles are missing.", after)
    thrown, best = KIND_OF[int(discards.discard[row])], best_discard(evaluation, row)
    first %= {"before": missing_words(before), "after": missing_words(after)}
    lines.append(_with_useful(first, evaluation, row, thrown))
    if evaluation.by != CHANCE and told["rank"] == 1:
        lines.append(Remark(gettext("No discard is better.")))
    elif best not in (NO_KIND, thrown) and could_improve(told):
        missing = int(discards.left[row, best])
        words = ngettext(
            "Best was %(best)s: %(missing)s tile missing.",
            "Best was %(best)s: %(missing)s tiles missing.",
            missing,
        )
        words = words % {"best": tile_name(best), "missing": missing_words(missing)}
        lines.append(_with_useful(words, evaluation, row, best))
    if discards.best_by_draws[row] >= 0:
        third = gettext(
            "Expected draws %(draws)s; the fewest of those that move no further away: "
            "%(least)s with %(tile)s."
        )
        values = {
            "draws": f"{discards.draws[row]:.2f}",
            "least": f"{discards.best_draws[row]:.2f}",
            "tile": tile_name(int(discards.best_by_draws[row])),
        }
        lines.append(Remark(third % values))
    return lines


def _with_useful(words: str, evaluation: Evaluation, row: int, kind: int) -> Remark:
    """Return a remark that ends with the useful tiles after a discard."""
    tiles = useful_after(evaluation, row, kind)
    copies = sum(tiles.values())
    useful = ngettext("%(num)d useful tile then:", "%(num)d useful tiles then:", copies)
    shown = tuple((tile_view(kind), str(number)) for kind, number in tiles.items())
    return Remark(f"{words} {useful % {'num': copies}}", shown)
