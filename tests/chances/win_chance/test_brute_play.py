"""Bounds on the win probability against brute force over hand and wall."""

import json
import random

import numpy as np
import pytest
from reference_implementations.win_chance import (
    World,
    best_play,
    certificate,
    changed,
    copies_gone,
    is_in_class,
)

from mjopt import Hand, optimal_play
from mjopt.chances.win_chance._lower_kernels import depletion_caps_kernel
from mjopt.chances.win_chance.bounds import ONE, PolicyBounds, depletion_bounds, exact_policy
from mjopt.proofs.win_chance_check import verify_win_chance

KINDS = 6


def random_world(rng, called, most_wall, draws, waste):
    """Return a random hand after its draw, a wall of the same part of a suit, draws and a waste."""
    first = int(rng.choice([0, 3, 9, 12, 18, 21]))  # kernels hold 16 kinds in a word
    tiles = rng.permutation(np.repeat(np.arange(first, first + KINDS), 4))
    size = 14 - 3 * called
    wall_size = int(rng.integers(4, most_wall + 1))
    parts = tiles[:size], tiles[size : size + wall_size]
    hand, wall = (tuple(np.bincount(part, minlength=27).tolist()) for part in parts)
    return World(hand, called, wall, min(draws, wall_size), waste)


def search(world):
    hand = Hand.from_counts(world.hand, called=world.called)
    with np.errstate(divide="raise", invalid="raise"):
        return optimal_play(hand, wall=world.wall, draws=world.draws, waste=world.waste)


def check(world, wastes):
    """Compare every discard with brute force, both within the class and over all play."""
    overall = best_play(world, in_class=False)
    for waste in wastes:
        world = world._replace(waste=waste)
        in_class, play = best_play(world, in_class=True), search(world)
        for row in play.discards:
            after = changed(world.hand, thrown=row.kind)
            outside = overall(after, world.wall, world.draws)
            inside = 0
            if is_in_class(world, after):
                inside = in_class(after, world.wall, world.draws)
            assert row.lower <= inside <= row.upper, (world, row)
            assert row.lower <= outside <= row.upper_any, (world, row)
            assert not row.is_exact or row.value == inside
            if world.draws <= play.deficiency + waste:
                assert inside == outside


@pytest.mark.parametrize(
    ("called", "number"),
    [(2, 2), (3, 2), *(pytest.param(called, 20, marks=pytest.mark.slow) for called in (2, 3))],
)
def test_bounds_hold_for_brute_force(called, number):
    """Lower bounds hold for all play and upper bounds within the class."""
    rng = np.random.default_rng([called, number])
    for _ in range(number):
        check(random_world(rng, called, 9, int(rng.integers(1, 6)), 0), (0, 1, 2))


def random_depletion(rng, room, number):
    """Draw a number of copies among those that can be depleted; None if there are fewer."""
    tiles = np.repeat(np.arange(len(room)), room)
    if number < 0 or number > len(tiles):
        return None
    return np.bincount(rng.permutation(tiles)[:number], minlength=len(room))


@pytest.mark.parametrize(
    ("called", "number"),
    [(2, 4), (3, 6), *(pytest.param(called, 20, marks=pytest.mark.slow) for called in (2, 3))],
)
def test_depletion_bounds_hold_for_any_depletion_and_weights(called, number):
    """T6 at the hands of a class, for every number of draws left."""
    rng, charged = np.random.default_rng([called, number]), 0
    for _ in range(number):
        world = random_world(rng, called, 9, int(rng.integers(2, 6)), int(rng.integers(0, 3)))
        found, draws = search(world).bounds, world.draws
        graph, value = found.graph, best_play(world, in_class=True)
        weights = rng.integers(0, 10, graph.states.shape).astype(np.int8)
        b = np.zeros((draws + 1, *graph.states.shape), np.int64)
        a = depletion_bounds(graph, found.upper, sum(world.wall), weights, b)
        for state in rng.permutation(graph.num_states)[:100].tolist():
            left = int(rng.integers(0, draws + 1))
            number = draws - left - int(graph.num_new[state])
            depleted = random_depletion(rng, graph.left[state], number)
            if depleted is None:
                continue
            rest = tuple((graph.left[state] - depleted).tolist())
            best = value(tuple(graph.states[state].tolist()), rest, left)
            charge = int(b[left, state] @ depleted)
            assert best * ONE <= int(a[left, state]) - charge
            charged += bool(charge)
    assert charged > number


@pytest.mark.parametrize("called", [2, 3])
def test_depletion_bounds_are_those_of_the_reference(called):
    """T6 in plain Python, with the same weights."""
    rng, digits = np.random.default_rng(called), random.Random(called)
    for _ in range(4):
        world = random_world(rng, called, 9, 4, 1)
        found = search(world).bounds
        if not found.graph.roots:
            continue
        hands = [*map(tuple, found.graph.states.tolist())]
        document = certificate(world, weigh=lambda: digits.randint(0, 9), order=hands)
        weights = np.array([[*map(int, row)] for row in document["weights"]], np.int8)
        a = depletion_bounds(found.graph, found.upper, found.size, weights)
        assert a.T.tolist() == document["upper"]["a"]


