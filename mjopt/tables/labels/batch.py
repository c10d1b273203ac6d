"""Labels of many hands: the deficiency of every row of an array."""

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from mjopt._internal.arrays import as_integers
from mjopt._internal.validation import expect
from mjopt.errors import TileError
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.labels.rule_labels import RuleLabels
from mjopt.tables.rows._array_input import (
    CountRows,
    Labels,
    Which,
    check_threads,
    fill_by_called,
    read_rows,
)


def label(
    counts: "ArrayLike",
    *,
    tiles: TileSet | str | None = None,
    called: "ArrayLike" = 0,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    unseen: "ArrayLike | None" = None,
    partial: bool = False,
    threads: int | None = 1,
    out: "Labels | None" = None,
) -> "Labels":
    """Return the deficiency of every hand.

    Every row is validated: at most four copies of a kind, and a valid number of tiles.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``. ``uint8`` and ``int8``
        rows in C order, in memory or in a mapped file, are read in place; any other integer
        array is copied in parts. Also texts in mpsz notation, in a list, an array or a pandas
        Series: all are hands of FULL if one has honours.
    tiles
        The tile set or its name. By default 27 counts are of ``M0`` and 34 of ``FULL``. With
        ``"sanma"``, 27 counts are of 1m, 9m, 1p..9p, 1s..9s, 1z..7z, and rows of all 34 kinds
        may hold no 2m..8m.
    called
        Melds on the table: one number, or one per row. A row then holds
        ``14 - 3 * called`` tiles or one fewer; other rules have other sizes.
    forms
        The winning forms, as for :func:`mjopt.deficiency`; the least deficiency over them is
        returned. Seven pairs and thirteen orphans need a hand without called melds. By default
        those of the rules, and without rules the standard form.
    rules
        The rule set of the hands, by its name or a file; see :func:`mjopt.get_rules`. It decides
        the tile set and the size of a hand.
    unseen
        Copies of each kind that can still arrive; see :func:`label_limited`.
    partial
        Allow fewer tiles than a hand has.
    threads
        Number of threads; None: one for each core.
    out
        An ``int8`` output array of shape ``(N,)``.

    Returns
    -------
    Labels
        Shape ``(N,)``, int8; ``out`` if given. ``UNREACHABLE`` where no chosen form is
        possible.

    Raises
    ------
    TileError, HandError
        If some row is not a hand; the message names the first such row and the expected
        value. The content of ``out`` is then undefined.

    Notes
    -----
    Fewer than 4,096 rows are looked up without compilation, in microseconds each. For more, the
    kernel of the tile set and the forms is compiled on its first call, which takes some seconds
    once on a machine; later processes load it from a cache.

    Rows of ``uint8`` or ``int8`` in C order are fastest; others are converted first.
    ``benchmarks/test_tables_label.py`` measures the time of a hand.

    The first call of 4,096 rows loads numba, LLVM and the compiled kernel. They keep about 140 MB
    of memory, 80 MB of it pages of shared libraries, as long as the process runs. This does not
    depend on the number of rows; nothing else stays after a call.

    The tables of the standard form, seven pairs and thirteen orphans are part of the package.
    Those of other forms are derived on first use, in a few seconds, and kept in the user's cache
    folder. Where a form has no tables, or unseen copies are limited, a dynamic program takes some
    microseconds a hand.

    Examples
    --------
    >>> label([[3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17, [2] * 7 + [0] * 20])
    array([1, 0], dtype=int8)
    >>> label(["1112345678999m1p", "11223344556677m"])
    array([1, 0], dtype=int8)
    >>> label(["19m19p19s1234567z", "111999m123p456s5z"], tiles="sanma", forms="riichi")
    array([1, 1], dtype=int8)
    >>> label(["123456789m123p12345s", "147m258p369s11223344z"], rules="taiwan")
    array([1, 7], dtype=int8)
    >>> label(["147m258p369s11223z"], forms="mcr")
    array([1], dtype=int8)
    >>> label([[2] * 7 + [0] * 20, [4] * 4 + [0] * 23])
    Traceback (most recent call last):
    mjopt.errors.HandError: row 1: 16 tiles, expected 14 or 13
    """
    expect(partial, bool, "partial")
    if unseen is not None:
        return label_limited(
            counts,
            unseen,
            tiles=tiles,
            called=called,
            forms=forms,
            rules=rules,
            partial=partial,
            threads=threads,
            out=out,
        )
    hands, threads = read_rows(counts, tiles, rules), check_threads(threads)
    rows, templates = hands.rows, _templates_of(hands, forms)

    def fill(which: Which, melds: int, labels: Labels) -> int:
        part = rows[which]
        plan = RuleLabels(templates, hands.tiles, melds, num_rows=len(part))
        return plan.fill(part, None, labels, partial=partial, threads=threads)

    return fill_by_called(hands, called, partial, out, fill)


def _templates_of(hands: CountRows, forms: FormsLike) -> tuple[Template, ...]:
    """Return the templates of all chosen forms."""
    chosen = read_forms(forms, hands.tiles, hands.size, rules=hands.rules)
    return templates_of(chosen)


def label_limited(
    counts: "ArrayLike",
    unseen: "ArrayLike",
    *,
    tiles: TileSet | str | None = None,
    called: "ArrayLike" = 0,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    partial: bool = False,
    threads: int | None = 1,
    out: "Labels | None" = None,
) -> "Labels":
    """Return the deficiency of every hand with a limit on the copies that can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``: one row for all
        hands, or one row each. Larger numbers are reduced to ``4 - counts``.
    tiles, called, forms, rules, partial, threads, out
        As for :func:`label`.

    Returns
    -------
    Labels
        Shape ``(N,)``, int8; ``UNREACHABLE`` where those copies cannot complete the hand.

    Examples
    --------
    >>> from mjopt import UNREACHABLE
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited([hand, hand], [[1] * 27, [0] * 27]).tolist() == [1, UNREACHABLE]
    True
    """
    hands, threads = read_rows(counts, tiles, rules), check_threads(threads)
    rows, templates = hands.rows, _templates_of(hands, forms)
    caps = hands.narrow(as_integers(unseen, "unseen"), "unseen")
    if caps.shape not in (rows.shape, rows.shape[1:]) or caps.dtype.kind not in "iu":
        raise TileError(
            f"{caps.dtype} of shape {caps.shape}",
            argument="unseen",
            expected=f"integers of shape {rows.shape[1:]} or {rows.shape}",
        )
    faults = np.argwhere((caps < 0) | (caps > COPIES))
    if len(faults):
        *row, kind = faults[0].tolist()
        raise TileError(
            f"{caps[tuple(faults[0])]} copies of {hands.tiles.names[kind]}",
            argument="unseen",
            position=row[0] if row else None,
            unit="row",
            expected=f"0..{COPIES}",
        )
    caps = caps.astype(np.uint8, copy=False)

    def fill(which: Which, melds: int, labels: Labels) -> int:
        part = rows[which]
        left = caps if caps.ndim == 1 else caps[which]
        plan = RuleLabels(templates, hands.tiles, melds, num_rows=len(part), is_limited=True)
        return plan.fill(part, left, labels, partial=partial, threads=threads)

    return fill_by_called(hands, called, partial, out, fill)
