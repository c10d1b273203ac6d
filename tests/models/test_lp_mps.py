"""All readers read LP and MPS text in the same way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.program_readers import GLPK, HIGHS, OR_TOOLS, PULP, SCIP, Reader, cbc_optimum
from helpers.small_programs import brute_force, make, programs
from hypothesis import given, settings

from mjopt import FORMULATIONS, Hand, solve
from mjopt.models.lp_mps import to_lp, to_mps, without_ranges
from mjopt.models.program import Program

LONG_ROW = make([1] * 200, [(0, 1)] * 200, [(7, 9, [(j, 1) for j in range(200)])])
EDGES = [
    make([], [], offset=4),
    make([], [], [(1, None, [])]),
    make([1, -2, 0], [(-2, 3), (-2, 3), (1, 1)], offset=-7),
    make([-3, 2], [(-2, 3), (-4, -1)], [(None, None, [(0, 1)])], offset=-7),
    make([0, 0], [(0, 1), (-5, -5)]),
    make([-1], [(-3, 9)], [(-5, 4, [(0, 2)])], offset=1),
    make([1], [(-9, 9)], [(-5, 4, [(0, 2)]), (None, None, [(0, 1)]), (0, 0, [])], offset=1),
    make([5], [(0, 1)], [(3, 2, [(0, 1)])]),
    make([1, 1], [(0, 3), (0, 3)], [(1, 1, [(0, 2), (1, 2)])]),
]
PROCESSES = {"OR-Tools": OR_TOOLS, "highspy": HIGHS, "PuLP": PULP, "SCIP": SCIP, "GLPK": GLPK}


class TextReader(NamedTuple):
    """A program that reads one of the two formats; CBC runs once for each file."""

    suffix: str
    name: str
    process: Reader | None

    def optimum(self, program: Program, folder: Path) -> float | None:
        file = folder / f"program.{self.suffix}"
        file.write_text(to_lp(program) if self.suffix == "lp" else to_mps(program))
        return cbc_optimum(file) if self.process is None else self.process.optimum(file)


@pytest.fixture(
    scope="module",
    params=[
        *[("mps", name) for name in (*PROCESSES, "CBC")],
        *[("lp", name) for name in ("highspy", "CBC", "SCIP", "GLPK")],
    ],
    ids=" by ".join,
)
def reader(request: pytest.FixtureRequest) -> Iterator[TextReader]:
    suffix, name = request.param
    if name == "CBC":
        yield TextReader(suffix, name, None)
        return
    with Reader(PROCESSES[name]) as process:
        yield TextReader(suffix, name, process)


@pytest.mark.parametrize("examples", [25, pytest.param(60, marks=pytest.mark.slow)])
def test_every_reader_finds_the_optimum(
    reader: TextReader, examples: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("programs")

    @settings(max_examples=examples, database=None)
    @given(programs())
    def agrees(program: Program) -> None:
        assert reader.optimum(program, folder) == brute_force(program)

    agrees()


@pytest.mark.parametrize("program", EDGES)
def test_edge_cases_keep_their_optimum(
    reader: TextReader, program: Program, tmp_path: Path
) -> None:
    assert reader.optimum(program, tmp_path) == brute_force(program)


def test_long_row_keeps_its_optimum(reader: TextReader, tmp_path: Path) -> None:
    assert reader.optimum(LONG_ROW, tmp_path) == 7


@pytest.mark.parametrize(
    "model", ["completion", "blockwise", "predecomposition", "partition", "network"]
)
def test_program_of_a_hand_keeps_its_optimum(
    reader: TextReader, tmp_path: Path, model: str
) -> None:
    hand = Hand.parse("11123456789999m")
    program = FORMULATIONS[model]().build(hand)
    assert reader.optimum(program, tmp_path) == solve(hand, model=model).value


def test_lp_lines_are_short() -> None:
    assert max(map(len, to_lp(LONG_ROW).splitlines())) <= 100


def test_mps_has_neither_ranges_nor_a_constant() -> None:
    program = make([-1], [(-3, 9)], [(-5, 4, [(0, 2)])], offset=1)
    assert {"RANGES", " RHS  cost  -1"}.isdisjoint(to_mps(program).splitlines())
    assert " offset  cost  1" in to_mps(program).splitlines()


def test_only_integer_variables_are_between_mps_markers() -> None:
    text = to_mps(make([1, 2], [(0, 1), (0, 1)], integer=False))
    assert "MARKER" not in text
    assert to_mps(make([1, 2], [(0, 1), (0, 1)])).count("'MARKER'") == 2


@given(programs())
def test_program_without_ranges_is_equal(program: Program) -> None:
    other = without_ranges(program)
    assert other.offset == 0
    assert brute_force(other) == brute_force(program)
    assert len(set(other.rows.names)) == len(other.rows)
    for low, high in zip(other.rows.lower, other.rows.upper, strict=True):
        assert low == high or (low is None) != (high is None)


def test_names_do_not_clash() -> None:
    program = make([1], [(0, 1)], [(0, 1, [(0, 1)])])
    clash = replace(program, name="a b", rows=replace(program.rows, names=("cost",)))
    assert to_mps(clash).splitlines()[:4] == ["NAME  a_b  FREE", "ROWS", " N  cost_", " L  cost"]
    taken = replace(make([1, 2], [(0, 1), (0, 1)], offset=3), names=("offset", "offset_"))
    assert without_ranges(taken).names == ("offset", "offset_", "offset__")
