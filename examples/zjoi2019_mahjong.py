"""
ZJOI2019, "Mahjong"
===================

Solve it (loj.ac problem 3042) in the contest's own formats.

The input is the number of ranks of a single suit, then 13 lines with the rank and the
copy of a tile held. All other copies form the wall. The output is the expected number
of draws until hand and draws contain a win (four melds and an eye, or seven pairs),
modulo 998244353.

Usage: python examples/zjoi2019_mahjong.py < INPUT
"""

import sys
from collections.abc import Iterable, Sequence
from math import comb

from mjopt.chances.draws import Waiting, derive_automaton, minimise

COPIES = 4

PRIME = 998_244_353

SAMPLE = "9\n" + "\n".join(
    f"{rank} {copy}"
    for rank, copy in zip((1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 9), (1, 2) * 6 + (1,), strict=True)
)


def long_suit_draws(held: Sequence[int]) -> Waiting:
    """Count the draws of a hand in a suit of any number of ranks; the rest is the wall.

    An automaton reads the copies of each rank and says when they contain a win. For each of its
    states, a polynomial counts the draws of 0, 1, ... tiles that lead there. The polynomial is one
    integer with a fixed number of bits for each coefficient, so that a shift draws another tile.
    """
    automaton = minimise(derive_automaton(4, pairs=True))
    steps = automaton.steps.tolist()
    size = sum(COPIES - copies for copies in held)
    bits = size + 1  # no coefficient exceeds C(size, i), less than 2**bits
    ways = {0: 1}
    for copies in held:
        left = COPIES - copies
        draws = [(copies + drawn, bits * drawn, comb(left, drawn)) for drawn in range(left + 1)]
        after: dict[int, int] = {}
        for state, packed in ways.items():
            for number, shift, times in draws:
                target = steps[state][number]
                if not automaton.wins[target]:
                    after[target] = after.get(target, 0) + (packed << shift) * times
        ways = after
    packed, mask = sum(ways.values()), (1 << bits) - 1
    return Waiting(ways=tuple(packed >> bits * drawn & mask for drawn in range(size + 1)))


def solve(lines: Iterable[str]) -> Waiting:
    """Read a hand of the contest and count its draws."""
    numbers = [int(word) for line in lines for word in line.split()]
    if len(numbers) != 27:
        sys.exit(f"{len(numbers)} numbers, expected 27: the ranks, and 13 tiles of two numbers")
    num_ranks, held = numbers[0], list(zip(numbers[1::2], numbers[2::2], strict=True))
    wrong = [tile for tile in held if not (1 <= tile[0] <= num_ranks and 1 <= tile[1] <= 4)]
    if wrong or len(set(held)) < len(held):
        sys.exit(f"tiles {wrong or 'twice'}: expected 13 different ones, ranks 1..{num_ranks}")
    counts = [0] * num_ranks
    for rank, _ in held:
        counts[rank - 1] += 1
    return long_suit_draws(counts)


def main(text: str = SAMPLE) -> None:
    waiting = solve(text.splitlines())
    print(waiting.mean_modulo(PRIME))
    print(f"that is {waiting.mean}, about {float(waiting.mean):.6f} draws", file=sys.stderr)


if __name__ == "__main__":
    main(sys.stdin.read())
