"""The checker of the tables of one suit, condition by condition, on suits of few ranks."""

from itertools import product

import numpy as np
import pytest

from mjopt.analysis.table_proof import prove_suits
from mjopt.errors import CertificateError
from mjopt.hands.tiles import Suit
from mjopt.models import brute_force
from mjopt.proofs.table_check import check_choices, check_potentials_of_suits

FAR = 30  # more tiles than any suit misses
SUITS = [(5, False), (4, True)]  # the fewest ranks that hold four melds and an eye


def states(ranks: int, every: int = 97) -> np.ndarray:
    return np.array([*product(range(5), repeat=ranks)], np.int8)[::every]


def refusal(check, *arguments) -> str:
    try:
        check(*arguments)
    except CertificateError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("ranks", "has_chows"), SUITS)
def test_both_sides_meet_at_the_brute_force_value(ranks, has_chows):
    held = states(ranks, 29)
    potentials, choices = prove_suits(held, has_chows)
    lower = check_potentials_of_suits(held, has_chows, potentials)
    upper = check_choices(held, has_chows, choices)
    possible = brute_force.suit_choices(Suit("m", "few", tuple(range(1, ranks + 1)), has_chows))
    assert (lower == upper).all()
    for (melds, eyes), hands in possible.items():
        least = np.maximum(hands - held[:, None].astype(int), 0).sum(axis=2).min(axis=1)
        assert (lower[:, melds, eyes] == least).all()


@pytest.mark.parametrize(("ranks", "has_chows"), SUITS)
def test_one_potential_that_proves_more_is_refused(ranks, has_chows):
    """Every entry from which the end can be reached is as high as it may be."""
    held = states(ranks)[3:5]
    potentials, _ = prove_suits(held, has_chows)
    places = np.argwhere(potentials < FAR)
    assert len(places) > 300
    at_end = "a potential at the end is above 0"
    for rank, row, melds, eyes, carry in places[::7].tolist():
        potentials[rank, row, melds, eyes, carry] += 1
        reason = refusal(check_potentials_of_suits, held, has_chows, potentials)
        falls = f"rank {rank}: a potential falls by more than a move misses"
        assert reason == (at_end if rank == ranks else falls)
        potentials[rank, row, melds, eyes, carry] -= 1
    potentials[ranks, 1, 0, 0, 0] = 1
    assert refusal(check_potentials_of_suits, held, has_chows, potentials) == at_end
    potentials[ranks, 1, 0, 0, 0] = 0
    lower = check_potentials_of_suits(held, has_chows, potentials)
    assert (check_potentials_of_suits(held, has_chows, potentials - 1) == lower - 1).all()


@pytest.mark.parametrize("counts", [(4, 4, 4, 0), (2, 4, 4, 2)])
def test_four_chows_are_one_way_to_use_a_rank(counts):
    """Of 112222333344 no other choice has four melds without a further tile."""
    held = np.array([counts], np.int8)
    potentials, choices = prove_suits(held, True)
    assert check_choices(held, True, choices)[0, 4, 0] == 0
    assert check_potentials_of_suits(held, True, potentials)[0, 4, 0] == 0
    potentials[0, 0, 4, 0, 0] = 1
    reason = refusal(check_potentials_of_suits, held, True, potentials)
    assert reason == "rank 0: a potential falls by more than a move misses"


@pytest.mark.parametrize("axis", range(5))
def test_potentials_of_another_shape_are_refused(axis):
    held = states(4)
    potentials, _ = prove_suits(held, True)
    for other in (np.delete(potentials, 0, axis), np.insert(potentials, 0, 0, axis)):
        reason = refusal(check_potentials_of_suits, held, True, other)
        assert reason == f"potentials of shape {other.shape}, expected {potentials.shape}"


# Ranks, has_chows, changes (rank, which of chows, pongs and eyes, value) of one meld and an eye,
# the pong of the first rank and the eye of the second, and the message.
CHOICES: dict[str, tuple[int, bool, list[tuple[int, int, int]], str]] = {
    "as it is": (4, True, [], ""),
    "a chow for the pong": (4, True, [(0, 1, 0), (1, 0, 1)], ""),
    "a chow below 0": (4, True, [(0, 0, -1), (1, 0, 1)], "negative or above one"),
    "a pong below 0": (4, True, [(2, 1, -1), (3, 1, 1)], "negative or above one"),
    "an eye below 0": (4, True, [(2, 2, -1), (3, 2, 1)], "negative or above one"),
    "two pongs of a rank": (4, True, [(0, 1, 2)], "negative or above one"),
    "two eyes of a rank": (4, True, [(1, 2, 2)], "negative or above one"),
    "a chow from the last rank but one": (4, True, [(0, 1, 0), (2, 0, 1)], "begins where none can"),
    "a chow from the last rank": (4, True, [(0, 1, 0), (3, 0, 1)], "begins where none can"),
    "a chow of honours": (5, False, [(0, 1, 0), (0, 0, 1)], "begins where none can"),
    "a meld too few": (4, True, [(0, 1, 0)], "has not m melds and e eyes"),
    "a meld too many": (4, True, [(2, 1, 1)], "has not m melds and e eyes"),
    "a chow too many": (4, True, [(1, 0, 1)], "has not m melds and e eyes"),
    "an eye too few": (4, True, [(1, 2, 0)], "has not m melds and e eyes"),
    "an eye too many": (4, True, [(2, 2, 1)], "has not m melds and e eyes"),
    "five copies": (4, True, [(1, 2, 0), (0, 2, 1)], "a kind more than four times"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choice_with_one_fault_is_refused(name):
    ranks, has_chows, changes, message = CHOICES[name]
    held = states(ranks)[3:5]
    _, choices = prove_suits(held, has_chows)
    choices[1, 1, 1] = 0
    choices[1, 1, 1, 0, 1] = choices[1, 1, 1, 1, 2] = 1
    for rank, which, value in changes:
        choices[1, 1, 1, rank, which] = value
    assert message in refusal(check_choices, held, has_chows, choices)
    assert bool(message) == bool(refusal(check_choices, held, has_chows, choices))


@pytest.mark.parametrize("first", [0, 1])
def test_chows_use_the_two_ranks_after_theirs(first):
    """Two chows and a pong of a rank that they use need five copies of it."""
    held = states(4)[:1]
    _, choices = prove_suits(held, True)
    choices[0, 2, 0] = 0
    choices[0, 2, 0, first, 0] = 1
    for rank in range(4):
        choices[0, 2, 0, :, 1] = 0
        choices[0, 2, 0, rank, 1] = 1
        missing = check_choices(held, True, choices)
        assert missing[0, 2, 0] == 6
    choices[0, 3, 0] = 0
    choices[0, 3, 0, first, 0] = 2
    for rank in range(4):
        choices[0, 3, 0, :, 1] = 0
        choices[0, 3, 0, rank, 1] = 1
        is_used = first <= rank <= first + 2
        assert bool(refusal(check_choices, held, True, choices)) == is_used
