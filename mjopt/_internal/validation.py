"""Validation of arguments: whole numbers, types, seeds."""

import operator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from mjopt.errors import SeedError

if TYPE_CHECKING:
    import numpy as np

from mjopt._internal.sanitize import one_line


def as_whole(number: Any) -> int | None:
    """Return a whole number as an int, or None for other values, such as True or text.

    Examples
    --------
    >>> as_whole(3), as_whole(3.0), as_whole(10**30) == 10**30
    (3, 3, True)
    >>> [as_whole(number) for number in (0.5, float("nan"), float("inf"), True, "3", None, 3j)]
    [None, None, None, None, None, None, None]
    """
    if type(number) is int:
        return number
    if isinstance(number, bool):
        return None
    try:
        return operator.index(number)
    except TypeError:
        if isinstance(number, Integral) or not isinstance(number, Real):  # includes timedelta
            return None
        whole: Any = number // 1
        return int(whole) if number == whole else None  # False for infinity and NaN


def whole(given: Any, what: str) -> int:
    """Return a whole number as an int; raise TypeError for other values.

    Examples
    --------
    >>> whole(3.0, "runs")
    3
    >>> whole("3", "runs")
    Traceback (most recent call last):
    TypeError: runs: '3', expected a whole number
    """
    number = as_whole(given)
    if number is None:
        raise TypeError(f"{what}: {shorten(repr(given))}, expected a whole number")
    return number


def is_number(given: object) -> bool:
    """Return whether a value is a real number; False for booleans and arrays.

    Examples
    --------
    >>> [is_number(one) for one in (3, 1.5, float("nan"), True, "3", [3])]
    [True, True, True, False, False, False]
    """
    return isinstance(given, Real) and not isinstance(given, bool)


def shorten(value: object) -> str:
    """Return a value as text for an error message: one sanitised line of at most 60 characters."""
    return one_line(str(value), 60)


def expect(given: object, kind: type, what: str) -> None:
    """Raise TypeError unless an argument has a type; NumPy booleans count as bool.

    Raises
    ------
    TypeError
        If it has another type.

    Examples
    --------
    >>> expect("123m", str, "text")
    >>> expect(7, str, "text")
    Traceback (most recent call last):
    TypeError: text: 7, expected a str
    """
    if isinstance(given, kind) or (kind is bool and type(given).__name__ in {"bool", "bool_"}):
        return
    raise TypeError(f"{what}: {shorten(repr(given))}, expected a {kind.__name__}")


def as_rng(given: "int | np.random.Generator") -> "np.random.Generator":
    """Return a random generator: the argument itself, or one with this seed.

    None is an error, because results must be reproducible.

    Raises
    ------
    TypeError
        If it is neither a generator nor a whole number.
    SeedError
        If the seed is negative.

    Examples
    --------
    >>> import numpy as np
    >>> as_rng(1).random() == np.random.default_rng(1).random()
    True
    >>> as_rng(None)
    Traceback (most recent call last):
    TypeError: rng: None, expected a seed (0, 1, 2, ...) or a numpy.random.Generator
    """
    import numpy as np  # slow to load

    if isinstance(given, np.random.Generator):
        return given
    seed = as_whole(given)
    wanted = "expected a seed (0, 1, 2, ...) or a numpy.random.Generator"
    if seed is None:
        raise TypeError(f"rng: {shorten(repr(given))}, {wanted}")
    if seed < 0:
        raise SeedError(f"rng: {shorten(seed)}, {wanted}")
    return np.random.default_rng(seed)
