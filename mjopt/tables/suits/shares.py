"""Shares: the parts of a complete hand that one group of kinds supplies, and their costs."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import COPIES
from mjopt.tables.suits.costs import Costs, Use, encode, part_costs

Share = int
"""Numbers of parts as one number, see :func:`mjopt.tables.suits.costs.encode`."""

MELD: Final = encode(melds=1)
"""The share of one meld."""

_GUARDS: Final = 0x40 * encode(1, 1, 1, 1, 1)  # the highest bit of each part


def wanted_parts(template: Template) -> Share:
    """Return the parts of a template."""
    parts = template.melds, template.eyes, template.distinct, template.doubled, template.pairs
    return encode(*parts)


def fits(share: Share, room: Share) -> bool:
    """Return whether no part exceeds its maximum."""
    # Each part borrows from its own highest bit alone, which stays set where the share is not more.
    return (room | _GUARDS) - share & _GUARDS == _GUARDS


def share_sums(many: Iterable[Iterable[Share]], room: Share) -> set[Share]:
    """Return all sums of one share of each group that do not exceed a maximum."""
    found = {0}
    for shares in many:
        found = {share + more for share in found for more in shares if fits(share + more, room)}
    return found


def group_costs(uses: Sequence[Sequence[Use]], wanted: Share, jokers: Kinds) -> dict[Share, Costs]:
    """Return the costs of every share: one for each tuple of copies, the last kind fastest.

    Copies of jokers do not count.
    """
    num_kinds = len(uses)
    every = np.arange(COPIES + 1, dtype=np.int8)
    held = list(np.meshgrid(*[every] * num_kinds, indexing="ij", sparse=True))
    for joker in jokers:
        held[joker] = np.zeros_like(held[joker])
    reach = [COPIES] * num_kinds
    costs = part_costs(held, reach, uses, wanted, minimum=np.minimum, maximum=np.maximum)
    shape = (COPIES + 1,) * num_kinds
    return {share: np.broadcast_to(cost, shape).reshape(-1) for share, cost in costs.items()}
