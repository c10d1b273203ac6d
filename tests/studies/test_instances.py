"""Hand sets: recipes, samples and certified deficiencies."""

import random
from pathlib import Path

import numpy as np
import pytest
from helpers.support import PAPER_HANDS, deal

from mjopt import M0, TILE_SETS, Hand, TileSet, candidates, deficiency
from mjopt.errors import ArgumentError, CertificateError, FileError, MjoptError
from mjopt.studies.config import sample_of
from mjopt.studies.instances import (
    CERTIFICATE_SEED,
    certify_labels,
    describe_hands,
    num_elements,
    read_hand_set,
)


def test_a_sample_keeps_the_order_of_the_hands() -> None:
    whole = read_hand_set("two-type:500", seed=3)
    some = read_hand_set("two-type:500@40", seed=3)
    assert some.recipe == "two-type:500@40"
    assert some.name == "two-type-500-40"
    assert some.num_hands == some.certificates == len(some.counts) == 40
    rows = [row.tobytes() for row in whole.counts]
    places = [rows.index(row.tobytes()) for row in some.counts]
    assert places == sorted(set(places))


def test_same_text_and_seed_same_hands() -> None:
    digests = [read_hand_set("one-type@50", seed=seed).digest for seed in (1, 1, 2)]
    assert digests[0] == digests[1] != digests[2]


def test_the_papers_examples() -> None:
    hands = read_hand_set("paper-examples", seed=0)
    wanted = [PAPER_HANDS[f"H{i}"] for i in range(1, 7)]
    assert [Hand.from_counts(row.tolist()) for row in hands.counts] == [
        Hand.parse(text, notation="paper") for text in wanted
    ]


def test_a_file_of_hands(tmp_path: Path) -> None:
    path = tmp_path / "a@b.txt"
    path.write_text("1112345678999m1p\n123m456p789s11122m\n")
    assert read_hand_set(f"file:{path}", seed=0).counts.shape == (2, 27)
    assert read_hand_set(f"file:{path}@1", seed=0).name == "a-b-1"


def test_number_of_certificates() -> None:
    for text, wanted, certified in (
        ("deals:300", None, 300),
        ("one-type", None, 1000),
        ("deals:300", -1, 300),
        ("deals:300", 7, 7),
        ("deals:300", 400, 300),
    ):
        hands = read_hand_set(text, seed=0, certificates=wanted)
        assert hands.certificates == certified


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("four-type:3", ArgumentError, "expected one of one-type, two-type:N"),
        ("one-type@0", ArgumentError, "'0' after @, expected a number in 1..118800"),
        ("one-type@x", ArgumentError, "'x' after @"),
        ("two-type:10@11", ArgumentError, "expected a number in 1..10"),
        ("all", ArgumentError, "21,310,147,575 hands, expected at most 5,000,000"),
        ("file:no/such.txt", FileError, "no/such.txt"),
    ],
)
def test_wrong_recipes_are_refused(text: str, kind: type[MjoptError], words: str) -> None:
    with pytest.raises(kind, match=words):
        read_hand_set(text, seed=0)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_num_elements_is_the_number_of_candidates(tiles: TileSet) -> None:
    rng = random.Random(5)
    hands = [deal(rng, tiles, suits=1 + i % 3, num_kinds=(None, 6)[i % 2]) for i in range(300)]
    counts = np.array([hand.counts for hand in hands], dtype=np.uint8)
    assert num_elements(counts, tiles).tolist() == [len(candidates(hand)) for hand in hands]


def test_columns_of_hands() -> None:
    hands = read_hand_set("kongs:30", seed=1)
    columns = describe_hands(hands.counts, M0)
    for place, row in enumerate(hands.counts.tolist()):
        hand = Hand.from_counts(row)
        assert Hand.parse(columns["text"][place]) == hand
        assert columns["deficiency"][place] == deficiency(hand)
        assert columns["num_kongs"][place] == row.count(4)
        assert columns["num_types"][place] == sum(any(row[part]) for part in M0.slices)
    assert not columns["certified"].any()


def test_a_sample_of_labels_is_certified() -> None:
    hands = read_hand_set("two-type:40", seed=1, certificates=15)
    columns = describe_hands(hands.counts, M0)
    certify_labels(hands, columns, M0)
    assert (
        np.flatnonzero(columns["certified"]).tolist()
        == sample_of(40, 15, seed=CERTIFICATE_SEED).tolist()
    )


def test_a_wrong_label_stops_the_study() -> None:
    hands = read_hand_set("two-type:40", seed=1)
    columns = describe_hands(hands.counts, M0)
    columns["deficiency"][23] += 1
    with pytest.raises(CertificateError, match=r"two-type-40, hand 23 \(.*\): labelled \d, but"):
        certify_labels(hands, columns, M0)
