"""All readers read MPS text in the same way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.program_readers import HIGHS, OR_TOOLS, PULP, Reader, cbc_optimum
from helpers.small_programs import brute_force, make, programs
from hypothesis import given, settings

from mjopt import FORMULATIONS, FULL, Hand, deficiency
from mjopt.models.lp_mps import to_mps
from mjopt.models.program import Program

EDGES = [
    make([], [], offset=4),
    make([], [], [(1, None, [])]),
    make([1, -2, 0], [(-2, 3), (-2, 3), (1, 1)], offset=-7),
    make([0, 0], [(0, 1), (-5, -5)]),
    make([-1], [(-3, 9)], [(-5, 4, [(0, 2)])], offset=1),
    make([1], [(-9, 9)], [(-5, 4, [(0, 2)]), (None, None, [(0, 1)]), (0, 0, [])], offset=1),
    make([5], [(0, 1)], [(3, 2, [(0, 1)])]),
    make([1, 1], [(0, 3), (0, 3)], [(1, 1, [(0, 2), (1, 2)])]),
]


@pytest.fixture(scope="module", params=["OR-Tools", "highspy", "PuLP", "CBC"])
def reader(request: pytest.FixtureRequest) -> Iterator[tuple[str, Reader | None]]:
    script = {"OR-Tools": OR_TOOLS, "highspy": HIGHS, "PuLP": PULP}.get(request.param)
    if script is None:
        yield request.param, None
        return
    with Reader(script) as started:
        yield request.param, started


def optimum(reader: tuple[str, Reader | None], program: Program, folder: Path) -> float | None:
    name, process = reader
    file = folder / "program.mps"
    file.write_text(to_mps(program, plain=name == "PuLP"))
    return cbc_optimum(file) if process is None else process.optimum(file)


def test_every_reader_finds_the_optimum(
    reader: tuple[str, Reader | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("mps")

    @settings(max_examples=60, deadline=None, database=None)
    @given(programs())
    def agrees(program: Program) -> None:
        assert optimum(reader, program, folder) == brute_force(program)

    agrees()


@pytest.mark.parametrize("program", EDGES)
def test_edges(reader: tuple[str, Reader | None], program: Program, tmp_path: Path) -> None:
    assert optimum(reader, program, tmp_path) == brute_force(program)


def test_a_hand(reader: tuple[str, Reader | None], tmp_path: Path) -> None:
    hand = Hand.parse("123m406p123789s11z", tiles=FULL)
    program = FORMULATIONS["completion"]().build(hand)
    assert optimum(reader, program, tmp_path) == deficiency(hand)


def test_plain_text_has_neither_ranges_nor_a_constant() -> None:
    program = make([-1], [(-3, 9)], [(-5, 4, [(0, 2)])], offset=1)
    assert {"RANGES", " RHS  cost  -1"} <= set(to_mps(program).splitlines())
    assert {"RANGES", " RHS  cost  -1"}.isdisjoint(to_mps(program, plain=True).splitlines())


def test_only_integer_variables_are_between_markers() -> None:
    text = to_mps(make([1, 2], [(0, 1), (0, 1)], integer=False))
    assert "MARKER" not in text
    assert to_mps(make([1, 2], [(0, 1), (0, 1)])).count("'MARKER'") == 2


def test_names_do_not_clash() -> None:
    program = make([1], [(0, 1)], [(0, 1, [(0, 1)])])
    rows = type(program.rows)((0, 1), (0,), (1,), (0,), (1,), ("cost",))
    clash = Program(
        name="a b",
        objective=(1,),
        lower=(0,),
        upper=(1,),
        integer=(True,),
        rows=rows,
        names=("x0",),
        pieces=((),),
    )
    assert to_mps(clash).splitlines()[:4] == ["NAME  a_b  FREE", "ROWS", " N  cost_", " L  cost"]
