"""A third-party method, installed as a package with an entry point."""

from pathlib import Path

from helpers.surroundings import install
from helpers.waits import BRIEF, FOREVER

SOURCE = f'''
"""Looks at random handfuls of elements of S."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from mjopt.heuristics import IterativeHeuristic


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy(IterativeHeuristic):
    generations: int = 9
    fails: bool = False

    name: ClassVar[str] = "toy"

    def start(self, problem, rng):
        if self.fails:
            raise RuntimeError("out of ideas")
        if folder := os.environ.get("TOY_FOLDER"):  # takes long, and for ever after the first unit
            is_begun = any(Path(folder).glob("units/*.unit"))
            time.sleep({FOREVER} if is_begun else {BRIEF})
        return self.step((problem, rng))

    def step(self, state):
        problem, rng = state
        problem.evaluate(rng.uniform(*problem.bounds))
        return state
'''


def install_toy(folder: Path) -> Path:
    """Install the package into a folder, which must be on the path."""
    points = "[mjopt.heuristics]\ntoy = toy_method_of_mine:Toy\n"
    return install(folder, "toy_method_of_mine", SOURCE, points)
