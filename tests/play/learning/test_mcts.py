"""The batched tree search, compared with a plain search and formulas."""

from typing import Any

import numpy as np
import pytest
from helpers.table_model import FULL, KINDS, Bandit, RandomTable, roots
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations.mcts import plain_search

from mjopt.errors import ArgumentError
from mjopt.play.learning.actions import change_of, full_number, small_of_full
from mjopt.play.learning.mcts import SearchTrees, search
from mjopt.play.learning.mcts_config import SearchResult, SearchSettings
from mjopt.play.learning.mcts_tree import Edges, add_noise, legal_priors
from mjopt.play.learning.root_policies import visit_sequence

EDGES = Edges(KINDS, True)
CHANGES = change_of(np.arange(FULL), KINDS).tolist()


def random_masks(rng: np.random.Generator, games: int) -> Any:
    masks = np.zeros((games, 10 * KINDS), bool)
    for row in masks:
        row[rng.choice(10 * KINDS, int(rng.integers(1, 12)), replace=False)] = True
    return masks


def search_seeded(
    model: Any, planes: Any, masks: Any, seed: int = 1, **options: Any
) -> SearchResult:
    streams = [np.random.default_rng([seed, game]) for game in range(len(masks))]
    return search(model, planes, masks, settings=SearchSettings(**options), rng=streams)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(1, 45), st.sampled_from([0.0, 0.4, 1.5, 20.0]))
def test_visits_equal_those_of_a_plain_search(seed: int, simulations: int, c1: float) -> None:
    rng = np.random.default_rng(seed)
    model, masks = RandomTable(seed), random_masks(rng, 3)
    planes = roots(rng.integers(0, 64, 3).tolist())

    result = search_seeded(model, planes, masks, simulations=simulations, exploration=c1)

    for game in range(3):
        _, priors, values = model.start(planes[game : game + 1])
        opened = legal_priors(priors, masks[game : game + 1], EDGES)[0].astype(np.float32).tolist()
        root, received = plain_search(
            model, planes[game : game + 1], opened, CHANGES, simulations, c1
        )
        visits = {int(a): int(result.visits[game, a]) for a in np.flatnonzero(result.visits[game])}
        assert visits == root.visits
        gained = [path[0][2] for path in received]  # by the root's player
        mean = (values[0, 0] + sum(gained)) / (1 + simulations)
        assert result.values[game, 0] == pytest.approx(mean, abs=1e-6)


def test_search_does_not_depend_on_other_games() -> None:
    rng = np.random.default_rng(5)
    masks, seeds = random_masks(rng, 17), rng.integers(0, 64, 17).tolist()
    for options in ({"noise": 0.3}, {"root": "gumbel"}, {"root": "gumbel", "considered": 4}):
        every = search_seeded(RandomTable(3), roots(seeds), masks, simulations=30, **options)
        for game in (0, 8, 16):
            alone = search(
                RandomTable(3),
                roots(seeds[game : game + 1]),
                masks[game : game + 1],
                settings=SearchSettings(simulations=30, **options),
                rng=[np.random.default_rng([1, game])],
            )
            for name in ("visits", "small_visits", "policy", "values", "chosen"):
                assert np.array_equal(getattr(alone, name)[0], getattr(every, name)[game]), name


def test_each_game_gets_a_child_of_a_single_generator() -> None:
    masks = np.zeros((2, 10 * KINDS), bool)
    masks[:, :9] = True
    settings_ = SearchSettings(simulations=20, noise=1.0)
    both, again = (
        search(
            RandomTable(3), roots([1, 1]), masks, settings=settings_, rng=np.random.default_rng(4)
        )
        for _ in range(2)
    )

    assert np.array_equal(both.visits, again.visits)
    assert not np.array_equal(both.visits[0], both.visits[1])


class Scripted:
    """A model with a single path of actions."""

    def __init__(self, path: list[int], values: list[list[float]]) -> None:
        self.path, self.values = path, np.array(values, np.float32)

    def start(self, planes: Any) -> Any:
        return self._at(0)

    def follow(self, hidden: Any, numbers: Any) -> Any:
        depth = int(hidden[0, 0])
        assert numbers.tolist() == [self.path[depth]]
        return self._at(depth + 1)

    def _at(self, depth: int) -> Any:
        priors = np.zeros((1, FULL), np.float32)
        if depth < len(self.path):
            priors[0, self.path[depth]] = 1.0
        return np.array([[depth]], np.float32), priors, self.values[depth : depth + 1]


