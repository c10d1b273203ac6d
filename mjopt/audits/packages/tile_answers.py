"""Compare the useful tiles or the discards of an engine with the exact ones, row by row."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mjopt._internal.validation import pick
from mjopt.analysis.deficiency import deficiency
from mjopt.analysis.discard import discards
from mjopt.analysis.useful_tiles import helpful_copies
from mjopt.audits.packages.comparison import tally_document
from mjopt.audits.packages.value_file import ValueRow
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.cells import whole_number
from mjopt.hands.hand import Hand
from mjopt.hands.notation import read_tiles
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_set import WinningForm
from mjopt.hands.tiles import FULL, TileSet, from_full

USEFUL: Final = "useful"
DISCARD: Final = "discard"
ANSWERS: Final = (USEFUL, DISCARD)
"""Answers about tiles: those that lower the deficiency, and the best discard."""

MISSING: Final = "useful tiles missing"
TOO_MANY: Final = "useless tiles given"
BOTH: Final = "some missing, some useless"
ABSENT: Final = "not in the hand"
FARTHER: Final = "raises the deficiency"
FEWER: Final = "leaves fewer useful tiles"
NOT_TILES: Final = "not tiles"
ERRORS: Final = {
    USEFUL: (MISSING, TOO_MANY, BOTH, NOT_TILES),
    DISCARD: (FARTHER, FEWER, ABSENT, NOT_TILES),
}
"""Kinds of error by answer."""

Kinds = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileAnswer:
    """A wrong answer.

    Parameters
    ----------
    line, text, written
        As in the row.
    theirs
        The kinds of the answer; None if it is not tiles.
    true
        The useful kinds, or all best discards.
    deficiency
        The deficiency of the hand.
    kind
        The kind of error, one of ``ERRORS``.
    """

    line: int
    text: str
    written: str
    theirs: Kinds | None
    true: Kinds
    deficiency: int
    kind: str


@dataclass(slots=True, kw_only=True)
class TileFindings:
    """The result of a comparison.

    Parameters
    ----------
    means
        ``useful`` or ``discard``.
    tiles, forms
        The tile set of the hands, and the winning forms.
    notation
        How tiles are written.
    num_rows, num_hands
        The number of rows read, and the number of those that have an answer.
    kinds, by_deficiency
        The number of wrong rows by kind of error, and by deficiency and kind.
    not_hands
        Rows that are not hands, or hands without such an answer, such as a discard before the draw.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> hand = Hand.parse("123m456p789s1122m1p")
    >>> row = ValueRow(line=2, text="123m456p789s1122m1p", hand=hand, written="1m", theirs=None)
    >>> findings = TileFindings(means="discard", tiles=M0, forms=("standard",))
    >>> [(answer.kind, M0.names[min(answer.true)]) for answer in findings.wrong([row])]
    [('raises the deficiency', '1p')]
    """

    means: str
    tiles: TileSet
    forms: Sequence[str | WinningForm]
    notation: str = "mpsz"
    num_rows: int = 0
    num_hands: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    by_deficiency: Counter[tuple[int, str]] = field(default_factory=Counter)
    not_hands: list[ValueRow] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Validate the kind of answer."""
        pick(self.means, dict.fromkeys(ANSWERS), "means", ArgumentError)

    @property
    def num_wrong(self) -> int:
        """The number of rows with a wrong answer."""
        return self.kinds.total()

    def wrong(self, rows: Iterable[ValueRow]) -> Iterator[TileAnswer]:
        """Compare rows lazily, count them, and yield the wrong answers."""
        for row in rows:
            self.num_rows += 1
            hand, reason = row.hand, "" if row.hand is None else self._refused(row.hand)
            if hand is None or reason:
                self.not_hands.append(_without_hand(row, reason) if reason else row)
                continue
            self.num_hands += 1
            if (answer := self._judge(row, hand)) is not None:
                self.kinds[answer.kind] += 1
                self.by_deficiency[answer.deficiency, answer.kind] += 1
                yield answer

    def _refused(self, hand: Hand) -> str:
        """Return why a hand has no such answer; empty if it has one."""
        if self.means == DISCARD and not hand.is_full:
            return f"{hand.num_tiles} tiles, expected a hand after its draw"
        return ""

    def _useful(self, hand: Hand) -> Kinds:
        """Return the kinds that some nearest complete hand draws."""
        query = HandQuery(hand, self.forms, general=True)
        [(_, copies)] = helpful_copies([hand], [query.unseen], query.forms)
        return frozenset(kind for kind, _ in copies)

    def _judge(self, row: ValueRow, hand: Hand) -> TileAnswer | None:
        """Return what is wrong with the answer of a row, or None."""
        theirs = read_kinds(row.written, self.means, self.tiles, self.notation)
        if self.means == USEFUL:
            true = self._useful(hand)
            kind = NOT_TILES if theirs is None else _compare_useful(theirs, true)
        else:
            true, kind = self._judge_discard(hand, theirs)
        if not kind:
            return None
        return TileAnswer(
            line=row.line,
            text=row.text,
            written=row.written,
            theirs=theirs,
            true=true,
            deficiency=deficiency(hand, forms=self.forms),
            kind=kind,
        )

    def _judge_discard(self, hand: Hand, theirs: Kinds | None) -> tuple[Kinds, str]:
        """Return all best discards of a hand, and what is wrong with the given one."""
        ranked = {each.kind: each.after for each in discards(hand, forms=self.forms)}
        best = next(iter(ranked.values()))
        rank = best.deficiency, best.num_copies
        true = {k for k, after in ranked.items() if (after.deficiency, after.num_copies) == rank}
        is_complete = deficiency(hand, forms=self.forms) == 0
        if theirs is None or len(theirs) != 1:
            return frozenset(true), "" if is_complete and theirs == frozenset() else NOT_TILES
        [kind] = theirs
        if kind not in ranked:
            return frozenset(true), ABSENT
        if ranked[kind].deficiency > best.deficiency:
            return frozenset(true), FARTHER
        return frozenset(true), "" if kind in true else FEWER

    def names(self, kinds: Kinds | None) -> str | None:
        """Return kinds as names; None for none that could be read."""
        if kinds is None:
            return None
        return " ".join(self.tiles.names[kind] for kind in sorted(kinds))

    def to_document(self) -> dict[str, object]:
        """Return the summary as plain data."""
        return {
            "tiles": self.tiles.key,
            "means": self.means,
            "forms": list(map(str, self.forms)),
            "rows": self.num_rows,
            "hands": self.num_hands,
            "not_hands": len(self.not_hands),
            "wrong": self.num_wrong,
            "kinds": {kind: self.kinds[kind] for kind in ERRORS[self.means]},
            "by_deficiency": tally_document(self.by_deficiency),
        }


