"""The networks in JAX: representation, dynamics and prediction; the normal agent.

Internal arrays have shape ``(B, K, channels)``; public functions take and return
``(B, channels, K)``. Networks are immutable trees of arrays: in training a call returns its output
and the network with updated running means.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.planes import action_planes
from mjopt.play.learning.weights import EPSILON, STATISTICS, AgentKind, Arrays, check_arrays

need("jax", "equinox", extra="learning")

XLA_FLAG: Final = "--xla_cpu_multi_thread_eigen=false"
"""Do not split sums over threads."""


def limit_threads() -> bool:
    """Limit XLA to one thread, so that equal seeds give equal weights.

    Returns False if JAX was imported before with other settings.
    """
    flags = os.environ.get("XLA_FLAGS", "").split()
    is_limited = XLA_FLAG in flags and os.environ.get("NPROC") == "1"
    if is_limited or "jax" in sys.modules:
        return is_limited
    os.environ["XLA_FLAGS"] = " ".join([*(flag for flag in flags if flag != XLA_FLAG), XLA_FLAG])
    os.environ["NPROC"] = "1"  # size of XLA's thread pools
    return True


limit_threads()

import equinox as eqx  # noqa: E402 (after the limit)
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import Array  # noqa: E402

Network = TypeVar("Network")
Module = TypeVar("Module", bound=eqx.Module)
MEMORY: Final = 0.9
"""Decay of the running means."""
ROWS: Final = 64
"""Rows of every call: the last bits of an output depend on this number, so it is fixed."""


class Convolution(eqx.Module):  # type: ignore[misc]
    """A batch-normalised convolution of width 3 over the kinds, or a stack of them."""

    kernel: Array
    scale: Array
    offset: Array
    mean: Array
    variance: Array

    def forward(self, x: Array, *, training: bool) -> tuple[Array, "Convolution"]:
        """Return the output, and the convolution with updated running means."""
        x, after, statistics = _convolve(x, self.kernel), self, (self.mean, self.variance)
        if training:
            before, statistics = statistics, (x.mean(axis=(0, 1)), x.var(axis=(0, 1)))
            now = jax.lax.stop_gradient(statistics)
            mean, variance = jax.tree.map(lambda b, n: MEMORY * b + (1 - MEMORY) * n, before, now)
            after = replace(self, mean=mean, variance=variance)
        mean, variance = statistics
        factor = self.scale * jax.lax.rsqrt(variance + EPSILON)
        return (x - mean) * factor + self.offset, after


class Output(eqx.Module):  # type: ignore[misc]
    """The last layer of a head, or a dense layer: a kernel and an offset."""

    kernel: Array
    offset: Array


class Tower(eqx.Module):  # type: ignore[misc]
    """A convolution, then residual blocks of two convolutions each."""

    stem: Convolution
    blocks: Convolution  # stacked: (blocks, 2, ...)

    def forward(self, x: Array, *, training: bool) -> tuple[Array, "Tower"]:
        """Return the output for ``(B, K, planes)``, and the updated tower."""
        x, stem = self.stem.forward(x, training=training)
        x, statistics = jax.nn.relu(x), []
        # Not jax.lax.scan: inside it the gradient of a kernel takes 20 times as long on a CPU.
        for block in range(len(self.blocks.kernel)):
            first, second = (
                jax.tree.map(lambda leaf, at=(block, i): leaf[at], self.blocks) for i in range(2)
            )
            inner, first = first.forward(x, training=training)
            inner, second = second.forward(jax.nn.relu(inner), training=training)
            x = jax.nn.relu(x + inner)
            means = jnp.stack([first.mean, second.mean])
            statistics.append((means, jnp.stack([first.variance, second.variance])))
        if not training:
            return x, self
        mean, variance = (jnp.stack(parts) for parts in zip(*statistics, strict=True))
        blocks = replace(self.blocks, mean=mean, variance=variance)
        return x, replace(self, stem=stem, blocks=blocks)


class Prediction(eqx.Module):  # type: ignore[misc]
    """Head: from a hidden state 55 channels for every kind, and four values."""

    policy: Convolution
    moves: Output
    value: Convolution
    hidden: Output
    values: Output

    def forward(self, x: Array, *, training: bool) -> tuple[Array, Array, "Prediction"]:
        """Return logits ``(B, 55 K)``, values ``(B, 4)`` by tanh, and the updated head."""
        p, policy = self.policy.forward(x, training=training)
        v, value = self.value.forward(x, training=training)
        logits = _flatten(_convolve(jax.nn.relu(p), self.moves.kernel) + self.moves.offset)
        v = _flatten(jax.nn.relu(v)) @ self.hidden.kernel + self.hidden.offset
        values = jnp.tanh(jax.nn.relu(v) @ self.values.kernel + self.values.offset)
        return logits, values, replace(self, policy=policy, value=value)


class PerfectNetwork(eqx.Module):  # type: ignore[misc]
    """Representation, dynamics and prediction."""

    representation: Tower
    dynamics: Tower
    prediction: Prediction

    def represent(self, planes: Array, *, training: bool) -> tuple[Array, "PerfectNetwork"]:
        """Return hidden states ``(B, K, C)`` of planes ``(B, 118, K)``, and the updated network."""
        hidden, tower = self.representation.forward(_channels_last(planes), training=training)
        return hidden, replace(self, representation=tower)

    def move(
        self, hidden: Array, actions: Array, *, training: bool
    ) -> tuple[Array, "PerfectNetwork"]:
        """Return the next hidden states after actions, given as planes ``(B, 19, K)``."""
        both = jnp.concatenate([hidden, _channels_last(actions)], axis=-1)
        hidden, tower = self.dynamics.forward(both, training=training)
        return hidden, replace(self, dynamics=tower)

    def predict(self, hidden: Array, *, training: bool) -> tuple[Array, Array, "PerfectNetwork"]:
        """Return logits ``(B, 55 K)``, values ``(B, 4)`` and the updated network."""
        logits, values, head = self.prediction.forward(hidden, training=training)
        return logits, values, replace(self, prediction=head)


class NormalNetwork(eqx.Module):  # type: ignore[misc]
    """The normal agent's network: a tower and a policy."""

    tower: Tower
    policy: Convolution
    moves: Output

    def forward(self, planes: Array, *, training: bool) -> tuple[Array, "NormalNetwork"]:
        """Return logits ``(B, 10 K)`` of planes ``(B, 118, K)``, and the updated network."""
        x, tower = self.tower.forward(_channels_last(planes), training=training)
        p, policy = self.policy.forward(x, training=training)
        logits = _flatten(_convolve(jax.nn.relu(p), self.moves.kernel) + self.moves.offset)
        return logits, replace(self, tower=tower, policy=policy)


