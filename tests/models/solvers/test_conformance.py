"""Every registered solver agrees with brute force and claims only proven results."""

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers.small_programs import brute_force, make, market_split, programs
from helpers.waits import BRIEF
from hypothesis import given, settings

from mjopt import SOLVERS, SolveOptions
from mjopt.errors import SolverError
from mjopt.models.program import Program
from mjopt.models.solvers import SolverResult, Termination, cp_sat

every_solver = pytest.mark.parametrize("name", SOLVERS)


def check(result: SolverResult, program: Program) -> None:
    """Check that a finished run solves the program correctly."""
    best = brute_force(program)
    assert result.termination is Termination.FINISHED
    assert result.is_infeasible == (best is None)
    assert result.objective == best
    assert result.is_optimal == (best is not None)
    if result.values is not None:
        assert program.fault(result.values) is None
        assert program.evaluate(result.values) == result.objective
        assert all(type(value) is int for value in result.values)


EXAMPLES = {"cp-sat": 200, "highs": 200, "cbc": 80}
"""Random programs for each solver; a process of CBC starts for each."""

few_and_many = pytest.mark.parametrize("share", [0.4, pytest.param(1, marks=pytest.mark.slow)])


@few_and_many
@every_solver
def test_solver_agrees_with_brute_force(name: str, share: float) -> None:
    @settings(max_examples=round(share * EXAMPLES[name]), database=None)
    @given(programs())
    def agrees(program: Program) -> None:
        check(SOLVERS[name]().solve(program), program)

    agrees()


@few_and_many
def test_cp_sat_agrees_as_it_treats_large_programs(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cp_sat, "_LARGE", -1)

    @settings(max_examples=round(share * EXAMPLES["cp-sat"]), database=None)
    @given(programs())
    def agrees(program: Program) -> None:
        check(SOLVERS["cp-sat"]().solve(program), program)

    agrees()


EDGES = {
    "no variables": make([], [], offset=4),
    "no variables, a row that holds": make([], [], [(None, 1, [])]),
    "no variables, a row that does not": make([], [], [(1, None, [])]),
    "no rows": make([1, -2, 0], [(-2, 3), (-2, 3), (1, 1)]),
    "empty row that holds": make([1], [(0, 2)], [(-1, 1, [])]),
    "empty row that does not": make([1], [(0, 2)], [(1, 2, [])]),
    "free row": make([-1], [(-3, 2)], [(None, None, [(0, 1)])]),
    "equality": make([1, 2], [(0, 9), (0, 9)], [(7, 7, [(0, 2), (1, 3)])]),
    "range": make([-1], [(-3, 9)], [(-5, 4, [(0, 2)])]),
    "range, the other side": make([1], [(-9, 9)], [(-5, 4, [(0, 2)])]),
    "offset": make([1], [(2, 3)], offset=-1_000),
    "nothing to minimise": make([0, 0], [(0, 1), (0, 1)], [(1, 1, [(0, 1), (1, 1)])], offset=3),
    "bounds meet": make([5], [(-2, -2)]),
    "bounds cross": make([5], [(2, 1)]),
    "row bounds cross": make([5], [(0, 1)], [(3, 2, [(0, 1)])]),
    "no point even if fractional": make([1], [(0, 1)], [(2, 3, [(0, 1)])]),
    "no whole point": make([1, 1], [(0, 3), (0, 3)], [(1, 1, [(0, 2), (1, 2)])]),
    "no whole point, which crashes CBC": make([0], [(-2, -1)], [(-3, -3, [(0, 2)])]),
    # CBC's probing reports -2 as optimal.
    "range that fools probing": make([-1, 2], [(-1, 0), (-2, -1)], [(-2, 0, [(0, -3), (1, 2)])]),
    "terms out of order": make([1, 1, 1], [(0, 3)] * 3, [(4, 4, [(2, 3), (0, 1), (1, -1)])]),
    "large costs": make([10**9, 10**9 + 1], [(0, 9)] * 2, [(3, None, [(0, 1), (1, 1)])]),
}


@every_solver
@pytest.mark.parametrize("edge", EDGES)
def test_edge_cases_are_solved(name: str, edge: str) -> None:
    check(SOLVERS[name]().solve(EDGES[edge]), EDGES[edge])


@every_solver
def test_programs_with_shared_rows_have_separate_results(name: str) -> None:
    first = make([1, 1], [(0, 3), (0, 3)], [(2, None, [(0, 1), (1, 1)])])
    check(SOLVERS[name]().solve(first), first)
    changes = [
        {"objective": (3, -1)},
        {"lower": (1, 2)},
        {"upper": (0, 1)},
        {"upper": (1, 9), "objective": (0, 2), "offset": 7},
        {},
    ]
    for change in changes:
        program = dataclasses.replace(first, **change)
        check(SOLVERS[name]().solve(program), program)


