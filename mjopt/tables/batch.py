"""Labels of many hands: the deficiency of every row of an array."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_integers
from mjopt._internal.jit import is_few
from mjopt._internal.validation import expect
from mjopt.errors import TileError
from mjopt.hands.rule_set import RuleSet, WinningForm, templates_of
from mjopt.hands.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.winning_forms import (
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    FormsLike,
    orphan_kinds,
    read_forms,
)
from mjopt.tables._array_input import (
    CountRows,
    Labels,
    Rows,
    Which,
    as_bytes,
    check_threads,
    fill_by_called,
    flat,
    is_in_place,
    read_rows,
    share_out,
)
from mjopt.tables.hand_tables import standard_tables
from mjopt.tables.lookup import look_up_counts, look_up_limited
from mjopt.tables.state_index import rank_tables
from mjopt.tables.template_labels import TemplateLabels
from mjopt.tables.validation import faulty_rows

FEW: Final = 4096
"""Fewer rows are labelled one by one: at 4 us per row that is faster than loading numba."""

CACHED_ROWS: Final = 16384
"""Rows that two kernels read one after the other, so that the second finds them in the cache."""

FEW_LIMITED: Final = 16
"""The same limit for limited unseen tiles."""


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
    Fewer than 4,096 rows are labelled one by one without compilation. For more, the kernel
    of 27 or of 34 kinds is compiled on its first call, which takes a few seconds once after
    an installation; later processes load it from a cache.

    Rows of ``uint8`` or ``int8`` in C order are fastest; others are converted first.
    ``benchmarks/test_tables_label.py`` measures the time of a hand.

    The first call of 4,096 rows loads numba, LLVM and the compiled kernel. They keep about 140 MB
    of memory, 80 MB of it pages of shared libraries, as long as the process runs. This does not
    depend on the number of rows; nothing else stays after a call.

    The tables of forms with other groups than the standard form are derived on first use, in a
    second or two, and kept in memory. Where a form has no tables, or unseen copies are limited,
    a dynamic program takes some microseconds a hand.

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
    rows, (chosen, templates) = hands.rows, _chosen_forms(hands, forms)

    def fill(which: Which, melds: int, labels: Labels) -> int:
        part = rows[which]
        if not chosen:
            labels[:] = UNREACHABLE
        elif is_few(len(part), FEW):
            for row, held in enumerate(as_bytes(part)):
                value = look_up_counts(bytes(held), melds, chosen, hands.tiles, partial=partial)
                if value < 0:
                    return row
                labels[row] = value
        elif (
            fault := _fill_plain(part, hands.tiles, melds, chosen, partial, threads, labels)
        ) >= 0:
            return fault
        if templates:
            return _lower(
                part, None, hands.tiles, melds, templates, partial, threads, bool(chosen), labels
            )
        return -1

    return fill_by_called(hands, called, partial, out, fill)


def _chosen_forms(
    hands: CountRows, forms: FormsLike
) -> tuple[tuple[str, ...], tuple[Template, ...]]:
    """Return the forms of ``CLASSIC`` with tables or kernels of their own, and other templates."""
    chosen = read_forms(forms, hands.tiles, hands.size, rules=hands.rules)
    if not hands.tiles.is_built_in:
        return (), tuple(t for form in chosen for t in templates_of(form, hands.tiles))
    others = [form for form in chosen if isinstance(form, WinningForm)]
    templates = tuple(t for form in others for t in form.templates)
    return tuple(form for form in chosen if form not in others), templates


def _lower(
    rows: Rows,
    unseen: NDArray[np.uint8] | None,
    tiles: TileSet,
    called: int,
    templates: tuple[Template, ...],
    partial: bool,
    threads: int,
    is_valid: bool,
    labels: Labels,
) -> int:
    """Lower labels to the deficiencies for templates; return the first row that is no hand."""
    plan = TemplateLabels(
        templates, tiles, called, num_rows=len(rows), is_limited=unseen is not None
    )

    def work(start: int, stop: int) -> int:
        left = unseen if unseen is None or unseen.ndim == 1 else unseen[start:stop]
        part, some = as_bytes(rows[start:stop]), labels[start:stop]
        fault = plan.lower(part, left, some, partial=partial, is_valid=is_valid)
        return start + fault if fault >= 0 else -1

    return share_out(work, len(rows), threads, in_place=is_in_place(rows))


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
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited([hand, hand], [[1] * 27, [0] * 27]).tolist() == [1, UNREACHABLE]
    True
    """
    hands, threads = read_rows(counts, tiles, rules), check_threads(threads)
    rows, (chosen, templates) = hands.rows, _chosen_forms(hands, forms)
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
        if not chosen:
            labels[:] = UNREACHABLE
        elif len(part) < FEW_LIMITED:
            if len(faults := faulty_rows(part, called=melds, partial=partial)):
                return int(faults[0])
            pairs = zip(part.tolist(), np.broadcast_to(left, part.shape).tolist(), strict=True)
            labels[:] = [
                look_up_limited(
                    tuple(held), tuple(copies), melds, chosen, hands.tiles, partial=partial
                )
                for held, copies in pairs
            ]
        else:
            fault = _fill_limited(part, hands.tiles, left, melds, chosen, partial, threads, labels)
            if fault >= 0:
                return fault
        if templates:
            return _lower(
                part, left, hands.tiles, melds, templates, partial, threads, bool(chosen), labels
            )
        return -1

    return fill_by_called(hands, called, partial, out, fill)


