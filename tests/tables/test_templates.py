"""Labels for any template: plain Python, tables, columns and the dynamic program agree."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from helpers.small_forms import TEMPLATE_KINDS, literal_deficiency, random_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, census, discards_many, label, useful_tiles_many
from mjopt._internal.jit import compile_always
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.rule_file import get_rules, parse_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import TileSet
from mjopt.tables.suits.template_cost import least_missing

NUM_CASES = 8  # of each kind of template
SHIPPED = ("taiwan", "half-flush", "full-flush", "sichuan", "mcr")
LAIZI = """
name = "laizi"
tiles = "136"
[jokers]
kinds = "5z"
[[form]]
melds = 4
eyes = 1
"""
CARD = """
name = "card"
tiles = "136"
[jokers]
kinds = "7z"
least = 3
[[form]]
name = "one"
fixed = "111a 3333a 22b 44b 555z"
[[form]]
name = "two"
fixed = "11a"
melds = 3
chows = false
distinct = 3
of = "1234z"
"""


def rules_of(template: Template, tiles: TileSet) -> RuleSet:
    return RuleSet.of_form(WinningForm("tested", tiles, (template,)))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("kind", TEMPLATE_KINDS)
def test_labels_are_those_of_brute_force(kind: str, compiled: bool) -> None:
    for template, tiles, rows, unseen, called in random_cases(
        TEMPLATE_KINDS.index(kind), NUM_CASES, kind
    ):
        rules = rules_of(template, tiles)
        if called > rules.most_called:
            continue
        for left in (None, unseen, unseen[0]):
            every = np.broadcast_to(4 - rows if left is None else left, rows.shape)
            expected = [
                literal_deficiency(
                    [template], tiles, row.tolist(), np.minimum(copies, 4 - row).tolist(), called
                )
                for row, copies in zip(rows, every, strict=True)
            ]
            with compile_always(compiled):
                found = label(rows, rules=rules, unseen=left, called=called)
            assert found.tolist() == expected, (template, rows.tolist(), left)


@pytest.mark.parametrize("kind", ["melds eyes", "melds eyes fixed joker", "distinct fixed"])
def test_useful_tiles_and_discards_are_those_of_brute_force(kind: str) -> None:
    for template, tiles, rows, unseen, called in random_cases(90, 6, kind):
        rules, size = rules_of(template, tiles), template.num_tiles - 3 * called

        def value(
            counts: np.ndarray,
            left: np.ndarray,
            template: Template = template,
            tiles: TileSet = tiles,
            called: int = called,
        ) -> int:
            return literal_deficiency([template], tiles, counts.tolist(), left.tolist(), called)

        if rows[0].sum() == size - 1:
            for left in (4 - rows, unseen):
                found = useful_tiles_many(rows, rules=rules, called=called, unseen=left)
                for row, copies, useful in zip(rows, left, found.useful, strict=True):
                    least = value(row, copies)
                    for k in range(tiles.num_kinds):
                        step = np.eye(tiles.num_kinds, dtype=int)[k]
                        is_lower = copies[k] > 0 and value(row + step, copies - step) < least
                        assert useful[k] == is_lower
            plain = useful_tiles_many(rows, rules=rules, called=called)
            limited = useful_tiles_many(rows, rules=rules, called=called, unseen=4 - rows)
            assert (plain.useful == limited.useful).all()
            continue
        plain = discards_many(rows, rules=rules, called=called)
        limited = discards_many(rows, rules=rules, called=called, unseen=4 - rows)
        assert (plain.deficiency == limited.deficiency).all()
        assert (plain.num_copies == limited.num_copies).all()
        for place, row in enumerate(rows):
            for k in np.flatnonzero(row):
                step = np.eye(tiles.num_kinds, dtype=int)[k]
                assert plain.deficiency[place, k] == value(row - step, 4 - row)


@st.composite
def hands(draw: st.DrawFn) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Draw a shipped rule set, a hand of few kinds, and unseen copies."""
    name = draw(st.sampled_from(SHIPPED))
    rules = get_rules(name)
    kinds = rules.tiles.num_kinds
    few = draw(st.lists(st.integers(0, kinds - 1), min_size=8, max_size=14, unique=True))
    size = rules.size - draw(st.sampled_from([0, 1]))
    tiles = draw(st.permutations(np.repeat(few, 4).tolist()))[:size]
    counts = np.bincount(tiles, minlength=kinds)
    left = np.array(draw(st.lists(st.integers(0, 4), min_size=kinds, max_size=kinds)))
    return name, tuple(counts.tolist()), tuple(np.minimum(left, 4 - counts).tolist())


