import random

import numpy as np
import pytest
from helpers.support import deal
from reference_implementations.discards import judge

from mjopt import FULL, M0, SANMA, TILE_SETS, Hand, discards, discards_many
from mjopt._internal.jit import compile_always
from mjopt.errors import HandError, MjoptError
from mjopt.tables.useful import judge_discards, judge_waits

ALL_FORMS = {
    M0: ("standard", "seven_pairs"),
    FULL: ("standard", "seven_pairs", "thirteen_orphans"),
    SANMA: ("standard", "seven_pairs", "thirteen_orphans"),
}


@pytest.mark.parametrize("few", [None, 6])
@pytest.mark.parametrize("called", range(5))
@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_discards_match_single_lookups(tiles, called, few):
    rng = random.Random(called)
    for number in range(4):
        forms = ALL_FORMS[tiles] if number % 2 else ("standard",)
        hand = deal(rng, tiles, size=14 - 3 * called, called=called, num_kinds=few)
        unseen = [rng.randint(0, 4 - held) for held in hand.counts]
        values, useful = judge_discards(
            hand.counts, unseen, called=called, forms=forms, tiles=tiles
        )
        expected = judge(hand.counts, unseen, called=called, forms=forms, tiles=tiles)
        for kind in range(tiles.num_kinds):
            assert (values[kind], useful[kind]) == expected.get(kind, (127, 0))
        for kind, result in expected.items():
            left = [h - (k == kind) for k, h in enumerate(hand.counts)]
            wait = judge_waits(left, unseen, called=called, forms=forms, tiles=tiles)
            assert tuple(map(int, wait)) == result


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("forms", [("thirteen_orphans",), ("seven_pairs",)])
def test_hands_near_the_special_forms(forms, compiled):
    rng = random.Random(5)
    for _ in range(20):
        counts = [0] * 34
        kinds = [k for k in range(34) if k >= 27 or k % 9 in (0, 8)]
        for kind in rng.sample(kinds, 12):
            counts[kind] += 1
        counts[rng.choice(kinds)] += 1
        counts[rng.randrange(34)] += 1
        if sum(counts) != 14 or max(counts) > 4:
            continue
        unseen = [4 - held for held in counts]
        with compile_always(compiled):
            values, useful = judge_discards(counts, unseen, forms=forms)
        for kind, result in judge(counts, unseen, called=0, forms=forms).items():
            assert (values[kind], useful[kind]) == result


def test_batch_equals_single_hands():
    rng = random.Random(6)
    called = np.array([0, 1, 2, 3, 4] * 4)
    rows = [deal(rng, FULL, size=14 - 3 * int(melds)).counts for melds in called]
    unseen = 4 - np.array(rows)
    values, useful = judge_discards(rows, unseen, called=called)
    for i, row in enumerate(rows):
        one = judge_discards(row, unseen[i], called=int(called[i]))
        assert (values[i] == one[0]).all()
        assert (useful[i] == one[1]).all()


@pytest.mark.parametrize(
    ("counts", "called", "message"),
    [
        ([1] * 13 + [0] * 14, 0, "row 0: 13 tiles, expected 14"),
        ([1] * 14 + [0] * 13, 1, "row 0: 14 tiles, expected 11"),
        ([5, 9] + [0] * 25, 0, "row 0: more than 4 copies"),
        ([1] * 14, 0, "14 counts|14 numbers|27"),
        ([1, 1] + [0] * 25, 5, "called"),
    ],
)
def test_bad_counts_are_refused(counts, called, message):
    with pytest.raises(MjoptError, match=message):
        judge_discards(counts, [4] * len(counts), called=called)


def test_unseen_of_another_shape_is_refused():
    with pytest.raises(HandError, match="unseen of shape"):
        judge_discards([1] * 14 + [0] * 13, [4] * 34)


@pytest.mark.parametrize(
    "text", ["111222777m888p55s", "111m333m777p999s2s4p", "111z222z333z444z5z6z"]
)
@pytest.mark.parametrize("compiled", [False, True])
def test_many_hands_of_four_pongs(text, compiled):
    """Each of the four discarded kinds may return, the most that a hand can have."""
    hand = Hand.parse(text)
    with compile_always(compiled):
        found = discards_many([hand.counts] * 64)
    for one in discards(hand):
        assert (found.deficiency[:, one.kind] == one.deficiency).all()
        assert (found.num_copies[:, one.kind] == one.after.num_copies).all()
