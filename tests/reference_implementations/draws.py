"""Completeness and waiting times by brute force: no automaton, no table, no polynomial."""

import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, factorial
from typing import Any

from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.hands.tiles import FULL, M0, TileSet

FORMS = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)


@cache
def makes(suit: tuple[int, ...], has_chows: bool) -> frozenset[tuple[int, int]]:
    """Return every (melds, eyes) that tiles of a suit contain."""
    found = {(0, 0)}
    for rank, copies in enumerate(suit):
        blocks = [((rank,) * 3, 1, 0), ((rank,) * 2, 0, 1)]
        if has_chows and rank < len(suit) - 2:
            blocks.append(((rank, rank + 1, rank + 2), 1, 0))
        if copies == 0:
            continue
        for block, melds, eyes in blocks:
            left = list(suit)
            for other in block:
                left[other] -= 1
            if min(left) >= 0:
                # Blocks are in order of their first rank, so lower ranks are not needed again.
                rest = (*(0,) * rank, *left[rank:])
                found |= {(m + melds, e + eyes) for m, e in makes(rest, has_chows) if e + eyes <= 1}
    return frozenset((m, e) for m, e in found if m <= 4)


def contains_win(pool: Sequence[int], tiles: TileSet, called: int, forms: Sequence[str]) -> bool:
    """Return whether a pool of any size contains a complete hand."""
    if STANDARD in forms:
        totals = {(0, 0)}
        for suit, part in zip(tiles.suits, tiles.slices, strict=True):
            made = makes(tuple(pool[part]), suit.has_chows)
            totals = {
                (m + more, e + eyes) for m, e in totals for more, eyes in made if e + eyes <= 1
            }
        if any(m >= 4 - called and e == 1 for m, e in totals):
            return True
    if called:
        return False
    if SEVEN_PAIRS in forms and sum(copies >= 2 for copies in pool) >= 7:
        return True
    if THIRTEEN_ORPHANS in forms:
        orphans = [pool[i] for i, name in enumerate(tiles.names) if name[0] in "19" or "z" in name]
        return min(orphans) >= 1 and max(orphans) >= 2
    return False


class Plain:
    """Brute force over all draws from a small wall."""

    def __init__(self, hand: Hand, wall: Sequence[int], forms: Sequence[str]) -> None:
        self.hand, self.forms = hand, tuple(forms)
        self.tiles = [kind for kind, copies in enumerate(wall) for _ in range(copies)]
        self._known: dict[tuple[int, ...], bool] = {}

    def is_complete(self, drawn: Sequence[int]) -> bool:
        key = tuple(sorted(drawn))
        if key not in self._known:
            pool = list(self.hand.counts)
            for kind in key:
                pool[kind] += 1
            self._known[key] = contains_win(pool, self.hand.tiles, self.hand.called, self.forms)
        return self._known[key]

    def ways(self) -> tuple[int, ...]:
        """Count the incomplete draws of every size, over all subsets of the wall."""
        ways = [0] * (len(self.tiles) + 1)
        for chosen in range(1 << len(self.tiles)):
            drawn = [kind for place, kind in enumerate(self.tiles) if chosen >> place & 1]
            ways[len(drawn)] += not self.is_complete(drawn)
        return tuple(ways)

    def mean_over_orders(self) -> Fraction | None:
        """Return the mean of K over all orders of the wall; None if no win is possible."""
        total = 0
        for order in permutations(self.tiles):
            draws = next((i for i in range(len(order) + 1) if self.is_complete(order[:i])), None)
            if draws is None:
                return None
            total += draws
        return Fraction(total, factorial(len(self.tiles)))


def mean_of(ways: Sequence[int]) -> Fraction:
    size = len(ways) - 1
    return sum((Fraction(w, comb(size, i)) for i, w in enumerate(ways)), Fraction(0))


