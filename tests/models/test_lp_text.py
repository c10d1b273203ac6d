"""HiGHS and CBC read LP text in the same way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.program_readers import HIGHS, Reader, cbc_optimum
from helpers.small_programs import brute_force, make, programs
from hypothesis import given, settings

from mjopt import FORMULATIONS, FULL, Hand, deficiency
from mjopt.models.lp_mps import to_lp, without_ranges
from mjopt.models.program import Program


@pytest.fixture(scope="module", params=["highspy", "CBC"])
def reader(request: pytest.FixtureRequest) -> Iterator[Reader | None]:
    if request.param == "CBC":
        yield None
        return
    with Reader(HIGHS) as started:
        yield started


def optimum(reader: Reader | None, program: Program, folder: Path) -> float | None:
    file = folder / "program.lp"
    file.write_text(to_lp(program))
    return cbc_optimum(file) if reader is None else reader.optimum(file)


def test_both_readers_find_the_optimum(
    reader: Reader | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("lp")

    @settings(max_examples=60, deadline=None, database=None)
    @given(programs())
    def agrees(program: Program) -> None:
        assert optimum(reader, program, folder) == brute_force(program)

    agrees()


@pytest.mark.parametrize(
    "program",
    [
        make([], [], offset=4),
        make([], [], [(1, None, [])]),
        make([-3, 2], [(-2, 3), (-4, -1)], [(None, None, [(0, 1)])], offset=-7),
        make([1], [(-9, 9)], [(-5, 4, [(0, 2)]), (0, 0, [])], offset=1),
        make([5], [(0, 1)], [(3, 2, [(0, 1)])]),
        make([1] * 200, [(0, 1)] * 200, [(7, 9, [(j, 1) for j in range(200)])]),
    ],
)
def test_edges(reader: Reader | None, program: Program, tmp_path: Path) -> None:
    best = 7 if program.num_variables == 200 else brute_force(program)
    assert optimum(reader, program, tmp_path) == best


def test_a_hand(reader: Reader | None, tmp_path: Path) -> None:
    hand = Hand.parse("123m406p123789s11z", tiles=FULL)
    program = FORMULATIONS["completion"]().build(hand)
    assert optimum(reader, program, tmp_path) == deficiency(hand)


def test_lines_are_short() -> None:
    program = make([1] * 200, [(0, 1)] * 200, [(7, 9, [(j, 1) for j in range(200)])])
    assert max(map(len, to_lp(program).splitlines())) <= 100


@given(programs())
def test_plain_programs_are_equal(program: Program) -> None:
    other = without_ranges(program)
    assert other.offset == 0
    assert brute_force(other) == brute_force(program)
    assert len(set(other.rows.names)) == len(other.rows)
    for low, high in zip(other.rows.lower, other.rows.upper, strict=True):
        assert low == high or (low is None) != (high is None)


def test_plain_names_do_not_clash() -> None:
    program = make([1, 2], [(0, 1), (0, 1)], offset=3)
    taken = Program(
        name="t",
        objective=program.objective,
        offset=3,
        lower=program.lower,
        upper=program.upper,
        integer=program.integer,
        rows=program.rows,
        names=("offset", "offset_"),
        pieces=program.pieces,
    )
    assert without_ranges(taken).names == ("offset", "offset_", "offset__")
