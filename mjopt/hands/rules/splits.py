"""List the splits of a hand into the parts of a template."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from mjopt.hands.blocks import Block, chow, eye, fixed, joker, pong, single
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet


def find_splits(
    counts: tuple[int, ...], tiles: TileSet, template: Template, called: int = 0
) -> set[tuple[Block, ...]]:
    """Return the different ways to split all tiles of a hand, shape ``(K,)``, into parts.

    Jokers stand for tiles of the parts; a joker block says for how many tiles of its kind. The
    ``called`` melds on the table are parts besides.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> len(find_splits((3, 3, 3, 3, 2) + (0,) * 22, M0, standard_template(M0)))
    4
    """
    singles = (template.distinct, template.doubled)
    wanted = (template.melds - called, template.eyes, *singles, template.pairs)
    if min(wanted) < 0:
        return set()
    hand = _Hand(template, tiles, template.natural(counts))
    splits = _split(hand, list(hand.counts), 0, wanted, template.held_jokers(counts))
    return {tuple(sorted(blocks)) for blocks in splits}


class _Hand(NamedTuple):
    """A hand to be split: the template, the tile set, and the copies that are no jokers."""

    template: Template
    tiles: TileSet
    counts: tuple[int, ...]


def _split(
    hand: _Hand, counts: list[int], kind: int, left: tuple[int, ...], jokers: int
) -> Iterator[list[Block]]:
    """Yield the blocks of each split of the tiles from a kind on.

    ``counts`` are the copies without those in earlier chows, negative where jokers stand for
    them; ``left`` counts the parts that are missing, ``jokers`` the jokers.
    """
    template = hand.template
    if kind == len(counts):
        if not any(left) and not jokers:
            yield []
        return
    melds, eyes, distinct, doubled, pairs = left
    named = template.fixed[kind]
    may_group, may_chow = kind in template.kinds, {kind, kind + 1, kind + 2} <= set(template.kinds)
    may_chow = may_chow and template.has_chows and kind in hand.tiles.chow_starts
    most_pairs = (COPIES if jokers else 2) if template.has_equal_pairs else 1
    once = int(kind in template.of)
    begun = hand.counts[kind] - counts[kind]
    for p, e, s, d, q, x in product(
        range(1 + (1 + (jokers > 0)) * (may_group and template.has_pongs)),
        range(1 + (COPIES if jokers else 2) * may_group),
        range(1 + once),
        range(1 + once),
        range(1 + most_pairs * may_group),
        range(1 + jokers),
    ):
        chows = counts[kind] + x - named - 3 * p - 2 * e - s - 2 * d - 2 * q
        after = (melds - chows - p, eyes - e, distinct - s - d, doubled - d, pairs - q)
        if chows < 0 or (chows and not may_chow) or min(after) < 0 or s + d > 1:
            continue
        groups = begun + chows + 3 * p
        if x and not _may_stand(template, kind, x, groups, 2 * e, s + 2 * d, 2 * q):
            continue
        rest = counts.copy()
        if chows:
            rest[kind + 1] -= chows
            rest[kind + 2] -= chows
            if min(rest[kind + 1 : kind + 3]) < x - jokers:
                continue
        blocks = [chow(kind)] * chows + [pong(kind)] * p + [eye(kind)] * (e + d + q)
        blocks += [single(kind)] * s + [fixed(kind, named)] * (named > 0)
        blocks += [joker(kind, x)] * (x > 0)
        for others in _split(hand, rest, kind + 1, after, jokers - x):
            yield blocks + others


def _may_stand(
    template: Template, kind: int, jokers: int, groups: int, eyes: int, singles: int, pairs: int
) -> bool:
    """Return whether jokers may stand for some of the tiles of a kind in its parts."""
    parts = template.joker_parts
    used = groups + eyes + singles + pairs + template.fixed[kind]
    eligible = template.joker_fixed[kind] if template.joker_fixed else 0
    eligible += groups * ("melds" in parts) + eyes * ("eyes" in parts)
    eligible += singles * ("distinct" in parts) + pairs * ("pairs" in parts)
    return jokers <= eligible and (template.has_fifth or used <= COPIES)
