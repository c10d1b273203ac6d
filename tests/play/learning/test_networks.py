"""The networks: sizes, shapes, running means, gradients and independence of the batch."""

import os
import sys

import numpy as np
import pytest
from helpers.learning_states import RULES, TINY, random_steps
from helpers.surroundings import environment

from mjopt.errors import FileError
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.planes import encode
from mjopt.play.learning.weights import initial_arrays, num_parameters, shapes_of

networks = pytest.importorskip(
    "mjopt.play.learning.networks", reason="training needs JAX", exc_type=ImportError
)

K = 27


@pytest.fixture(scope="module")
def arrays():
    return initial_arrays(TINY, "perfect", np.random.default_rng(1))


@pytest.fixture(scope="module")
def model(arrays):
    return networks.PerfectModel(TINY, arrays)


@pytest.fixture(scope="module")
def planes():
    steps = random_steps(RULES, 4, 1)
    return np.stack([encode(state, state.to_move, TINY) for state, *_ in steps])


def test_numbers_of_parameters_are_those_of_the_article():
    """1.24 M for the dynamics, 25.3 M for the normal agent."""
    paper = PRESETS["paper"]
    assert round(num_parameters(paper, "perfect", "dynamics") / 1e6, 2) == 1.24
    assert round(num_parameters(paper, "normal") / 1e6, 1) == 25.3
    shapes = shapes_of(paper, "perfect")
    assert shapes["perfect.representation.stem.kernel"] == (3, 118, 128)
    assert shapes["perfect.dynamics.stem.kernel"] == (3, 147, 128)
    assert shapes["perfect.prediction.moves.kernel"] == (3, 128, 55)
    assert shapes["perfect.prediction.values.kernel"] == (256, 4)
    assert shapes_of(paper, "normal")["normal.moves.kernel"][-1] == 10


@pytest.mark.parametrize("agent", ["perfect", "normal"])
def test_networks_return_their_arrays(agent):
    arrays = initial_arrays(TINY, agent, np.random.default_rng(2))
    network = getattr(networks, f"{agent}_network")(TINY, arrays)
    found = networks.arrays_of(network)
    assert found.keys() == arrays.keys()
    assert all((found[name] == array).all() for name, array in arrays.items())
    assert all(array.dtype == np.float32 for array in found.values())


def test_outputs_have_the_shapes_and_ranges_of_the_article(model, planes):
    hidden, priors, values = model.start(planes[:5])
    assert (hidden.shape, priors.shape, values.shape) == ((5, 8, K), (5, 55 * K), (5, 4))
    for _ in range(2):
        assert {part.dtype for part in (hidden, priors, values)} == {np.dtype(np.float32)}
        assert np.allclose(priors.sum(axis=1), 1, atol=1e-5)
        assert (priors >= 0).all()
        assert (abs(values) <= 1).all()
        assert len(np.unique(values)) == values.size
        before, (hidden, priors, values) = hidden, model.follow(hidden, np.array([0, 5, 9, 9, 9]))
        assert hidden.shape == before.shape


def test_next_state_depends_on_the_action(model, planes):
    hidden, _, _ = model.start(np.repeat(planes[:1], 3, axis=0))
    after, _, _ = model.follow(hidden, np.array([5, 5 + K, 5 + 4 * K]))
    assert len(np.unique(after.reshape(3, -1), axis=0)) == 3


def test_rows_do_not_depend_on_the_batch(model, planes):
    assert len(planes) > 4 * networks.ROWS
    numbers = np.arange(len(planes)) % 1485
    together = model.start(planes)
    after = model.follow(together[0], numbers)
    for size in (1, 3, 8, 40, 200):
        rows = slice(17, 17 + size)
        apart = model.start(planes[rows])
        for one, many in zip(apart, together, strict=True):
            assert (one == many[rows]).all()
        for one, many in zip(model.follow(apart[0], numbers[rows]), after, strict=True):
            assert (one == many[rows]).all()


