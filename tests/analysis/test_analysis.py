"""Useful tiles, discards and targets against brute force by definition."""

import random

import numpy as np
import pytest
from helpers.support import AWKWARD, deal, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, TILE_SETS, UNREACHABLE, Hand, discards, targets, useful_tiles
from mjopt.analysis.useful_tiles import helpful_copies
from mjopt.errors import HandError
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.tiles import TileSet
from mjopt.models import brute_force
from mjopt.tables import label_limited

FORMS = [("standard",), ("standard", "seven_pairs"), ("seven_pairs",)]


def after_draw(hand: Hand, unseen: tuple[int, ...], kind: int) -> tuple[Hand, tuple[int, ...]]:
    counts = [c + (k == kind) for k, c in enumerate(hand.counts)]
    return hand.with_counts(counts), tuple(c - (k == kind) for k, c in enumerate(unseen))


@settings(max_examples=8)
@given(data=st.data())
def test_useful_tiles_match_brute_force(data: st.DataObject) -> None:
    hand = data.draw(hands())
    if hand.is_full:
        counts = list(hand.counts)
        counts[next(k for k, c in enumerate(counts) if c)] -= 1
        hand = hand.with_counts(counts)
    unseen = data.draw(limits(hand)) or hand.unseen
    unseen = tuple(map(min, unseen, hand.unseen))
    forms = data.draw(st.sampled_from(FORMS))
    found = useful_tiles(hand, unseen=unseen, forms=forms)
    assert found.deficiency == brute_force.deficiency(hand, unseen=unseen, forms=forms)
    expected = []
    for kind, copies in enumerate(unseen):
        if copies and found.deficiency != UNREACHABLE:
            drawn, left = after_draw(hand, unseen, kind)
            after = brute_force.deficiency(drawn, unseen=left, forms=forms)
            if after < found.deficiency:
                expected.append((kind, copies))
    assert list(found.copies) == expected


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_useful_tiles_match_the_tables(tiles: TileSet) -> None:
    """The network and the rule of each form agree with a table look-up of every draw."""
    rng = random.Random(tiles.num_kinds)
    every = check_forms("all", tiles)
    pairs = [tiles.num_kinds * [0] for _ in range(3)]
    for counts in pairs:
        for kind in rng.sample(range(tiles.num_kinds), 7):
            counts[kind] += 2
        counts[counts.index(2)] -= 1
    hands = [deal(rng, tiles, size=13) for _ in range(20)]
    hands += [deal(rng, tiles, size=13, num_kinds=9) for _ in range(8)]
    hands += [Hand.from_counts(counts, tiles=tiles) for counts in pairs]
    for _ in range(2):
        for forms in (every, *((form,) for form in every)):
            unseen = [tuple(rng.randint(0, left) for left in hand.unseen) for hand in hands]
            found = helpful_copies(hands, unseen, forms)
            for hand, left, (value, copies) in zip(hands, unseen, found, strict=True):
                kinds = [kind for kind, number in enumerate(left) if number]
                after = [after_draw(hand, left, kind) for kind in kinds]
                rows = [hand.counts, *(drawn.counts for drawn, _ in after)]
                labels = label_limited(
                    rows,
                    [left, *(rest for _, rest in after)],
                    forms=forms,
                    tiles=tiles,
                    partial=True,
                ).tolist()
                assert value == labels[0]
                assert copies == tuple(
                    (kind, left[kind])
                    for kind, label in zip(kinds, labels[1:], strict=True)
                    if label < value
                )


@pytest.mark.parametrize("seed", range(4))
def test_discards_match_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    called = seed % 2
    hand = deal(rng, (M0, FULL)[seed % 2], size=14 - 3 * called, called=called)
    unseen = hand.unseen
    found = discards(hand)
    assert [d.kind for d in sorted(found, key=lambda d: d.kind)] == [
        k for k, c in enumerate(hand.counts) if c
    ]
    for discard in found:
        counts = [c - (k == discard.kind) for k, c in enumerate(hand.counts)]
        after = hand.with_counts(counts)
        value = brute_force.deficiency(after, unseen=unseen)
        assert discard.deficiency == value
        for kind, copies in discard.after.copies:
            drawn, left = after_draw(after, unseen, kind)
            assert copies == unseen[kind] > 0
            assert brute_force.deficiency(drawn, unseen=left) == value - 1
    order = [(d.deficiency, -d.after.num_copies, d.kind) for d in found]
    assert order == sorted(order)


