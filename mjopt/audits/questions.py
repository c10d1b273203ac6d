"""Questions about hands, each with its exact answers for many hands at once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect_all, pick
from mjopt.analysis.batch import discards_many
from mjopt.analysis.deficiency import deficiency
from mjopt.analysis.discard import discards
from mjopt.analysis.useful_rows import find_useful
from mjopt.analysis.useful_tiles import helpful_copies
from mjopt.audits.discard_rates import (
    UNIT,
    AskedDiscards,
    Rate,
    in_units,
    ready_queries,
    uniform_rate,
)
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import HAND_SIZE, UNREACHABLE, is_classic
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.batch import label

Counts = NDArray[np.uint8]
Answers = NDArray[np.int64]
"""Answers as integers: 0 or 1, a number, or a set of kinds with a bit for each."""

Rows = NDArray[np.intp]
Forms = tuple[WinningForm, ...]

UNDEFINED: Final = -1 << 40
"""In place of an exact answer where a question has none: a discard before the draw or of a win."""

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandBatch:
    """Valid hands in arrays, with N hands of K kinds.

    Parameters
    ----------
    counts, called
        Copies per kind, shape ``(N, K)``, and melds on the table, shape ``(N,)``.
    left
        Copies that can arrive, shape ``(N, K)``; None if these are all not held.
    tiles, rules
        The tile set and the rule set.
    melds
        The tiles of the melds on the table of each hand, if they are known.
    asked
        What deal-in rates are about, if the question is one about them.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> batch = HandBatch.of([Hand.parse("1112345678999m1p"), Hand.parse("11m", called=4)])
    >>> batch.called.tolist(), batch.is_full.tolist(), batch.hand(1).to_text()
    ([0, 4], [True, True], '11m')
    """

    counts: "Counts"
    called: "NDArray[np.int16]"
    tiles: TileSet
    left: "Counts | None" = None
    rules: RuleSet | None = None
    melds: tuple[tuple[Block, ...], ...] = ()
    asked: AskedDiscards | None = None

    @classmethod
    def of(cls, hands: Iterable[Hand], left: "Counts | None" = None) -> "HandBatch":
        """Return some hands, at least one, of one tile set and rule set as a batch."""
        hands = expect_all(hands, Hand, "hands")
        if not hands:
            raise HandError("no hands", expected="at least one")
        melds = tuple(hand.melds for hand in hands)
        if left is None and any(melds):
            left = np.array([hand.unseen for hand in hands], np.uint8)
        return cls(
            counts=np.array([hand.counts for hand in hands], np.uint8),
            called=np.array([hand.called for hand in hands], np.int16),
            tiles=hands[0].tiles,
            left=left,
            rules=hands[0].rules,
            melds=melds if any(melds) else (),
        )

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def is_full(self) -> "NDArray[np.bool_]":
        """Whether each hand is one after its draw, shape ``(N,)``."""
        size = HAND_SIZE if self.rules is None else self.rules.size
        is_full: NDArray[np.bool_] = (
            self.counts.sum(axis=1, dtype=np.int64) == size - 3 * self.called
        )
        return is_full

    @property
    def copies(self) -> "Counts":
        """Copies that can arrive, shape ``(N, K)``."""
        return np.uint8(COPIES) - self.counts if self.left is None else self.left

    def take(self, rows: "Rows") -> "HandBatch":
        """Return some of the hands."""
        return replace(
            self,
            counts=self.counts[rows],
            called=self.called[rows],
            left=None if self.left is None else self.left[rows],
            melds=tuple(self.melds[row] for row in rows) if self.melds else (),
            asked=None if self.asked is None else self.asked.take(rows),
        )

    @property
    def tolerance(self) -> int:
        """How much a right answer may differ from the exact one."""
        return 0 if self.asked is None else self.asked.tolerance

    def by_called(self) -> "Iterator[tuple[int, Rows]]":
        """Yield each number of melds on the table, and the rows with it."""
        for melds in np.unique(self.called).tolist():
            yield melds, np.flatnonzero(self.called == melds)

    def hand(self, row: int) -> Hand:
        """Return one hand."""
        melds = self.melds[row] if self.melds else ()
        counts, reds = tuple(self.counts[row].tolist()), (0,) * self.tiles.num_kinds
        how = (int(self.called[row]), melds, False, self.rules)
        return Hand.of_checked(self.tiles, counts, reds, *how)

    def meld_texts(self, row: int) -> tuple[str, ...]:
        """Return the tiles of the melds on the table of one hand, if they are known."""
        melds = self.melds[row] if self.melds else ()
        return tuple(meld.text(self.tiles) for meld in melds)

    def unseen(self, row: int) -> tuple[int, ...] | None:
        """Return the copies that can arrive for one hand; None if these are all not shown."""
        left = None if self.left is None else tuple(self.left[row].tolist())
        return None if left == self.hand(row).unseen else left

    def text(self, row: int, notation: str = "mpsz") -> str:
        """Return one hand as text."""
        return self.hand(row).to_text(notation)


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


def as_numbers(flags: NDArray[np.bool_]) -> Answers:
    """Return flags as 0 and 1."""
    numbers: Answers = flags.astype(np.int64)
    return numbers


def count_kinds(masks: Answers, copies: Counts) -> Answers:
    """Return the number of copies of the kinds of each mask; ``copies`` has shape ``(N, K)``."""
    flags = as_flags(masks, copies.shape[1])
    numbers: Answers = np.multiply(flags, copies).sum(axis=1, dtype=np.int64)
    return numbers


def as_masks(flags: NDArray[np.bool_]) -> Answers:
    """Return rows of flags per kind, shape ``(N, K)``, as numbers with a bit for each kind."""
    bits = np.int64(1) << np.arange(flags.shape[1], dtype=np.int64)
    masks: Answers = flags @ bits
    return masks


def as_flags(masks: Answers, num_kinds: int) -> NDArray[np.bool_]:
    """Return the inverse of :func:`as_masks`."""
    flags: NDArray[np.bool_] = (masks[:, None] >> np.arange(num_kinds)) & 1 > 0
    return flags


def kinds_in(mask: int) -> list[int]:
    """Return the kinds of a mask.

    Examples
    --------
    >>> kinds_in(0b1001)
    [0, 3]
    """
    return [kind for kind in range(mask.bit_length()) if mask >> kind & 1] if mask > 0 else []


def _needs_melds(hands: HandBatch, forms: Forms) -> bool:
    """Return whether the kinds of the melds on the table decide which forms are possible."""
    return bool(hands.melds) and not is_classic(forms)


def distances(hands: HandBatch, forms: Forms) -> Answers:
    """Return the deficiency of every hand; ``UNREACHABLE`` where no win can be reached."""
    if _needs_melds(hands, forms):
        each = range(len(hands))
        return np.array(
            [deficiency(hands.hand(r), forms=forms, unseen=hands.unseen(r)) for r in each], np.int64
        )
    found = label(
        hands.counts,
        tiles=hands.tiles,
        called=hands.called,
        forms=forms,
        rules=hands.rules,
        unseen=hands.left,
    )
    return found.astype(np.int64)


def _wins(hands: HandBatch, forms: Forms) -> Answers:
    return as_numbers((distances(hands, forms) == 0) & hands.is_full)


def _shanten(hands: HandBatch, forms: Forms) -> Answers:
    found = distances(hands, forms)
    found -= found != UNREACHABLE
    return found


def _useful(hands: HandBatch, forms: Forms) -> Answers:
    """Return the kinds whose arrival lowers the deficiency: those that a nearest win draws."""
    masks = np.zeros(len(hands), np.int64)
    if _needs_melds(hands, forms):
        for row in range(len(hands)):
            hand = hands.hand(row)
            [(_, copies)] = helpful_copies([hand], [hands.unseen(row) or hand.unseen], forms)
            masks[row] = sum(1 << kind for kind, number in copies if number)
        return masks
    for melds, rows in hands.by_called():
        part = hands.take(rows)
        _, flags = find_useful(part.counts, part.left, hands.tiles, melds, forms)
        masks[rows] = as_masks(flags)
    return masks


def _copies(hands: HandBatch, forms: Forms) -> Answers:
    return count_kinds(_useful(hands, forms), hands.copies)


def _discards(hands: HandBatch, forms: Forms) -> Answers:
    """Return the discards of least deficiency after which most useful copies are left."""
    return _ranked_discards(hands, forms, 1)


def nearest_discards(hands: HandBatch, forms: Forms) -> Answers:
    """Return the discards of least deficiency."""
    return _ranked_discards(hands, forms, 0)


def _ranked_discards(hands: HandBatch, forms: Forms, by_copies: int) -> Answers:
    masks = np.full(len(hands), np.int64(UNDEFINED))
    is_asked = hands.is_full & (distances(hands, forms) > 0)
    if _needs_melds(hands, forms):
        for row in np.flatnonzero(is_asked).tolist():
            ranked = discards(hands.hand(row), forms=forms, unseen=hands.unseen(row))
            ranks = [(each.deficiency, -by_copies * each.after.num_copies) for each in ranked]
            best = [each.kind for each, rank in zip(ranked, ranks, strict=True) if rank == ranks[0]]
            masks[row] = sum(1 << kind for kind in best)
        return masks
    for melds, rows in hands.by_called():
        here = rows[is_asked[rows]]
        part = hands.take(here)
        if not len(here):
            continue
        found = discards_many(
            part.counts,
            tiles=hands.tiles,
            called=melds,
            unseen=part.left,
            forms=forms,
            rules=hands.rules,
        )
        # More copies never make up for a greater deficiency: there are at most 136.
        score = by_copies * found.num_copies.astype(np.int32) - np.int32(1000) * found.deficiency
        score[part.counts == 0] = np.iinfo(np.int32).min
        masks[here] = as_masks(score == score.max(axis=1, keepdims=True))
    return masks


def _decompositions(hands: HandBatch, forms: Forms) -> Answers:
    """Return the number of different ways to split each complete hand."""
    found = np.zeros(len(hands), np.int64)
    for row in np.flatnonzero(_wins(hands, forms)).tolist():
        counts, called = tuple(hands.counts[row].tolist()), int(hands.called[row])
        splits = (
            find_splits(counts, hands.tiles, template, called)
            for form in forms
            for template in form.templates
        )
        found[row] = len(set().union(*splits))
    return found


def _deal_in(hands: HandBatch, forms: Forms) -> Answers:
    return rates(hands, forms, uniform_rate)


def rates(hands: HandBatch, forms: Forms, rate: Rate) -> Answers:
    """Return the rate of each discard."""
    assert hands.asked is not None, "only a file asks about discards"
    found = (rate(*each) for each in ready_queries(hands.asked, hands.copies, forms))
    return np.array([UNDEFINED if each is None else in_units(each) for each in found], np.int64)


QUESTIONS: Final = {
    question.name: question
    for question in (
        Question(name="win", meaning="is it complete?", scale=FLAG, exact=_wins),
        Question(
            name="shanten",
            meaning="tiles from a ready hand, -1 for a win",
            scale=NUMBER,
            exact=_shanten,
        ),
        Question(name="deficiency", meaning="tile changes to a win", scale=NUMBER, exact=distances),
        Question(
            name="useful",
            meaning="tiles whose arrival lowers the deficiency",
            scale=TILES,
            exact=_useful,
        ),
        Question(
            name="ukeire",
            meaning="number of copies of the useful tiles",
            scale=NUMBER,
            exact=_copies,
        ),
        Question(
            name="discard",
            meaning="best discard: least deficiency, then most useful copies",
            scale=CHOICE,
            exact=_discards,
        ),
        Question(
            name="decompositions",
            meaning="number of ways to split a win",
            scale=NUMBER,
            exact=_decompositions,
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
        exact=_deal_in,
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
