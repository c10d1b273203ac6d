"""Public functions refuse bad arguments with an MjoptError or a TypeError."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import mjopt
from mjopt import FULL, M0, Hand, MjoptError, datasets, game, heuristics, learning, tables
from mjopt.analysis import draws, formats

ENCODING = heuristics.Encoding(Hand.parse("123m456p1122789s"))
STATE = game.start(game.GMJBG, game.shuffle_wall(1, 0, FULL))
ROWS = [[3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18]
run_batch = partial(
    heuristics.run_batch, heuristics.NDDE(), ROWS, seed=1, method="ndde", hand_numbers=[0], run=0
)
feasible = partial(heuristics.make_feasible, [0] * 5, ENCODING, rule="pmelds-first", rng=1)
SCALARS = (np.arange(3), np.zeros((2, 2)), float("nan"), "x", [1, 2], object())


@pytest.mark.parametrize(
    "call",
    [
        lambda: heuristics.make_feasible([0] * 5, ENCODING, rule="none", rng=1),
        lambda: heuristics.make_feasible([99] + [0] * 4, ENCODING, rule="pmelds-first", rng=1),
        lambda: heuristics.make_feasible([0] * 5, None, rule="pmelds-first", rng=1),
        lambda: tables.label_one(10**30),
        lambda: tables.label_one(3),
        lambda: game.view_of(STATE, 4),
        lambda: game.view_of(STATE, -1),
        lambda: game.view_of(None, 0),
        lambda: game.forfeit(STATE, 9),
        lambda: learning.small_of_full(86, 0),
        lambda: learning.change_of(86, 0),
        lambda: learning.full_number(5, 1, 3, 0),
        lambda: learning.action_planes(np.array([86]), 0),
        lambda: learning.action_planes(np.array([10**6]), 27),
        lambda: mjopt.review("x" * 5000),
        lambda: datasets.to_numpy("x" * 5000),
        lambda: run_batch(method="\udcff", targets=[10**30]),
        lambda: game.start(game.GMJBG, [np.zeros(2)] * 136),
        lambda: game.agents.read_agent(None),
        lambda: formats.to_opb(None),
        lambda: formats.to_opb(mjopt.certify("11m", called=4), version=np.arange(3)),
        lambda: draws.long_suit_draws(np.zeros((2, 2))),
        lambda: run_batch(hand_numbers=[10**30]),
    ],
)
def test_wrong_arguments_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises((MjoptError, TypeError)):
        call()


@pytest.mark.parametrize("value", SCALARS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda value: heuristics.Stop(generations=value),
        lambda value: heuristics.Stop(evaluations=value),
        lambda value: heuristics.Stop(seconds=value),
        lambda value: heuristics.NDDE(order=value),
        lambda value: heuristics.NDDE(special_case_1=value),
        lambda value: heuristics.Encoding(ENCODING.hand, order=value),
        lambda value: heuristics.stream(value, "ndde", 0, 0),
        lambda value: run_batch(run=value),
        lambda value: run_batch(called=value),
        lambda value: run_batch(stop_at_target=value),
        lambda value: game.agent_stream(1, 0, value),
        lambda value: game.start(game.GMJBG, game.shuffle_wall(1, 0, FULL), dealer=value),
        lambda value: game.Course(most_hands=value),
        lambda value: datasets.make_plan("deals:9", size=value),
        lambda value: datasets.make_plan("deals:9", called=value),
    ],
)
def test_arrays_and_others_are_no_scalars(call: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises((MjoptError, TypeError)):
        call(value)


def test_right_arguments_are_accepted() -> None:
    assert feasible() == (0,) * 5
    assert run_batch().value.tolist() == [0]
    assert tables.label_one(bytes(Hand.parse("1112345678999m", tiles=M0).counts)) == 1
