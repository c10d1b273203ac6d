"""Measure all tests and list the slow ones: `python -m tools.slow_tests`, about 20 minutes.

A test is slow if it takes more than .3 s of processor time, unless it alone kills a mutant:
``tests/quick_tests.txt`` lists these with their mutants. With files or folders as arguments, only
their tests are measured, and the lines of the others stay.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.helpers.cost_plugin import KEPT, MEASURED, SLOW, SLOW_SECONDS, read_list

HEADER = """# Tests of more than .3 s of processor time, which only `make test-slow` runs.
# Written by `python -m tools.slow_tests`.
"""


def measure(paths: list[str]) -> dict[str, float]:
    """Run tests and return the processor seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *paths]
        subprocess.run(command, env={**os.environ, MEASURED: folder}, check=False)
        lines = Path(folder, "costs.jsonl").read_text("utf-8").splitlines()
    return {node: cost for node, cost, _ in map(json.loads, lines)}


def slow_tests(costs: dict[str, float], kept: frozenset[str]) -> dict[str, float]:
    """Return the slow tests: each case, or the test without its cases if all are slow.

    Examples
    --------
    >>> slow_tests({"a::b[1]": 1, "a::b[2]": 1, "a::c[1]": 1, "a::c[2]": 0, "d": 9}, frozenset("d"))
    {'a::b': 2, 'a::c[1]': 1}
    """
    cases = defaultdict(dict[str, float])
    for node, cost in costs.items():
        cases[node.partition("[")[0]][node] = cost
    found = {}
    for test, of_test in cases.items():
        slow = {
            node: cost for node, cost in of_test.items() if cost > SLOW_SECONDS and node not in kept
        }
        is_whole = len(slow) == len(of_test) and test not in kept
        found |= {test: sum(slow.values())} if is_whole else slow
    return found


def main(paths: list[str]) -> None:
    """Write the list."""
    costs = measure(paths)
    found = slow_tests(costs, read_list(KEPT))
    lines = [f"{node}  # {cost:.1f} s" for node, cost in found.items()]
    if paths:
        measured = {node.partition("[")[0] for node in costs}
        old = [line for line in SLOW.read_text("utf-8").splitlines() if not line.startswith("#")]
        lines += [line for line in old if re.split(r"\[|  #", line)[0] not in measured]
    SLOW.write_text(HEADER + "".join(f"{line}\n" for line in sorted(lines)), "utf-8")
    print(f"{len(costs)} tests took {sum(costs.values()):.0f} s, {len(found)} of them are slow")


if __name__ == "__main__":
    main(sys.argv[1:])