def test_training_uses_batch_statistics_and_updates_running_means(arrays, planes):
    network = networks.perfect_network(TINY, arrays)
    hidden, after = network.represent(planes[:64], training=True)
    plain, same = network.represent(planes[:64], training=False)
    assert same.representation is network.representation
    assert not np.allclose(hidden, plain)
    found = networks.arrays_of(after)
    changed = {name for name in arrays if not (found[name] == arrays[name]).all()}
    statistics = {"mean", "variance"}
    assert changed == {
        name
        for name in arrays
        if name.startswith("perfect.representation") and name.rpartition(".")[2] in statistics
    }
    # Recomputed for the first convolution.
    kernel = arrays["perfect.representation.stem.kernel"]
    x = np.pad(np.swapaxes(planes[:64], 1, 2).astype(np.float64), ((0, 0), (1, 1), (0, 0)))
    y = sum(x[:, i : i + K] @ kernel[i] for i in range(3))
    mean, variance = found["perfect.representation.stem.mean"], y.var(axis=(0, 1))
    assert np.allclose(mean, 0.1 * y.mean(axis=(0, 1)), atol=1e-5)
    assert np.allclose(
        found["perfect.representation.stem.variance"], 0.9 + 0.1 * variance, rtol=1e-4
    )


def test_all_but_running_means_and_variances_are_trained(arrays):
    marks = networks.arrays_of(networks.trained(networks.perfect_network(TINY, arrays)))
    for name, mark in marks.items():
        assert bool(mark) == (name.rpartition(".")[2] not in ("mean", "variance"))
    total = sum(arrays[name].size for name, mark in marks.items() if mark)
    assert total == num_parameters(TINY, "perfect")


def test_every_trained_array_has_a_gradient(arrays, planes):
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    network = networks.perfect_network(TINY, arrays)
    own, fixed = eqx.partition(network, networks.trained(network))

    @jax.jit
    def gradient(own):
        def loss(own):
            net = eqx.combine(own, fixed)
            hidden, net = net.represent(planes[:16], training=True)
            hidden, net = net.move(hidden, jnp.ones((16, 19, K)), training=True)
            logits, values, _ = net.predict(hidden, training=True)
            return -jax.nn.log_softmax(logits)[:, 7].mean() + (values[:, 0] - 1).mean() ** 2

        return jax.grad(loss)(own)

    found = networks.arrays_of(gradient(own))
    assert {name for name, array in found.items() if array.any()} == set(found)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"perfect.prediction.moves.kernel": None}, "no weights perfect.prediction.moves.kernel"),
        ({"perfect.colour": np.zeros(1, np.float32)}, "unknown weights perfect.colour"),
        ({"perfect.prediction.values.offset": np.zeros(3, np.float32)}, "expected float32 of"),
        ({"perfect.prediction.values.offset": np.zeros(4)}, "is float64 of shape"),
        ({"perfect.prediction.values.offset": np.full(4, np.nan, np.float32)}, "not finite"),
    ],
)
def test_wrong_arrays_are_refused(arrays, change, expected):
    given = {name: a for name, a in {**arrays, **change}.items() if a is not None}
    with pytest.raises(FileError, match=expected):
        networks.perfect_network(TINY, given)


def test_xla_computes_in_one_thread():
    assert networks.limit_threads()
    assert networks.XLA_FLAG in os.environ["XLA_FLAGS"].split()


@environment(XLA_FLAGS=None)
def test_the_limit_fails_once_jax_is_imported():
    assert not networks.limit_threads()


@environment(XLA_FLAGS="--xla_dump_to=here", NPROC="2")
def test_the_limit_extends_the_flags_of_the_user(monkeypatch):
    monkeypatch.delitem(sys.modules, "jax")  # not imported yet
    assert networks.limit_threads()
    assert os.environ["XLA_FLAGS"] == f"--xla_dump_to=here {networks.XLA_FLAG}"
    assert os.environ["NPROC"] == "1"
