"""Hints in words: the best option of an advice, or the move of an agent."""

from math import isinf
from typing import Final, NamedTuple

from mjopt.chances.advice.advise import QUICK
from mjopt.chances.advice.options import NOTHING, Advice
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.positions import best_move
from mjopt.play.game.rules import HAND_SIZE
from mjopt.play.matches.agent_hints import AgentHint
from mjopt.play.serve.advice_words import chance_words, option_words, why_words
from mjopt.play.serve.language import gettext, ngettext
from mjopt.play.serve.tiles import missing_words

ADVISER: Final = "win-chance"  # the hints of this agent are an advice
NUM_CANDIDATES: Final = 3  # named until the search has an answer


class Hint(NamedTuple):
    """A hint as the page of a match shows it."""

    move: Move | None  # None if none is better than others, or the best is not yet known
    words: str  # the move, and the reasons, each in a sentence or empty
    reasons: str = ""
    advice: Advice | None = None  # the details: an advice, or those of an agent
    by_agent: AgentHint | None = None
    is_searching: bool = False  # whether more will be known
    has_stopped: bool = False  # whether the search has ended without an answer


def advised(moves: tuple[Move, ...], advice: Advice | None, *, has_stopped: bool = False) -> Hint:
    """Return the hint to choose the best option of an advice, as far as it is known."""
    is_open = advice is None or advice.effort == QUICK
    found = None if advice is None or advice.best is None else best_move(advice, moves)
    words, reasons = ("", "") if advice is None else describe_advice(advice)
    return Hint(
        found and found[1],
        words,
        reasons,
        advice,
        is_searching=is_open and not has_stopped,
        has_stopped=is_open and has_stopped,
    )


def describe_advice(advice: Advice) -> tuple[str, str]:
    """Return the best option with its chance to win, and the reasons, each in one sentence."""
    best = advice.best
    if best is None:
        if advice.measure == NOTHING:
            return gettext("Nothing can be won with the own draws that are left."), ""
        words = gettext("; ").join(map(option_words, advice.options[:NUM_CANDIDATES]))
        return gettext("Candidates: %(options)s.") % {"options": words}, ""
    option = option_words(best)
    if best.at_least == 1:
        return option[:1].upper() + option[1:], ""
    words = ngettext(
        "%(option)s: wins %(chance)s within %(count)s draw.",
        "%(option)s: wins %(chance)s within %(count)s draws.",
        best.draws,
    ) % {
        "option": option[:1].upper() + option[1:],
        "chance": chance_words(best),
        "count": best.draws,
    }
    return words, why_words(advice, best, with_next=False)


def describe_hint(hint: AgentHint, words: str) -> str:
    """Return the hint of an agent in one sentence, given its move in words."""
    move = hint.move
    if move.action not in (Action.DISCARD, Action.READY):
        return _describe_call(hint, words)
    weight = next((weight for weight in hint.weights if weight.is_chosen), None)
    row = next((row for row in hint.discards if row.kind == move.kind), None)
    values: dict[str, object] = {"move": words, "reason": ""}
    if weight is not None:
        reason = gettext("its weight of %(weight)d is the least")
        if hint.to_orphans:
            reason = gettext("its weight of %(weight)d is the greatest, for thirteen orphans")
        values["reason"] = reason % {"weight": weight.total}
    elif row is None or isinf(row.mean):
        values["reason"] = gettext("no win can be reached") if row else ""
    else:
        values["reason"] = ngettext(
            "%(num)d tile improves the hand", "%(num)d tiles improve the hand", row.num_useful
        ) % {"num": row.num_useful}
        if hint.is_by_draws:
            values["mean"] = f"{row.mean:.1f}"
            return gettext("%(move)s: a win takes %(mean)s draws on average; %(reason)s") % values
    return gettext("%(move)s: %(reason)s") % values


def _describe_call(hint: AgentHint, words: str) -> str:
    move = hint.move
    judged = next((call for call in hint.calls if call.move == move), None)
    values: dict[str, object] = {"move": words}
    if judged is None or judged.after > HAND_SIZE > judged.before:
        is_pass = move.action is Action.PASS and hint.calls
        template = gettext("%(move)s: no call improves the hand") if is_pass else "%(move)s"
        return template % values
    values |= {"before": judged.before, "after": judged.after}
    if hint.is_by_weight:
        template = gettext("%(move)s: the total weight falls from %(before)d to %(after)d")
    else:
        values |= {"before": missing_words(judged.before), "after": missing_words(judged.after)}
        template = ngettext(
            "%(move)s: %(after)s tile missing instead of %(before)s",
            "%(move)s: %(after)s tiles missing instead of %(before)s",
            judged.after,
        )
    return template % values
