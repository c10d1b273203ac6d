"""Numbers of ready hands against brute force, the census, sampling, and laws that they obey."""

import random
from collections.abc import Iterable
from math import comb
from pathlib import Path

import numpy as np
import pytest
from helpers.ready_hands import brute_counts, small_world
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import FULL
from mjopt.chances.danger import ready_counts, ready_tables
from mjopt.chances.danger.ready_counts import WAITS, ReadyCounts, count_ready
from mjopt.errors import HandError
from mjopt.hands.coerce import as_copies
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import templates_of

STRANGE = Path(__file__).parents[2] / "data" / "strange_rules"
FILES = (
    *("doubled", "eyes_or_pairs", "five_tiles", "fixed", "honours", "knitted", "many_suits"),
    *("no_eyes", "one_suit", "overlap", "pongs", "thirty_two", "two_eyes", "two_of_three_suits"),
)
RULES = ("riichi", "taiwan", "sanma", "sichuan", "overlap")
NOTHING = (0,) * 34


def rules_of(name: str) -> RuleSet:
    return mjopt.get_rules(STRANGE / f"{name}.toml" if name in FILES else name)


def forms_of(names: str) -> tuple:
    return templates_of(check_forms(names, FULL))


def copies(text: str) -> tuple[int, ...]:
    return as_copies(text, FULL, what="left")


def by_wait(found: ReadyCounts) -> dict[str, int]:
    return {wait: number for wait, number in zip(WAITS, found.by_wait, strict=True) if number}


def by_kind(found: ReadyCounts) -> dict[int, int]:
    totals = map(sum, zip(*found.by_kind, strict=True))
    return {kind: number for kind, number in enumerate(totals) if number}


def check_worlds(name: str, seeds: Iterable[int], noise: int) -> None:
    """Compare small worlds with brute force; in some of them there are ready hands."""
    rules, ready = rules_of(name), 0
    for seed in seeds:
        templates, left, called, shown, forbidden = small_world(rules, random.Random(seed), noise)
        found = count_ready(templates, rules.tiles, left, called, shown, forbidden)
        expected = brute_counts(rules.tiles, templates, left, called, shown, forbidden)
        assert (by_wait(found), by_kind(found)) == expected
        ready += sum(found.by_wait)
    assert ready


@pytest.mark.parametrize("name", RULES)
def test_small_worlds_equal_brute_force(name: str) -> None:
    check_worlds(name, range(2), 1)


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", RULES)
def test_ten_small_worlds_equal_brute_force(name: str, part: int) -> None:
    check_worlds(name, range(10 * part, 10 * part + 10), 3)


@pytest.mark.parametrize("name", FILES)
def test_strange_rules_equal_brute_force(name: str) -> None:
    check_worlds(name, range(2 if name == "many_suits" else 4), 1)


def test_many_worlds_of_strange_rules_equal_brute_force() -> None:
    for name in FILES:
        check_worlds(name, range(10), 3)


def test_mcr_equals_brute_force() -> None:
    check_worlds("mcr", range(5), 2)


@pytest.mark.parametrize(
    ("forms", "number"), [("standard", 32_244_742_336_860), ("riichi", 39_270_395_383_132)]
)
def test_all_ready_hands_are_those_of_the_census(forms: str, number: int) -> None:
    found = count_ready(forms_of(forms), FULL, (4,) * 34, 0, NOTHING)
    assert sum(found.by_wait) == number


@pytest.mark.parametrize("name", ["sanma", "taiwan", "sichuan", "half-flush"])
def test_other_rules_equal_their_census(name: str) -> None:
    rules = mjopt.get_rules(name)
    census = mjopt.census(size=rules.size - 1, rules=rules)
    kinds = rules.tiles.num_kinds
    found = count_ready(templates_of(rules.forms), rules.tiles, (4,) * kinds, 0, (0,) * kinds)
    assert sum(found.by_wait) == census.deals[1]


def test_hands_of_two_forms_count_once() -> None:
    """A public counter subtracts 1,121 hands of both forms where 1m completes 631 pairs."""
    ways = 6**6 * 4  # to choose six pairs and a single tile
    both, standard, pairs = (
        count_ready(forms_of(forms), FULL, (4,) * 34, 0, NOTHING)
        for forms in ("standard,seven_pairs", "standard", "seven_pairs")
    )
    of_two = sum(standard.by_wait) + sum(pairs.by_wait) - sum(both.by_wait)
    assert of_two == 32_676 * ways
    assert by_kind(standard)[0] + by_kind(pairs)[0] - by_kind(both)[0] == 631 * ways


