"""A third-party method, installed as a package with an entry point."""

from pathlib import Path

SOURCE = '''
"""Looks at random handfuls of elements of S."""

import time
from dataclasses import dataclass
from typing import ClassVar

from mjopt.hands.predecomposition import candidates
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import StopReason
from mjopt.hands.predecomposition import Predecomposition


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    tries: int = 10
    pause: float = 0.0
    fails: bool = False

    name: ClassVar[str] = "toy"
    is_random: ClassVar[bool] = True

    @property
    def num_generations(self):
        return self.tries - 1

    def search(self, hand, *, rng, stop, target=None):
        if self.fails:
            raise RuntimeError("out of ideas")
        busy = time.process_time() + self.pause
        while time.process_time() < busy:
            pass
        found = candidates(hand)
        best = Predecomposition(hand, ())
        history, hit = [], None
        for number in range(self.tries):
            blocks, left = [], list(hand.counts)
            for place in rng.permutation(len(found))[:5]:
                kinds = found[place].kinds
                if all(kinds.count(kind) <= left[kind] for kind in kinds):
                    blocks.append(found[place])
                    for kind in kinds:
                        left[kind] -= 1
            other = Predecomposition(hand, tuple(blocks))
            best = min(best, other, key=lambda one: one.cost())
            history.append(best.cost())
            if hit is None and target is not None and best.cost() <= target:
                hit = number
                if stop.value is not None:
                    break
        return Result(
            value=best.cost(),
            predecomposition=best,
            evaluations=len(history),
            generations=len(history) - 1,
            history=tuple(history),
            stopped=StopReason.REACHED if hit is not None and stop.value is not None
            else StopReason.GENERATIONS,
            hit_evaluations=None if hit is None else hit + 1,
            hit_generation=hit,
        )
'''


def install_toy(folder: Path) -> Path:
    """Install the package into a folder, which must be on the path."""
    info = folder / "toy_method_of_mine-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "toy_method_of_mine.py").write_text(SOURCE)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: toy-method-of-mine\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text("[mjopt.heuristics]\ntoy = toy_method_of_mine:Toy\n")
    return folder
