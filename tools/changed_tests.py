"""List slow tests that a change can reach, nearest first: `python -m tools.changed_tests`.

A change reaches a test file through imports. The package's own name and its registries import
every room, so paths do not lead through them. The list ends when the tests together take the
processor time given by ``--seconds``, as `tests/slow_tests.txt` tells it; the rest is counted on
stderr and left to `make test-slow`.
"""

import argparse
import math
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.helpers.cost_plugin import SLOW
from tools.mutant_runs import imported_names, module_name

HOURS = 6  # without a base, the change is all that was committed so long before the last commit
EVERYTHING = 99  # the distance of tests that a change may reach in another way
_HUBS = re.compile(r"mjopt/(__init__|.*/registry|cli/main)\.py")


def slow_tests() -> dict[str, float]:
    """Return the processor seconds of each slow test."""
    found = re.findall(r"^([^#\n]+?)  # ([\d.]+) s$", SLOW.read_text("utf-8"), re.MULTILINE)
    return {node: float(seconds) for node, seconds in found}


def changed_files(base: str) -> set[Path]:
    """Return the files that differ from a commit."""
    command = ["git", "diff", "--name-only", base, "--"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {Path(line) for line in done.stdout.splitlines()}


def default_base() -> str:
    """Return the commit that the environment names, or the last one before the newest work."""
    if base := os.environ.get("MJOPT_BASE", ""):
        return base
    newest = int(_git("log", "-1", "--format=%ct"))
    return _git("rev-list", "-1", f"--before={newest - HOURS * 3600}", "HEAD")


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def distances(changed: set[Path], imports: dict[Path, set[str]]) -> dict[Path, int]:
    """Return the number of imports between each file and the nearest changed one.

    Examples
    --------
    >>> imports = {Path("a.py"): set(), Path("b.py"): {"a"}, Path("c.py"): {"b.name", "b"}}
    >>> distances({Path("a.py")}, imports) == {Path("a.py"): 0, Path("b.py"): 1, Path("c.py"): 2}
    True
    """
    importers = defaultdict(set[Path])
    for path, names in imports.items():
        for name in names:
            importers[name].add(path)
    found = dict.fromkeys(changed, 0)
    waiting = [path for path in changed if path.suffix == ".py"]
    for path in waiting:  # grows meanwhile: nearest files come first
        if found[path] and _HUBS.fullmatch(str(path)):
            continue
        for importer in importers[_imported_as(path)] - found.keys():
            found[importer] = found[path] + 1
            waiting.append(importer)
    return found


def _imported_as(path: Path) -> str:
    """Return the name that imports use; tests import each other from their folder."""
    return module_name(path).removeprefix("tests.")


def choose(
    costs: dict[str, float], found: dict[Path, int], *, is_open: bool, seconds: float
) -> list[str]:
    """Return the slow tests of files that were found, nearest first, up to a processor time.

    With ``is_open`` the tests of all other files follow them.
    """
    ranked = []
    for node, cost in costs.items():
        distance = found.get(Path(node.partition("::")[0]), EVERYTHING if is_open else None)
        if distance is not None:
            ranked.append((distance, cost, node))
    chosen = []
    for _, cost, node in sorted(ranked):
        seconds -= cost
        if seconds < 0:
            break
        chosen.append(node)
    return chosen


def main() -> None:
    """Print the tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", help="commit to compare with; default: MJOPT_BASE, or 6 hours")
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    try:
        changed = changed_files(options.base or default_base())
    except subprocess.CalledProcessError:  # no such commit, as in a shallow clone: it may be all
        changed = {SLOW}
    sources = [path for room in ("mjopt", "tests", "tools") for path in Path(room).rglob("*.py")]
    found = distances(changed, {path: imported_names(path) for path in sources})
    is_open = any(path.suffix != ".py" for path in changed)  # data or settings may reach any test
    chosen = choose(slow_tests(), found, is_open=is_open, seconds=options.seconds)
    every = choose(slow_tests(), found, is_open=is_open, seconds=math.inf)
    for node in chosen:
        print(node)
    print(f"{len(chosen)} of {len(every)} slow tests that the change reaches", file=sys.stderr)


if __name__ == "__main__":
    main()
