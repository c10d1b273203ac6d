"""Imports of solver libraries that cannot share a process, in real processes."""

import subprocess
import sys
import textwrap
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.surroundings import environment, without_packages
from packaging.version import Version

from mjopt.errors import SolverUnavailableError
from mjopt.models.solvers import lazy_backends

TESTS = Path(__file__).parents[2]
REFUSED = Version(version("highspy")) < Version("1.16")
"""Whether highspy cannot be imported after OR-Tools."""

PROLOGUE = """
import sys
sys.path.insert(0, {tests!r})
from helpers.small_programs import make
PROGRAM = make([2, 1], [(0, 2), (0, 2)], [(2, 2, [(0, 1), (1, 1)])])

def optima(*names):
    from mjopt.models.solvers import get_solver
    return [get_solver(name).solve(PROGRAM).objective for name in names]

def is_loaded(*names):
    return [name for name in names if name in sys.modules]
"""


def run(script: str) -> list[str]:
    """Run a script in a fresh process and return the lines it printed."""
    code = PROLOGUE.format(tests=str(TESTS)) + textwrap.dedent(script)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_importing_the_solvers_loads_no_library() -> None:
    script = """
    import mjopt.models.lp_mps, mjopt.models.solvers.registry, mjopt.models.solvers.mathopt
    print(is_loaded("ortools", "pulp", "highspy"))
    """
    assert run(script) == ["[]"]


@pytest.mark.parametrize("order", [("cbc", "cp-sat", "highs"), ("highs", "cp-sat", "cbc")])
def test_solvers_work_with_highspy_installed(order: tuple[str, ...]) -> None:
    script = f"""
    from importlib.util import find_spec
    assert find_spec("highspy") is not None, "the test extra should have brought highspy"
    print(optima(*{order}), is_loaded("pulp", "highspy"))
    """
    assert run(script) == ["[2, 2, 2] []"]


def test_solvers_work_without_highspy() -> None:
    script = """
    class Hidden:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] == "highspy":
                raise ModuleNotFoundError(name)
    sys.meta_path.insert(0, Hidden())
    print(optima("cbc", "cp-sat", "highs"))
    """
    assert run(script) == ["[2, 2, 2]"]


@pytest.mark.parametrize("culprit", ["highspy", "pulp"])
def test_error_explains_that_highspy_was_loaded_first(culprit: str) -> None:
    script = f"""
    import warnings
    warnings.simplefilter("ignore")
    import {culprit}
    from mjopt.errors import SolverUnavailableError
    from mjopt import SOLVERS
    from mjopt.models.solvers import default_solver, get_solver, root_bound
    print([name for name, kind in SOLVERS.items() if kind().available()])
    for attempt in (lambda: get_solver("cp-sat"), lambda: SOLVERS["highs"]().solve(PROGRAM),
                    lambda: SOLVERS["highs"]().version(), lambda: root_bound(PROGRAM)):
        try:
            attempt()
        except SolverUnavailableError as error:
            print(error)
    print(default_solver().name, optima("cbc"), is_loaded("highspy"))
    """
    available, *reasons, last = run(script)
    assert available == "['cbc']"
    assert len(reasons) == 4
    for reason in reasons:
        assert reason.startswith("highspy was loaded first in this process")
    assert last == "cbc [2] ['highspy']"


@pytest.mark.parametrize("guest", ["highspy", "pulp"])
def test_solvers_work_when_highspy_is_loaded_second(guest: str) -> None:
    """Then the import of highspy below 1.16 fails, and PuLP works without it."""
    script = f"""
    import warnings
    warnings.simplefilter("ignore")
    print(optima("cp-sat"))
    try:
        import {guest}
    except ImportError:
        print("refused")
    print(optima("cp-sat", "highs", "cbc"))
    """
    lines = run(script)
    assert (lines[0], lines[-1]) == ("[2]", "[2, 2, 2]")
    assert ("refused" in lines) == (REFUSED and guest == "highspy")


@environment(PATH="")
@without_packages("ortools", "pulp")
def test_error_names_the_missing_library() -> None:
    with pytest.raises(SolverUnavailableError, match="pip install ortools"):
        lazy_backends.import_ortools("ortools.there_is_no_such_module")
    with pytest.raises(SolverUnavailableError, match=r"pip install 'pulp<4'"):
        lazy_backends.find_cbc()


def test_broken_library_is_not_reported_as_missing() -> None:
    with pytest.raises(SolverUnavailableError, match="installed but cannot be loaded: No module"):
        lazy_backends.import_ortools("ortools.there_is_no_such_module")


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits")
def test_a_cbc_on_the_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled, other = lazy_backends.find_cbc(), tmp_path / "cbc"
    assert "solverdir" in bundled.parts
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lazy_backends.find_cbc() == bundled
    monkeypatch.setattr(lazy_backends, "_bundled_cbc", lambda: None)
    assert lazy_backends.find_cbc() == other
    # The bundled program regains a missing executable bit, or else is not used.
    bare = tmp_path / "bare"
    bare.write_text("#!/bin/sh\n")
    monkeypatch.setattr(lazy_backends, "_bundled_cbc", lambda: bare)
    assert lazy_backends.find_cbc() == bare
    monkeypatch.setattr(lazy_backends, "_can_run", lambda _: False)
    assert lazy_backends.find_cbc() == other
    other.unlink()
    with pytest.raises(SolverUnavailableError, match="may not be executed"):
        lazy_backends.find_cbc()
