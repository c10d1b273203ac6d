"""Compare values with the exact ones; count, explain and store the disagreements."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from mjopt._internal.validation import expect
from mjopt.audits.packages.causes import (
    EXPLAINED,
    KINDS,
    NOT_A_HAND,
    NOT_A_NUMBER,
    TOO_HIGH,
    TOO_LOW,
    likely_cause,
    shift_cause,
    true_deficiency,
)
from mjopt.audits.packages.value_file import ValueBlock, ValueFile, ValueRow
from mjopt.hands.hand import Hand
from mjopt.hands.rule_set import RuleSet, WinningForm
from mjopt.hands.tiles import TileSet
from mjopt.hands.winning_forms import UNREACHABLE

SHOWN = 10  # example rows in the summary
TICK = 1024  # rows between two progress callbacks


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement(ValueRow):
    """A row with a wrong value.

    Parameters
    ----------
    line, text, hand, reason, written, theirs
        As in the row.
    true
        The deficiency; None if the row is not a hand.
    kind
        One of ``KINDS``, or ``NOT_A_HAND``.
    cause
        The likely cause; empty if the value is not a number or the row is not a hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> text = "1111m123p112233s"
    >>> found = Disagreement(
    ...     line=2,
    ...     text=text,
    ...     hand=Hand.parse(text),
    ...     written="1",
    ...     theirs=1,
    ...     true=2,
    ...     kind="too low",
    ...     cause="ignores the four-copy limit",
    ... )
    >>> found.difference
    -1
    """

    true: int | None
    kind: str
    cause: str

    @property
    def difference(self) -> int | None:
        """The given deficiency minus the true one."""
        if self.theirs is None or self.true is None:
            return None
        return self.theirs - self.true


class Findings:
    """The result of a comparison, a context manager because it holds a temporary file.

    Parameters
    ----------
    tiles
        The tile set of the hands.
    forms
        The winning forms of the comparison.
    means
        The assumed quantity of the values, ``deficiency`` or ``shanten``.
    rules
        The rule set of the hands, if they have one.

    Attributes
    ----------
    num_rows, num_hands
        The number of rows read, and the number of those that are hands.
    kinds
        Number of rows by kind of error.
    by_deficiency
        Number of rows by true deficiency and kind of error.
    """

    def __init__(
        self,
        *,
        tiles: TileSet,
        forms: Sequence[str | WinningForm],
        means: str,
        rules: RuleSet | None = None,
    ) -> None:
        self.tiles, self.forms, self.means, self.rules = tiles, forms, means, rules
        self.num_rows = self.num_hands = 0
        self.kinds: Counter[str] = Counter()
        self.by_deficiency: Counter[tuple[int, str]] = Counter()
        self._causes: Counter[str] = Counter()
        self._shifts: Counter[int] = Counter()
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - see __exit__

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Delete the temporary file."""
        self._file.close()

    @property
    def num_wrong(self) -> int:
        """The number of rows with a wrong value."""
        return self.kinds.total()

    @property
    def num_not_hands(self) -> int:
        """The number of rows that are not hands, whose values are not compared."""
        return self.num_rows - self.num_hands

    @property
    def shift(self) -> int | None:
        """The error that all values share, or None.

        A shift needs at least two rows. It is not reported if each row has its own
        explanation.
        """
        is_explained = self._causes.keys() <= set(EXPLAINED)
        if len(self._shifts) != 1 or self._shifts.total() < 2 or is_explained:
            return None
        [shift] = self._shifts
        return shift or None

    @property
    def causes(self) -> dict[str, int]:
        """The number of too low or too high rows by likely cause, most common first."""
        if self.shift is not None:
            return {shift_cause(self.shift, self.means): self._causes.total()}
        return dict(self._causes.most_common())

    def on_scale(self, deficiency: int | None) -> int | None:
        """Return a deficiency on the scale of the values; None if it is undefined.

        Examples
        --------
        >>> from mjopt.hands.tiles import M0
        >>> with Findings(tiles=M0, forms=("standard",), means="shanten") as findings:
        ...     findings.on_scale(1), findings.on_scale(UNREACHABLE)
        (0, None)
        """
        if deficiency is None or deficiency == UNREACHABLE:
            return None
        return deficiency - (self.means == "shanten")

    def add(self, row: ValueRow) -> None:
        """Compare one row with the exact value and count it."""
        self.num_rows += 1
        if row.hand is None:
            self._keep(row, None, NOT_A_HAND, "")
            return
        self.num_hands += 1
        true = true_deficiency(row.hand, self.forms)
        if true == UNREACHABLE and row.written == "":  # `mjopt label` writes an empty cell
            return
        if row.theirs is None:
            self._keep(row, true, NOT_A_NUMBER, "")
            return
        self._shifts[row.theirs - true] += 1
        if row.theirs != true:
            cause = likely_cause(row.hand, self.forms, row.theirs, true)
            self._causes[cause] += 1
            self._keep(row, true, TOO_LOW if row.theirs < true else TOO_HIGH, cause)

    def add_block(self, block: ValueBlock) -> None:
        """Compare some rows with the exact values, and count them."""
        is_right = block.right_rows(self.tiles, self.forms)
        num_right = int(is_right.sum())
        self.num_rows += num_right
        self.num_hands += num_right
        if num_right:
            self._shifts[0] += num_right
        for number in np.flatnonzero(~is_right).tolist():
            self.add(block.row(number))

    def _keep(self, row: ValueRow, true: int | None, kind: str, cause: str) -> None:
        if true is not None:
            self.kinds[kind] += 1
            self.by_deficiency[true, kind] += 1
        verdict = {"true": true, "kind": kind, "cause": cause}
        record = {name: getattr(row, name) for name in ValueRow.__slots__} | verdict
        if row.hand is not None:
            record["hand"] = [*row.hand.counts, row.hand.called]
        self._file.write(json.dumps(record) + "\n")

    def wrong(self, *kinds: str) -> Iterator[Disagreement]:
        """Yield the rows with a wrong value in order, of the given kinds or of all kinds."""
        return self._kept(kinds or KINDS)

    def not_hands(self) -> Iterator[Disagreement]:
        """Yield the rows that are not hands, in order."""
        return self._kept((NOT_A_HAND,))

    def _kept(self, kinds: tuple[str, ...]) -> Iterator[Disagreement]:
        shift = self.shift
        self._file.seek(0)
        for record in self._file:
            row = json.loads(record)
            if row["kind"] not in kinds:
                continue
            if row["hand"]:
                *counts, called = row["hand"]
                row["hand"] = Hand.from_counts(
                    counts, tiles=self.tiles, called=called, partial=True, rules=self.rules
                )
            if row["cause"] and shift is not None:
                row["cause"] = shift_cause(shift, self.means)
            yield Disagreement(**row)

    def to_document(self) -> dict[str, object]:
        """Return the summary as plain data."""
        return {
            "tiles": self.tiles.key,
            "means": self.means,
            "forms": list(map(str, self.forms)),
            "rows": self.num_rows,
            "hands": self.num_hands,
            "not_hands": self.num_not_hands,
            "wrong": self.num_wrong,
            "kinds": {kind: self.kinds[kind] for kind in KINDS},
            "causes": self.causes,
            "shift": self.shift,
            "by_deficiency": tally_document(self.by_deficiency),
        }


