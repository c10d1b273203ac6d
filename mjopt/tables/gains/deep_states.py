"""States of a suit that cost more if a discarded tile cannot return.

A discarded tile never returns, while tables let four tiles of each kind arrive. The deficiency
after a discard can only differ if some cost of the group is higher with three tiles of that kind.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.suits.costs import Costs, Use, part_costs
from mjopt.tables.suits.groups import KindGroup
from mjopt.tables.suits.shares import wanted_parts
from mjopt.tables.suits.state_index import num_states, state_copies, state_numbers
from mjopt.tables.suits.template_cost import suit_uses

# The rule is in docs/reference/hands.md ("Which tiles can arrive"). Tables that know it would need
# the discarded kind in their classes. Deep states are listed instead (24,126 pairs of a state and a
# kind in a suit of the standard form), and a discard that reaches one is judged again with the copy
# gone, by `mjopt.analysis.batch`.

KIND_BITS: Final = 4
"""Bits of a kind of a group in the code of a deep state."""

States = NDArray[np.uint32]

CostKey = tuple[tuple[tuple[Use, ...], ...], int, Kinds]
"""The uses of the kinds of a group, the parts that a hand has, and the jokers of the group."""


def deep_states(
    templates: Sequence[Template], tiles: TileSet, group: KindGroup, most: int
) -> States:
    """Return ``16 * state + kind`` for the deep states of a group, ascending.

    Some cost of such a state, or of one with one more tile, is higher when only three tiles of that
    kind exist. The templates share a bundle; a state has at most ``most`` tiles.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.tables.suits.groups import groups_of
    >>> honours = groups_of(FULL)[3]
    >>> len(deep_states([standard_template(FULL)], FULL, honours, 15))
    0
    """
    part = range(group.start, group.start + group.width)
    keys = []
    for template in templates:
        uses = suit_uses(template, tiles, part.start, part.stop)
        jokers = tuple(kind - part.start for kind in template.jokers if kind in part)
        keys.append((uses, wanted_parts(template), jokers))
    return _deep_states(tuple(dict.fromkeys(keys)), group.width, most)


@lru_cache(maxsize=8)  # suits are often alike, and so are hands with more called melds
def _deep_states(keys: tuple[CostKey, ...], width: int, most: int) -> States:
    states = np.arange(num_states(width, most), dtype=np.uint32)
    copies = state_copies(states, width, most)
    states = states[copies.sum(axis=1, dtype=np.int64) <= most]
    copies = copies[states].astype(np.int8)
    found = [np.zeros(0, np.uint32)]
    for key in keys:
        found += _deep(states, copies, *key)
    return _with_one_less(np.unique(np.concatenate(found)), width, most)


def _deep(
    states: States,
    copies: Costs,
    uses: Sequence[Sequence[Use]],
    wanted: int,
    jokers: Kinds,
) -> list[States]:
    """Return the codes of states in which three tiles of a kind raise a cost of a template."""
    width = len(uses)

    def costs(held: Costs, reach: Sequence[int]) -> dict[int, Costs]:
        columns = [np.zeros_like(held[:, k]) if k in jokers else held[:, k] for k in range(width)]
        found = part_costs(columns, reach, uses, wanted, minimum=np.minimum, maximum=np.maximum)
        return {share: np.broadcast_to(cost, len(held)) for share, cost in found.items()}

    plain = costs(copies, [COPIES] * width)
    # Few states remain if three tiles of every kind exist.
    within = costs(copies, [COPIES - 1] * width)
    some = np.flatnonzero(_is_dearer(within, plain, len(states)))
    found = []
    for kind in range(width):
        own = some[copies[some, kind] < COPIES]
        if not len(own):
            continue
        reach = [COPIES - (at == kind) for at in range(width)]
        known = {share: cost[own] for share, cost in plain.items()}
        dearer = own[_is_dearer(costs(copies[own], reach), known, len(own))]
        found.append(states[dearer] << np.uint32(KIND_BITS) | np.uint32(kind))
    return found


def _with_one_less(codes: States, width: int, most: int) -> States:
    """Return states and kinds, and those states with one tile less: a draw leads to the others."""
    copies, kinds = state_copies(codes >> np.uint32(KIND_BITS), width, most), codes & np.uint32(15)
    found = [codes]
    for kind in range(width):
        some = np.flatnonzero(copies[:, kind])
        fewer = copies[some]
        fewer[:, kind] -= 1
        found.append(state_numbers(fewer, most) << np.uint32(KIND_BITS) | kinds[some])
    return np.unique(np.concatenate(found))


def _is_dearer(
    costs: Mapping[int, Costs], plain: Mapping[int, Costs], number: int
) -> NDArray[np.bool_]:
    """Return whether some cost is higher than another, by state."""
    found = np.zeros(number, np.bool_)
    for share, cost in plain.items():
        found |= (costs[share] > cost) if share in costs else True
    return found