@given(drawn=hands())
@settings(max_examples=25)
def test_shipped_rules_agree_with_plain_python(
    drawn: tuple[str, tuple[int, ...], tuple[int, ...]],
) -> None:
    name, counts, left = drawn
    rules = get_rules(name)
    templates = [t for form in rules.forms for t in form.templates]
    for unseen in (None, left):
        copies = tuple(4 - n for n in counts) if unseen is None else unseen
        expected = least_missing(templates, rules.tiles, counts, copies)
        with compile_always():
            assert label([counts], rules=rules, unseen=unseen).item() == expected


@pytest.mark.parametrize("text", [LAIZI, CARD])
def test_jokers_agree_with_plain_python(text: str) -> None:
    rules = parse_rules(text)
    templates = [t for form in rules.forms for t in form.templates]
    rng = np.random.default_rng(3)
    pool = np.repeat(np.arange(34), 4)
    rows = np.zeros((5, 34), np.uint8)
    for row in rows:
        row[rules.jokers[0]] = 2
        np.add.at(row, rng.permutation(pool[pool < 20])[: rules.size - 2], 1)
    for unseen in (4 - rows, np.minimum(rng.integers(0, 3, rows.shape), 4 - rows)):
        expected = [
            least_missing(templates, FULL, tuple(row), tuple(left))
            for row, left in zip(rows.tolist(), unseen.tolist(), strict=True)
        ]
        with compile_always():
            assert label(rows, rules=rules, unseen=unseen).tolist() == expected
            if (unseen == 4 - rows).all():
                assert label(rows, rules=rules).tolist() == expected


def test_a_joker_completes_an_eye() -> None:
    rules = parse_rules(LAIZI)
    assert label(["123456789m1122s5z", "123456789m1123s5z"], rules=rules).tolist() == [0, 0]
    assert label(["1111m456789p12s15z", "147m258p369s12345z"], rules=rules).tolist() == [1, 8]


def test_called_melds_differ_by_row() -> None:
    rows = np.zeros((3, 34), np.uint8)
    rows[0, :9] = 1
    rows[0, 9:15] = 1
    rows[0, 15] = 2
    rows[1, 9:13] = 1
    rows[1, 20] = 1
    rows[2, 33] = 2
    called = np.array([0, 4, 5])
    assert label(rows, rules="taiwan", called=called).tolist() == [0, 1, 0]


def test_forms_without_melds_are_unreachable_after_a_call() -> None:
    hand = [2, 1] + [0] * 31 + [1]
    forms = "mcr.honours_and_knitted"
    assert label([hand], called=3, forms=forms, partial=True).tolist() == [UNREACHABLE]


def test_classic_and_other_forms_mix() -> None:
    texts = ["147m258p369s11222z", "1122334455667m1z", "1112345678999m1p", "19m19p19s12345677z"]
    every = label(texts, forms="mcr")
    parts = [label(texts, forms=form) for form in get_rules("mcr").forms]
    assert every.tolist() == np.min(parts, axis=0).tolist() == [0, 1, 1, 0]


def test_any_tile_set_has_labels() -> None:
    text = """
    name = "long"
    size = 5
    [tiles]
    suits = "mps"
    honours = 3
    jokers = 1
    without = "5m"
    [jokers]
    kinds = "1j"
    [[form]]
    melds = 1
    eyes = 1
    """
    rules = parse_rules(text)
    for compiled in (False, True):
        with compile_always(compiled):
            assert label(["46m11z1j", "46m11z1p", "12m1j23z"], rules=rules).tolist() == [1, 2, 1]


