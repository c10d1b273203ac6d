"""Priors: how much more often players wait in one way than in another."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, lcm
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from mjopt._internal.files import read_regular
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import expect
from mjopt.chances.danger.ready_counts import WAITS
from mjopt.errors import ArgumentError, FileError

MOST_BYTES: Final = 1 << 16  # of a file
_LARGEST: Final = 10**9  # of a weight, and of what it is divided by
_KEYS: Final = ("name", "fitted_to", "weights")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """Weights of ready hands by kind of wait: how often players hold one, beside another.

    Two hands with the same kind of wait, made of equally many sets of tiles, are equally likely.

    Parameters
    ----------
    name
        What results call the prior.
    weights
        A positive number for each of the kinds of waits, exactly as in ``danger.WAITS``:
        ``two_sided``, ``one_sided``, ``two_pairs``, ``single``, ``single_two``, ``single_three``,
        ``no_melds``. Only their ratios matter. Floating-point numbers are read as decimals.
    fitted_to
        The games that the weights were fitted to; empty if to none.

    Raises
    ------
    ArgumentError
        If a weight is missing, unknown, or not positive.

    Examples
    --------
    >>> prior = Prior(name="mine", weights=PRIORS["riichi-2022"].weights | {"one_sided": 0.3})
    >>> prior.weights["one_sided"], prior.weights["two_pairs"]
    (Fraction(3, 10), Fraction(21, 100))
    """

    name: str
    weights: Mapping[str, Fraction]
    fitted_to: str = ""

    def __post_init__(self) -> None:
        """Validate the weights."""
        expect(self.name, str, "name")
        expect(self.fitted_to, str, "fitted_to")
        expect(self.weights, Mapping, "weights")
        for wait in self.weights:
            if wait not in WAITS:
                raise _error(f"weights {short_repr(wait)}", "unknown", tuple(WAITS))
        if missing := [wait for wait in WAITS if wait not in self.weights]:
            raise _error("weights", f"no {missing[0]}", "one for each kind of wait")
        weights = {wait: _weight(wait, self.weights[wait]) for wait in WAITS}
        object.__setattr__(self, "weights", MappingProxyType(weights))

    def __hash__(self) -> int:
        return hash((self.name, self.fitted_to, *self.weights.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.name, dict(self.weights), self.fitted_to)

    @property
    def integers(self) -> tuple[int, ...]:
        """The weights as whole numbers of the same ratios, in the order of the kinds of waits."""
        scale = lcm(*(weight.denominator for weight in self.weights.values()))
        return tuple(int(weight * scale) for weight in self.weights.values())


def _restored(name: str, weights: Mapping[str, Fraction], fitted_to: str) -> Prior:
    return Prior(name=name, weights=weights, fitted_to=fitted_to)


def _error(argument: str, message: str, expected: str | tuple[str, ...]) -> ArgumentError:
    return ArgumentError(message, argument=argument, expected=expected)


def _weight(wait: str, given: object) -> Fraction:
    if isinstance(given, bool) or not isinstance(given, int | float | Fraction):
        raise _error(f"weights {wait}", short_repr(given), "a number above 0")
    weight = Fraction(0)
    if isfinite(given):  # a float is the decimal that it shows
        weight = Fraction(str(given)) if isinstance(given, float) else Fraction(given)
    if not (0 < weight <= _LARGEST and weight.denominator <= _LARGEST):
        raise _error(f"weights {wait}", short_repr(given), "a number above 0, of up to 9 digits")
    return weight


def _prior(name: str, fitted_to: str, *weights: str) -> Prior:
    exact = dict(zip(WAITS, map(Fraction, weights), strict=True))
    return Prior(name=name, weights=exact, fitted_to=fitted_to)


PRIORS: Final = MappingProxyType(
    {
        prior.name: prior
        for prior in (
            _prior("uniform", "", *["1"] * len(WAITS)),
            _prior(
                "riichi-2022",
                "players in riichi at the four-player Phoenix table of Tenhou, January 2022",
                *("1", "0.27", "0.21", "0.15", "0.44", "0.60", "0.17"),
            ),
        )
    }
)
"""The priors by their names. ``uniform`` counts every set of tiles once."""

DEFAULT_PRIOR: Final = "riichi-2022"


def get_prior(prior: Prior | str | Path) -> Prior:
    """Return a prior, given itself, its name or a TOML file of weights.

    ArgumentError if no prior has that name; FileError if the file cannot be read, or holds
    something other than a prior.

    Examples
    --------
    >>> float(get_prior("riichi-2022").weights["single"])
    0.15
    >>> get_prior("flat")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: prior 'flat': unknown, expected one of uniform, riichi-2022, ...
    """
    if isinstance(prior, Prior):
        return prior
    if isinstance(prior, Path) or (isinstance(prior, str) and prior.lower().endswith(".toml")):
        return _read(Path(prior))
    expect(prior, str, "prior")
    if prior in PRIORS:
        return PRIORS[prior]
    raise ArgumentError(
        "unknown", argument="prior", value=short_repr(prior), expected=(*PRIORS, "FILE.toml")
    )


def _read(path: Path) -> Prior:
    """Read a file: a name, the table ``weights``, and perhaps what they were fitted to."""
    import tomllib  # of no use to most queries

    data = read_regular(path, MOST_BYTES)
    try:
        document = tomllib.loads(data.decode(), parse_float=Fraction)
    except (ValueError, RecursionError) as error:  # also bytes that are not UTF-8, and nan
        raise FileError(f"not TOML: {shorten(str(error))}", argument=str(path)) from None
    unknown = [key for key in document if key not in _KEYS]
    if unknown:
        raise FileError(f"unknown key {short_repr(unknown[0])}", argument=str(path), expected=_KEYS)
    for key, kind, noun in (("name", str, "a text"), ("weights", dict, "a table [weights]")):
        if not isinstance(document.get(key), kind):
            raise FileError(f"no {key}", argument=str(path), expected=noun)
    fitted_to = document.get("fitted_to", "")
    if not isinstance(fitted_to, str):
        raise FileError(
            f"fitted_to is {short_repr(fitted_to)}", argument=str(path), expected="a text"
        )
    try:
        return _restored(document["name"], document["weights"], fitted_to)
    except ArgumentError as error:
        raise FileError(str(error), argument=str(path)) from None
