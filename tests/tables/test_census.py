"""The census against known totals and enumeration."""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from helpers.small_forms import SMALL_FORMS
from helpers.strange_rules import NAMES, strange_rules

from mjopt import census as take_census
from mjopt import label
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.rules.rule_file import get_rules, parse_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import FULL, M0, TILE_SETS, Suit, TileSet
from mjopt.tables import deficiency_counts
from mjopt.tables.suits.state_index import one_type_counts
from mjopt.tables.suits.template_cost import least_missing

census = cache(take_census)
THREE = ("standard", "seven_pairs", "thirteen_orphans")


@pytest.mark.parametrize(
    ("tiles", "size", "forms"),
    [
        (M0, 14, ("standard",)),
        (M0, 13, ("standard",)),
        (M0, 14, ("standard", "seven_pairs")),
        (FULL, 14, ("standard",)),
        (FULL, 13, ("standard",)),
        (FULL, 13, ("seven_pairs",)),
        (FULL, 14, ("standard", "thirteen_orphans")),
        (FULL, 14, THREE),
    ],
)
def test_total_is_the_number_of_deals(tiles: TileSet, size: int, forms: tuple[str, ...]) -> None:
    found = census(tiles, size=size, forms=forms)
    assert found.num_deals == comb(tiles.num_tiles, size)
    choices = np.polynomial.polynomial.polypow([1] * 5, tiles.num_kinds).astype(object)
    assert found.num_hands == round(choices[size])


def test_known_totals() -> None:
    assert census(M0).num_hands == 21_310_147_575
    assert census(M0).counts[0] == 5_237_550
    assert census(FULL).counts[0] == 11_498_658
    assert len(census(M0).counts) - 1 == 6
    assert len(census(M0, size=13).counts) - 1 == 7
    assert len(census(FULL).counts) - 1 == 9
    assert census(M0, size=13).counts[0] == 0
    assert census(M0, forms=("seven_pairs",)).counts[0] == comb(27, 7)
    assert census(FULL, forms=("seven_pairs",)).counts[0] == comb(34, 7)
    assert census(FULL, forms=("thirteen_orphans",)).counts[0] == 13


@pytest.mark.parametrize("size", [13, 14])
@pytest.mark.parametrize("forms", [("standard",), ("standard", "seven_pairs")])
@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_one_type_census_matches_enumeration(
    tiles: TileSet, forms: tuple[str, ...], size: int
) -> None:
    ways = np.array([1, 4, 6, 4, 1])
    counts = np.zeros(20, np.int64)
    deals = np.zeros(20, np.int64)
    for part in tiles.slices:
        suit = one_type_counts(size, part.stop - part.start)
        rows = np.zeros((len(suit), tiles.num_kinds), np.uint8)
        rows[:, part] = suit
        found = label(rows, forms=forms, tiles=tiles)
        np.add.at(counts, found, 1)
        np.add.at(deals, found, ways[suit].prod(axis=1))
    expected = census(tiles, size=size, forms=forms, types=1)
    length = len(expected.counts)
    assert counts[:length].tolist() == list(expected.counts)
    assert deals[:length].tolist() == list(expected.deals)
    assert counts[length:].sum() == 0


@pytest.mark.parametrize("forms", [("standard",), THREE])
def test_census_by_type_sums_to_the_total(forms: tuple[str, ...]) -> None:
    parts = [census(FULL, forms=forms, types=types) for types in (1, 2, 3, 4)]
    whole = census(FULL, forms=forms)
    for value in range(len(whole.counts)):
        assert whole.counts[value] == sum(_at(part.counts, value) for part in parts)
        assert whole.deals[value] == sum(_at(part.deals, value) for part in parts)


def _at(numbers: tuple[int, ...], index: int) -> int:
    return numbers[index] if index < len(numbers) else 0


def test_hands_complete_in_two_forms_are_counted_once() -> None:
    """Inclusion-exclusion, with all seven-pair hands enumerated."""
    chosen = np.array(list(combinations(range(27), 7)))
    rows = np.zeros((len(chosen), 27), np.uint8)
    np.put_along_axis(rows, chosen, 2, axis=1)
    in_both = int((label(rows) == 0).sum())
    either = census(M0, forms=("standard", "seven_pairs")).counts[0]
    assert either == 5_237_550 + comb(27, 7) - in_both


def test_sample_agrees_with_the_census() -> None:
    """Shares in a random sample agree with the census within four sigma."""
    rng = np.random.default_rng(11)
    draws = rng.random((100_000, 136)).argpartition(14, axis=1)[:, :14] // 4
    rows = np.zeros((len(draws), 34), np.uint8)
    np.add.at(rows, (np.arange(len(draws))[:, None], draws), 1)
    seen = np.bincount(label(rows, forms=THREE), minlength=8) / len(rows)
    found = census(FULL, forms=THREE)
    for share, deals in zip(seen, found.deals, strict=True):
        exact = deals / found.num_deals
        assert abs(share - exact) < 4 * (exact * (1 - exact) / len(rows)) ** 0.5 + 1e-5


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ArgumentError, match="expected 13 or 14"):
        census(M0, size=12)
    with pytest.raises(ArgumentError, match=r"4 types, expected 1\.\.3"):
        census(M0, types=4)
    with pytest.raises(HandError, match="needs 13 terminals"):
        census(M0, forms=THREE)
    other = TileSet("other", (*M0.suits[:2], Suit("s", "bamboos", tuple(range(1, 10)), False)))
    with pytest.raises(HandError, match="expected M0, FULL or SANMA"):
        census(other)


