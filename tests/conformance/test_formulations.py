"""Every formulation agrees with brute force under every solver."""

import random
from collections.abc import Iterator

import pytest
from helpers.support import AWKWARD, PAPER_HANDS, Known, deal, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FORMULATIONS, FULL, M0, SOLVERS, UNREACHABLE, Hand, deficiency, solve
from mjopt.hands.blocks import Shape, usage
from mjopt.models import brute_force
from mjopt.models.formulation import Goal

EXACT = [
    name
    for name, kind in FORMULATIONS.items()
    if kind().goal is Goal.DEFICIENCY and kind().form == "standard"
]
# With the network formulation CP-SAT and CBC take a second per hand, so they get few hands;
# HiGHS and the smaller formulations get many.
QUICK = [(name, solver) for name in EXACT for solver in SOLVERS if name != "network"]
QUICK.append(("network", "highs"))
SLOW = [("network", "cp-sat"), ("network", "cbc")]


def random_hands(seed: int, number: int) -> Iterator[tuple[Hand, tuple[int, ...] | None]]:
    """Yield hands of one to three types, with called melds, many kongs or limited unseen tiles."""
    rng = random.Random(seed)
    for i in range(number):
        tiles = M0 if i % 2 else FULL
        called = rng.choice([0, 0, 0, 1, 2, 3, 4])
        few = rng.choice([None, None, 6, 8])
        size = 14 - 3 * called - (i % 3 == 0)
        suits = 1 + i % 3 if few is None else None
        hand = deal(rng, tiles, size=size, suits=suits, called=called, num_kinds=few)
        most = rng.choice([None, None, 4, 2, 1])
        unseen = None if most is None else tuple(rng.randint(0, most) for _ in hand.counts)
        yield hand, unseen


def check(hand: Hand, unseen: tuple[int, ...] | None, model: str, solver: str) -> None:
    """Compare the value with brute force and check its target."""
    expected = brute_force.deficiency(hand, unseen=unseen)
    answer = solve(hand, model=model, solver=solver, unseen=unseen)
    assert answer.value == expected, f"{hand.to_text()} called {hand.called} unseen {unseen}"
    assert answer.is_optimal
    if expected == UNREACHABLE:
        assert answer.blocks == ()
        return
    assert answer.target == usage(answer.blocks, hand.tiles.num_kinds)
    assert sum(answer.draws) == expected
    assert all(d <= u for d, u in zip(answer.draws, answer.unseen, strict=True))
    assert max(answer.target) <= 4
    shapes = [block.shape for block in answer.blocks]
    assert shapes.count(Shape.EYE) == 1
    assert len(shapes) == hand.melds_needed + 1
    assert all(
        block.kinds[0] in hand.tiles.chow_starts
        for block in answer.blocks
        if block.shape is Shape.CHOW
    )


@pytest.mark.parametrize(("model", "solver"), QUICK)
def test_awkward_hands(model: str, solver: str) -> None:
    for known in AWKWARD:
        check(known.hand, None, model, solver)


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_awkward_hands_by_brute_force(known: Known) -> None:
    assert brute_force.deficiency(known.hand) == known.deficiency, known.source


@pytest.mark.parametrize(("model", "solver"), SLOW)
def test_network_under_the_slow_solvers(model: str, solver: str) -> None:
    for hand, unseen in [(AWKWARD[-1].hand, None), *random_hands(3, 3)]:
        check(hand, unseen, model, solver)


@pytest.mark.parametrize("share", [0.5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("model", "solver"), QUICK)
def test_random_hands(model: str, solver: str, share: float) -> None:
    number = 24 if "network" in model or solver == "cbc" else 120
    for hand, unseen in random_hands(sum(map(ord, model + solver)), round(share * number)):
        check(hand, unseen, model, solver)


@settings(max_examples=150)
@given(data=st.data())
def test_generated_hands_agree_with_brute_force(data: st.DataObject) -> None:
    hand = data.draw(hands())
    check(hand, data.draw(limits(hand)), "blockwise", "cp-sat")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("form", ["seven_pairs", "thirteen_orphans"])
def test_special_forms_agree_with_brute_force(form: str, solver: str) -> None:
    number = 0
    for hand, unseen in random_hands(11, 24 if form == "seven_pairs" else 60):
        if form == "thirteen_orphans" and hand.tiles is not FULL:
            continue
        expected = brute_force.deficiency(hand, unseen=unseen, forms=(form,))
        assert deficiency(hand, unseen=unseen, forms=(form,)) == expected
        answers = [
            solve(hand, model=model, solver=solver, unseen=unseen, forms=form).value
            for model in ("blockwise", "completion")
        ]
        assert answers == [expected] * 2
        number += expected != UNREACHABLE
    assert number >= 5


@pytest.mark.parametrize("text", PAPER_HANDS.values(), ids=PAPER_HANDS)
def test_paper_hands_under_every_model_and_solver(text: str) -> None:
    hand = Hand.parse(text, notation="paper")
    expected = brute_force.deficiency(hand)
    found = {
        (model, solver): deficiency(hand, model=model, solver=solver) for model, solver in QUICK
    }
    assert set(found.values()) == {expected}
