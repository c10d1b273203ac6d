"""List the splits of a hand into the parts of a template."""

from collections.abc import Iterator
from itertools import product

from mjopt.hands.blocks import Block, chow, eye, fixed, pong, single
from mjopt.hands.template import Template
from mjopt.hands.tiles import TileSet


def find_splits(
    counts: tuple[int, ...], tiles: TileSet, template: Template, called: int = 0
) -> set[tuple[Block, ...]]:
    """Return the different ways to split all tiles of a hand into parts, without jokers.

    Parameters
    ----------
    counts, tiles
        Copies per kind, and their tile set.
    template
        The parts.
    called
        Number of melds on the table, which are parts besides.

    Examples
    --------
    >>> from mjopt.hands.rule_set import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> len(find_splits((3, 3, 3, 3, 2) + (0,) * 22, M0, standard_template(M0)))
    4
    """
    singles = (template.distinct, template.doubled)
    wanted = (template.melds - called, template.eyes, *singles, template.pairs)
    if min(wanted) < 0:
        return set()
    splits = _split(list(counts), tiles, template, 0, wanted)
    return {tuple(sorted(blocks)) for blocks in splits}


def _split(
    counts: list[int], tiles: TileSet, template: Template, kind: int, left: tuple[int, ...]
) -> Iterator[list[Block]]:
    """Yield the blocks of each split of the tiles from a kind on; ``left`` counts the parts."""
    if kind == len(counts):
        if not any(left):
            yield []
        return
    melds, eyes, distinct, doubled, pairs = left
    named = template.fixed[kind]
    may_group, may_chow = kind in template.kinds, {kind, kind + 1, kind + 2} <= set(template.kinds)
    may_chow = may_chow and template.has_chows and kind in tiles.chow_starts
    most_pairs = 2 if template.has_equal_pairs else 1
    once = int(kind in template.of)
    for p, e, s, d, q in product(
        range(1 + (may_group and template.has_pongs)),
        range(1 + 2 * may_group),
        range(1 + once),
        range(1 + once),
        range(1 + most_pairs * may_group),
    ):
        chows = counts[kind] - named - 3 * p - 2 * e - s - 2 * d - 2 * q
        after = (melds - chows - p, eyes - e, distinct - s - d, doubled - d, pairs - q)
        if chows < 0 or (chows and not may_chow) or min(after) < 0 or s + d > 1:
            continue
        rest = counts.copy()
        if chows:
            rest[kind + 1] -= chows
            rest[kind + 2] -= chows
            if min(rest[kind + 1 : kind + 3]) < 0:
                continue
        blocks = [chow(kind)] * chows + [pong(kind)] * p + [eye(kind)] * (e + d + q)
        blocks += [single(kind)] * s + [fixed(kind, named)] * (named > 0)
        for others in _split(rest, tiles, template, kind + 1, after):
            yield blocks + others
