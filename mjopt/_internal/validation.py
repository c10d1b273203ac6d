"""Validation of arguments: whole numbers, types, seeds."""

import operator
from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Integral, Real
from typing import TYPE_CHECKING, Final, TypeGuard, TypeVar

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError, MjoptError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")

MOST_BITS: Final = 14_000
"""Of a whole number that Python writes as text: its limit is 4,300 digits."""


def as_whole(number: object) -> int | None:
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
    if hasattr(number, "__index__"):
        with suppress(TypeError):  # an array of several numbers
            return operator.index(number)
    if isinstance(number, Integral) or not is_number(number):  # includes timedelta
        return None
    whole = number // 1
    return int(whole) if number == whole else None  # False for infinity and NaN


def whole(given: object, what: str) -> int:
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
    if number is None or number.bit_length() > MOST_BITS:
        raise TypeError(f"{what}: {short_repr(given)}, expected a whole number")
    return number


def is_number(given: object) -> TypeGuard[float]:
    """Return whether a value is a real number; False for booleans and arrays.

    Examples
    --------
    >>> [is_number(one) for one in (3, 1.5, float("nan"), True, "3", [3])]
    [True, True, True, False, False, False]
    """
    return isinstance(given, Real) and not isinstance(given, bool)


def as_number(given: object, what: str) -> float:
    """Return a real number; raise TypeError for other values, such as True or text.

    Examples
    --------
    >>> as_number("3", "margin")
    Traceback (most recent call last):
    TypeError: margin: '3', expected a number
    """
    if is_number(given):
        with suppress(OverflowError):  # a whole number above 1.8e308
            return float(given)
    raise TypeError(f"{what}: {short_repr(given)}, expected a number")


def expect(given: object, kind: type, what: str) -> None:
    """Raise TypeError unless an argument has a type; NumPy booleans count as bool.

    Examples
    --------
    >>> expect("123m", str, "text")
    >>> expect(7, str, "text")
    Traceback (most recent call last):
    TypeError: text: 7, expected a str
    """
    if isinstance(given, kind) or (kind is bool and type(given).__name__ in {"bool", "bool_"}):
        return
    article = "an" if kind.__name__[0] in "AEIOaeio" else "a"
    raise TypeError(f"{what}: {short_repr(given)}, expected {article} {kind.__name__}")


def expect_all(given: Iterable[T], kind: type[T], what: str) -> tuple[T, ...]:
    """Return several values as a tuple; raise TypeError unless all have a type.

    Examples
    --------
    >>> expect_all(["a", "b"], str, "names")
    ('a', 'b')
    >>> expect_all(3, str, "names")
    Traceback (most recent call last):
    TypeError: names: 3, expected several of str
    """
    try:
        several = tuple(given)
    except TypeError:
        raise TypeError(
            f"{what}: {short_repr(given)}, expected several of {kind.__name__}"
        ) from None
    for one in several:
        expect(one, kind, what)
    return several


def pick(name: str, known: Mapping[str, T], what: str, error: type[MjoptError]) -> T:
    """Return the value of a name.

    A name that is no text is a ``TypeError``, an unknown one an error of the given class.

    Examples
    --------
    >>> pick("three", {"one": 1, "two": 2}, "number", ArgumentError)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: number 'three': unknown, expected one of one, two
    """
    expect(name, str, what)
    if name not in known:
        raise error("unknown", argument=what, value=short_repr(name), expected=tuple(known))
    return known[name]


def as_floats(given: "ArrayLike", what: str, error: type[MjoptError]) -> "NDArray[np.float64]":
    """Return numbers as an array of floats; an error of the given class if they are no numbers.

    Examples
    --------
    >>> as_floats("x", "values", ArgumentError)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: values: 'x', expected numbers
    """
    import numpy as np  # slow to load

    try:
        if not np.iscomplexobj(given):  # the imaginary parts would get lost
            return np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise error(short_repr(given), argument=what, expected="numbers")


def as_rng(given: "int | np.random.Generator") -> "np.random.Generator":
    """Return a random generator: the argument itself, or one with this seed.

    None is an error, because results must be reproducible. Anything but a generator or a whole
    number is a ``TypeError``, and a negative seed an `ArgumentError`.

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
    wanted = "a seed (0, 1, 2, ...) or a numpy.random.Generator"
    if seed is None:
        raise TypeError(f"rng: {short_repr(given)}, expected {wanted}")
    if seed < 0:
        raise ArgumentError(short_repr(seed), argument="rng", expected=wanted)
    return np.random.default_rng(seed)
