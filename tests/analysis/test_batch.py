"""Batched useful tiles and discards equal the functions for one hand."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from helpers.support import deal, limits
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import FULL, M0, SANMA, TILE_SETS, UNREACHABLE, Hand
from mjopt._internal.jit import compile_always
from mjopt.analysis.nearest_batch import nearest
from mjopt.analysis.row_parts import PART
from mjopt.errors import HandError, MjoptError
from mjopt.hands.tiles import COPIES

FEW = 64  # tests with a number of hands answer fewer of them without kernels
FORMS = ["standard", "seven_pairs", ("standard", "seven_pairs", "thirteen_orphans")]


@pytest.fixture(autouse=True)
def ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Look few hands up; judge many by kernels."""
    case = getattr(request.node, "callspec", None)
    with compile_always(case is None or case.params.get("number", FEW) >= FEW):
        yield


@st.composite
def batches(draw, *, size: int):
    """Draw enough hands to use the kernels, some with several kongs."""
    tiles = draw(st.sampled_from([*TILE_SETS.values()]))
    called = draw(st.integers(0, 3))
    rng = random.Random(draw(st.integers(0, 2**32)))
    hands = [
        deal(
            rng,
            tiles,
            size=size - 3 * called,
            suits=rng.choice([2, 2, 3] if tiles is SANMA else [1, 2, 3]) if number % 2 else None,
            num_kinds=None if number % 2 else rng.choice([5, 6, 8, 10]),
            called=called,
        )
        for number in range(24)
    ]
    forms = draw(st.sampled_from(FORMS[:2] if tiles is M0 else FORMS))
    return hands, called, forms


def counts_of(hands: list[Hand]) -> np.ndarray:
    return np.array([hand.counts for hand in hands], np.uint8)


def check_useful(found: mjopt.UsefulBatch, hands: list[Hand], forms, unseen=None) -> None:
    for row, hand in enumerate(hands):
        one = mjopt.useful_tiles(hand, unseen=unseen, forms=forms)
        assert found.deficiency[row] == one.deficiency
        assert tuple(np.flatnonzero(found.useful[row])) == one.kinds
        assert found.num_copies[row] == one.num_copies


def check_discards(found: mjopt.DiscardBatch, hands: list[Hand], forms, unseen=None) -> None:
    for row, hand in enumerate(hands):
        ranked = mjopt.discards(hand, unseen=unseen, forms=forms)
        for one in ranked:
            there = found.deficiency[row, one.kind], found.num_copies[row, one.kind]
            assert there == (one.deficiency, one.after.num_copies), (hand.to_text(), one.kind)
        assert found.best[row] == ranked[0].kind
        held = np.array(hand.counts) > 0
        assert (found.deficiency[row, ~held] == UNREACHABLE).all()
        assert (found.num_copies[row, ~held] == -1).all()


@settings(max_examples=8)
@given(batch=batches(size=13))
def test_useful_tiles_equal_those_of_single_hands(batch):
    hands, called, forms = batch
    found = mjopt.useful_tiles_many(
        counts_of(hands), called=called, forms=forms, tiles=hands[0].tiles
    )
    check_useful(found, hands, forms)


@settings(max_examples=5)
@given(batch=batches(size=14))
def test_discards_equal_those_of_single_hands(batch):
    hands, called, forms = batch
    found = mjopt.discards_many(counts_of(hands), called=called, forms=forms, tiles=hands[0].tiles)
    check_discards(found, hands, forms)


@settings(max_examples=6)
@given(data=st.data(), size=st.sampled_from([13, 14]), is_few=st.booleans())
def test_unseen_tiles_may_be_limited(data, size, is_few):
    """One row of unseen tiles for all hands; few hands (not compiled) or many."""
    hands, called, forms = data.draw(batches(size=size))
    chosen = slice(3) if is_few else slice(None)
    left = data.draw(limits(hands[0])) or hands[0].unseen
    many, check = (
        (mjopt.useful_tiles_many, check_useful)
        if size == 13
        else (mjopt.discards_many, check_discards)
    )
    found = many(
        counts_of(hands[chosen]), called=called, forms=forms, unseen=left, tiles=hands[0].tiles
    )
    check(found, hands[:3], forms, left)


