"""Wrong answers, and the counts of each audited column by kind of error and likely cause."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjopt.audits.answers import SKIPPED, UNREAD
from mjopt.audits.exact_answers import UNDEFINED, Answers
from mjopt.audits.questions import NUMBER, Question
from mjopt.audits.readings import shift_cause
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import TileSet

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A wrong answer.

    Parameters
    ----------
    line, text, column, written
        The row, its hand, the column, and the answer as it was written.
    counts, called, melds, left
        The hand: copies per kind, the number of melds on the table, their tiles if these are known,
        and copies that can arrive, None for all that are not shown.
    given, exact
        The answer as an integer, None if it cannot be read, and the exact one.
    deficiency
        The deficiency of the hand.
    kind, cause
        The kind of error, and the likely cause, which may be empty.

    Examples
    --------
    >>> from mjopt.audits import Audit, HandBatch
    >>> from mjopt.hands.rules.read_forms import read_forms
    >>> from mjopt.hands.tiles import M0
    >>> hands = HandBatch.of([Hand.parse("1112345678999m1p")])
    >>> with Audit({"win": "win"}, tiles=M0, forms=read_forms(None, M0)) as audit:
    ...     audit.add_answers(hands, {"win": np.array([1])})
    ...     [row] = audit.wrong()
    >>> row.text, row.written, row.exact, row.kind, row.cause
    ('1112345678999m1p', 'yes', 0, 'called a win', 'a ready hand is called a win')
    """

    line: int
    text: str
    column: str
    written: str
    counts: tuple[int, ...]
    called: int
    melds: tuple[str, ...]
    left: tuple[int, ...] | None
    given: int | None
    exact: int
    deficiency: int
    kind: str
    cause: str

    @property
    def has_known_cause(self) -> bool:
        """Whether the cause is more than the size of the error."""
        return self.cause != "" and not self.cause.startswith("too ")

    def hand(self, tiles: TileSet, rules: RuleSet | None) -> Hand:
        """Return the hand."""
        reds = (0,) * tiles.num_kinds
        hand = Hand.of_checked(tiles, self.counts, reds, self.called, (), False, rules)
        if not self.melds:
            return hand
        return Hand.parse(hand.to_text(), tiles=tiles, melds=self.melds, rules=rules)


class Findings:
    """The result for one column.

    Parameters
    ----------
    column, question
        The column and its question.

    Attributes
    ----------
    num_compared, num_undefined, num_skipped, num_read
        Number of answers compared, of hands without an exact answer, such as a discard before the
        draw, of answers that were not given, and of those that could be read.
    kinds, by_deficiency
        Number of wrong answers by kind of error, and by deficiency and kind.

    Examples
    --------
    >>> from mjopt.audits.questions import get_question
    >>> findings = Findings("copies", get_question("ukeire"))
    >>> findings.count(np.array([12, 8]), np.array([8, 8])).tolist(), findings.name
    ([True, False], 'copies=ukeire')
    """

    def __init__(self, column: str, question: Question) -> None:
        self.column, self.question = column, question
        self.num_compared = self.num_undefined = self.num_skipped = self.num_read = 0
        self.kinds: Counter[str] = Counter()
        self.by_deficiency: Counter[tuple[int, str]] = Counter()
        self._causes: Counter[str] = Counter()
        self._shifts: Counter[int] = Counter()

    @property
    def num_wrong(self) -> int:
        """The number of wrong answers."""
        return self.kinds.total()

    @property
    def name(self) -> str:
        """The column, with its question if that has another name."""
        name = self.question.name
        return name if self.column == name else f"{self.column}={name}"

    @property
    def shift(self) -> int | None:
        """The error that all numbers share, or None.

        A shift needs at least two rows. It is not reported if each row has its own
        explanation.
        """
        is_explained = not any(c == "" or c.startswith("too ") for c in self._causes)
        if len(self._shifts) != 1 or self._shifts.total() < 2 or is_explained:
            return None
        [shift] = self._shifts
        return shift or None

    @property
    def causes(self) -> dict[str, int]:
        """The number of wrong answers by likely cause, most common first."""
        if self.shift is not None:
            return {self.cause_of(""): self._causes.total()}
        return {cause: number for cause, number in self._causes.most_common() if cause}

    def cause_of(self, cause: str) -> str:
        """Return the cause of a row: the shift of all rows, if they share one."""
        return cause if self.shift is None else shift_cause(self.shift, self.question.name)

    def count(self, given: "Answers", exact: "Answers", tolerance: int = 0) -> "Flags":
        """Count some answers, and return which are wrong."""
        is_given, is_defined = given != SKIPPED, exact != UNDEFINED
        self.num_skipped += int((~is_given).sum())
        self.num_read += int((is_given & (given != UNREAD)).sum())
        self.num_undefined += int((is_given & ~is_defined).sum())
        self.num_compared += int((is_given & is_defined).sum())
        is_wrong: Flags = is_given & is_defined & ~self.question.is_right(given, exact, tolerance)
        if self.question.scale == NUMBER:
            is_number = is_given & is_defined & (given != UNREAD)
            errors, numbers = np.unique((given - exact)[is_number], return_counts=True)
            self._shifts.update(dict(zip(errors.tolist(), numbers.tolist(), strict=True)))
        return is_wrong

    def keep(self, row: Disagreement) -> None:
        """Count a wrong answer."""
        self.kinds[row.kind] += 1
        self.by_deficiency[row.deficiency, row.kind] += 1
        if row.given is not None:
            self._causes[row.cause] += 1

    def to_document(self) -> dict[str, object]:
        """Return the summary as plain data."""
        return {
            "column": self.column,
            "question": self.question.name,
            "compared": self.num_compared,
            "undefined": self.num_undefined,
            "skipped": self.num_skipped,
            "wrong": self.num_wrong,
            "kinds": {kind: self.kinds[kind] for kind in self.question.errors},
            "causes": self.causes,
            "shift": self.shift,
            "by_deficiency": [
                {"deficiency": None if true == UNREACHABLE else true, "kind": kind, "rows": rows}
                for (true, kind), rows in sorted(self.by_deficiency.items())
            ],
        }
