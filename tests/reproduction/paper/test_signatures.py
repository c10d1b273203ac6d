"""Signatures of suits compared with enumeration of all multisets of elements."""

import random

import numpy as np
import pytest
from helpers.support import deal

from mjopt import M0, Hand, candidates, solve
from mjopt.hands.blocks import Block, Shape
from mjopt.tables.standard import _paper_cost
from mjopt.tables.standard._paper_cost import (
    ANY,
    BIT,
    NO_PAIR,
    ONE_EACH,
    SPARE,
    paper_costs,
    suit_signatures,
)


@pytest.fixture(scope="module")
def signed() -> tuple[np.ndarray, np.ndarray]:
    return suit_signatures()


def plain(counts: tuple[int, ...]) -> list[int]:
    """Return the four words from all multisets of at most five elements of S."""
    hand = Hand.from_counts([*counts, *[0] * 18], partial=True)
    words, bit = [0, 0, 0, 0], BIT
    elements, left = candidates(hand), list(hand.counts)

    def choose(pieces: tuple[Block, ...], first: int) -> None:
        note(hand, pieces, words, bit)
        for number in range(first, len(elements) if len(pieces) < 5 else 0):
            kinds = elements[number].kinds
            for kind in kinds:
                left[kind] -= 1
            if all(left[kind] >= 0 for kind in kinds):
                choose((*pieces, elements[number]), number)
            for kind in kinds:
                left[kind] += 1

    choose((), 0)
    return words


def note(hand: Hand, pieces: tuple[Block, ...], words: list[int], bit: np.ndarray) -> None:
    m = sum(piece.is_meld for piece in pieces)
    n = len(pieces) - m
    if m > 4:
        return
    here = 1 << int(bit[m, n])
    pairs = [piece.kinds[0] for piece in pieces if piece.shape is Shape.EYE]
    words[ANY] |= here
    if not pairs:
        words[NO_PAIR] |= here
    elif len(set(pairs)) == len(pairs):
        words[ONE_EACH] |= here
    if n == 0:
        left = list(hand.counts)
        for piece in pieces:
            for kind in piece.kinds:
                left[kind] -= 1
        pongs = {piece.kinds[0] for piece in pieces if piece.shape is Shape.PONG}
        if any(copies and kind not in pongs for kind, copies in enumerate(left)):
            words[SPARE] |= 1 << m


def test_signatures_equal_enumeration(signed: tuple[np.ndarray, np.ndarray]) -> None:
    states, words = signed
    assert len(states) == 405_350
    rng = random.Random(5)
    small = np.flatnonzero(states.sum(axis=1) <= 8).tolist()
    for i in rng.sample(small, 60):
        assert words[i].tolist() == plain(tuple(states[i].tolist())), states[i]


def test_signatures_of_kongs_equal_enumeration(signed: tuple[np.ndarray, np.ndarray]) -> None:
    states, words = signed
    for counts in [
        (4, 0, 0, 4, 0, 0, 0, 0, 0),
        (4, 1, 1, 0, 0, 0, 4, 0, 0),
        (4, 4, 0, 0, 0, 0, 0, 0, 0),
    ]:
        [number] = np.flatnonzero((states == counts).all(axis=1))
        assert words[number].tolist() == plain(counts)


def test_number_of_distinct_signatures(signed: tuple[np.ndarray, np.ndarray]) -> None:
    assert len(np.unique(signed[1], axis=0)) == 730


def test_costs_of_hands_equal_the_integer_program(
    signed: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four pongs and two fourth copies, which are no pair, cost 2; four pongs and a pair 0."""
    monkeypatch.setattr(_paper_cost, "suit_signatures", lambda: signed)
    rng = random.Random(8)
    hands = [deal(rng, M0, num_kinds=(None, 4, 5, 6)[i % 4]) for i in range(32)]
    texts = ("B3333 C222267 D7777", "B1111 B5555 C111 D111", "B111 B555 C111 D11122")
    hands += [Hand.parse(text, notation="paper") for text in texts]
    found = paper_costs(np.array([hand.counts for hand in hands], np.uint8)).tolist()
    assert found == [solve(hand, model="predecomposition").value for hand in hands]
    assert found[-3:] == [2, 2, 0]
