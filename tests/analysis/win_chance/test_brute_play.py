"""Bounds on the win probability against brute force over hand and wall."""

import numpy as np
import pytest
from helpers.brute_play import best_play, changed

from mjopt import Hand, optimal_play
from mjopt.analysis.win_chance.depletion_upper_bound import depletion_bounds
from mjopt.analysis.win_chance.upper_bound import ONE

KINDS = 6


def random_world(rng, called, most_wall):
    """Return a random hand of one suit after its draw, and a wall."""
    tiles = rng.permutation(np.repeat(np.arange(KINDS), 4))
    size = 14 - 3 * called
    hand = np.bincount(tiles[:size], minlength=KINDS)
    wall = np.bincount(tiles[size : size + int(rng.integers(4, most_wall + 1))], minlength=KINDS)
    return tuple(hand.tolist()), tuple(wall.tolist())


def as_m0(counts):
    """Extend the counts of one suit to all suits of M0."""
    return [*counts, *[0] * (27 - len(counts))]


def check(hand, wall, called, draws, wastes):
    """Compare every discard with brute force, both within the class and over all play."""
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
    """Lower bounds hold for all play and upper bounds within the class."""
    rng = np.random.default_rng([called, seed])
    for _ in range(6):
        hand, wall = random_world(rng, called, 9)
        check(hand, wall, called, int(rng.integers(1, 6)), (0, 1, 2))


def gone_by(rng, room, number):
    """Draw a number of copies among those that may be gone; None if there are fewer."""
    tiles = np.repeat(np.arange(len(room)), room)
    if number < 0 or number > len(tiles):
        return None
    return np.bincount(rng.permutation(tiles)[:number], minlength=len(room))


@pytest.mark.parametrize("called", [2, 3])
def test_charges_hold_for_any_copies_gone(called):
    """T6 for every hand of the class and every number of draws, with random copies gone.

    The weights that select the slopes are random too: the bound holds for all of them.
    """
    rng, charged = np.random.default_rng(called), 0
    for _ in range(12):
        hand, wall = random_world(rng, called, 9)
        draws, waste = min(int(rng.integers(2, 6)), sum(wall)), int(rng.integers(0, 3))
        asked = Hand.from_counts(as_m0(hand), called=called)
        found = optimal_play(asked, wall=as_m0(wall), draws=draws, waste=waste).bounds
        graph, inside = found.graph, best_play(hand, waste)
        weights = rng.integers(0, 10, graph.states.shape).astype(np.int8)
        bound = depletion_bounds(graph, found.upper, sum(wall), weights, with_b=True)
        kernel = depletion_bounds(graph, found.upper, sum(wall), weights)
        assert (bound.a == kernel.a).all()
        for state in rng.permutation(graph.num_states)[:100].tolist():
            left = int(rng.integers(0, draws + 1))
            gone = gone_by(rng, graph.left[state], draws - left - int(graph.num_new[state]))
            if gone is None:
                continue
            rest = tuple((graph.left[state] - gone)[:KINDS].tolist())
            value = inside(tuple(graph.states[state, :KINDS].tolist()), rest, left)
            assert value * ONE <= int(bound.a[left, state] - bound.b[left][state] @ gone)
            charged += bool(bound.b[left][state] @ gone)
    assert charged > 20


@pytest.mark.slow
@pytest.mark.parametrize("called", [1, 2, 3, 4])
def test_bounds_meet_brute_force_of_more_draws(called):
    """Up to eight draws from small walls, in wider classes."""
    rng = np.random.default_rng([called, 88])
    for _ in range(10):
        hand, wall = random_world(rng, called, 10)
        check(hand, wall, called, 8 if called > 1 else 6, (0, 1, 2, 3))
