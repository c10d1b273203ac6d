"""What a battle shows, on rows written by hand."""

import numpy as np
import pytest

from mjopt.errors import GameError
from mjopt.game import Ending
from mjopt.reports.statistics import bootstrap_mean, wilson
from mjopt.tournaments import Battle, Plan, compare, summarise
from mjopt.tournaments.rows import ENDINGS, empty_rows

NAMES = ("a", "b", "a", "c")


def battle():
    """Two walls, two rounds. Entrants sit in seats 0 1 2 3, then 1 2 3 0."""
    plan = Plan(agents=("l1", "l2", "l1", "l3"), games=2, rounds=2)
    rows = empty_rows(4)
    rows["game"], rows["round"] = [0, 0, 1, 1], [0, 1, 0, 1]
    told = [
        # ending, winners, payer, turn, scores, calls
        (Ending.DISCARD, (1,), 0, 9, (-1, 1, 0, 0), (0, 2, 0, 0)),  # b wins from a
        (Ending.OWN_DRAW, (3,), -1, 7, (-1, -1, -1, 3), (0, 0, 1, 0)),  # a (entrant 2)
        (Ending.WALL_EMPTY, (), -1, 0, (0, 0, 0, 0), (0, 0, 0, 0)),
        (Ending.FAULT, (), 0, 0, (-3, 1, 1, 1), (0, 0, 0, 0)),  # c broke it
    ]
    for row, (ending, winners, payer, turn, scores, calls) in zip(rows, told, strict=True):
        row["ending"] = ENDINGS.index(ending)
        row["winners"] = sum(1 << seat for seat in winners)
        row["payer"], row["turn"], row["scores"], row["calls"] = payer, turn, scores, calls
        row["fault"] = 1 if ending is Ending.FAULT else 0
    return Battle(plan, rows, NAMES)


def test_every_figure_of_every_entrant():
    found = summarise(battle())
    assert [side.name for side in found.entrants] == list(NAMES)
    assert [side.wins for side in found.entrants] == [0, 1, 1, 0]
    assert [side.own_draws for side in found.entrants] == [0, 0, 1, 0]
    assert [side.points for side in found.entrants] == [-1, 1, 4, -4]
    assert [side.turn for side in found.entrants] == [None, 9.0, 7.0, None]
    assert [side.calls for side in found.entrants] == [0.0, 0.75, 0.0, 0.0]
    assert [side.paid for side in found.entrants] == [1, 0, 0, 0]
    assert [side.faults for side in found.entrants] == [0, 0, 0, 1]
    assert (found.played, found.drawn, found.faulty) == (4, 1, 1)
    assert found.drawn_rate == 0.25


def test_entrants_of_one_name_are_one_side():
    found = summarise(battle())
    assert [side.name for side in found.sides] == ["a", "b", "c"]
    both = found.sides[0]
    assert (both.entrants, both.played, both.wins, both.points) == ((0, 2), 8, 1, 3)
    assert both.win_rate == 1 / 8
    assert both.points_a_game == 3 / 8


def test_intervals_count_walls_not_games():
    """Four rounds that always end alike are worth one game each."""
    plan = Plan(agents=("l1", "l2", "l1", "l3"), games=10, rounds=4)
    rows = empty_rows(40)
    rows["ending"] = ENDINGS.index(Ending.OWN_DRAW)
    for place, row in enumerate(rows):
        winner = 0 if place // 4 < 5 else 1
        row["winners"] = 1 << plan.seat_of(winner, place % 4)
    found = summarise(Battle(plan, rows, NAMES)).entrants[0]
    assert found.wins == 20
    assert found.share == wilson(5, 10)


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


def test_the_bootstrap_is_that_of_resampled_values():
    values = np.random.default_rng(1).integers(-3, 4, 200)
    rng = np.random.default_rng(2)
    means = [rng.choice(values, len(values)).mean() for _ in range(4000)]
    low, high = bootstrap_mean(values, rng=np.random.default_rng(3))
    assert low == pytest.approx(np.quantile(means, 0.025), abs=0.03)
    assert high == pytest.approx(np.quantile(means, 0.975), abs=0.03)
    narrow = bootstrap_mean(values, rng=np.random.default_rng(3), confidence=0.5)
    assert low < narrow.low < values.mean() < narrow.high < high


def test_bootstraps_that_cannot_be():
    with pytest.raises(GameError, match="no values"):
        bootstrap_mean([], rng=np.random.default_rng(1))
    with pytest.raises(GameError, match=r"confidence 1\.5"):
        bootstrap_mean([1], rng=np.random.default_rng(1), confidence=1.5)
