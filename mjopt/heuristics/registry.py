"""Every heuristic by name: built-in ones, and those of installed packages.

To add a method, write a class and one line in ``HEURISTICS``, or in another package an entry point
of the group ``mjopt.heuristics``. The method is then available on the command line, in the
comparison and in the conformance tests. ``sa.py:SA`` names a class in a user's file wherever a
method is expected, and ``pymoo:GA`` an optimiser of another package.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from mjopt._internal.registry import (
    TRUE_OR_FALSE,
    PluginRegistry,
    read_options,
    split_options,
)
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode, is_builtin
from mjopt._internal.validation import as_whole, expect, is_number
from mjopt.errors import ArgumentError
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.optimizers import find_optimizer, is_optimizer

_MEANINGS: Final = {**TRUE_OR_FALSE, "none": None}


_DERIVE: Final = "derive it from mjopt.heuristics.IterativeHeuristic, and write start and step"


def _defect(kind: object) -> str | None:
    if not is_builtin(kind if isinstance(kind, type) else type(kind)):
        for member in ("search", "search_batch"):  # it would count its own evaluations
            method = getattr(kind, member, None)  # None: rows are searched one by one
            if method is not None and not is_builtin(method):
                return f"it has its own {member}; {_DERIVE}"
            if method is not None and method is getattr(Heuristic, member, None):
                return f"it has no search; {_DERIVE}"
    for member in ("name", "is_random", "num_generations", "search"):
        if not hasattr(kind, member):
            hint = "a class attribute with its name" if member == "name" else _DERIVE
            return f"it has no {short_repr(member)}; {hint}"
    if is_builtin(kind if isinstance(kind, type) else type(kind)):
        return None
    if "__dataclass_fields__" not in vars(kind if isinstance(kind, type) else type(kind)):
        return "expected a dataclass of parameters"
    return None


HEURISTICS: Final = PluginRegistry[type[Heuristic]](
    "heuristic",
    "mjopt.heuristics",
    {
        "ndde": "mjopt.heuristics.ndde:NDDE",
        "pso": "mjopt.heuristics.pso:PSO",
        "ga": "mjopt.heuristics.ga:GA",
        "tlbo": "mjopt.heuristics.tlbo:TLBO",
        "ndde-refill": "mjopt.heuristics.ndde:NDDERefill",
        "tree-search": "mjopt.heuristics.tree_search:TreeSearch",
        "recursive": "mjopt.heuristics.recursive:Recursive",
    },
    ArgumentError,
    _defect,
)
"""Built-in methods by name, each a class; users may add their own."""


def get_heuristic(name: str, /, **parameters: object) -> Heuristic:
    """Return a heuristic by name, with the given parameters.

    A plug-in, or the package of an optimiser such as ``pymoo:GA``, is loaded on first use.

    Raises
    ------
    ArgumentError
        If the name or a parameter is unknown, or the plug-in cannot be loaded or is not a
        heuristic.

    Examples
    --------
    >>> get_heuristic("ndde", population=50).population
    50
    >>> get_heuristic("nde")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: heuristic 'nde': unknown, expected one of ndde, pso, ga, tlbo ...
    >>> get_heuristic("ndde", popsize=50)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: ndde has no parameter 'popsize', expected one of ...
    """
    expect(name, str, "heuristic")
    kind: type[Heuristic] = find_optimizer(name) if is_optimizer(name) else HEURISTICS.find(name)
    _check_parameters(name, kind, parameters)
    # A choice may be named "none".
    words = {f.name: "none" for f in fields(kind) if "none" in f.metadata.get("choices", ())}  # type: ignore[arg-type]
    options = {key: words.get(key) if value is None else value for key, value in parameters.items()}
    return _checked(name, HEURISTICS.create(name, kind, options))


def _checked(name: str, heuristic: Heuristic) -> Heuristic:
    """Return a heuristic whose attributes are of the right types."""
    with UserCode(type(heuristic), f"heuristic {name} fails", ArgumentError):
        number = as_whole(heuristic.num_generations)
        for attribute, is_valid, expected in (
            ("name", isinstance(heuristic.name, str), "text"),
            ("is_random", isinstance(heuristic.is_random, bool), "True or False"),
            ("num_generations", number is not None and number >= 0, "a whole number, 0 or more"),
        ):
            if not is_valid:
                value = short_repr(getattr(heuristic, attribute))
                raise ArgumentError(f"heuristic {name}: {attribute} = {value}", expected=expected)
    return heuristic


def _check_parameters(name: str, kind: type[Heuristic], parameters: Mapping[str, object]) -> None:
    """Check the names, and the types of a user's parameters whose default is a number or a bool."""
    known = {field.name: field for field in fields(kind) if field.init}  # type: ignore[arg-type]
    for parameter, value in parameters.items():
        if parameter not in known:
            raise ArgumentError(
                f"{name} has no parameter {short_repr(parameter)}", expected=tuple(known)
            )
        field = known[parameter]
        if is_builtin(kind) or (value is None and "None" in str(field.type)):
            continue  # built-in methods check their ranges, too
        expected = ""
        if isinstance(field.default, bool):
            expected = "" if isinstance(value, bool) else "true or false"
        elif is_number(field.default) and field.type in (int, "int"):
            expected = "a whole number" if as_whole(value) is None else ""
        elif is_number(field.default):
            expected = "" if is_number(value) else "a number"
        if expected:
            raise ArgumentError(f"{name}: {parameter} = {short_repr(value)}", expected=expected)


