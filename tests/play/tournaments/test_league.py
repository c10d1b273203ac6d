"""Ratings on results with known answers, and a small league."""

from math import inf

import numpy as np
import pytest

from mjopt.errors import ArgumentError, FileError
from mjopt.play import league
from mjopt.play.tournaments import Battle, BattleConfig, bradley_terry, stable_rank
from mjopt.play.tournaments.league import match_places
from mjopt.play.tournaments.results import empty_rows


def test_strengths_that_explain_the_results_are_found():
    strength = np.array([8.0, 4.0, 2.0, 1.0])
    wins = 1000 * strength[:, None] / (strength[:, None] + strength)
    np.fill_diagonal(wins, 0)
    expected = 1500 + 400 * np.log10(strength / np.exp(np.log(strength).mean()))
    assert bradley_terry(wins) == pytest.approx(expected)


def test_ratings_agree_with_choix():
    choix = pytest.importorskip("choix")
    wins = np.array([[0, 12.5, 9], [7.5, 0, 11], [11, 9, 0]])
    expected = 1500 + 400 / np.log(10) * choix.ilsr_pairwise_dense(wins)
    assert bradley_terry(wins) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        ([[0, 3], [0, 0]], "ratings are infinite"),
        ([[0, 1, 0], [1, 0, 0], [5, 5, 0]], "ratings are infinite"),
        ([[1, 1], [1, 0]], "0 on the diagonal"),
        ([[0, -1], [1, 0]], "no negative number"),
        ([[0]], "expected a square of two"),
        ([0, 1], "expected a square"),
    ],
)
def test_results_without_a_rating(wins, expected):
    with pytest.raises(ArgumentError, match=expected):
        bradley_terry(wins)


def test_stable_rank_is_tenhous_formula():
    """(5 n1 + 2 n2) / n4 - 2."""
    assert stable_rank([10, 10, 10, 10]) == 5
    assert stable_rank([30, 25, 25, 20]) == (150 + 50) / 20 - 2
    assert stable_rank([0, 0, 0, 10]) == -2
    assert stable_rank([5, 5, 5, 0]) == inf


def test_places_of_a_match_are_by_points_the_earlier_seat_first():
    config = BattleConfig(agents=("l1", "l2", "l1", "l2"), games=5, rounds=2)
    rows = empty_rows(10)  # five games, the fifth belongs to no match
    scores = np.zeros((5, 2, 4), np.int32)
    scores[0, 0], scores[1, 0] = (0, 3, -1, -2), (2, 0, 0, -2)  # sums 2 3 -1 -4
    scores[4, 0] = (30, -10, -10, -10)
    rows["scores"] = scores.reshape(-1, 4)
    places = match_places(Battle(config, rows, ("l1", "l2", "l1", "l2")))
    # Round 1: seats in order 1 0 2 3. Round 2, all equal: 0 1 2 3, where seats 1 and 3
    # are the first side's.
    assert places.tolist() == [[[0, 2, 1, 1], [2, 0, 1, 1]]]


def test_a_league_rates_the_better_agent_higher():
    result = league(["random", "l1", "deficiency"], rules="m0", games=24, seed=3)
    assert [member.name for member in result.members] == ["deficiency", "l1", "random"]
    best, worst = result.members[0], result.members[2]
    assert best.rating > result.members[1].rating > worst.rating
    assert sum(member.points_a_game for member in result.members) == pytest.approx(0)
    for member in result.members:
        low, high = member.rating_interval
        assert low <= member.rating <= high
        # Each agent has two seats in two rounds of two battles of six matches.
        assert sum(member.places) == 2 * 2 * 2 * 6
    assert best.stable_rank > 5 > worst.stable_rank
    together = result.wins + result.wins.T
    assert (together[~np.eye(3, dtype=bool)] == 24).all()


def test_a_finished_league_is_not_played_again(tmp_path):
    options = {"games": 8, "seed": 1, "rules": "m0"}
    first = league(["l1", "l2", "random"], **options)
    kept = league(["l1", "l2", "random"], folder=tmp_path / "out", **options)
    counts = []
    again = league(
        ["l1", "l2", "random"], folder=tmp_path / "out", advance=counts.append, **options
    )
    assert first.members == kept.members == again.members
    assert counts == [16, 16, 16]  # nothing was played again


def test_agents_can_be_added_anywhere_and_removed(tmp_path):
    """Finished battles are not played again, and the league equals a fresh one."""
    options, folder = {"games": 8, "seed": 1, "rules": "m0"}, tmp_path / "out"
    messages: list[str] = []
    for agents, new_battles in {
        "l2 random": 1,
        "l1 l2 random": 2,  # one in front
        "l1 l2 first random": 3,  # one between others
        "l1 first random": 0,  # one removed
        "random l1": 1,  # another order: other seats
    }.items():
        advances: list[int] = []
        messages.clear()
        result = league(
            agents.split(), folder=folder, advance=advances.append, log=messages.append, **options
        )
        num_agents = len(agents.split())
        finished = num_agents * (num_agents - 1) // 2 - new_battles
        assert advances.count(16) == finished  # all games of a finished battle at once
        assert messages == ["random, l1: played again, as the other order has other seats"] * (
            agents == "random l1"
        )
        assert result.members == league(agents.split(), **options).members


def test_a_battle_in_the_wrong_folder_is_refused(tmp_path):
    options = {"games": 4, "rules": "m0", "folder": tmp_path}
    league(["l1", "l2", "random"], **options)
    (tmp_path / "1-2").rename(tmp_path / "moved")
    (tmp_path / "2-3").rename(tmp_path / "1-2")
    with pytest.raises(FileError, match="1-3.*agent 1 is l1, and l2 in another battle.*name ano"):
        league(["l1", "l2", "random"], **options)
    for document in ("[]", '{"settings": 5}', '{"settings": {"agents": [[], 7]}}', "{"):
        (tmp_path / "1-2" / "battle.json").write_text(document)
        with pytest.raises(FileError, match=r"1-2\b.*(expected four agents|not JSON)"):
            league(["l1", "l2", "random"], **options)


@pytest.mark.parametrize(
    ("agents", "games", "expected"),
    [
        (["l1"], 8, "two or more different agents"),
        (["l1", "l1"], 8, "two or more different agents"),
        (["deficiency", "deficiency:method=table"], 8, "the same name"),
        (["l1", "l2"], 3, "games 3, expected at least 4"),
    ],
)
def test_entrants_are_validated(agents, games, expected):
    with pytest.raises(ArgumentError, match=expected):
        league(agents, games=games)
