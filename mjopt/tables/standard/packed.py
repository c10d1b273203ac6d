"""Packed hands: one state number per suit, 12 or 16 bytes per hand."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.arrays import as_array
from mjopt._internal.validation import expect
from mjopt.errors import HandError, TileError
from mjopt.hands.hand import check_called
from mjopt.hands.tiles import COPIES, FULL, M0, TileSet, as_tiles
from mjopt.tables.rows._array_input import (
    Labels,
    as_bytes,
    as_labels,
    flat,
    is_in_place,
    read_rows,
    share_out,
)
from mjopt.tables.rows.validation import faulty_rows, not_a_hand, tiles_by_length
from mjopt.tables.standard.hand_tables import standard_tables
from mjopt.tables.suits.state_index import MOST_TILES, num_states, rank_tables

Numbers = NDArray[np.uint32]


def pack(
    counts: "ArrayLike", *, tiles: TileSet | str | None = None, threads: int | None = 1
) -> "Numbers":
    """Convert every hand to the state numbers of its suits.

    Parameters
    ----------
    counts
        Copies per kind, shape ``(N, 27)`` or ``(N, 34)``; at most fourteen tiles of
        one suit.
    tiles
        The tile set, as for :func:`mjopt.label`.
    threads
        Number of threads; None: one for each core.

    Returns
    -------
    Numbers
        Shape ``(N, 3)``, or ``(N, 4)`` with the honours last: one number for each suit of the
        tile set. The number of a suit without
        four of a kind has two bits per rank, the first rank lowest; see
        :mod:`mjopt.tables.suits.state_index` for the others.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18
    >>> pack([hand]).tolist()
    [[487599, 0, 0]]
    >>> unpack(pack([hand])).tolist() == [hand]
    True
    """
    from mjopt.tables.standard import _packed_kernels

    hands = read_rows(counts, tiles)
    rows = hands.rows
    numbers = np.empty((len(rows), len(hands.tiles.suits)), np.uint32)
    tables = standard_tables(hands.tiles)
    too_many = np.array(
        [(begin, len(part) - 1) for begin, part in zip(tables.shape, tables.parts, strict=False)]
    )
    _, kernel = _packed_kernels.kernels_of(hands.tiles)

    def work(start: int, stop: int) -> int:
        fault: int = kernel(
            flat(as_bytes(rows[start:stop])),
            tables.classes,
            too_many,
            tables.groups,
            *rank_tables(),
            numbers[start:stop].reshape(-1),
        )
        return start + fault if fault >= 0 else -1

    fault = share_out(work, len(rows), threads, in_place=is_in_place(rows))
    if fault >= 0:
        if ((rows[fault] < 0) | (rows[fault] > COPIES)).any():
            raise not_a_hand(rows[fault].tolist(), row=fault, tiles=hands.tiles)
        raise HandError(f"more than {MOST_TILES} tiles of one suit", position=fault, unit="row")
    return numbers


def unpack(
    packed: "ArrayLike", *, tiles: TileSet | str | None = None, threads: int | None = 1
) -> "NDArray[np.uint8]":
    """Return the copies per kind of packed hands, shape ``(N, 27)`` or ``(N, 34)``.

    Parameters
    ----------
    packed
        Hands from :func:`pack`.
    tiles
        The tile set; by default ``M0`` for three numbers a hand and ``FULL`` for four.
    threads
        Number of threads; None: one for each core.

    Raises
    ------
    TileError
        If a number is too large for a state; the message names the row.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("1112345678999m1p")
    >>> mjopt.unpack(mjopt.pack([hand.counts]))[0, :10].tolist()
    [3, 1, 1, 1, 1, 1, 1, 1, 3, 1]
    """
    from mjopt.tables.standard import _packed_kernels

    numbers, known = _as_numbers(packed, tiles)
    widths = np.array([len(suit.ranks) for suit in known.suits])
    counts = np.empty((len(numbers), known.num_kinds), np.uint8)

    def work(start: int, stop: int) -> int:
        fault = _packed_kernels.unpack_rows(
            flat(numbers[start:stop]),
            widths,
            *rank_tables(),
            counts[start:stop].reshape(-1),
        )
        return start + fault if fault >= 0 else -1

    fault = share_out(work, len(numbers), threads, in_place=numbers.flags.c_contiguous)
    if fault >= 0:
        _check_numbers(numbers, known)
    return counts


def label_packed(
    packed: "ArrayLike",
    *,
    tiles: TileSet | str | None = None,
    called: int = 0,
    partial: bool = False,
    threads: int | None = 1,
    out: "Labels | None" = None,
) -> "Labels":
    """Return the deficiency of every packed hand, standard form.

    Parameters
    ----------
    packed
        Hands from :func:`pack`, shape ``(N, 3)`` or ``(N, 4)``.
    tiles
        As for :func:`unpack`.
    called, partial, threads, out
        As for :func:`mjopt.label`; ``called`` is one number for all.

    Examples
    --------
    >>> label_packed(pack([[3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17]))
    array([1], dtype=int8)
    """
    numbers, known = _as_numbers(packed, tiles)
    expect(partial, bool, "partial")
    from mjopt.tables.standard import _packed_kernels

    tables, (kernel, _) = standard_tables(known), _packed_kernels.kernels_of(known)
    answer = flat(tables.answers(check_called(called), partial=partial))
    labels = as_labels(out, len(numbers))
    target = labels if labels.flags.c_contiguous else np.empty(len(numbers), np.int8)

    def work(start: int, stop: int) -> int:
        some = numbers[start:stop]
        worst = kernel(flat(some), tables.classes, *tables.joins, answer, target[start:stop])
        return _first_fault(some, known, called, partial) + start if worst < 0 else -1

    fault = share_out(work, len(numbers), threads, in_place=numbers.flags.c_contiguous)
    if fault >= 0:
        row = numbers[fault : fault + 1]
        _check_numbers(row, known, first=fault)
        counts = unpack(row, tiles=known)[0].tolist()
        raise not_a_hand(counts, called=called, partial=partial, row=fault, tiles=known)
    if target is not labels:
        labels[:] = target
    return labels


def _as_numbers(packed: ArrayLike, tiles: TileSet | str | None) -> tuple[Numbers, TileSet]:
    """Return packed hands as an array of numbers, and their tile set."""
    numbers, known = as_array(packed, "packed"), None if tiles is None else as_tiles(tiles)
    if known is not None:
        tiles_by_length(known.num_kinds, known)
    widths = (3, 4) if known is None else (len(known.suits),)
    if numbers.ndim != 2 or numbers.dtype != np.uint32 or numbers.shape[1] not in widths:
        shapes = " or ".join(f"(N, {width})" for width in widths)
        raise TileError(
            f"{numbers.dtype} of shape {numbers.shape}",
            argument="packed",
            expected=f"uint32 of shape {shapes}",
        )
    return numbers, known or (M0 if numbers.shape[1] == 3 else FULL)


def _limits(tiles: TileSet) -> NDArray[np.int64]:
    """Return the number of states of each suit."""
    return np.array([num_states(len(suit.ranks)) for suit in tiles.suits])


def _check_numbers(numbers: Numbers, tiles: TileSet, *, first: int = 0) -> None:
    """Raise TileError if a row, counted from ``first``, has a number too large for a state."""
    limits = _limits(tiles)
    for row, column in np.argwhere(numbers >= limits)[:1].tolist():
        number, most = numbers[row, column], limits[column] - 1
        raise TileError(f"state {number}", position=first + row, unit="row", expected=f"0..{most}")


def _first_fault(numbers: Numbers, tiles: TileSet, called: int, partial: bool) -> int:
    """Return the first row that is not a hand; such a row must exist."""
    great = np.flatnonzero((numbers >= _limits(tiles)).any(axis=1))
    # A number of no state cannot be unpacked, so only the rows before it are looked at.
    sound = numbers[: great[0]] if len(great) else numbers
    faults = faulty_rows(unpack(sound, tiles=tiles), called=called, partial=partial)
    return int(faults[0] if len(faults) else great[0])
