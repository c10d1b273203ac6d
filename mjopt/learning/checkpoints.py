"""Where a training stands: one whole file, from which it goes on to the same weights."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from mjopt._internal.progress import Quiet, Watcher
from mjopt.errors import LearningError
from mjopt.learning import weights
from mjopt.learning.config import Configuration
from mjopt.learning.replay_buffer import Array, Samples
from mjopt.learning.training_curves import Row, write_curves

CHECKPOINT: Final = "checkpoint.npz"
WEIGHTS: Final = "weights.npz"
AT: Final = "at-"
PARTS: Final = 10
"""Weights on the way are kept as often: ``at-01.npz`` after the first tenth of the steps."""

Trees = dict[str, Any]
"""Arrays of a training by name: trees of JAX."""

T = TypeVar("T")


@dataclass(kw_only=True)
class TrainingState:
    """What a training knows of itself besides its arrays, fit for JSON."""

    settings: dict[str, Any]  # what it was begun with and its configuration does not tell
    step: int = 0  # steps taken
    version: int = 0  # versions that are finished
    seconds: float = 0.0  # how long it has taken so far
    curves: list[Row] = field(default_factory=list)  # what was measured on the way, a row a time


@dataclass(kw_only=True)
class TrainingRun:
    """A training in its folder, which it alone writes.

    Everything that happens between two checkpoints is a function of the first of them, of the
    configuration and the seed. So it does not matter where in between a process was killed.
    """

    folder: Path  # where it is kept
    config: Configuration  # what is trained
    settings: dict[str, Any]  # what else it depends on, the seed among them; fit for JSON
    progress: Watcher = field(default_factory=Quiet)  # who is told how far it is
    state: TrainingState = field(init=False)  # where it is
    _since: float = field(default=0.0, init=False)
    _total: int = field(default=0, init=False)

    @property
    def seed(self) -> int:
        """The seed of all that is drawn."""
        return int(self.settings["seed"])

    def begin(self, trees: Trees, total: int) -> Trees:
        """Go on from the checkpoint, if there is one; else write the first, of these trees.

        There are so many steps in total: weights on the way are kept after each tenth of them.

        Raises LearningError if the folder holds a training with another configuration or other
        settings.
        """
        self._since, self._total = time.perf_counter(), total
        found = self._read()
        if found is None:
            for left in (*self.folder.glob("samples-*.npz"), *self.folder.glob(f"{AT}*.npz")):
                left.unlink()
            self.state = TrainingState(settings=self.settings)
            self.keep(trees)
            return trees
        self.state, arrays = found
        write_curves(self.folder, self.state.curves)
        return {name: _restored(tree, arrays, name, self.folder) for name, tree in trees.items()}

    def keep(self, trees: Trees, row: Row | None = None) -> None:
        """Write a checkpoint, and the curves beside it with perhaps another row."""
        now = time.perf_counter()
        self.state.seconds += now - self._since
        self._since = now
        if row is not None:
            seconds = round(self.state.seconds, 1)
            self.state.curves.append({"step": self.state.step, **row, "seconds": seconds})
        part = self.state.step * PARTS // self._total
        on_the_way = self.folder / f"{AT}{part:02}.npz"
        if 0 < part < PARTS and not on_the_way.exists():
            from mjopt.learning.networks import arrays_of  # with JAX

            weights.save(on_the_way, self.config, arrays_of(trees["network"]))
        text = json.dumps(asdict(self.state))
        arrays = {"state": np.frombuffer(text.encode(), np.uint8)}
        for name, tree in trees.items():
            arrays |= {_key(name, i): leaf for i, leaf in enumerate(_leaves(tree))}
        weights.save(self.folder / CHECKPOINT, self.config, arrays)
        write_curves(self.folder, self.state.curves)

    def samples(self, number: int, games: range, play: Callable[[range], Samples]) -> Samples:
        """Return some games; if they are not in the folder yet, they are played."""
        path = self.samples_path(number)
        if path.exists():
            self.progress.advance(len(games))
        else:
            play(games).save(path)
        return Samples.load(path)

    def samples_path(self, number: int) -> Path:
        """Return where samples are kept."""
        return self.folder / f"samples-{number:04}.npz"

    def _read(self) -> tuple[TrainingState, dict[str, Array]] | None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return None
        found, arrays = weights.load(path)
        try:
            state = TrainingState(**json.loads(arrays.pop("state").tobytes()))
        except (KeyError, ValueError, TypeError):
            raise LearningError(f"{path}: no checkpoint of a training") from None
        ours, theirs = json.loads(json.dumps(self.settings)), state.settings
        differ = found.differences(self.config)
        differ += [
            f"{name} {theirs.get(name)}, not {ours.get(name)}"
            for name in {**theirs, **ours}
            if theirs.get(name) != ours.get(name)
        ]
        if differ:
            raise LearningError(f"{self.folder} was begun with {'; '.join(differ)}")
        return state, arrays


def find_snapshots(folder: Path) -> dict[float, Path]:
    """Return the weights that were kept on the way, by the share of the steps that was done."""
    return {int(path.stem[3:]) / PARTS: path for path in sorted(folder.glob(f"{AT}[0-9][0-9].npz"))}


def checkpoint_interval(total: int) -> int:
    """Return after how many steps a training measures itself and writes a checkpoint.

    Examples
    --------
    >>> [checkpoint_interval(total) for total in (44, 22_000, 1_200_000)]
    [10, 220, 500]
    """
    return min(max(total // 100, 10), 500)


def _key(name: str, place: int) -> str:
    return f"{name}.{place:04}"


def _leaves(tree: Any) -> list[Array]:
    import jax

    return [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]


def _restored(tree: T, arrays: Mapping[str, Array], name: str, folder: Path) -> T:
    """Return a tree like another, filled with the arrays kept under a name."""
    import jax

    leaves, shape = jax.tree_util.tree_flatten(tree)
    kept = [arrays.get(_key(name, i)) for i in range(len(leaves))]
    for leaf, old in zip(leaves, kept, strict=True):
        if old is None or np.shape(old) != np.shape(leaf) or old.dtype != np.asarray(leaf).dtype:
            raise LearningError(f"{folder / CHECKPOINT}: its arrays are of another network")
    restored: T = jax.tree_util.tree_unflatten(shape, [jax.numpy.asarray(old) for old in kept])
    return restored