@pytest.mark.parametrize("called", [2, 3])
def test_checker_accepts_the_bounds_of_every_hand(called):
    """The checker recomputes what is depleted, and with it each number of T3."""
    rng = np.random.default_rng([called, 3])
    for _ in range(6):
        world = random_world(rng, called, 9, int(rng.integers(2, 6)), int(rng.integers(0, 3)))
        play = search(world)
        if not play.bounds.graph.roots:
            continue
        verify_win_chance(json.dumps(play.to_certificate(with_numbers=True)))


def moves_of(graph, policy):
    """Return the discard and the hand after it by hand, draws made and kind drawn."""
    hands = [tuple(counts) for counts in graph.states.tolist()]
    moves = {hand: [{} for _ in policy.leaves] for hand in hands}
    for t in range(len(policy.leaves)):
        for state, kind in zip(graph.win_state, graph.win_kind, strict=True):
            moves[hands[state]][t][int(kind)] = None, None
        kept, leaves = policy.moves(graph, t, np.ones(graph.num_states, bool))
        for edge, leaving in zip(kept, leaves.tolist(), strict=True):
            state, kind = graph.edge_state[edge], int(graph.edge_kind[edge])
            moves[hands[state]][t][kind] = leaving >> 1 & 63, hands[leaving >> 7]
    return moves


@pytest.mark.parametrize("number", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_most_depleted_copies_are_those_of_the_reference(number):
    """Drawn tiles that are discarded at once or later, and tiles of the first hand drawn again."""
    rng, most = np.random.default_rng(number), 0
    for _ in range(number):
        world = random_world(rng, 2, 9, 5, 2)
        found = search(world).bounds
        graph, roots = found.graph, list(found.graph.roots.values())
        if not roots:
            continue
        hands = [tuple(counts) for counts in graph.states.tolist()]
        gone = copies_gone(world, moves_of(graph, found.policy), [hands[root] for root in roots])
        rows = PolicyBounds(graph, found.policy, found.size, roots)._rows
        reached, caps = (
            np.arange(rows.begins[-1]) < len(roots),
            np.zeros((rows.begins[-1], 3), "u8"),
        )
        depletion_caps_kernel(graph.arrays, rows, reached, caps, np.zeros(3, np.uint64))
        bits = np.unpackbits(caps.view(np.uint8), axis=1, bitorder="little")
        copies = bits.reshape(len(caps), -1, 4).sum(axis=2)[:, : len(world.hand)]
        for t in range(world.draws):
            here = np.arange(rows.begins[t], rows.begins[t + 1])
            by_hand = {hands[rows.states[row]]: copies[row].tolist() for row in here[reached[here]]}
            assert all(by_hand[hand] == expected for hand, expected in gone[t].items())
        most = max(most, copies.max())
    assert most > 1


def test_without_weights_products_are_charged_as_with_equal_ones():
    """Whatever lies in memory behind the empty array of weights, it is not read."""
    rng, differ = np.random.default_rng(4), 0
    for _ in range(10):
        found = search(random_world(rng, 2, 9, 5, 2)).bounds
        graph, roots = found.graph, list(found.graph.roots.values())
        weights = rng.integers(0, 10, graph.states.shape).astype(np.int8)
        by_weight = []
        for given in (None, np.zeros_like(weights), weights):
            b = np.zeros((found.draws + 1, *graph.states.shape), np.int64)
            policy = PolicyBounds(graph, found.policy, found.size, roots, given)
            if given is None:
                policy._weight_factors = (1 << weights.astype(np.int64))[:0]
            policy.bounds(roots, (np.zeros_like(found.upper), b))
            by_weight.append(b)
        assert (by_weight[0] == by_weight[1]).all()
        differ += (by_weight[1] != by_weight[2]).any()
    assert differ


def test_rank_of_a_bound_is_0_only_if_the_bound_is():
    """Also where no bound is 0, and the least is one winning sequence."""
    wall = tuple(int(kind in {0, 17}) for kind in range(27))
    found = search(World(wall, 4, wall, 1, 0)).bounds
    values, policy = exact_policy(found.graph, found.draws, found.size)
    assert values.tolist() == [1, 1]
    assert (policy.values > 0).tolist() == [[False, False], [True, True]]


@pytest.mark.slow
@pytest.mark.parametrize("called", [1, 2, 3, 4])
def test_bounds_hold_for_brute_force_of_more_draws(called):
    """Up to eight draws from small walls, in wider classes."""
    rng = np.random.default_rng([called, 88])
    for _ in range(10):
        check(random_world(rng, called, 10, 8 if called > 1 else 6, 0), (0, 1, 2, 3))
