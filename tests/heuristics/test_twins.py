"""Searches equal the plain versions of the tests draw for draw on the same stream."""

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from helpers.made_hands import (
    COMMON_OPTIONS,
    OWN_OPTIONS,
    OtherGenerator,
    awkward_hands,
    plainly,
    random_hand,
)

from mjopt import Hand
from mjopt.heuristics import (
    NEVER,
    Stop,
    StopReason,
    evaluations,
    generations,
    get_heuristic,
    reached,
    stream,
)
from mjopt.heuristics.population import PopulationMethod


def make(name: str, **parameters: object) -> PopulationMethod:
    method = get_heuristic(name, **parameters)
    assert isinstance(method, PopulationMethod)
    return method


def same(method: PopulationMethod, hand: Hand, number: int, stop: Stop = NEVER) -> None:
    compare(method, hand, *(stream(1, method.name, number, 0) for _ in range(2)), stop=stop)


def compare(
    method: PopulationMethod,
    hand: Hand,
    rng: np.random.Generator,
    other: np.random.Generator,
    *,
    stop: Stop = NEVER,
) -> None:
    """Results agree, and as many numbers were drawn if no limit ended the search."""
    found = method.search(hand, rng=rng, stop=stop, target=2)
    assert found == plainly(method, hand, rng=other, stop=stop)
    if found.stopped is StopReason.GENERATIONS:
        assert rng.random() == other.random()


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_search_equals_the_plain_version_on_awkward_hands(name: str) -> None:
    for number, hand in enumerate(awkward_hands()):
        same(make(name, population=6, generations=8), hand, number)


@pytest.mark.parametrize("tries", [15, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_search_equals_the_plain_version_for_any_hand_options_and_stop(
    name: str, tries: int
) -> None:
    rng = random.Random(sum(map(ord, name)))
    for number in range(tries):
        options = {k: rng.choice(v) for k, v in {**OWN_OPTIONS[name], **COMMON_OPTIONS}.items()}
        method = make(
            name,
            population=rng.randint(4, 9),
            generations=rng.randint(0, 7),
            max_evaluations=rng.choice([None, None, rng.randint(1, 50)]),
            **options,
        )
        stop = rng.choice(
            [
                NEVER,
                reached(rng.randint(0, 3)),
                evaluations(rng.randint(1, 60)),
                generations(rng.randint(0, 5)),
            ]
        )
        same(method, random_hand(rng), number, stop)


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_search_stops_at_each_evaluation_as_the_plain_version(name: str) -> None:
    """Within a generation or at its end."""
    hand = Hand.parse("1123m46p789s11225z")
    for number in range(1, 20):
        same(make(name, population=6, generations=3), hand, number, evaluations(number))


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_search_in_python_equals_the_plain_version(name: str) -> None:
    rng = random.Random(sum(map(ord, name)))
    for number in range(20):
        options = {option: rng.choice(values) for option, values in OWN_OPTIONS[name].items()}
        method, hand = make(name, population=6, generations=5, **options), random_hand(rng)
        compare(
            method, hand, OtherGenerator(np.random.PCG64(number)), np.random.default_rng(number)
        )


@pytest.mark.parametrize("option", ["order", "repair", "special_case_1", "special_case_2"])
def test_every_shared_option_changes_a_result(option: str) -> None:
    differs("ndde", option, COMMON_OPTIONS[option])


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name, own in OWN_OPTIONS.items() for option in own]
)
def test_every_method_option_changes_a_result(name: str, option: str) -> None:
    assert getattr(make(name), option) == OWN_OPTIONS[name][option][0]
    differs(name, option, OWN_OPTIONS[name][option])


def differs(name: str, option: str, choices: tuple[object, ...]) -> None:
    """On some hand, any two choices give different results."""
    rng = random.Random(3)
    hands = [Hand.parse("11123456789999m"), Hand.parse("11112222333344m")]
    hands += [random_hand(rng) for _ in range(150)]

    @cache
    def search(choice: object, i: int) -> tuple[object, ...]:
        method = make(name, population=8, generations=6, **{option: choice})
        result = method.search(hands[i], rng=stream(1, "m", i, 0))
        return result.history, result.predecomposition.pieces

    for one, other in combinations(choices, 2):
        assert any(search(one, i) != search(other, i) for i in range(len(hands))), (one, other)


def test_strict_generations_is_one_fewer() -> None:
    hand = Hand.parse("11123456789999m")
    for strict, number in ((False, 51), (True, 50)):
        result = make("ndde", strict_generations=strict).search(hand, rng=stream(1, "m", 0, 0))
        assert (result.generations, result.evaluations) == (number, 20 * (number + 1))
