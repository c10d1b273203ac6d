"""Games of a plan are the same however they are split and for any number of processes."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.scripted_agents import Cheating, Crashing, Silent, Sleeping

from mjopt.errors import GameError
from mjopt.game import replay
from mjopt.game.agents import L1, DeficiencyAgent, Policy
from mjopt.tournaments import Plan, fight
from mjopt.tournaments.playing import play_part, play_parts
from mjopt.tournaments.rows import ENDINGS, FAULTS, by_entrant

LEVELS = ("l1", "l3", "l1", "l2")


def played(plan, **options):
    parts = list(play_parts(plan, records=True, **options))
    rows = np.concatenate([part.rows for part in parts])
    return rows, [line for part in parts for line in part.lines]


def test_records_replay_to_the_same_rows():
    plan = Plan(agents=("l3", "deficiency", "random", "l2"), rules="jj", seed=8, games=3)
    rows, lines = played(plan)
    for row, line in zip(rows, lines, strict=True):
        outcome = replay(line).outcome
        assert tuple(row["scores"]) == outcome.scores
        assert ENDINGS[row["ending"]] is outcome.ending
        assert {seat for seat in range(4) if row["winners"] >> seat & 1} == set(outcome.winners)


@pytest.mark.parametrize("agents", [LEVELS, ("random", "deficiency", "l1", "first")])
def test_parts_and_processes_change_nothing(agents):
    plan = Plan(agents=agents, rules="m0", seed=3, games=9, rounds=2)
    rows, lines = played(plan)
    alone = [play_part((game, 1), plan=plan, records=True) for game in range(9)]
    assert (np.concatenate([part.rows for part in alone]) == rows).all()
    assert [line for part in alone for line in part.lines] == lines
    two_rows, two_lines = played(plan, jobs=2)
    assert (two_rows == rows).all()
    assert two_lines == lines


def test_seats_rotate_and_the_dealer_passes_on():
    plan = Plan(agents=("first", "l1", "random", "l2"), rules="m0", games=5)
    rows, lines = played(plan)
    assert rows["dealer"].tolist() == [game % 4 for game in range(5) for _ in range(4)]
    names = [line.split(" names=")[1].split(" ")[0].split(",") for line in lines]
    assert names[:4] == [
        ["first", "l1", "random", "l2"],
        ["l2", "first", "l1", "random"],
        ["random", "l2", "first", "l1"],
        ["l1", "random", "l2", "first"],
    ]
    by = by_entrant(plan, np.tile(np.arange(4), (20, 1)))
    assert by[0].tolist() == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    assert Plan(agents=LEVELS, games=5, dealer="first").dealer_of(3) == 0


@pytest.mark.parametrize("agent", ["l1", "l3", "deficiency", "first"])
def test_rotated_seats_cancel_luck(agent):
    """The same agent everywhere scores exactly nothing on every wall."""
    plan = Plan(agents=(agent,) * 4, rules="m0", seed=2, games=6)
    rows, _ = played(plan)
    totals = by_entrant(plan, rows["scores"]).sum(axis=1)
    assert (totals == 0).all()
    assert rows["scores"].any()


@pytest.mark.parametrize(
    ("bad", "reason", "text"),
    [
        (Crashing(), "crash", "RuntimeError: out of ideas"),
        (Cheating(), "illegal", "is not a legal move"),
        (Silent(), "illegal", "None is not a legal move"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_bad_agent_loses_its_game_and_the_battle_goes_on(bad, reason, text):
    plan = Plan(agents=("l1",) * 4, rules="m0", seed=4, games=3)
    good = L1()
    battle = fight(plan, agents=[good, bad, good, good])
    broken = battle.rows[battle.rows["fault"] > 0]
    assert len(battle.rows) == 12
    assert {FAULTS[code] for code in broken["fault"]} == {reason}
    assert len(broken) == len(battle.faults) == (1 if reason == "crash" else 12)
    for row, fault in zip(broken, battle.faults, strict=True):
        seat = (1 + row["round"]) % 4
        assert row["payer"] == seat
        assert row["scores"].tolist() == [-3 if s == seat else 1 for s in range(4)]
        assert row["winners"] == 0
        assert f"game {row['game']}, round {row['round'] + 1}, agent 2 ({bad.name})" in fault
        assert text in fault
        assert "\n" not in fault


def test_an_agent_that_never_answers_is_broken_off():
    plan = Plan(agents=("l1",) * 4, rules="m0", games=1, rounds=2, time_limit=0.2)
    battle = fight(plan, agents=[L1(), Sleeping(), L1(), L1()])
    assert [FAULTS[code] for code in battle.rows["fault"]] == ["slow", "slow"]
    assert "0.2 s" in battle.faults[0]
    quick = fight(replace(plan, time_limit=60.0), agents=[L1()] * 4)
    assert not quick.rows["fault"].any()


def test_one_object_may_sit_in_several_seats():
    """Its memory of a game is that of a seat: a shared one only forgets more often."""
    plan = Plan(agents=("deficiency:method=tree-search",) * 4, rules="m0", games=1, rounds=1)
    shared = plan.make_agents()[0]
    rows = fight(plan, agents=[shared] * 4).rows
    assert (rows == fight(plan).rows).all()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"agents": ("l1",) * 3}, "3 agents, expected 4"),
        ({"rules": "riichi"}, "unknown rules 'riichi'"),
        ({"seed": -1}, "seed -1, expected 0"),
        ({"games": 0}, "0 games, expected at least 1"),
        ({"rounds": 3}, "3 rounds, expected 1, 2 or 4"),
        ({"dealer": "me"}, "dealer 'me', expected one of turns, first"),
        ({"time_limit": 0}, "time limit of 0 s"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(change, expected):
    with pytest.raises(GameError, match=expected):
        Plan(**{"agents": ("l1",) * 4, "games": 1} | change)


def test_agents_that_are_objects_are_four():
    plan = Plan(agents=("l1",) * 4, games=1)
    with pytest.raises(GameError, match="3 agents, expected 4"):
        fight(plan, agents=[L1()] * 3)


def test_a_policy_is_part_of_an_agent():
    assert DeficiencyAgent(policy=Policy(calls="never")).name == "deficiency-never"
