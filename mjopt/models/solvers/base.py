"""The interface of solvers: options, results, and the checks of every result."""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode
from mjopt._internal.validation import as_number, as_whole, expect, is_number
from mjopt.errors import ArgumentError, SolverError, SolverUnavailableError
from mjopt.models.program import Program

# Tolerance for whole numbers of solvers with floating-point arithmetic.
VALUE_SLACK = 1e-4
BOUND_SLACK = 1e-6
BOUND_SLACK_RELATIVE = 1e-10

MOST_THREADS = 100  # CBC interprets greater numbers differently
LONGEST = 1_000_000  # seconds; the clocks of solvers overflow beyond some limit


class Termination(StrEnum):
    """Why a run stopped, whatever its result.

    Examples
    --------
    >>> [reason.value for reason in Termination]
    ['finished', 'time limit', 'other limit', 'interrupted']
    """

    def __repr__(self) -> str:
        return f"Termination.{self.name}"

    FINISHED = "finished"  # the solver says its search is complete
    TIME_LIMIT = "time limit"
    OTHER_LIMIT = "other limit"  # nodes, iterations, memory
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions:
    """Options of a run.

    Parameters
    ----------
    time_limit
        Seconds of wall-clock time, at most a million; None for no limit.
    seed
        Seed of the solver's random numbers, ``0..2147483647``.
    threads
        Threads the solver may use, ``1..100``.

    Examples
    --------
    >>> import mjopt
    >>> options = mjopt.SolveOptions(time_limit=10, seed=1)
    >>> mjopt.solve("1112345678999m1p", model="network", solver="cbc", options=options).value
    1
    """

    time_limit: float | None = None
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        """Validate the options."""
        limit = self.time_limit
        if limit is not None and not (is_number(limit) and 0 < limit <= LONGEST):
            raise ArgumentError(
                argument="time_limit",
                value=short_repr(limit),
                expected=f"seconds above 0, at most {LONGEST}",
            )
        for name, most in (("threads", MOST_THREADS), ("seed", 2**31 - 1)):
            value, least = getattr(self, name), int(name == "threads")
            number = as_whole(value)
            if number is None or not least <= number <= most:
                raise ArgumentError(
                    argument=name, value=short_repr(value), expected=f"{least}..{most}"
                )
            object.__setattr__(self, name, number)


DEFAULT_OPTIONS = SolveOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverResult:
    """The result of one solver for one program.

    Parameters
    ----------
    solver, version
        Name and version of the solver.
    termination
        Why the run stopped.
    values
        A feasible point, checked here, or None.
    objective
        The objective at ``values``, computed here, or None.
    bound
        The lower bound that the solver claims, or None.
    is_infeasible
        Whether the solver claims that no point exists.
    runtime
        Seconds inside the solver.

    Examples
    --------
    >>> from mjopt.models.solvers import Termination
    >>> result = SolverResult(
    ...     solver="mine",
    ...     version="1",
    ...     termination=Termination.FINISHED,
    ...     values=(1,),
    ...     objective=1,
    ...     bound=1,
    ... )
    >>> result.is_optimal
    True
    """

    solver: str
    version: str
    termination: Termination
    values: tuple[int, ...] | None = None
    objective: int | None = None
    bound: int | None = None
    is_infeasible: bool = False
    runtime: float = 0.0

    def __post_init__(self) -> None:
        """Raise if the result contradicts itself."""
        if (self.values is None) != (self.objective is None):
            raise SolverError(f"{self.solver}: values and objective must come together")
        if self.is_infeasible and self.values is not None:
            raise SolverError(f"{self.solver}: a point for a program it calls infeasible")
        if self.objective is not None and self.bound is not None and self.bound > self.objective:
            raise SolverError(
                f"{self.solver}: claims no point below {self.bound}, "
                f"yet its own point costs {self.objective}"
            )

    @property
    def is_optimal(self) -> bool:
        """Whether the solver claims that its point is optimal: a claim, not a proof."""
        return self.objective is not None and self.objective == self.bound


class RawSolution(NamedTuple):
    """The output of a solver before it is checked; fields as in `SolverResult`.

    Examples
    --------
    >>> RawSolution(values=[1.0, 0.0], bound=1).termination
    Termination.FINISHED
    """

    termination: Termination = Termination.FINISHED
    runtime: float = 0.0
    values: Sequence[float] | None = None
    bound: int | None = None
    is_infeasible: bool = False