def test_edges_receive_the_value_for_the_player_who_chose_them() -> None:
    # Seat 0 discards, and seat 2 is next; seat 2 passes, and seat 1 is next; seat 1 makes a closed
    # kong and acts again.
    path = [
        full_number(3, 2, 0, KINDS),
        full_number(2 * KINDS + 7, 3, 3, KINDS),
        full_number(3 * KINDS + 5, 0, 0, KINDS),
    ]
    # Values of the nodes, in turn order from their players: seats 0, 2, 1 and 1.
    values = [[0.0] * 4, [0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [-0.1, -0.2, -0.3, -0.4]]
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, 3] = True
    trees: list[SearchTrees] = []

    class Kept(SearchTrees):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            trees.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mjopt.play.learning.mcts.SearchTrees", Kept)
        result = search_seeded(
            Scripted(path, values), roots([0]), masks, simulations=3, exploration=100.0
        )

    *_, actions, visits, mean, _total, _following, _last, _over, place, _, _ = trees[0].arrays
    assert place[0].tolist() == [0, 2, 1, 1]
    assert actions[0, 1:].tolist() == path
    assert visits[0, 1:].tolist() == [3, 2, 1]
    # Edge 1 belongs to seat 0: seat 2's third, seat 1's fourth, and again seat 1's fourth.
    assert mean[0, 1] == pytest.approx((0.3 + 0.8 - 0.4) / 3)
    # Edge 2 belongs to seat 2, one seat after seat 1; edge 3 to seat 1.
    assert mean[0, 2] == pytest.approx((0.6 - 0.2) / 2)
    assert mean[0, 3] == pytest.approx(-0.1)
    # Means for seats 0 to 3: the root's value 0 and the values of the leaves.
    sums = np.array([0.3 + 0.8 - 0.4, 0.4 + 0.5 - 0.1, 0.1 + 0.6 - 0.2, 0.2 + 0.7 - 0.3])
    assert result.values[0] == pytest.approx(sums / 4)
    assert result.visits[0, path[0]] == 3


def test_root_tries_all_channels_of_legal_moves_only() -> None:
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, [4, 9 * KINDS + 2]] = True
    model = RandomTable(1)
    model.priors[:] = 0.0
    model.priors[:, 0] = 1.0  # illegal actions only: all channels become equal

    result = search_seeded(model, roots([0]), masks, simulations=40, exploration=50.0)

    tried = np.flatnonzero(result.visits[0])
    assert set(small_of_full(tried, KINDS).tolist()) == {4, 9 * KINDS + 2}
    assert len(tried) == 17
    assert result.small_visits[0].sum() == result.visits[0].sum() == 40
    assert result.policy[0].sum() == pytest.approx(1.0)


def test_greatest_prior_is_tried_first() -> None:
    # Before any visit Eq. 2 gives 0 for every action.
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, [4, 6, 8]] = True
    priors = np.zeros(FULL)
    priors[full_number(6, 1, 3, KINDS)], priors[full_number(8, 1, 3, KINDS)] = 0.7, 0.3
    bandit = Bandit(priors, np.zeros(FULL))

    assert search_seeded(bandit, roots([0]), masks, simulations=1).chosen.tolist() == [6]


def test_ties_of_visits_are_broken_at_random() -> None:
    masks = np.zeros((200, 10 * KINDS), bool)
    masks[:, [4, 8]] = True
    priors = np.zeros(FULL)
    priors[[full_number(4, 1, 3, KINDS), full_number(8, 1, 3, KINDS)]] = 0.5

    result = search_seeded(Bandit(priors, np.zeros(FULL)), roots([0] * 200), masks, simulations=2)

    assert result.small_visits[:, [4, 8]].tolist() == [[1, 1]] * 200
    assert 60 < (result.chosen == 4).sum() < 140


