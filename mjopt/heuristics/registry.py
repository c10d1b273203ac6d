"""Every heuristic by name: ours, and those of installed packages.

A newcomer is one line in ``HEURISTICS``, or in another package an entry point of the
group ``mjopt.heuristics``; it is then on the command line, in the comparison and in
the conformance tests.
"""

import re
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from mjopt.errors import HeuristicError
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.ga import GA
from mjopt.heuristics.ndde import NDDE
from mjopt.heuristics.ndde_refill import NDDERefill
from mjopt.heuristics.pso import PSO
from mjopt.heuristics.tlbo import TLBO
from mjopt.heuristics.tree_search import TreeSearch

GROUP = "mjopt.heuristics"

HEURISTICS: dict[str, type[Heuristic]] = {
    "ndde": NDDE,
    "pso": PSO,
    "ga": GA,
    "tlbo": TLBO,
    "ndde-refill": NDDERefill,
    "tree-search": TreeSearch,
}


@cache
def plug_ins() -> dict[str, EntryPoint]:
    """Return the entry points of installed packages, by name; none is loaded."""
    return {point.name: point for point in entry_points(group=GROUP)}


def known_names() -> tuple[str, ...]:
    """Return every name that ``get_heuristic`` knows, plug-ins last."""
    return (*HEURISTICS, *(name for name in plug_ins() if name not in HEURISTICS))


def heuristic_class(name: str) -> type[Heuristic]:
    """Return a heuristic's class by name; a plug-in loads only when it is asked for.

    Raises
    ------
    HeuristicError
        If the name is unknown, or the plug-in behind it does not load or is no
        heuristic.
    """
    if name in HEURISTICS:
        return HEURISTICS[name]
    if name not in plug_ins():
        known = ", ".join(known_names())
        raise HeuristicError(f"unknown heuristic {name!r}, expected one of {known}")
    point = plug_ins()[name]
    try:
        found = point.load()
    except Exception as error:
        raise HeuristicError(f"heuristic {name!r} from {point.value} fails: {error}") from error
    for member in ("name", "is_random", "num_generations", "search"):
        if not hasattr(found, member):
            raise HeuristicError(f"{point.value} is no heuristic: it has no {member!r}")
    if not is_dataclass(found):
        raise HeuristicError(f"{point.value} is no heuristic: expected a dataclass of parameters")
    return cast("type[Heuristic]", found)


def get_heuristic(name: str, **parameters: Any) -> Heuristic:
    """Return a heuristic by name, with some of its parameters.

    Examples
    --------
    >>> get_heuristic("ndde", population=50).population
    50
    >>> get_heuristic("nde")
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: unknown heuristic 'nde', expected one of ndde, ...
    >>> get_heuristic("ndde", popsize=50)
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: ndde has no parameter 'popsize', expected one of ...
    """
    kind = heuristic_class(name)
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            raise HeuristicError(
                f"{name} has no parameter {parameter!r}, expected one of {', '.join(known)}"
            )
    return kind(**parameters)


def read_method(text: str) -> tuple[str, Heuristic]:
    """Read a method such as ``ndde`` or ``ndde:population=50,generations=500``.

    Parameters
    ----------
    text
        A name, then perhaps a colon and parameters.

    Returns
    -------
    tuple of str and Heuristic
        The label, safe in file names and made from the population, the generations
        and whatever is not the default; and the method.

    Raises
    ------
    HeuristicError
        If the text does not read so, or the method refuses a parameter.

    Examples
    --------
    >>> read_method("ndde")[0], read_method("ndde:population=50,generations=500")[0]
    ('ndde-20-50', 'ndde-50-500')
    >>> read_method("ndde:out_of_range=wrap")[0]
    'ndde-20-50-out_of_range-wrap'
    """
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for part in filter(None, (word.strip() for word in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise HeuristicError(f"method {text!r}: {part!r}, expected NAME=VALUE")
        parameters[key.strip()] = _value(value.strip())
    heuristic = get_heuristic(name.strip(), **parameters)
    return label_of(heuristic), heuristic


def label_of(heuristic: Heuristic) -> str:
    """Return a method's name with its population, generations and what is not default."""
    words = [heuristic.name]
    for field in fields(heuristic):  # type: ignore[arg-type]
        value = getattr(heuristic, field.name)
        if field.name in ("population", "generations"):
            words.append(str(value))
        elif value != field.default:
            words += [field.name, str(value)]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", "-".join(words))


def _value(text: str) -> Any:
    plain: dict[str, Any] = {"true": True, "false": False, "none": None}
    if text.lower() in plain:
        return plain[text.lower()]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
