"""The paper's cost: its examples, its special cases and refused input."""

import pytest

from mjopt import Hand, Predecomposition
from mjopt.errors import HandError
from mjopt.hands.blocks import Block, chow, eye, pchow, pong

# Section 3.2.3: H = B1 B2 B3 B3 B3 B3 B4 B8, C4 C5 C9, D6 D7 D8 and pi1, pi2, pi3.
HAND = Hand.parse("B1B2B3B3B3B3B4B8C4C5C9D6D7D8", notation="paper")
B, C, D = 18, 0, 9


@pytest.mark.parametrize(
    ("pieces", "cost"),
    [
        ((chow(B), pchow(B + 2, gap=1), eye(B + 2), pchow(C + 3, gap=1), chow(D + 5)), 2),
        ((chow(B), pong(B + 2), pchow(C + 3, gap=1), chow(D + 5)), 2),
        (
            (
                chow(B + 1),
                pchow(B, gap=2),
                eye(B + 2),
                pchow(C + 3, gap=1),
                pchow(D + 5, gap=1),
            ),
            3,
        ),
        ((), 9),
    ],
)
def test_the_papers_example(pieces: tuple[Block, ...], cost: int) -> None:
    assert Predecomposition(HAND, pieces).cost() == cost


def test_special_case_1_two_pairs_of_one_kind() -> None:
    hand = Hand.parse("1111m123456789p1s")
    pieces = (eye(0), eye(0), chow(9), chow(12), chow(15))
    assert Predecomposition(hand, pieces).cost() == 2
    assert Predecomposition(hand, pieces).cost(special_case_1=False) == 1
    fewer = Predecomposition(hand, pieces[:4])  # m + n = 4: the case does not apply
    assert fewer.cost() == fewer.cost(special_case_1=False) == 3


def test_special_case_2_only_fourth_copies_left() -> None:
    hand = Hand.parse("1111m2222p123456s")
    pieces = (pong(0), pong(10), chow(18), chow(21))
    assert Predecomposition(hand, pieces).cost() == 2
    assert Predecomposition(hand, pieces).cost(special_case_2=False) == 1
    spare = Hand.parse("1111m222p3p123456s")
    assert Predecomposition(spare, (pong(0), pong(10), chow(18), chow(21))).cost() == 1


def test_called_melds_count_as_melds() -> None:
    hand = Hand.parse("12m55p1s", called=3)
    assert Predecomposition(hand, (pchow(0, gap=1), eye(13))).cost() == 1


def test_pieces_outside_the_hand_are_refused() -> None:
    with pytest.raises(HandError, match="pieces use 2 of 1s, the hand holds 1"):
        Predecomposition(HAND, (chow(B), pchow(B, gap=1)))
    with pytest.raises(HandError, match="6 pieces, expected at most 5"):
        Predecomposition(HAND, (eye(B + 2),) * 6)
