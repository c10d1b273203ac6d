"""Packed hands: one state number per suit, 12 or 16 bytes per hand."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.validation import expect
from mjopt.errors import HandError, TileError
from mjopt.hands.hand import check_called
from mjopt.hands.tiles import COPIES, FULL, M0, SANMA, TileSet, as_tiles
from mjopt.tables._array_input import (
    Labels,
    as_array,
    as_bytes,
    as_labels,
    flat,
    is_in_place,
    read_rows,
    share_out,
)
from mjopt.tables.sanma import outer_joins, sanma_answers
from mjopt.tables.state_index import MOST_TILES, num_states, state_copies, state_numbers
from mjopt.tables.table_file import answers, lookups
from mjopt.tables.validation import faulty_rows, not_a_hand, tiles_by_length

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
        :mod:`mjopt.tables.state_index` for the others.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18
    >>> pack([hand]).tolist()
    [[487599, 0, 0]]
    >>> unpack(pack([hand])).tolist() == [hand]
    True
    """
    hands = read_rows(counts, tiles)
    rows = hands.rows
    numbers = np.empty((len(rows), len(hands.tiles.suits)), np.uint32)
    write = _pack_sanma if hands.tiles == SANMA else _pack_by_kernel

    def work(start: int, stop: int) -> int:
        fault = write(as_bytes(rows[start:stop]), numbers[start:stop])
        return start + fault if fault >= 0 else -1

    fault = share_out(work, len(rows), threads, in_place=is_in_place(rows))
    if fault >= 0:
        if ((rows[fault] < 0) | (rows[fault] > COPIES)).any():
            raise not_a_hand(rows[fault].tolist(), row=fault, tiles=hands.tiles)
        raise HandError(f"more than {MOST_TILES} tiles of one suit", position=fault, unit="row")
    return numbers


def _pack_by_kernel(rows: NDArray[np.uint8], numbers: Numbers) -> int:
    from mjopt.tables import _packed_kernels

    tables = lookups()
    out = numbers.reshape(-1)
    fault: int = _packed_kernels.pack_rows(
        flat(rows), rows.shape[1], tables.classes, tables.steps, tables.starts, out
    )
    return fault


def _pack_sanma(rows: NDArray[np.uint8], numbers: Numbers) -> int:
    parts = [rows[:, part] for part in SANMA.slices]
    is_fault = rows.max(axis=1, initial=0) > COPIES
    for part in parts:
        is_fault |= part.sum(axis=1, dtype=np.int64) > MOST_TILES
    if is_fault.any():
        return int(is_fault.argmax())
    for column, part in enumerate(parts):
        numbers[:, column] = state_numbers(part)
    return -1


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
    from mjopt.tables import _packed_kernels

    numbers, known = _as_numbers(packed, tiles)
    if known == SANMA:
        _check_numbers(numbers, known)
        groups = zip(numbers.T, known.suits, strict=True)
        return np.concatenate(
            [state_copies(column, len(suit.ranks)) for column, suit in groups], axis=1
        )
    tables = lookups()
    columns = numbers.shape[1]
    counts = np.empty((len(numbers), known.num_kinds), np.uint8)

    def work(start: int, stop: int) -> int:
        fault = _packed_kernels.unpack_rows(
            flat(numbers[start:stop]),
            columns,
            tables.steps,
            tables.starts,
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
    kernel, joins, answer = _kernel(known, check_called(called), partial)
    classes = lookups().classes
    labels = as_labels(out, len(numbers))
    target = labels if labels.flags.c_contiguous else np.empty(len(numbers), np.int8)

    def work(start: int, stop: int) -> int:
        some = numbers[start:stop]
        worst = kernel(flat(some), classes, *joins, answer, target[start:stop])
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


def _kernel(
    tiles: TileSet, called: int, partial: bool
) -> tuple[Callable[..., np.int8], tuple[NDArray[np.uint16], ...], Labels]:
    """Return the kernel of a tile set, its joins and its answers."""
    from mjopt.tables import _packed_kernels, _sanma_kernels

    tables = lookups()
    if tiles == SANMA:
        joins = (tables.pair, outer_joins()[0].reshape(-1))
        answer = sanma_answers(called, partial=partial).reshape(-1)
        return _sanma_kernels.label_packed_sanma, joins, answer
    answer = answers(tiles.num_kinds, called, partial=partial).reshape(-1)
    if tiles == M0:
        return _packed_kernels.label_packed_m0, (tables.pair_start,), answer
    return _packed_kernels.label_packed_full, (tables.pair, tables.mixed), answer


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
    sound = numbers[: great[0]] if len(great) else numbers
    faults = faulty_rows(unpack(sound, tiles=tiles), called=called, partial=partial)
    return int(faults[0] if len(faults) else great[0])
