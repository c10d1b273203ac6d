"""Fitted weights are those of greatest likelihood, and recover those that drew the hands."""

import numpy as np
import pytest

from mjopt import FULL, PRIORS
from mjopt.chances.danger.fit import LEAST, SeenWaits, count_seen, fit_prior, fit_weights
from mjopt.chances.danger.ready_counts import WAITS
from mjopt.errors import ArgumentError
from mjopt.hands.coerce import as_copies
from mjopt.hands.rules.rule_file import get_rules

RIICHI = get_rules("riichi")
NUM = len(WAITS)


def test_known_weights_are_recovered() -> None:
    """Positions whose explained hands have one kind of wait, drawn by known weights."""
    rng = np.random.default_rng(3)
    weights = np.array([float(w) for w in PRIORS["riichi-2022"].weights.values()])
    ready = rng.random((20_000, NUM))
    chances = ready * weights / (ready @ weights)[:, None]
    drawn = (chances.cumsum(axis=1) > rng.random((len(ready), 1))).argmax(axis=1)
    explained = np.zeros_like(ready)
    explained[np.arange(len(ready)), drawn] = ready[np.arange(len(ready)), drawn]
    assert fit_weights(ready, explained) == pytest.approx(weights, abs=0.03)


def test_no_other_weights_are_more_likely() -> None:
    rng = np.random.default_rng(4)
    ready = rng.random((500, NUM)) + 0.1
    explained = ready * rng.random((500, NUM))
    fitted = fit_weights(ready, explained)

    def likelihood(weights: np.ndarray) -> float:
        return float(np.log((explained @ weights) / (ready @ weights)).mean())

    for _ in range(50):
        other = np.maximum(fitted * rng.uniform(0.8, 1.2, NUM), LEAST)
        assert likelihood(other) <= likelihood(fitted) + 1e-6


def test_explained_hands_have_the_waits_that_were_seen() -> None:
    left = as_copies("222333444m5566p55z", FULL, what="left")
    seen = SeenWaits(left=left, cannot_win_on=[0], waits=[12, 15])
    ready, explained = count_seen(seen, RIICHI)
    assert all(0 <= a <= b for a, b in zip(explained, ready, strict=True))
    assert explained[WAITS_BY_NAME["two_sided"]] > 0
    assert sum(count_seen(seen._replace(waits=[0]), RIICHI)[1]) == 0


WAITS_BY_NAME = {wait: place for place, wait in enumerate(WAITS)}


def test_fitted_prior_has_a_name_and_positive_weights() -> None:
    seen = SeenWaits(left=(4,) * 34, cannot_win_on=[], waits=[3, 6])
    prior = fit_prior([seen, seen._replace(waits=[0], called=1)], name="mine", fitted_to="two")
    assert (prior.name, prior.fitted_to) == ("mine", "two")
    assert max(prior.weights.values()) == 1
    assert min(prior.weights.values()) > 0


def test_positions_that_no_hand_explains_are_left_out() -> None:
    furiten = SeenWaits(left=(4,) * 34, cannot_win_on=[3], waits=[3, 6])
    with pytest.raises(ArgumentError, match="positions: no ready hand has the waits"):
        fit_prior([furiten], name="none")
    seen = furiten._replace(cannot_win_on=[])
    assert fit_prior([furiten, seen], name="a").weights == fit_prior([seen], name="a").weights
