"""Useful tiles of rows of hands, by winning form."""

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.nearest_batch import nearest
from mjopt.hands.rule_set import RuleSet, WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.winning_forms import UNREACHABLE, is_classic
from mjopt.tables._array_input import as_flags
from mjopt.tables.batch import label
from mjopt.tables.rule_labels import RuleLabels
from mjopt.tables.useful import useful_masks
from mjopt.tables.validation import sum_rows

_NEVER: Final = np.int8(UNREACHABLE)
_PART: Final = 1 << 13  # hands at a time, each tried with every draw

Counts = NDArray[np.uint8]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]


def find_useful(
    part: Counts,
    left: Counts | None,
    tiles: TileSet,
    called: int,
    forms: tuple[WinningForm, ...],
    rules: RuleSet | None = None,
) -> tuple[Small, Flags]:
    """Return deficiency and useful kinds, over all forms that the hands can take.

    Parameters
    ----------
    part
        Copies per kind, shape ``(N, K)``.
    left
        Copies that can arrive, shape ``(N, K)``; by default all copies not held.
    tiles, called, forms, rules
        The tile set, the melds on the table, the winning forms and the rule set.

    Returns
    -------
    tuple
        Deficiencies, shape ``(N,)``, and whether each kind is useful, shape ``(N, K)``.
    """
    if not has_kernels(forms, tiles):
        return _by_labels(part, left, tiles, called, forms, rules)
    best = np.full(len(part), UNREACHABLE, np.int8)
    useful = np.zeros(part.shape, np.bool_)
    for form in forms:
        if called and not form.is_plain:
            continue
        if form.is_plain:
            value, helps = _standard(part, left, tiles, called)
        elif form.is_pairs:
            value, helps = _pairs(part, left)
        else:
            value, helps = _singles(part, left, form.templates[0].of)
        if form == forms[0]:
            best, useful = value, helps
            continue
        useful[value < best] = False
        useful |= helps & (value <= best)[:, None]
        best = np.minimum(best, value)
    return best, useful


def has_kernels(forms: tuple[WinningForm, ...], tiles: TileSet) -> bool:
    """Return whether all forms and the tile set are those with kernels of their own."""
    return tiles.is_built_in and is_classic(forms)


def _by_labels(
    part: Counts,
    left: Counts | None,
    tiles: TileSet,
    called: int,
    forms: tuple[WinningForm, ...],
    rules: RuleSet | None,
) -> tuple[Small, Flags]:
    """Return the same for any forms: a tile is useful if the hand with it has a lower label."""
    find = partial(label, tiles=None if rules else tiles, rules=rules, called=called, forms=forms)
    value = plain = find(part)
    useful = np.zeros(part.shape, np.bool_)
    row, kind = np.nonzero(part < COPIES)
    useful[row, kind] = find(_with_one(part, row, kind)) < plain[row]
    if left is not None:
        value = find(part, unseen=left)
        # A tile that is useful with fewer copies is useful with all, unless these complete the
        # hand sooner.
        is_bound = (value > plain) & (value < UNREACHABLE)
        row, kind = np.nonzero((useful | is_bound[:, None]) & (left > 0))
        useful[:] = False
        rest = left[row]
        rest[np.arange(len(row)), kind] -= 1
        useful[row, kind] = find(_with_one(part, row, kind), unseen=rest) < value[row]
    return value, useful


def drawn_kinds(rows: Counts, rules: RuleSet, called: int = 0) -> Flags:
    """Return the kinds that some nearest complete hand draws, before and after the draw.

    They are the kinds whose arrival lowers the deficiency, even if the hand then has a tile more
    than a complete one.

    Parameters
    ----------
    rows
        Copies per kind, shape ``(N, K)``.
    rules, called
        The rule set, and the melds on the table.

    Returns
    -------
    Flags
        Shape ``(N, K)``; none for a complete hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("123456789m123p12358s", rules="taiwan")
    >>> found = drawn_kinds(np.array([hand.counts], np.uint8), hand.rules)
    >>> [hand.tiles.names[kind] for kind in np.flatnonzero(found[0])]
    ['5s', '8s']
    """
    tiles = rules.tiles
    templates = tuple(template for form in rules.forms for template in form.templates)
    drawn = np.zeros(rows.shape, np.bool_)
    for start in range(0, len(rows), _PART):
        part = np.ascontiguousarray(rows[start : start + _PART])
        value = label(part, rules=rules, called=called)
        row, kind = np.nonzero((part < COPIES) & (value > 0)[:, None])
        if not len(row):
            continue
        after = _with_one(part, row, kind)
        plan = RuleLabels(templates, tiles, called, num_rows=len(after), spare=1)
        found = np.empty(len(after), np.int8)
        plan.fill(after, None, found, partial=True)
        drawn[start + row, kind] = found < value[row]
    return drawn


def _with_one(part: Counts, row: Places, kind: Places) -> Counts:
    """Return some rows with one more copy of a kind."""
    after = part[row]
    after[np.arange(len(row)), kind] += 1
    return after


def _standard(
    part: Counts, left: Counts | None, tiles: TileSet, called: int
) -> tuple[Small, Flags]:
    value = label(part, called=called, tiles=tiles)
    useful = as_flags(useful_masks(part, called=called, tiles=tiles), part.shape[1])
    if left is not None:  # the tables hold unless a nearest hand draws more than are available
        wanting = useful & (part + left < COPIES) & (left < value[:, None])
        some = np.flatnonzero(wanting.any(axis=1))
        value[some], useful[some] = nearest(part[some], left[some], tiles, called)
    return value, useful


def _pairs(part: Counts, left: Counts | None) -> tuple[Small, Flags]:
    """Return the deficiency of seven pairs, and the kinds among the seven cheapest."""
    prices = np.maximum(2 - part.astype(np.int8), 0)
    if left is not None:
        prices[part + left < 2] = _NEVER
    cheapest = np.partition(prices, 6, axis=1)
    dearest = cheapest[:, 6:7]
    helps = (prices > 0) & (prices <= dearest) & (dearest < _NEVER)
    value = cheapest[:, :7].sum(axis=1, dtype=np.int16)
    return np.minimum(value, UNREACHABLE).astype(np.int8), helps


def _singles(part: Counts, left: Counts | None, singles: tuple[int, ...]) -> tuple[Small, Flags]:
    held = part[:, singles]
    more = COPIES - held if left is None else left[:, singles]
    is_paired: Flags = np.greater(held.max(axis=1), 1)
    can_be: Flags = np.all(held + more > 0, axis=1) & np.any(held + more > 1, axis=1)
    helps = np.zeros(part.shape, np.bool_)
    wanted = (held == 0) | ~is_paired[:, None]
    helps[:, singles] = wanted & (more > 0) & can_be[:, None]
    value = (held == 0).sum(axis=1, dtype=np.int8) + ~is_paired
    return np.where(can_be, value, UNREACHABLE).astype(np.int8), helps


def count_copies(useful: Flags, part: Counts, left: Counts | None) -> NDArray[np.uint64]:
    """Count the copies of useful kinds that can arrive, for each hand."""
    return sum_rows(useful.view(np.uint8) * (COPIES - part if left is None else left))
