"""Battles: rows depend on the configuration alone, and bad agents do not stop a battle."""

import threading

import numpy as np
import pytest
from helpers.scripted_agents import Cheating, Crashing, Silent, Sleeping
from helpers.waits import BRIEF, LONG

import mjopt
from mjopt.cli.main import execute
from mjopt.errors import ArgumentError, GameError
from mjopt.play.game import read_record, replay
from mjopt.play.game.agents import L1, RandomAgent, read_agent
from mjopt.play.tournaments import BattleConfig, summarise
from mjopt.play.tournaments.results import ENDINGS, FAULTS, ROW_WITH_MULTIPLIERS, by_entrant
from mjopt.play.tournaments.runner import play_unit, play_units
from mjopt.play.tournaments.statistics import multipliers_by_name

LEVELS = ("l1", "l3", "l1", "l2")


class Last:
    """Always plays the last move."""

    name = "last"

    def choose(self, view, moves, *, rng):
        return moves[-1]


def play(config, **options):
    """Return all rows and records of a battle."""
    units = list(play_units(config, config.agents, records=True, **options))
    rows = np.concatenate([unit.rows for unit in units])
    return rows, [record for unit in units for record in unit.records]


def test_the_call_gives_the_rows_of_the_command(tmp_path):
    words = (*LEVELS, "-n", "5", "--seed", "5", "-j", "1", "-o", str(tmp_path / "command"))
    assert execute(("battle", *words)) == 0
    result = mjopt.play.battle(LEVELS, games=5, seed=5, folder=tmp_path / "call")
    assert [side.name for side in summarise(result).sides] == ["l1", "l3", "l2"]
    for name in ("games.npz", "battle.json"):
        paths = [tmp_path / folder / name for folder in ("command", "call")]
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("agents", [LEVELS, ("random", "deficiency", "l1", "first")])
def test_units_and_processes_do_not_change_the_games(agents):
    config = BattleConfig(agents=agents, rules="m0", seed=3, games=9, rounds=2)
    rows, records = play(config)
    single = [play_unit((g, 1), config=config, agents=agents, records=True) for g in range(9)]
    assert (np.concatenate([unit.rows for unit in single]) == rows).all()
    assert [record for unit in single for record in unit.records] == records
    two_rows, two_records = play(config, jobs=2)
    assert (two_rows == rows).all()
    assert two_records == records


def test_objects_and_classes_play_in_several_processes():
    agents = [Last, RandomAgent(), "first", type("Local", (Last,), {})]
    one, two = (
        mjopt.play.battle(agents, games=5, rules="m0", seed=3, jobs=jobs) for jobs in (1, 2)
    )
    assert one.names == ("last", "random", "first", "last")
    assert (one.rows == two.rows).all()
    assert not one.faults + two.faults


def test_an_agent_that_cannot_be_pickled_is_an_error_only_with_several_processes():
    agent = Last()
    agent.lock = threading.Lock()
    with pytest.raises(GameError, match=r"agent 2 \(Last\) cannot be sent to other processes"):
        mjopt.play.battle(["l1", agent, "l1", "l1"], games=5, jobs=2)
    assert not mjopt.play.battle(["l1", agent, "l1", "l1"], games=1, rounds=1).faults


def test_records_replay_to_the_same_rows():
    config = BattleConfig(agents=("l3", "deficiency", "random", "l2"), rules="jj", seed=8, games=2)
    rows, records = play(config)
    for row, record in zip(rows, records, strict=True):
        outcome = replay(record).outcome
        assert tuple(row["scores"]) == outcome.scores
        assert ENDINGS[row["ending"]] is outcome.ending
        assert {seat for seat in range(4) if row["winners"] >> seat & 1} == set(outcome.winners)


def test_rows_hold_the_multipliers_of_wins(tmp_path):
    records = tmp_path / "games.txt"
    result = mjopt.play.battle(
        ["l3", "first", "l2", "l1"], rules="jj", seed=3, games=6, records=records
    )
    assert result.rows.dtype == ROW_WITH_MULTIPLIERS
    for row, line in zip(result.rows, records.read_text().splitlines(), strict=True):
        outcome = replay(read_record(line)).outcome
        multipliers = [int(row["multipliers"][seat]) for seat in outcome.winners]
        assert multipliers == list(outcome.multipliers)
        assert (row["multipliers"] > 0).sum() == len(outcome.winners)
    wins = sum(sum(by_value.values()) for by_value in multipliers_by_name(result).values())
    assert wins == (result.rows["multipliers"] > 0).sum() > 0


