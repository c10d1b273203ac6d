"""Weights in one file: arrays by name, with the configuration that they belong to."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import atomic_open
from mjopt._internal.sanitize import short
from mjopt._internal.strict_json import read_json
from mjopt.errors import LearningError
from mjopt.learning.config import Configuration
from mjopt.learning.layers import AgentKind, Arrays, shapes_of

CONFIGURATION: Final = "configuration"


def save(path: Path, config: Configuration, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write weights and their configuration as one ``.npz``, whole or not at all.

    The same weights make the same bytes.

    Raises FileError, OSError if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.learning.config import PRESETS
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "w.npz"
    ...     save(file, PRESETS["tiny"], {"a": np.zeros(2)})
    ...     config, arrays = load(file)
    >>> config == PRESETS["tiny"], arrays
    (True, {'a': array([0., 0.])})
    """
    text = np.array(json.dumps(config.as_data(), sort_keys=True))
    members: dict[str, Any] = {CONFIGURATION: text, **arrays}
    with atomic_open(path) as file:
        np.savez(file, **members)


def load(path: Path, expected: Configuration | None = None) -> tuple[Configuration, Arrays]:
    """Read what :func:`save` wrote.

    Only those of the expected configuration will do, if there is one.

    Raises LearningError if it holds no weights, or those of another configuration, OSError if it
    cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        config = Configuration.from_data(read_json(str(arrays.pop(CONFIGURATION))))
    except (KeyError, EOFError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        why = str(error) if isinstance(error, LearningError) else "not an .npz with a configuration"
        raise LearningError(f"{path}: no weights of the learning agent ({short(why)})") from None
    except (zlib.error, NotImplementedError, MemoryError):
        raise LearningError(f"{path}: no weights of the learning agent (damaged)") from None
    if expected is not None and (told := config.differences(expected)):
        more = f" and {len(told) - 3} more" if len(told) > 3 else ""
        words = f"{', '.join(told[:3])}{more}"
        raise LearningError(f"{path}: weights of another configuration: {words}")
    return config, arrays


def load_agent(path: Path, agent: AgentKind) -> tuple[Configuration, Arrays]:
    """Read the weights of an agent, and refuse a file that lacks one or has it otherwise.

    Raises LearningError if it is not such a file, OSError if it cannot be read.
    """
    config, arrays = load(path)
    own = {name: array for name, array in arrays.items() if name.startswith(f"{agent}.")}
    if not own:
        others = ", ".join(sorted({name.partition(".")[0] for name in arrays})) or "nothing"
        raise LearningError(f"{path}: weights of {others}, expected those of a {agent} agent")
    check_arrays(own, config, agent, what=str(path))
    return config, own


def check_arrays(arrays: Arrays, config: Configuration, agent: AgentKind, *, what: str) -> None:
    """Refuse arrays that are not those of an agent of a configuration.

    Raises LearningError about the first of them, beginning with ``what``.
    """
    shapes = shapes_of(config, agent)
    for name in [*shapes, *(name for name in arrays if name not in shapes)]:
        if name not in arrays or name not in shapes:
            raise LearningError(f"{what}: {'no' if name in shapes else 'unknown'} weights {name}")
        array, shape = arrays[name], shapes[name]
        if array.shape != shape or array.dtype != np.float32:
            found = f"{array.dtype} of shape {array.shape}"
            raise LearningError(f"{what}: {name} is {found}, expected float32 of shape {shape}")
        if not np.isfinite(array).all():
            raise LearningError(f"{what}: {name} holds what is no number")
