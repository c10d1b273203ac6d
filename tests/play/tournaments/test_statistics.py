"""Statistics of a battle, on rows written by hand."""

import pytest

from mjopt.play.game import Ending
from mjopt.play.tournaments import Battle, BattleConfig, compare, summarise
from mjopt.play.tournaments.results import ENDINGS, empty_rows
from mjopt.statistics import wilson

NAMES = ("a", "b", "a", "c")


def battle():
    """Two walls, two rounds. Entrants sit in seats 0 1 2 3, then 1 2 3 0."""
    config = BattleConfig(agents=("l1", "l2", "l1", "l3"), games=2, rounds=2)
    rows = empty_rows(4)
    rows["game"], rows["round"] = [0, 0, 1, 1], [0, 1, 0, 1]
    games = [
        # ending, winners, payer, turn, scores, calls
        (Ending.DISCARD, (1,), 0, 9, (-1, 1, 0, 0), (0, 2, 0, 0)),  # b wins from a
        (Ending.OWN_DRAW, (3,), -1, 7, (-1, -1, -1, 3), (0, 0, 1, 0)),  # a (entrant 2)
        (Ending.WALL_EMPTY, (), -1, 0, (0, 0, 0, 0), (0, 0, 0, 0)),
        (Ending.FAULT, (), 0, 0, (-3, 1, 1, 1), (0, 0, 0, 0)),  # c broke it
    ]
    for row, (ending, winners, payer, turn, scores, calls) in zip(rows, games, strict=True):
        row["ending"] = ENDINGS.index(ending)
        row["winners"] = sum(1 << seat for seat in winners)
        row["payer"], row["turn"], row["scores"], row["calls"] = payer, turn, scores, calls
        row["fault"] = 1 if ending is Ending.FAULT else 0
    return Battle(config, rows, NAMES)


def test_every_figure_of_every_entrant():
    summary = summarise(battle())
    assert [side.name for side in summary.entrants] == list(NAMES)
    assert [side.wins for side in summary.entrants] == [0, 1, 1, 0]
    assert [side.own_draws for side in summary.entrants] == [0, 0, 1, 0]
    assert [side.points for side in summary.entrants] == [-1, 1, 4, -4]
    assert [side.turn for side in summary.entrants] == [None, 9.0, 7.0, None]
    assert [side.calls for side in summary.entrants] == [0.0, 0.75, 0.0, 0.0]
    assert [side.paid for side in summary.entrants] == [1, 0, 0, 0]
    assert [side.faults for side in summary.entrants] == [0, 0, 0, 1]
    assert (summary.played, summary.drawn, summary.faulty) == (4, 1, 1)
    assert summary.drawn_rate == 0.25


def test_entrants_of_one_name_are_one_side():
    summary = summarise(battle())
    assert [side.name for side in summary.sides] == ["a", "b", "c"]
    both = summary.sides[0]
    assert (both.entrants, both.played, both.wins, both.points) == ((0, 2), 8, 1, 3)
    assert both.win_rate == 1 / 8
    assert both.points_a_game == 3 / 8


def test_intervals_count_walls_not_games():
    """Four rounds that always end alike are worth one game each."""
    config = BattleConfig(agents=("l1", "l2", "l1", "l3"), games=10, rounds=4)
    rows = empty_rows(40)
    rows["ending"] = ENDINGS.index(Ending.OWN_DRAW)
    for place, row in enumerate(rows):
        winner = 0 if place // 4 < 5 else 1
        row["winners"] = 1 << ((winner + place) % 4)
    side = summarise(Battle(config, rows, NAMES)).entrants[0]
    assert side.wins == 20
    assert side.share == wilson(5, 10)


def test_pairs_are_compared_wall_by_wall():
    first, second, third = compare(battle())
    assert (first.first, first.second) == ("a", "b")
    # Points a game: a 3/8 of eight, b 1/4 of four.
    assert first.difference == pytest.approx(3 / 8 - 1 / 4)
    assert second.difference == pytest.approx(3 / 8 + 1)
    assert third.difference == pytest.approx(1 / 4 + 1)
    assert first.t_test.n == (2,)
    assert first.t_test.correction == "holm"
    plain = compare(battle(), tests=False)
    assert [pair.t_test for pair in plain] == [None] * 3
    assert [pair.interval for pair in plain] == [p.interval for p in (first, second, third)]
