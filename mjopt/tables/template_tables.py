"""Tables of a template of groups, derived on first use and kept in memory.

They have any number of melds and eyes, fixed tiles, and melds and eyes of any kinds.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from mjopt.hands.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.costs import Use, state_costs
from mjopt.tables.groups import MOST_GROUPS, groups_of
from mjopt.tables.hand_tables import HandTables, StateClasses, number_classes, padded
from mjopt.tables.state_index import num_states, state_copies
from mjopt.tables.template_columns import covers_all
from mjopt.tables.template_cost import suit_uses

MOST_CLASSES: Final = 256
"""Most classes of a group: one byte each."""

MOST_ANSWERS: Final = 1 << 26
"""Most pairs of classes of two halves of a hand: one byte each."""

MOST_SHARES: Final = 24
"""Most numbers of melds and eyes; more take much time and memory to derive."""


def may_have_tables(template: Template, tiles: TileSet) -> bool:
    """Return whether a template has groups, and no other parts that need another way."""
    return (
        template.melds > 0
        and not (template.distinct or template.pairs)
        and (not template.jokers or covers_all(template))
        and len(tiles.suits) <= MOST_GROUPS
        and (template.melds + 1) * (template.eyes + 1) <= MOST_SHARES
    )


@lru_cache(maxsize=64)
def template_tables(template: Template, tiles: TileSet, spare: int = 0) -> HandTables | None:
    """Return the tables of a template of groups; None if there are too many classes.

    Parameters
    ----------
    template, tiles
        The template, and the tile set.
    spare
        Tiles that a hand may have beyond those of a complete hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import FULL
    >>> honours = Template(fixed=(0,) * 34, melds=4, eyes=1, kinds=tuple(range(27, 34)))
    >>> hand = Hand.parse("111222333z4455z1m", tiles=FULL)
    >>> template_tables(honours, FULL).look_up(np.array([hand.counts], np.uint8), 0).tolist()
    [1]
    """
    num_tiles = template.num_tiles + spare
    most = max(num_tiles, COPIES)
    melds, eyes = template.melds, template.eyes
    parts = []
    for group in groups_of(tiles):
        uses = suit_uses(template, tiles, group.kinds.start, group.kinds.stop)
        parts.append(group_classes(uses, melds, eyes, most))
        if len(parts[-1]) > MOST_CLASSES:
            return None
    tables = HandTables(tiles, parts, melds, eyes, num_tiles)
    pair, other = tables.halves
    return tables if len(pair) * len(other) <= MOST_ANSWERS else None


@lru_cache(maxsize=64)
def group_classes(
    uses: tuple[tuple[Use, ...], ...], melds: int, eyes: int, most: int
) -> StateClasses:
    """Return the classes of the states of a group with at most ``most`` tiles."""
    num_kinds = len(uses)
    number = num_states(num_kinds, most)
    copies = state_copies(np.arange(number, dtype=np.uint32), num_kinds, most)
    place = np.zeros(number, np.int64)
    for kind in range(num_kinds):
        place = place * (COPIES + 1) + copies[:, kind]
    costs = state_costs(uses, melds, eyes)[place]
    found = number_classes(costs, copies.sum(axis=1, dtype=np.int64), most)
    numbers = found.numbers.astype(np.min_scalar_type(len(found) - 1))
    return StateClasses(found.costs, found.sizes, padded(numbers))