def _without_hand(row: ValueRow, reason: str) -> ValueRow:
    return ValueRow(
        line=row.line, text=row.text, hand=None, reason=reason, written=row.written, theirs=None
    )


def _compare_useful(theirs: Kinds, true: Kinds) -> str:
    """Return what is wrong with useful tiles; empty if nothing is."""
    missing, useless = true - theirs, theirs - true
    if missing and useless:
        return BOTH
    return MISSING if missing else TOO_MANY if useless else ""


def read_kinds(written: str, means: str, tiles: TileSet, notation: str = "mpsz") -> Kinds | None:
    """Read an answer: tiles, copies per kind, names, or a number.

    Parameters
    ----------
    written
        The cell: tiles as text, a list of copies of all kinds or of names, a number (the bits are
        the kinds of `useful`, the number is the kind of `discard`), or nothing.
    means
        ``useful`` or ``discard``.
    tiles, notation
        The tile set, and how tiles are written.

    Returns
    -------
    frozenset of int or None
        The kinds; None if it is none of these.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> cells = ("14m", "['1m', '4m']", "9", "")
    >>> [sorted(read_kinds(cell, "useful", M0)) for cell in cells]
    [[0, 3], [0, 3], [0, 3], []]
    >>> read_kinds("5", "discard", M0), read_kinds("?", "discard", M0)
    (frozenset({5}), None)
    """
    if not written:
        return frozenset()
    if written.startswith("["):
        return _read_list(written, tiles, notation)
    try:
        counts = read_tiles([written], notation, tiles)[1][0].counts
        return frozenset(kind for kind, copies in enumerate(counts) if copies)
    except MjoptError:
        number = whole_number(written)
    if number is None or not 0 <= number < 1 << tiles.num_kinds:
        return None
    if means == USEFUL:
        return frozenset(kind for kind in range(tiles.num_kinds) if number >> kind & 1)
    return frozenset([number]) if number < tiles.num_kinds else None


def _read_list(written: str, tiles: TileSet, notation: str) -> Kinds | None:
    """Return the kinds of a list of copies or of names."""
    try:
        items: Sequence[object] = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if all(isinstance(item, str) for item in items):
        return read_kinds(" ".join(map(str, items)), USEFUL, tiles, notation)
    numbers = [whole_number(item) for item in items]
    if None in numbers:
        return None
    copies = [number or 0 for number in numbers]
    if len(copies) == FULL.num_kinds != tiles.num_kinds:
        try:
            copies = from_full(copies, tiles)
        except MjoptError:
            return None
    if len(copies) > tiles.num_kinds or len(copies) < min(27, tiles.num_kinds):
        return None
    return frozenset(kind for kind, number in enumerate(copies) if number)