def test_unseen_tiles_may_differ_by_hand():
    rng = random.Random(8)
    hands = [deal(rng, FULL, size=14) for _ in range(FEW)]
    left = [[rng.randint(0, 2) for _ in range(34)] for _ in hands]
    found = mjopt.discards_many(counts_of(hands), unseen=left)
    for row, hand in enumerate(hands[:4]):
        for one in mjopt.discards(hand, unseen=left[row]):
            assert found.deficiency[row, one.kind] == one.deficiency
            assert found.num_copies[row, one.kind] == one.after.num_copies


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_kernel_and_network_agree_near_a_win(tiles, called):
    rng = random.Random(called)
    shape = {"size": 13 - 3 * called, "called": called}
    hands = [deal(rng, tiles, num_kinds=rng.choice([None, 8]), **shape) for _ in range(40)]
    counts = counts_of(hands)
    left = np.array([[rng.randint(0, 4) for _ in row] for row in counts], np.uint8)
    left = np.minimum(left, COPIES - counts)
    left[::4] = (COPIES - counts)[::4]
    with compile_always(False):
        network = nearest(counts, left, tiles, called)
    with compile_always():
        kernel = nearest(counts, left, tiles, called)
    for one, other in zip(network, kernel, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


def test_discarded_tile_is_not_drawn_again():
    """All one-suit hands where it matters, found by enumeration."""
    rows = [(0, 0, 0, 0, 1, 4, 3, 2, 4), (0, 0, 1, 2, 0, 2, 3, 4, 2), (0, 0, 1, 2, 0, 2, 4, 3, 2)]
    # In rare cases four of a kind in another suit matters: without 2m, 1m and 3m are useless.
    some = [Hand.from_counts(row + (0,) * 18) for row in rows]
    hands = [*some, Hand.parse("12223m77888899p1s")] * FEW
    found = mjopt.discards_many(counts_of(hands))
    check_discards(found, hands[: len(rows) + 1], "standard")
    from mjopt.tables.useful import judge_discards  # the tables alone ignore this

    counts = counts_of(hands)
    alone, _ = judge_discards(counts, 4 - counts)
    assert (found.deficiency != alone).any()
    with compile_always(False):
        plain = mjopt.discards_many(counts)
    assert (plain.deficiency == found.deficiency).all()
    assert (plain.num_copies == found.num_copies).all()


@pytest.mark.parametrize("number", [1, FEW])
@pytest.mark.parametrize("paired", [0, 1])
def test_orphans_need_a_second_copy_of_one(number, paired):
    """Thirteen orphans held, and no copy of any unseen, or of one."""
    orphans = Hand.parse("19m19p19s1234567z", tiles=FULL)
    unseen = [0] * 34
    unseen[8] = paired
    found = mjopt.useful_tiles_many(
        counts_of([orphans] * number), unseen=unseen, forms="thirteen_orphans"
    )
    assert (found.deficiency == (1 if paired else UNREACHABLE)).all()
    assert (found.useful.sum(axis=1) == paired).all()
    check_useful(found, [orphans], "thirteen_orphans", unseen)


@pytest.mark.parametrize("number", [0, 1, FEW - 1, FEW, PART + 1])
@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_shapes_and_dtypes(number, kind):
    counts = np.zeros((number, 34), kind)
    counts[:, :7] = 2
    found = mjopt.discards_many(counts)
    assert found.deficiency.shape == found.num_copies.shape == (number, 34)
    assert (found.deficiency.dtype, found.num_copies.dtype) == (np.int8, np.int16)
    assert found.best.shape == (number,)
    counts[:, 0] = 1
    useful = mjopt.useful_tiles_many(counts[::-1])
    assert useful.useful.shape == (number, 34)
    assert (useful.deficiency.dtype, useful.useful.dtype) == (np.int8, np.bool_)
    assert useful.num_copies.dtype == np.int16
    assert len(useful) == len(found) == number
    two = mjopt.discards_many(np.where(counts == 1, 2, counts), threads=2)
    assert (two.deficiency == found.deficiency).all()


@pytest.mark.parametrize("number", [3, FEW + 1])
def test_error_names_the_bad_row(number):
    counts = np.zeros((number, 27), np.int16)
    counts[:, :7] = 2
    with pytest.raises(HandError, match="row 0: 14 tiles, expected 13: a hand before its draw"):
        mjopt.useful_tiles_many(counts)
    counts[2, 0] = 3
    with pytest.raises(HandError, match="row 2: 15 tiles, expected 14: a hand after its draw"):
        mjopt.discards_many(counts)
    with pytest.raises(HandError, match="unseen: int64 of shape .3,., expected integers"):
        mjopt.discards_many(counts[:2], unseen=[1, 2, 3])
    with pytest.raises(HandError, match="unseen: 5..5 copies, expected 0..4"):
        mjopt.useful_tiles_many(counts[:0], unseen=[5] * 27)
    with pytest.raises(HandError, match="row 2: 15 tiles, expected 14: a hand after its draw"):
        mjopt.discards_many(counts, improving=True)
    counts[1, 1] = 300
    with pytest.raises(MjoptError, match="row 1: 300 copies of 2m, expected 0..4"):
        mjopt.discards_many(counts)


@pytest.mark.parametrize("row", [0, PART - 1, PART + 3])
def test_error_names_the_first_bad_row_of_all_parts(row):
    counts = np.zeros((PART + 5, 27), np.uint8)
    counts[:, :7] = 2
    counts[row:, 0] = 3
    with pytest.raises(HandError, match=f"row {row}: 15 tiles, expected 14"):
        mjopt.discards_many(counts)
    counts[:, 0] = 1
    counts[row:, 0] = 2
    with pytest.raises(HandError, match=f"row {row}: 14 tiles, expected 13"):
        mjopt.useful_tiles_many(counts)


@pytest.mark.parametrize("number", [3, FEW])
@pytest.mark.parametrize("called", range(5))
@pytest.mark.parametrize("forms", [("standard",), ("standard", "seven_pairs")])
def test_improving_draws_equal_those_of_single_hands(number, called, forms):
    rng = random.Random(number)
    hands = [deal(rng, M0, size=14 - 3 * called, suits=2, called=called) for _ in range(number)]
    unseen = np.array([[rng.randrange(5 - held) for held in hand.counts] for hand in hands])

    found = mjopt.discards_many(
        counts_of(hands), called=called, unseen=unseen, forms=forms, improving=True
    )

    assert found.improving.shape == (number, 27, 27)
    seen = 0
    for row in (0, number // 2, number - 1):
        expected = np.zeros((27, 27), np.int16)
        for one in mjopt.discards(hands[row], unseen=unseen[row], forms=forms, improving=True):
            for drawn, _, best in one.improving or ():
                expected[one.kind, drawn] = best
        assert (found.improving[row] == expected).all()
        seen += np.count_nonzero(expected)
    assert seen


def test_improving_draws_are_optional():
    rows = np.tile(Hand.parse("4569m13445788p2s", partial=True).counts, (FEW, 1))
    rows[:, 18] += 14 - rows.sum(axis=1)[0]

    found = mjopt.discards_many(rows, improving=True)

    assert mjopt.discards_many(rows).improving is None
    one = mjopt.discards(Hand.from_counts(rows[0]), improving=True)[0]
    improving = {drawn: best for drawn, _, best in one.improving}
    assert improving
    assert dict(enumerate(found.improving[0, one.kind])) == dict.fromkeys(range(27), 0) | improving
