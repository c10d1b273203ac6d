"""The upper bounds of win chances: T6 for any numbers, and where T1 takes its place."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from helpers.tiny_certificates import WORLDS, states_of
from reference_implementations.win_chance import (
    ONE,
    World,
    acquired,
    certificate,
    changed,
    distance,
    flatter,
    heaviest,
    room,
    tiny_worlds,
)

from mjopt.proofs import Limits, win_chance_upper
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_file import WinChanceFile, read_win_chance_file
from mjopt.proofs.win_chance_states import States, Steps

SLIP = 1 << 20


def sixth(file: WinChanceFile, first: list[np.ndarray]) -> np.ndarray:
    """Return the bounds of T6 for given bounds of T1."""
    states = states_of(file)
    counter = StepCounter(Limits(), "win chance")
    steps = states.steps(counter)
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


def worlds(rng: random.Random) -> Iterator[World]:
    """Yield one whose first state only wins, and random ones."""
    yield World((1, 1, *(0,) * 25), 4, (2, *(0,) * 26), 2, 0)
    yield from islice((one for one in tiny_worlds(rng, draws=6) if one.draws > 2), 15)


def read(world: World, digits: Callable[[], int]) -> tuple[WinChanceFile, States, Steps]:
    """Return a certificate of version 2 with its states and moves."""
    document = certificate(world, weigh=digits) | {"upper": "recomputed", "lower": "recomputed"}
    file = read_win_chance_file(json.dumps(document))
    states = states_of(file)
    return file, states, states.steps(StepCounter(Limits(), "win chance"))


@pytest.mark.filterwarnings("error")
def test_bounds_after_a_draw_match_the_reference_for_any_numbers():
    """Small numbers, often equal, so that bounds tie and costs are met exactly."""
    rng, flattened = random.Random(4), 0
    for world in worlds(rng):
        file, states, steps = read(world, lambda: rng.choice((0, 1, 1, 9)))
        fulls = win_chance_upper._full_hands(file, states, steps)
        hands, weights = [*map(tuple, states.hands.tolist())], file.weights.tolist()
        for most in (1, 3, 50):
            base = np.array([rng.randint(0, most) for _ in hands])
            loss = np.array([[rng.randint(-1, most) for _ in hand] for hand in hands])
            t = rng.randrange(world.draws)
            found = win_chance_upper._after_draw(file, states, fulls, base, loss, t)
            for full in range(len(fulls.starts)):
                here = np.flatnonzero(fulls.fulls == full)
                after = [
                    *zip(fulls.states[here].tolist(), fulls.thrown[here].tolist(), strict=True)
                ]
                held = changed(hands[after[0][0]], after[0][1])
                worth = {
                    at: base[at] - (loss[at][x] if held[x] > world.hand[x] else 0)
                    for at, x in after
                }
                top, chosen = max((one, -at) for at, one in worth.items())
                slope = steepest = loss[-chosen].tolist()
                gone = max(0, t + 1 - acquired(world, held))
                for at, one in worth.items():
                    flat = flatter(
                        steepest, loss[at].tolist(), top - one, room(world, held), gone,
                        weights[-chosen],
                    )  # fmt: skip
                    slope = [min(pair) for pair in zip(slope, flat, strict=True)]
                assert found[0][full] == top
                assert found[1][full].tolist() == slope
                flattened += slope != steepest
    assert flattened > 100


@pytest.mark.filterwarnings("error")
def test_bounds_before_a_draw_match_the_reference_for_any_numbers():
    """Small numbers for full hands and states, and any number of draws made."""
    rng = random.Random(5)
    for world in worlds(rng):
        file, states, steps = read(world, lambda: 1)
        fulls = win_chance_upper._full_hands(file, states, steps)
        hands, t = [*map(tuple, states.hands.tolist())], rng.randrange(world.draws)
        highest = np.array([rng.randint(0, 50) for _ in fulls.starts], np.int64)
        slopes = np.array([[rng.randint(-9, 50) for _ in world.hand] for _ in fulls.starts])
        slopes = slopes.reshape(-1, len(world.hand))
        base = np.array([rng.randint(0, 50) for _ in hands])
        loss = np.array([[rng.randint(-9, 50) for _ in hand] for hand in hands])
        found = win_chance_upper._before_draw(file, states, fulls, (highest, slopes), base, loss, t)
        made = {
            (hands[source], drawn): made
            for source, drawn, made in zip(fulls.sources, fulls.drawn, fulls.made, strict=True)
        }
        for at, hand in enumerate(hands):
            gone, copies, now = t - acquired(world, hand), room(world, hand), sum(world.wall) - t
            if gone < 0:
                continue
            lowest, slope = [-one for one in loss[at]], np.zeros_like(loss[at])
            gains = [*lowest]
            for drawn in np.flatnonzero(copies):
                if distance(changed(hand, drawn), world.called) == 0:
                    gains[drawn], drop = ONE - base[at], -loss[at]
                elif (hand, drawn) in made:
                    full = made[hand, drawn]
                    back = slopes[full][drawn] if hand[drawn] < world.hand[drawn] else 0
                    gains[drawn] = highest[full] - back - base[at]
                    drop = slopes[full] - loss[at]
                else:
                    continue
                lowest[drawn] = gains[drawn] - heaviest(drop.tolist(), copies, gone)
                slope += copies[drawn] * drop
            gain = sum(one * copy for one, copy in zip(gains, copies, strict=True))
            assert found[0][at] == base[at] - -gain // now
            assert (found[1][at] == loss[at] + (lowest + slope) // now).all()
