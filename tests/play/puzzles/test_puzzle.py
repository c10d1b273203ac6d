"""Puzzles: one discard is proven to lead, and every shipped one is found again."""

from fractions import Fraction

import pytest

from mjopt import advise
from mjopt.chances.advice.position import Position
from mjopt.errors import FileError
from mjopt.play.game.position_start import PositionStart
from mjopt.play.puzzles.puzzle import (
    LEAD,
    Puzzle,
    find_puzzle,
    initial_ratings,
    may_be_puzzle,
    shipped_puzzles,
)

SHIPPED = tuple(shipped_puzzles().values())
SAMPLE = SHIPPED[::20]


def check(puzzle):
    """Prove a puzzle again; a better search may prove more."""
    advice = advise(puzzle.position)
    best, *others = advice.options

    assert (best.action, advice.position.hand.tiles.names[best.kind]) == ("discard", puzzle.best)
    assert puzzle.at_least <= best.at_least
    assert all(option.at_most <= puzzle.at_most for option in others)
    assert find_puzzle(advice.position).lead >= puzzle.lead


def test_two_hundred_puzzles_are_shipped():
    assert len(SHIPPED) == 200
    assert len({puzzle.position for puzzle in SHIPPED}) == 200


@pytest.mark.parametrize("puzzle", SAMPLE, ids=[puzzle.position for puzzle in SAMPLE])
def test_shipped_puzzle_is_found_again(puzzle):
    check(puzzle)


@pytest.mark.slow
def test_every_shipped_puzzle_is_found_again():
    for puzzle in SHIPPED:
        check(puzzle)


def test_lead_of_every_shipped_puzzle_is_three_points():
    assert min(puzzle.lead for puzzle in SHIPPED) >= LEAD


def test_shipped_positions_are_whole_and_can_be_played_on():
    for puzzle in SHIPPED:
        position = Position.parse(puzzle.position)
        assert position.to_text() == puzzle.position
        assert may_be_puzzle(position)
        held = position.hand.counts[position.hand.tiles.names.index(puzzle.best)]
        assert held > 0
        assert PositionStart(position).rules.dead_wall >= 0


def test_ratings_differ_from_easy_to_hard():
    easiest, *_, hardest = sorted(initial_ratings().values())

    assert easiest < 1300
    assert hardest > 1600


@pytest.mark.parametrize(
    "text",
    [
        "445m34677p2346s55z draws=18",  # no lead is proven
        "123456m789p11s444z draws=4",  # won
        "22557m234p34789s3z draws=0",  # nothing can be won
        "22557m234p34789s3z draws=1",
    ],
)
def test_other_positions_are_no_puzzles(text):
    assert find_puzzle(Position.parse(text)) is None


def test_stored_chances_stay_proven():
    puzzle = Puzzle(
        position="p", best="1m", at_least=Fraction(2, 3), at_most=Fraction(1, 3), rating=1500
    )
    stored = Puzzle.parse(puzzle.to_text())

    assert stored.at_least < puzzle.at_least
    assert stored.at_most > puzzle.at_most
    assert puzzle.lead - stored.lead < Fraction(1, 2000)


@pytest.mark.parametrize("line", ["", "1500 1m .5", "easy 1m .5 .4 123m", "1500 1m x .4 123m"])
def test_other_lines_are_refused(line):
    with pytest.raises(FileError, match="no puzzle"):
        Puzzle.parse(line)
