"""Weights of the networks: names and shapes of all arrays, initial values, and their file.

Convolutions have shape ``(3, in, out)`` and run over the kinds; those of the residual blocks are
stacked, two to a block. All but the last of a head are batch-normalised: scale, offset, and the
running mean and variance, which are not trained.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import atomic_path
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.learning.actions import DYNAMIC_CHANNELS, NUM_CHANNELS, NUM_DYNAMIC, NUM_TYPES
from mjopt.play.learning.config import ACTION_PLANES, Configuration

AgentKind = Literal["perfect", "normal"]
Arrays = dict[str, NDArray[np.float32]]
Shapes = Iterator[tuple[str, tuple[int, ...]]]

WIDTH: Final = 3
EPSILON: Final = 1e-5
"""Added to a variance before its square root."""
STATISTICS: Final = ("mean", "variance")
NEAR_ZERO: Final = 0.01
"""Initial scale of the kernels of last layers: all actions and values start nearly equal."""


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
    """Return initial arrays: random kernels as by He et al. (2015).

    Last layers start near zero. The perfect agent's initial priors are equal over action types, not
    over channels: otherwise a pass with 16 channels would be searched before a win with one.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
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
    """Count the trained parameters of an agent, or of one part of it.

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


CONFIGURATION: Final = "configuration"
WEIGHTS: Final = "weights.npz"
"""Name of the trained weights in the folder of a training."""


def save(path: Path, config: Configuration, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write weights and their configuration atomically as one ``.npz``.

    Equal weights give equal bytes.

    Raises FileError if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.play.learning.config import PRESETS
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "w.npz"
    ...     save(file, PRESETS["tiny"], {"a": np.zeros(2)})
    ...     config, arrays = load(file)
    >>> config == PRESETS["tiny"], arrays
    (True, {'a': array([0., 0.])})
    """
    text = np.array(json.dumps(config.as_data(), sort_keys=True))
    members: dict[str, Any] = {CONFIGURATION: text, **arrays}
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **members)


def read_arrays(path: Path) -> Arrays:
    """Read all arrays of an ``.npz``; ValueError if it is damaged, OSError if it cannot be read."""
    with path.open("rb") as file:
        try:
            with np.load(file, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except Exception as error:  # of many types: zipfile, zlib, tokenize, NumPy
            raise ValueError(f"damaged ({type(error).__name__})") from None


def load(path: Path, expected: Configuration | None = None) -> tuple[Configuration, Arrays]:
    """Read a file of :func:`save`.

    Raises FileError if it does not hold weights, or those of another configuration than the
    expected one, OSError if it cannot be read.
    """
    try:
        arrays = read_arrays(path)
        document = read_json(str(arrays.pop(CONFIGURATION)))
        if not isinstance(document, dict):
            raise TypeError("expected an object")
        config = Configuration.from_data(document)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        why = str(error) if isinstance(error, ArgumentError) else "not an .npz with a configuration"
        raise FileError(
            f"not weights of the learning agent ({shorten(why)})", argument=str(path)
        ) from None
    if expected is not None and (differences := config.differences(expected)):
        more = f" and {len(differences) - 3} more" if len(differences) > 3 else ""
        shown = f"{', '.join(differences[:3])}{more}"
        raise FileError(f"weights of another configuration: {shown}", argument=str(path))
    return config, arrays


def weights_file(path: Path) -> Path:
    """Return the file of weights: the path itself, or ``weights.npz`` in a training folder."""
    return path / WEIGHTS if path.is_dir() else path


def load_agent(path: Path, agent: AgentKind) -> tuple[Configuration, Arrays]:
    """Read the weights of an agent.

    Raises FileError if an array is missing or has another shape, OSError if the file cannot be
    read.
    """
    config, arrays = load(path)
    own = {name: array for name, array in arrays.items() if name.startswith(f"{agent}.")}
    if not own:
        others = ", ".join(sorted({name.partition(".")[0] for name in arrays})) or "nothing"
        raise FileError(
            f"weights of {others}", argument=str(path), expected=f"those of a {agent} agent"
        )
    check_arrays(own, config, agent, what=str(path))
    return config, own


def check_arrays(arrays: Arrays, config: Configuration, agent: AgentKind, *, what: str) -> None:
    """Check that arrays are those of an agent with a configuration.

    Raises FileError about the first wrong one; the message starts with ``what``.
    """
    shapes = shapes_of(config, agent)
    for name in [*shapes, *(name for name in arrays if name not in shapes)]:
        if name not in arrays or name not in shapes:
            raise FileError(
                f"{('no' if name in shapes else 'unknown')} weights {name}", argument=what
            )
        array, shape = arrays[name], shapes[name]
        if array.shape != shape or array.dtype != np.float32:
            actual = f"{array.dtype} of shape {array.shape}"
            raise FileError(
                f"{name} is {actual}", argument=what, expected=f"float32 of shape {shape}"
            )
        if not np.isfinite(array).all():
            raise FileError(f"{name} holds values that are not finite", argument=what)
