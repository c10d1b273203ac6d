"""Weights on the way of a training, for what is drawn over its steps."""

import json
from pathlib import Path
from typing import Final

import numpy as np

from mjopt.learning import weights
from mjopt.learning.checkpoints import CHECKPOINT, Progress
from mjopt.learning.configuration import Configuration
from mjopt.learning.layers import AgentKind, Arrays, initial_arrays

PARTS: Final = 10


class Snapshots:
    """Passes on what a training tells, and keeps its weights after each tenth of its steps.

    They are taken from the checkpoints as these are written, and from the one that a killed
    training left: it has the same ones in the end.
    """

    def __init__(
        self, progress: Progress, folder: Path, config: Configuration, kind: AgentKind
    ) -> None:
        self.progress, self.folder, self.config, self.kind = progress, folder, config, kind
        self.seen = (0, 0)

    def begin(self, total: float) -> None:
        """Pass on how much there is."""
        self.progress.begin(total)
        self._look()

    def advance(self, number: float = 1) -> None:
        """Pass on that more is done."""
        self.progress.advance(number)
        self._look()

    def say(self, text: str) -> None:
        """Pass on a line."""
        self.progress.say(text)

    def _look(self) -> None:
        path = self.folder / CHECKPOINT
        if not path.exists() or self.seen == (
            seen := (path.stat().st_ino, path.stat().st_mtime_ns)
        ):
            return
        self.seen = seen
        config, arrays = weights.load(path)
        part = json.loads(arrays["standing"].tobytes())["step"] * PARTS // _steps(config, self.kind)
        kept = self.folder / f"at-{part:02}.npz"
        # The training itself refuses another configuration.
        if config == self.config and 0 < part < PARTS and not kept.exists():
            weights.save(kept, config, arrays_in(config, self.kind, arrays))


def snapshots_in(folder: Path) -> dict[float, Path]:
    """Return the weights that were kept, by the share of the steps that was done."""
    return {int(path.stem[3:]) / PARTS: path for path in sorted(folder.glob("at-[0-9][0-9].npz"))}


def _steps(config: Configuration, kind: AgentKind) -> int:
    from mjopt.learning.normal_training import stages_of

    return config.steps if kind == "perfect" else sum(one.steps for one in stages_of(config))


def arrays_in(config: Configuration, kind: AgentKind, checkpoint: Arrays) -> Arrays:
    """Return the weights in the arrays of a checkpoint, by their names."""
    from mjopt.learning.networks import arrays_of, normal_network, perfect_network

    arrays = initial_arrays(config, kind, np.random.default_rng(0))
    make = perfect_network if kind == "perfect" else normal_network
    names = arrays_of(make(config, arrays))
    return {name: checkpoint[f"network.{place:04}"] for place, name in enumerate(names)}
