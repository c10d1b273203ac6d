import numpy as np
import pytest
from helpers.support import AWKWARD, hands
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.tiles import M0, Suit, TileSet
from mjopt.heuristics import (
    NEVER,
    Recursive,
    StopReason,
    deficiency_levels,
    evaluations,
    reached,
    run,
    run_batch,
    seconds,
)
from mjopt.models import brute_force
from mjopt.tables.suits.state_index import one_type_counts

ONE_SUIT = TileSet("one suit", M0.suits[:1])
TWO_SUITS = TileSet(
    "two small suits",
    (Suit("m", "characters", (1, 2, 3, 4)), Suit("z", "honours", (1, 2), has_chows=False)),
)


def in_m0(counts: np.ndarray) -> np.ndarray:
    return np.pad(counts, ((0, 0), (0, 18)))


def test_levels_of_one_suit_equal_the_tables() -> None:
    counts = one_type_counts()
    levels = deficiency_levels(ONE_SUIT)
    assert (levels.levels == mjopt.label(in_m0(counts))).all()
    assert (levels.look_up(counts[::-1]) == levels.levels[::-1]).all()
    assert levels.counts == (13_259, 91_065, 14_386, 90)
    with pytest.raises(ValueError, match="read-only"):
        levels.levels[0] = 1


@pytest.mark.parametrize("called", [0, 2, 3, 4])
def test_levels_of_two_small_suits_equal_brute_force(called: int) -> None:
    counts = one_type_counts(14 - 3 * called, TWO_SUITS.num_kinds)
    levels = deficiency_levels(TWO_SUITS, called=called)
    for row, level in zip(counts[::17].tolist(), levels.levels[::17].tolist(), strict=True):
        hand = Hand.from_counts(row, tiles=TWO_SUITS, called=called)
        assert brute_force.deficiency(hand) == level, row