@every_solver
def test_optimum_does_not_depend_on_seed_or_threads(name: str) -> None:
    program = market_split(2, 10)
    solver = SOLVERS[name]()
    expected = solver.solve(program)
    assert expected.is_optimal
    for options in (SolveOptions(seed=7), SolveOptions(threads=2), SolveOptions(seed=2**31 - 1)):
        assert solver.solve(program, options).objective == expected.objective
    assert solver.solve(program).values == expected.values, "the same seed, another point"


@every_solver
def test_too_little_time_claims_nothing(name: str) -> None:
    program = market_split(5, 40)
    result = SOLVERS[name]().solve(program, SolveOptions(time_limit=1e-4))
    assert result.termination is Termination.TIME_LIMIT
    assert (result.is_optimal, result.is_infeasible) == (False, False)
    assert (result.values is None) == (result.objective is None), "HiGHS may round to a point"
    assert result.bound in {None, 0}


@every_solver
def test_timeout_claims_no_infeasibility(name: str) -> None:
    program = market_split(4, 40, slack=False)
    result = SOLVERS[name]().solve(program, SolveOptions(time_limit=BRIEF))
    assert result.termination is Termination.TIME_LIMIT
    assert result.values is None
    assert not result.is_infeasible
    assert result.runtime > BRIEF / 2


@every_solver
def test_point_found_before_timeout_is_not_called_optimal(name: str) -> None:
    program = market_split(5, 40)
    for limit in (0.5, 2.0, 8.0, 32.0, 128.0):  # under load the first point takes longer
        result = SOLVERS[name]().solve(program, SolveOptions(time_limit=limit))
        assert result.termination is Termination.TIME_LIMIT
        assert not result.is_optimal
        if result.values is not None:
            break
    assert result.values is not None
    assert program.evaluate(result.values) == result.objective
    assert result.bound is None or 0 <= result.bound < result.objective


@every_solver
def test_bound_never_exceeds_a_negative_optimum(name: str) -> None:
    """CP-SAT returns 0 if it had no time to compute a bound."""
    program = market_split(5, 40)
    negative = dataclasses.replace(program, objective=tuple(c - 5 for c in program.objective))
    for limit in (1e-6, 1e-4, 1e-3, 1e-2):
        result = SOLVERS[name]().solve(negative, SolveOptions(time_limit=limit))
        assert result.bound is None or result.bound < 0


@every_solver
def test_the_longest_time_limit_is_accepted(name: str) -> None:
    program = EDGES["equality"]
    check(SOLVERS[name]().solve(program, SolveOptions(time_limit=1_000_000)), program)


@every_solver
def test_small_gaps_are_not_optimal(name: str) -> None:
    """By default HiGHS stops within 0.01 % of the optimum."""
    base = 10**6
    program = make([base, base + 1, base + 3], [(0, 5)] * 3, [(11, None, [(0, 2), (1, 2), (2, 3)])])
    check(SOLVERS[name]().solve(program), program)


@every_solver
def test_solvers_print_nothing(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    solver = SOLVERS[name]()
    solver.version()
    solver.solve(market_split(2, 8))
    solver.solve(market_split(4, 30), SolveOptions(time_limit=BRIEF, threads=2))
    solver.solve(EDGES["no whole point"])
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


VERSIONS = {
    "cp-sat": r"OR-Tools \d+\.\d+\.\d+",
    "highs": r"HiGHS (\d+\.\d+\.\d+ )?\(OR-Tools \d+\.\d+\.\d+\)",
    "cbc": r"CBC \d+\.\d+\.\d+ \(PuLP \d+\.\d+\.\d+\)",
}


@every_solver
def test_a_result_names_solver_and_version(name: str) -> None:
    solver = SOLVERS[name]()
    result = solver.solve(EDGES["no rows"])
    assert solver.available()
    assert result.solver == solver.name == name
    assert result.version == solver.version()
    assert re.fullmatch(VERSIONS.get(name, ".+"), result.version)


@every_solver
def test_threads_of_the_caller_can_share_a_solver(name: str) -> None:
    program = market_split(2, 10)
    solver = SOLVERS[name]()
    expected = solver.solve(program).objective
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda _: solver.solve(program), range(5))
        assert [result.objective for result in results] == [expected] * 5


def test_cp_sat_takes_integer_variables_only() -> None:
    with pytest.raises(SolverError, match="integer variables only"):
        SOLVERS["cp-sat"]().solve(make([1], [(0, 1)], integer=False))


@pytest.mark.parametrize("name", ["highs", "cbc"])
def test_fractional_answer_is_not_accepted_as_a_point(name: str) -> None:
    half = [(1, None, [(0, 2)])]
    whole = SOLVERS[name]().solve(make([2], [(0, 9)], [(4, None, [(0, 2)])], integer=False))
    assert whole.values == (2,)
    with pytest.raises(SolverError, match=r"x0 = 0\.5 is not whole"):
        SOLVERS[name]().solve(make([2], [(0, 9)], half, integer=False))
