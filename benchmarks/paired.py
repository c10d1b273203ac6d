"""Measure several sides in turn, so that their ratios hold on a busy machine too.

Times are processor times of this process and the programs that it ran: other work on the machine
changes them less than the clock on the wall.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from operator import truediv
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

try:
    from resource import RUSAGE_CHILDREN, getrusage
except ImportError:  # Windows
    RUSAGE_CHILDREN, getrusage = 0, None


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison.

    Parameters
    ----------
    name
        Its name in the table.
    run
        Does the work of one round; its argument is the number of the round, from 0.
    units
        The number of units (hands, steps, discards) of a round.
    note
        The difference between this side and the others, for the table.
    """

    name: str
    run: Callable[[int], object]
    units: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The sides of one table.

    Parameters
    ----------
    claim
        The section of the page.
    unit
        The name of one unit.
    sides
        The sides; ratios are to ``base``.
    base
        The name of the side that counts as 1.
    absent
        Sides that cannot run here, each with the reason.
    figures
        Other values for the page.
    """

    claim: str
    unit: str
    sides: Sequence[Side]
    base: str
    absent: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)


def installed(packages: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return name and version of the packages that are installed, and the reason for the others."""
    names = list(packages)
    present = {name: f"{name} {version(name)}" for name in names if find_spec(name) is not None}
    return present, {name: "not installed" for name in names if name not in present}


def processor_seconds() -> float:
    """Return the processor time of this process and of the programs that it ran."""
    own = time.process_time()
    if getrusage is None:
        return own
    children = getrusage(RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime


def measure(benchmark: BenchmarkFixture, compared: Comparison, rounds: int) -> None:
    """Run all sides once untimed, then in turn in every round, and store seconds per unit.

    Each round begins with another side, and every other round goes backwards.
    """
    sides = list(compared.sides)
    seconds: dict[str, list[float]] = {side.name: [] for side in sides}
    numbers = iter(range(rounds))
    for side in sides:
        side.run(0)

    def one_round() -> None:
        number = next(numbers)
        first = number % len(sides)
        order = (sides[first:] + sides[:first])[:: -1 if number % 2 else 1]
        for side in order:
            start = processor_seconds()
            side.run(number)
            seconds[side.name].append((processor_seconds() - start) / side.units)

    benchmark.pedantic(one_round, rounds=rounds)
    for side in sides:
        ratio = statistics.median(map(truediv, seconds[side.name], seconds[compared.base]))
        sys.stdout.write(f"\n{side.name}: {ratio:.3g} times {compared.base}")
    benchmark.extra_info["comparison"] = {
        "claim": compared.claim,
        "unit": compared.unit,
        "base": compared.base,
        "sides": [
            {"name": side.name, "seconds": seconds[side.name], "note": side.note} for side in sides
        ],
        "absent": dict(compared.absent),
        "figures": dict(compared.figures),
    }
