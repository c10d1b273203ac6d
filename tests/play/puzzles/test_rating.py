"""Ratings: on the scale of Elo, by first answers only."""

import pytest

from mjopt.play.puzzles.rating import Ratings
from mjopt.play.tournaments.rating_updates import Rating, rate
from mjopt.play.tournaments.ratings import ELO_MEAN


def test_upset_changes_more_than_an_expected_result():
    strong, weak = Rating(1900.0, 10.0), Rating(1500.0, 10.0)

    sides = [strong, weak]
    expected, upset = rate(sides, [1, 0])[0].mean - 1900, rate(sides, [0, 1])[1].mean - 1500
    assert 0 < expected < upset
    # Of Elo: a lead of 400 points wins ten times of eleven.
    assert upset / expected == pytest.approx(10, rel=0.05)


def test_uncertain_rating_changes_more():
    sure, unsure = Rating(1500.0, 60.0), Rating(1500.0, 350.0)

    after = rate([unsure, sure], [1, 0])
    assert after[0].mean - 1500 > 5 * (1500 - after[1].mean) > 0


def test_game_of_four_is_one_between_each_two():
    after = rate([Rating()] * 4, [5, 1, 1, -7])

    assert [each.mean for each in after[1:3]] == pytest.approx([ELO_MEAN, ELO_MEAN])
    assert after[0].mean - ELO_MEAN == pytest.approx(ELO_MEAN - after[3].mean)
    assert after[0].mean - ELO_MEAN == pytest.approx(
        3 * (rate([Rating()] * 2, [1, 0])[0].mean - ELO_MEAN)
    )


def test_many_right_answers_approach_the_strength():
    """A player who solves half of the puzzles of 1800 is rated near 1800."""
    ratings = Ratings(initial={str(n): 1800.0 for n in range(200)})
    for n in range(200):
        ratings.add("ann", str(n), is_right=n % 2 == 0)

    assert ratings.player("ann").mean == pytest.approx(1800, abs=60)
    assert ratings.player("ann").deviation < 100


def test_only_the_first_answer_is_rated():
    ratings = Ratings()
    ratings.add("ann", "a", is_right=False)
    player, puzzle = ratings.player("ann"), ratings.puzzle("a")
    ratings.add("ann", "a", is_right=True)

    assert (ratings.player("ann"), ratings.puzzle("a")) == (player, puzzle)
    assert player.mean < ELO_MEAN < puzzle.mean


def test_answers_of_all_players_rate_a_puzzle():
    ratings = Ratings()
    for name in ("ann", "ben", "cho"):
        before = ratings.puzzle("a").mean
        ratings.add(name, "a", is_right=True)
        assert ratings.puzzle("a").mean < before
