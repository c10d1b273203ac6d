"""Checkpoints of a training: an interrupted training resumes to the same weights."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from mjopt._internal.files import claim_folder
from mjopt._internal.progress import NoProgress, Progress
from mjopt.errors import LearningError
from mjopt.play.learning import weights
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.replay_buffer import Array, Samples
from mjopt.play.learning.training_curves import Row, write_curves

CHECKPOINT: Final = "checkpoint.npz"
AT: Final = "at-"
PARTS: Final = 10
"""Number of parts of a training; ``at-01.npz`` has the weights after the first tenth."""

Trees = dict[str, Any]
"""Trees of JAX arrays by name."""

T = TypeVar("T")


@dataclass(kw_only=True)
class TrainingState:
    """State of a training besides its arrays, fit for JSON."""

    settings: dict[str, Any]  # all inputs besides the configuration
    step: int = 0  # finished steps
    version: int = 0  # finished versions
    seconds: float = 0.0  # over all runs
    curves: list[Row] = field(default_factory=list)  # one row for each measurement


@dataclass(kw_only=True)
class TrainingRun:
    """A training in its folder.

    Everything between two checkpoints is a function of the first one, the configuration and the
    seed, so the result does not depend on where a process was killed.
    """

    folder: Path
    config: Configuration
    settings: dict[str, Any]  # other inputs, such as the seed; fit for JSON
    progress: Progress = field(default_factory=NoProgress)  # receives the progress
    state: TrainingState = field(init=False)
    _since: float = field(default=0.0, init=False)
    _total: int = field(default=0, init=False)

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return int(self.settings["seed"])

    def start_or_resume(self, trees: Trees, total: int) -> Trees:
        """Return the trees of the checkpoint, or write a first checkpoint of these trees.

        A snapshot of the weights is saved after each tenth of the total number of steps.

        Raises LearningError if the folder has a training with other settings.
        """
        self._since, self._total = time.perf_counter(), total
        claim_folder(self.folder, [CHECKPOINT], "training")
        checkpoint = self._read()
        if checkpoint is None:
            for stale in (*self.folder.glob("samples-*.npz"), *self.folder.glob(f"{AT}*.npz")):
                stale.unlink()
            self.state = TrainingState(settings=self.settings)
            self.save_checkpoint(trees)
            return trees
        self.state, arrays = checkpoint
        write_curves(self.folder, self.state.curves)
        return {name: _restored(tree, arrays, name, self.folder) for name, tree in trees.items()}

    def save_checkpoint(self, trees: Trees, row: Row | None = None) -> None:
        """Write a checkpoint and the curves; ``row`` is appended to the curves."""
        now = time.perf_counter()
        self.state.seconds += now - self._since
        self._since = now
        if row is not None:
            seconds = round(self.state.seconds, 1)
            self.state.curves.append({"step": self.state.step, **row, "seconds": seconds})
        part = self.state.step * PARTS // self._total
        snapshot = self.folder / f"{AT}{part:02}.npz"
        if 0 < part < PARTS and not snapshot.exists():
            from mjopt.play.learning.networks import arrays_of  # with JAX

            weights.save(snapshot, self.config, arrays_of(trees["network"]))
        text = json.dumps(asdict(self.state))
        arrays = {"state": np.frombuffer(text.encode(), np.uint8)}
        for name, tree in trees.items():
            arrays |= {_key(name, i): leaf for i, leaf in enumerate(_leaves(tree))}
        weights.save(self.folder / CHECKPOINT, self.config, arrays)
        write_curves(self.folder, self.state.curves)

    def samples(self, number: int, games: range, play: Callable[[range], Samples]) -> Samples:
        """Return the samples with a number; play their games first if the file is missing."""
        path = self.samples_path(number)
        if path.exists():
            self.progress.advance(len(games))
        else:
            play(games).save(path)
        return Samples.load(path)

    def samples_path(self, number: int) -> Path:
        """Return the file of the samples with a number."""
        return self.folder / f"samples-{number:04}.npz"

    def _read(self) -> tuple[TrainingState, dict[str, Array]] | None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return None
        config, arrays = weights.load(path)
        try:
            state = TrainingState(**json.loads(arrays.pop("state").tobytes()))
        except (KeyError, ValueError, TypeError):
            raise LearningError(f"{path}: not a checkpoint of a training") from None
        ours, theirs = json.loads(json.dumps(self.settings)), state.settings
        differ = config.differences(self.config)
        differ += [
            f"{name} {theirs.get(name)}, not {ours.get(name)}"
            for name in {**theirs, **ours}
            if theirs.get(name) != ours.get(name)
        ]
        if differ:
            raise LearningError(f"{self.folder}: its training has {'; '.join(differ)}")
        return state, arrays


def find_snapshots(folder: Path) -> dict[float, Path]:
    """Return the snapshots of the weights by the share of steps done."""
    return {int(path.stem[3:]) / PARTS: path for path in sorted(folder.glob(f"{AT}[0-9][0-9].npz"))}


def checkpoint_interval(total: int) -> int:
    """Return the number of steps between two checkpoints.

    Examples
    --------
    >>> [checkpoint_interval(total) for total in (44, 22_000, 1_200_000)]
    [10, 220, 500]
    """
    return min(max(total // 100, 10), 500)


def _key(name: str, index: int) -> str:
    return f"{name}.{index:04}"


def _leaves(tree: Any) -> list[Array]:
    import jax

    return [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]


def _restored(tree: T, arrays: Mapping[str, Array], name: str, folder: Path) -> T:
    """Return a tree of the same structure, with the stored arrays of a name."""
    import jax

    leaves, shape = jax.tree_util.tree_flatten(tree)
    stored = [arrays.get(_key(name, i)) for i in range(len(leaves))]
    for leaf, old in zip(leaves, stored, strict=True):
        if old is None or np.shape(old) != np.shape(leaf) or old.dtype != np.asarray(leaf).dtype:
            raise LearningError(f"{folder / CHECKPOINT}: arrays of another network")
    restored: T = jax.tree_util.tree_unflatten(shape, [jax.numpy.asarray(old) for old in stored])
    return restored