def test_discarded_copy_is_not_unseen() -> None:
    """After a discard of 1m from 11m, one copy fewer of 1m remains for the wait."""
    hand = Hand.parse("11m", called=4)
    [only] = discards(hand)
    assert only.after.copies == ((0, 2),)


def test_dead_wait_is_described() -> None:
    hand = Hand.parse("123456m789p1146s", tiles=FULL)
    alive = useful_tiles(hand)
    assert (alive.words, alive.num_copies) == ("ready", 4)
    gone = list(hand.unseen)
    gone[22] = 0  # 5s
    dead = useful_tiles(hand, unseen=gone)
    assert dead.is_dead_wait
    assert "ready in shape, but nothing it waits for is left" in dead.words
    nothing = useful_tiles(hand, unseen=[0] * 34)
    assert nothing.words == "cannot win with the tiles that are left"
    assert nothing.copies == ()


def test_fifth_copy_is_not_a_wait() -> None:
    hand = Hand.parse("1112223334444z", tiles=FULL)
    found = useful_tiles(hand)
    assert found.deficiency == 2
    assert not found.is_dead_wait


def test_improving_draws_match_brute_force() -> None:
    hand = Hand.parse("4569m13445788p2s4z", tiles=FULL)
    best = discards(hand, improving=True)[0]
    assert best.improving
    for kind, copies, number in best.improving:
        assert copies == hand.unseen[kind]
        drawn, left = after_draw(best.after.hand, hand.unseen, kind)
        wider = [
            d
            for d in discards(drawn, unseen=left)
            if d.deficiency == best.deficiency and d.kind != kind
        ]
        assert max(d.after.num_copies for d in wider) == number > best.after.num_copies


@settings(max_examples=25)
@given(data=st.data())
def test_targets_are_all_nearest_complete_hands(data: st.DataObject) -> None:
    called = data.draw(st.integers(2, 4))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    hand = deal(rng, M0, size=14 - 3 * called - rng.randint(0, 1), called=called)
    unseen = data.draw(limits(hand)) or hand.unseen
    found = targets(hand, unseen=unseen)
    expected = set()
    for chunk in brute_force.complete_hands(M0, called=called):
        draws = np.maximum(chunk - np.array(hand.counts, dtype=np.int8), 0)
        can_arrive = (draws <= np.array(found.unseen, dtype=np.int8)).all(axis=1)
        is_nearest = draws.sum(axis=1) == found.deficiency
        expected.update(map(tuple, chunk[can_arrive & is_nearest].tolist()))
    listed = list(found)
    assert len(set(listed)) == len(listed) == found.number
    assert set(listed) == expected


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_targets_of_awkward_hands_match_brute_force(known: object) -> None:
    hand = known.hand  # type: ignore[attr-defined]
    found = targets(hand, forms=("standard", "seven_pairs"))
    for target in found:
        draws = [max(0, w - h) for w, h in zip(target, hand.counts, strict=True)]
        assert sum(draws) == found.deficiency
    assert found.number == sum(1 for _ in found)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("19m19p19s1234567z", {}),  # any pair
        ("19m19p19s1234567z", {"1m": 0, "9m": 0}),  # any pair but these two
        ("119m19p19s123456z", {}),  # the pair is held
        ("1119m1119p19s123z", {}),  # two pairs are held
        ("2345678m2345678p", {"1p": 1}),  # nothing is held, and one kind is no pair
    ],
)
def test_targets_of_thirteen_orphans_match_enumeration(text: str, left: dict[str, int]) -> None:
    hand = Hand.parse(text, tiles=FULL)
    unseen = [left.get(name, u) for name, u in zip(FULL.names, hand.unseen, strict=True)]
    single = Hand.parse("19m19p19s1234567z", tiles=FULL).counts
    draws = {}
    for pair in np.flatnonzero(single):
        target = tuple(copies + (kind == pair) for kind, copies in enumerate(single))
        needed = [max(0, t - h) for t, h in zip(target, hand.counts, strict=True)]
        if all(n <= u for n, u in zip(needed, unseen, strict=True)):
            draws[target] = sum(needed)
    least = min(draws.values())
    found = targets(hand, unseen=unseen, forms=("thirteen_orphans",))
    assert found.deficiency == least
    assert sorted(found) == sorted(target for target in draws if draws[target] == least)
    assert found.number == sum(number == least for number in draws.values())


