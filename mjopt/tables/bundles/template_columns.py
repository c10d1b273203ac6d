"""Deficiencies for templates without melds (fixed tiles, distinct kinds or pairs), in NumPy.

Kinds are independent in such templates, so a deficiency is a sum over kinds. The hands are
transposed once; each kind is then a vector operation over all of them.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES

# Without melds, the minimum of docs/reference/winning-forms.md has a closed form. For c different
# kinds out of a set, d of them twice, with a_1 kinds held, a_2 held twice, and b_2 of those held
# that can be doubled, a hand misses
#
#     max(c - a_1, d - b_2, 0) + max(d - a_2, 0)
#
# and for p pairs max(p - a_2, 0) + max(p - b_2, 0). One 64-bit word of each hand says which kinds
# it holds in at least n copies, so a_n counts its bits.

BLOCK: Final = 16384
"""Hands at a time, so that the columns stay in the CPU cache."""

MOST_KINDS: Final = 64
"""Most kinds of a tile set: one bit each."""

_EVERY: Final = ~np.uint64(0)

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Masks = NDArray[np.uint64]
Steps = Sequence[tuple[int, int]]
Labels = NDArray[np.int8]


def has_columns(template: Template, *, is_limited: bool) -> bool:
    """Return whether :class:`Columns` finds the deficiency for a template."""
    one_part = (template.distinct > 0) + (template.pairs > 0) + (template.eyes > 0) < 2
    only_fixed = not template.distinct + template.pairs + template.eyes
    can_be = one_part and not template.melds
    if not template.jokers:
        return can_be
    return can_be and not is_limited and (covers_all(template) or only_fixed)


def covers_all(template: Template) -> bool:
    """Return whether jokers may stand for every tile, up to the copies that exist."""
    sizes = (
        ("melds", template.melds),
        ("eyes", template.eyes),
        ("distinct", template.distinct),
        ("pairs", template.pairs),
    )
    covers = all(part in template.joker_parts for part, number in sizes if number)
    return covers and template.joker_fixed == template.fixed and not template.has_fifth


class Columns:
    """Hands, shape ``(N, K)``, as columns of copies held of each kind, at most ``MOST_KINDS``.

    ``unseen`` copies can still arrive, by default all those not held. ``jokers`` are the kinds
    whose tiles are jokers.
    """

    def __init__(
        self, rows: Bytes, unseen: Bytes | None = None, jokers: tuple[int, ...] = ()
    ) -> None:
        self._num_jokers: Labels = np.zeros(len(rows), np.int8)
        if jokers:
            self._num_jokers = rows[:, list(jokers)].sum(axis=1, dtype=np.int8)
            rows = rows.copy()
            rows[:, list(jokers)] = 0
        self._rows = rows
        self._reach = None if unseen is None else rows + np.minimum(unseen, COPIES - rows)
        self._columns: Bytes = np.ascontiguousarray(rows.T)
        self._flags = np.zeros((len(rows), MOST_KINDS), np.bool_)  # a buffer
        self._masks: dict[tuple[int, bool], Masks] = {}
        self._lacking: dict[tuple[int, int], Labels] = {}

    def deficiency(self, template: Template) -> Labels:
        """Return the deficiency of every hand; ``UNREACHABLE`` if unseen copies do not suffice."""
        fixed = [(kind, copies) for kind, copies in enumerate(template.fixed) if copies]
        missing: Labels = np.zeros(len(self._num_jokers), np.int8)
        for kind, copies in fixed:
            missing += self._lacks(kind, copies)
        able = missing
        if template.jokers and not covers_all(template):
            able = np.zeros_like(missing)
            for kind, most in enumerate(template.joker_fixed):
                if most:
                    able += np.minimum(self._lacks(kind, template.fixed[kind]), np.int8(most))
        conditions: list[Flags] = []
        if self._reach is not None:
            conditions.append(self._count_possible(fixed) >= len(fixed))
        if template.distinct:
            conditions.append(self._add_distinct(template, missing))
        elif template.pairs or template.eyes:
            conditions.append(self._add_pairs(template, missing))
        if template.jokers:
            missing -= np.minimum(self._num_jokers, able)
        for is_possible in conditions:
            missing[~is_possible] = UNREACHABLE
        return missing

    def _add_distinct(self, template: Template, missing: Labels) -> Flags:
        """Add the tiles missing of different kinds; return which hands can have them all."""
        number, doubled = np.int8(template.distinct), np.int8(template.doubled)
        once = [(kind, template.fixed[kind] + 1) for kind in template.of]
        lacking = np.maximum(number - self._count_held(once), np.int8(0))
        is_possible = self._count_possible(once) >= number
        if doubled:
            twice = [(kind, copies + 1) for kind, copies in once]
            # Of kinds that are not held, a double is missing twice.
            lacking = np.maximum(lacking, doubled - self._count_near(twice))
            lacking += np.maximum(doubled - self._count_held(twice), np.int8(0))
            is_possible &= self._count_possible(twice) >= doubled
        missing += lacking
        return is_possible

    def _add_pairs(self, template: Template, missing: Labels) -> Flags:
        """Add the tiles missing of pairs; return which hands can have them all."""
        number, most = np.int8(template.pairs), 2 if template.has_equal_pairs else 1
        if template.eyes:
            number, most = np.int8(template.eyes), 2
        steps = [(k, template.fixed[k] + 2 * n) for k in template.kinds for n in range(1, most + 1)]
        missing += np.maximum(number - self._count_held(steps), np.int8(0))
        missing += np.maximum(number - self._count_near(steps), np.int8(0))
        return self._count_possible(steps) >= number

    def _count_held(self, steps: Steps) -> Labels:
        """Return how many of some kinds each hand holds in some numbers of copies."""
        return self._count([self._holds(copies) & bits for copies, bits in _by_copies(steps)])

    def _count_near(self, steps: Steps) -> Labels:
        """Return of how many kinds at most one copy is missing, and can arrive."""
        masks = [
            self._holds(copies - 1) & self._reaches(copies) & bits
            for copies, bits in _by_copies(steps)
        ]
        return self._count(masks)

    def _count_possible(self, steps: Steps) -> Labels:
        """Return how many of some kinds can be held in some numbers of copies."""
        return self._count([self._reaches(copies) & bits for copies, bits in _by_copies(steps)])

    def _count(self, masks: Sequence[Masks | np.uint64]) -> Labels:
        total: Labels = np.zeros(len(self._num_jokers), np.int8)
        for mask in masks:
            total += np.bitwise_count(mask).astype(np.int8, copy=False)
        return total

    def _holds(self, copies: int) -> Masks:
        """Return the kinds with at least ``copies`` held, one bit each."""
        return self._mask(self._rows, copies, False)

    def _reaches(self, copies: int) -> Masks | np.uint64:
        """Return the kinds with at least ``copies`` held or able to arrive."""
        if self._reach is None:
            return _EVERY
        return self._mask(self._reach, copies, True)

    def _mask(self, rows: Bytes, copies: int, is_reach: bool) -> Masks:
        key = copies, is_reach
        if key not in self._masks:
            np.greater_equal(rows, np.uint8(copies), out=self._flags[:, : rows.shape[1]])
            bits = np.packbits(self._flags.reshape(-1), bitorder="little")
            self._masks[key] = bits.view("<u8").astype(np.uint64, copy=False)
        return self._masks[key]

    def _lacks(self, kind: int, copies: int) -> Labels:
        """Return how many copies of a kind are missing."""
        key = kind, copies
        if key not in self._lacking:
            held = self._columns[kind]
            self._lacking[key] = (np.maximum(held, np.uint8(copies)) - held).view(np.int8)
        return self._lacking[key]


def _by_copies(steps: Steps) -> list[tuple[int, np.uint64]]:
    """Return the kinds of each number of copies as a mask; more copies than exist are omitted."""
    masks: dict[int, int] = {}
    for kind, copies in steps:
        if copies <= COPIES:
            masks[copies] = masks.get(copies, 0) | 1 << kind
    return [(copies, np.uint64(mask)) for copies, mask in masks.items()]
