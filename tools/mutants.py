"""Mutation tests: change the source in one place at a time, and see whether a test fails.

``python -m tools.mutants mjopt/proofs`` tries every mutant of the checkers, ``--sample 200`` that
many of the rooms given. Survivors are printed. tools/equivalent_mutants.toml lists mutants that
behave like the original, each with the reason. No source file is written.

The tests of a mutant are those of its room, its doctests, and the test files of other rooms that
import the mutated module itself, except for those of play and of the long random tests.

mutmut leaves out decorated functions, so all kernels and all cached functions; cosmic-ray starts
pytest for each of its 5,910 mutants of the checkers. Neither exchanges any and all, or minimum and
maximum, or leaves a condition out.
"""

import argparse
import random
import sys
import time
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from tools.mutant_runs import BrokenRunError, Failed, Tests, imported_names, in_fork, module_name
from tools.mutations import Mutant, mutants

EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")
ONLY_OWN = {"play", "adversarial", "conformance"}  # tests not run on mutants of other rooms


def imports_of_tests() -> dict[Path, set[str]]:
    """Return what each test file imports."""
    return {path: imported_names(path) for path in sorted(Path("tests").rglob("test_*.py"))}


def tests_of(path: Path, imports: dict[Path, set[str]]) -> list[str]:
    """Return the tests of a module: of its room, its doctests, and files that import it."""
    room, name = path.parts[1], module_name(path)
    places = [place for place in (f"tests/{room}", f"mjopt/{room}") if Path(place).exists()]
    return places + [
        str(test)
        for test, names in imports.items()
        if name in names and test.parts[1] not in {room, *ONLY_OWN}
    ]


def load_equivalent() -> dict[str, dict[str, str]]:
    """Return the reason for each mutant that behaves like the original, by file and name."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))


def load_libraries() -> None:
    """Import what the tests need, so that forks have it."""
    import numba  # noqa: F401
    import numpy.testing  # noqa: F401
    import pandas  # noqa: F401
    import scipy.stats  # noqa: F401

    import mjopt._internal.jit  # noqa: F401


def survivors_of(members: list[Mutant], tests: Tests) -> list[Mutant]:
    """Run the tests on each mutant, and return those that no test kills."""
    names = {f"{one.path} {one.name}": one for one in members}
    inside = [one for one in members if one.outermost]

    def judged(mutant: Mutant, failed: Failed, began: float) -> bool:
        for test in failed or ():
            tests.kills[f"{mutant.path}:{mutant.function}"][test] += 1
        word = "SURVIVED" if failed == [] else "killed"
        by = "a crash or no end" if failed is None else ", ".join(failed[:1])
        took = time.monotonic() - began
        print(f"{word} {mutant.path}:{mutant.line} {mutant.name} ({took:.1f} s) {by}", flush=True)
        return failed == []

    def run_all(items: list[Any]) -> Any:
        seconds = tests.baseline(items)
        print(
            f"{len(items)} tests, {sum(seconds.values()):.0f} s; {len(members)} mutants", flush=True
        )
        left = []
        for mutant in inside:
            began = time.monotonic()
            if judged(mutant, tests.run_inside(items, mutant), began):
                left.append(f"{mutant.path} {mutant.name}")
        return left, seconds

    left, tests.seconds = in_fork(lambda: tests.collect(run_all))
    found = [names[name] for name in left]
    for mutant in members:
        began = time.monotonic()
        if not mutant.outermost and judged(mutant, tests.run_outside(mutant), began):
            found.append(mutant)
    return found


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tools.mutants")
    parser.add_argument(
        "paths", nargs="+", type=Path, help="modules or rooms, such as mjopt/proofs"
    )
    parser.add_argument("--sample", type=int, help="try this number of mutants only")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--least", type=float, default=100, help="per cent that must be killed")
    parser.add_argument("--only", default="", help="mutants whose name contains this text")
    parser.add_argument(
        "--tests", nargs="*", help="the tests to run, instead of those of the modules"
    )
    parser.add_argument(
        "--longest", type=float, default=1e8, help="leave out tests of more seconds"
    )
    return parser.parse_args()


def main() -> int:
    """Print the mutants that no test kills; return 1 if they are too many."""
    options, reasons = parse_arguments(), load_equivalent()
    files = [f for path in options.paths for f in sorted(path.rglob("*.py")) or [path]]
    every = [mutant for path in files for mutant in mutants(path)]
    known = {(str(one.path), one.name) for one in every}
    stale = [
        f"{path}: {name}"
        for path in map(str, files)
        for name in reasons.get(path, {})
        if (path, name) not in known
    ]
    for one in stale:
        print(f"listed, but no mutant: {one}")
    chosen = [one for one in every if options.only in f"{one.path} {one.name}"]
    if options.sample is not None:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    groups: dict[str, list[Mutant]] = defaultdict(list)
    for one in chosen:
        if one.name not in reasons.get(str(one.path), {}):
            groups[one.path.parts[1]].append(one)
    imports = imports_of_tests()
    load_libraries()
    survivors = []
    try:
        for members in groups.values():
            tests = {one.path: options.tests or tests_of(one.path, imports) for one in members}
            survivors += survivors_of(members, Tests(tests, options.longest))
    except BrokenRunError as error:
        print(error)
        return 2
    killed = 100 * (1 - len(survivors) / max(1, len(chosen)))
    print(f"{len(chosen)} mutants, {killed:.1f} % killed or listed; survivors:")
    for one in survivors:
        print(f"{one.path}:{one.line} {one.name}")
    return int(killed < options.least or bool(stale))


if __name__ == "__main__":
    sys.exit(main())
