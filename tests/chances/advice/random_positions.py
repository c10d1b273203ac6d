"""Random positions near enough to a win for a cheap search."""

import random
from collections.abc import Sequence

from mjopt import FULL, M0, SANMA, Hand, Position


def random_position(rng: random.Random, *, called: Sequence[int], most_draws: int = 18) -> Position:
    """Return a position: any tile set, called melds, seen tiles, draws from 0, often an offer.

    Most hands are of few kinds, so that few tiles are missing.
    """
    tiles = rng.choice([M0, FULL, SANMA, FULL])
    melds = rng.choice(called)
    size = 14 - 3 * melds - rng.randint(0, 1)
    empty = Hand.from_counts([0] * tiles.num_kinds, tiles=tiles, partial=True)
    stock = [kind for kind, copies in enumerate(empty.unseen) for _ in range(copies)]
    chosen = rng.sample(range(tiles.num_kinds), rng.randint(6, 14))
    near = [kind for kind in stock if kind in chosen]
    part = near if len(near) > size and rng.random() < 0.7 else stock
    drawn = rng.sample(part, size)
    counts = [drawn.count(kind) for kind in range(tiles.num_kinds)]
    hand = Hand.from_counts(counts, tiles=tiles, called=melds)
    left = list(hand.unseen)
    offered = None
    if not hand.is_full and rng.random() < 0.7:
        window = [any(counts[max(0, kind - 2) : kind + 3]) for kind in range(tiles.num_kinds)]
        offered = rng.choice([kind for kind, copies in enumerate(left) if copies and window[kind]])
        left[offered] -= 1
    rest = [kind for kind, copies in enumerate(left) for _ in range(copies)]
    rng.shuffle(rest)
    rest = rest[min(rng.choice([0, 20, 50, 80]), len(rest) - 10) :]
    return Position(
        hand=hand,
        wall=tuple(rest.count(kind) for kind in range(tiles.num_kinds)),
        draws=min(rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 12, 18]), len(rest), most_draws),
        offered=offered,
    )
