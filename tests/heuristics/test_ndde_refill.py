import random
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pytest
from helpers.made_hands import (
    COMMON_OPTIONS,
    random_hand,
)
from helpers.types_deal import types_deal
from reference_implementations.heuristics import ndde_refill
from reference_implementations.heuristics.refilling import refill
from reference_implementations.heuristics.search import search_plainly

import mjopt
from mjopt import Hand
from mjopt.errors import HandError
from mjopt.hands.predecomposition import Predecomposition
from mjopt.heuristics import (
    get_heuristic,
    run_batch,
    stream,
)
from mjopt.heuristics.encoding import Encoding
from mjopt.heuristics.ndde import NDDE, REFILLS, NDDERefill
from mjopt.heuristics.repair import make_feasible
from mjopt.tables.suits.state_index import one_type_counts

PAPER_HAND = Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper")


class Script:
    """A random source that returns scripted numbers."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


def some_individuals(number: int) -> list[tuple[Encoding, tuple[int, ...]]]:
    """Draw hands and repaired individuals, some with initially empty positions."""
    rng = random.Random(8)
    found = []
    for _ in range(number):
        encoding = Encoding(random_hand(rng), rng.choice(COMMON_OPTIONS["order"]))
        if encoding.num_elements:
            drawn = [
                rng.choice([0, rng.randint(1, encoding.num_elements)])
                for _ in range(encoding.num_positions)
            ]
            kept = make_feasible(drawn, encoding, rule="pmelds-first", rng=rng)
            found.append((encoding, kept))
    return found


def with_one_more(encoding: Encoding, kept: Sequence[int]) -> list[Predecomposition]:
    """List every predecomposition with one additional element."""
    found = []
    for e in range(1, encoding.num_elements + 1) if 0 in kept else ():
        more = list(kept)
        more[more.index(0)] = e
        with suppress(HandError):  # the hand lacks a tile
            found.append(encoding.decode(more))
    return found


def test_adding_an_element_never_raises_the_cost() -> None:
    """Refilling cannot raise the cost under Eq. 8, with or without the special cases."""
    num_rises = 0
    for encoding, kept in some_individuals(400):
        before = encoding.decode(kept)
        for after in with_one_more(encoding, kept):
            for one in (True, False):
                for two in (True, False):
                    options = {"special_case_1": one, "special_case_2": two}
                    num_rises += after.cost(**options) > before.cost(**options)
    assert num_rises == 0


@pytest.mark.parametrize("rule", REFILLS)
def test_refill_keeps_elements_and_leaves_no_room(rule: str) -> None:
    rng = random.Random(1)
    for encoding, kept in some_individuals(300):
        filled = refill(kept, encoding, rule=rule, rng=rng)
        assert all(new == old for new, old in zip(filled, kept, strict=True) if old)
        assert encoding.decode(filled).cost() <= encoding.decode(kept).cost()
        if rule == "none":
            assert filled == kept
        else:
            assert not with_one_more(encoding, filled)


def test_melds_first_adds_melds_first() -> None:
    """After filling an empty individual, no pmeld is used where a meld would fit."""
    rng = random.Random(2)
    for encoding, kept in some_individuals(200):
        for rule in ("melds-first", "melds-then-pair"):
            filled = refill(tuple(0 for _ in kept), encoding, rule=rule, rng=rng)
            melds = [e if e and encoding.elements[e - 1].is_meld else 0 for e in filled]
            added = with_one_more(encoding, melds)
            num = sum(map(bool, melds))
            assert not any(sum(p.is_meld for p in one.pieces) > num for one in added)


def names(encoding: Encoding, chosen: Sequence[int]) -> list[str]:
    return [encoding.elements[e - 1].text(encoding.hand.tiles) if e else "" for e in chosen]


def test_scripted_refill() -> None:
    encoding = Encoding(PAPER_HAND)
    s = [block.text(encoding.hand.tiles) for block in encoding.elements]
    assert s[9:] == ["33s", "88s", "456m", "678p", "123s", "333s", "888s"]
    # Five melds: the third from the drawn index, cyclically; then the pair 33s.
    filled = refill([0] * 5, encoding, rule="melds-then-pair", rng=Script(0.41, 0.0))
    assert names(encoding, filled) == ["123s", "888s", "456m", "678p", "33s"]
    # From the fourth: 333s excludes 123s, the pair 88s has no tiles; a pchow at the end.
    script = Script(0.61, 0.0, 0.0)
    filled = refill([0] * 5, encoding, rule="melds-then-pair", rng=script)
    assert names(encoding, filled) == ["333s", "888s", "456m", "678p", "12s"]
    assert not script.numbers
    # Existing elements stay; one meld fits; no pair is needed but one number is drawn.
    start = (0, s.index("88s") + 1, 0, s.index("123s") + 1, s.index("456m") + 1)
    filled = refill(start, encoding, rule="melds-then-pair", rng=Script(0.999, 0.0, 0.0))
    assert names(encoding, filled) == ["678p", "88s", "33s", "123s", "456m"]
    # Without empty positions no number is drawn.
    assert refill(filled, encoding, rule="any", rng=Script()) == filled


def test_scripted_keep() -> None:
    """Positions are kept with probability Cr, else emptied and refilled, step by step."""
    method = NDDERefill(
        population=4,
        generations=1,
        strict_generations=True,
        repair="pmelds-first",
        variation="keep",
    )
    # Five times the first element, 45m, of which one stays; melds from the first that
    # fits, 678p 123s 888s; the first pair, 33s. Four times the same.
    first = [0.0] * 5 + [0.0, 0.0]
    # 678p is kept; melds again, 456m 123s 888s; the first pair.
    later = [0.5, 0.6, 0.6, 0.6, 0.6, 0.0, 0.0]
    script = Script(*first * 4, *later * 4)
    found = search_plainly(
        method,
        PAPER_HAND,
        rng=script,
        first=ndde_refill.first,
        generation=ndde_refill.generation,
    )
    assert not script.numbers
    assert found.history == (1, 0)
    texts = [piece.text(PAPER_HAND.tiles) for piece in found.predecomposition.pieces]
    assert texts == ["678p", "456m", "123s", "888s", "33s"]


def test_without_refill_equals_ndde() -> None:
    rng = random.Random(4)
    for number in range(30):
        hand = random_hand(rng)
        ours, theirs = NDDERefill(refill="none", generations=8), NDDE(generations=8)
        one, other = stream(1, "m", number, 0), stream(1, "m", number, 0)
        assert ours.search(hand, rng=one) == theirs.search(hand, rng=other)
        assert one.random() == other.random()


@pytest.mark.parametrize("num_types", [1, 2, 3])
def test_beats_ndde_at_equal_evaluations(num_types: int) -> None:
    """On 400 hands, at (10, 10) and (20, 50): rarely wrong alone, often right alone."""
    rng = np.random.default_rng(num_types)
    if num_types == 1:
        counts = one_type_counts()
        rows = np.pad(counts[rng.permutation(len(counts))[:400]], ((0, 0), (0, 18)))
    else:
        rows = np.array([hand.counts for hand in types_deal(num_types, 400, rng=rng)], np.uint8)
    true = mjopt.label(rows)
    right = {}
    for method in (NDDE(), NDDERefill()):
        found = run_batch(
            get_heuristic(method.name, population=10, generations=10),
            rows,
            seed=3,
            method=method.name,
            hand_numbers=np.arange(len(rows)),
            run=0,
        )
        assert (found.evaluations == 120).all()
        right[method.name] = found.value == true
    ours, theirs = right["ndde-refill"], right["ndde"]
    assert ours.mean() > 0.99
    assert (theirs & ~ours).sum() <= 1
    assert (ours & ~theirs).sum() > 40