def test_threads_and_types_give_the_same_labels() -> None:
    rng = np.random.default_rng(8)
    rows = np.zeros((40_000, 34), np.uint8)
    order = rng.random((len(rows), 136)).argpartition(17, axis=1)[:, :17]
    np.add.at(rows, (np.arange(len(rows))[:, None], order // 4), 1)
    expected = label(rows, rules="taiwan")
    assert (label(rows.astype(np.int64), rules="taiwan", threads=2) == expected).all()
    assert (label(rows[:100], rules="taiwan") == expected[:100]).all()
    assert (label(rows[:5], rules="taiwan") == expected[:5]).all()
    rows[30_000, :2] += 1
    with pytest.raises(MjoptError, match="row 30000: "):
        label(rows, rules="taiwan", threads=2)


@pytest.mark.parametrize(
    ("rows", "arguments", "error", "message"),
    [
        ([[1] * 34], {"rules": "taiwan"}, HandError, "row 0: 34 tiles, expected 17 or 16"),
        ([[5] * 34], {"rules": "taiwan"}, TileError, "row 0: 5 copies of 1m"),
        ([[0] * 34], {"rules": "taiwan", "called": 6}, HandError, r"6 called melds, .* 0\.\.5"),
        ([[0] * 34], {"forms": "taiwan"}, HandError, "hands of 17 tiles, but this one is of 14"),
        ([[0] * 27], {"rules": "taiwan"}, TileError, r"expected integers of shape \(N, 34\)"),
        ([[0] * 27], {"rules": "taiwan", "tiles": M0}, TileError, "rules taiwan are about FULL"),
        ([[0] * 27], {"forms": "mcr"}, HandError, "hands of FULL, but this one is of M0"),
        ([[0] * 34], {"rules": "tokyo"}, HandError, "rules 'tokyo': unknown"),
        ([[1] * 34], {"forms": "mcr.knitted_straight"}, HandError, "row 0: 34 tiles"),
        ([[1] * 34], {"forms": "half-flush"}, HandError, "row 0: 34 tiles, expected 14 or 13"),
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_wrong_rows_are_one_line(
    rows: list[list[int]],
    arguments: dict[str, object],
    error: type[MjoptError],
    message: str,
    compiled: bool,
) -> None:
    with compile_always(compiled), pytest.raises(error, match=message):
        label(rows, **arguments)  # type: ignore[arg-type]


def test_census_counts_the_labels_of_all_hands() -> None:
    text = """
    name = "few"
    size = 5
    [tiles]
    suits = "mps"
    honours = 2
    without = "56789m56789p1234789s"
    [[form]]
    name = "one"
    kinds = "1234m12z"
    melds = 1
    eyes = 1
    [[form]]
    name = "two"
    fixed = "12m"
    melds = 1
    """
    rules = parse_rules(text)
    kinds = rules.tiles.num_kinds
    every = combinations_with_replacement(range(kinds), 5)
    rows = np.array([np.bincount(hand, minlength=kinds) for hand in every], np.uint8)
    rows = rows[rows.max(axis=1) < 5]
    ways = np.array([1, 4, 6, 4, 1])[rows].prod(axis=1)
    labels = label(rows, rules=rules)
    for types in (None, 2):
        is_counted = np.ones(len(rows), np.bool_)
        if types:
            suits = [rows[:, part].any(axis=1) for part in rules.tiles.slices]
            is_counted = np.sum(suits, axis=0) == types
        found = census(rules=rules, types=types)
        assert found.counts == tuple(np.bincount(labels[is_counted]).tolist())
        assert found.deals == tuple(np.bincount(labels[is_counted], ways[is_counted]).astype(int))


def test_census_of_taiwan_counts_all_deals() -> None:
    found = census(rules="taiwan")
    assert found.num_deals == comb(136, 17)
    assert found.size == 17
