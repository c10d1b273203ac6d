"""A block of rows to audit: hands with the answers given for them, and rows that are not hands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.audits.exact_answers import Answers
from mjopt.audits.hand_batch import HandBatch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerBlock:
    """Some hands with the answers to audit.

    Parameters
    ----------
    num_rows
        Number of rows, those that are not hands included.
    hands, lines
        The hands, and the line or row number of each.
    given
        The answers by column, shape ``(N,)``.
    written
        Maps the place of a hand and a column to the answer as it was written.
    text
        Maps the place of a hand to its text.
    not_hands
        Line, text and reason of each row that is not a hand.
    """

    num_rows: int
    hands: HandBatch | None
    lines: "Sequence[int] | NDArray[np.int64]"
    given: "Mapping[str, Answers]"
    written: Callable[[int, str], str]
    text: Callable[[int], str]
    not_hands: Sequence[tuple[int, str, str]] = ()

    @classmethod
    def of(cls, hands: HandBatch, first: int = 0) -> "AnswerBlock":
        """Return hands without answers, their rows numbered from a first number.

        Examples
        --------
        >>> from mjopt.hands.hand import Hand
        >>> AnswerBlock.of(HandBatch.of([Hand.parse("1112345678999m1p")]), 5).lines
        range(5, 6)
        """
        expect(hands, HandBatch, "hands")
        return cls(
            num_rows=len(hands),
            hands=hands,
            lines=range(first, first + len(hands)),
            given={},
            written=lambda *_: "",
            text=hands.text,
        )
