"""Kernels equal their Python implementations draw for draw on the same stream."""

import random

import numpy as np
import pytest
from helpers.made_hands import (
    COMMON_OPTIONS,
    OWN_OPTIONS,
    awkward_hands,
    plainly,
    random_hand,
)

from mjopt import Hand
from mjopt.heuristics import (
    NEVER,
    Stop,
    evaluations,
    generations,
    get_heuristic,
    reached,
    run_batch,
    stream,
)
from mjopt.heuristics.population import PopulationMethod


def make(name: str, **parameters: object) -> PopulationMethod:
    method = get_heuristic(name, **parameters)
    assert isinstance(method, PopulationMethod)
    return method


def same(method: PopulationMethod, hand: Hand, number: int, stop: Stop = NEVER) -> None:
    found = method.search(hand, rng=stream(1, method.name, number, 0), stop=stop, target=2)
    assert found == plainly(method, hand, rng=stream(1, method.name, number, 0), stop=stop)


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_awkward_hands(name: str) -> None:
    for number, hand in enumerate(awkward_hands()):
        same(make(name, population=6, generations=8), hand, number)


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_kernel_equals_python_for_any_hand_options_and_stop(name: str) -> None:
    rng = random.Random(sum(map(ord, name)))
    for number in range(400):
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
def test_kernel_accepts_any_numpy_generator(name: str) -> None:
    """The kernel calls NumPy's bit generator: PCG64, MT19937, Philox, or one used before."""
    method, rng = make(name, population=5, generations=5), random.Random(1)
    for bits in (np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64):
        hand = random_hand(rng)
        one, other = (np.random.Generator(bits(7)) for _ in range(2))
        one.random(3), other.random(3)
        assert method.search(hand, rng=one, target=2) == plainly(method, hand, rng=other)
        assert one.random() == other.random()  # both consumed the same number of draws


@pytest.mark.parametrize("stop_at_target", [False, True])
@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_batch_equals_its_single_searches(name: str, stop_at_target: bool) -> None:
    """Each row uses its own stream, independent of batch and order."""
    rng = random.Random(2)
    method = make(name, population=6, generations=4, max_evaluations=28)
    hands = [hand for hand in (random_hand(rng) for _ in range(300)) if not hand.called][:60]
    hands = [hand for hand in hands if len(hand.counts) == 27]
    targets = [rng.randint(0, 3) for _ in hands]
    numbers = np.arange(len(hands)) * 3
    rows = np.array([hand.counts for hand in hands])

    def batch_of(which: list[int]) -> list[tuple[object, ...]]:
        found = run_batch(
            method,
            rows[which],
            seed=9,
            method="x",
            hand_numbers=numbers[which],
            run=4,
            targets=np.array(targets)[which],
            stop_at_target=stop_at_target,
            history=True,
        )
        assert found.history is not None
        columns = (
            found.value,
            found.evaluations,
            found.generations,
            found.hit_evaluations,
            found.hit_generation,
            found.stopped,
        )
        return [
            (*map(int, row), tuple(history))
            for *row, history in zip(*columns, found.history.tolist(), strict=True)
        ]

    whole = batch_of(list(range(len(hands))))
    for i, hand in enumerate(hands):
        result = method.search(
            hand,
            rng=stream(9, "x", int(numbers[i]), 4),
            target=targets[i],
            stop=reached(targets[i]) if stop_at_target else NEVER,
        )
        held = result.history + (result.value,) * (method.num_generations + 1 - len(result.history))
        hit = -1 if result.hit_evaluations is None else result.hit_evaluations
        hit_generation = -1 if result.hit_generation is None else result.hit_generation
        assert whole[i] == (
            result.value,
            result.evaluations,
            result.generations,
            hit,
            hit_generation,
            result.stopped,
            held,
        )
    order = list(range(len(hands)))
    rng.shuffle(order)
    assert [whole[i] for i in order] == batch_of(order[:7]) + batch_of(order[7:])
    assert len({row[5] for row in whole}) > stop_at_target  # then there are two stop reasons


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
    """On some hand, each choice gives another result than the first choice."""
    rng = random.Random(3)
    hands = [Hand.parse("11123456789999m"), Hand.parse("11112222333344m")]
    hands += [random_hand(rng) for _ in range(150)]
    found = []
    for choice in choices:
        method = make(name, population=8, generations=6, **{option: choice})
        results = [method.search(h, rng=stream(1, "m", i, 0)) for i, h in enumerate(hands)]
        found.append([(r.value, r.history, r.predecomposition.pieces) for r in results])
    for i, one in enumerate(found):
        assert one not in found[:i], choices[i]


def test_strict_generations_is_one_fewer() -> None:
    hand = Hand.parse("11123456789999m")
    for strict, number in ((False, 51), (True, 50)):
        result = make("ndde", strict_generations=strict).search(hand, rng=stream(1, "m", 0, 0))
        assert (result.generations, result.evaluations) == (number, 20 * (number + 1))
