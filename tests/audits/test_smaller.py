"""Wrong hands are made simple, and grouped by cause."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, Hand
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.comparison import Audit, compare
from mjopt.audits.engines import get_engine
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.smaller import MOST_GROUPS, simpler_hands, simplicity, small_groups
from mjopt.datasets import read_recipe
from mjopt.hands.rules.read_forms import read_forms

FAULTS = """
from mjopt import deficiency, useful_tiles
from mjopt.hands.rules.classic_forms import RIICHI

def engine(hand):
    "Answers with three faults."
    shanten = deficiency(hand, forms=RIICHI) - 1
    if 4 in hand.counts:
        shanten += 1
    if hand.counts[33]:
        shanten = "x"
    return {"shanten": shanten, "win": hand.counts[31] > 1}
"""


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([M0, FULL]))
def test_simpler_hands_are_simpler_hands(seed: int, tiles: object) -> None:
    assert isinstance(tiles, type(M0))
    rng = np.random.default_rng(seed)
    pool = rng.permutation(np.repeat(np.arange(tiles.num_kinds), 4))
    counts = tuple(np.bincount(pool[:8], minlength=tiles.num_kinds).tolist())
    found = simpler_hands(counts, tiles)
    ranks = [simplicity(other, tiles) for other in found]
    assert ranks == sorted(ranks)
    assert all(rank < simplicity(counts, tiles) for rank in ranks)
    assert len(set(found)) == len(found)
    assert all(sum(other) == 8 and 0 <= min(other) <= max(other) <= 4 for other in found)


def test_the_simplest_hand_has_no_simpler_one() -> None:
    hand = Hand.parse("123456789m12345p", tiles=M0)
    found = simpler_hands(hand.counts, M0)
    assert found
    least = min([hand.counts, *found], key=lambda counts: simplicity(counts, M0))
    assert least == found[0]


def test_groups_have_a_simple_hand_of_each_cause(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(FAULTS)
    engine = get_engine(f"{path}:engine", questions=["shanten", "win"])
    counts = read_recipe("deals:150", tiles=FULL).counts(seed=4)
    hands = HandBatch(counts=counts, called=np.zeros(150, np.int16), tiles=FULL)
    columns = {"shanten": "shanten", "win": "win"}
    with Audit(columns, tiles=FULL, forms=read_forms("riichi", FULL)) as audit:
        compare(engine.blocks([AnswerBlock.of(hands)]), audit)
        groups = small_groups(audit, engine)
        by_kind = {
            (group.simplest.column, group.simplest.cause or group.simplest.kind): group
            for group in groups
        }
        wrong = [(row.column, row.cause or row.kind) for row in audit.wrong()]
    assert set(by_kind) == set(wrong)
    assert len(groups) <= MOST_GROUPS
    assert {key: group.num_rows for key, group in by_kind.items()} == {
        key: wrong.count(key) for key in set(wrong)
    }
    for group in groups:
        row = group.simplest
        suits = {name[1] for name, held in zip(FULL.names, row.counts, strict=True) if held}
        assert len(suits) <= 2, row
        assert sum(held >= 2 for held in row.counts) <= 3


def test_a_right_engine_has_no_groups() -> None:
    engine = get_engine(None, command="sed s/.*/no/", questions=["win"])
    counts = read_recipe("deals:20", tiles=FULL).counts(seed=4)
    hands = HandBatch(counts=counts, called=np.zeros(20, np.int16), tiles=FULL)
    with Audit({"win": "win"}, tiles=FULL, forms=read_forms("riichi", FULL)) as audit:
        compare(engine.blocks([AnswerBlock.of(hands)]), audit)
        assert small_groups(audit, engine) == []
