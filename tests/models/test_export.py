"""Programs written for other solvers, read back by them."""

import gzip
import random
import re
from pathlib import Path
from typing import Any

import pytest
from helpers.program_readers import EXACT, HIGHS, SCIP, Reader, cbc_optimum
from helpers.small_forms import SMALL_FORMS, deal_hand
from helpers.small_programs import binary_programs, brute_force, make, programs
from hypothesis import given, settings

import mjopt.models.brute_force as reference
from mjopt import FORMULATIONS, UNREACHABLE, Hand, deficiency, export, solve
from mjopt.errors import FileError, MjoptError, ModelError, SolverError
from mjopt.models.opb import to_opb
from mjopt.models.program import Program
from mjopt.models.solvers import RawSolution, Termination
from mjopt.models.solvers.cp_sat import CpSat

HANDS = {
    "partition": Hand.parse("11123456789999m"),
    "network": Hand.parse("1399m1p37s", called=2),  # CP-SAT takes seconds for a concealed hand
}
BINARY = ("network", "predecomposition", "partition")


def hand_for(model: str) -> Hand:
    return HANDS.get(model) or Hand.parse("1112345678999m1p")


def opb_optimum(text: str) -> int | None:
    """Solve an OPB instance that this function reads by itself."""
    from ortools.sat.python.cp_model import INFEASIBLE, OPTIMAL, CpModel, CpSolver

    model, solver = CpModel(), CpSolver()
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    head = re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", text)
    assert head is not None
    x = [model.new_bool_var(f"x{i + 1}") for i in range(int(head[1]))]
    assert int(head[2]) == len(lines) - 1

    def linear(words: list[str]) -> object:
        pairs = zip(words[::2], words[1::2], strict=True)
        return sum(int(weight) * x[int(name[1:]) - 1] for weight, name in pairs)

    assert lines[0].startswith("min:")
    model.minimize(linear(lines[0].removeprefix("min:").removesuffix(" ;").split()))
    for line in lines[1:]:
        *words, sense, side, end = line.split()
        assert end == ";"
        left = linear(words)
        model.add(left >= int(side) if sense == ">=" else left == int(side))
    status = solver.solve(model)
    assert status in (OPTIMAL, INFEASIBLE)
    return round(solver.objective_value) if status == OPTIMAL else None


@pytest.mark.parametrize("model", FORMULATIONS)
@pytest.mark.parametrize("ending", ["lp", "mps", "opb", "lp.gz", "mps.gz", "opb.gz"])
def test_every_format_keeps_the_optimum(model: str, ending: str, tmp_path: Path) -> None:
    hand, file = hand_for(model), tmp_path / f"hand.{ending}"
    if "opb" in ending and model not in BINARY:
        with pytest.raises(ModelError, match="OPB has 0 and 1 only"):
            export(hand, file, model=model)
        assert not file.exists()
        return
    export(hand, file, model=model)
    text = gzip.decompress(file.read_bytes()).decode() if ending.endswith("gz") else ""
    if "opb" in ending:
        found: float | None = opb_optimum(text or file.read_text())
    else:
        plain = tmp_path / ending.removesuffix(".gz").replace("lp", "p.lp").replace("mps", "p.mps")
        plain.write_text(text or file.read_text())
        found = cbc_optimum(plain)
    assert found == solve(hand, model=model).value


@pytest.mark.parametrize("ending", ["lp", "mps", "opb"])
@pytest.mark.parametrize("name", ["flush", "card", "laizi_all", "fifth"])
def test_every_form_keeps_its_optimum(name: str, ending: str, tmp_path: Path) -> None:
    form, rng = SMALL_FORMS[name], random.Random(name)
    file = tmp_path / f"hand.{ending}"
    read = opb_optimum if ending == "opb" else lambda _: cbc_optimum(file)
    for model in ("network",) if ending == "opb" else ("network", "completion", "blockwise"):
        hand, unseen = deal_hand(rng, form)
        program = export(hand, file, model=model, forms=form, unseen=unseen)
        value = reference.deficiency(hand, unseen=unseen, forms=(form,))
        assert read(file.read_text()) == (None if value == UNREACHABLE else value)
        assert len(set(program.names)) == program.num_variables
        assert len(set(program.rows.names)) == len(program.rows)


def test_form_of_a_rule_set_is_exported(tmp_path: Path) -> None:
    hand, file = "19m258m37p46p19s147z", tmp_path / "hand.mps.gz"
    export(hand, file, forms="mcr.knitted_straight", solution=True)
    assert (tmp_path / "hand.sol").read_text().startswith("=obj= ")
    with pytest.raises(ModelError, match="expected one form for a program"):
        export(hand, file, forms="mcr")


def test_highs_reads_compressed_files(tmp_path: Path) -> None:  # PuLP's CBC has no zlib
    file = tmp_path / "hand.mps.gz"
    export("123m406p123789s11z", file, model="blockwise")
    with Reader(HIGHS) as highs:
        assert highs.optimum(file) == deficiency("123m406p123789s11z")


@settings(max_examples=80)
@given(programs())
def test_opb_keeps_the_optimum_of_random_programs(program: Program) -> None:
    if not is_binary(program):
        with pytest.raises(ModelError, match="OPB"):
            to_opb(program)
    elif program.num_variables:
        assert opb_optimum(to_opb(program)) == brute_force(program)