def test_noise_is_a_share_of_the_priors_per_move() -> None:
    games = 1_000
    masks = np.zeros((games, 10 * KINDS), bool)
    masks[:, [1, 2, 3, 9 * KINDS]] = True
    priors = np.zeros((1, FULL), np.float32)
    priors[0, [full_number(1, 1, 0, KINDS), full_number(1, 1, 3, KINDS)]] = 0.2, 0.6
    priors[0, [full_number(2, 1, 3, KINDS), 54 * KINDS]] = 0.1, 0.1
    opened = legal_priors(np.tile(priors, (games, 1)), masks, EDGES)
    chosen = SearchSettings(simulations=1, noise=0.3)

    noisy = add_noise(opened, masks, EDGES, chosen, np.random.default_rng(2))

    assert ((noisy >= 0) == (opened >= 0)).all()
    sum_by_action = EDGES.sum_by_action(np.maximum(noisy, 0))
    assert sum_by_action.sum(axis=1) == pytest.approx(1.0)
    # 0.7 of the prior, and 0.3 / 4 on average: equal gammas, normalised.
    means = sum_by_action[:, [1, 2, 3, 9 * KINDS]].mean(axis=0)
    assert means == pytest.approx(0.7 * np.array([0.8, 0.1, 0.0, 0.1]) + 0.075, abs=0.01)
    # The variance of a component of Dirichlet(10 / 4) with four components is 0.25 * 0.75 / 11.
    assert sum_by_action[:, 3].std() == pytest.approx(0.3 * (0.25 * 0.75 / 11) ** 0.5, rel=0.1)
    # The noise of a move keeps the shares of its channels.
    first, second = full_number(1, 1, 0, KINDS), full_number(1, 1, 3, KINDS)
    assert noisy[:, second] == pytest.approx(3 * noisy[:, first])


@pytest.mark.parametrize(
    ("considered", "simulations", "tries"),
    [
        (16, 16, [0] * 16),
        (8, 24, [0] * 8 + [1] * 4 + [2] * 4 + [3] * 2 + [4] * 2 + [5] * 2 + [6] * 2),
        (2, 5, [0, 0, 1, 1, 2]),
        (3, 6, [0, 0, 0, 1, 1, 2]),
        (5, 3, [0, 0, 0]),
    ],
)
def test_sequential_halving_visits_the_remaining_moves(
    considered: int, simulations: int, tries: list[int]
) -> None:
    assert visit_sequence(considered, simulations) == tries


@pytest.mark.parametrize("simulations", [1, 2, 4, 16])
def test_gumbel_root_improves_on_the_priors(simulations: int) -> None:
    rng = np.random.default_rng(simulations)
    moves, games = np.array([2, 3, 5, 30, 70, 250]), 400
    masks = np.zeros((games, 10 * KINDS), bool)
    masks[:, moves] = True
    for _ in range(3):
        sum_by_action = rng.dirichlet(np.ones(len(moves)))
        worth = rng.uniform(-1, 1, len(moves))
        priors, values = np.zeros(FULL), np.zeros(FULL)
        for move, prior, value in zip(moves.tolist(), sum_by_action, worth, strict=True):
            edge = full_number(move, 4, 3, KINDS)  # the same player again
            priors[edge], values[edge] = prior, value
        bandit = Bandit(priors, values)

        result = search_seeded(
            bandit, roots([0] * games), masks, simulations=simulations, root="gumbel", considered=4
        )

        gained = worth[np.searchsorted(moves, result.chosen)]
        expected = float(sum_by_action @ worth)
        assert gained.mean() >= expected - 3 * gained.std() / games**0.5
        if simulations >= 4:
            assert gained.mean() > expected + 0.02
        policy = EDGES.sum_by_action(result.policy.astype(float))[:, moves]
        assert policy.sum(axis=1) == pytest.approx(1.0)
        assert (policy @ worth).mean() >= expected - 1e-6


def test_gumbel_policy_follows_its_formula() -> None:
    """Two moves, two simulations: the policy is softmax(logits + (c_visit + 1) c_scale q)."""
    first, second = full_number(2, 4, 3, KINDS), full_number(3, 4, 3, KINDS)
    priors, values = np.zeros(FULL), np.zeros(FULL)
    priors[[first, second]] = 0.75, 0.25
    values[[first, second]] = 0.2, 0.4
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, [2, 3]] = True

    options = {"root": "gumbel", "visit_base": 9.0, "value_scale": 0.5}
    result = search_seeded(Bandit(priors, values), roots([0]), masks, simulations=2, **options)

    odds = np.array([0.75 * np.exp(10 * 0.5 * 0.6), 0.25 * np.exp(10 * 0.5 * 0.7)])
    assert result.policy[0, [first, second]] == pytest.approx(odds / odds.sum(), rel=1e-5)
    # One simulation: the unvisited move gets the mean of the root's value 0 and the other value.
    result = search_seeded(Bandit(priors, values), roots([0]), masks, simulations=1, **options)
    tried = int(result.visits[0].argmax())
    met = 0.2 if tried == first else 0.4
    completed = [met, met / 2] if tried == first else [met / 2, met]
    odds = np.array([0.75, 0.25]) * np.exp(10 * 0.5 * (np.array(completed) + 1) / 2)
    assert result.policy[0, [first, second]] == pytest.approx(odds / odds.sum(), rel=1e-5)
    assert result.chosen.tolist() == [int(small_of_full(tried, KINDS))]


