"""The ceiling of hands, read from a table."""

import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import whole
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.table import (
    BUILD_HINT,
    MAX_DRAWS,
    CeilingTable,
    Stored,
    TableKey,
    find_table,
)
from mjopt.errors import ArgumentError, FileError, HandError
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import default_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.tables.lookup import look_up_counts
from mjopt.tables.rows._array_input import as_hands, as_rows

TableLike = CeilingTable | str | os.PathLike[str] | None
"""An open table, its file, or None: the one in the user's data folder."""

NOT_HELD: Final = -1.0
"""Value of :func:`ceiling_many` for kinds that a hand does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CeilingDiscard:
    """One discard and the ceiling of the hand after it.

    Parameters
    ----------
    kind
        The discarded kind.
    value
        No play without calls wins more often after this discard.

    Examples
    --------
    >>> import tempfile
    >>> import mjopt
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> hand = mjopt.Hand.parse("1234m5p", called=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=3, draws=6))
    ...     best = mjopt.ceiling(hand, draws=6, table=table).discards[0]
    >>> mjopt.M0.names[best.kind], round(float(best.value), 4)
    ('5p', 0.3089)
    """

    kind: int
    value: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """An upper bound on the chance to win within a number of draws, for all plays at once.

    Parameters
    ----------
    hand
        The hand.
    draws
        Number of draws.
    value
        The ceiling of the best discard, 1 for a complete hand. A multiple of 1/65535, rounded
        up.
    discards
        Every discard, the greatest ceiling first; empty for a hand before its draw.
    table_draws
        Number of draws of the table. If it is greater than ``draws``, the bound is slightly
        greater than that of a table for this number.

    Examples
    --------
    >>> import tempfile
    >>> import mjopt
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> hand = mjopt.Hand.parse("1234m5p", called=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=3, draws=6))
    ...     found = mjopt.ceiling(hand, draws=6, table=table)
    >>> found.draws, round(float(found.value), 4)
    (6, 0.3089)
    """

    hand: Hand
    draws: int
    value: Fraction
    discards: tuple[CeilingDiscard, ...]
    table_draws: int

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document; fractions are text."""
        names = self.hand.tiles.names
        return {
            "draws": self.draws,
            "ceiling": str(self.value),
            "table_draws": self.table_draws,
            "discards": [
                {"discard": names[row.kind], "ceiling": str(row.value)} for row in self.discards
            ],
        }


def ceiling(
    hand: HandLike,
    *,
    draws: int = 18,
    table: TableLike = None,
) -> Ceiling:
    """Return an upper bound on the chance to win within a number of draws, for all plays.

    No play without calls wins more often, however it discards, if the wall holds all tiles that
    the hand does not (with called melds: and the tiles of the melds). The discard with the
    greatest ceiling is also a good one: see docs/results/ceiling.md. The bound is for the standard
    form.

    Parameters
    ----------
    hand
        The hand, as for :func:`mjopt.certify`.
    draws
        Number of draws, 0 or more.
    table
        A table of :func:`mjopt.chances.ceiling.build_ceiling` or its file; by default the one in
        the user's data folder.

    Returns
    -------
    Ceiling
        The bound and a row for each discard.

    Raises
    ------
    FileError
        If there is no table, or it is for other tiles, called melds or draws.

    References
    ----------
    .. [1] docs/reference/ceiling.md: the theorem and its proof.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     key = TableKey(called=3, draws=6)
    ...     table = build_ceiling(f"{folder}/small", key=key)
    ...     found = ceiling(Hand.parse("1267m9p", called=3), draws=6, table=table)
    ...     row = found.discards[0]
    ...     M0.names[row.kind], round(float(row.value), 4)
    ('9p', 0.115)
    """
    return _find(as_hand(hand), whole(draws, "draws"), table)


def _find(known: Hand, draws: int, table: TableLike) -> Ceiling:
    opened = _open(table, known.tiles, known.called, draws)
    wins = (
        known.is_full
        and look_up_counts(known.counts, known.called, default_forms(known.tiles)) == 0
    )
    if not known.is_full:
        values = _values(opened, np.array([known.counts], np.uint8), draws)
        return Ceiling(
            hand=known,
            draws=draws,
            value=Fraction(int(values[0]), STORED_ONE),
            discards=(),
            table_draws=opened.key.draws,
        )
    layer = opened.layer(draws) if draws else None
    stored = {
        kind: 0 if layer is None else layer.item(number)
        for kind, number in opened.layout.numbers_after_discard(known.counts).items()
    }
    rows = [
        CeilingDiscard(kind=kind, value=Fraction(stored[kind], STORED_ONE))
        for kind in sorted(stored, key=lambda kind: -stored[kind])
    ]
    return Ceiling(
        hand=known,
        draws=draws,
        value=Fraction(1) if wins else rows[0].value,
        discards=tuple(rows),
        table_draws=opened.key.draws,
    )


