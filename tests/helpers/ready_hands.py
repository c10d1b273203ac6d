"""Ready hands by brute force: every hand of few copies, each completed by taking parts off it."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from math import comb, prod
from operator import sub

from mjopt.hands.blocks import Block, chow, kong, pong
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import TileSet

Counts = tuple[int, ...]
Parts = tuple[int, int, int, int, int]  # melds, eyes, distinct, doubled, pairs


class Splitter:
    """The ways to take hands apart into the parts of a template."""

    def __init__(self, tiles: TileSet, template: Template) -> None:
        self._tiles, self._template = tiles, template
        self._known: dict[object, frozenset[str]] = {}

    def eyes(self, hand: Counts, called: int) -> frozenset[str]:
        """Return the letters of the eyes in each way; empty if the hand is not complete."""
        template = self._template
        left = tuple(map(sub, hand, template.fixed))
        parts = template.eyes, template.distinct, template.doubled, template.pairs
        return self._eyes(left, (template.melds - called, *parts), -1, "")

    def _eyes(self, counts: Counts, parts: Parts, last: int, used: str) -> frozenset[str]:
        """Take the part of the lowest tile off.

        ``used`` are the parts that its kind supplies only once, if it is the ``last`` kind.
        """
        if min(counts) < 0 or min(parts) < 0:
            return frozenset()
        kind = next((kind for kind, held in enumerate(counts) if held), None)
        if kind is None:
            return frozenset() if any(parts) else frozenset({""})
        used = used if kind == last else ""
        key = counts, parts, used
        if key not in self._known:
            found = set()
            for tiles, change, once, eye in self._options(kind):
                if not once or once not in used:
                    left = list(counts)
                    for each in tiles:
                        left[each] -= 1
                    fewer: Parts = tuple(map(sub, parts, change))  # type: ignore[assignment]
                    rest = self._eyes(tuple(left), fewer, kind, used + once)
                    found.update("".join(sorted({*eye, *letters})) for letters in rest)
            self._known[key] = frozenset(found)
        return self._known[key]

    def _options(self, kind: int) -> Iterator[tuple[tuple[int, ...], Parts, str, str]]:
        template, chow = self._template, (kind, kind + 1, kind + 2)
        if kind in template.kinds:
            if template.has_pongs:
                yield (kind,) * 3, (1, 0, 0, 0, 0), "", ""
            is_chow = kind in self._tiles.chow_starts and {*chow} <= {*template.kinds}
            if template.has_chows and is_chow:
                yield chow, (1, 0, 0, 0, 0), "", ""
            yield (kind,) * 2, (0, 1, 0, 0, 0), "", self._tiles.letter(kind)
            once = "" if template.has_equal_pairs else "p"
            yield (kind,) * 2, (0, 0, 0, 0, 1), once, ""
        if kind in template.of:
            yield (kind,), (0, 0, 1, 0, 0), "d", ""
            yield (kind,) * 2, (0, 0, 1, 1, 0), "d", ""


@cache
def splitter(tiles: TileSet, template: Template) -> Splitter:
    """Return what takes hands apart, with the ways that it knows."""
    return Splitter(tiles, template)


def fillings(left: Sequence[int], size: int) -> Iterator[Counts]:
    """Yield every hand of some copies."""
    if not left:
        if size == 0:
            yield ()
        return
    if size > sum(left):
        return
    for held in range(min(left[0], size) + 1):
        for rest in fillings(left[1:], size - held):
            yield (held, *rest)


def waits_of(
    tiles: TileSet, templates: Collection[Template], hand: Counts, shown: Counts, called: int = 0
) -> tuple[frozenset[int], str]:
    """Return the kinds that complete a hand, and the kind of wait."""
    ways = [(template, splitter(tiles, template)) for template in templates]
    kinds: dict[str, set[int]] = {}  # by suit
    with_eye: set[str] = set()
    has_melds = False
    for kind, (held, on_table) in enumerate(zip(hand, shown, strict=True)):
        full = tuple(copies + (k == kind) for k, copies in enumerate(hand))
        for template, way in ways if held + on_table < 4 else ():
            if eyes := way.eyes(full, called):
                letter = tiles.letter(kind)
                kinds.setdefault(letter, set()).add(kind)
                if template.melds:
                    has_melds = True
                    with_eye |= {letter for some in eyes if letter in some}
    found = frozenset(kind for some in kinds.values() for kind in some)
    sizes = {letter: len(some) for letter, some in kinds.items()}
    if not has_melds:
        return found, "no_melds"
    if any(size > 1 and letter not in with_eye for letter, size in sizes.items()):
        return found, "two_sided"
    if len(sizes) > 1:
        return found, "two_pairs"
    [(letter, size)] = sizes.items()
    if letter not in with_eye:
        return found, "one_sided"
    return found, ["single", "single_two", "single_three"][min(size, 3) - 1]


def brute_counts(
    tiles: TileSet,
    templates: Collection[Template],
    left: Counts,
    called: int,
    shown: Counts,
    forbidden: Collection[int],
) -> tuple[dict[str, int], dict[int, int]]:
    """Return the ready hands by kind of wait, and those that win on each kind."""
    splitter.cache_clear()  # what all worlds together remember takes gigabytes
    by_wait: Counter[str] = Counter()
    by_kind: Counter[int] = Counter()
    [size] = {template.num_tiles for template in templates}
    for hand in fillings(left, size - 1 - 3 * called):
        kinds, wait = waits_of(tiles, templates, hand, shown, called)
        if kinds and not kinds & {*forbidden}:
            number = prod(map(comb, left, hand))
            by_wait[wait] += number
            for kind in kinds:
                by_kind[kind] += number
    return dict(by_wait), dict(by_kind)


def small_world(
    rules: RuleSet, rng: random.Random, noise: int
) -> tuple[tuple[Template, ...], Counts, int, Counts, list[int]]:
    """Draw templates, copies left, called melds with their tiles, and forbidden kinds.

    The copies left are a hand that lacks a tile, and some more, so that there are ready hands.
    """
    tiles = rules.tiles
    every = templates_of(rules.forms)
    while True:
        template = rng.choice([*every, every[0]])
        blocks = [*_random_parts(tiles, template, rng)]
        counts = [
            fixed + sum(block.count(kind) for block, _ in blocks)
            for kind, fixed in enumerate(template.fixed)
        ]
        melds = [block for block, is_meld in blocks if is_meld]
        called = rng.sample(melds, rng.choice([0, 0, *range(len(melds) + 1)]))
        shown = [sum(block.count(kind) for block in called) for kind in range(tiles.num_kinds)]
        for block in called:
            if len({*block}) == 1 and counts[block[0]] == 3 and rng.random() < 0.5:
                counts[block[0]] = shown[block[0]] = 4
        if max(counts) > 4 or counts == shown:
            continue
        left = [held - table for held, table in zip(counts, shown, strict=True)]
        held = [kind for kind, copies in enumerate(left) for _ in range(copies)]
        others = [k for k in range(tiles.num_kinds) for _ in range(4 - counts[k])]
        left[rng.choice(held)] -= 1
        near = [kind for kind in others if counts[kind] or rng.random() < 0.2]
        for kind in rng.sample(near, min(noise, len(near))):
            left[kind] += 1
        known = tuple(_as_block(block, shown) for block in called)
        fit = tuple(t for t in every if t.melds >= len(called) and all(map(t.allows, known)))
        some = rng.sample(range(tiles.num_kinds), rng.choice([0, 0, 1, 2, 4]))
        return fit, tuple(left), len(called), tuple(shown), some


def _as_block(kinds: tuple[int, ...], shown: Sequence[int]) -> Block:
    if kinds[0] != kinds[1]:
        return chow(kinds[0])
    return kong(kinds[0]) if shown[kinds[0]] == 4 else pong(kinds[0])


def _random_parts(
    tiles: TileSet, template: Template, rng: random.Random
) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield parts that a template asks for, and whether each is a meld; copies may exceed four."""
    inside = {*template.kinds}
    chows = [k for k in tiles.chow_starts if {k, k + 1, k + 2} <= inside and template.has_chows]
    melds = [(k, k + 1, k + 2) for k in chows] * 2
    melds += [(k, k, k) for k in template.kinds if template.has_pongs]
    for _ in range(template.melds):
        yield rng.choice(melds), True
    for _ in range(template.eyes):
        yield (rng.choice(template.kinds),) * 2, False
    for kind in rng.sample(template.kinds, template.pairs):
        yield (kind,) * 2, False
    for place, kind in enumerate(rng.sample(template.of, template.distinct)):
        yield (kind,) * (1 + (place < template.doubled)), False