# Forms of any parts

SMALL_JOKERS = """
name = "small-jokers"
size = 5
[tiles]
suits = "de"
honours = 2
without = "456789d456789e"
[jokers]
kinds = "3e2z"
[[form]]
name = "melds"
melds = 1
eyes = 1
[[form]]
name = "pairs"
fixed = "1d"
pairs = 2
"""
SMALL_NAMES = ("chows_only", "distinct", "distinct_and_groups", "doubled", "knitted", "no_eye")
SMALL_RULES = {name: RuleSet.of_form(SMALL_FORMS[name]) for name in SMALL_NAMES}
SMALL_RULES["jokers"] = parse_rules(SMALL_JOKERS)


@pytest.mark.parametrize("name", SMALL_RULES)
def test_all_hands_of_small_tile_sets_are_counted(name: str) -> None:
    rules = SMALL_RULES[name]
    width = rules.tiles.num_kinds
    every = combinations_with_replacement(range(width), rules.size)
    hands = np.array([np.bincount(hand, minlength=width) for hand in every])
    hands = hands[hands.max(axis=1) <= 4]
    templates = tuple(part for form in rules.forms for part in form.templates)
    values = np.array(
        [
            least_missing(templates, rules.tiles, tuple(hand), tuple(4 - n for n in hand))
            for hand in hands.tolist()
        ]
    )
    ways = np.array([1, 4, 6, 4, 1])[hands].prod(axis=1)
    num_suits = np.sum([hands[:, part].any(axis=1) for part in rules.tiles.slices], axis=0)
    for types in (None, *range(1, len(rules.tiles.suits) + 1)):
        chosen = num_suits == types if types else np.ones(len(hands), np.bool_)
        found = take_census(rules=rules, types=types)
        assert found.counts == tuple(np.bincount(values[chosen]).tolist())
        assert found.deals == tuple(np.bincount(values[chosen], ways[chosen]).astype(int).tolist())


REFUSED = {
    "card": "card.stairs is not counted with jokers that do not stand for every tile",
    "doubled": "doubled.rows is not counted without tables, expected at most 512 classes of a suit",
    "everything": "everything is not counted with jokers that do not stand for every tile",
    "fifth": "fifth.five is not counted with jokers that stand for a fifth copy",
    "gaps": "gaps.melds is not counted with jokers that do not stand for every tile",
    "jokers_in_melds": "jokers-in-melds.melds is not counted with jokers that do not stand",
    "many_suits": "hands of 7 suits are not counted, expected at most 4",
}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_all_deals_of_strange_rules_are_counted(name: str) -> None:
    rules = get_rules(strange_rules(name)[0])
    found = take_census(rules=rules)
    assert found.num_deals == comb(rules.tiles.num_tiles, rules.size)


@pytest.mark.parametrize("name", REFUSED)
def test_forms_without_tables_are_refused_by_name(name: str) -> None:
    with pytest.raises(HandError, match=f"^census: {REFUSED[name]}"):
        take_census(rules=strange_rules(name)[0])


def test_other_forms_of_refused_rules_are_counted() -> None:
    rules = get_rules(strange_rules("doubled")[0])
    found = take_census(rules=rules, forms=rules.forms[0])
    assert found.num_deals == comb(108, 11)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("MOST_JOINS", "pairs of classes of two suits"),
        ("MOST_ROWS", "classes of two suits together"),
        ("MOST_PAIRS", "pairs of classes of two halves of a hand"),
    ],
)
def test_limits_are_named(limit: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deficiency_counts, limit, 10)
    monkeypatch.setattr(deficiency_counts, "_MERGED", 0)
    hint = "count fewer forms"
    with pytest.raises(HandError, match=rf"{message}, expected at most 10; {hint} \(forms="):
        take_census(rules=SMALL_RULES["knitted"])


def test_deals_beyond_64_bits_are_exact() -> None:
    """Two suits have more than 2**63 deals of 32 tiles."""
    rules = parse_rules('name = "long"\nsize = 32\ntiles = "m0"\n[[form]]\npairs = 16\n')
    found = take_census(rules=rules)
    assert found.num_deals == comb(108, 32)
    assert found.counts[0] == comb(27, 16)


def test_sample_of_sichuan_agrees_with_the_census() -> None:
    rng = np.random.default_rng(3)
    draws = rng.random((50_000, 108)).argpartition(14, axis=1)[:, :14] // 4
    rows = np.zeros((len(draws), 27), np.uint8)
    np.add.at(rows, (np.arange(len(draws))[:, None], draws), 1)
    found = take_census(rules="sichuan")
    seen = np.bincount(label(rows, rules="sichuan"), minlength=len(found.deals)) / len(rows)
    assert found.num_deals == comb(108, 14)
    for share, deals in zip(seen, found.deals, strict=True):
        exact = deals / found.num_deals
        assert abs(share - exact) < 4 * (exact * (1 - exact) / len(rows)) ** 0.5 + 1e-5


def test_counts_do_not_depend_on_the_size_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = take_census(rules=SMALL_RULES["jokers"])
    for name in ("_PART", "_MERGED", "_CELLS"):
        monkeypatch.setattr(deficiency_counts, name, 5)
    assert take_census(rules=SMALL_RULES["jokers"]) == expected
