"""Matches of riichi, at the terminal too, and the replay of their records."""

import json
from itertools import pairwise

import pytest

pytest.importorskip("jansou")

from mjopt.errors import FileError, GameError
from mjopt.play.game.agents import read_agent
from mjopt.play.riichi import RiichiMatch, run_next_hand

AGENTS = ("l2", "first", "random", "l1")


def played(hands: int, seed: int = 1) -> RiichiMatch:
    """Return a match after some hands."""
    match = RiichiMatch(names=AGENTS, seed=seed)
    while len(match.lines) < hands and not match.is_over:
        match = match.with_hand(run_next_hand(match, [read_agent(name) for name in AGENTS]).line)
    return match


def test_a_match_goes_round_and_keeps_all_points():
    match = played(4)
    starts = [json.loads(line)[1] for line in match.lines]
    for start, follower in pairwise(starts):
        repeats = start["oya"] == follower["oya"]
        assert repeats or follower["oya"] == (start["oya"] + 1) % 4
        assert sum(follower["scores"]) + 1000 * follower["kyotaku"] == 100_000
        assert not (repeats and follower["honba"] != start["honba"] + 1)


def test_the_points_of_a_finished_match_add_up():
    match = played(30, seed=2)
    assert match.is_over
    assert sum(match.standing) == 100_000  # deposits are settled
    with pytest.raises(GameError, match="the match is over"):
        run_next_hand(match, [read_agent(name) for name in AGENTS])


def test_a_hand_of_another_match_is_refused():
    match = played(2)
    with pytest.raises(FileError, match="hand 1: of another match"):
        RiichiMatch(names=AGENTS, seed=2, lines=match.lines)
