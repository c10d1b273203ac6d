"""Which tests kill which mutants: `python -m tools.kill_matrix FILE...` sums up several runs.

`python -m tools.mutants` writes such a file. A test that other tests of a mutant made unnecessary
has not run on it, unless ``--further`` let it; the number of mutants that it ran on stands with it.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self


@dataclass(slots=True)
class MatrixRow:
    """One test, and the number of mutants that it ran on."""

    seconds: float  # without a mutant
    is_slow: bool  # left out by `make test`
    runs: int = 0


@dataclass(frozen=True, slots=True)
class KillMatrix:
    """The tests that failed on each mutant, in the order in which they ran; and all tests."""

    mutants: dict[str, list[str]] = field(default_factory=dict)
    tests: dict[str, MatrixRow] = field(default_factory=dict)

    @classmethod
    def from_json(cls, found: dict[str, dict[str, Any]]) -> Self:
        """Return the matrix whose fields a JSON document holds."""
        tests = {node: MatrixRow(**test) for node, test in found["tests"].items()}
        return cls(found["mutants"], tests)

    def write(self, path: Path) -> None:
        """Write the fields as a JSON document."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")

    def add(self, other: "KillMatrix") -> None:
        """Add the mutants and the runs of another matrix."""
        for mutant, failed in other.mutants.items():
            before = self.mutants.setdefault(mutant, [])
            before += [test for test in failed if test not in before]
        for node, test in other.tests.items():
            known = self.tests.setdefault(node, MatrixRow(test.seconds, test.is_slow))
            known.runs += test.runs

    def is_slow(self, node: str) -> bool:
        """Return whether a test is slow; what fails before all tests, such as an import, is not."""
        return node in self.tests and self.tests[node].is_slow

    def survivors(self) -> list[str]:
        """Return the mutants that no test kills."""
        return [mutant for mutant, failed in self.mutants.items() if not failed]

    def killed_by_slow_alone(self) -> dict[str, list[str]]:
        """Return the mutants that slow tests alone kill."""
        return {
            mutant: failed
            for mutant, failed in self.mutants.items()
            if failed and all(map(self.is_slow, failed))
        }

    def idle_tests(self) -> list[str]:
        """Return the tests that ran on mutants and killed none, the longest first."""
        kills = Counter(test for failed in self.mutants.values() for test in failed)
        idle = [node for node, test in self.tests.items() if test.runs and not kills[node]]
        return sorted(idle, key=lambda node: -self.tests[node].seconds)

    def summary(self) -> str:
        """Return how many mutants the quick tests kill, all tests, and none."""
        number, slow, none = len(self.mutants), self.killed_by_slow_alone(), self.survivors()
        killed = number - len(none)

        def share(part: int) -> str:
            return f"{part} ({100 * part / max(1, number):.1f} %)"

        text = f"{number} mutants run: {share(killed - len(slow))} killed by quick tests"
        if any(test.is_slow for test in self.tests.values()):
            text += f", {share(killed)} by all tests"
        return text


def report(matrix: KillMatrix, least: int) -> Iterator[str]:
    """Yield the lines of a report; tests that ran on fewer mutants than ``least`` are left out."""
    yield matrix.summary()
    yield "killed by none:"
    yield from matrix.survivors()
    yield "killed by slow tests alone, the first one as a line of tests/quick_tests.txt:"
    for mutant, failed in matrix.killed_by_slow_alone().items():
        first = min(failed, key=lambda node: matrix.tests[node].seconds)
        yield f"{first}  # {mutant}"
    yield f"tests that killed none of {least} mutants or more, with seconds and mutants:"
    for node in matrix.idle_tests():
        if (test := matrix.tests[node]).runs >= least:
            yield f"{node}  # {test.seconds:.2f} s, {test.runs}"


def combined(paths: Iterable[Path]) -> KillMatrix:
    """Return the sum of several files."""
    matrix = KillMatrix()
    for path in paths:
        matrix.add(KillMatrix.from_json(json.loads(path.read_text("utf-8"))))
    return matrix


def main() -> None:
    """Print the report of several files."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tools.kill_matrix")
    parser.add_argument("files", nargs="+", type=Path, help="such as build/mutants.json")
    parser.add_argument(
        "--least", type=int, default=20, help="mutants that an idle test must have run on"
    )
    options = parser.parse_args()
    print(*report(combined(options.files), options.least), sep="\n")


if __name__ == "__main__":
    main()
