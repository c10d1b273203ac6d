"""Exact answers about many hands at once, as integers: yes is 1, a set of tiles a bit per kind."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.batch import discards_many
from mjopt.analysis.deficiency import deficiency
from mjopt.analysis.discard import discards
from mjopt.analysis.useful_rows import find_useful
from mjopt.analysis.useful_tiles import helpful_copies
from mjopt.audits.discard_rates import Rate, in_units, ready_queries, uniform_rate
from mjopt.audits.hand_batch import Counts, HandBatch
from mjopt.hands.rules.classic_forms import UNREACHABLE, is_classic
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.tables.labels.batch import label

Answers = NDArray[np.int64]
"""Answers as integers: 0 or 1, a number, or a set of kinds with a bit for each."""

Forms = tuple[WinningForm, ...]

UNDEFINED: Final = -1 << 40
"""In place of an exact answer where a question has none: a discard before the draw or of a win."""


def as_numbers(flags: NDArray[np.bool_]) -> Answers:
    """Return flags as 0 and 1."""
    numbers: Answers = flags.astype(np.int64)
    return numbers


def count_kinds(masks: Answers, copies: Counts) -> Answers:
    """Return the number of copies of the kinds of each mask; ``copies`` has shape ``(N, K)``."""
    flags = as_flags(masks, copies.shape[1])
    numbers: Answers = np.multiply(flags, copies).sum(axis=1, dtype=np.int64)
    return numbers


def as_masks(flags: NDArray[np.bool_]) -> Answers:
    """Return rows of flags per kind, shape ``(N, K)``, as numbers with a bit for each kind."""
    bits = np.int64(1) << np.arange(flags.shape[1], dtype=np.int64)
    masks: Answers = flags @ bits
    return masks


def as_flags(masks: Answers, num_kinds: int) -> NDArray[np.bool_]:
    """Return the inverse of :func:`as_masks`."""
    flags: NDArray[np.bool_] = (masks[:, None] >> np.arange(num_kinds)) & 1 > 0
    return flags


def kinds_in(mask: int) -> list[int]:
    """Return the kinds of a mask.

    Examples
    --------
    >>> kinds_in(0b1001)
    [0, 3]
    """
    return [kind for kind in range(mask.bit_length()) if mask >> kind & 1] if mask > 0 else []


def _needs_melds(hands: HandBatch, forms: Forms) -> bool:
    """Return whether the kinds of the melds on the table decide which forms are possible."""
    return bool(hands.melds) and not is_classic(forms)


def distances(hands: HandBatch, forms: Forms) -> Answers:
    """Return the deficiency of every hand; ``UNREACHABLE`` where no win can be reached."""
    if _needs_melds(hands, forms):
        each = range(len(hands))
        return np.array(
            [deficiency(hands.hand(r), forms=forms, unseen=hands.unseen(r)) for r in each], np.int64
        )
    found = label(
        hands.counts,
        tiles=hands.tiles,
        called=hands.called,
        forms=forms,
        rules=hands.rules,
        unseen=hands.left,
    )
    return found.astype(np.int64)


def wins(hands: HandBatch, forms: Forms) -> Answers:
    """Return whether each hand is complete."""
    return as_numbers((distances(hands, forms) == 0) & hands.is_full)


def shanten_numbers(hands: HandBatch, forms: Forms) -> Answers:
    """Return one less than the deficiency, where a win can be reached."""
    found = distances(hands, forms)
    found -= found != UNREACHABLE
    return found


def useful_kinds(hands: HandBatch, forms: Forms) -> Answers:
    """Return the kinds whose arrival lowers the deficiency: those that a nearest win draws."""
    masks = np.zeros(len(hands), np.int64)
    if _needs_melds(hands, forms):
        for row in range(len(hands)):
            hand = hands.hand(row)
            [(_, copies)] = helpful_copies([hand], [hands.unseen(row) or hand.unseen], forms)
            masks[row] = sum(1 << kind for kind, number in copies if number)
        return masks
    for melds, rows in hands.by_called():
        part = hands.take(rows)
        _, flags = find_useful(part.counts, part.left, hands.tiles, melds, forms)
        masks[rows] = as_masks(flags)
    return masks


def useful_copies(hands: HandBatch, forms: Forms) -> Answers:
    """Return the number of copies that can arrive of the useful kinds."""
    return count_kinds(useful_kinds(hands, forms), hands.copies)


def best_discards(hands: HandBatch, forms: Forms) -> Answers:
    """Return the discards of least deficiency after which most useful copies are left."""
    return _ranked_discards(hands, forms, 1)


def nearest_discards(hands: HandBatch, forms: Forms) -> Answers:
    """Return the discards of least deficiency."""
    return _ranked_discards(hands, forms, 0)


def _ranked_discards(hands: HandBatch, forms: Forms, by_copies: int) -> Answers:
    masks = np.full(len(hands), np.int64(UNDEFINED))
    is_asked = hands.is_full & (distances(hands, forms) > 0)
    if _needs_melds(hands, forms):
        for row in np.flatnonzero(is_asked).tolist():
            ranked = discards(hands.hand(row), forms=forms, unseen=hands.unseen(row))
            ranks = [(each.deficiency, -by_copies * each.after.num_copies) for each in ranked]
            best = [each.kind for each, rank in zip(ranked, ranks, strict=True) if rank == ranks[0]]
            masks[row] = sum(1 << kind for kind in best)
        return masks
    for melds, rows in hands.by_called():
        here = rows[is_asked[rows]]
        part = hands.take(here)
        if not len(here):
            continue
        found = discards_many(
            part.counts,
            tiles=hands.tiles,
            called=melds,
            unseen=part.left,
            forms=forms,
            rules=hands.rules,
        )
        # More copies never make up for a greater deficiency: there are at most 136.
        score = by_copies * found.num_copies.astype(np.int32) - np.int32(1000) * found.deficiency
        score[part.counts == 0] = np.iinfo(np.int32).min
        masks[here] = as_masks(score == score.max(axis=1, keepdims=True))
    return masks


def num_decompositions(hands: HandBatch, forms: Forms) -> Answers:
    """Return the number of different ways to split each complete hand."""
    found = np.zeros(len(hands), np.int64)
    for row in np.flatnonzero(wins(hands, forms)).tolist():
        counts, called = tuple(hands.counts[row].tolist()), int(hands.called[row])
        splits = (
            find_splits(counts, hands.tiles, template, called)
            for form in forms
            for template in form.templates
        )
        found[row] = len(set().union(*splits))
    return found


def deal_in_rates(hands: HandBatch, forms: Forms) -> Answers:
    """Return the rate of each discard, if all ready hands of the opponent are equally likely."""
    return rates(hands, forms, uniform_rate)


def rates(hands: HandBatch, forms: Forms, rate: Rate) -> Answers:
    """Return the rate of each discard."""
    assert hands.asked is not None, "only a file asks about discards"
    found = (rate(*each) for each in ready_queries(hands.asked, hands.copies, forms))
    return np.array([UNDEFINED if each is None else in_units(each) for each in found], np.int64)
