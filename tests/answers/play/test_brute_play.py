"""The bounds against brute force over hand and wall."""

import numpy as np
import pytest
from helpers.brute_play import best_play, changed

from mjopt import Hand, optimal_play

KINDS = 6


def random_world(rng, called, most_wall):
    """Draw a hand of one suit after its draw, and a wall."""
    tiles = rng.permutation(np.repeat(np.arange(KINDS), 4))
    size = 14 - 3 * called
    hand = np.bincount(tiles[:size], minlength=KINDS)
    wall = np.bincount(tiles[size : size + int(rng.integers(4, most_wall + 1))], minlength=KINDS)
    return tuple(hand.tolist()), tuple(wall.tolist())


def as_m0(counts):
    """Return the counts of one suit as those of all."""
    return [*counts, *[0] * (27 - len(counts))]


def check(hand, wall, called, draws, wastes):
    """Compare every discard with brute force in the class and without one."""
    asked = Hand.from_counts(as_m0(hand), called=called)
    free = best_play(hand)
    draws = min(draws, sum(wall))
    for waste in wastes:
        held = best_play(hand, waste)
        play = optimal_play(asked, wall=as_m0(wall), draws=draws, waste=waste)
        for row in play.discards:
            after = changed(hand, row.kind, -1)
            inside, outside = held(after, wall, draws), free(after, wall, draws)
            assert row.lower <= inside <= row.upper, (hand, wall, row)
            assert row.lower <= outside <= row.upper_any, (hand, wall, row)
            assert not row.is_exact or row.value == inside
            if draws <= play.deficiency + waste:
                assert inside == outside


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("called", [2, 3])
def test_bounds_meet_brute_force(called, seed):
    """Lower bounds hold for all play, upper ones in the class, whatever hand, wall and class."""
    rng = np.random.default_rng([called, seed])
    for _ in range(6):
        hand, wall = random_world(rng, called, 9)
        check(hand, wall, called, int(rng.integers(1, 6)), (0, 1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("called", [1, 2, 3, 4])
def test_bounds_meet_brute_force_of_more_draws(called):
    """Up to eight draws from small walls, in wider classes."""
    rng = np.random.default_rng([called, 88])
    for _ in range(10):
        hand, wall = random_world(rng, called, 10)
        check(hand, wall, called, 8 if called > 1 else 6, (0, 1, 2, 3))
