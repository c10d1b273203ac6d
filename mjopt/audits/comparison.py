"""Compare answers with the exact ones; count, explain and store the disagreements."""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import shorten
from mjopt._internal.validation import expect
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answers import SKIPPED, UNREAD
from mjopt.audits.exact_answers import UNDEFINED, Answers, Forms, distances
from mjopt.audits.findings import Disagreement, Findings
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import DISTANCES, UNREADABLE, get_question
from mjopt.audits.readings import explain
from mjopt.errors import WorkerError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import TileSet, as_tiles

Places = NDArray[np.intp]

RIGHT = 32  # right answers with which a cause must agree
SHOWN = 10  # example rows in the summary


class Audit:
    """The comparison of all columns, a context manager because it holds a temporary file.

    Parameters
    ----------
    columns
        The question of each column.
    tiles, forms, rules
        The tile set, the winning forms and the rule set of the hands.

    Attributes
    ----------
    num_rows, num_hands, num_wrong
        The number of rows read, of those that are hands, and of hands with a wrong answer.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.rules.read_forms import read_forms
    >>> from mjopt.hands.tiles import M0
    >>> hands = HandBatch.of([Hand.parse("1111m123p112233s")])
    >>> with Audit({"deficiency": "deficiency"}, tiles=M0, forms=read_forms(None, M0)) as audit:
    ...     audit.add_answers(hands, {"deficiency": np.array([1])})
    ...     audit.columns["deficiency"].causes
    {'ignores the four-copy limit': 1}
    """

    def __init__(
        self,
        columns: Mapping[str, str],
        *,
        tiles: TileSet,
        forms: Forms,
        rules: RuleSet | None = None,
    ) -> None:
        expect(columns, Mapping, "columns")
        self.tiles, self.forms, self.rules = as_tiles(tiles), forms, rules
        self.columns = {name: Findings(name, get_question(q)) for name, q in columns.items()}
        self.num_rows = self.num_hands = self.num_wrong = 0
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - see __exit__
        self._others = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Delete the temporary files."""
        self._file.close()
        self._others.close()

    @property
    def num_not_hands(self) -> int:
        """The number of rows that are not hands, whose answers are not compared."""
        return self.num_rows - self.num_hands

    @property
    def name(self) -> str:
        """The questions and the forms."""
        questions = ", ".join(findings.name for findings in self.columns.values())
        return f"{questions} over {', '.join(map(str, self.forms))}"

    def add_answers(self, hands: HandBatch, given: "Mapping[str, Answers]") -> None:
        """Compare answers in arrays, such as those of a function; the rows are numbered from 0."""

        def written(place: int, column: str) -> str:
            question, answer = self.columns[column].question, int(given[column][place])
            return question.text(answer, self.tiles)

        block = AnswerBlock.of(hands, self.num_rows)
        self.add(replace(block, given=given, written=written))

    def add(self, block: AnswerBlock) -> None:
        """Compare some rows with the exact answers, and count them."""
        hands = block.hands
        self.num_rows += block.num_rows
        self._others.writelines(json.dumps(row) + "\n" for row in block.not_hands)
        if not hands:
            return
        self.num_hands += len(hands)
        is_wrong_row = np.zeros(len(hands), np.bool_)
        for column, findings in self.columns.items():
            given = block.given[column]
            exact = findings.question.exact(hands, self.forms)
            is_wrong = findings.count(given, exact, hands.tolerance)
            if findings.question.name in DISTANCES:  # `mjopt label` writes an empty cell
                for place in np.flatnonzero(is_wrong & (exact == UNREACHABLE)).tolist():
                    is_wrong[place] = block.written(place, column) != ""
            is_wrong_row |= is_wrong
            places = np.flatnonzero(is_wrong)
            if len(places):
                is_right = ~is_wrong & (given != SKIPPED) & (exact != UNDEFINED)
                others = np.flatnonzero(is_right)[:RIGHT]
                right = (hands.take(others), given[others]) if len(others) else None
                self._keep(block, findings, places, given[places], exact[places], right)
        self.num_wrong += int(is_wrong_row.sum())

    def _keep(
        self,
        block: AnswerBlock,
        findings: Findings,
        places: Places,
        given: Answers,
        exact: Answers,
        right: tuple[HandBatch, Answers] | None,
    ) -> None:
        """Explain and store the wrong answers of a column, given some right ones."""
        assert block.hands is not None
        question, wrong = findings.question, block.hands.take(places)
        deficiencies = distances(wrong, self.forms).tolist()
        is_read = np.flatnonzero(given != UNREAD)
        some = wrong.take(is_read)
        judged = (some, given[is_read], exact[is_read], self.forms)
        kinds = dict(zip(is_read.tolist(), question.kinds_of_error(*judged), strict=True))
        causes = dict(zip(is_read.tolist(), explain(question, *judged, right), strict=True))
        for number, place in enumerate(places.tolist()):
            row = Disagreement(
                line=int(block.lines[place]),
                text=block.text(place),
                column=findings.column,
                written=block.written(place, findings.column),
                counts=tuple(wrong.counts[number].tolist()),
                called=int(wrong.called[number]),
                melds=wrong.meld_texts(number),
                left=wrong.unseen(number),
                given=int(given[number]) if number in kinds else None,
                exact=int(exact[number]),
                deficiency=deficiencies[number],
                kind=kinds.get(number, UNREADABLE[question.scale]),
                cause=causes.get(number, ""),
            )
            findings.keep(row)
            self._file.write(json.dumps(asdict(row)) + "\n")

    def drop_unanswered(self, name: str, *, must_answer: bool = False) -> None:
        """Leave out the columns without any answer that could be read.

        Raises
        ------
        WorkerError
            If there are no others, or if all were asked for and one has no answer at all.
        """
        answered = {column: f for column, f in self.columns.items() if f.num_read}
        silent = [column for column, f in self.columns.items() if f.num_skipped == self.num_hands]
        if self.num_hands and (silent if must_answer else not answered):
            first = next((f"; the first is {shorten(row.written)!r}" for row in self.wrong()), "")
            questions = ", ".join(silent if must_answer else self.columns)
            raise WorkerError(f"{name}: no answer to {questions}{first}")
        if must_answer:
            return
        self.columns = answered if self.num_hands else self.columns
        self.num_wrong = len({row.line for row in self.wrong()})

    def wrong(self) -> Iterator[Disagreement]:
        """Yield the wrong answers in the order of their blocks."""
        self._file.seek(0)
        for record in self._file:
            row: dict[str, Any] = json.loads(record)
            if row["column"] not in self.columns:
                continue
            row["counts"], row["melds"] = tuple(row["counts"]), tuple(row["melds"])
            row["left"] = None if row["left"] is None else tuple(row["left"])
            if row["given"] is not None:
                row["cause"] = self.columns[row["column"]].cause_of(row["cause"])
            yield Disagreement(**row)

    def not_hands(self) -> Iterator[tuple[int, str, str]]:
        """Yield line, text and reason of the rows that are not hands."""
        self._others.seek(0)
        for record in self._others:
            line, text, reason = json.loads(record)
            yield line, text, reason

    def to_document(self) -> dict[str, object]:
        """Return the summary as plain data."""
        return {
            "tiles": self.tiles.key,
            "forms": list(map(str, self.forms)),
            "rows": self.num_rows,
            "hands": self.num_hands,
            "not_hands": self.num_not_hands,
            "wrong": self.num_wrong,
            "columns": [findings.to_document() for findings in self.columns.values()],
        }


def compare(
    blocks: Iterable[AnswerBlock],
    audit: Audit,
    *,
    progress: Callable[[int], None] | None = None,
) -> Audit:
    """Compare every block with the exact answers.

    Parameters
    ----------
    blocks
        The blocks, of a file or of an engine.
    audit
        The object that collects the results.
    progress
        Called with the number of rows compared since the last call.

    Returns
    -------
    Audit
        The given object.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.rules.read_forms import read_forms
    >>> from mjopt.hands.tiles import M0
    >>> hands = HandBatch.of([Hand.parse("1112345678999m1p")])
    >>> block = replace(AnswerBlock.of(hands), given={"shanten": np.array([0])})
    >>> with Audit({"shanten": "shanten"}, tiles=M0, forms=read_forms(None, M0)) as audit:
    ...     compare([block], audit).num_wrong
    0
    """
    expect(audit, Audit, "audit")
    for block in blocks:
        expect(block, AnswerBlock, "block")
        audit.add(block)
        if progress is not None:
            progress(block.num_rows)
    return audit
