"""Find and load the libraries of the solvers on demand.

OR-Tools 9.15 and highspy 1.15 cannot share a process: each brings its own
``libhighs``, the second one loaded gets that of the first, and its import fails
with an undefined symbol (https://github.com/google/or-tools/issues/5246).
Where highspy 1.16 is loaded first, HiGHS in OR-Tools crashes. Hence three rules.
OR-Tools is the only solver library that mjopt imports, and not after highspy. CBC runs
as a separate program, found in PuLP's folder without importing PuLP, because
``import pulp`` imports highspy if that is installed.
"""

import importlib
import os
import platform
import shutil
import stat
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from mjopt.errors import SolverUnavailableError

_HIGHSPY_CAME_FIRST = "highspy was loaded first in this process, and OR-Tools cannot share it"
_HIGHSPY_REMEDY = (
    "load mjopt's solver before importing highspy or PuLP "
    '(mjopt.models.solvers.get_solver("cp-sat") does), or use another process'
)


def import_ortools(module: str) -> ModuleType:
    """Import a module of OR-Tools.

    `SolverUnavailableError` is raised if it is not installed, or highspy was loaded first.
    """
    if "highspy" in sys.modules and "ortools" not in sys.modules:
        raise SolverUnavailableError(_HIGHSPY_CAME_FIRST, hint=_HIGHSPY_REMEDY)
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:
        if find_spec("ortools") is None:
            raise SolverUnavailableError(
                "OR-Tools is not installed", hint="pip install ortools"
            ) from error
        if "highspy" in sys.modules:
            raise SolverUnavailableError(_HIGHSPY_CAME_FIRST, hint=_HIGHSPY_REMEDY) from error
        raise SolverUnavailableError(
            f"OR-Tools is installed but cannot be loaded: {error}"
        ) from error


@cache
def package_version(package: str) -> str | None:
    """Return the version of an installed package without importing it, or None."""
    from importlib import metadata  # 20 ms of email and zip code

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def find_cbc() -> Path:
    """Return the CBC program that comes with PuLP, or else the one on the PATH.

    PuLP 4 and later includes no CBC. If no CBC can be run, `SolverUnavailableError` is raised.
    """
    bundled = _bundled_cbc()
    if bundled is not None and _can_run(bundled):
        return bundled
    if on_path := shutil.which("cbc"):
        return Path(on_path)
    if bundled is not None:
        raise SolverUnavailableError(
            f"CBC at {bundled} may not be executed", hint="allow it, or put a cbc on the PATH"
        )
    raise SolverUnavailableError(
        "no CBC found: neither in PuLP nor on the PATH",
        hint="pip install 'pulp<4'",
    )


def _bundled_cbc() -> Path | None:
    spec = find_spec("pulp")
    if spec is None or not spec.submodule_search_locations:
        return None
    system = {"win32": "win", "darwin": "osx"}.get(sys.platform, "linux")
    machine = "i64" if sys.maxsize > 2**32 else "i32"
    # PuLP has one program for macOS; Apple's ARM chips run it by translation.
    if system != "osx" and platform.machine().lower() in {"aarch64", "arm64"}:
        machine = "arm64"
    folder = Path(spec.submodule_search_locations[0], "solverdir", "cbc", system, machine)
    program = folder / ("cbc.exe" if system == "win" else "cbc")
    return program if program.is_file() else None


def _can_run(program: Path) -> bool:
    if not os.access(program, os.X_OK):
        # Some installers drop the executable bit; PuLP sets it when it is imported.
        try:
            program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        except OSError:
            return False
    return os.access(program, os.X_OK)
