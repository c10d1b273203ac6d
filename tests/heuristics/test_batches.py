"""Compiled batch searches equal single searches in Python."""

import random

import numpy as np
import pytest
from helpers.made_hands import awkward_hands, random_hand

from mjopt.heuristics import read_method, stream
from mjopt.heuristics.runner import run_batch, search
from mjopt.heuristics.stopping import NEVER

METHODS = [
    "ndde:population=6,generations=4",
    "ndde-refill:population=6,generations=4",
    "pso:population=6,generations=4",
    "ga:population=6,generations=4,elitist=true",
    "tlbo:population=6,generations=3,repair=random",
    "tree-search",
    "tree-search:order=as-published,prune=false,depth_limit=8",
]
RNG = random.Random(14)
HANDS = [hand for hand in awkward_hands() if hand.num_tiles]
HANDS += [random_hand(RNG) for _ in range(20)]
HANDS = [hand for hand in HANDS if len(hand.counts) == 27 and hand.called == 0]


@pytest.mark.parametrize("text", METHODS)
def test_batch_equals_single_searches(text: str) -> None:
    method = read_method(text)[1]
    batch = run_batch(
        method,
        [hand.counts for hand in HANDS],
        seed=1,
        method="label",
        hand_numbers=np.arange(len(HANDS)),
        run=3,
        targets=np.full(len(HANDS), 2),
        history=True,
        tiles=HANDS[0].tiles,
    )
    assert batch.history is not None
    for i, hand in enumerate(HANDS):
        found = search(method, hand, rng=stream(1, "label", i, 3), stop=NEVER, target=2)
        hit = -1 if found.hit_evaluations is None else found.hit_evaluations
        assert (
            batch.value[i],
            batch.evaluations[i],
            batch.generations[i],
            batch.hit_evaluations[i],
            batch.stopped[i],
        ) == (found.value, found.evaluations, found.generations, hit, found.stopped)
        assert tuple(batch.history[i, : len(found.history)]) == found.history
