"""Checkpoints of a training: an interrupted training resumes to the same weights."""

import io
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt.errors import FileError
from mjopt.play.learning import weights
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.replay_buffer import Array, Samples
from mjopt.play.learning.training_curves import Row, write_curves

if TYPE_CHECKING:
    import optax

CONFIG: Final = "training.json"
CHECKPOINT: Final = "checkpoint"
AT: Final = "at-"
UNITS: Final = "units"
PARTS: Final = 10
"""Number of parts of a training; ``at-01.npz`` has the weights after the first tenth."""

Trees = dict[str, "optax.Params | optax.OptState"]
"""Trees of JAX arrays by name."""

T = TypeVar("T")


@dataclass(kw_only=True)
class TrainingState:
    """State of a training besides its arrays, fit for JSON."""

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
    settings: dict[str, int | str]  # other inputs, such as the seed; fit for JSON
    progress: Progress = field(default_factory=NoProgress)  # receives the progress
    jobs: int = 1  # processes that play the games of a teacher
    state: TrainingState = field(init=False)
    _store: UnitStore = field(init=False)  # the checkpoint and the samples
    _since: float = field(default=0.0, init=False)
    _total: int = field(default=0, init=False)
    _saved: int = field(default=0, init=False)  # steps of the last checkpoint

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return int(self.settings["seed"])

    def start_or_resume(self, trees: Trees, total: int) -> Trees:
        """Return the trees of the checkpoint, or write a first checkpoint of these trees.

        A snapshot of the weights is saved after each tenth of the total number of steps.

        Raises FileError if the folder holds a training with other settings or something else.
        """
        self._since, self._total = time.perf_counter(), total
        run = {**asdict(self.config), **self.settings}
        claim_run(self.folder, CONFIG, run, what="training")
        self._store = UnitStore(self.folder / UNITS, run)
        checkpoint = self._store.get(CHECKPOINT)
        if checkpoint is None:
            for key in self._store.all_keys():  # of a training whose checkpoint was removed
                self._store.remove(key)
            self.state = TrainingState()
            self.save_checkpoint(trees)
            return trees
        self.state = TrainingState(**checkpoint.facts)
        self._saved = self.state.step
        write_curves(self.folder, self.state.curves)
        with np.load(io.BytesIO(checkpoint.content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return {name: _restored(tree, arrays, name, self.folder) for name, tree in trees.items()}

    def save_checkpoint(self, trees: Trees, row: Row | None = None) -> None:
        """Write a checkpoint and the curves; ``row`` is appended to the curves."""
        now = time.perf_counter()
        self.state.seconds += now - self._since
        self._since = now
        if row is not None:
            seconds = round(self.state.seconds, 1)
            self.state.curves.append({"step": self.state.step, **row, "seconds": seconds})
        before, part = (step * PARTS // self._total for step in (self._saved, self.state.step))
        if before < part < PARTS:
            from mjopt.play.learning.networks import arrays_of  # with JAX

            snapshot = self.folder / f"{AT}{part:02}.npz"
            weights.save(snapshot, self.config, arrays_of(trees["network"]))
        arrays: dict[str, Any] = {}
        for name, tree in trees.items():
            arrays |= {_key(name, i): leaf for i, leaf in enumerate(_leaves(tree))}
        content = io.BytesIO()
        np.savez(content, **arrays)
        self._store.write(CHECKPOINT, asdict(self.state), content.getbuffer())
        self._saved = self.state.step
        write_curves(self.folder, self.state.curves)

    def samples(self, number: int, games: range, play: Callable[[range], Samples]) -> Samples:
        """Return the samples with a number; play their games first if they are missing."""
        key = _samples_key(number)
        if key in self._store:
            self.progress.advance(len(games))
        else:
            self._store.write(key, content=play(games).to_bytes())
        return self.stored_samples(number)

    def stored_samples(self, number: int) -> Samples:
        """Return the samples with a number, which were played before."""
        return Samples.from_bytes(self._store.read(_samples_key(number)).content)

    def remove_samples(self, number: int) -> None:
        """Remove the samples with a number, if they are stored."""
        self._store.remove(_samples_key(number))


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


def _samples_key(number: int) -> str:
    return f"samples-{number:04}"


def _key(name: str, index: int) -> str:
    return f"{name}.{index:04}"


def _leaves(tree: object) -> list[Array]:
    import jax

    return [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]


def _restored(tree: T, arrays: Mapping[str, Array], name: str, folder: Path) -> T:
    """Return a tree of the same structure, with the stored arrays of a name."""
    import jax

    leaves, shape = jax.tree_util.tree_flatten(tree)
    stored = [arrays.get(_key(name, i)) for i in range(len(leaves))]
    for leaf, old in zip(leaves, stored, strict=True):
        if old is None or np.shape(old) != np.shape(leaf) or old.dtype != np.asarray(leaf).dtype:
            raise FileError(f"{folder / CHECKPOINT}: arrays of another network")
    restored: T = jax.tree_util.tree_unflatten(shape, [jax.numpy.asarray(old) for old in stored])
    return restored
