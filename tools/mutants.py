"""Mutation tests: change the source in one place at a time, and see whether a test fails.

``python -m tools.mutants mjopt/proofs`` tries every mutant of the checkers, ``--sample 200`` that
many of the rooms given. Survivors are printed; build/mutants.json lists the tests that kill each
mutant, the first one or with ``--further`` others too, for ``python -m tools.kill_matrix``.
tools/equivalent_mutants.toml lists mutants that behave like the original, each with the reason. No
source file is written.

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
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from tools.kill_matrix import KillMatrix, MatrixRow
from tools.mutant_runs import (
    BrokenRunError,
    MutantRun,
    Tests,
    imported_names,
    in_fork,
    is_slow,
    module_name,
)
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


def kills_of(members: list[Mutant], tests: Tests) -> KillMatrix:
    """Run the tests on each mutant."""
    matrix = KillMatrix()

    def judge(mutant: Mutant, run: Callable[[], MutantRun]) -> None:
        began = time.monotonic()
        try:
            found = run()
        except BrokenRunError as error:
            print(f"NOT TRIED {title(mutant)}: {error}", flush=True)
            return
        for test in found.failed:
            tests.kills[f"{mutant.path}:{mutant.function}"][test] += 1
        for test in found.ran:
            matrix.tests[test].runs += 1
        matrix.mutants[title(mutant)] = found.failed
        word = "killed" if found.failed else "SURVIVED"
        by = f"{', '.join(found.failed[:1])}{'' if found.has_ended else ' (a crash or no end)'}"
        took = time.monotonic() - began
        print(f"{word} {title(mutant)} ({took:.1f} s) {len(found.failed)} {by}", flush=True)

    def run_all(items: list[Any]) -> Any:
        seconds = tests.baseline(items)
        print(
            f"{len(items)} tests, {sum(seconds.values()):.0f} s; {len(members)} mutants", flush=True
        )
        for item in items:
            matrix.tests[item.nodeid] = MatrixRow(seconds[item.nodeid], is_slow(item))
        for mutant in members:
            if mutant.outermost:
                judge(mutant, partial(tests.run_inside, items, mutant))
        return asdict(matrix), tests.kills

    if (result := in_fork(lambda: tests.collect(run_all))) is None:
        raise BrokenRunError("the tests could not be run")
    found, kills = result
    matrix.add(KillMatrix.from_json(found))
    tests.seconds = {node: test.seconds for node, test in matrix.tests.items()}
    for function, of_function in kills.items():
        tests.kills[function].update(of_function)
    for mutant in members:
        if not mutant.outermost:
            judge(mutant, partial(tests.run_outside, mutant))
    return matrix


def title(mutant: Mutant) -> str:
    """Return the place and the name of a mutant."""
    return f"{mutant.path}:{mutant.line} {mutant.name}"


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
        "--longest", type=float, default=inf, help="leave out tests of more seconds"
    )
    parser.add_argument(
        "--slow", action="store_true", help="run slow tests too, after the quick ones"
    )
    parser.add_argument(
        "--further",
        type=float,
        default=0,
        metavar="SECONDS",
        help="after the first test that fails on a mutant, run further ones of so many seconds",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("build/mutants.json"),
        help="which tests kill which mutants, for python -m tools.kill_matrix",
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
    matrix = KillMatrix()
    try:
        for members in groups.values():
            paths = {one.path: options.tests or tests_of(one.path, imports) for one in members}
            tests = Tests(
                paths, longest=options.longest, has_slow=options.slow, further=options.further
            )
            matrix.add(kills_of(members, tests))
            matrix.write(options.output)
    except BrokenRunError as error:
        print(error)
        return 2
    survivors = matrix.survivors()
    killed = 100 * (1 - len(survivors) / max(1, len(chosen)))
    print(matrix.summary())
    print(f"{len(chosen)} mutants, {killed:.1f} % killed or listed; survivors:")
    print(*survivors, sep="\n")
    return int(killed < options.least or bool(stale))


if __name__ == "__main__":
    sys.exit(main())
