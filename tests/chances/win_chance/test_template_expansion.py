"""The graph of a class by labels, against the kernels, and win chances of other rule sets."""

from fractions import Fraction

import numpy as np
import pytest

import mjopt
from mjopt import FULL, M0, SANMA, Hand
from mjopt.chances.win_chance.graph import Graph, SearchSpace, free_deficiency
from mjopt.chances.win_chance.graph_expansion import expand_graph
from mjopt.chances.win_chance.template_expansion import expand_by_labels
from mjopt.hands.rule_file import parse_rules
from mjopt.hands.winning_forms import check_forms


def named(graph: Graph, places: np.ndarray, *columns: np.ndarray) -> list[tuple[object, ...]]:
    """Return rows with the state itself in place of its number."""
    states = [graph.states[place].astype(np.uint8).tobytes() for place in places]
    return sorted(zip(states, *(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_labels_and_kernels_give_the_same_graph(seed):
    rng = np.random.default_rng(seed)
    tiles, called = (FULL, M0, SANMA)[seed % 3], seed % 2
    forms = check_forms("standard" if called else "standard, seven_pairs", tiles)
    while True:
        dealt = rng.permutation(np.repeat(np.arange(tiles.num_kinds), 4))
        counts = np.bincount(dealt[: 13 + seed // 3 - 3 * called], minlength=tiles.num_kinds)
        hand = Hand.from_counts(counts.tolist(), tiles=tiles, called=called)
        if (deficiency := free_deficiency(hand, forms)) < 3:
            break
    wall = tuple(np.bincount(dealt[20:100], minlength=tiles.num_kinds).tolist())
    space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=deficiency, waste=0)
    ours, theirs = expand_by_labels(space, 100_000), expand_graph(space)

    assert ours is not None
    assert theirs is not None
    assert named(ours, np.arange(ours.num_states)) == named(theirs, np.arange(theirs.num_states))
    assert named(ours, ours.win_state, ours.win_kind) == named(
        theirs, theirs.win_state, theirs.win_kind
    )
    assert named(ours, ours.edge_state, ours.edge_kind) == named(
        theirs, theirs.edge_state, theirs.edge_kind
    )
    assert ours.num_full == theirs.num_full
    assert {kind: ours.states[at].tobytes() for kind, at in ours.roots.items()} == {
        kind: theirs.states[at].astype(np.uint8).tobytes() for kind, at in theirs.roots.items()
    }
    assert expand_by_labels(space, 0) is None


LAIZI = parse_rules(
    'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
)


def best_chance(hand: Hand, wall: tuple[int, ...], forms: tuple[str, ...], draws: int) -> Fraction:
    """Return the chance to win under optimal play, by trying every play."""
    total = Fraction(0)
    for kind, copies in enumerate(wall):
        if not copies:
            continue
        full = hand.with_one(kind, 1)
        if mjopt.is_win(full, forms=forms):
            total += copies
        elif draws > 1:
            left = (*wall[:kind], copies - 1, *wall[kind + 1 :])
            thrown = [full.with_one(k, -1) for k, held in enumerate(full.counts) if held]
            total += copies * max(best_chance(h, left, forms, draws - 1) for h in thrown)
    return total / sum(wall)


@pytest.mark.parametrize(
    ("text", "rules", "wall"),
    [
        ("123456789m123p1244s", "taiwan", "345s4p"),
        ("147m258p369s1123z", "mcr", "123z1m"),
        ("112345678m1234p", LAIZI, "59m4p5z"),
    ],
)
def test_two_draws_by_every_play(text, rules, wall):
    hand = Hand.parse(text, rules=rules)
    copies = Hand.parse(wall, tiles=hand.tiles, partial=True).counts
    forms = hand.rules.forms
    play = mjopt.optimal_play(hand, wall=copies, draws=2, waste=2, forms=forms[-2:])
    advice = mjopt.advise(mjopt.Position(hand=hand, wall=copies, draws=2, forms=forms[-2:]))
    expected = best_chance(hand, copies, forms[-2:], 2)

    assert play.best.lower <= expected <= play.best.upper_any
    assert abs(play.best.lower - expected) < Fraction(1, 10**9)
    assert advice.options[0].at_least <= expected <= advice.options[0].at_most


def test_a_tile_away_in_one_draw():
    play = mjopt.optimal_play(Hand.parse("123456789m123p1244s", rules="taiwan"), draws=1)
    assert abs(play.best.lower - Fraction(4, 120)) < Fraction(1, 10**9)


def test_complete_hand_of_rules_has_a_bound_for_every_discard() -> None:
    hand = mjopt.Hand.parse("123456789m123p12344s", rules="taiwan")

    play = mjopt.optimal_play(hand, draws=2, waste=0)

    assert len(play.discards) == 16
    assert all(row.lower <= row.upper <= row.upper_any for row in play.discards)
