"""What simpler views of the draws would expect, beside the exact number."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Any, Final

from mjopt.answers.draws.counting import Setting, incomplete_ways
from mjopt.answers.draws.infinite_wall import infinite_mean
from mjopt.answers.draws.nearest_only import nearest_ways
from mjopt.answers.draws.ranking import Mean
from mjopt.answers.draws.record import Draws
from mjopt.answers.draws.waiting import as_float
from mjopt.answers.draws.walls import check_wall
from mjopt.errors import ModelError
from mjopt.hands.forms import STANDARD, check_forms
from mjopt.hands.hand import Hand

FINITE: Final = "finite"
INFINITE: Final = "infinite"
NEAREST: Final = "nearest"

MODELS: Final[dict[str, str]] = {
    FINITE: "the wall as it is: exact",
    INFINITE: "every draw goes back, as from an infinite wall of the same mixture",
    NEAREST: "only draws that lower the deficiency: the nearest complete hands alone",
}


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
    hand: Hand,
    *,
    wall: Iterable[int] | None = None,
    forms: Iterable[str] = (STANDARD,),
    models: Iterable[str] = tuple(MODELS),
) -> list[ModelDraws]:
    """Return what each model expects, with its error against the exact number.

    Parameters
    ----------
    hand, wall, forms
        As for :func:`mjopt.expected_draws`.
    models
        Names from ``MODELS``.

    Raises
    ------
    ModelError
        If there is no such model.

    Examples
    --------
    >>> for found in compare_models(Hand.parse("123456m789p1146s")):
    ...     print(f"{found.model:8} {float(found.mean):6.2f} {found.error:7.1%}")
    finite     7.09    0.0%
    infinite   7.00   -1.2%
    nearest   19.20  170.9%
    """
    names = (models,) if isinstance(models, str) else tuple(models)
    for name in names:
        if name not in MODELS:
            raise ModelError(f"unknown model {name!r}, expected one of {', '.join(MODELS)}")
    chosen = check_forms(forms, hand.tiles)
    left = check_wall(hand, wall)
    setting = Setting(
        tiles=hand.tiles, wall=left, called=hand.called, forms=chosen, hands=(hand.counts,)
    )
    exact = Draws(ways=tuple(incomplete_ways(setting)[0]), hand=hand, wall=left, forms=chosen)
    found = []
    for name in names:
        draws: Draws | None = exact
        mean: Mean = exact.mean
        if name == NEAREST:
            ways = tuple(nearest_ways(hand, left, chosen))
            draws = Draws(ways=ways, hand=hand, wall=left, forms=chosen, model=NEAREST)
            mean = draws.mean
        elif name == INFINITE:
            draws, mean = None, infinite_mean(setting)
        found.append(ModelDraws(model=name, mean=mean, error=_error(mean, exact.mean), draws=draws))
    return found


def _error(mean: Mean, exact: Mean) -> float | None:
    if mean == exact:
        return 0.0
    if isinf(mean) or isinf(exact) or exact == 0:
        return None
    return float(Fraction(mean) / Fraction(exact) - 1)
