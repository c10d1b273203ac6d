"""Time to start Python and import a package, each in a process of its own."""

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paired import Comparison, Side, installed, measure

IMPORTS = {"xiangting": "import xiangting", "mahjong": "from mahjong.shanten import Shanten"}


def start(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.claim
def test_imports(benchmark: BenchmarkFixture, quick: bool) -> None:
    present, absent = installed(IMPORTS)
    programs = {
        "import mjopt": "import mjopt",
        "mjopt, one deficiency": "import mjopt; mjopt.deficiency('1112345678999m1p')",
        **{title: IMPORTS[name] for name, title in present.items()},
        "import numpy": "import numpy",
        "Python alone": "pass",
    }
    sides = [
        Side(name=name, run=lambda _, program=program: start(program), units=1, note=program)  # type: ignore[misc]
        for name, program in programs.items()
    ]
    compared = Comparison(
        claim="imports", unit="start", sides=sides, base=sides[0].name, absent=absent
    )
    measure(benchmark, compared, rounds=1 if quick else 20)
