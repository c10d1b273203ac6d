"""The JSON documents of `mjopt draws`: keys as in the API, exact numbers as text."""

from collections.abc import Sequence
from math import isinf
from typing import Any

from mjopt.answers.draws.calls import CallDraws
from mjopt.answers.draws.ranking import DiscardDraws, Mean
from mjopt.answers.draws.record import Draws
from mjopt.answers.draws.variants import ModelDraws
from mjopt.cli.show import tiles_text
from mjopt.hands.hand import Hand


def question(
    hand: Hand, wall: tuple[int, ...], forms: tuple[str, ...], notation: str
) -> dict[str, Any]:
    """Return what every document begins with."""
    return {
        "hand": hand.to_text(notation),
        "called": hand.called,
        "wall": tiles_text(wall, hand, notation),
        "wall_size": sum(wall),
        "forms": list(forms),
    }


def _finite(value: Mean | None) -> float | None:
    return None if value is None or isinf(value) else float(value)


def distribution(draws: Draws, within: int | None) -> dict[str, Any]:
    """Return the distribution, and what so many draws are good for."""
    document: dict[str, Any] = {
        "mean": str(draws.mean) if draws.is_certain else None,
        "mean_float": _finite(draws.mean),
        "variance": _finite(draws.variance),
        "is_certain": draws.is_certain,
        "deficiency": draws.least,
        "most": draws.most,
        "quantiles": {str(q): draws.quantile(q) for q in (0.1, 0.5, 0.9)},
        "curve": list(draws.curve_floats),
        "ways": [str(ways) for ways in draws.ways],  # beyond what many JSON readers can hold
    }
    if within is not None:
        found = draws.within(within)
        document["within"] = {
            "limit": within,
            "probability": str(found.probability),
            "conditional_mean": None
            if found.conditional_mean is None
            else str(found.conditional_mean),
            "mean": str(found.mean),
        }
    return document


def models_document(found: Sequence[ModelDraws]) -> dict[str, Any]:
    """Return what each model expects."""
    return {
        "models": [
            {"model": model.model, "mean": _finite(model.mean), "error": model.error}
            for model in found
        ]
    }


def discard_document(
    row: DiscardDraws, names: Sequence[str], models: Sequence[ModelDraws], within: int | None
) -> dict[str, Any]:
    """Return one line of the ranking."""
    assert row.draws is not None
    document: dict[str, Any] = {
        "discard": names[row.kind],
        "rank": row.rank,
        "is_tied": row.is_tied,
        "change": None if isinf(row.change) else str(row.change),
        "change_float": _finite(row.change),
        "useful": {names[kind]: copies for kind, copies in row.useful},
        **distribution(row.draws, within),
    }
    return {**document, **models_document(models)} if models else document


def call_document(call: CallDraws, names: Sequence[str], within: int | None) -> dict[str, Any]:
    """Return one answer to a discard."""
    document: dict[str, Any] = {
        "action": call.action,
        "meld": None if call.meld is None else [names[kind] for kind in call.meld.kinds],
        "discard": None if call.discard is None else names[call.discard],
        "change_float": _finite(call.change),
        "is_worth_it": call.is_worth_it,
    }
    if call.draws is None:
        return {**document, "mean": "0", "mean_float": 0.0}
    return {**document, **distribution(call.draws, within)}
