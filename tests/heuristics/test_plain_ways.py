"""Searches of one hand without compiling: the same as compiled, whatever is searched."""

import random

import numpy as np
import pytest
from helpers.made_hands import awkward_hands, random_hand

from mjopt import Hand
from mjopt._internal.jit import compile_always
from mjopt.heuristics import Stop, read_method
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.runner import run_batch
from mjopt.heuristics.tree_search import TreeSearch

METHODS = [
    "ndde:population=6,generations=4",
    "ndde-refill:population=6,generations=4",
    "pso:population=6,generations=4",
    "ga:population=6,generations=4,elitist=true",
    "tlbo:population=6,generations=3,repair=random",
    "tree-search",
    "tree-search:order=as-published,prune=false,depth_limit=8",
]
HANDS = [hand for hand in awkward_hands() if hand.num_tiles]
RNG = random.Random(14)
HANDS += [random_hand(RNG) for _ in range(20)]


def both(method: Heuristic, hand: Hand, stop: Stop) -> list[object]:
    found: list[object] = []
    for plainly in (True, False):
        rng = np.random.default_rng(7)
        with compile_always(not plainly):
            result = method.search(hand, rng=rng, stop=stop, target=2)
        found.append((result, rng.random()))  # and as many numbers were drawn
    return found


@pytest.mark.parametrize("text", METHODS)
def test_one_search(text: str) -> None:
    method = read_method(text)[1]
    for hand in HANDS:
        plain, compiled = both(method, hand, Stop())
        assert plain == compiled, hand.to_text()
    plain, compiled = both(method, HANDS[-1], Stop(evaluations=9))
    assert plain == compiled


@pytest.mark.parametrize("text", METHODS)
def test_a_few_rows(text: str) -> None:
    method = read_method(text)[1]
    hands = [hand for hand in HANDS if len(hand.counts) == 27 and hand.called == 0]
    counts = np.array([hand.counts for hand in hands[:8]], np.uint8)
    found = []
    for plainly in (True, False):
        with compile_always(not plainly):
            batch = run_batch(
                method, counts, seed=1, method=method.name, hand_numbers=np.arange(len(counts)),
                run=0, tiles=hands[0].tiles, called=0,
            )  # fmt: skip
        found.append({name: getattr(batch, name).tolist() for name in ("value", "evaluations")})
    assert found[0] == found[1]


def test_few_unseen_tiles() -> None:
    rng = np.random.default_rng(2)
    for hand in HANDS[-8:]:
        unseen = rng.integers(0, 3, len(hand.counts)).tolist()
        with compile_always(False):
            plain = TreeSearch().deficiency(hand, unseen=unseen)
        assert plain == TreeSearch().deficiency(hand, unseen=unseen)
