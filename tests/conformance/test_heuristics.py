"""Conformance tests for every registered heuristic, built-in or plug-in.

A newly registered heuristic is included automatically.
"""

import random
from dataclasses import fields
from functools import cache

import numpy as np
import pytest
from helpers.support import AWKWARD, PAPER_HANDS, deal

from mjopt import FULL, M0, Hand, deficiency, label, solve
from mjopt.heuristics import (
    HEURISTICS,
    NEVER,
    Heuristic,
    Result,
    Stop,
    StopReason,
    evaluations,
    get_heuristic,
    reached,
    read_method,
    run_batch,
    stream,
)

NAMES = HEURISTICS.names
VARIANTS = [
    "ndde:selection=in-place,out_of_range=redraw,rounding=half-up,generations=4",
    "ndde:out_of_range=wrap,repair=random,order=by-tile,population=6,generations=4",
    "ndde-refill:refill=any,variation=uniform,population=6,generations=4",
    "ndde-refill:refill=melds-first,variation=keep,population=6,generations=4",
    "pso:empties=redraw-all,takes_equal=true,population=6,generations=4",
    "ga:scaling=inverse,redraws_empty=true,elitist=true,population=7,generations=4",
    "tlbo:empties=redraw,takes_equal=true,repair=random,population=6,generations=3",
    "ndde:max_evaluations=28,special_case_1=false,special_case_2=false,population=6",
    "tree-search:order=as-published,prune=false,depth_limit=8",
    "recursive:max_hands=1",
]
EMPTY = Hand.parse("147m147p147s12345z", tiles=FULL)


@cache
def method(name: str) -> Heuristic:
    """Return a heuristic with a small budget if it has a budget parameter."""
    small = {"population": 6, "generations": 8, "max_hands": 3_000}
    known = [field.name for field in fields(get_heuristic(name))]
    return get_heuristic(name, **{k: v for k, v in small.items() if k in known})


@cache
def hands() -> tuple[tuple[Hand, int], ...]:
    """Return awkward and random hands with the minimum cost over all predecompositions."""
    rng = random.Random(4)
    chosen = [known.hand for known in AWKWARD]
    chosen += [Hand.parse(text, notation="paper") for text in PAPER_HANDS.values()]
    chosen += [EMPTY, Hand.parse("11m", called=4), Hand.parse("44445555666677m")]
    for _ in range(24):
        called, few = rng.choice([0, 0, 1, 2, 3]), rng.choice([None, None, 5, 6])
        size = 14 - 3 * called - rng.randint(0, 1)
        suits = rng.randint(1, 3) if few is None else None
        tiles = rng.choice([M0, FULL])
        hand = deal(rng, tiles, size=size, suits=suits, called=called, num_kinds=few)
        chosen.append(Hand.from_counts(hand.counts, tiles=tiles, called=called))
    return tuple((hand, solve(hand, model="predecomposition").value) for hand in chosen)


@pytest.mark.parametrize("name", NAMES)
def test_value_is_attained_and_not_below_the_optimum(name: str) -> None:
    heuristic = method(name)
    for number, (hand, least) in enumerate(hands()):
        result = heuristic.search(hand, rng=stream(1, name, number, 0), stop=NEVER)
        assert result.value >= least, hand.to_text()
        assert result.predecomposition.hand == hand
        cost = result.predecomposition.cost()
        assert cost <= result.value if result.completes else cost == result.value
        if result.completes:
            assert result.value >= deficiency(hand)
        assert result.history[-1] == result.value
        assert len(result.history) <= heuristic.num_generations + 1
        assert result.stopped in tuple(StopReason)


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_gives_same_result(name: str) -> None:
    heuristic, differs = method(name), 0
    for number, (hand, _) in enumerate(hands()):
        one, two, other = (
            heuristic.search(hand, rng=stream(1, name, number, run), stop=NEVER)
            for run in (0, 0, 1)
        )
        assert one == two
        differs += one != other
    assert (differs > 0) == heuristic.is_random


def rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    counts = np.zeros((30, 27), np.uint8)
    counts[0, ::3] = 1  # S is empty
    for row in counts[1:]:
        for kind in rng.choice(np.repeat(np.arange(9 if rng.random() < 0.5 else 27), 4), 14, False):
            row[kind] += 1
    return counts, np.append(np.int8(9), label(counts[1:]))


@pytest.mark.parametrize("stop_at_target", [False, True])
@pytest.mark.parametrize("text", [*NAMES, *VARIANTS])
def test_batch_rows_equal_single_searches_in_any_order(text: str, stop_at_target: bool) -> None:
    name, _, options = text.partition(":")
    heuristic = read_method(text)[1] if options else method(name)
    counts, targets = rows()
    numbers = np.arange(len(counts)) + 7

    def columns(which: np.ndarray) -> list[list[int]]:
        found = run_batch(
            heuristic,
            counts[which],
            seed=5,
            method=name,
            hand_numbers=numbers[which],
            run=2,
            targets=targets[which],
            stop_at_target=stop_at_target,
            history=True,
        )
        assert found.history is not None
        assert found.history.shape == (len(which), heuristic.num_generations + 1)
        assert (found.history[:, -1] == found.value).all()
        parts = (
            found.value,
            found.evaluations,
            found.generations,
            found.hit_evaluations,
            found.hit_generation,
            found.stopped,
        )
        return np.column_stack([*parts, found.history]).tolist()

    whole = columns(np.arange(len(counts)))
    order = np.random.default_rng(1).permutation(len(counts))
    assert [whole[i] for i in order] == columns(order[:9]) + columns(order[9:])
    for i, (row, target) in enumerate(zip(counts.tolist(), targets.tolist(), strict=True)):
        result = heuristic.search(
            Hand.from_counts(row, partial=True),
            rng=stream(5, name, int(numbers[i]), 2),
            target=target,
            stop=Stop(value=target if stop_at_target else None),
        )
        hit = -1 if result.hit_evaluations is None else result.hit_evaluations
        spent = [result.value, result.evaluations, result.generations, hit]
        assert whole[i][:4] == spent
        assert whole[i][5] == result.stopped
        # A hit is a value at or below the target; with early stop it ends the search.
        assert (hit >= 0) == (result.value <= target)
        if stop_at_target and hit >= 0:
            assert (result.stopped, result.evaluations) == (StopReason.REACHED, hit)


@pytest.mark.parametrize("name", NAMES)
def test_stopping_limits_are_respected(name: str) -> None:
    heuristic = method(name)
    for number, (hand, _) in enumerate(hands()):

        def search(stop: Stop, hand: Hand = hand, number: int = number) -> Result:
            return heuristic.search(hand, rng=stream(1, name, number, 0), stop=stop)

        whole = search(NEVER)
        few = search(evaluations(7))
        assert few.evaluations <= 7
        easy = search(reached(9))
        assert easy.stopped is StopReason.REACHED
        assert easy.evaluations <= whole.evaluations


@pytest.mark.parametrize("name", NAMES)
def test_instance_name_equals_registry_name(name: str) -> None:
    heuristic = get_heuristic(name)
    assert isinstance(heuristic, Heuristic)
    assert heuristic.name == name
