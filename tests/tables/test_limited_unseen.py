"""Limited unseen tiles: exact values, including unreachable hands."""

import numpy as np
import pytest
from helpers import count_rows

from mjopt import label
from mjopt.errors import HandError, TileError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import M0
from mjopt.models import brute_force
from mjopt.tables import label_limited, label_limited_one

FORMS = ("standard", "seven_pairs", "thirteen_orphans")


@pytest.mark.parametrize("most", [0, 1, 2, 4])
def test_one_suit_matches_brute_force(most: int) -> None:
    """Brute force over all complete hands of one suit, with caps in 0..most."""
    rng = np.random.default_rng(most)
    complete = brute_force.suit_choices(M0.suits[0])[4, 1]
    hands = count_rows.deal(rng, 600, 9, 14)
    caps = rng.integers(0, most + 1, hands.shape)
    rows = np.zeros((600, 27), np.uint8)
    unseen = np.zeros((600, 27), np.uint8)
    rows[:, 9:18], unseen[:, 9:18] = hands, caps
    found = label_limited(rows, unseen)
    for hand, cap, value in zip(hands.astype(int), caps, found, strict=True):
        missing = np.maximum(complete - hand, 0)
        totals = missing.sum(axis=1)[(missing <= cap).all(axis=1)]
        assert value == (totals.min() if len(totals) else UNREACHABLE)


@pytest.mark.parametrize("kinds", [27, 34])
@pytest.mark.parametrize("few", [None, 5, 7])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_full_hands_match_brute_force(kinds: int, few: int | None, most: int) -> None:
    rng = np.random.default_rng([kinds, few or 0, most])
    rows = count_rows.deal(rng, 60, kinds, 14, few=few)
    unseen = rng.integers(0, most + 1, rows.shape).astype(np.uint8)
    unseen[:, rng.permutation(kinds)[: kinds // 2]] = 0
    found = label_limited(rows, unseen)
    for row in range(60):
        counts, left = rows[row].tolist(), unseen[row].tolist()
        assert found[row] == label_limited_one(counts, left)
        if row < 20:
            assert found[row] == count_rows.deficiency(counts, 0, left)


@pytest.mark.parametrize("called", range(1, 5))
def test_called_melds_match_brute_force(called: int) -> None:
    rng = np.random.default_rng(called)
    rows = count_rows.deal(rng, 50, 34, 14 - 3 * called)
    unseen = rng.integers(0, 2, rows.shape).astype(np.uint8)
    found = label_limited(rows, unseen, called=called)
    for row in range(50):
        counts, left = rows[row].tolist(), unseen[row].tolist()
        assert found[row] == label_limited_one(counts, left, called)
        if row < 12:
            assert found[row] == count_rows.deficiency(counts, called, left)


@pytest.mark.parametrize("kinds", [27, 34])
def test_all_tiles_unseen_gives_the_plain_deficiency(kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    rows = np.concatenate([count_rows.deal(rng, 500, kinds, 14, few=few) for few in (None, 5, 7)])
    for unseen in (np.full(kinds, 4), 4 - rows):
        assert (label_limited(rows, unseen) == label(rows)).all()
        assert (label(rows, unseen=unseen, threads=2) == label(rows)).all()


def test_no_tiles_unseen_gives_a_win_or_unreachable() -> None:
    rng = np.random.default_rng(4)
    rows = count_rows.deal(rng, 2000, 27, 14, few=5)
    none = label_limited(rows, np.zeros(27, np.uint8))
    assert set(none.tolist()) == {0, UNREACHABLE}
    assert ((none == 0) == (label(rows) == 0)).all()


def test_special_forms_match_brute_force() -> None:
    rng = np.random.default_rng(6)
    rows = np.concatenate([count_rows.deal(rng, 150, 34, 14, few=few) for few in (None, 8, 13)])
    rows[:20] = 0
    rows[:20, [0, 8, 9, 17, 18, 26, *range(27, 34)]] = 1
    unseen = rng.integers(0, 4, rows.shape).astype(np.uint8)
    pairs = label_limited(rows, unseen, forms=("seven_pairs",))
    orphans = label_limited(rows, unseen, forms=("thirteen_orphans",))
    least = label_limited(rows, unseen, forms=FORMS)
    standard = label_limited(rows, unseen)
    assert (least == np.minimum(np.minimum(pairs, orphans), standard)).all()
    for row in range(len(rows)):
        counts, left = rows[row].tolist(), unseen[row].tolist()
        assert pairs[row] == count_rows.deficiency(counts, 0, left, "seven_pairs")
        assert orphans[row] == count_rows.deficiency(counts, 0, left, "thirteen_orphans")
        assert least[row] == label_limited_one(counts, left, forms=FORMS)


def test_layouts_and_threads_do_not_change_values() -> None:
    rng = np.random.default_rng(7)
    rows = np.tile(count_rows.deal(rng, 1000, 27, 14), (40, 1))
    unseen = rng.integers(0, 5, rows.shape).astype(np.uint8)
    found = label_limited(rows, unseen)
    out = np.empty(len(rows), np.int8)
    assert label_limited(rows, unseen, threads=2, out=out) is out
    assert (out == found).all()
    reverse = label_limited(rows[::-1], unseen[::-1].astype(np.int64))
    assert (reverse == found[::-1]).all()
    one = label_limited(rows[:100], unseen[0])
    assert (one == label_limited(rows[:100], np.tile(unseen[0], (100, 1)))).all()


def test_bad_arguments_are_refused() -> None:
    hand = np.array([1] * 13 + [0] * 14, np.uint8)
    rows = np.tile(hand, (40, 1))
    with pytest.raises(TileError, match=r"unseen row 2: 5 copies of 9s, expected 0\.\.4"):
        label_limited(rows, np.where(np.arange(40 * 27).reshape(40, 27) == 80, 5, 1))
    with pytest.raises(TileError, match=r"unseen: .*expected integers of shape"):
        label_limited(rows, np.ones(26, np.uint8))
    with pytest.raises(HandError, match="row 39: 12 tiles"):
        label_limited(np.vstack([rows[:39], [hand * (np.arange(27) > 0)]]), np.ones(27, int))
    with pytest.raises(HandError, match="12 tiles, expected 14 or 13"):
        label_limited_one([0, *hand[1:]], [1] * 27)
    with pytest.raises(TileError, match="unseen: 5 copies of 1m"):
        label_limited_one(hand.tolist(), [5] + [0] * 26)
