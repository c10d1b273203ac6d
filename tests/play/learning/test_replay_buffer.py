"""Samples: packing, unrolling within a game, joining and files."""

import numpy as np
import pytest

from mjopt.errors import ArgumentError
from mjopt.play.learning.actions import NUM_CHANNELS, NUM_TYPES, small_of_full
from mjopt.play.learning.replay_buffer import Samples, SearchedDecision, collect

KINDS, PLANES = 27, 118
WIDTH = NUM_CHANNELS * KINDS


def decision(rng, seat):
    places = np.sort(rng.choice(WIDTH, 5, replace=False))
    shares = rng.random(5)
    mask = np.zeros(NUM_TYPES * KINDS, bool)
    mask[small_of_full(places, KINDS)] = True
    planes = rng.integers(2, size=(PLANES, KINDS)).astype(np.uint8)
    return SearchedDecision(planes, mask, places, shares / shares.sum(), int(places[0]), seat)


@pytest.fixture
def games():
    rng = np.random.default_rng(1)
    return [
        (7, [decision(rng, seat) for seat in (0, 1, 3)], (6, -6, 0, 0)),
        (9, [decision(rng, 2)], (0, 0, 0, 0)),
        (8, [decision(rng, seat) for seat in (1, 2)], (-6, 0, 12, -6)),
    ]


@pytest.fixture
def samples(games):
    return collect(games, kinds=KINDS, width=WIDTH)


@pytest.mark.parametrize("games", [[], [(0, [], (0, 0, 0, 0))]])
def test_games_without_decisions_are_refused(games):
    with pytest.raises(ArgumentError, match="games: no decision, expected at least one"):
        collect(games, kinds=KINDS, width=WIDTH)


def test_packed_decisions_are_unpacked(games, samples):
    rows = [row for _, decisions, _ in games for row in decisions]
    some = np.array([5, 0, 3])
    assert len(samples) == len(rows) == 6
    assert (samples.planes_of(some) == [rows[i].planes for i in some]).all()
    assert (samples.masks_of(some) == [rows[i].mask for i in some]).all()
    policies = samples.policies_of(some)
    for policy, i in zip(policies, some, strict=True):
        assert policy[rows[i].places] == pytest.approx(rows[i].shares)
        assert policy.sum() == pytest.approx(1)


def test_channels_are_summed_for_the_normal_agent(samples):
    rows = np.arange(len(samples))
    full, small = samples.policies_of(rows), samples.policies_of(rows, small=True)
    numbers = small_of_full(np.arange(WIDTH), KINDS)
    for number in range(NUM_TYPES * KINDS):
        assert small[:, number] == pytest.approx(full[:, numbers == number].sum(axis=1))


def test_values_are_signs_from_the_player_to_move(samples):
    assert samples.values.tolist()[:3] == [[1, -1, 0, 0], [-1, 0, 0, 1], [0, 1, -1, 0]]
    assert samples.values.tolist()[4] == [0, 1, -1, -1]


def test_unrolling_ends_with_the_game(samples):
    found = samples.unroll(np.array([0, 2, 4]), 3)
    assert found.weights.tolist() == [[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0]]
    assert found.actions[0].tolist() == samples.actions[:3].tolist()
    assert found.actions[1].tolist() == [samples.actions[2], 0, 0]
    assert (found.policies[0, 2] == samples.policies_of(np.array([2]))[0]).all()
    assert found.values[2, 1].tolist() == samples.values[5].tolist()


def test_joined_games_with_equal_numbers_stay_separate(samples):
    both = Samples.join([samples, samples])
    assert both.num_following.tolist() == samples.num_following.tolist() * 2
    rows = np.arange(len(samples))
    assert (both.policies_of(rows + len(samples)) == samples.policies_of(rows)).all()


def test_equal_samples_give_equal_bytes(samples):
    content = samples.to_bytes()
    assert content == samples.to_bytes()
    again, rows = Samples.from_bytes(content), np.arange(len(samples))
    assert (again.policies_of(rows) == samples.policies_of(rows)).all()
    assert (again.planes_of(rows) == samples.planes_of(rows)).all()
