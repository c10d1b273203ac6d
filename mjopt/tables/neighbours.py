"""Deficiencies of hands after every draw and every discard, for any templates.

Many hands are judged by a kernel with the gain tables, few by look-ups in NumPy, which take less
time than loading numba; hands of templates without tables by the labels of their neighbours.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.rule_arrays import arrays_of
from mjopt.tables.bundles.rule_lookup import RuleLookup, lookup_of
from mjopt.tables.bundles.rule_tables import SPARE, are_ready, has_tables
from mjopt.tables.bundles.template_columns import MOST_KINDS
from mjopt.tables.gains.gain_layout import GainTables
from mjopt.tables.gains.gain_tables import gain_tables
from mjopt.tables.labels.rule_labels import FEW_DERIVED, LEAST_KINDS, RuleLabels
from mjopt.tables.rows._array_input import as_flags, flat
from mjopt.tables.rows.validation import sum_rows
from mjopt.tables.suits.groups import groups_of
from mjopt.tables.suits.state_index import rank_tables

# Useful tiles are those of docs/reference/engines.md (`useful`): x with D(h + x) < D(h).

FEW: Final = 1024
"""Fewer hands are looked up in NumPy, at a quarter of a millisecond each."""

_PART: Final = 1 << 13  # hands at a time, each tried with every draw

Counts = NDArray[np.uint8]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]


class Discarded(NamedTuple):
    """The hands after every discard, in arrays of shape ``(N, K)``.

    ``deficiency`` is ``UNREACHABLE`` where no such tile is held, and ``copies`` 0.
    """

    deficiency: Small
    copies: NDArray[np.int16]
    doubtful: Places
    """``row * K + kind`` of all discards that may differ if the tile never returns."""


class _Gains(NamedTuple):
    """The gain tables of some templates for a number of called melds."""

    tables: GainTables
    arguments: tuple[object, ...]  # of both kernels


def deficiencies(
    rows: Counts,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
    unseen: Counts | None = None,
    *,
    spare: int = SPARE,
) -> Small:
    """Return the deficiency of hands with valid counts, shape ``(N, K)``.

    Copies ``unseen`` can arrive, by default all not held. A hand may have ``spare`` tiles beyond
    those of a complete hand.
    """
    found = np.empty(len(rows), np.int8)
    plan = RuleLabels(
        templates,
        tiles,
        called,
        num_rows=len(rows),
        is_limited=unseen is not None,
        spare=spare,
    )
    plan.fill(rows, unseen, found, partial=True)
    return found


def draws_more(
    rows: Counts,
    kinds: Places,
    number: NDArray[np.int64],
    least: Small,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
) -> Flags:
    """Return whether some nearest complete hand of each hand draws more copies of a kind.

    It does if the hand misses one tile less with each of them, and one more; the result is also
    true where the tables do not go so far. Rows are valid counts, shape ``(N, K)``; the kinds,
    numbers of copies and deficiencies have shape ``(N,)``. With one copy more than the number the
    hand has at most four.
    """
    after = rows.copy()
    after[np.arange(len(rows)), kinds] += (number + 1).astype(np.uint8)
    value = deficiencies(after, templates, tiles, called, spare=COPIES)
    sizes = [sum_rows(after[:, group.kinds]) for group in groups_of(tiles)]
    most = templates[0].num_tiles + SPARE
    is_known = np.ones(len(rows), np.bool_)
    for half in sizes[:2], sizes[2:]:
        is_known &= np.sum(half, axis=0) <= most
    return ~is_known | (value < least - number)


def waits(
    rows: Counts,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
    *,
    num_rows: int | None = None,
) -> tuple[Small, Flags]:
    """Return the deficiency of hands, shape ``(N,)``, and whether each kind lowers it, ``(N, K)``.

    For a hand after its draw, these are the kinds that some nearest complete hand draws. Counts are
    valid; ``num_rows`` is the number of hands of the whole query, if these are a part: it decides
    what is worth loading.
    """
    number = len(rows) if num_rows is None else num_rows
    if (lookup := _lookup(templates, tiles, number)) is not None:
        near = [lookup.neighbours(held, called, discards=False)[1][0] for held in rows.tolist()]
        found = np.array(near, np.int8).reshape(len(rows), rows.shape[1] + 1)
        return np.ascontiguousarray(found[:, -1]), found[:, :-1] < found[:, -1:]
    gains = _gains(templates, tiles, called, number)
    if gains is None:
        return _waits_by_labels(rows, templates, tiles, called)
    from mjopt.tables.gains._gain_kernels import kernels_of

    least, masks = np.empty(len(rows), np.int8), np.empty(len(rows), np.uint64)
    kernels_of(tiles)[0](flat(rows), *gains.arguments, least, masks)
    return least, as_flags(masks, rows.shape[1])


def discards(
    rows: Counts,
    unseen: Counts | None,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
    *,
    num_rows: int | None = None,
) -> Discarded:
    """Return the deficiency and the useful copies after every discard.

    Hands, shape ``(N, K)``, are after their draw. Copies ``unseen`` can arrive, by default all not
    held; they count as useful copies only. ``num_rows`` is as for :func:`waits`.
    """
    number = len(rows) if num_rows is None else num_rows
    deficiency = np.full(rows.shape, UNREACHABLE, np.int8)
    copies = np.zeros(rows.shape, np.int16)
    left = COPIES - rows if unseen is None else unseen
    if (lookup := _lookup(templates, tiles, number)) is not None:
        doubtful = []
        for place, held in enumerate(rows.tolist()):
            kinds, near = lookup.neighbours(held, called)
            thrown = np.array(kinds)
            least = near[:-1, -1]
            useful = near[:-1, :-1] < least[:, None]
            deficiency[place, thrown] = least
            copies[place, thrown] = useful @ left[place].astype(np.int16)
            # Only a hand that would draw the discarded tile again can be judged too well.
            returns = useful[np.arange(len(thrown)), thrown]
            doubtful += (place * rows.shape[1] + thrown[returns]).tolist()
        return Discarded(deficiency, copies, np.array(doubtful, np.int64))
    gains = _gains(templates, tiles, called, number)
    if gains is None:
        row, kind = np.nonzero(rows)
        after = rows[row]
        after[np.arange(len(row)), kind] -= 1
        least, useful = _waits_by_labels(after, templates, tiles, called)
        deficiency[row, kind] = least
        copies[row, kind] = sum_rows(useful.view(np.uint8) * left[row])
        returns = useful[np.arange(len(row)), kind]
        return Discarded(deficiency, copies, (row * rows.shape[1] + kind)[returns])
    from mjopt.tables.gains._gain_kernels import kernels_of

    buffer = np.empty(rows.size + 1, np.int64)
    found = kernels_of(tiles)[1](
        rows,
        rows[:0] if unseen is None else unseen,
        templates[0].num_tiles - 3 * called,
        *gains.arguments,
        gains.tables.deep,
        gains.tables.least_deep,
        buffer,
        deficiency,
        copies,
    )
    return Discarded(deficiency, copies, buffer[: max(0, -1 - found)])


def _lookup(templates: tuple[Template, ...], tiles: TileSet, number: int) -> RuleLookup | None:
    """Return the look-ups for few hands; None for many, or if some template has no tables."""
    if not is_few(number, FEW) or not has_tables(tiles):
        return None
    if is_few(number, FEW_DERIVED) and not are_ready(templates, tiles):
        return None
    lookup = lookup_of(templates, tiles)
    return None if lookup.arrays.tables.others else lookup


def _gains(
    templates: tuple[Template, ...], tiles: TileSet, called: int, number: int
) -> _Gains | None:
    """Return the tables of the kernels; None for few hands, or if some template has no tables."""
    return None if is_few(number, FEW) else _all_gains(templates, tiles, called)


@lru_cache(maxsize=32)
def _all_gains(templates: tuple[Template, ...], tiles: TileSet, called: int) -> _Gains | None:
    if not LEAST_KINDS <= tiles.num_kinds <= MOST_KINDS or not has_tables(tiles):
        return None
    arrays = arrays_of(templates, tiles)
    if arrays.tables.others:
        return None
    found = gain_tables(arrays.tables, called)
    if found is None:
        return None
    jokers = np.uint64(sum(1 << kind for kind in arrays.layout.jokers))
    ranks = rank_tables(arrays.tables.most)
    arguments = arrays.groups, *ranks, found.places, found.states, found.words, jokers
    return _Gains(found, arguments)


def _waits_by_labels(
    rows: Counts, templates: tuple[Template, ...], tiles: TileSet, called: int
) -> tuple[Small, Flags]:
    """Return the same as :func:`waits`: a tile is useful if the hand with it has a lower label."""
    least = deficiencies(rows, templates, tiles, called)
    useful = np.zeros(rows.shape, np.bool_)
    for start in range(0, len(rows), _PART):
        part = rows[start : start + _PART]
        value = least[start : start + _PART]
        row, kind = np.nonzero((part < COPIES) & (value > 0)[:, None])
        after = part[row]
        after[np.arange(len(row)), kind] += 1
        useful[start + row, kind] = deficiencies(after, templates, tiles, called) < value[row]
    return least, useful