def test_furiten_takes_away_hands_of_two_forms_as_a_whole() -> None:
    """A public counter keeps seven pairs whose waits in the standard form are forbidden."""
    hand = copies("1122334455667m")
    assert by_kind(count_ready(forms_of("riichi"), FULL, hand, 0, NOTHING)) == {0: 1, 3: 1, 6: 1}
    assert by_kind(count_ready(forms_of("riichi"), FULL, hand, 0, NOTHING, [0])) == {}
    assert by_kind(count_ready(forms_of("seven_pairs"), FULL, hand, 0, NOTHING, [0])) == {6: 1}


@pytest.mark.parametrize(
    ("hand", "wait"),
    [
        ("23m456m789p123s55z", "two_sided"),
        ("23m456m789p55p123s", "two_sided"),
        ("23456m789p123s55z", "two_sided"),
        ("11123m99p456789s", "two_sided"),  # 1m and 4m, beside 9p
        ("13m456m789p123s55z", "one_sided"),
        ("12m456m789p123s55z", "one_sided"),
        ("11m456m789p123s55z", "two_pairs"),
        ("456m789p123s55z77z", "single_two"),  # two pairs, in one suit
        ("123m456m789p123s5z", "single"),
        ("13m22m456789p123s", "single"),
        ("23m99m456789p123s", "single_two"),
        ("1234m456789p123s", "single_two"),
        ("2345678m456p123s", "single_three"),
        ("1112345678999m", "single_three"),
        ("1199m2288p3377s5z", "no_melds"),
        ("19m19p19s1234567z", "no_melds"),
        ("1122334455667m", "single_three"),
    ],
)
def test_kind_of_wait(hand: str, wait: str) -> None:
    found = count_ready(forms_of("riichi"), FULL, copies(hand), 0, NOTHING)
    assert by_wait(found) == {wait: 1}


def test_a_kind_of_which_hand_and_melds_hold_all_copies_is_no_wait() -> None:
    standard = forms_of("standard")
    assert by_wait(count_ready(standard, FULL, copies("2222m"), 3, NOTHING)) == {}
    meld = copies("222m")
    found = count_ready(standard, FULL, copies("2m"), 4, NOTHING)
    assert by_kind(found) == {1: 1}
    assert by_kind(count_ready(standard, FULL, copies("2m"), 4, meld)) == {}
    found = count_ready(standard, FULL, copies("23m55p"), 3, copies("1111m"))
    assert by_kind(found) == {3: 1}
    assert by_wait(found) == {"one_sided": 1}
    # Of two pairs only one can become a pong: the melds hold the other copies of 1m.
    found = count_ready(standard, FULL, copies("11m55p"), 3, copies("112233m999s"))
    assert (by_kind(found), by_wait(found)) == ({13: 1}, {"one_sided": 1})


def test_given_waits_are_exactly_those_of_the_hands() -> None:
    left, templates = copies("22334455667788m5566p55z"), forms_of("riichi")
    every = count_ready(templates, FULL, left, 0, NOTHING)
    singles = 0
    for kind in range(34):
        found = count_ready(templates, FULL, left, 0, NOTHING, waits=[kind])
        others = [other for other in range(34) if other != kind]
        assert found == count_ready(templates, FULL, left, 0, NOTHING, others)
        singles += sum(found.by_wait)
    assert 0 < singles < sum(every.by_wait)
    two = count_ready(templates, FULL, left, 0, NOTHING, waits=[12, 15])
    assert by_kind(two).keys() == {12, 15}
    assert len({*by_kind(two).values(), sum(two.by_wait)}) == 1
    shown = copies("333z")
    met = count_ready(templates[:1], FULL, copies("2233m33z"), 1, shown, waits=[1, 2])
    assert by_kind(met) == by_kind(count_ready(templates[:1], FULL, copies("2233m33z"), 1, shown))


