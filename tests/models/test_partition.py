"""Set partition: wins and decompositions agree with a plain recursion."""

import random
from collections import Counter

import pytest
from helpers.support import PAPER_HANDS, deal, hands
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, SOLVERS, Hand, decompositions, is_win
from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.models import brute_force
from mjopt.models.partition import Partition


def split(counts: list[int], starts: set[int], melds: int, kind: int = 0) -> set[tuple[Block, ...]]:
    """Return all decompositions into melds and at most one eye."""
    while kind < len(counts) and not counts[kind]:
        kind += 1
    if kind == len(counts):
        return {()} if melds == 0 else set()
    found: set[tuple[Block, ...]] = set()
    options = [(pong(kind), 1)]
    if kind in starts:
        options.append((chow(kind), 1))
    if sum(counts) % 3 == 2:
        options.append((eye(kind), 0))
    for block, worth in options:
        need = Counter(block.kinds)
        if worth <= melds and all(counts[k] >= n for k, n in need.items()):
            for k, n in need.items():
                counts[k] -= n
            found |= {
                tuple(sorted((block, *rest))) for rest in split(counts, starts, melds - worth, kind)
            }
            for k, n in need.items():
                counts[k] += n
    return found


def expected(hand: Hand) -> list[tuple[Block, ...]]:
    if not hand.is_full:
        return []
    return sorted(split(list(hand.counts), set(hand.tiles.chow_starts), hand.melds_needed))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("11122233344455s", 4),
        ("11112222333344m", None),
        ("11123456789999m", None),
        ("22223333444455m", None),
        ("111222333m11222p", None),
        ("19m19p19s1234567z1m", 0),
        ("11223344556677p", None),
        ("1112345678999m", 0),
    ],
)
def test_all_decompositions(text: str, number: int | None, solver: str) -> None:
    hand = Hand.parse(text, tiles=FULL)
    found = decompositions(hand, solver=solver)
    assert found == expected(hand)
    assert number is None or len(found) == number
    assert is_win(hand, solver=solver) == bool(found)


def test_the_papers_winning_hand() -> None:
    hand = Hand.parse(PAPER_HANDS["H"], notation="paper")
    assert [[b.text(hand.tiles) for b in way] for way in decompositions(hand)] == [
        ["456m", "678p", "123s", "33s", "888s"]
    ]


@settings(max_examples=60)
@given(hand=hands(), seed=st.integers(0, 2**32))
def test_wins_drawn_from_the_complete_hands(hand: Hand, seed: int) -> None:
    """A random hand rarely wins, so draw its melds too."""
    rng = random.Random(seed)
    assert decompositions(hand) == expected(hand)
    counts = [0] * hand.tiles.num_kinds
    blocks = [chow(rng.choice(hand.tiles.chow_starts)) for _ in range(hand.melds_needed)]
    blocks.append(eye(rng.randrange(hand.tiles.num_kinds)))
    for block in blocks:
        for kind in block.kinds:
            counts[kind] += 1
    if max(counts) > 4:
        return
    win = Hand.from_counts(counts, tiles=hand.tiles, called=hand.called)
    assert tuple(sorted(blocks)) in decompositions(win)
    assert decompositions(win) == expected(win)


def test_known_decompositions_are_excluded_and_not_their_twins() -> None:
    hand = Hand.parse("11122233344455s")
    ways = decompositions(hand)
    program = Partition().build(hand, exclude=ways[:-1])
    from mjopt.models.solvers.registry import default_solver

    result = default_solver().solve(program)
    assert result.values is not None
    assert program.decode(result.values) == ways[-1]


def test_one_type_wins_are_the_complete_hands() -> None:
    rng = random.Random(9)
    suit = brute_force.suit_choices(M0.suits[0])[4, 1]
    complete = {tuple(row) for row in suit.tolist()}
    for row in rng.sample(sorted(complete), 40):
        assert is_win(Hand.from_counts([*row, *[0] * 18]))
    for _ in range(40):
        hand = deal(rng, M0, suits=1)
        part = next(hand.counts[s] for s in M0.slices if sum(hand.counts[s]))
        assert is_win(hand) == (part in complete)
