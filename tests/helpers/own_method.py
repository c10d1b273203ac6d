"""A user-defined heuristic in a file: random predecompositions of the hand."""

from pathlib import Path

SOURCE = '''
"""Mine."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mjopt.hands.predecomposition import candidates
from mjopt.hands.predecomposition import Predecomposition
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import StopReason


@dataclass(frozen=True, kw_only=True)
class SA:
    tries: int = 3

    name: ClassVar[str] = "sa"
    is_random: ClassVar[bool] = True

    @property
    def num_generations(self):
        return self.tries

    def search(self, hand, *, rng, stop, target=None):
        found, best = candidates(hand), Predecomposition(hand, ())
        history = [best.cost()]
        for _ in range(self.tries):
            place = int(rng.integers(len(found)))
            best = min(best, Predecomposition(hand, (found[place],)), key=lambda one: one.cost())
            history.append(best.cost())
        return Result(
            value=best.cost(),
            predecomposition=best,
            evaluations=len(history),
            generations=len(history) - 1,
            history=tuple(history),
            stopped=StopReason.GENERATIONS,
            hit_evaluations=None,
            hit_generation=None,
        )
'''


def write_method(folder: Path, *edits: tuple[str, str], name: str = "sa.py") -> Path:
    """Write the file after text replacements."""
    source = SOURCE
    for old, new in edits:
        assert old in source
        source = source.replace(old, new)
    (folder / name).write_text(source)
    return folder / name
