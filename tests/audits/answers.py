"""Answers for the tests of audits: a batch of hands, and an audit of answers to them."""

from collections.abc import Mapping, Sequence

import numpy as np

from mjopt import FULL
from mjopt.audits.answers import read_answers
from mjopt.audits.comparison import Audit
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import QUESTIONS
from mjopt.hands.hand import Hand
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.tiles import TileSet


def batch_of(*texts: str, tiles: TileSet = FULL, called: int = 0) -> HandBatch:
    return HandBatch.of([Hand.parse(text, tiles=tiles, called=called) for text in texts])


def audit_of(
    hands: HandBatch, answers: Mapping[str, Sequence[object]], forms: FormsLike = None
) -> Audit:
    """Return the audit of answers by question."""
    size = 14 if hands.rules is None else hands.rules.size
    chosen = read_forms(forms, hands.tiles, size, rules=hands.rules)
    audit = Audit(
        {name: name for name in answers}, tiles=hands.tiles, forms=chosen, rules=hands.rules
    )
    given = {
        name: read_answers(cells, QUESTIONS[name], hands.tiles) for name, cells in answers.items()
    }
    audit.add_answers(hands, {name: np.asarray(cells) for name, cells in given.items()})
    return audit


def errors_of(question: str, text: str, *cells: object, forms: FormsLike = None) -> list[str]:
    """Return the kind of error of each answer about a hand; empty for a right one."""
    found = []
    for cell in cells:
        with audit_of(batch_of(text), {question: [cell]}, forms) as audit:
            found.append(next((row.kind for row in audit.wrong()), ""))
    return found
