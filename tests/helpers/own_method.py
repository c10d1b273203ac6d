"""A user-defined heuristic in a file: random predecompositions of the hand."""

from pathlib import Path

SOURCE = '''
"""Mine."""

from dataclasses import dataclass
from typing import ClassVar

from mjopt.heuristics import IterativeHeuristic


@dataclass(frozen=True, kw_only=True)
class SA(IterativeHeuristic):
    tries: int = 3
    generations: int = 2

    name: ClassVar[str] = "sa"

    def start(self, problem, rng):
        problem.evaluate([0] * problem.num_variables)
        return problem, rng

    def step(self, state):
        problem, rng = state
        for _ in range(self.tries):
            problem.evaluate(rng.uniform(*problem.bounds))
        return state
'''


def write_method(folder: Path, *edits: tuple[str, str], name: str = "sa.py") -> Path:
    """Write the file after text replacements."""
    source = SOURCE
    for old, new in edits:
        assert old in source
        source = source.replace(old, new)
    (folder / name).write_text(source)
    return folder / name
