"""Parameters of heuristics: fields of a dataclass with a range or a list of choices."""

from dataclasses import field, fields
from typing import Any, Final, TypeVar

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError

T = TypeVar("T")

YES_OR_NO: Final = (True, False)


def number(default: T, low: float, high: float) -> T:
    """Declare a parameter in ``low..high``; None is allowed if it is the default."""
    return field(default=default, metadata={"range": (low, high)})


def choice(default: T, choices: tuple[object, ...]) -> T:
    """Declare a parameter with a fixed list of choices."""
    return field(default=default, metadata={"choices": choices})


def check_parameters(heuristic: Any) -> None:
    """Compare the fields of a heuristic with their ranges and choices; others may hold anything."""
    for parameter in fields(heuristic):
        value = getattr(heuristic, parameter.name)
        if "choices" in parameter.metadata:
            choices = parameter.metadata["choices"]
            is_valid = isinstance(value, str | bool) and value in choices
            expected: str | tuple[str, ...] = tuple(map(str, choices))
        elif "range" in parameter.metadata:
            low, high = parameter.metadata["range"]
            is_valid = _is_between(value, low, high) or (value is None is parameter.default)
            expected = f"{'a whole number ' if isinstance(low, int) else ''}{low} to {high}"
        else:
            continue
        if not is_valid:
            raise ArgumentError(
                f"{heuristic.name}: {parameter.name} = {short_repr(value)}", expected=expected
            )


def _is_between(value: object, low: float, high: float) -> bool:
    """Return whether a value is a number in a range; whole if the ends of the range are."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return low <= value <= high and (isinstance(low, float) or value == int(value))