def perfect_network(config: Configuration, arrays: Arrays) -> PerfectNetwork:
    """Return the perfect agent's networks with these weights.

    Raises ArgumentError if the arrays do not fit the configuration.
    """
    return _build(PerfectNetwork, _agent_arrays(arrays, config, "perfect"))


def normal_network(config: Configuration, arrays: Arrays) -> NormalNetwork:
    """Return the normal agent's network with these weights.

    Raises ArgumentError if the arrays do not fit the configuration.
    """
    return _build(NormalNetwork, _agent_arrays(arrays, config, "normal"))


def arrays_of(network: PerfectNetwork | NormalNetwork) -> Arrays:
    """Return the weights of a network by name, as :mod:`mjopt.play.learning.weights` names them."""
    agent: AgentKind = "perfect" if isinstance(network, PerfectNetwork) else "normal"
    leaves, _ = jax.tree_util.tree_flatten_with_path(network)
    return {
        ".".join([agent, *(str(key.name) for key in path)]): np.asarray(leaf)
        for path, leaf in leaves
    }


def trained(network: Network) -> Network:
    """Return a network with True for each trained array: all but running means and variances.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> from mjopt.play.learning.weights import initial_arrays
    >>> config = PRESETS["tiny"]
    >>> arrays = initial_arrays(config, "normal", np.random.default_rng(1))
    >>> spec = trained(normal_network(config, arrays))
    >>> spec.policy.kernel, spec.policy.mean, spec.moves.offset
    (True, False, True)
    """
    marked: Network = jax.tree_util.tree_map_with_path(
        lambda path, _: path[-1].name not in STATISTICS, network
    )
    return marked