def as_heuristic(given: str | Heuristic | type[Heuristic], **parameters: object) -> Heuristic:
    """Return the heuristic for a name, an instance or a class.

    Raises
    ------
    ArgumentError
        As for :func:`get_heuristic`; also if parameters are given beside an instance.

    Examples
    --------
    >>> from mjopt.heuristics import NDDE
    >>> as_heuristic(NDDE(population=50)) == as_heuristic(NDDE, population=50)
    True
    >>> as_heuristic(NDDE(), population=50)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: population: the method that is given has its own: NDDE(...)
    """
    if isinstance(given, str):
        return get_heuristic(given, **parameters)
    if missing := _defect(given):
        raise ArgumentError(f"{short_repr(given)} is no heuristic: {missing}", argument="method")
    if isinstance(given, type):
        _check_parameters(given.name, given, parameters)
        return _checked(given.name, HEURISTICS.create(given.name, given, parameters))
    if parameters:
        named = ", ".join(parameters)
        raise ArgumentError(f"{named}: the method that is given has its own: {short_repr(given)}")
    return _checked(given.name, given)


def read_method(text: str) -> tuple[str, Heuristic]:
    """Parse a method such as ``ndde`` or ``ndde:population=50,generations=500``.

    Parameters
    ----------
    text
        A name, ``FILE.py:CLASS`` or ``PACKAGE:OPTIMISER``, then optionally a colon and
        parameters. A prefix ``ALIAS=`` sets the label.

    Returns
    -------
    tuple of str and Heuristic
        The label, safe in file names, built from the population, the generations and all values
        that are not the default; and the method.

    Raises
    ------
    ArgumentError
        If the text cannot be parsed, or the method rejects a parameter.

    Examples
    --------
    >>> read_method("ndde")[0], read_method("ndde:population=50,generations=500")[0]
    ('ndde-20-50', 'ndde-50-500')
    >>> read_method("ndde:out_of_range=wrap")[0], read_method("wrapped=ndde:out_of_range=wrap")[0]
    ('ndde-20-50-out_of_range-wrap', 'wrapped')
    """
    expect(text, str, "text")
    label, name, options = cut_method(text)
    heuristic = get_heuristic(name, **options)
    if not label:
        HEURISTICS.check_name_clash(name, heuristic.name, type(heuristic))
    return label or label_of(heuristic), heuristic


def cut_method(text: str) -> tuple[str, str, dict[str, object]]:
    """Split the text of a method into alias (if any), name and parameters."""
    alias, name, rest = HEURISTICS.parse_spec(text)
    if is_optimizer(name):
        algorithm, _, rest = rest.partition(":")
        name = f"{name}:{algorithm}"
    options = read_options(
        split_options(rest),
        what=f"method {short_repr(text)}",
        error=ArgumentError,
        meanings=_MEANINGS,
    )
    return alias, name, dict(options)


def is_method(name: str) -> bool:
    """Return whether a name is that of a heuristic or of a class in a file."""
    return HEURISTICS.is_known(name) or is_optimizer(name)


def label_of(heuristic: Heuristic) -> str:
    """Return a method's name with its population, generations and values other than the default."""
    words = [heuristic.name]
    for field in fields(heuristic):  # type: ignore[arg-type]
        value = getattr(heuristic, field.name)
        if field.name in ("population", "generations"):
            words.append(str(value))
        elif value != field.default:
            words += [field.name, str(value)]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", "-".join(words))
