"""Draws of any winning form, against stored counts and against all subsets of small walls."""

import hashlib
import random
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from helpers.small_forms import SMALL_FORMS, deal_hand, literal_deficiency, random_template
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import FULL, Hand
from mjopt._internal.jit import compile_always
from mjopt.analysis.discard import after_discards
from mjopt.chances.draws.incomplete_counts import Setting, count_incomplete, incomplete_means
from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import Suit, TileSet
from mjopt.models.shortest_path import distances

# SHA-256 of the counts of `stored_hands`, by two other methods: an automaton of the standard form
# and seven pairs, with thirteen orphans by inclusion and exclusion; and fronts of parts.
STORED = {
    "basic": "70c169e05788a9f8a2905e6b6aea2c49ac0fcb59ee027a049a1d19e9b564c978",
    "riichi": "3da7a39790a904507af01a4ef2d9d977c334dc5de449b3e2d1469255dc13da71",
    "sanma": "a57ff65f74b85988862d32efd575c2973490b56e41952ab0b445886c1016e82f",
    "taiwan": "6b57260e52f22c0657aacb58751fc2078f9f982885dc36e7f637c557593e6fa3",
    "sichuan": "7a07560c37d7aa7fbbc261825a6e3a72d4d62a72a966ec28ce3975b022805cdd",
    "half-flush": "2358b9552372b997cc83e9847af302f8a0844124dcd041de65b0187dbaf64881",
    "full-flush": "7d5456055eec07c32a0fb8595ee9642007820b702dfa9ae79b5096bd3df30ec9",
    "mcr": "9ebfa888c2725307622cdc3af3ddcc0ee93afac0df34e0eda3ef57c09e1e92ef",
}


def stored_hands(name: str) -> list[tuple[HandQuery, tuple[tuple[int, ...], ...]]]:
    """Return hands with walls, complete but for a tile and after a draw with all discards."""
    rules, found = mjopt.get_rules(name), []
    rng = np.random.default_rng(len(name))
    for number in range(3):
        called = number if name in ("basic", "riichi", "taiwan", "mcr") else 0
        dealt = rng.permutation(np.repeat(np.arange(rules.tiles.num_kinds), 4))
        size = rules.size - 3 * called - (number < 2)
        counts, wall = (
            np.bincount(part, minlength=rules.tiles.num_kinds).tolist()
            for part in (dealt[:size], dealt[30 : 60 + 20 * (name != "mcr")])
        )
        hand = Hand.from_counts(counts, rules=rules, called=called)
        others = tuple(after.counts for after in after_discards(hand).values())
        found.append((HandQuery(hand, None, wall, general=True), others if number == 2 else ()))
    return found


@pytest.mark.parametrize("name", STORED)
def test_stored_counts(name: str) -> None:
    counts = [count_incomplete(*hand) for hand in stored_hands(name)]
    assert hashlib.sha256(repr(counts).encode()).hexdigest() == STORED[name]


def incomplete_by_all_subsets(hand: Hand, forms, wall):
    """Count the draws that leave a hand incomplete, each judged by the shortest path."""
    incomplete = [0] * (sum(wall) + 1)
    for drawn in product(*(range(number + 1) for number in wall)):
        held = tuple(min(4, a + b) for a, b in zip(hand.counts, drawn, strict=True))
        query = HandQuery.of_checked(hand.with_checked(held), forms, (0,) * len(held))
        if min(distances(query).values()) > 0:
            incomplete[sum(drawn)] += prod(map(comb, wall, drawn))
    return incomplete


@pytest.mark.parametrize(
    ("text", "forms", "wall"),
    [
        ("123456789m123p1234s", "taiwan", "1123344s1z2z5p"),
        ("1122m1122p1122s1m", "sichuan", "12m333p123s44m"),
        ("1234567m1122334z", "half-flush", "1278m56z999p"),
        ("1234567m112233s", "full-flush", "2345m112789s"),
        ("147m258p369s1122z", "mcr.knitted_straight", "123z111m456s"),
        ("147m258p369s1122z", "mcr.honours_and_knitted", "1234567z1m"),
        ("147m258p369s1122z", "mcr.knitted_straight,mcr.honours_and_knitted", "1234567z1m"),
        # With 369p for 258p there are a pong and an eye, but 258s are missing.
        ("147m258p369s1122z", "mcr.knitted_straight", "356889p"),
        ("147m258p369s1122z", "mcr", "2z13m46s"),
        ("147m258p39s12345z", "mcr", "67z1m36s"),
        ("1133m1133p1133s1z", "mcr", "12m1p3s1z"),
        ("19m19p19s1234567z", "mcr", "1z2m14p5s"),
    ],
)
def test_new_forms_by_all_subsets_of_the_wall(text, forms, wall):
    copies = Hand.parse(wall, tiles=mjopt.get_rules(forms.split(".")[0]).tiles, partial=True).counts
    draws = mjopt.expected_draws(text, wall=copies, forms=forms)

    assert list(draws.ways) == incomplete_by_all_subsets(draws.hand, draws.forms, copies)


