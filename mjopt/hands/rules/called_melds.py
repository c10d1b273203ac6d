"""Called melds beside a template: each is one of its melds, or a part of its fixed tiles."""

from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations

from mjopt.hands.blocks import Block
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import TileSet

Counts = tuple[int, ...]


@lru_cache(maxsize=1 << 12)
def most_melds(counts: Counts, tiles: TileSet) -> int:
    """Return the most melds that can be cut from some copies per kind.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> most_melds((1,) * 9 + (0,) * 18, M0), most_melds((1, 0, 0, 0) + (1,) * 5 + (0,) * 18, M0)
    (3, 1)
    """

    @cache
    def cut(kind: int, here: int, after: int) -> int:
        """Return the melds from a kind on, of which earlier chows took copies, and of the next."""
        if kind == len(counts):
            return 0
        left = counts[kind] - here
        # Three equal chows are three pongs.
        most_chows = (
            min(2, left, counts[kind + 1] - after, counts[kind + 2])
            if (kind in tiles.chow_starts)
            else 0
        )
        return max(
            chows + (left - chows) // 3 + cut(kind + 1, after + chows, chows)
            for chows in range(most_chows + 1)
        )

    return cut(0, 0, 0)


def beside(template: Template, melds: tuple[Block, ...], tiles: TileSet) -> tuple[Template, ...]:
    """Return what a template asks for beside named called melds, in each way to count these.

    A called meld is one of the melds, or a part of the fixed tiles: some cut of these into as many
    melds as possible has it. Then its tiles leave the fixed part, and the template has one meld
    more, so every called meld is one of the melds of each result. The results differ by their
    fixed tiles; those with most copies of the first kinds are first.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow
    >>> from mjopt.hands.tiles import M0
    >>> fixed = (1,) * 9 + (0,) * 18
    >>> straight = Template(fixed=fixed, melds=1, eyes=1, kinds=tuple(range(27)))
    >>> [(t.melds, t.fixed[:9]) for t in beside(straight, (chow(3),), M0)]
    [(1, (1, 1, 1, 1, 1, 1, 1, 1, 1)), (2, (1, 1, 1, 0, 0, 0, 1, 1, 1))]
    >>> [t.melds for t in beside(straight, (chow(1),), M0)]
    [1]
    """
    places = range(len(melds))
    free = [template.allows(meld) for meld in melds]
    if not any(template.fixed):
        return (template,) if template.melds >= len(melds) and all(free) else ()
    most = most_melds(template.fixed, tiles)
    found: dict[Counts, Template] = {}
    for number in range(max(0, len(melds) - template.melds), min(most, len(melds)) + 1):
        for done in combinations(places, number):
            if not all(free[place] for place in places if place not in done):
                continue
            kinds = [kind for place in done for kind in melds[place].kinds[:3]]  # also of a kong
            fixed = _less(template.fixed, kinds)
            if min(fixed) < 0 or most_melds(fixed, tiles) != most - number:
                continue
            # The called tiles are no jokers: they are first those that no joker may be.
            eligible = tuple(map(min, template.joker_fixed, fixed))
            found[fixed] = replace(
                template, fixed=fixed, joker_fixed=eligible, melds=template.melds + number
            )
    return tuple(found[fixed] for fixed in sorted(found, reverse=True))


def _less(counts: Counts, kinds: tuple[int, ...] | list[int]) -> Counts:
    left = list(counts)
    for kind in kinds:
        left[kind] -= 1
    return tuple(left)
