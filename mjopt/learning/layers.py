"""Layers: the name and shape of every array of weights, and what it is at first.

Convolutions are ``(3, in, out)``, over the kinds; those of the residual blocks are stacked, two
to a block. Each but the last of a head is batch-normalised: scale, offset, and the running mean
and variance, which are no parameters.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from mjopt.game.rules import NUM_SEATS
from mjopt.learning.actions import DYNAMIC_CHANNELS, NUM_CHANNELS, NUM_DYNAMIC, NUM_TYPES
from mjopt.learning.config import ACTION_PLANES, Configuration

AgentKind = Literal["perfect", "normal"]
Arrays = dict[str, NDArray[Any]]
Shapes = Iterator[tuple[str, tuple[int, ...]]]

WIDTH: Final = 3
EPSILON: Final = 1e-5
"""Added to a variance before its root."""
STATISTICS: Final = ("mean", "variance")
NEAR_ZERO: Final = 0.01
"""What kernels of last layers are scaled with at first: nothing is preferred, or valued, yet."""


_LAST: Final = ("moves", "values")


def shapes_of(config: Configuration, agent: AgentKind) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array of an agent, by name.

    Examples
    --------
    >>> shapes = shapes_of(Configuration(), "perfect")
    >>> shapes["perfect.dynamics.stem.kernel"], shapes["perfect.dynamics.blocks.kernel"]
    ((3, 147, 128), (12, 2, 3, 128, 128))
    """
    named = _perfect(config) if agent == "perfect" else _normal(config)
    return {f"{agent}.{name}": shape for name, shape in named}


def _perfect(config: Configuration) -> Shapes:
    blocks, channels = config.blocks, config.channels
    yield from _tower("representation", config.num_planes, blocks, channels)
    yield from _tower("dynamics", channels + ACTION_PLANES, blocks, channels)
    yield from _normalised("prediction.policy", channels, config.policy_channels)
    yield from _output("prediction.moves", (WIDTH, config.policy_channels, NUM_CHANNELS))
    yield from _normalised("prediction.value", channels, config.value_channels)
    yield from _output(
        "prediction.hidden", (config.value_channels * config.kinds, config.value_width)
    )
    yield from _output("prediction.values", (config.value_width, NUM_SEATS))


def _normal(config: Configuration) -> Shapes:
    channels = config.normal_channels
    yield from _tower("tower", config.num_planes, config.normal_blocks, channels)
    yield from _normalised("policy", channels, config.normal_policy_channels)
    yield from _output("moves", (WIDTH, config.normal_policy_channels, NUM_TYPES))


def _tower(name: str, planes: int, blocks: int, channels: int) -> Shapes:
    yield from _normalised(f"{name}.stem", planes, channels)
    yield from _normalised(f"{name}.blocks", channels, channels, (blocks, 2))


def _normalised(name: str, before: int, after: int, stacked: tuple[int, ...] = ()) -> Shapes:
    yield f"{name}.kernel", (*stacked, WIDTH, before, after)
    for part in ("scale", "offset", *STATISTICS):
        yield f"{name}.{part}", (*stacked, after)


def _output(name: str, shape: tuple[int, ...]) -> Shapes:
    yield f"{name}.kernel", shape
    yield f"{name}.offset", shape[-1:]


def initial_arrays(config: Configuration, agent: AgentKind, rng: np.random.Generator) -> Arrays:
    """Return the arrays that training starts from: kernels are drawn, as He et al. (2015) do.

    Last layers begin near zero, and the perfect agent's moves as even over types of action as over
    the channels of each: else a pass, of 16 channels, would be tried where a win, of one, is not.

    Examples
    --------
    >>> from mjopt.learning.config import PRESETS
    >>> arrays = initial_arrays(PRESETS["tiny"], "normal", np.random.default_rng(1))
    >>> arrays["normal.tower.stem.kernel"].shape, arrays["normal.policy.variance"].tolist()
    ((3, 118, 8), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    """
    return {name: _initial(name, shape, rng) for name, shape in shapes_of(config, agent).items()}


def _initial(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    *_, layer, part = name.split(".")
    if part == "kernel":
        inputs = int(np.prod(shape[-3:-1]))
        drawn = rng.standard_normal(shape) * np.sqrt(2 / inputs)
        return np.asarray(drawn * (NEAR_ZERO if layer in _LAST else 1), dtype=np.float32)
    if layer == "moves" and part == "offset" and shape == (NUM_CHANNELS,):
        is_dynamic = np.arange(NUM_CHANNELS) < NUM_DYNAMIC * DYNAMIC_CHANNELS
        return np.asarray(np.where(is_dynamic, -np.log(DYNAMIC_CHANNELS), 0), dtype=np.float32)
    return np.full(shape, part in ("scale", "variance"), dtype=np.float32)


def num_parameters(config: Configuration, agent: AgentKind, part: str = "") -> int:
    """Count what is trained of an agent, or of one part of it.

    Examples
    --------
    >>> num_parameters(Configuration(), "perfect", "dynamics")
    1242496
    >>> num_parameters(Configuration(), "normal") / 1e6
    25.348106
    """
    return sum(
        int(np.prod(shape))
        for name, shape in shapes_of(config, agent).items()
        if name.startswith(f"{agent}.{part}") and name.rpartition(".")[2] not in STATISTICS
    )
