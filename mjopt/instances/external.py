"""Run an external solver by a command line, and read what it claims."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mjopt._internal.programs import MAX_OUTPUT, run_program
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt.errors import SolverError

NUMBER: Final = r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?"
OBJECTIVE: Final = (
    r"(?im)(?:^o |=obj=|objective value:?|primal bound(?: *:)?|value of objective function:"
    rf"|optimal objective|^objective:[^\n=]*=|mip = +)\s*({NUMBER})"
)
"""Finds objectives in the output of CBC, clasp, GLPK, HiGHS, lp_solve, SCIP; the last counts."""

OPTIMAL: Final = r"(?i)\boptimal|optimum found"
INFEASIBLE: Final = r"(?i)\binfeasible|unsatisfiable|no (?:primal )?feasible solution"
UNSETTLED: Final = r"(?i)time limit|stopped on|not solved|interrupted"

FIELDS: Final = ("mps", "opb")
GRACE: Final = 5.0  # seconds after the time limit before a command is killed


@dataclass(frozen=True, kw_only=True)
class SolverCommand:
    """A command line of an external solver.

    Parameters
    ----------
    name
        Its name in the results.
    words
        The words of the command; ``{mps}`` or ``{opb}`` is the path of the program.
    objective
        A regular expression whose group is the objective; the last match counts.
    optimal
        A regular expression that the output matches if the solver claims an optimum.
    """

    name: str
    words: tuple[str, ...]
    objective: str = OBJECTIVE
    optimal: str = OPTIMAL

    @property
    def format(self) -> str:
        """The format of the program, ``mps`` or ``opb``."""
        return next(field for field in FIELDS if f"{{{field}}}" in " ".join(self.words))


@dataclass(frozen=True, kw_only=True)
class RunClaim:
    """What a run claims: an optimum, that there is no solution, or nothing.

    Parameters
    ----------
    is_settled
        Whether it claims an optimum, or that there is no solution.
    objective
        The objective; None without a solution.
    problem
        Why there is no claim; empty otherwise.
    """

    is_settled: bool = False
    objective: float | None = None
    problem: str = ""


def read_command(
    text: str, *, objective: str | None = None, optimal: str | None = None
) -> SolverCommand:
    """Parse ``NAME=COMMAND`` or ``COMMAND``, whose name is then its first word.

    Raises
    ------
    SolverError
        If the command names no program, or a regular expression is invalid.

    Examples
    --------
    >>> read_command("my-scip=scip -f {mps}").name, read_command("clasp {opb}").format
    ('my-scip', 'opb')
    >>> read_command("scip")
    Traceback (most recent call last):
    mjopt.errors.SolverError: command 'scip', expected {mps} or {opb}, the path of the program
    """
    named = re.match(r"([\w.-]+)=(.*)", text, re.DOTALL)
    line = named[2] if named else text
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise SolverError(str(error), argument="command", value=short_repr(text)) from None
    if sum(f"{{{field}}}" in line for field in FIELDS) != 1:
        raise SolverError(
            argument="command",
            value=short_repr(text),
            expected="{mps} or {opb}, the path of the program",
        )
    patterns = {"objective": objective or OBJECTIVE, "optimal": optimal or OPTIMAL}
    for option, pattern in patterns.items():
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            raise SolverError(str(error), argument=option, value=short_repr(pattern)) from None
        if option == "objective" and groups != 1:
            raise SolverError(
                f"{groups} groups", argument=option, value=short_repr(pattern), expected="one"
            )
    if not Path(words[0]).name:
        raise SolverError(
            argument="command", value=short_repr(text), expected="the name of a program"
        )
    return SolverCommand(name=named[1] if named else Path(words[0]).name, words=words, **patterns)


def run_command(command: SolverCommand, program: Path, time_limit: float) -> RunClaim:
    """Run a command on a program, and return its claim; a command that fails claims nothing.

    Its descendants end with it.
    """
    words = [word.replace(f"{{{command.format}}}", str(program)) for word in command.words]
    try:
        ran = run_program(words, time_limit=time_limit + GRACE, folder=program.parent)
    except OSError as error:
        return RunClaim(problem=shorten(f"{words[0]}: {error.strerror}", MESSAGE))
    if ran.is_too_long:
        return RunClaim(problem=f"more than {MAX_OUTPUT:,} bytes of output")
    if ran.status is None:
        return RunClaim()
    return read_output(command, ran.output, ran.status)


def read_output(command: SolverCommand, output: str, status: int = 0) -> RunClaim:
    r"""Return what the output of a solver claims.

    Examples
    --------
    >>> scip = read_command("scip {mps}")
    >>> read_output(scip, "problem is solved [optimal solution found]\nPrimal Bound : +3.0e+00")
    RunClaim(is_settled=True, objective=3.0, problem='')
    >>> read_output(scip, "hello", 1).problem
    'status 1, no objective in: hello'
    """
    found = re.findall(command.objective, output)
    is_unsettled = re.search(UNSETTLED, output) is not None
    if re.search(INFEASIBLE, output) and not re.search(command.optimal, output):
        return RunClaim(is_settled=not is_unsettled)
    if not found:
        if is_unsettled:
            return RunClaim()
        last = (output.strip().splitlines() or ["no output"])[-1]
        return RunClaim(problem=shorten(f"status {status}, no objective in: {last}", MESSAGE))
    try:
        objective = float(found[-1])
    except ValueError:
        return RunClaim(problem=shorten(f"objective {found[-1]!r}, expected a number", MESSAGE))
    is_optimal = re.search(command.optimal, output) is not None
    return RunClaim(is_settled=is_optimal and not is_unsettled, objective=objective)
