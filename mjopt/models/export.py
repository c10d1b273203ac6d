"""Write the program of a hand to a file for other solvers."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect
from mjopt.errors import MjoptError, ModelError, SolverError
from mjopt.hands.coerce import HandLike
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.models.lp_mps import to_lp, to_mps
from mjopt.models.opb import to_opb
from mjopt.models.program import Program
from mjopt.models.registry import FORMULATIONS, ModelLike, get_formulation, write_program
from mjopt.models.solve import DEFAULT_MODEL, one_form_query
from mjopt.models.solvers.base import DEFAULT_OPTIONS
from mjopt.models.solvers.registry import default_solver, get_solver

FORMATS: Final[dict[str, Callable[[Program], str]]] = {"lp": to_lp, "mps": to_mps, "opb": to_opb}
"""Functions that write a program, by format."""

GZIP: Final = ".gz"


def export(
    hand: HandLike,
    path: str | PathLike[str],
    *,
    model: ModelLike = DEFAULT_MODEL,
    format: str | None = None,
    solution: bool = False,
    unseen: Iterable[int] | str | None = None,
    solver: str | None = None,
    forms: FormsLike = None,
) -> Program:
    r"""Write the integer program of a hand to a file, and perhaps its optimum beside it.

    Parameters
    ----------
    hand
        The hand.
    path
        The file: ``.lp`` (CPLEX's LP), ``.mps`` (free MPS) or ``.opb`` (pseudo-Boolean, 0/1
        variables only), each also compressed as ``.gz``.
    model
        The formulation, as for :func:`mjopt.solve`.
    format
        ``lp``, ``mps`` or ``opb``; by default the ending of the file.
    solution
        Whether to write the optimum to a file of the same name that ends in ``.sol``.
    unseen
        As for :func:`mjopt.deficiency`.
    solver
        The solver that computes the optimum; by default the first that is available.
    forms
        One winning form, as for :func:`mjopt.solve`.

    Returns
    -------
    Program
        The program that was written.

    Raises
    ------
    ModelError
        If the format is unknown or cannot express the program, or the model is unknown.
    FileError
        If the file cannot be written.
    SolverError
        If the solver finds no optimum.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "hand.mps.gz"
    ...     program = export("1112345678999m1p", file, model="network", solution=True)
    ...     print(*file.with_name("hand.sol").read_text().splitlines()[:2], sep="\n")
    =obj= 1
    at_1m_m0e0_00_pong_111m 1
    """
    file = as_path(path, "path")
    expect(solution, bool, "solution")
    write = FORMATS[format_of(file, format)]
    formulation = get_formulation(model)
    query = one_form_query(hand, formulation, forms, unseen)
    program = write_program(formulation, query, query.forms[0])
    try:
        text = write(program)
    except ModelError as error:
        if models := list(_find_writable(write, query)):
            error.expected = f"another model: {', '.join(models)}"
        raise
    solved = to_sol(program, optimum(program, solver)) if solution else None
    write_text(file, text)
    if solved is not None:
        atomic_write(solution_path(file), solved)
    return program


def make_program(
    hand: HandLike,
    model: ModelLike = DEFAULT_MODEL,
    forms: FormsLike = None,
    unseen: Iterable[int] | str | None = None,
) -> Program:
    """Return the integer program of a hand; the arguments are those of :func:`export`."""
    formulation = get_formulation(model)
    query = one_form_query(hand, formulation, forms, unseen)
    return write_program(formulation, query, query.forms[0])


def _find_writable(write: Callable[[Program], str], query: HandQuery) -> Iterator[str]:
    """Yield the names of the formulations whose program of a query can be written."""
    for name in FORMULATIONS:
        with suppress(MjoptError):
            write(write_program(get_formulation(name), query, query.forms[0]))
            yield name


def format_of(path: Path, format: str | None = None) -> str:
    """Return the format of a file: the one that is given, else by its ending.

    Examples
    --------
    >>> format_of(Path("h.mps.gz")), format_of(Path("h.txt"), "lp")
    ('mps', 'lp')
    >>> format_of(Path("h.mp"))
    Traceback (most recent call last):
    mjopt.errors.ModelError: h.mp: ending '.mp', expected .lp, .mps or .opb, perhaps with .gz
    """
    ending = _uncompressed(path).suffix
    found = ending.lower().removeprefix(".") if format is None else format
    if found in FORMATS:
        return found
    if format is None:
        raise ModelError(
            f"ending {ending!r}", argument=str(path), expected=".lp, .mps or .opb, perhaps with .gz"
        )
    raise ModelError(argument="format", value=short_repr(format), expected=tuple(FORMATS))


def solution_path(path: Path) -> Path:
    """Return the file of the optimum beside a program.

    Examples
    --------
    >>> str(solution_path(Path("h.mps.gz")))
    'h.sol'
    """
    return _uncompressed(path).with_suffix(".sol")


def write_text(path: Path, text: str) -> None:
    """Write a file, compressed if its name ends in ``.gz``; the same text gives the same bytes."""
    is_gzip = path.suffix.lower() == GZIP
    atomic_write(path, gzip.compress(text.encode(), mtime=0) if is_gzip else text)


def to_sol(program: Program, values: Sequence[int]) -> str:
    """Write a point in the form of MIPLIB: the objective, then every value that is not 0."""
    pairs = zip(program.names, values, strict=True)
    lines = [f"=obj= {program.evaluate(values)}"]
    return "\n".join([*lines, *(f"{name} {value}" for name, value in pairs if value), ""])


def optimum(program: Program, solver: str | None = None) -> tuple[int, ...]:
    """Return an optimal point of a program; `SolverError` if none is found."""
    engine = default_solver() if solver is None else get_solver(solver)
    result = engine.solve(program, DEFAULT_OPTIONS)
    if result.is_infeasible:
        raise SolverError(f"{program.name}: no solution, says {result.solver}")
    if result.values is None or result.objective != result.bound:
        raise SolverError(f"{program.name}: {result.solver} stopped ({result.termination})")
    return tuple(result.values)


def _uncompressed(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == GZIP else path
