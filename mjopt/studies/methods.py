"""Methods of a study: from text to what the plan keeps, and back to something that runs."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from mjopt.errors import MjoptError, StudyError
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import cut_method, label_of, make_heuristic, read_method
from mjopt.studies.plan import PlannedMethod

BUDGET = ("generations", "strict_generations", "max_evaluations")
PLAIN = (bool, int, float, str, type(None))


def plan_method(text: str) -> PlannedMethod:
    """Read a method such as ``ndde`` or ``ndde:population=50,generations=500``.

    Raises
    ------
    HeuristicError
        If there is no such method or parameter, or a parameter is out of range.
    StudyError
        If a parameter is no plain value, so that no plan can keep it.

    Examples
    --------
    >>> method = plan_method("ndde:population=50,generations=500")
    >>> method.label, method.parameters["population"], method.is_random
    ('ndde-50-500', 50, True)
    >>> method.stream == plan_method("ndde:population=50").stream
    True
    """
    label, heuristic = read_method(text)
    _, name, _ = cut_method(text)
    known_as = heuristic.name if ":" in name else name  # wherever its file lies
    given = (one.name for one in fields(heuristic) if one.init)  # type: ignore[arg-type]
    parameters: dict[str, Any] = {key: getattr(heuristic, key) for key in given}
    for key, value in parameters.items():
        if not isinstance(value, PLAIN):
            what = f"{key} is a {type(value).__name__}, expected a number or a word"
            raise StudyError(f"method {text!r}: {what}")
    # A run with a smaller budget is the beginning of one with more: they share streams.
    kept = (f"{key}={value}" for key, value in parameters.items() if key not in BUDGET)
    return PlannedMethod(
        label=label,
        name=name,
        parameters=parameters,
        is_random=bool(heuristic.is_random),
        stream=f"{known_as}:{','.join(kept)}".rstrip(":"),
    )


def plan_methods(texts: Iterable[str]) -> tuple[PlannedMethod, ...]:
    """Read several methods; the same one twice is an error.

    Examples
    --------
    >>> plan_methods(["ndde", "ndde:population=20"])
    Traceback (most recent call last):
    mjopt.errors.StudyError: methods 'ndde' and 'ndde:population=20' are the same: ...
    """
    known: dict[str, tuple[str, PlannedMethod]] = {}
    methods = []
    for text in texts:
        method = plan_method(text)
        if method.label in known:
            other, its = known[method.label]
            what = "the same:" if its == method else "both called"
            raise StudyError(f"methods {other!r} and {text!r} are {what} {method.label}")
        known[method.label] = text, method
        methods.append(method)
    return tuple(methods)


def make_method(method: PlannedMethod) -> Heuristic:
    """Return the heuristic that a plan names; out of a file, as it was when that was read."""
    return make_heuristic(method.name, method.parameters)


def text_of(method: PlannedMethod) -> str:
    """Return the text that plans a method, every parameter said.

    Examples
    --------
    >>> text_of(plan_method("mine=tree-search:prune=false"))
    'mine=tree-search:order=melds-first,prune=False'
    """
    given = [f"{k}={v}" for k, v in sorted(method.parameters.items()) if v is not None]
    text = f"{method.name}:{','.join(given)}" if given else method.name
    try:
        is_usual = label_of(make_method(method)) == method.label
    except MjoptError:  # its file is gone, say: with its label the text is right in any case
        is_usual = False
    return text if is_usual else f"{method.label}={text}"