@pytest.mark.parametrize("seed", range(4))
def test_all_forms_of_mcr_by_all_subsets_of_random_walls(seed):
    rng = np.random.default_rng(seed)
    near = "1m 1m 2m 3m 6m 7m 8m 1p 2p 4p 5p 7p 8p 3s 6s 9s 2z 2z 3z 3z"  # all forms are near
    some = rng.permutation([FULL.names.index(name) for name in near.split()])
    called = seed % 3
    size = 13 - 3 * called
    counts, wall = (np.bincount(part, minlength=34) for part in (some[:size], some[size:][:5]))
    hand = Hand.from_counts(counts.tolist(), rules="mcr", called=called)
    draws = mjopt.expected_draws(hand, wall=wall.tolist())

    assert list(draws.ways) == incomplete_by_all_subsets(hand, draws.forms, wall.tolist())


def test_every_discard_of_mcr_is_counted_like_the_hand_after_it():
    hand = Hand.parse("1147m258p369s1123z", rules="mcr")
    wall = "12z5p6s"
    for row in mjopt.rank_discards(hand, wall=wall):
        assert row.draws == mjopt.expected_draws(row.hand, wall=wall)


def test_called_melds_count():
    near = mjopt.expected_draws(Hand.parse("123m123p1s", rules="taiwan", called=3))
    assert near.ways[1] == 136 - 7 - 3  # a draw of 1s wins

    flush = Hand.parse("2345m", rules="half-flush", melds=["111z", "222z", "789m"])
    assert mjopt.expected_draws(flush).quantile(0.1) is not None
    dead = Hand.parse("2345m", rules="half-flush", melds=["111z", "789m", "789s"])
    assert mjopt.expected_draws(dead).mean == float("inf")


def test_discards_are_ranked():
    rows = mjopt.rank_discards("147m258p369s11223z", forms="mcr.knitted_straight")
    assert FULL.names[rows[0].kind] == "3z"
    assert rows[0].mean < rows[1].mean


def incomplete_by_literal_routines(query: HandQuery) -> list[int]:
    """Count the draws that leave a hand incomplete, each judged by all choices of parts."""
    hand, wall = query.hand, query.unseen
    templates = [template for form in query.forms for template in query.templates(form)]
    nothing = (0,) * len(wall)
    incomplete = [0] * (sum(wall) + 1)
    for drawn in product(*(range(number + 1) for number in wall)):
        held = [a + b for a, b in zip(hand.counts, drawn, strict=True)]
        if literal_deficiency(templates, hand.tiles, held, nothing, hand.called) > 0:
            incomplete[sum(drawn)] += prod(map(comb, wall, drawn))
    return incomplete


def small_query(rng: random.Random, form: WinningForm) -> HandQuery:
    """Return a hand of a small form with a wall of up to seven tiles."""
    hand, _ = deal_hand(rng, form)
    wall = [0] * hand.tiles.num_kinds
    left = [kind for kind, copies in enumerate(hand.unseen) for _ in range(copies)]
    for kind in rng.sample(left, min(len(left), rng.randint(3, 7))):
        wall[kind] += 1
    return HandQuery(hand, unseen=wall, general=True)


COUNTED = [
    name
    for name, form in SMALL_FORMS.items()
    if name not in ("two_jokers", "jokers_in_threes", "fifth", "fifth_pongs", "card")
]


@pytest.mark.parametrize("name", COUNTED)
def test_small_forms_by_all_subsets_of_small_walls(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3):
        query = small_query(rng, SMALL_FORMS[name])
        expected = [incomplete_by_literal_routines(query)]
        assert count_incomplete(query) == expected
        assert count_incomplete(query, in_bulk=True) == expected


TINY = TileSet(
    "tiny", (Suit("m", "one", (1, 2, 3)), Suit("p", "two", (1, 2)), Suit("z", "z", (1, 2), False))
)
KINDS_OF_TEMPLATES = ("melds eyes", "pairs", "distinct fixed", "melds eyes fixed", "eyes fixed")
KINDS_WITH_JOKERS = ("melds eyes joker all", "distinct joker all", "fixed joker all")


