"""Fit the weights of a prior to ready hands whose waits are known."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.danger.prior import Prior
from mjopt.chances.danger.ready_counts import WAITS, count_ready
from mjopt.errors import ArgumentError
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import templates_of

LEAST: Final = 1e-4
"""The least weight of a fitted prior, beside the greatest 1: no kind of wait is impossible."""

_DIGITS: Final = 4
_STEPS: Final = 10_000
_CLOSE: Final = 1e-9  # least gain of the mean log-likelihood in a step

Floats = NDArray[np.float64]


class SeenWaits(NamedTuple):
    """A ready opponent as a player saw him, and the waits that the end of the game showed."""

    left: tuple[int, ...]  # copies of each kind that the player does not see
    cannot_win_on: Collection[int]  # kinds that the opponent discarded or let pass since his riichi
    waits: Collection[int]  # the kinds that complete his hand
    called: int = 0  # his melds
    shown: tuple[int, ...] = ()  # copies of each kind in them, if they are known


def count_seen(seen: SeenWaits, rules: RuleSet) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ready hands by kind of wait, and those of them with the waits that were seen."""
    templates = tuple(t for t in templates_of(rules.forms) if t.melds >= seen.called)
    shown = seen.shown or (0,) * rules.tiles.num_kinds
    query = templates, rules.tiles, seen.left, seen.called, shown, seen.cannot_win_on
    return count_ready(*query).by_wait, count_ready(*query, waits=seen.waits).by_wait


def fit_prior(
    positions: Iterable[SeenWaits],
    *,
    name: str,
    fitted_to: str = "",
    rules: RuleSet | str = "riichi",
) -> Prior:
    """Return the prior under which the waits that were seen are most likely.

    The likelihood of a position is the share of the ready hands, weighted by the prior, that have
    exactly these waits. Positions that no ready hand explains are left out: those of an opponent
    who is in furiten himself; an ArgumentError if none is explained. Several positions of one hand
    count each. The rule set has no jokers. The greatest weight is 1, the others have four decimals
    and are at least .0001.

    Examples
    --------
    >>> seen = [SeenWaits((4,) * 34, [], waits) for waits in ([3, 6], [3, 6], [30])]
    >>> weights = fit_prior(seen, name="mine").weights
    >>> weights["two_sided"] > weights["no_melds"]
    True
    """
    known = get_rules(rules)
    pairs = [count_seen(seen, known) for seen in positions]
    pairs = [(ready, explained) for ready, explained in pairs if any(explained)]
    if not pairs:
        raise ArgumentError(
            "no ready hand has the waits that were seen in any of them", argument="positions"
        )
    ready, explained = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    fitted = fit_weights(ready, explained)
    weights = {wait: round(float(w), _DIGITS) for wait, w in zip(WAITS, fitted, strict=True)}
    return Prior(name=name, weights=weights, fitted_to=fitted_to)  # type: ignore[arg-type]


def fit_weights(ready: Floats, explained: Floats) -> Floats:
    r"""Maximise the likelihood of weights by kind of wait, shape ``(W,)``; the greatest is 1.

    With ready hands n and explained hands e of each position, both of shape (N, W), the likelihood
    is the product of w e / w n. Each step maximises a bound of its logarithm that touches it at the
    weights before: log w e is at least its expectation over kinds of waits (EM), and -log w n at
    least its tangent. So the likelihood grows in every step.
    """
    # Only the ratio of both counts matters, and counts may exceed 1e12: the ready hands of a
    # position are scaled to a sum of 1.
    size = ready.sum(axis=1, keepdims=True)
    ready, explained = ready / size, explained / size
    weights, before = np.ones(ready.shape[1]), -np.inf
    for _ in range(_STEPS):
        numerator, denominator = explained @ weights, ready @ weights
        now = float(np.mean(np.log(numerator / denominator)))
        if now - before < _CLOSE:
            break
        before = now
        # The maximum of the bound, where its derivative by each weight is 0.
        hands = weights * (explained / numerator[:, None]).sum(axis=0)
        weights = hands / np.maximum((ready / denominator[:, None]).sum(axis=0), 1e-300)
        weights = np.maximum(weights / weights.max(), LEAST)
    return weights