def test_seats_rotate_and_the_deal_passes_on():
    config = BattleConfig(agents=("first", "l1", "random", "l2"), rules="m0", games=5)
    rows, records = play(config)
    assert rows["dealer"].tolist() == [game % 4 for game in range(5) for _ in range(4)]
    names = [record.split(" names=")[1].split(" ")[0].split(",") for record in records]
    assert names[:4] == [
        ["first", "l1", "random", "l2"],
        ["l2", "first", "l1", "random"],
        ["random", "l2", "first", "l1"],
        ["l1", "random", "l2", "first"],
    ]
    values = by_entrant(config, np.tile(np.arange(4), (20, 1)))
    assert values[0].tolist() == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    assert BattleConfig(agents=LEVELS, games=5, dealer="first").dealer_of(3) == 0


@pytest.mark.parametrize("agent", ["l1", "l3", "deficiency", "first"])
def test_rotated_seats_cancel_luck(agent):
    """The same agent in all seats scores exactly 0 on every wall."""
    result = mjopt.play.battle([agent] * 4, rules="m0", seed=2, games=4)
    assert (by_entrant(result.config, result.rows["scores"]).sum(axis=1) == 0).all()
    assert result.rows["scores"].any()


@pytest.mark.parametrize(
    ("bad", "reason", "text"),
    [
        (Crashing(), "crash", "RuntimeError: out of ideas"),
        (Cheating(), "illegal", "is not a legal move"),
        (Silent(), "illegal", "None is not a legal move"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_bad_agent_loses_its_game_and_the_battle_continues(bad, reason, text):
    result = mjopt.play.battle([L1(), bad, L1(), L1()], rules="m0", seed=4, games=3)
    broken = result.rows[result.rows["fault"] > 0]
    assert len(result.rows) == 12
    assert {FAULTS[code] for code in broken["fault"]} == {reason}
    assert len(broken) == len(result.faults) == (1 if reason == "crash" else 12)
    for row, fault in zip(broken, result.faults, strict=True):
        seat = (1 + row["round"]) % 4
        assert row["payer"] == seat
        assert row["scores"].tolist() == [-3 if s == seat else 1 for s in range(4)]
        assert row["winners"] == 0
        assert f"game {row['game']}, round {row['round'] + 1}, agent 2 ({bad.name})" in fault
        assert text in fault
        assert "\n" not in fault


def test_an_agent_that_never_answers_loses_by_the_time_limit():
    options = {"rules": "m0", "games": 1, "rounds": 2}
    # First, so that the others have their kernels.
    assert not mjopt.play.battle([L1()] * 4, time_limit=LONG, **options).faults
    result = mjopt.play.battle([L1(), Sleeping(), L1(), L1()], time_limit=BRIEF, **options)
    assert [FAULTS[code] for code in result.rows["fault"]] == ["slow", "slow"]
    assert f"{BRIEF:g} s" in result.faults[0]


def test_one_object_may_sit_in_several_seats():
    text = "deficiency"
    options = {"rules": "m0", "games": 1, "rounds": 1}
    shared = mjopt.play.battle([read_agent(text)] * 4, **options)
    assert (shared.rows == mjopt.play.battle([text] * 4, **options).rows).all()


def test_a_data_frame_has_a_row_a_game_and_round():
    pytest.importorskip("pandas")
    result = mjopt.play.battle(LEVELS, games=2, rounds=2, seed=1)
    frame = result.to_frame()
    assert frame["game"].tolist() == [0, 0, 1, 1]
    assert frame[[f"scores_{seat}" for seat in range(4)]].sum(axis=1).tolist() == [0] * 4
    assert set(frame["ending"]) <= {ending.value for ending in ENDINGS}


@pytest.mark.parametrize(
    ("agents", "error", "words"),
    [
        ("l1", TypeError, "agents: 'l1', expected a list of four agents"),
        (["l1"] * 3, ArgumentError, "3 agents, expected 4"),
        (["l1", 7, "l1", "l1"], GameError, "agent 2: 7 has no method 'choose'"),
        (["l1", "l4", "l1", "l1"], GameError, "agent 'l4': unknown"),
        (["one=l1", "l2", "l1", "one=l3"], ArgumentError, "one=l1 and one=l3 are both called one"),
    ],
)
def test_agents_are_validated(agents, error, words):
    with pytest.raises(error, match=words):
        mjopt.play.battle(agents)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"agents": ("l1",) * 3}, "3 agents, expected 4"),
        ({"seed": -1}, "seed -1, expected 0"),
        ({"games": 0}, "games 0, expected at least 1"),
        ({"rounds": 3}, "rounds 3, expected 1, 2 or 4"),
        ({"dealer": "me"}, "dealer 'me', expected one of turns, first"),
        ({"time_limit": 0}, "time_limit 0, expected"),
    ],
)
def test_the_configuration_is_validated(change, expected):
    with pytest.raises(ArgumentError, match=expected):
        BattleConfig(**{"agents": ("l1",) * 4, "games": 1} | change)


def test_unknown_rules_are_refused():
    with pytest.raises(GameError, match="rules 'mcr': unknown"):
        BattleConfig(agents=("l1",) * 4, games=1, rules="mcr")
