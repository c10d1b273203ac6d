"""The paper's model against brute force over all predecompositions of S."""

import random
from functools import cache

import pytest
from helpers.support import PAPER_HANDS, deal

from mjopt import FULL, M0, SOLVERS, Hand, Predecomposition, candidates, deficiency, solve
from mjopt.errors import ModelError
from mjopt.hands.blocks import Block
from mjopt.models.predecomposition import PredecompositionModel as Model
from mjopt.models.solvers.registry import default_solver


def least_cost(hand: Hand, **cases: bool) -> int:
    """Return the minimum cost over all multisets of at most five elements of S."""
    elements = candidates(hand)

    @cache
    def chosen(start: int, counts: tuple[int, ...], room: int) -> list[tuple[Block, ...]]:
        found: list[tuple[Block, ...]] = [()]
        for i in range(start, len(elements) if room else start):
            left = list(counts)
            for kind in elements[i].kinds:
                left[kind] -= 1
            if min(left) >= 0:
                found += [(elements[i], *rest) for rest in chosen(i, tuple(left), room - 1)]
        return found

    ways = chosen(0, hand.counts, hand.melds_needed + 1)
    return min(Predecomposition(hand, pieces).cost(**cases) for pieces in ways)


@pytest.mark.parametrize("solver", SOLVERS)
def test_random_hands_match_brute_force(solver: str) -> None:
    rng = random.Random(2)
    for i in range(60 if solver != "cbc" else 20):
        called = rng.choice([0, 0, 1, 2])
        size = 14 - 3 * called - i % 2
        few = rng.choice([None, 4, 5, 6])
        hand = deal(rng, (M0, FULL)[i % 2], size=size, called=called, num_kinds=few)
        answer = solve(hand, model="predecomposition", solver=solver)
        assert answer.value == least_cost(hand), hand.to_text()
        assert answer.target is None
        assert Predecomposition(hand, answer.blocks).cost() == answer.value


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_special_cases_are_parameters(first: bool, second: bool) -> None:
    rng = random.Random(4)
    cases = {"special_case_1": first, "special_case_2": second}
    differ = 0
    for _ in range(40):
        hand = deal(rng, M0, num_kinds=4)
        program = Model(**cases).build(hand)
        found = default_solver().solve(program).objective
        assert found == least_cost(hand, **cases)
        differ += found != least_cost(hand)
    assert (differ > 0) == (not (first and second))


def test_special_case_2_needs_four_melds() -> None:
    """Three kongs as three pongs leave three fourth copies, but m = 3, so no surcharge applies."""
    hand = Hand.parse("1111m5555p9999s13p")
    assert solve(hand, model="predecomposition").value == least_cost(hand)


def test_special_case_2_needs_fourth_copies_only() -> None:
    """The fourth 1m is in a chow, and the tile left over is a wind: four melds cost 1."""
    hand = Hand.parse("111123m456p789s1z")
    assert solve(hand, model="predecomposition").value == least_cost(hand) == 1


def test_papers_cost_differs_from_the_deficiency() -> None:
    hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    assert solve(hand, model="predecomposition").value == 2
    assert deficiency(hand) == 3


@pytest.mark.parametrize("text", list(PAPER_HANDS.values())[1:])
def test_costs_of_paper_hands_equal_their_deficiency(text: str) -> None:
    hand = Hand.parse(text, notation="paper")
    assert solve(hand, model="predecomposition").value == least_cost(hand) == deficiency(hand)


def test_limited_unseen_and_partial_hands_are_refused() -> None:
    hand = Hand.parse("1112345678999m1p")
    with pytest.raises(ModelError, match="says nothing about unseen"):
        solve(hand, model="predecomposition", unseen=[0] * 27)
    with pytest.raises(ModelError, match="does not answer with a deficiency"):
        deficiency(hand, model="predecomposition")
    with pytest.raises(ModelError, match="partial"):
        solve(Hand.parse("11m", partial=True), model="predecomposition")
