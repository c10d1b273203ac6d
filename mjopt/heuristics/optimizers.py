"""Optimisers of other packages as heuristics: ``pymoo:GA``, ``scipy:dual_annealing``, ...

Each is loaded when it is named. It minimises `Problem.evaluate`, whose calls are counted, and stops
at the call that spends the budget, whatever its own criteria say.
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError, MissingExtraError
from mjopt.hands.hand import Hand
from mjopt.heuristics.counted_problem import CountedProblem, SearchEnded, SearchLog
from mjopt.heuristics.evaluation_count import counted_by
from mjopt.heuristics.parameters import check_parameters, choice, number
from mjopt.heuristics.repair import REPAIRS
from mjopt.heuristics.result import Result
from mjopt.heuristics.stopping import Stop, StopReason

BUDGET: Final = 1_040
"""Evaluations by default: as many as NDDE with its default population and generations."""

BLOCK: Final = 20
"""Evaluations between two entries of a history."""

_MOST: Final = 10_000_000
_ITERATIONS: Final = 1_000_000  # more than any budget needs

Function = Callable[[npt.NDArray[np.float64]], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimizer:
    """An optimiser of another package that minimises the cost of a hand."""

    evaluations: int = number(BUDGET, 1, _MOST)  # most evaluations of one search
    # Individuals of a population, if the optimiser has one; None for its own default.
    pop_size: int | None = number(None, 2, _MOST)
    # As for :func:`mjopt.heuristics.problem`.
    repair: str = choice(
        "pmelds-first", tuple(name for name in REPAIRS if REPAIRS[name][1] != "random")
    )

    name: ClassVar[str]
    algorithm: ClassVar[str]
    library: ClassVar["Library"]
    is_random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Validate the parameters."""
        check_parameters(self)

    @property
    def num_generations(self) -> int:
        """Blocks of evaluations after the first one."""
        return -(-self.evaluations // BLOCK) - 1

    def search(
        self, hand: Hand, *, rng: np.random.Generator, stop: Stop, target: int | None = None
    ) -> Result:
        """Search one hand; see :class:`mjopt.heuristics.Heuristic`."""
        budget = min(self.evaluations, stop.evaluations or self.evaluations)
        if stop.generations is not None:
            budget = min(budget, BLOCK * (stop.generations + 1))
        log = SearchLog(replace(stop, generations=None, evaluations=budget), target)
        problem = CountedProblem(hand=hand, repair=self.repair, log=log)
        seed = int(rng.integers(2**31))

        def cost(x: npt.NDArray[np.float64]) -> float:
            value = problem.evaluate(np.asarray(x, np.float64).reshape(-1))
            if log.evaluations % BLOCK == 0:
                log.end_generation()
            return float(value)

        with counted_by(log):
            if problem.num_elements == 0:
                log.evaluate_nothing(problem)
                return log.result(problem)
            # Their warnings are about settings and bounds that users of mjopt do not choose.
            with suppress(SearchEnded), warnings.catch_warnings(action="ignore"):
                how = {"budget": budget, "pop_size": self.pop_size, "seed": seed}
                self.library.minimise(self.algorithm, cost, *problem.bounds, **how)
            if log.evaluations == 0:  # the optimiser made no call
                cost(np.zeros(problem.num_variables))
        if log.evaluations % BLOCK:
            log.end_generation()
        is_over = log.stopped is None or (
            log.stopped is StopReason.EVALUATIONS and budget != stop.evaluations
        )
        return log.result(problem, StopReason.GENERATIONS if is_over else None)


@dataclass(frozen=True, slots=True)
class Library:
    """A package with optimisers."""

    package: str  # name on the command line, and to import
    list_names: Callable[[], Iterable[str]]  # returns the names of its optimisers
    # Minimises a function between bounds with a named optimiser, a budget and a seed.
    minimise: Callable[..., None]
    install: str = "pip install 'mjopt[optimizers]'"  # command that installs it


def _pymoo_classes() -> Mapping[str, type]:
    """Return the classes of pymoo's optimisers of one objective by name."""
    from pymoo.algorithms.soo import nonconvex
    from pymoo.core.algorithm import Algorithm

    found: dict[str, type] = {}
    for entry in iter_modules(nonconvex.__path__):
        with suppress(Exception):  # some need further packages, and say so with bare exceptions
            module = import_module(f"{nonconvex.__name__}.{entry.name}")
            for name, kind in vars(module).items():
                is_own = inspect.isclass(kind) and kind.__module__ == module.__name__
                if is_own and issubclass(kind, Algorithm):
                    found[name] = kind
    return found


def _minimise_pymoo(
    name: str,
    function: Function,
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    *,
    budget: int,
    pop_size: int | None,
    seed: int,
) -> None:
    from pymoo.core.problem import ElementwiseProblem
    from pymoo.optimize import minimize

    class OneHand(ElementwiseProblem):  # type: ignore[misc]  # the package has no types
        def _evaluate(
            self, x: npt.NDArray[np.float64], out: dict[str, object], *_: object, **__: object
        ) -> None:
            out["F"] = function(x)

    options = {} if pop_size is None else {"pop_size": pop_size}
    algorithm = _pymoo_classes()[name](**options)
    hand = OneHand(n_var=len(low), n_obj=1, xl=low, xu=high)
    minimize(hand, algorithm, ("n_eval", budget), seed=seed, verbose=False)


def _mealpy_names() -> Iterable[str]:
    import mealpy

    return list(mealpy.get_all_optimizers(verbose=False))


def _minimise_mealpy(
    name: str,
    function: Function,
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    *,
    budget: int,
    pop_size: int | None,
    seed: int,
) -> None:
    import mealpy

    kind = mealpy.get_all_optimizers(verbose=False)[name]
    size = min(pop_size or 50, 10_000)
    # Schedules of these methods depend on the number of epochs, each about one population.
    optimizer = kind(epoch=max(budget // size, 2), pop_size=max(size, 5))
    bounds = mealpy.FloatVar(lb=low.tolist(), ub=high.tolist())
    task = {"obj_func": function, "bounds": bounds, "minmax": "min", "log_to": None}
    optimizer.solve(task, seed=seed, termination={"max_fe": budget})


def _nevergrad_names() -> Iterable[str]:
    import nevergrad

    return list(nevergrad.optimizers.registry)


def _minimise_nevergrad(
    name: str,
    function: Function,
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    *,
    budget: int,
    pop_size: int | None,
    seed: int,
) -> None:
    import nevergrad

    if pop_size is not None:
        raise ArgumentError(f"nevergrad:{name} has no pop_size")
    box = nevergrad.p.Array(init=(low + high) / 2, lower=low, upper=high)
    box.random_state = np.random.RandomState(seed)
    optimizer = nevergrad.optimizers.registry[name](parametrization=box, budget=budget)
    optimizer.minimize(function)


_SCIPY: Final = ("differential_evolution", "direct", "dual_annealing", "shgo")


def _minimise_scipy(
    name: str,
    function: Function,
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    *,
    budget: int,
    pop_size: int | None,
    seed: int,
) -> None:
    from scipy import optimize

    bounds = optimize.Bounds(low, high)
    if pop_size is not None and name != "differential_evolution":
        raise ArgumentError(f"scipy:{name} has no pop_size")
    if name == "differential_evolution":
        # scipy's popsize is a factor of the number of variables; a negative tolerance never holds.
        factor = 15 if pop_size is None else max(-(-pop_size // len(low)), 1)
        optimize.differential_evolution(
            function,
            bounds,
            popsize=factor,
            maxiter=_ITERATIONS,
            tol=0,
            atol=-1,
            polish=False,
            seed=seed,
        )
    elif name == "dual_annealing":
        optimize.dual_annealing(function, bounds, maxiter=_ITERATIONS, maxfun=budget, seed=seed)
    elif name == "direct":
        optimize.direct(function, bounds, maxfun=budget, maxiter=_ITERATIONS)
    else:
        optimize.shgo(function, bounds)


LIBRARIES: Final = {
    library.package: library
    for library in (
        Library("pymoo", _pymoo_classes, _minimise_pymoo),
        # Its version 3.0.3 asks for NumPy below 2, but works with later releases.
        Library("mealpy", _mealpy_names, _minimise_mealpy, "pip install --no-deps mealpy"),
        Library("nevergrad", _nevergrad_names, _minimise_nevergrad),
        Library("scipy", lambda: _SCIPY, _minimise_scipy),
    )
}
"""Packages with optimisers by name."""


def is_optimizer(name: str) -> bool:
    """Return whether a name is that of a package with optimisers, perhaps with one of them."""
    return name.partition(":")[0] in LIBRARIES


@cache
def find_optimizer(name: str) -> type[Optimizer]:
    """Return the heuristic of an optimiser such as ``pymoo:GA``.

    `MissingExtraError` is raised if the package is not installed, `ArgumentError` if it has no such
    optimiser.

    Examples
    --------
    >>> find_optimizer("scipy:direct")().num_generations
    51
    """
    package, _, algorithm = name.partition(":")
    library = LIBRARIES[package]
    if find_spec(package) is None:
        raise MissingExtraError(f"{package} is not installed", hint=library.install)
    names = sorted(library.list_names())
    if algorithm not in names:
        raise ArgumentError(
            f"{package} has no optimiser {short_repr(algorithm)}", expected=tuple(names)
        )
    members = {
        "name": name,
        "algorithm": algorithm,
        "library": library,
        "code_version": f"{package} {version(package)}",
        "__doc__": f"The optimiser {algorithm} of {package}.",
        "__module__": __name__,
        "__slots__": (),
    }
    return type(name, (Optimizer,), members)
