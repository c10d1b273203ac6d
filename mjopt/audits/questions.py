"""Questions about hands, each with its exact answers for many hands at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import pick
from mjopt.audits.discard_rates import UNIT
from mjopt.audits.exact_answers import (
    UNDEFINED,
    Answers,
    Forms,
    as_masks,
    best_discards,
    deal_in_rates,
    distances,
    kinds_in,
    nearest_discards,
    num_decompositions,
    shanten_numbers,
    useful_copies,
    useful_kinds,
    wins,
)
from mjopt.audits.hand_batch import HandBatch
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import TileSet

FLAG: Final = "yes or no"
NUMBER: Final = "number"
TILES: Final = "tiles"
CHOICE: Final = "one or several equally good tiles"
RATE: Final = "a rate from 0 to 1"

UNREADABLE: Final = {
    FLAG: "not yes or no",
    NUMBER: "not a number",
    TILES: "not tiles",
    CHOICE: "not tiles",
    RATE: "not a rate",
}
MISSING, USELESS, BOTH = (
    "useful tiles missing",
    "useless tiles given",
    "some missing, some useless",
)
ABSENT, FARTHER, FEWER = (
    "not in the hand",
    "raises the deficiency",
    "leaves fewer useful tiles",
)
BY_RULE, PROVED = "safe by rule, not 0", "proved safe, not 0"
ERRORS: Final = {
    FLAG: ("win not found", "called a win"),
    NUMBER: ("too low", "too high"),
    TILES: (MISSING, USELESS, BOTH),
    CHOICE: (FARTHER, FEWER, ABSENT),
    RATE: ("too low", "too high", BY_RULE, PROVED),
}
"""Kinds of error of each kind of answer; besides, the answer may be :data:`UNREADABLE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about hands, such as their deficiency, with the function that answers it."""

    name: str
    meaning: str  # the question in words
    scale: str  # the kind of its answers: FLAG, NUMBER, TILES, CHOICE or RATE
    # Maps hands and winning forms to the exact answers, shape (N,).
    exact: Callable[[HandBatch, Forms], Answers]

    @property
    def errors(self) -> tuple[str, ...]:
        """The kinds of error, the answer that cannot be read last."""
        return (*ERRORS[self.scale], UNREADABLE[self.scale])

    def is_right(self, given: Answers, exact: Answers, tolerance: int = 0) -> NDArray[np.bool_]:
        """Return which given answers are right; an undefined question has no wrong answer.

        A rate may differ by the tolerance, but where it must be 0 it is 0.
        """
        is_right: NDArray[np.bool_] = exact == UNDEFINED
        if self.scale == CHOICE:  # any of the equally good tiles, at least one
            is_right |= (given > 0) & (given & ~exact == 0)
        elif self.scale == RATE:
            is_right |= (np.abs(given - exact) <= tolerance) & ((exact > 0) | (given == 0))
        else:
            is_right |= given == exact
        return is_right

    def kinds_of_error(
        self, hands: HandBatch, given: Answers, exact: Answers, forms: Forms
    ) -> list[str]:
        """Return the kind of error of each wrong answer that could be read."""
        lower, higher, *_ = names = ERRORS[self.scale]
        if self.scale in (FLAG, NUMBER):
            return [lower if is_low else higher for is_low in (given < exact).tolist()]
        if self.scale == RATE:
            assert hands.asked is not None
            is_barred = hands.asked.barred >> hands.asked.kinds & 1 > 0
            safe = np.where(is_barred, 2, 3)
            return [names[which] for which in np.where(exact == 0, safe, given > exact).tolist()]
        if self.scale == TILES:
            number = 2 * ((given & ~exact) != 0) + ((exact & ~given) != 0) - 1
            return [names[which] for which in number.tolist()]
        held = as_masks(hands.counts > 0)
        nearest = nearest_discards(hands, forms)
        is_far, is_absent = given & ~nearest != 0, (given & ~held != 0) | (given == 0)
        number = np.where(is_absent, 2, np.where(is_far, 0, 1))
        return [names[which] for which in number.tolist()]

    def text(self, answer: int, tiles: TileSet) -> str:
        """Return an answer as text."""
        if answer == UNDEFINED:
            return "undefined"
        if self.scale == FLAG:
            return "yes" if answer else "no"
        if self.scale == RATE:
            return f"{answer / UNIT:.6g}"
        if self.scale == NUMBER:
            is_distance = self.name in DISTANCES
            return "unreachable" if is_distance and answer == UNREACHABLE else str(answer)
        return " ".join(tiles.names[kind] for kind in kinds_in(answer)) or "none"

    def value(self, answer: int, tiles: TileSet) -> bool | int | float | str | None:
        """Return an answer as plain data; None if there is none or no win can be reached."""
        if answer == UNDEFINED or (self.name in DISTANCES and answer == UNREACHABLE):
            return None
        if self.scale in (FLAG, NUMBER):
            return bool(answer) if self.scale == FLAG else answer
        if self.scale == RATE:
            return answer / UNIT
        return " ".join(tiles.names[kind] for kind in kinds_in(answer))


QUESTIONS: Final = {
    question.name: question
    for question in (
        Question(name="win", meaning="is it complete?", scale=FLAG, exact=wins),
        Question(
            name="shanten",
            meaning="tiles from a ready hand, -1 for a win",
            scale=NUMBER,
            exact=shanten_numbers,
        ),
        Question(name="deficiency", meaning="tile changes to a win", scale=NUMBER, exact=distances),
        Question(
            name="useful",
            meaning="tiles whose arrival lowers the deficiency",
            scale=TILES,
            exact=useful_kinds,
        ),
        Question(
            name="ukeire",
            meaning="number of copies of the useful tiles",
            scale=NUMBER,
            exact=useful_copies,
        ),
        Question(
            name="discard",
            meaning="best discard: least deficiency, then most useful copies",
            scale=CHOICE,
            exact=best_discards,
        ),
        Question(
            name="decompositions",
            meaning="number of ways to split a win",
            scale=NUMBER,
            exact=num_decompositions,
        ),
    )
}
"""Questions by name."""

DISTANCES: Final = ("shanten", "deficiency")

DISCARD_QUESTIONS: Final = {
    "danger": Question(
        name="danger",
        meaning="share of an opponent's ready hands that win on a discard, all equally likely",
        scale=RATE,
        exact=deal_in_rates,
    )
}
"""Questions about discards and an opponent, which only a file can ask."""


def get_question(name: str) -> Question:
    """Return a question by its name.

    Examples
    --------
    >>> get_question("ukeire").meaning
    'number of copies of the useful tiles'
    >>> get_question("waits")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: question 'waits', expected one of win, shanten, deficiency, ...
    """
    return pick(name, {**QUESTIONS, **DISCARD_QUESTIONS}, "question", ArgumentError)


def default_forms(names: list[str] | tuple[str, ...]) -> str | None:
    """Return the winning forms of questions without a rule set.

    These are riichi for shanten and all that the tile set allows for danger.

    Examples
    --------
    >>> default_forms(["useful", "shanten"]), default_forms(["useful"])
    ('riichi', None)
    """
    return "riichi" if "shanten" in names else "all" if {*DISCARD_QUESTIONS} & {*names} else None
