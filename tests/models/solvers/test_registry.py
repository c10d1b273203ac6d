"""Solver lookup by name, and errors for missing solvers."""

import pytest

from mjopt import SOLVERS
from mjopt.errors import SolverError, SolverUnavailableError
from mjopt.models.solvers import cbc, cp_sat, default_solver, get_solver, mathopt


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_is_listed_under_its_name(name: str) -> None:
    assert get_solver(name).name == SOLVERS[name].name == name


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(SolverError, match="solver 'scip': unknown, expected one of cp-sat, highs"):
        get_solver("scip")


def test_first_loadable_solver_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(module: str) -> None:
        raise SolverUnavailableError("not today")

    assert default_solver().name == "cp-sat"
    monkeypatch.setattr(cp_sat, "import_ortools", refuse)
    assert default_solver().name == "highs"
    monkeypatch.setattr(mathopt, "import_ortools", refuse)
    assert default_solver().name == "cbc"
    monkeypatch.setattr(cbc, "_version", refuse)
    with pytest.raises(SolverUnavailableError, match="cp-sat: not today; highs: not today; cbc:"):
        default_solver()
    assert not any(kind().available() for kind in SOLVERS.values())
