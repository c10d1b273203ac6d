"""The upper bounds of win chances: where T1 takes the place of T6."""

import json
from typing import Any

import numpy as np
import pytest
from helpers.tiny_certificates import WORLDS
from reference_implementations.win_chance import ONE, certificate

from mjopt.proofs import Limits, win_chance_upper
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_file import WinChanceFile, read_win_chance_file
from mjopt.proofs.win_chance_states import States

SLIP = 1 << 20


def sixth(file: WinChanceFile, first: list[np.ndarray]) -> np.ndarray:
    """Return the bounds of T6 for given bounds of T1."""
    states = States(file.states, np.array(file.hand), np.array(file.wall), file.tiles, file.called)
    counter = StepCounter(Limits(), "win chance")
    steps = states.steps(file.deficiency + file.waste, counter)
    return win_chance_upper._sixth_theorem(file, states, steps, first, counter)


@pytest.mark.parametrize("name", ["four tiles", "five tiles", "one tile"])
def test_t1_is_used_where_t6_exceeds_it_by_more_than_a_slip(name):
    """Compared for each state alone, with one draw left."""
    document = certificate(WORLDS[name]._replace(draws=1), weigh=lambda: 1)
    file = read_win_chance_file(json.dumps(document | {"upper": "recomputed"}))
    highest = np.full(len(file.states), 2 * ONE)
    charged = sixth(file, [highest, highest])
    for state in np.flatnonzero(charged < 2 * ONE):  # the others cannot be met before a draw
        for below, expected in ((SLIP, 0), (SLIP + 1, SLIP + 1)):
            first = charged.copy()
            first[state] -= below
            bounds = sixth(file, [highest, first])
            assert (charged - bounds)[state] == expected
            assert (np.delete(charged - bounds, state) == 0).all()


@pytest.mark.parametrize(
    ("base", "charge", "is_kept"),
    [
        (-ONE, 0, True), (-ONE - 1, 0, False), (0, ONE, True), (0, ONE + 1, False),
        (0, -ONE, True), (0, -ONE - 1, False),
    ],
)  # fmt: skip
def test_t1_is_used_where_numbers_of_t6_are_too_large(monkeypatch, base, charge, is_kept):
    """One kind of one state; the other numbers are those of T6."""
    document = certificate(WORLDS["four tiles"]._replace(draws=1), weigh=lambda: 1)
    file = read_win_chance_file(json.dumps(document | {"upper": "recomputed"}))
    root, before_draw = file.claims[0].state, win_chance_upper._before_draw

    def with_one_other(*arguments: Any) -> tuple[np.ndarray, np.ndarray]:
        least, most = before_draw(*arguments)
        least[root], most[root, 5] = base, charge
        return least, most

    monkeypatch.setattr(win_chance_upper, "_before_draw", with_one_other)
    highest = np.full(len(file.states), 2 * ONE)
    assert sixth(file, [highest, highest])[root] == (base if is_kept else 2 * ONE)
