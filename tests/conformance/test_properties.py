"""Changes of a hand that must preserve the deficiency or change it by one."""

import random

from helpers.support import hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import UNREACHABLE, Hand, deficiency, solve
from mjopt.hands.symmetry import canonical_counts
from mjopt.models import brute_force


def changed(hand: Hand, rng: random.Random) -> tuple[int, ...]:
    """Return the source index of each kind after random suit and rank changes."""
    source = list(range(hand.tiles.num_kinds))
    numbered = [s for s in hand.tiles.slices if s.stop - s.start == 9]
    for target, origin in zip(numbered, rng.sample(numbered, len(numbered)), strict=True):
        kinds = list(range(origin.start, origin.stop))
        source[target] = kinds[::-1] if rng.random() < 0.5 else kinds
    return tuple(source)


@settings(max_examples=120)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_permuting_suits_and_reversing_ranks_keeps_the_answer(
    data: st.DataObject, seed: int
) -> None:
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    source = changed(hand, random.Random(seed))
    twin = hand.with_counts([hand.counts[k] for k in source])
    limited = None if unseen is None else tuple(unseen[k] for k in source)
    assert deficiency(twin, unseen=limited) == deficiency(hand, unseen=unseen)
    assert canonical_counts(twin.counts, hand.tiles) == canonical_counts(hand.counts, hand.tiles)


@settings(max_examples=120)
@given(data=st.data())
def test_drawing_a_target_tile_reduces_the_deficiency_by_one(data: st.DataObject) -> None:
    """Replacing an unused tile by a missing target tile reduces the deficiency by one."""
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    answer = solve(hand, unseen=unseen)
    if answer.value in (0, UNREACHABLE):
        return
    drawn = next(k for k, copies in enumerate(answer.draws) if copies)
    counts = list(hand.counts)
    counts[drawn] += 1
    if hand.is_full:
        counts[next(k for k, copies in enumerate(answer.discards) if copies)] -= 1
    left = [u - (k == drawn) for k, u in enumerate(answer.unseen)]
    after = hand.with_counts(counts)
    assert deficiency(after, unseen=left) == answer.value - 1


@settings(max_examples=120)
@given(hand=hands(), seed=st.integers(0, 2**32))
def test_one_tile_changes_the_deficiency_by_at_most_one(hand: Hand, seed: int) -> None:
    """Adding a tile reduces the deficiency by 0 or 1; removing one raises it by 0 or 1."""
    rng = random.Random(seed)
    before = deficiency(hand)
    held = [k for k, copies in enumerate(hand.counts) if copies]
    if held:
        counts = list(hand.counts)
        counts[rng.choice(held)] -= 1
        assert 0 <= deficiency(hand.with_counts(counts)) - before <= 1
    if not hand.is_full:
        counts = list(hand.counts)
        counts[rng.choice([k for k, copies in enumerate(hand.counts) if copies < 4])] += 1
        assert 0 <= before - deficiency(hand.with_counts(counts)) <= 1


@settings(max_examples=60)
@given(data=st.data())
def test_fewer_unseen_tiles_never_help(data: st.DataObject) -> None:
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    assert brute_force.deficiency(hand, unseen=unseen) >= deficiency(hand)


@settings(max_examples=200)
@given(hand=hands())
def test_canonical_hands_keep_the_deficiency(hand: Hand) -> None:
    canonical = canonical_counts(hand.counts, hand.tiles)
    assert canonical_counts(canonical, hand.tiles) == canonical
    twin = hand.with_counts(canonical)
    assert brute_force.deficiency(twin) == brute_force.deficiency(hand)
    if hand.called == 0:
        forms = ("seven_pairs",) + ("thirteen_orphans",) * (hand.tiles.num_kinds == 34)
        assert deficiency(twin, forms=forms) == deficiency(hand, forms=forms)
