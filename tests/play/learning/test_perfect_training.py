"""Training of the perfect agent: games, loss, gate, progress, and resumption after kills."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from helpers.crash_states import crash_states
from helpers.learning_states import StageRecorder
from helpers.surroundings import without_packages

pytest.importorskip("mjopt.play.learning.networks", exc_type=ImportError)

import equinox as eqx

from mjopt.errors import FileError
from mjopt.play.game.engine import legal_moves, step
from mjopt.play.learning.actions import legal_numbers, small_of_full, transition_number
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.env import initial_state
from mjopt.play.learning.learner import make_learner
from mjopt.play.learning.networks import (
    PerfectModel,
    PerfectNetwork,
    arrays_of,
    perfect_network,
)
from mjopt.play.learning.perfect_training import rate_of, search_settings, unrolled_loss
from mjopt.play.learning.planes import action_planes, encode
from mjopt.play.learning.self_play import play_match, self_play
from mjopt.play.learning.training import train
from mjopt.play.learning.weights import WEIGHTS, initial_arrays, load_agent

CONFIG = replace(
    PRESETS["tiny"],
    steps=10,
    unroll=1,
    simulations=2,
    games=4,
    gate_games=4,
    versions=2,
    buffer_versions=2,
    rates=(0.01, 0.001),
    rate_versions=(1,),
    first_games="self",
)

learn = partial(train, "perfect", seed=3)


@pytest.fixture(autouse=True)
def no_figures():
    """Skip figures, which would take most of the time."""
    with without_packages("jinja2"):
        yield


@pytest.fixture(scope="module")
def model():
    return PerfectModel(CONFIG, initial_arrays(CONFIG, "perfect", np.random.default_rng(1)))


@pytest.fixture(scope="module")
def played(model):
    settings = search_settings(CONFIG, learning=True)
    return self_play(model, CONFIG, range(10), seed=1, settings=settings, at_once=8)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    return folder, learn(CONFIG, folder)


def weights(folder):
    return (folder / WEIGHTS).read_bytes()


def test_games_depend_only_on_seed_and_number(model, played):
    settings = search_settings(CONFIG, learning=True)
    some = self_play(model, CONFIG, [7, 8], seed=1, settings=settings)
    rows = np.flatnonzero(np.isin(played.games, [7, 8]))
    assert some.actions.tolist() == played.actions[rows].tolist()
    assert (some.policies_of(np.arange(len(some))) == played.policies_of(rows)).all()
    other = self_play(model, CONFIG, [7, 8], seed=2, settings=settings)
    assert other.planes.tolist() != some.planes.tolist()


def test_samples_can_be_replayed(played):
    for game in range(10):
        state, [rows] = initial_state(CONFIG, 1, game), np.nonzero(played.games == game)
        seats = []
        for row in rows:
            seats.append(state.to_move)
            planes = encode(state, seats[-1], CONFIG)
            assert (played.planes_of(np.array([row]))[0] == planes).all()
            told = {"tile": state.table.tile, "drawn": state.drawn, "kinds": 27}
            moves = legal_numbers(legal_moves(state), **told)
            assert set(np.flatnonzero(played.masks_of(np.array([row]))[0])) == set(moves)
            after = [(move, step(state, move)) for move in moves.values()]
            [state] = [
                s for move, s in after if transition_number(state, move, s) == played.actions[row]
            ]
        assert state.is_over
        signs = np.sign(state.outcome.scores)
        for row, seat in zip(rows, seats, strict=True):
            assert played.values[row].tolist() == np.roll(signs, -seat).tolist()


def test_early_moves_are_sampled_and_later_ones_are_best(model):
    late = replace(CONFIG, sampled_moves=0, sampled_answers=0.0)
    settings = search_settings(late, learning=False)
    samples = self_play(model, late, range(4), seed=1, settings=settings)
    rows = np.arange(len(samples))
    policies = samples.policies_of(rows, small=True)
    numbers = small_of_full(samples.actions.astype(np.int64), 27)
    assert (policies[rows, numbers] == policies.max(axis=1)).all()
    early = self_play(model, CONFIG, range(4), seed=1, settings=settings)
    rows = np.arange(len(early))
    numbers = small_of_full(early.actions.astype(np.int64), 27)
    policies = early.policies_of(rows, small=True)
    assert (policies[rows, numbers] < policies.max(axis=1)).any()


class Greedy:
    """A model that prefers wins."""

    def start(self, planes):
        priors = np.full((len(planes), 55 * 27), 0.1, np.float32)
        priors[:, 54 * 27 :] = 1.0
        return np.zeros((len(planes), 1), np.float32), priors, np.zeros((len(planes), 4))

    def follow(self, hidden, numbers):
        return self.start(hidden)


def test_match_of_equal_models_is_even():
    settings, model = search_settings(CONFIG, learning=False), Greedy()
    found = play_match(model, model, CONFIG, range(20), seed=1, settings=settings, at_once=8)
    assert found.games == 40
    assert found.wins == found.losses > 0
    assert found.points == 0
    assert found.share == 0.5


def test_unrolled_loss_equals_the_sum_of_its_steps(model, played):
    batch = played.unroll(np.arange(0, len(played), 5), 2)
    actions = action_planes(batch.actions.reshape(-1), 27).reshape(*batch.actions.shape, 19, 27)
    assert (batch.weights == 0).any()
    _, (_, measured) = eqx.filter_jit(unrolled_loss)(
        model.network, batch.planes, actions, batch.policies, batch.values, batch.weights
    )
    represent, predict, move = (
        eqx.filter_jit(partial(getattr(PerfectNetwork, name), training=True))
        for name in ("represent", "predict", "move")
    )
    hidden, network = represent(model.network, batch.planes)
    found = np.zeros(2)
    for k in range(3):
        logits, values, network = predict(network, hidden)
        logits, weight = np.asarray(logits, np.float64), batch.weights[:, k]
        log = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        found[0] -= (weight * (batch.policies[:, k] * log).sum(axis=1)).mean()
        error = (np.asarray(values, np.float64) - batch.values[:, k]) ** 2
        found[1] += (weight * error.sum(axis=1)).mean()
        if k < 2:
            hidden, network = move(network, hidden, actions[:, k])
    assert np.asarray(measured) == pytest.approx(found, rel=1e-4)


def test_step_applies_momentum_and_penalty():
    """Without a gradient of the loss only the penalty acts."""
    config = replace(CONFIG, penalty=0.5)
    network = perfect_network(config, initial_arrays(config, "perfect", np.random.default_rng(1)))
    learner = make_learner(config, no_loss, 0.9)
    trees = learner.begin(network)
    for _ in range(2):
        trees, _ = learner.step(trees, np.float32(0.1))
    before, after = arrays_of(network), arrays_of(trees["network"])
    for name, array in before.items():
        if name.endswith(("mean", "variance")):
            assert (after[name] == array).all()
        else:  # the gradient is theta: 0.9 theta, then 0.9 - 0.1 * (0.9 + 0.9)
            assert after[name] == pytest.approx(array * 0.72, abs=1e-6)


def no_loss(network):
    return 0.0 * network.prediction.values.offset.sum(), (network, 0.0)


def test_rates_fall_after_versions():
    paper = PRESETS["paper"]
    assert [rate_of(paper, v) for v in (0, 9, 10, 20)] == [0.01, 0.01, 0.001, 0.0001]


def test_training_writes_weights_curves_and_last_samples(made):
    folder, trained = made
    assert load_agent(trained.weights, "perfect")[0] == CONFIG
    assert sorted(path.stem for path in folder.glob("units/*")) == ["checkpoint", "samples-0001"]
    lines = (folder / "curves.csv").read_text().splitlines()
    names = "step,policy loss,value loss,rate,seconds,version,gate,kept"
    assert lines[0] == names
    rates = [float(line.split(",")[3] or 0) for line in lines[1:]]
    assert rates == pytest.approx([0.01, 0, 0.001, 0])


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_weights_depend_only_on_the_seed_even_if_killed_at_any_write(made, tmp_path, step):
    folder = tmp_path / "begun"
    states = crash_states(lambda: learn(CONFIG, folder), folder, tmp_path / "states")
    assert weights(folder) == weights(made[0])
    assert len(states) > 10
    for state in states[::step]:
        learn(CONFIG, state)
        assert weights(state) == weights(made[0]), sorted(path.name for path in state.iterdir())


def test_progress_names_each_stage(tmp_path):
    counts = {"games": 3, "gate_games": 5, "buffer_versions": 1}
    config, recorder = replace(CONFIG, first_games="deficiency", **counts), StageRecorder()
    learn(config, tmp_path, progress=recorder)
    stages = [(3, "games", 0), (5, "steps", 0), (4, "games of the gate", 0)]
    assert recorder.stages == [
        *((n, f"{unit} of version 1 of 2", done) for n, unit, done in stages[:2]),  # no gate
        *((n, f"{unit} of version 2 of 2", done) for n, unit, done in stages),
    ]


def test_other_configuration_is_refused_in_one_line(made):
    folder, _ = made
    with pytest.raises(FileError, match="another training .blocks 1, not 2.; name") as error:
        learn(replace(CONFIG, blocks=2), folder)
    assert "\n" not in str(error.value)


def test_normal_agent_trains_on_its_games(made, tmp_path):
    config = replace(CONFIG, normal_games=17)
    how = {"seed": 3, "source": str(made[0])}
    recorder = StageRecorder()
    found = train("normal", config, tmp_path / "normal", progress=recorder, **how)
    assert recorder.stages == [(17, "games to learn from", 0), (found.steps, "steps", 0)]
    assert load_agent(found.weights, "normal")[0] == config
    assert found.steps == 11 * config.decay_steps
    curves = (tmp_path / "normal" / "curves.csv").read_text().splitlines()[1:]
    assert float(curves[-1].split(",")[1]) == 0
    other = replace(config, last_event=True)
    with pytest.raises(FileError, match="trained with last_event False, expected True"):
        train("normal", other, tmp_path / "other", **how)
