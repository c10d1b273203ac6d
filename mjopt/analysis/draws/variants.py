"""What simpler views of the draws would expect, beside the exact number."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isinf
from typing import Any, Final

from mjopt._internal.validation import expect
from mjopt.analysis.draws.distribution import Draws, as_float, draws_question
from mjopt.analysis.draws.incomplete_counts import Setting, incomplete_ways
from mjopt.analysis.draws.infinite_wall import infinite_mean
from mjopt.analysis.draws.ranking import Mean
from mjopt.analysis.draws.zjoi2019 import ways_kind_by_kind
from mjopt.analysis.targets import nearest_forms, nearest_walk
from mjopt.errors import ModelError
from mjopt.hands.coerce import HandLike, TilesLike
from mjopt.hands.query import Question
from mjopt.hands.tiles import as_list
from mjopt.hands.winning_forms import STANDARD

FINITE: Final = "finite"
INFINITE: Final = "infinite"
NEAREST: Final = "nearest"

MODELS: Final[dict[str, str]] = {
    FINITE: "the wall as it is: exact",
    INFINITE: "every draw goes back, as from an infinite wall of the same mixture",
    NEAREST: "only draws that lower the deficiency: the nearest complete hands alone",
}
"""The views that `compare_models` compares, each with what it takes the wall for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDraws:
    """What one model expects.

    Parameters
    ----------
    model
        A name from ``MODELS``.
    mean
        Expected draws.
    error
        Relative to the exact number: 0.1 is ten per cent too many. None if one of
        them is infinite and the other is not, or if the exact number is 0.
    draws
        The whole distribution; None for the infinite wall.
    """

    model: str
    mean: Mean
    error: float | None
    draws: Draws | None

    def to_document(self) -> dict[str, Any]:
        """Return what the model expects as plain data."""
        return {"model": self.model, "mean": as_float(self.mean), "error": self.error}


def compare_models(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    wall: Iterable[int] | str | None = None,
    forms: Iterable[str] = (STANDARD,),
    models: Iterable[str] = tuple(MODELS),
) -> list[ModelDraws]:
    """Return what each model expects, with its error against the exact number.

    Parameters
    ----------
    hand, tiles, called, wall, forms
        As for :func:`mjopt.expected_draws`.
    models
        Names from ``MODELS``.

    Raises
    ------
    ModelError
        If there is no such model.

    Examples
    --------
    >>> for found in compare_models("123456m789p1146s"):
    ...     print(f"{found.model:8} {float(found.mean):6.2f} {found.error:7.1%}")
    finite     7.09    0.0%
    infinite   7.00   -1.2%
    nearest   19.20  170.9%
    """
    names = (models,) if isinstance(models, str) else tuple(as_list(models, "models", "names"))
    for name in names:
        expect(name, str, "models")
        if name not in MODELS:
            raise ModelError(f"unknown model {name!r}, expected one of {', '.join(MODELS)}")
    asked = draws_question(hand, wall, forms, tiles, called)
    setting = Setting(asked)
    exact = Draws.of(asked, incomplete_ways(setting)[0])
    found = []
    for name in names:
        draws: Draws | None = exact if name == FINITE else None
        if name == NEAREST:
            draws = Draws.of(asked, nearest_ways(asked), model=NEAREST)
        mean = infinite_mean(setting) if draws is None else draws.mean
        found.append(ModelDraws(model=name, mean=mean, error=_error(mean, exact.mean), draws=draws))
    return found


def _error(mean: Mean, exact: Mean) -> float | None:
    if mean == exact:
        return 0.0
    if isinf(mean) or isinf(exact) or exact == 0:
        return None
    return float(Fraction(mean) / Fraction(exact) - 1)


def nearest_ways(asked: Question) -> list[int]:
    """Count the draws that contain no complete hand at the least distance.

    Most tools that estimate draws follow only those that lower the deficiency. Here that
    view is counted exactly: detours by way of hands that were further away at first do
    not count, so it never expects fewer draws than the exact count does.

    Parameters
    ----------
    asked
        The hand and the forms, those further away than the nearest not counting; its
        unseen tiles are the wall.

    Returns
    -------
    list of int
        By number of draws, from none to the whole wall.

    Examples
    --------
    >>> from mjopt import Hand
    >>> hand = Hand.parse("1m", called=4)
    >>> nearest_ways(Question(hand, unseen=(2, 2) + (0,) * 25))  # any 1m; two 2m are no use
    [1, 2, 1, 0, 0]
    """
    walks = [nearest_walk(form, asked) for form in nearest_forms(asked)[1]]

    @cache
    def step(
        kind: int, states: tuple[frozenset[int], ...], copies: int
    ) -> tuple[frozenset[int], ...]:
        """Follow every walk that the copies so far can pay for."""
        return tuple(
            frozenset(
                there
                for taken, after in walk.after(kind, nodes).items()
                if taken <= copies
                for there in after
            )
            for walk, nodes in zip(walks, states, strict=True)
        )

    def is_incomplete(states: tuple[frozenset[int], ...]) -> bool:
        return not any(walk.end in nodes for walk, nodes in zip(walks, states, strict=True))

    kinds = list(zip(asked.hand.counts, asked.unseen, strict=True))
    start = (frozenset([0]),) * len(walks)
    return ways_kind_by_kind(kinds, start, step, is_incomplete=is_incomplete)
