"""The network of the normal agent in NumPy, compared with JAX and with plain sums."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import RULES, TINY, random_arrays, random_steps

from mjopt.errors import FileError
from mjopt.play.game import view_of
from mjopt.play.learning.agents import NumpyNetwork
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.planes import encode_view

STATES = 300


@pytest.fixture(scope="module")
def planes():
    steps = random_steps(RULES, 16, 8)[:STATES]
    return np.stack([encode_view(view_of(s, s.to_move), TINY) for s, *_ in steps])


def probabilities(logits):
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("preset", ["tiny", "small"])
def test_equals_the_network_in_jax(preset, planes):
    networks = pytest.importorskip(
        "mjopt.play.learning.networks", reason="training needs JAX", exc_type=ImportError
    )
    import jax

    config = PRESETS[preset]
    arrays = random_arrays(config, "normal", 4)
    arrays["normal.moves.kernel"] *= 10  # otherwise all are nearly equal
    network = networks.normal_network(config, arrays)
    there = np.asarray(jax.jit(lambda x: network.forward(x, training=False)[0])(planes))
    network = NumpyNetwork(config, arrays)
    here = np.stack([network.logits(one) for one in planes])
    assert here.shape == (STATES, 270)
    assert here.dtype == np.float32
    assert abs(probabilities(here) - probabilities(there)).max() <= 1e-5
    assert abs(here - there).max() <= 1e-5 * abs(there).max()
    assert probabilities(there).max() < 0.99
    assert (here.argmax(axis=1) == there.argmax(axis=1)).all()
    assert len(np.unique(here.argmax(axis=1))) > 1


def test_equals_plain_sums(planes):
    """One block in float64, with batch normalisation by its definition."""
    arrays = random_arrays(TINY, "normal", 5)

    def convolved(x, name, at=()):
        kernel = arrays[f"normal.{name}.kernel"][at].astype(float)
        y = np.zeros((x.shape[0], kernel.shape[-1]))
        for kind in range(len(x)):
            for place in range(3):
                if 0 <= kind + place - 1 < len(x):
                    y[kind] += x[kind + place - 1] @ kernel[place]
        if f"normal.{name}.mean" not in arrays:
            return y + arrays[f"normal.{name}.offset"]
        scale, offset, mean, variance = (
            arrays[f"normal.{name}.{part}"][at].astype(float)
            for part in ("scale", "offset", "mean", "variance")
        )
        return scale * (y - mean) / np.sqrt(variance + 1e-5) + offset

    network = NumpyNetwork(TINY, arrays)
    for one in planes[::200]:
        x = np.maximum(convolved(one.T.astype(float), "tower.stem"), 0)
        inner = np.maximum(convolved(x, "tower.blocks", (0, 0)), 0)
        x = np.maximum(x + convolved(inner, "tower.blocks", (0, 1)), 0)
        p = np.maximum(convolved(x, "policy"), 0)
        expected = convolved(p, "moves")
        found = network.logits(one)
        for kind in range(10):
            assert np.allclose(found[27 * kind : 27 * kind + 27], expected[:, kind], atol=1e-4)


def test_weights_of_another_configuration_are_refused():
    with pytest.raises(FileError, match="normal agent: normal.tower.stem.kernel is float32"):
        NumpyNetwork(replace(TINY, normal_channels=4), random_arrays(TINY, "normal", 1))