class Solver(Protocol):
    """Solves any Program of integer variables.

    Examples
    --------
    >>> from mjopt import SOLVERS
    >>> SOLVERS["highs"]().available()
    True
    """

    name: str
    takes_fractions: bool = True

    def load(self) -> None:
        """Load the solver's library.

        Raises
        ------
        SolverUnavailableError
            If it cannot be loaded here; the message says what to do.
        """
        ...

    def available(self) -> bool:
        """Whether it is installed and can be loaded here; never raises."""
        try:
            with UserCode(type(self), f"solver {self.name} fails", SolverUnavailableError):
                self.load()
        except SolverUnavailableError:
            return False
        return True

    def version(self) -> str:
        """Return the version of the solver itself."""
        ...

    def search(self, program: Program, options: SolveOptions) -> RawSolution:
        """Minimise a program whose bounds do not cross; the caller checks the result."""
        ...

    def solve(self, program: Program, options: SolveOptions = DEFAULT_OPTIONS) -> SolverResult:
        """Minimise a program.

        Raises
        ------
        SolverUnavailableError
            If the solver cannot be loaded.
        SolverError
            If it fails or contradicts itself, or its point does not satisfy the program.
        """
        expect(program, Program, "program")
        expect(options, SolveOptions, "options")
        with UserCode(type(self), f"solver {self.name} fails", SolverError):
            version = self.version()
        if not isinstance(version, str):
            raise SolverError(
                f"{self.name}: version returns {short_repr(version)}", expected="text"
            )
        if not (self.takes_fractions or all(program.integer)):
            raise SolverError(
                f"{self.name} supports integer variables only, {program.name} has others"
            )
        is_empty = has_crossed_bounds(program)
        raw: object = RawSolution(is_infeasible=True)
        if not is_empty:
            with UserCode(type(self), f"solver {self.name} fails", SolverError):
                raw = self.search(program, options)
        raw = _check_raw(raw, self.name)
        values, objective = None, None
        if raw.values is not None:
            values, objective = check_point(program, raw.values, self.name)
        return SolverResult(
            solver=self.name,
            version=version,
            termination=raw.termination,
            values=values,
            objective=objective,
            bound=raw.bound,
            is_infeasible=raw.is_infeasible,
            runtime=raw.runtime,
        )


def _check_raw(raw: object, solver: str) -> RawSolution:
    """Check the types of what a solver returns."""
    if not isinstance(raw, RawSolution):
        raise SolverError(f"{solver}: search returns {short_repr(raw)}", expected="a RawSolution")
    bound = as_whole(raw.bound)
    for name, is_valid, expected in (
        ("termination", isinstance(raw.termination, Termination), "a Termination"),
        ("runtime", is_number(raw.runtime), "seconds"),
        ("bound", (bound is None) == (raw.bound is None), "a whole number or None"),
        ("is_infeasible", isinstance(raw.is_infeasible, bool), "True or False"),
    ):
        if not is_valid:
            value = short_repr(getattr(raw, name))
            raise SolverError(f"{solver}: {name} = {value}", expected=expected)
    return raw._replace(bound=bound)


def check_point(
    program: Program, values: Sequence[float], solver: str
) -> tuple[tuple[int, ...], int]:
    """Round the point of a solver, check it exactly, and return it with its objective.

    `SolverError` is raised if a value is not near a whole number, or the point breaks the program.

    Examples
    --------
    >>> from mjopt.models.program import Rows
    >>> program = Program(
    ...     name="toy", objective=(2, 1), lower=(0, 0), upper=(3, 3), integer=(True, True),
    ...     rows=Rows.gather([("sum", 3, None, [(0, 1), (1, 1)])]), names=("a", "b"),
    ...     pieces=((), ()),
    ... )
    >>> check_point(program, [0.9999999, 2.0], "some solver")
    ((1, 2), 4)
    >>> check_point(program, [1.0, 1.0], "some solver")
    Traceback (most recent call last):
    mjopt.errors.SolverError: some solver returned a point that breaks toy: row sum is 2, ...
    """
    try:
        values = [float(value) for value in values]
    except (TypeError, ValueError, OverflowError):
        raise SolverError(
            f"{solver}: values = {short_repr(values)}", expected="a number for each variable"
        ) from None
    if len(values) != program.num_variables:
        raise SolverError(
            f"{solver}: {len(values)} values for the {program.num_variables} variables "
            f"of {program.name}"
        )
    for name, value in zip(program.names, values, strict=True):
        if not math.isfinite(value) or abs(value - round(value)) > VALUE_SLACK:
            raise SolverError(f"{solver}: {name} = {value} is not whole")
    whole = tuple(map(round, values))
    if fault := program.fault(whole):
        raise SolverError(f"{solver} returned a point that breaks {program.name}: {fault}")
    return whole, program.evaluate(whole)


def safe_bound(program: Program, bound: float) -> int | None:
    """Round a claimed lower bound to an integer, or return None if it is not finite.

    If all variables with a cost are integers, so is the objective, and the bound may be rounded
    up. The slack allows for floating-point errors of the solver.

    Examples
    --------
    >>> from mjopt.models.program import Rows
    >>> program = Program(
    ...     name="toy", objective=(1,), lower=(0,), upper=(9,), integer=(True,),
    ...     rows=Rows.gather([]), names=("a",), pieces=((),),
    ... )
    >>> [safe_bound(program, b) for b in (2.3, 2.0000003, 1.9999997, float("-inf"))]
    [3, 2, 2, None]
    """
    expect(program, Program, "program")
    if not math.isfinite(as_number(bound, "bound")):
        return None
    slack = max(BOUND_SLACK, BOUND_SLACK_RELATIVE * abs(bound))
    costly = (w for c, w in zip(program.objective, program.integer, strict=True) if c)
    return math.ceil(bound - slack) if all(costly) else math.floor(bound + slack)


def has_crossed_bounds(program: Program) -> bool:
    """Whether a lower bound of a variable or row lies above its upper bound.

    Such a program is infeasible, but solvers treat it as an input error.
    """
    pairs = zip(program.rows.lower, program.rows.upper, strict=True)
    return any(map(operator.gt, program.lower, program.upper)) or any(
        low is not None and high is not None and low > high for low, high in pairs
    )
