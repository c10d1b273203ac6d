"""Small tile sets, random templates of their tiles, and brute force over all complete hands."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np

from mjopt.hands.template import Template
from mjopt.hands.tiles import Suit, TileSet
from mjopt.hands.winning_forms import UNREACHABLE

FIVE = TileSet("five", (Suit("m", "characters", (1, 2, 3, 4, 5)),))
THREES = TileSet("threes", (Suit("m", "characters", (1, 2, 3)), Suit("p", "dots", (4, 5, 6))))
HONOURS = TileSet(
    "honours",
    (Suit("m", "characters", (1, 2, 3, 4)), Suit("z", "honours", (1, 2), has_chows=False)),
)
SMALL = (FIVE, THREES, HONOURS)

Part = tuple[str, tuple[int, ...]]
Use = tuple[tuple[int, ...], tuple[int, ...]]  # copies of each kind, and those that jokers may be


@lru_cache(maxsize=256)
def targets(template: Template, tiles: TileSet, called: int) -> tuple[Use, ...]:
    """List the copies of all complete hands, and for how many of them jokers may stand."""
    allowed = [(k, k, k) for k in template.kinds if template.has_pongs] + [
        (k, k + 1, k + 2)
        for k in tiles.chow_starts
        if template.has_chows and {k, k + 1, k + 2} <= set(template.kinds)
    ]
    few = 2 if template.has_equal_pairs else 1
    pairs = [
        chosen
        for chosen in combinations_with_replacement(template.kinds, template.pairs)
        if all(chosen.count(k) <= few or template.has_equal_pairs for k in chosen)
    ]
    distinct = [
        (chosen, twice)
        for chosen in combinations(template.of, template.distinct)
        for twice in combinations(chosen, template.doubled)
    ]
    found = set()
    for melds, eyes, pair, (once, twice) in product(
        combinations_with_replacement(allowed, template.melds - called),
        combinations_with_replacement(template.kinds, template.eyes),
        pairs,
        distinct,
    ):
        parts: list[Part] = [
            *(("melds", meld) for meld in melds),
            *(("eyes", (k, k)) for k in eyes),
            *(("pairs", (k, k)) for k in pair),
            ("distinct", once + twice),
        ]
        use = list(template.fixed)
        able = list(template.joker_fixed or [0] * tiles.num_kinds)
        for name, kinds in parts:
            for kind in kinds:
                use[kind] += 1
                able[kind] += name in template.joker_parts
        found.add((tuple(use), tuple(able)))
    return tuple(found)


def brute_force(
    template: Template,
    tiles: TileSet,
    counts: tuple[int, ...],
    unseen: tuple[int, ...],
    called: int = 0,
) -> int:
    """Return the deficiency: every complete hand, with jokers for every choice of its tiles."""
    if template.melds < called:
        return UNREACHABLE
    held = [0 if k in template.jokers else n for k, n in enumerate(counts)]
    left = [0 if k in template.jokers else n for k, n in enumerate(unseen)]
    own = sum(counts[k] for k in template.jokers)
    more = sum(unseen[k] for k in template.jokers)
    best = UNREACHABLE
    for use, able in targets(template, tiles, called):
        costs = {0: 0}  # tiles to draw, by number of jokers
        for k in range(tiles.num_kinds):
            after: dict[int, int] = {}
            for jokers, cost in costs.items():
                for stands in range(min(able[k], own + more - jokers) + 1):
                    if max(use[k] - stands, 0) > 4 or (use[k] > 4 and not template.has_fifth):
                        continue
                    drawn = max(0, use[k] - stands - held[k])
                    if drawn <= left[k]:
                        total = jokers + stands
                        after[total] = min(after.get(total, UNREACHABLE), cost + drawn)
            costs = after
        for jokers, cost in costs.items():
            best = min(best, cost + max(0, jokers - own))
    return best


def random_template(rng: np.random.Generator, tiles: TileSet, kind: str) -> Template | None:
    """Return a template of some kind; None if it asks for nothing."""
    every = range(tiles.num_kinds)
    joker = [int(rng.integers(tiles.num_kinds))] if "joker" in kind and rng.random() < 0.9 else []

    def some(least: int) -> tuple[int, ...]:
        size = int(rng.integers(least, tiles.num_kinds + 1))
        return tuple(sorted(rng.choice(tiles.num_kinds, size, replace=False).tolist()))

    fixed = [0] * tiles.num_kinds
    if "fixed" in kind:
        for k in rng.integers(0, tiles.num_kinds, 4).tolist():
            fixed[k] += k not in joker
    names = ("melds", "eyes", "distinct", "pairs")
    chosen = tuple(part for part in names if rng.random() < 0.6)
    able = tuple(int(rng.integers(0, n + 1)) for n in fixed)
    if "all" in kind:
        chosen, able = names, tuple(fixed)
    of = some(2) if "distinct" in kind else ()
    distinct = int(rng.integers(1, len(of) + 1)) if of else 0
    has_chows, has_pongs = [(True, True), (True, False), (False, True)][int(rng.integers(3))]
    template = Template(
        fixed=tuple(fixed),
        melds=int(rng.integers(1, 4)) if "melds" in kind else 0,
        eyes=int(rng.integers(0, 3)) if "eyes" in kind else 0,
        pairs=int(rng.integers(1, 4)) if "pairs" in kind else 0,
        has_chows=has_chows,
        has_pongs=has_pongs,
        kinds=tuple(every) if rng.random() < 0.5 else some(3),
        distinct=distinct,
        doubled=int(rng.integers(0, distinct + 1)) if of else 0,
        of=of,
        has_equal_pairs=bool(rng.integers(2)),
        jokers=tuple(joker),
        joker_parts=chosen if joker else (),
        joker_fixed=able if joker else (),
        has_fifth=bool(joker) and "fifth" in kind,
    )
    return template if 2 <= template.num_tiles <= 14 else None


KINDS = (
    "fixed",
    "melds eyes",
    "melds eyes fixed",
    "eyes fixed",
    "distinct fixed",
    "distinct",
    "pairs",
    "pairs fixed",
    "fixed joker",
    "melds eyes joker all",
    "fixed joker all",
    "distinct joker all",
    "melds eyes fixed joker",
    "pairs joker fifth",
    "melds eyes joker fifth",
    "melds distinct",
    "pairs eyes distinct joker",
)
"""Kinds of templates: the parts that one may have, and its jokers."""


def random_cases(
    seed: int, number: int, kind: str
) -> Iterator[tuple[Template, TileSet, np.ndarray, np.ndarray, int]]:
    """Yield templates with hands, unseen copies and called melds."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        tiles = SMALL[int(rng.integers(len(SMALL)))]
        template = random_template(rng, tiles, kind)
        if template is None or not template.is_possible(tiles):
            continue
        called = int(rng.integers(0, template.melds + 1)) if rng.random() < 0.3 else 0
        size = template.num_tiles - 3 * called - int(rng.integers(2))
        if size < 1:
            continue
        pool = np.repeat(np.arange(tiles.num_kinds), 4)
        rows = np.zeros((6, tiles.num_kinds), np.uint8)
        for row in rows:
            np.add.at(row, rng.permutation(pool)[:size], 1)
        unseen = np.minimum(rng.integers(0, 5, rows.shape), 4 - rows).astype(np.uint8)
        yield template, tiles, rows, unseen, called