def discard_ceilings(
    hand: Hand,
    *,
    forms: tuple[WinningForm, ...],
    draws: int = 18,
    table: TableLike | Literal[False] = None,
) -> dict[int, Fraction]:
    """Return the ceiling of each discard if a table answers for the hand, else nothing.

    Keys are kinds, or -1 for a hand before its draw; the result is empty without a table in the
    data folder. Tables are of the standard form only. ``table`` is as for :func:`ceiling`; False
    for no table. FileError if a given table is for other tiles, called melds or draws.
    """
    if table is False or forms != default_forms(hand.tiles) or not 0 < draws <= MAX_DRAWS:
        return {}
    if table is None:
        table = find_table(hand.tiles, called=hand.called, draws=draws)
        if table is None:
            return {}
    found = _find(hand, draws, table)
    return {row.kind: row.value for row in found.discards} or {-1: found.value}


def ceiling_many(
    counts: "ArrayLike",
    *,
    called: int = 0,
    draws: int = 18,
    table: TableLike = None,
) -> "NDArray[np.float64]":
    """Return the ceiling of every discard of many hands.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``, of hands with their drawn tile; also a
        list of texts in mpsz notation.
    called
        Melds on the table, for all hands.
    draws, table
        As for :func:`ceiling`.

    Returns
    -------
    ndarray of float64, shape (N, K)
        For each kind, the ceiling after its discard, rounded up; -1 for kinds that the hand does
        not hold. The greatest of a row is the ceiling of the hand, unless the hand is complete.

    Raises
    ------
    FileError
        As for :func:`ceiling`.
    HandError, TileError
        If some row is not a hand with its drawn tile.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     key = TableKey(called=4, draws=6)
    ...     table = build_ceiling(f"{folder}/small", key=key)
    ...     values = ceiling_many(["12m", "19m"], called=4, draws=6, table=table)
    >>> values.shape, values[0].argmax().item(), (values >= 0).sum().item()
    ((2, 27), 0, 4)
    """
    rows = as_hands(as_rows(counts), whole(called, "called"))
    sizes = rows.sum(axis=1)
    if (wrong := np.flatnonzero(sizes != 14 - 3 * called)).size:
        raise HandError(
            f"{sizes[wrong[0]]} tiles",
            position=wrong[0],
            unit="row",
            expected=f"{14 - 3 * called} (with the draw)",
        )
    tiles = FULL if rows.shape[1] == FULL.num_kinds else M0
    opened = _open(table, tiles, called, whole(draws, "draws"))
    found = np.full(rows.shape, NOT_HELD)
    which, kinds = np.nonzero(rows)
    for start in range(0, len(which), 1 << 18):
        part = slice(start, start + (1 << 18))
        after = rows[which[part]]
        after[np.arange(len(after)), kinds[part]] -= 1
        # The quotient is rounded to nearest: the next greater float is a bound, and 0 and 1 are
        # exact.
        values = _values(opened, after, draws) / STORED_ONE
        found[which[part], kinds[part]] = np.where(
            values % 1 == 0, values, np.nextafter(values, 2.0)
        )
    return found


def _open(given: TableLike, tiles: TileSet, called: int, draws: int) -> CeilingTable:
    """Return the table of a question."""
    if not 0 <= draws <= MAX_DRAWS:
        raise ArgumentError(argument="draws", value=short_repr(draws), expected=f"0..{MAX_DRAWS}")
    wanted = TableKey(tiles=tiles.key, called=called, draws=max(draws, 1))
    if given is None:
        table = find_table(tiles, called=called, draws=wanted.draws)
        if table is None:
            raise FileError(
                f"no ceiling table for this hand ({wanted.describe()})", hint=BUILD_HINT
            )
        return table
    if not isinstance(given, CeilingTable):
        given = CeilingTable.open(given)
    key = given.key
    has_layer = draws == 0 or draws in key.layers
    if (key.tiles, key.called) != (wanted.tiles, called) or not has_layer:
        raise FileError(
            f"a table of {key.describe()}",
            argument=str(given.path),
            expected=f"one of {wanted.describe()}",
        )
    return given


def _values(table: CeilingTable, after: NDArray[np.uint8], draws: int) -> Stored:
    """Return the stored values of hands after a discard."""
    if draws == 0:
        return np.zeros(len(after), np.uint16)
    return table.layer(draws)[table.layout.numbers(after)]