def test_gumbel_root_visits_channels_in_proportion_to_priors() -> None:
    channels = [full_number(4, 1, state, KINDS) for state in range(4)]
    priors = np.zeros(FULL)
    priors[channels] = 0.1, 0.2, 0.3, 0.4
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, 4] = True

    options = {"simulations": 50, "root": "gumbel"}
    result = search_seeded(Bandit(priors, np.zeros(FULL)), roots([0]), masks, **options)

    assert abs(result.visits[0, channels] - np.array([5, 10, 15, 20])).max() <= 1


@pytest.mark.parametrize(("root", "chosen"), [("puct", 4), ("gumbel", 8)])
def test_puct_chooses_replies_of_others_and_gumbel_averages_them(root: str, chosen: int) -> None:
    """The next seat wins one discard nine times in ten; otherwise it is good. Another is worth 0.

    PUCT selects the good channel; averaged over its channels the discard is bad.
    """
    priors, values = np.zeros(FULL), np.zeros(FULL)
    bad, good, other = (full_number(*one, KINDS) for one in ((4, 4, 0), (4, 4, 3), (8, 4, 3)))
    priors[[bad, good, other]] = 0.45, 0.05, 0.5
    values[[bad, good]] = -0.9, 0.9
    masks = np.zeros((1, 10 * KINDS), bool)
    masks[0, [4, 8]] = True

    result = search_seeded(Bandit(priors, values), roots([0]), masks, simulations=100, root=root)

    assert result.chosen.tolist() == [chosen]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations 0, expected a whole number of at least 1"),
        ({"simulations": 2.5}, "simulations 2.5, expected a whole number of at least 1"),
        (
            {"simulations": 4, "considered": 0},
            "considered 0, expected a whole number of at least 1",
        ),
        ({"simulations": 4, "noise": 1.5}, "noise 1.5, expected 0 to 1"),
        ({"simulations": 4, "noise": float("nan")}, "noise nan, expected 0 to 1"),
        ({"simulations": 4, "exploration": -1}, "exploration -1, expected 0 or more"),
        ({"simulations": 4, "noise_total": 0}, "noise_total 0, expected more than 0"),
        ({"simulations": 4, "root": "best"}, "root 'best', expected puct or gumbel"),
    ],
)
def test_invalid_settings_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        SearchSettings(**options)
    assert str(caught.value) == message


def test_invalid_input_and_infinite_outputs_are_refused() -> None:
    masks = np.zeros((2, 10 * KINDS), bool)
    masks[0, 1] = True
    with pytest.raises(ArgumentError, match="game 1 has no legal move"):
        search_seeded(RandomTable(1), roots([0, 0]), masks, simulations=2)
    with pytest.raises(ArgumentError, match="1 generators for 2 games"):
        search(
            RandomTable(1),
            roots([0, 0]),
            masks | True,
            settings=SearchSettings(simulations=2),
            rng=[np.random.default_rng(1)],
        )
    broken = RandomTable(1)
    broken.priors[:] = np.nan
    with pytest.raises(ArgumentError, match="the network's priors are not finite"):
        search_seeded(broken, roots([0]), masks[:1], simulations=2)
    broken = RandomTable(1)
    broken.priors[1:] = np.nan
    with pytest.raises(ArgumentError, match="are the network's priors finite"):
        search_seeded(broken, roots([0]), masks[:1], simulations=40)
    broken = RandomTable(1)
    broken.values[:] = np.nan
    with pytest.raises(ArgumentError, match="the network's values are not finite"):
        search_seeded(broken, roots([0]), masks[:1], simulations=2)
