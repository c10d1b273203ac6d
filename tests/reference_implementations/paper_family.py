"""Enumerate the hands on which the paper's cost is too low, and the set that contains them."""

from collections.abc import Iterator
from itertools import combinations

from mjopt.hands.tiles import COPIES, M0
from paper.counterexamples import are_near


def three_kongs_two_singles() -> Iterator[tuple[int, ...]]:
    """Yield the counts of all 807,300 hands of M0 with three kongs and two singles."""
    kinds = range(M0.num_kinds)
    for kongs in combinations(kinds, 3):
        counts = [0] * M0.num_kinds
        for kind in kongs:
            counts[kind] = COPIES
        others = [kind for kind in kinds if not counts[kind]]
        for one, two in combinations(others, 2):
            counts[one] = counts[two] = 1
            yield tuple(counts)
            counts[one] = counts[two] = 0


def family() -> Iterator[tuple[int, ...]]:
    """Yield the counts of every hand of the family."""
    kinds = range(M0.num_kinds)
    for pchow in combinations(kinds, 2):
        if not are_near(*pchow):
            continue
        far = [kind for kind in kinds if not any(are_near(kind, tile) for tile in pchow)]
        for kongs in combinations(far, 3):
            if not any(are_near(*pair) for pair in combinations(kongs, 2)):
                yield tuple(COPIES if kind in kongs else int(kind in pchow) for kind in kinds)