def test_pairs_of_the_only_seven_kinds_are_the_target():
    hand = Hand.parse("1122334455667m9p", tiles=M0, partial=True)
    unseen = [int(kind == 6) for kind in range(M0.num_kinds)]
    assert list(targets(hand, unseen=unseen, forms=("seven_pairs",))) == [
        Hand.parse("11223344556677m", tiles=M0).counts
    ]


def test_pairs_of_the_highest_price_are_chosen_among_possible_ones():
    """Six pairs are held or need one tile; the seventh is one of three kinds that need two."""
    hand = Hand.parse("11223344m35p", tiles=M0, partial=True)
    unseen = [0] * M0.num_kinds
    for name, copies in (("3p", 1), ("5p", 1), ("7m", 2), ("1s", 3), ("9s", 4), ("5s", 1)):
        unseen[M0.names.index(name)] = copies
    found = targets(hand, unseen=unseen, forms=("seven_pairs",))
    expected = [
        Hand.parse(f"11223344m{pairs}", tiles=M0).counts
        for pairs in ("77m3355p", "3355p11s", "3355p99s")
    ]
    assert (found.deficiency, found.number) == (4, 3)
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("112233445566m1p", {"112233445566m11p": ("standard", "seven_pairs")}),
        (
            "11223344556m17p",
            {
                "112233445566m11p": ("standard", "seven_pairs"),
                "112233445566m77p": ("standard", "seven_pairs"),
                "11223344556m177p": (),
                "1122334455m1177p": ("seven_pairs",),
            },
        ),
    ],
)
def test_target_of_several_forms_is_listed_once(
    text: str, expected: dict[str, tuple[str, ...]]
) -> None:
    hand = Hand.parse(text, tiles=FULL)
    found = targets(hand, forms=("standard", "seven_pairs", "thirteen_orphans"))
    listed = list(found)
    assert len(set(listed)) == len(listed) == found.number
    assert set(listed) == {target for form in found.forms for target in found.of(form)}
    for target in listed:
        known = tuple(form.name for form in found.forms if target in set(found.of(form)))
        assert found.forms_of(target) == known
    for target, forms in expected.items():
        assert found.forms_of(Hand.parse(target, tiles=FULL, partial=True).counts) == forms


def test_targets_are_generated_lazily() -> None:
    hand = Hand.parse("147m258p369s12345z", tiles=FULL)
    found = targets(hand)
    assert found.number > 300_000
    assert next(iter(found))


def test_wrong_hand_size_is_refused() -> None:
    with pytest.raises(HandError, match="expected 13 before the draw; mjopt.discards answers"):
        useful_tiles(Hand.parse("1112345678999m1p"))
    with pytest.raises(HandError, match="expected a hand after its draw"):
        discards(Hand.parse("1112345678999m"))


@pytest.mark.parametrize(
    ("text", "called", "form"),
    [
        ("13m24p", 3, "half-flush"),
        ("147m258p369s1123z", 0, "mcr.knitted_straight"),
        ("1m1p1z1z", 3, "full-flush"),
    ],
)
def test_targets_of_every_template_are_listed(text: str, called: int, form: str) -> None:
    found = targets(Hand.parse(text, called=called, tiles=FULL), forms=form)
    listed = list(found)
    assert len(set(listed)) == len(listed) == found.number > 1
