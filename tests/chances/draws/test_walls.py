"""The effect on the expected draws of removing or replacing a tile of the wall.

A tile of the wall is *useless* if, whatever else has been drawn, it never makes the
difference between an incomplete and a complete hand.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from reference_implementations.draws import Plain, small_case

from mjopt import FULL, Hand, deficiency, expected_draws


def without(wall: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return tuple(copies - (k == kind) for k, copies in enumerate(wall))


def is_useless(plain: Plain, kind: int) -> bool:
    others = list(plain.tiles)
    others.remove(kind)
    for chosen in product((False, True), repeat=len(others)):
        drawn = [other for other, taken in zip(others, chosen, strict=True) if taken]
        if plain.is_complete(drawn) != plain.is_complete([*drawn, kind]):
            return False
    return True


def test_removing_a_useless_tile_scales_the_mean() -> None:
    """Of n tiles, a useless one comes before K others with probability K / n."""
    rng = random.Random(1)
    found = 0
    for _ in range(400):
        hand, wall, forms = small_case(rng, 7)
        plain, size = Plain(hand, wall, forms), sum(wall)
        draws = expected_draws(hand, wall=wall, forms=forms)
        if not draws.is_certain or draws.mean == 0:
            continue
        for kind in sorted(set(plain.tiles)):
            if is_useless(plain, kind):
                after = expected_draws(hand, wall=without(wall, kind), forms=forms)
                assert after.mean == draws.mean * Fraction(size, size + 1)
                assert after.mean < draws.mean
                found += 1
    assert found > 100


def test_single_honour_is_useless_in_a_full_wall() -> None:
    hand = Hand.parse("4569m1344578p2s34z", tiles=FULL)
    seen = [0] * 34
    seen[31] = 3  # three copies of 5z are gone: one can never be a pair
    wall = tuple(left - gone for left, gone in zip(hand.unseen, seen, strict=True))
    forms = ("standard", "seven_pairs")
    before = expected_draws(hand, wall=wall, forms=forms).mean
    after = expected_draws(hand, wall=without(wall, 31), forms=forms).mean
    assert after == before * Fraction(sum(wall), sum(wall) + 1)


def test_replacing_a_tile_by_a_useless_one_never_helps() -> None:
    """More tiles never make a complete hand incomplete, so K can only grow in each order."""
    rng = random.Random(2)
    rises = 0
    for _ in range(700):
        hand, wall, forms = small_case(rng, 7)
        if hand.tiles is not FULL:
            continue
        blanks = [k for k in range(27, 34) if hand.counts[k] + wall[k] == 0]
        forms = tuple(form for form in forms if form != "thirteen_orphans")
        if not blanks or not forms:
            continue
        before = expected_draws(hand, wall=wall, forms=forms).mean
        for kind in {kind for kind, copies in enumerate(wall) if copies}:
            changed = list(without(wall, kind))
            changed[blanks[0]] = 1
            after = expected_draws(hand, wall=changed, forms=forms).mean
            assert after >= before
            rises += after > before
    assert rises > 100


def test_removing_a_winning_tile_never_lowers_the_mean() -> None:
    """If the tile completes the hand at any position, removing it cannot shorten the wait."""
    rng = random.Random(3)
    looked_at = 0
    for _ in range(900):
        hand, wall, forms = small_case(rng, 8)
        if hand.is_full or deficiency(hand, unseen=wall, forms=forms) != 1:
            continue
        plain = Plain(hand, wall, forms)
        before = expected_draws(hand, wall=wall, forms=forms).mean
        for kind in set(plain.tiles):
            if plain.is_complete([kind]):
                after = expected_draws(hand, wall=without(wall, kind), forms=forms).mean
                assert after >= before
                looked_at += 1
    assert looked_at > 100


@pytest.mark.parametrize(
    ("text", "called", "wall", "gone", "before", "after"),
    [
        # The hand waits on 7m: a second 8m only delays it.
        ("6m44p", 3, "788m2s", "8m", Fraction(35, 12), Fraction(8, 3)),
        ("78p6699s", 2, "99p46s", "9p", Fraction(35, 12), Fraction(8, 3)),
        ("1117m4599p333s5z", 0, "8m33p4s55z", "3p", Fraction(49, 10), Fraction(9, 2)),
    ],
)
def test_useful_tile_can_raise_the_mean_two_draws_away(
    text: str, called: int, wall: str, gone: str, before: Fraction, after: Fraction
) -> None:
    """The rule above has a limit: a tile may lower the deficiency and still cost draws."""
    hand = Hand.parse(text, called=called, tiles=FULL, partial=True)
    counts = Hand.parse(wall, tiles=FULL, partial=True).counts
    kind = FULL.names.index(gone)
    drawn = hand.with_counts([c + (k == kind) for k, c in enumerate(hand.counts)])
    assert deficiency(drawn, unseen=without(counts, kind)) < deficiency(hand, unseen=counts)
    assert expected_draws(hand, wall=counts).mean == before
    assert expected_draws(hand, wall=without(counts, kind)).mean == after


def test_deficiency_is_the_least_number_of_draws() -> None:
    """A draw yields at most one missing tile, and in the best case always one."""
    rng = random.Random(4)
    for _ in range(200):
        hand, wall, forms = small_case(rng, 8)
        draws = expected_draws(hand, wall=wall, forms=forms)
        missing = deficiency(hand, unseen=wall, forms=forms)
        assert draws.least == (missing if missing < 127 else None)
        assert draws.mean >= missing
        if draws.least:
            assert draws.curve[missing] > 0 == draws.curve[missing - 1]


def test_mean_equals_the_deficiency_for_a_wall_of_missing_tiles() -> None:
    """The mean equals the deficiency only if every order of that many draws completes the hand."""
    hand = Hand.parse("6m44p", called=3, tiles=FULL, partial=True)
    wall = Hand.parse("78m", tiles=FULL, partial=True).counts
    assert expected_draws(hand, wall=wall).mean == deficiency(hand, unseen=wall) == 2
    ready = Hand.parse("1112345678999m", tiles=FULL)
    nines = tuple(left if kind < 9 else 0 for kind, left in enumerate(ready.unseen))
    assert expected_draws(ready, wall=nines).mean == deficiency(ready) == 1