@given(seed=st.integers(0, 2**32 - 1), has_jokers=st.booleans())
@settings(max_examples=20)
def test_strange_forms_by_all_subsets_of_small_walls(seed: int, has_jokers: bool) -> None:
    """Several templates that overlap, with fixed tiles, no eyes, two eyes or jokers."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(60):
        kind = rng.choice(KINDS_WITH_JOKERS if has_jokers else KINDS_OF_TEMPLATES)
        template = random_template(rng, TINY, str(kind))
        first = found[0] if found else template
        if template is not None and first is not None and len(found) < 3:
            alike = template.num_tiles == first.num_tiles and template.jokers == first.jokers
            found += [template] * (alike and template.num_tiles > 4)
    assume(found)
    form = WinningForm("strange", TINY, tuple(found))
    query = small_query(random.Random(seed), form)
    assert count_incomplete(query) == [incomplete_by_literal_routines(query)]


@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(COUNTED))
@settings(max_examples=20)
def test_discards_integers_and_kernels_count_the_same(seed: int, name: str) -> None:
    rules = RuleSet.of_form(SMALL_FORMS[name])
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(np.repeat(np.arange(rules.tiles.num_kinds), 4))
    counts = np.bincount(dealt[: rules.size], minlength=rules.tiles.num_kinds).tolist()
    hand = Hand.from_counts(counts, rules=rules)
    others = tuple(after.counts for after in after_discards(hand).values())
    setting = Setting(HandQuery(hand, general=True), others)
    found = count_incomplete(setting.query, others)
    assert count_incomplete(setting.query, others, in_bulk=True) == found
    for counts, ways in zip(others, found[1:], strict=True):
        one = HandQuery.of_checked(hand.with_checked(counts), setting.query.forms, hand.unseen)
        assert count_incomplete(one) == [ways]
    with compile_always():
        means = incomplete_means(setting)
    size = sum(hand.unseen)
    expected = [
        sum(number / comb(size, draws) for draws, number in enumerate(ways)) for ways in found
    ]
    dead = [ways[-1] == 1 for ways in found]
    np.testing.assert_allclose(means, np.where(dead, np.inf, expected), rtol=1e-9)


LAIZI = parse_rules(
    'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
)


def test_jokers_are_drawn_like_other_tiles() -> None:
    """Of three tiles of the wall, 1m and 2m do not help and the joker does."""
    hand = Hand.parse("111222333m456p1s", rules=LAIZI)
    assert mjopt.expected_draws(hand, wall="4m5z9p").ways == (1, 2, 1, 0)
    assert mjopt.expected_draws(hand, wall="4m9p").ways == (1, 2, 1)


def test_a_discarded_joker_is_gone() -> None:
    for row in mjopt.rank_discards(Hand.parse("111222333m456p1s5z", rules=LAIZI), wall="1s5z"):
        assert row.draws == mjopt.expected_draws(row.hand, wall="1s5z")


STEPS = """name = "steps"
tiles = "136"

[[form]]
name = "standard"
melds = 4
eyes = 1

[[form]]
name = "steps"
fixed = "11a22b33c"
pairs = 4
shift = true

[[form]]
name = "knitted"
distinct = 14
of = "147a258b369c1234567z"
"""
SIX_SUITS = TileSet("six", tuple(Suit(letter, letter, tuple(range(1, 10))) for letter in "abcdef"))


@pytest.mark.parametrize(
    "ask", [mjopt.expected_draws, mjopt.rank_discards, mjopt.optimal_play, mjopt.advise]
)
def test_forms_that_are_not_counted_are_refused_in_one_line(ask):
    jokers = 'name = "threes"\ntiles = "136"\n[jokers]\nkinds = "5z"\nparts = ["melds"]\n'
    rules = parse_rules(jokers + "[[form]]\nmelds = 4\neyes = 1")
    with pytest.raises(HandError, match=r"threes: .* do not stand for every tile; .*--forms"):
        ask(Hand.parse("1112345678999m1p", rules=rules))


def test_limits_name_themselves():
    hand = Hand.parse("1112345678999m1p", rules=parse_rules(STEPS))
    with pytest.raises(HandError, match=r"34,275 classes of a suit, expected at most 20,000; .*--"):
        mjopt.expected_draws(hand)
    form = WinningForm("six", SIX_SUITS, (standard_template(SIX_SUITS),))
    hand = Hand.from_counts([0] * 54, rules=RuleSet.of_form(form), partial=True)
    with pytest.raises(HandError, match=r"18 kinds of tiles in two suits, expected at most 15"):
        mjopt.expected_draws(hand)


def test_called_melds_leave_fewer_templates():
    """With three called melds, only the standard form is left of them."""
    rules, wall = parse_rules(STEPS), "123z"
    assert (
        mjopt.expected_draws(Hand.parse("123m1z", rules=rules, called=3), wall=wall).ways
        == mjopt.expected_draws(Hand.parse("123m1z", called=3), wall=wall, forms="standard").ways
    )