def is_binary(program: Program) -> bool:
    bounds = zip(program.lower, program.upper, strict=True)
    return all(program.integer) and all(low >= 0 and high <= 1 for low, high in bounds)


@pytest.mark.parametrize("script", [SCIP, EXACT], ids=["SCIP", "Exact"])
def test_pseudo_boolean_solvers_find_the_optimum(script: str, tmp_path: Path) -> None:
    file = tmp_path / "program.opb"
    with Reader(script) as reader:
        for model in BINARY:
            hand = hand_for(model)
            export(hand, file, model=model)
            assert reader.optimum(file) == solve(hand, model=model).value

        @settings(max_examples=20, database=None)
        @given(binary_programs())
        def agrees(program: Program) -> None:
            file.write_text(to_opb(program))
            assert reader.optimum(file) == brute_force(program)

        agrees()


def test_opb_has_the_constant_and_fixed_variables() -> None:
    program = make([3, -2, 1], [(1, 1), (0, 0), (0, 1)], [(1, 2, [(0, 1), (2, 1)])], offset=5)
    assert opb_optimum(to_opb(program)) == brute_force(program) == 8


@pytest.mark.parametrize("model", FORMULATIONS)
def test_solution_is_the_optimum_by_name(model: str, tmp_path: Path) -> None:
    hand = hand_for(model)
    program = export(hand, tmp_path / "h.mps.gz", model=model, solution=True)
    first, *lines = (tmp_path / "h.sol").read_text().splitlines()
    named = {name: int(value) for name, value in (line.split() for line in lines)}
    values = [named.pop(name, 0) for name in program.names]
    assert not named
    assert program.fault(values) is None
    assert first == f"=obj= {program.evaluate(values)}" == f"=obj= {solve(hand, model=model).value}"


@pytest.mark.parametrize("model", FORMULATIONS)
def test_names_tell_what_a_variable_means(model: str) -> None:
    hand = hand_for(model)
    program = FORMULATIONS[model]().build(hand)
    assert len(set(program.names)) == program.num_variables
    assert len(set(program.rows.names)) == len(program.rows)
    for name, pieces in zip(program.names, program.pieces, strict=True):
        assert re.fullmatch(r"[a-z]\w*", name)
        assert len(name) < 100
        for block in pieces:
            assert hand.tiles.names[block.kinds[0]] in name or block.text(hand.tiles) in name


def test_same_bytes_twice(tmp_path: Path) -> None:
    export("1112345678999m1p", tmp_path / "a.mps.gz")
    export("1112345678999m1p", tmp_path / "b.mps.gz")
    assert (tmp_path / "a.mps.gz").read_bytes() == (tmp_path / "b.mps.gz").read_bytes()


def test_format_overrides_the_ending(tmp_path: Path) -> None:
    export("1112345678999m1p", tmp_path / "hand.txt", format="mps")
    assert (tmp_path / "hand.txt").read_text().startswith("NAME")


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"path": "hand.mp"}, ModelError, r"hand.mp: ending '.mp', expected .lp"),
        ({"path": "hand.lp", "format": "gms"}, ModelError, "format 'gms'"),
        ({"path": "no/such/hand.lp"}, FileError, "no/such"),
        ({"path": 3}, TypeError, "path: 3, expected a path"),
        ({"path": "h.lp", "model": "blok"}, ModelError, "model 'blok': unknown"),
        ({"path": "h.lp", "model": 3}, ModelError, "model 3"),
        ({"path": "h.lp", "solver": "x", "solution": True}, SolverError, "solver 'x': unknown"),
    ],
)
@pytest.mark.usefixtures("in_tmp_path")
def test_bad_calls_say_so(how, error, message, tmp_path) -> None:
    with pytest.raises(error, match=message):
        export("1112345678999m1p", **how)


def test_infeasible_program_has_no_solution_file(tmp_path: Path) -> None:
    with pytest.raises(SolverError, match="no solution"):
        export("123m456m789m1239p", tmp_path / "h.lp", model="partition", solution=True)
    assert not (tmp_path / "h.sol").exists()


@pytest.mark.parametrize("known", [{"bound": 0}, {"values": None, "bound": None}], ids=repr)
def test_point_that_may_not_be_optimal_is_not_written(
    known: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = CpSat.search

    def stop_early(*given: Any) -> RawSolution:
        return search(*given)._replace(termination=Termination.TIME_LIMIT, **known)

    monkeypatch.setattr(CpSat, "search", stop_early)
    with pytest.raises(SolverError, match=r"cp-sat stopped \(time limit\)"):
        export("1112345678999m1p", tmp_path / "h.lp", solution=True, solver="cp-sat")
    assert not (tmp_path / "h.sol").exists()


def test_nothing_is_written_without_an_optimum(tmp_path: Path) -> None:
    hand = Hand.parse("11m", called=4)
    for solver in ("ndde", "paper"):
        with pytest.raises(MjoptError, match=solver):
            export(hand, tmp_path / "a.mps", model="network", solution=True, solver=solver)
    assert not list(tmp_path.iterdir())


def test_wish_for_a_solution_is_a_truth_value(tmp_path: Path) -> None:
    wish: Any = [True, False]
    with pytest.raises(TypeError, match="solution: "):
        export("1112345678999m1p", tmp_path / "a.mps", solution=wish)
    assert not list(tmp_path.iterdir())
