"""Compare rows with the truth: count, explain, and keep what disagrees on disk."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from mjopt.audits.packages.causes import (
    EXPLAINED,
    IMPOSSIBLE,
    KINDS,
    NOT_A_NUMBER,
    TOO_HIGH,
    TOO_LOW,
    likely_cause,
    shift_cause,
    true_deficiency,
)
from mjopt.audits.packages.value_file import ValueRow
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.hands.winning_forms import UNREACHABLE

SHOWN = 10  # rows kept in the summary as examples
TICK = 1024  # rows between two reports of progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement(ValueRow):
    """A row that is not right.

    Parameters
    ----------
    line, text, hand, reason, written, theirs
        As in the row.
    true
        The deficiency; None if the row is not a hand.
    kind
        One of ``KINDS``.
    cause
        What explains it; empty for what is not a number or not a hand.
    """

    true: int | None
    kind: str
    cause: str

    @property
    def difference(self) -> int | None:
        """Theirs less the true deficiency."""
        if self.theirs is None or self.true is None:
            return None
        return self.theirs - self.true


class Findings:
    """What a comparison found. Use it in a ``with`` block: it holds a temporary file.

    Parameters
    ----------
    tiles
        The tile set of the hands.
    forms
        The winning forms that were compared.
    means
        What the values were taken to be.

    Attributes
    ----------
    num_rows, num_hands
        Rows read, and how many of them are hands.
    kinds
        Rows by kind of error.
    by_deficiency
        Rows by true deficiency and kind of error.
    """

    def __init__(self, *, tiles: TileSet, forms: tuple[str, ...], means: str) -> None:
        self.tiles, self.forms, self.means = tiles, forms, means
        self.num_rows = self.num_hands = 0
        self.kinds: Counter[str] = Counter()
        self.by_deficiency: Counter[tuple[int, str]] = Counter()
        self._causes: Counter[str] = Counter()
        self._shifts: Counter[int] = Counter()
        self._kept = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - see __exit__

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Drop the temporary file."""
        self._kept.close()

    @property
    def num_wrong(self) -> int:
        """Rows that are not right, impossible hands included."""
        return self.kinds.total()

    @property
    def shift(self) -> int | None:
        """The one amount by which all values are wrong, if there is one.

        It takes two rows to speak of all, and rows that are each explained by
        themselves need no shift.
        """
        is_explained = self._causes.keys() <= set(EXPLAINED)
        if len(self._shifts) != 1 or self._shifts.total() < 2 or is_explained:
            return None
        [shift] = self._shifts
        return shift or None

    @property
    def causes(self) -> dict[str, int]:
        """Rows that are too low or too high by likely cause, the commonest first."""
        if self.shift is not None:
            return {shift_cause(self.shift, self.means): self._causes.total()}
        return dict(self._causes.most_common())

    def on_scale(self, deficiency: int | None) -> int | None:
        """Return a deficiency as the values are meant; None where there is none.

        Examples
        --------
        >>> from mjopt.hands.tiles import M0
        >>> with Findings(tiles=M0, forms=("standard",), means="shanten") as found:
        ...     found.on_scale(1), found.on_scale(UNREACHABLE)
        (0, None)
        """
        if deficiency is None or deficiency == UNREACHABLE:
            return None
        return deficiency - (self.means == "shanten")

    def add(self, row: ValueRow) -> None:
        """Judge one row."""
        self.num_rows += 1
        if row.hand is None:
            self._keep(row, None, IMPOSSIBLE, "")
            return
        self.num_hands += 1
        true = true_deficiency(row.hand, self.forms)
        if true == UNREACHABLE and row.written == "":  # as `mjopt label` writes it
            return
        if row.theirs is None:
            self._keep(row, true, NOT_A_NUMBER, "")
            return
        self._shifts[row.theirs - true] += 1
        if row.theirs != true:
            cause = likely_cause(row.hand, self.forms, row.theirs, true)
            self._causes[cause] += 1
            self._keep(row, true, TOO_LOW if row.theirs < true else TOO_HIGH, cause)

    def _keep(self, row: ValueRow, true: int | None, kind: str, cause: str) -> None:
        self.kinds[kind] += 1
        if true is not None:
            self.by_deficiency[true, kind] += 1
        found = {"true": true, "kind": kind, "cause": cause}
        kept = {name: getattr(row, name) for name in ValueRow.__slots__} | found
        if row.hand is not None:
            kept["hand"] = [*row.hand.counts, row.hand.called]
        self._kept.write(json.dumps(kept) + "\n")

    def wrong(self, *kinds: str) -> Iterator[Disagreement]:
        """Yield the rows that are not right, of some kinds or of all, in order."""
        shift = self.shift
        self._kept.seek(0)
        for record in self._kept:
            row = json.loads(record)
            if kinds and row["kind"] not in kinds:
                continue
            if row["hand"]:
                *counts, called = row["hand"]
                row["hand"] = Hand.from_counts(
                    counts, tiles=self.tiles, called=called, partial=True
                )
            if row["cause"] and shift is not None:
                row["cause"] = shift_cause(shift, self.means)
            yield Disagreement(**row)

    def to_document(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        return {
            "tiles": self.tiles.key,
            "means": self.means,
            "forms": list(self.forms),
            "rows": self.num_rows,
            "hands": self.num_hands,
            "wrong": self.num_wrong,
            "kinds": {kind: self.kinds[kind] for kind in KINDS},
            "causes": self.causes,
            "shift": self.shift,
            "by_deficiency": [
                {"deficiency": None if true == UNREACHABLE else true, "kind": kind, "rows": rows}
                for (true, kind), rows in sorted(self.by_deficiency.items())
            ],
        }


def compare(
    rows: Iterable[ValueRow],
    findings: Findings,
    *,
    progress: Callable[[int], None] | None = None,
) -> Findings:
    """Judge every row.

    Parameters
    ----------
    rows
        The rows, read as they are needed.
    findings
        Where to note what is found.
    progress
        Called with the number of further rows done, every so often.

    Returns
    -------
    Findings
        The same, filled.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> hand = Hand.parse("1111m123p112233s")
    >>> row = ValueRow(line=2, text="1111m123p112233s", hand=hand, written="1", theirs=1)
    >>> with Findings(tiles=M0, forms=("standard",), means="deficiency") as found:
    ...     compare([row], found).causes
    {'ignores the four-copy limit': 1}
    """
    for row in rows:
        findings.add(row)
        if progress and findings.num_rows % TICK == 0:
            progress(TICK)
    if progress:
        progress(findings.num_rows % TICK)
    return findings