def test_sums_beyond_64_bits_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    left = copies("1122334455667788m1122334455667z")
    arguments = forms_of("riichi"), FULL, left, 0, NOTHING, [3, 30]
    expected = count_ready(*arguments)
    ready_counts._plan.cache_clear()
    monkeypatch.setattr(ready_counts, "_SAFE", 0)
    assert count_ready(*arguments) == expected
    assert ready_counts._plan(forms_of("riichi"), FULL, 0).dtype is object
    ready_counts._plan.cache_clear()


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_tables, "MOST_COMBINATIONS", 10)
    with pytest.raises(HandError, match="combinations of suits, expected at most 10; count fewer"):
        ready_tables.ready_tables.__wrapped__(forms_of("seven_pairs"), FULL, 0)


LEFTS = st.lists(st.integers(0, 4), min_size=34, max_size=34).map(tuple)
KINDS = st.sets(st.integers(0, 33), max_size=6)
FEW = settings(max_examples=10)


@FEW
@given(left=LEFTS, forbidden=KINDS, order=st.permutations(range(3)))
def test_permuted_suits_have_permuted_counts(left, forbidden, order) -> None:
    def moved(kind: int) -> int:
        return kind if kind > 26 else 9 * order[kind // 9] + kind % 9

    other = [0] * 34
    for kind, number in enumerate(left):
        other[moved(kind)] = number
    riichi = forms_of("riichi")
    one = count_ready(riichi, FULL, left, 0, NOTHING, forbidden)
    two = count_ready(riichi, FULL, tuple(other), 0, NOTHING, {*map(moved, forbidden)})
    assert one.by_wait == two.by_wait
    assert {moved(kind): number for kind, number in by_kind(one).items()} == by_kind(two)


@FEW
@given(left=LEFTS, forbidden=KINDS, more=KINDS, kind=st.integers(0, 33))
def test_more_furiten_and_fewer_copies_never_add_hands(left, forbidden, more, kind) -> None:
    riichi = forms_of("riichi")
    some = count_ready(riichi, FULL, left, 0, NOTHING, forbidden)
    fewer = tuple(max(0, number - (k == kind)) for k, number in enumerate(left))
    for less in (
        count_ready(riichi, FULL, left, 0, NOTHING, forbidden | more),
        count_ready(riichi, FULL, fewer, 0, NOTHING, forbidden),
    ):
        assert all(a <= b for a, b in zip(less.by_wait, some.by_wait, strict=True))
        assert (np.array(less.by_kind, object) <= np.array(some.by_kind, object)).all()


@FEW
@given(left=LEFTS, forbidden=KINDS)
def test_each_ready_hand_has_a_wait_that_is_allowed(left, forbidden) -> None:
    found = count_ready(forms_of("riichi"), FULL, left, 0, NOTHING, forbidden)
    assert not forbidden & by_kind(found).keys()
    for number, kinds in zip(found.by_wait, found.by_kind, strict=True):
        assert max(kinds) <= number <= sum(kinds)


def test_sampled_hands_are_ready_as_often() -> None:
    """Two million hands of 13 tiles, judged by the table of deficiencies."""
    rng = np.random.default_rng(7)
    left = np.array([0, 1, 2, 3, 4, 4, 3, 3, 3] * 2 + [0] * 9 + [3, 0, 0, 2, 0, 0, 0])
    tiles = np.repeat(np.arange(34), left)
    hands = np.zeros((2_000_000, 34), np.uint8)
    chosen = rng.permuted(np.tile(tiles.astype(np.uint8), (len(hands), 1)), axis=1)[:, :13]
    np.add.at(hands, (np.arange(len(hands))[:, None], chosen), 1)
    ready = mjopt.label(hands, forms="riichi") == 1
    found = count_ready(forms_of("riichi"), FULL, tuple(left.tolist()), 0, NOTHING)
    total = comb(int(left.sum()), 13)
    share = sum(found.by_wait) / total
    assert abs(ready.mean() - share) < 4 * (share * (1 - share) / len(hands)) ** 0.5
    drawn = hands[ready]
    for kind, number in by_kind(found).items():
        full = drawn.copy()
        full[:, kind] += 1
        wins = (
            (full[:, kind] <= 4) & (mjopt.label(np.minimum(full, 4), forms="riichi") == 0)
        ).sum()
        share = number / total
        assert abs(wins / len(hands) - share) < 5 * (share / len(hands)) ** 0.5 + 1e-12
