"""Splits keep equivalent hands together and match the planned shares."""

import random

import numpy as np
import pytest

from mjopt.datasets import read_recipe
from mjopt.datasets.arrow import hand_texts
from mjopt.datasets.splits import canonical_hashes, read_splits, split_of
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.hands.symmetry import canonical_counts
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet


def alike(hand: list[int], rng: random.Random) -> list[int]:
    """Permute suits, reverse ranks and permute honours at random."""
    suits = [hand[start : start + 9] for start in (0, 9, 18)]
    rng.shuffle(suits)
    honours = hand[27:]
    rng.shuffle(honours)
    return [n for suit in suits for n in (suit if rng.random() < 0.5 else suit[::-1])] + honours


@pytest.mark.parametrize("tiles", [M0, FULL])
def test_equivalent_hands_share_a_hash(tiles: TileSet) -> None:
    rng = random.Random(1)
    hands = read_recipe("deals:500", tiles=tiles).counts(seed=1)
    likes = np.array([alike(hand, rng) for hand in hands.tolist()], np.uint8)
    assert (canonical_hashes(hands) == canonical_hashes(likes)).all()
    assert (hands == likes).all(axis=1).mean() < 0.1


@pytest.mark.parametrize(("tiles", "recipe"), [(M0, "one-type"), (FULL, "kongs:20000:2")])
def test_hashes_differ_exactly_when_canonical_hands_differ(tiles: TileSet, recipe: str) -> None:
    hands = read_recipe(recipe, tiles=tiles).counts(seed=1)[:20_000]
    hashes = canonical_hashes(hands).tolist()
    kinds = [canonical_counts(tuple(hand), tiles) for hand in hands.tolist()]
    assert len(set(kinds)) < len(kinds)  # some are equivalent
    assert len(set(hashes)) == len(set(kinds)) == len(set(zip(hashes, kinds, strict=True)))


@pytest.mark.parametrize(
    ("tiles", "hashes", "splits"),
    [
        (
            M0,
            [17832877327449205114, 2743308481419712078, 5928688579216835012, 1346875694937496613],
            [3, 0, 1, 0],
        ),
        (
            FULL,
            [17832877327449205114, 2743308481419712078, 5928688579216835012, 1346875694937496613],
            [3, 0, 1, 0],
        ),
        (
            SANMA,
            [17832877327449205114, 2743308481419712078, 5928688579216835012, 1346875694937496613],
            [3, 0, 1, 0],
        ),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_splits_are_pinned(tiles: TileSet, hashes: list[int], splits: list[int]) -> None:
    """Pinned: a change here moves the rows of every published dataset between its splits."""
    texts = ("199m1123p456789s9s", "11199m45p1112345s", "199m19p1199s11199p", "99m2222333344p99s")
    hands = np.array([Hand.parse(text, tiles=tiles).counts for text in texts], np.uint8)
    assert canonical_hashes(hands, tiles).tolist() == hashes
    assert split_of(hands, read_splits("a=1,b=1,c=1,d=1"), tiles).tolist() == splits


def test_edges_belong_to_the_next_split(monkeypatch: pytest.MonkeyPatch) -> None:
    half = 1 << 63
    hashes = np.array([0, half - 1, half, (1 << 64) - 1], np.uint64)
    monkeypatch.setattr("mjopt.datasets.splits.canonical_hashes", lambda *_: hashes)
    hands = np.zeros((4, 27), np.uint8)
    assert split_of(hands, read_splits("a=1,b=1")).tolist() == [0, 0, 1, 1]
    assert split_of(hands, read_splits("a")).tolist() == [0, 0, 0, 0]


def test_split_shares_match_the_plan() -> None:
    splits = read_splits("train=8,validation=1,test=1")
    hands = read_recipe("deals:100000").counts(seed=1)
    shares = np.bincount(split_of(hands, splits)) / len(hands)
    assert np.abs(shares - [0.8, 0.1, 0.1]).max() < 0.004  # four standard errors


def test_fractions_with_rounding_errors_sum_to_one() -> None:
    splits = read_splits(",".join(f"part_{letter}=0.1" for letter in "abcdefghij"))
    assert sum(share for _, share in splits) == pytest.approx(1.0)
    assert len(read_splits("a=0.333333333333,b=0.333333333333,c=0.333333333333")) == 3


def test_a_split_does_not_depend_on_recipe_or_seed() -> None:
    splits = read_splits("train=1,test=1")
    hands = read_recipe("deals:2000").counts(seed=1)
    again = split_of(hands[::-1], splits)[::-1]
    assert (split_of(hands, splits) == again).all()
    assert set(split_of(hands, splits).tolist()) == {0, 1}


def test_single_split_takes_all_hands() -> None:
    hands = read_recipe("deals:20").counts(seed=1)
    assert split_of(hands, read_splits("everything")).tolist() == [0] * 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "split '', expected NAME=SHARE"),
        ("train=x", "split 'train=x'"),
        ("train=0", "split 'train=0'"),
        ("train=-1", "split 'train=-1'"),
        ("train=nan", "split 'train=nan'"),
        ("train=inf", "split 'train=inf'"),
        ("../etc=1", "split '../etc=1'"),
        ("Train=1", "split 'Train=1'"),
        ("a=1,a=1", "a name is repeated"),
        ("a=0.8,b=0.3", "shares sum to 1.1, expected 1, or whole numbers as weights"),
        ("a=0.5", "shares sum to 0.5"),
        ("a=1,b=0.5", "shares sum to 1.5"),
    ],
)
def test_invalid_splits_are_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        read_splits(text)


@pytest.mark.parametrize("tiles", [M0, FULL])
def test_hand_texts_match_hand_objects(tiles: TileSet) -> None:
    hands = read_recipe("deals:300", tiles=tiles).counts(seed=4)
    texts = hand_texts(hands)
    wanted = [Hand.from_counts(row, tiles=tiles).to_text() for row in hands.tolist()]
    assert texts.astype(str).tolist() == wanted
