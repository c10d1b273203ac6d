"""Measure all tests and list the slow ones: `python -m tools.slow_tests`, about 20 minutes.

A test is slow if it takes more than .3 s of processor time, unless it alone kills a mutant:
``tests/quick_tests.txt`` lists these with their mutants. With files or folders as arguments, only
their tests are measured, and the lines of the others stay.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.helpers.cost_plugin import KEPT, MEASURED, SLOW, read_list

MOST = 0.3  # seconds of processor time
HEADER = """# Tests of more than .3 s of processor time, which `make test` leaves to `make test-slow`.
# Written by `python -m tools.slow_tests`.
"""


def measure(paths: list[str]) -> dict[str, float]:
    """Run tests and return the processor seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *paths]
        subprocess.run(command, env={**os.environ, MEASURED: folder}, check=False)
        lines = [line for path in Path(folder).iterdir() for line in path.open(encoding="utf-8")]
    return {node: cost for node, cost, _ in map(json.loads, lines)}


def slow_tests(costs: dict[str, float], kept: frozenset[str]) -> list[str]:
    """Return the slow tests: each case, or the test without its cases if all are slow.

    Examples
    --------
    >>> slow_tests({"a::b[1]": 1, "a::b[2]": 1, "a::c[1]": 1, "a::c[2]": 0, "d": 9}, frozenset("d"))
    ['a::b', 'a::c[1]']
    """
    cases = defaultdict(dict[str, float])
    for node, cost in costs.items():
        cases[node.partition("[")[0]][node] = cost
    found = []
    for test, of_test in cases.items():
        slow = [node for node, cost in of_test.items() if cost > MOST and node not in kept]
        found += [test] if len(slow) == len(of_test) and test not in kept else slow
    return sorted(found)


def main(paths: list[str]) -> None:
    """Write the list."""
    costs = measure(paths)
    measured = {node.partition("[")[0] for node in costs}
    others = {line for line in read_list(SLOW) if paths and line.partition("[")[0] not in measured}
    found = slow_tests(costs, read_list(KEPT))
    SLOW.write_text(HEADER + "".join(f"{line}\n" for line in sorted({*others, *found})), "utf-8")
    print(f"{len(costs)} tests took {sum(costs.values()):.0f} s, {len(found)} of them are slow")


if __name__ == "__main__":
    main(sys.argv[1:])
