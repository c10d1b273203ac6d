"""Practice alone: draws come from the wall that is left, the seed decides them."""

import numpy as np
import pytest

import mjopt
from mjopt.errors import GameError
from mjopt.play.game.practice import Practice, practise

ALL = ("standard", "seven_pairs", "thirteen_orphans")
NEAR = "123456m789p1146s1z"


def play(text: str, seed: int, moves: str = "") -> Practice:
    hand, names = mjopt.Hand.parse(text, tiles="136"), mjopt.FULL.names
    thrown = [names.index(moves[at : at + 2]) for at in range(0, len(moves), 2)]
    rng = np.random.default_rng(seed)
    return practise(hand, thrown, wall=hand.unseen, draws=18, forms=ALL, rng=rng)


def play_on(hand: str, seed: int) -> tuple[Practice, str]:
    """Throw the drawn tile until the end, the last tile of the hand first."""
    moves = hand[-2:]
    while not (practice := play(hand, seed, moves)).is_over:
        moves += mjopt.FULL.names[practice.decisions[-1].drawn]
    return practice, moves


def test_every_draw_comes_from_the_wall_that_is_left() -> None:
    practice, _ = play_on(NEAR, 3)
    first = mjopt.Hand.parse(NEAR)

    for before, after, thrown in zip(
        practice.decisions, practice.decisions[1:], practice.thrown, strict=False
    ):
        assert after.wall[after.drawn] == before.wall[after.drawn] - 1
        assert sum(after.wall) == sum(before.wall) - 1
        held = before.hand.with_one(thrown, -1).with_one(after.drawn, 1)
        assert held.counts == after.hand.counts
    assert practice.decisions[0].hand.counts == first.counts
    assert practice.decisions[0].wall == first.unseen


def test_seed_decides_the_wall() -> None:
    walls = {tuple(d.drawn for d in play_on(NEAR, seed)[0].decisions) for seed in (1, 1, 2, 3)}

    assert len(walls) == 3


def test_practice_ends_with_a_win_or_after_18_draws() -> None:
    ends = {}
    for seed in range(30):
        practice, _ = play_on(NEAR, seed)
        ends[practice.has_won] = practice
        drawn = len(practice.decisions) - 1
        assert practice.has_won or drawn == 18
        assert mjopt.is_win(practice.decisions[-1].hand, forms=ALL) == practice.has_won
        assert practice.decisions[-1].draws == 18 - drawn
    assert {*ends} == {True, False}


def test_hand_of_13_tiles_draws_first() -> None:
    now = play("123456m789p1146s", 1).decisions[-1]

    assert (now.hand.num_tiles, now.draws) == (14, 17)


@pytest.mark.parametrize(("moves", "says"), [("9m", "9m is not in the hand"), ("1z" * 9, "1z")])
def test_impossible_throw_is_refused(moves: str, says: str) -> None:
    with pytest.raises(GameError, match=says):
        play(NEAR, 1, moves)


def test_throw_after_the_end_is_refused() -> None:
    _, moves = play_on(NEAR, 4)

    with pytest.raises(GameError, match="1s (after the end|is not in the hand)"):
        play(NEAR, 4, moves + "1s")