def small_case(
    rng: random.Random, most: int, forms: Sequence[str] | None = None
) -> tuple[Hand, tuple[int, ...], tuple[str, ...]]:
    """Return a random hand near a win with a small useful wall, of any form."""
    tiles = rng.choice((M0, FULL, FULL))
    if forms is None:
        possible = FORMS if tiles is FULL else FORMS[:2]
        forms = tuple(rng.sample(possible, rng.randint(1, len(possible))))
    style = rng.choice(forms)
    called = rng.choice((0, 0, 1, 2, 3, 4)) if style == STANDARD else rng.choice((0, 0, 0, 0, 1))
    counts = _near(rng, tiles, called, style)
    size = rng.choice((14, 13, 13, 13, 12, 10)) - 3 * called
    target = list(counts)
    while sum(counts) > max(0, size):
        counts[rng.choice([kind for kind, held in enumerate(counts) if held])] -= 1
    for _ in range(rng.randint(0, 2)):  # some tiles are wrong
        held = [kind for kind, copies in enumerate(counts) if copies]
        other = rng.randrange(tiles.num_kinds)
        if held and counts[other] < 4:
            counts[rng.choice(held)] -= 1
            counts[other] += 1
    hand = Hand.from_counts(counts, tiles=tiles, called=called, partial=True)
    return hand, _near_wall(rng, hand, target, rng.randint(0, most)), tuple(forms)


def _near(rng: random.Random, tiles: TileSet, called: int, style: str) -> list[int]:
    counts = [0] * tiles.num_kinds
    if style == SEVEN_PAIRS:
        for kind in rng.sample(range(tiles.num_kinds), 7):
            counts[kind] = 2
        return counts
    if style == THIRTEEN_ORPHANS:
        orphans = [i for i, name in enumerate(tiles.names) if name[0] in "19" or "z" in name]
        for kind in orphans:
            counts[kind] = 1
        counts[rng.choice(orphans)] = 2
        return counts
    few = rng.sample(range(tiles.num_kinds - 2), rng.choice((3, 5, 9)))
    wanted = [3] * (4 - called) + [2]
    while wanted:
        first = rng.choice(few)
        if wanted[-1] == 3 and first in tiles.chow_starts and rng.random() < 0.7:
            block = [first, first + 1, first + 2]
        else:
            block = [first] * wanted[-1]
        if all(counts[kind] + block.count(kind) <= 4 for kind in block):
            for kind in block:
                counts[kind] += 1
            wanted.pop()
        elif rng.random() < 0.2:
            few.append(rng.randrange(tiles.num_kinds))
    return counts


def _near_wall(rng: random.Random, hand: Hand, target: Sequence[int], size: int) -> tuple[int, ...]:
    wall = [0] * hand.tiles.num_kinds
    missing = [k for k, (t, h) in enumerate(zip(target, hand.counts, strict=True)) if t > h]
    for _ in range(size):
        roll = rng.random()
        held = [kind for kind, copies in enumerate(hand.counts) if copies]
        if roll < 0.55 and missing:
            kind = rng.choice(missing)
        elif roll < 0.8 and held:
            kind = min(max(0, rng.choice(held) + rng.randint(-1, 1)), len(wall) - 1)
        else:
            kind = rng.randrange(len(wall))
        if hand.counts[kind] + wall[kind] < 4:
            wall[kind] += 1
    return tuple(wall)


def ways_kind_by_kind(
    kinds: Sequence[tuple[int, int]],
    start: Hashable,
    step: Callable[[int, Any, int], Any],
    *,
    is_incomplete: Callable[[Any], bool],
) -> list[int]:
    """Count the draws of 0, 1, ... tiles that end in an incomplete state.

    ``kinds`` has the copies of each kind held and in the wall. ``step`` leads from a kind, a state
    and the copies held after the draws to the next state, None if the hand is complete.
    """
    size = sum(left for _, left in kinds)
    bits = size + 1  # no coefficient exceeds C(size, i), less than 2**bits
    ways = {start: 1}
    for kind, (held, left) in enumerate(kinds):
        after: dict[Hashable, int] = {}
        choices = [(held + drawn, bits * drawn, comb(left, drawn)) for drawn in range(left + 1)]
        for state, packed in ways.items():
            for copies, shift, times in choices:
                target = step(kind, state, copies)
                if target is not None:
                    after[target] = after.get(target, 0) + (packed << shift) * times
        ways = after
    packed = sum(packed for state, packed in ways.items() if is_incomplete(state))
    mask = (1 << bits) - 1
    return [packed >> bits * draws & mask for draws in range(size + 1)]