def _fill_plain(
    rows: Rows,
    tiles: TileSet,
    called: int,
    forms: Sequence[str],
    partial: bool,
    threads: int,
    labels: Labels,
) -> int:
    from mjopt.tables._kernels import BLOCK, label_kernel

    tables, kernel = standard_tables(tiles), label_kernel(tiles)
    fixed = tables.classes, *tables.joins, flat(tables.answers(called, partial=partial))
    ranks = tables.groups, *rank_tables()
    lower = None if called else _lower_plain(tiles, forms)

    def fill(start: int, stop: int) -> int:
        part = rows[start:stop]
        some = labels[start:stop]
        if len(part) < 4:  # a kernel reads four rows at once
            part = np.concatenate([part, part, part, part])
            some = np.empty(len(part), np.int8)
        again = np.empty(BLOCK // 4, np.int64)
        octets = flat(as_bytes(part))
        worst = kernel(octets, *fixed, *ranks, again, some)
        if worst < 0:
            return start + int(faulty_rows(rows[start:stop], called=called, partial=partial)[0])
        if STANDARD not in forms:
            some[:] = UNREACHABLE
        if lower is not None:
            lower(octets, some)
        if len(some) > stop - start:
            labels[start:stop] = some[: stop - start]
        return -1

    def work(start: int, stop: int) -> int:
        length = stop - start if lower is None else CACHED_ROWS
        faults = (fill(first, min(first + length, stop)) for first in range(start, stop, length))
        return next((fault for fault in faults if fault >= 0), -1)

    return share_out(work, len(rows), threads, in_place=is_in_place(rows))


def _lower_plain(
    tiles: TileSet, forms: Sequence[str]
) -> Callable[[NDArray[np.uint8], Labels], None] | None:
    """Return a function that lowers labels to the forms without melds; None if none counts."""
    has_pairs = SEVEN_PAIRS in forms
    orphans = sum(1 << kind for kind in orphan_kinds(tiles)) if THIRTEEN_ORPHANS in forms else 0
    if not has_pairs and not orphans:
        return None
    from mjopt.tables._form_kernels import plain_forms

    def lower(octets: NDArray[np.uint8], labels: Labels) -> None:
        plain_forms(octets, tiles.num_kinds, has_pairs, np.uint64(orphans), labels)

    return lower


def _fill_limited(
    rows: Rows,
    tiles: TileSet,
    unseen: NDArray[np.uint8],
    called: int,
    forms: Sequence[str],
    partial: bool,
    threads: int,
    labels: Labels,
) -> int:
    from mjopt.tables import _form_kernels

    step = 0 if unseen.ndim == 1 else tiles.num_kinds
    begins = _form_kernels.begins_chow(tiles)

    def work(start: int, stop: int) -> int:
        faults = faulty_rows(rows[start:stop], called=called, partial=partial)
        if len(faults):
            return start + int(faults[0])
        octets = flat(as_bytes(rows[start:stop]))
        left = flat(unseen[start:stop] if step else unseen)
        some = labels[start:stop]
        some[:] = UNREACHABLE
        if STANDARD in forms:
            _form_kernels.limited(
                octets, left, step, begins, 4 - called, _form_kernels.MOVE_TABLE, some
            )
        if not called:
            _fill_special(octets, left, step, tiles, forms, some)
        return -1

    return share_out(work, len(rows), threads, in_place=False)


def _fill_special(
    octets: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    step: int,
    tiles: TileSet,
    forms: Sequence[str],
    labels: Labels,
) -> None:
    """Lower the labels to the deficiencies of the forms without melds."""
    from mjopt.tables import _form_kernels

    if SEVEN_PAIRS in forms:
        _form_kernels.seven_pairs(octets, unseen, step, tiles.num_kinds, labels)
    if THIRTEEN_ORPHANS in forms:
        orphans = np.array(orphan_kinds(tiles), np.uint64)
        _form_kernels.thirteen_orphans(octets, unseen, step, tiles.num_kinds, orphans, labels)