class PerfectModel:
    """The perfect agent's networks as the model of a search: NumPy in and out.

    Batches are split and padded to ``rows`` rows: with the same number a row has the same output
    bit for bit, whatever the other rows are.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> from mjopt.play.learning.weights import initial_arrays
    >>> config = PRESETS["tiny"]
    >>> model = PerfectModel(config, initial_arrays(config, "perfect", np.random.default_rng(1)))
    >>> hidden, priors, values = model.start(np.zeros((3, 118, 27)))
    >>> hidden, priors, values = model.follow(hidden, np.array([0, 5, 1484]))
    >>> hidden.shape, priors.shape, values.shape, bool((abs(priors.sum(1) - 1) < 1e-5).all())
    ((3, 8, 27), (3, 1485), (3, 4), True)
    """

    def __init__(
        self, config: Configuration, network: PerfectNetwork | Arrays, *, rows: int = ROWS
    ) -> None:
        self.config, self.rows = config, rows
        is_arrays = isinstance(network, Mapping)
        self.network = perfect_network(config, network) if is_arrays else network

    def start(self, planes: NDArray[np.number]) -> tuple[NDArray[np.float32], ...]:
        """Return states, priors and values.

        For planes ``(B, 118, K)`` of any type: hidden states ``(B, C, K)``; priors ``(B, 55 K)``,
        which are probabilities; values ``(B, 4)`` from -1 to 1, in turn order from the current
        player. All float32.
        """
        return self._in_batches(_start, planes.astype(np.float32))

    def follow(
        self, hidden: NDArray[np.float32], full_numbers: NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], ...]:
        """Return states, priors and values after actions.

        Hidden states have shape ``(B, C, K)``, full numbers of actions ``(B,)``.
        """
        actions = action_planes(full_numbers, self.config.kinds)
        return self._in_batches(_follow, hidden, actions)

    def _in_batches(
        self, call: Callable[..., tuple[Array, ...]], *arrays: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], ...]:
        """Call with ``rows`` rows at a time, the last batch padded with zeros."""
        total = len(arrays[0])
        parts = []
        for first in range(0, total, self.rows):
            cut = [array[first : first + self.rows] for array in arrays]
            if (missing := self.rows - len(cut[0])) > 0:
                cut = [np.concatenate([x, np.zeros((missing, *x.shape[1:]), x.dtype)]) for x in cut]
            parts.append([np.asarray(part) for part in call(self.network, *cut)])
        return tuple(np.concatenate(part)[:total] for part in zip(*parts, strict=True))


@jax.jit  # type: ignore[untyped-decorator]
def _start(network: PerfectNetwork, planes: Array) -> tuple[Array, Array, Array]:
    hidden, _ = network.represent(planes, training=False)
    return _predictions(network, hidden)


@jax.jit  # type: ignore[untyped-decorator]
def _follow(network: PerfectNetwork, hidden: Array, actions: Array) -> tuple[Array, Array, Array]:
    hidden, _ = network.move(_channels_last(hidden), actions, training=False)
    return _predictions(network, hidden)


def _predictions(network: PerfectNetwork, hidden: Array) -> tuple[Array, Array, Array]:
    logits, values, _ = network.predict(hidden, training=False)
    return jnp.swapaxes(hidden, 1, 2), jax.nn.softmax(logits), values


def _agent_arrays(arrays: Arrays, config: Configuration, agent: AgentKind) -> dict[str, Array]:
    own = {name: array for name, array in arrays.items() if name.startswith(f"{agent}.")}
    check_arrays(own, config, agent, what=f"{agent} agent")
    return {name.partition(".")[2]: jnp.asarray(array) for name, array in own.items()}


def _build(kind: type[Module], own: dict[str, Array], name: str = "") -> Module:
    """Return a module, with all its submodules, from the arrays below a name."""
    parts = {f"{name}{part.name}": cast("type[eqx.Module]", part.type) for part in fields(kind)}
    built = (own[k] if v is Array else _build(v, own, f"{k}.") for k, v in parts.items())
    module: Module = kind(*built)
    return module


def _channels_last(x: Array) -> Array:
    """Return ``(B, K, channels)`` in float32 for ``(B, channels, K)``."""
    return jnp.swapaxes(jnp.asarray(x, jnp.float32), 1, 2)


def _convolve(x: Array, kernel: Array) -> Array:
    return jax.lax.conv_general_dilated(
        x, kernel, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")
    )


def _flatten(x: Array) -> Array:
    """Return ``(B, channels * K)`` for ``(B, K, channels)``: number K * channel + kind."""
    return jnp.swapaxes(x, 1, 2).reshape(len(x), -1)