def tally_document(tally: Mapping[tuple[int, str], int]) -> list[dict[str, int | str | None]]:
    """Return numbers of rows by deficiency and kind of error as plain data.

    Examples
    --------
    >>> tally_document({(2, "too high"): 5})
    [{'deficiency': 2, 'kind': 'too high', 'rows': 5}]
    """
    return [
        {"deficiency": None if true == UNREACHABLE else true, "kind": kind, "rows": rows}
        for (true, kind), rows in sorted(tally.items())
    ]


def compare(
    rows: Iterable[ValueRow] | ValueFile,
    findings: Findings,
    *,
    progress: Callable[[int], None] | None = None,
) -> Findings:
    """Compare every row with the exact value.

    Parameters
    ----------
    rows
        The rows, or their file, which takes a microsecond a row. A lazy iterable is read one row
        at a time.
    findings
        The object that collects the results.
    progress
        Called from time to time with the number of rows compared since the last call.

    Returns
    -------
    Findings
        The given findings.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> hand = Hand.parse("1111m123p112233s")
    >>> row = ValueRow(line=2, text="1111m123p112233s", hand=hand, written="1", theirs=1)
    >>> with Findings(tiles=M0, forms=("standard",), means="deficiency") as findings:
    ...     compare([row], findings).causes
    {'ignores the four-copy limit': 1}
    """
    expect(findings, Findings, "findings")
    if isinstance(rows, ValueFile):
        for block in rows.blocks():
            findings.add_block(block)
            if progress:
                progress(len(block))
        return findings
    for row in rows:
        expect(row, ValueRow, "row")
        findings.add(row)
        if progress and findings.num_rows % TICK == 0:
            progress(TICK)
    if progress:
        progress(findings.num_rows % TICK)
    return findings
