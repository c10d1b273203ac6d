"""CBC, COIN-OR's integer solver, as the program that comes with PuLP.

It reads an MPS file written by mjopt. PuLP's interface takes 3 to 5 ms more on programs that CBC
solves in 7, reports a run stopped by its time limit as optimal, and needs ``import pulp``;
``mjopt.models.solvers.lazy_backends`` explains why that is avoided.
"""

import re
import time
from functools import cache
from pathlib import Path

from mjopt._internal.files import temporary_folder
from mjopt._internal.programs import MAX_OUTPUT, run_program
from mjopt.errors import SolverError, SolverUnavailableError
from mjopt.models.lp_mps import to_mps
from mjopt.models.program import Program
from mjopt.models.solvers.base import RawSolution, SolveOptions, Solver, Termination, safe_bound
from mjopt.models.solvers.lazy_backends import find_cbc, package_version

# Probing is off because CBC 2.10.3 calls wrong points optimal with it: 2 in 1,500
# random programs of at most 4 variables with ranged rows, and 0 in 10,000 without
# (https://github.com/coin-or/Cbc/issues/293). Its preprocessing probes too.
# Measured, ms a solve (blockwise, completion, network): 13, 32, 280 by default; 7,
# 20, 78 as below; without any cuts, completion takes 52.
_OPTIONS = ("-preprocess", "off", "-presolve", "off", "-heuristics", "off", "-probing", "off")

_GRACE = 10.0  # seconds that CBC may overrun its time limit before it is killed


class Cbc(Solver):
    """CBC, run as a separate program.

    It supports the time limit, the seed and the number of threads. Runs are independent processes,
    so any number may run at the same time; Ctrl-C ends the program. CBC uses floating-point
    arithmetic, so its answers are only claims.

    The ``binary`` is by default the one that comes with PuLP, or else the one on the PATH.
    """

    name = "cbc"

    def __init__(self, binary: Path | None = None) -> None:
        self._binary = binary

    def load(self) -> None:
        """Find the program and run it once, or raise SolverUnavailableError."""
        self.version()

    def version(self) -> str:
        """Return the version of CBC, and of PuLP if it came with that."""
        return _version(self._binary or _default_cbc())

    def search(self, program: Program, options: SolveOptions) -> RawSolution:
        """Minimise a program."""
        started = time.perf_counter()
        solution = _run(self._binary or _default_cbc(), to_mps(program), options)
        runtime = time.perf_counter() - started

        # "Optimal - objective value 3.00000000", "Stopped on time (no integer
        # solution - continuous used) - objective value 1.5", "Infeasible - ..."
        headline, _, rest = solution.partition("\n")
        status, _, value = headline.rpartition(" - objective value ")
        # CBC 2.10.3 sometimes calls a run that was stopped by its time limit optimal, or its
        # program infeasible. So its status after the limit proves nothing.
        is_late = options.time_limit is not None and runtime >= options.time_limit
        is_infeasible = status in {"Infeasible", "Integer infeasible"}
        if is_infeasible and not is_late:
            return RawSolution(runtime=runtime, is_infeasible=True)
        if not is_infeasible and not status.startswith(("Optimal", "Stopped on")):
            raise SolverError(f"{self.name} says {headline!r} of {program.name}")
        is_finished = status.startswith("Optimal") and not is_late
        termination = Termination.FINISHED if is_finished else _limit(status, is_late)
        if is_infeasible or "no integer solution" in status:
            return RawSolution(termination, runtime)
        is_optimal = is_finished and status == "Optimal"
        bound = safe_bound(program, float(value)) if is_optimal else None
        return RawSolution(termination, runtime, _values(program, rest), bound)


def _run(binary: Path, text: str, options: SolveOptions) -> str:
    with temporary_folder("cbc") as folder:
        model, solution = folder / "model.mps", folder / "solution.txt"
        model.write_text(text, encoding="utf-8")
        seed = str(options.seed % (2**31 - 1) + 1)  # CBC interprets 0 as the time of day
        common = ["-randomSeed", seed, "-randomCbcSeed", seed, "-ratio", "0"]
        if options.threads > 1:
            common += ["-threads", str(options.threads)]
        if options.time_limit is not None:
            common += ["-timeMode", "elapsed", "-sec", str(options.time_limit)]
        common += ["-solve", "-solution", str(solution)]
        # Without preprocessing CBC 2.10.3 crashes on some programs that have no
        # whole point, such as 2 x = 3: those it may preprocess after all
        # (https://github.com/coin-or/Cbc/issues/463).
        for flags in (_OPTIONS, ()):
            words = [str(binary), str(model), *flags, *common]
            limit = options.time_limit
            ran = run_program(words, time_limit=None if limit is None else limit + _GRACE)
            if ran.is_too_long:
                raise SolverError(f"cbc wrote more than {MAX_OUTPUT:,} bytes of output")
            if ran.status is None:
                return "Stopped on time (no integer solution) - objective value 0\n"
            if solution.exists() and (found := solution.read_text(encoding="utf-8")):
                return found
        raise SolverError(f"cbc wrote no solution; its output ends with {ran.output[-300:]!r}")


def _limit(status: str, is_late: bool) -> Termination:
    if is_late or status.startswith("Stopped on time"):
        return Termination.TIME_LIMIT
    is_ctrl_c = status.startswith("Stopped on ctrl-c")
    return Termination.INTERRUPTED if is_ctrl_c else Termination.OTHER_LIMIT


def _values(program: Program, lines: str) -> list[float]:
    """Read lines ``number name value reduced-cost``; values of 0 have no line."""
    values = [0.0] * program.num_variables
    for line in lines.splitlines():
        fields = line.removeprefix("**").split()
        if len(fields) == 4 and int(fields[0]) < len(values):
            values[int(fields[0])] = float(fields[2])
    return values


@cache
def _default_cbc() -> Path:
    return find_cbc()


@cache
def _version(binary: Path) -> str:
    try:
        banner = run_program([str(binary), "-quit"], time_limit=_GRACE).output
    except OSError as error:
        raise SolverUnavailableError(f"CBC at {binary} cannot be run: {error}") from error
    found = re.search(r"Version: (\S+)", banner)
    origin = f" (PuLP {package_version('pulp')})" if "solverdir" in binary.parts else ""
    return f"CBC {found[1] if found else '?'}{origin}"
