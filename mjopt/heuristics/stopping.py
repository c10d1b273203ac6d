"""Stopping criteria: generations, evaluations, seconds, or a value; the first one met applies."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Self, TypeVar

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import is_number, whole
from mjopt.errors import ArgumentError

Number = TypeVar("Number", int, float)


class StopReason(IntEnum):
    """Why a search stopped. Batches and stored rows hold the numbers.

    Examples
    --------
    >>> StopReason.GENERATIONS.words
    'all generations done'
    """

    words: str

    def __new__(cls, number: int, words: str = "") -> Self:
        """Create a member with a description in words."""
        reason = int.__new__(cls, number)
        reason._value_, reason.words = number, words
        return reason

    def __repr__(self) -> str:
        return f"StopReason.{self.name}"

    GENERATIONS = 1, "all generations done"
    EVALUATIONS = 2, "all evaluations spent"
    SECONDS = 3, "time is up"
    REACHED = 4, "value reached"
    EMPTY = 5, "no meld or pmeld in the hand"
    EXHAUSTED = 6, "search space exhausted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Limits of one search; the first one met stops it.

    It has no counters, so one ``Stop`` can be used for any number of runs. ``a | b`` stops as soon
    as either would.

    Parameters
    ----------
    generations
        Generations after the initial population, at least 0.
    evaluations
        Fitness evaluations, at least 1; checked within a generation.
    seconds
        Wall-clock time from the start of the run, above 0; checked after each generation.
    value
        Stop at the first evaluation with this cost or less.

    Raises
    ------
    ArgumentError
        If a limit is out of its range.

    Examples
    --------
    >>> stop = evaluations(1000) | reached(2) | evaluations(500)
    >>> stop.evaluations, stop.value, stop.seconds
    (500, 2, None)
    """

    generations: int | None = None
    evaluations: int | None = None
    seconds: float | None = None
    value: int | None = None

    def __post_init__(self) -> None:
        """Validate the limits."""
        if self.generations is not None and whole(self.generations, "generations") < 0:
            raise ArgumentError(
                argument="generations", value=str(self.generations), expected="at least 0"
            )
        if self.evaluations is not None and whole(self.evaluations, "evaluations") < 1:
            raise ArgumentError(
                argument="evaluations", value=str(self.evaluations), expected="at least 1"
            )
        if self.seconds is not None and not (is_number(self.seconds) and self.seconds > 0):
            raise ArgumentError(
                argument="seconds", value=short_repr(self.seconds), expected="more than 0"
            )
        if self.value is not None:
            whole(self.value, "value")

    def __or__(self, other: "Stop") -> "Stop":
        """Return limits that stop as soon as either would."""
        values = [v for v in (self.value, other.value) if v is not None]
        return Stop(
            generations=_minimum(self.generations, other.generations),
            evaluations=_minimum(self.evaluations, other.evaluations),
            seconds=_minimum(self.seconds, other.seconds),
            value=max(values) if values else None,
        )


def _minimum(a: Number | None, b: Number | None) -> Number | None:
    return b if a is None else a if b is None else min(a, b)


NEVER = Stop()
"""No limit beyond the method's own budget."""


def generations(number: int) -> Stop:
    """Stop after a number of generations; the initial population is generation 0.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> run("ndde", "1123m46p789s11225z", rng=1, stop=generations(3)).generations
    3
    """
    return Stop(generations=number)


def evaluations(number: int) -> Stop:
    """Stop after a number of fitness evaluations.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> run("ndde", "1123m46p789s11225z", rng=1, stop=evaluations(100)).evaluations
    100
    """
    return Stop(evaluations=number)


def seconds(number: float) -> Stop:
    """Stop at the end of the generation in which the time limit is reached.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> run("ndde", "1123m46p789s11225z", rng=1, stop=seconds(60)).stopped.words
    'all generations done'
    """
    return Stop(seconds=number)


def reached(value: int) -> Stop:
    """Stop at the first evaluation with this cost or less.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> result = run("ndde", "1123m46p789s11225z", rng=1, stop=reached(4))
    >>> result.value <= 4, result.stopped.words
    (True, 'value reached')
    """
    return Stop(value=value)