@pytest.mark.parametrize("called", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_levels_of_two_whole_suits_equal_the_tables(called: int) -> None:
    melds = 4 - called
    size = 3 * melds + 2
    rules = parse_rules(
        f'name = "two"\ntiles = {{ suits = "mp" }}\nsize = {size}\n'
        f"[[form]]\nmelds = {melds}\neyes = 1"
    )
    levels = deficiency_levels(rules.tiles, called=called)
    assert levels.counts == mjopt.census(rules=rules).counts
    number = 0
    for tiles in range(size + 1):
        firsts, others = one_type_counts(tiles), one_type_counts(size - tiles)
        for some in np.array_split(firsts, len(firsts) // 100 + 1):
            left, right = np.repeat(some, len(others), axis=0), np.tile(others, (len(some), 1))
            rows = np.hstack([left, right])
            # Tiles of the third suit, which these tables may draw, never help.
            table = mjopt.label(np.hstack([rows, np.zeros_like(left)]), called=called)
            assert (levels.look_up(rows) == table).all()
            number += len(rows)
    assert number == len(levels.levels)


def test_hands_that_cannot_be_completed_have_no_level() -> None:
    honours = TileSet("winds", (Suit("z", "honours", (1, 2, 3, 4), has_chows=False),))
    levels = deficiency_levels(honours)  # five parts of four kinds
    assert set(levels.levels.tolist()) == {UNREACHABLE}
    assert levels.counts == ()
    hand = Hand.from_counts([4, 4, 4, 2], tiles=honours)
    with pytest.raises(ArgumentError, match="no unseen tiles complete"):
        run("recursive", hand, rng=1)
    with pytest.raises(ArgumentError, match="no unseen tiles complete"):
        batch([[4, 4, 4, 2]], tiles=honours)


def batch(counts: object, *, tiles: TileSet = M0, **parameters: object) -> mjopt.heuristics.Batch:
    rows = np.array(counts)
    method = Recursive(**parameters)  # type: ignore[arg-type]
    return run_batch(
        method, rows, seed=0, method="m", hand_numbers=np.arange(len(rows)), run=0, tiles=tiles
    )


@pytest.mark.slow
def test_every_hand_of_one_suit_is_exact() -> None:
    found = batch(in_m0(one_type_counts()))
    assert np.bincount(found.value).tolist() == [13_259, 91_065, 14_386, 90]
    assert (found.value == mjopt.label(in_m0(one_type_counts()))).all()
    assert (found.stopped == StopReason.EXHAUSTED).all()


def test_dealt_hands_are_exact() -> None:
    counts = np.array([deal_counts(seed) for seed in range(50)])
    truth = mjopt.label(counts)
    near = counts[truth < 4]
    found = batch(near, max_hands=1_000_000)
    assert (found.value == truth[truth < 4]).all()


def deal_counts(seed: int) -> np.ndarray:
    wall = np.random.default_rng(seed).permutation(np.repeat(np.arange(27), 4))
    return np.bincount(wall[:14], minlength=27)


@pytest.mark.parametrize("stop_at_target", [False, True])
def test_a_batch_equals_single_searches(stop_at_target: bool) -> None:
    """Hands that are found and one that is not, targets reached at once, later and never."""
    texts = ("123m456m789m12399p", "1123m456m789m239p1s", "147m258p369s12345m")
    rows = [Hand.parse(text).counts for text in texts for _ in range(11)]
    targets = [*range(-1, 10)] * len(texts)
    found = run_batch(
        Recursive(max_hands=2_000), rows, seed=0, method="m", hand_numbers=range(len(rows)), run=0,
        targets=targets, stop_at_target=stop_at_target, history=True,
    )  # fmt: skip
    assert found.history is not None
    for i, (row, target) in enumerate(zip(rows, targets, strict=True)):
        stop = reached(target) if stop_at_target and target >= 0 else NEVER
        one = run(
            "recursive", Hand.from_counts(row), rng=1, max_hands=2_000, stop=stop, target=target
        )
        hit = -1 if one.hit_evaluations is None else one.hit_evaluations
        assert found.value[i] == one.value == found.history[i, 0]
        assert found.evaluations[i] == one.evaluations
        assert (found.hit_evaluations[i], found.hit_generation[i]) == (hit, min(hit, 0))
        assert found.stopped[i] == one.stopped


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_awkward_hands(known: object) -> None:
    if known.deficiency < 4:
        assert run("recursive", known.hand, rng=1).value == known.deficiency


@given(st.data())
@settings(max_examples=150)
def test_the_value_is_the_deficiency_or_unknown(data: st.DataObject) -> None:
    hand = data.draw(hands())
    result = run("recursive", hand, rng=1, max_hands=5_000)
    if result.completes:
        assert result.value == brute_force.deficiency(hand)
        assert result.stopped is StopReason.EXHAUSTED
    else:
        assert result.evaluations == 5_000
        assert result.stopped is StopReason.EVALUATIONS
        assert not result.predecomposition.pieces


def test_limits() -> None:
    hand = Hand.parse("B3333C222267D7777", notation="paper")
    whole = run("recursive", hand, rng=1)
    assert (whole.value, whole.stopped, whole.completes) == (3, StopReason.EXHAUSTED, True)
    number = whole.evaluations
    assert run("recursive", hand, rng=1, max_hands=number) == whole
    assert run("recursive", hand, rng=1, stop=evaluations(number)) == whole
    assert run("recursive", hand, rng=1, stop=seconds(3600)) == whole
    cut = run("recursive", hand, rng=1, stop=evaluations(number - 1))
    assert (cut.value, cut.stopped, cut.completes) == (9, StopReason.EVALUATIONS, False)
    out_of_time = run("recursive", "147m258p369s12345z", rng=1, stop=seconds(1e-9))
    assert (out_of_time.value, out_of_time.stopped) == (9, StopReason.SECONDS)
    near = run("recursive", hand, rng=1, stop=reached(3), target=3)
    assert (near.stopped, near.hit_evaluations) == (StopReason.REACHED, number)
    assert run("recursive", hand, rng=1, stop=reached(9)).evaluations == 1


def test_bad_input_is_refused() -> None:
    with pytest.raises(ArgumentError, match="max_hands = 0"):
        Recursive(max_hands=0)
    with pytest.raises(ArgumentError, match="21,310,147,575 hands"):
        deficiency_levels("m0")
    levels = deficiency_levels(ONE_SUIT, called=3)
    with pytest.raises(HandError, match="row 1.*5 tiles"):
        levels.look_up([[2, 3, 0, 0, 0, 0, 0, 0, 0], [1] * 9])
    with pytest.raises(HandError, match="5 tiles"):
        levels.look_up([[5, 0, 0, 0, 0, 0, 0, 0, 0]])
    with pytest.raises(ArgumentError, match="shape"):
        levels.look_up([2, 3, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(ArgumentError, match="counts"):
        levels.look_up([["a"] * 9])
