"""The riichi table: games of agents, records, and what goes wrong."""

import importlib.metadata
import json
import sys

import numpy as np
import pytest

pytest.importorskip("jansou")

import mjopt
from mjopt.cli.main import execute
from mjopt.errors import FileError, GameError, MissingExtraError
from mjopt.hands.tiles import FULL
from mjopt.play.game import Action, Ending, Move, agent_stream, shuffle_wall
from mjopt.play.game.agents import read_agent
from mjopt.play.game.agents.json_protocol import message_of, move_text, read_answer
from mjopt.play.game.events import KIND_OF
from mjopt.play.game.play import run_table
from mjopt.play.review.detect_format import read_games
from mjopt.play.riichi import (
    RIICHI_GAME,
    RiichiTable,
    deal_table,
    get_table_rules,
    replay_riichi,
    riichi_wall,
)
from mjopt.play.tournaments import BattleConfig
from mjopt.play.tournaments.runner import play_units

AGENTS = ("deficiency", "l3", "random", "first")


def play(names=AGENTS, *, seed=1, game=0):
    """Return the finished table of a game and its result."""
    table = deal_table(RIICHI_GAME, seed, game, dealer=game % 4)
    rngs = [agent_stream(seed, game, seat) for seat in range(4)]
    agents = [read_agent(name) for name in names]
    return table, run_table(agents, table, rngs=rngs, seed=seed, game=game)


class Counting:
    """Plays at random and checks what it sees."""

    name = "counting"

    def choose(self, view, moves, *, rng):
        table = view.table
        assert sum(view.hand) % 3 == (2 if table.phase.value in ("turn", "called") else 1)
        assert min(view.unseen) >= 0
        assert 1 <= len(view.indicators) <= 5
        assert sum(view.points) + 1000 * view.sticks == 100_000
        assert len(moves) == len(set(moves))
        return moves[int(rng.integers(len(moves)))]


@pytest.mark.parametrize("game", range(3))
def test_a_game_is_scored_and_recorded(game):
    table, result = play(game=game)
    outcome = result.outcome
    assert result.fault is None
    assert sum(outcome.scores) + outcome.deposits == 0
    assert sum(table.view(0).points) + outcome.deposits == 100_000
    [(_, read)] = read_games(result.line.encode())
    assert not read.unread
    assert not read.flaws
    assert replay_riichi(result.line).outcome == outcome


def test_a_review_leaves_nothing_out(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(f"{play(game=game)[1].line}\n" for game in range(3)))
    review = mjopt.play.review(path)
    assert len(review.sources) == 3
    assert not review.refused
    assert not review.flaws
    assert not review.num_unread


def test_views_agree_with_the_engine():
    for game in range(2):
        table = deal_table(RIICHI_GAME, 2, game)
        rngs = [agent_stream(2, game, seat) for seat in range(4)]
        result = run_table([Counting()] * 4, table, rngs=rngs)
        assert result.fault is None


def test_programs_see_what_only_riichi_has():
    rng = np.random.default_rng(1)
    for game in range(20):
        table = deal_table(RIICHI_GAME, 3, game)
        for _ in range(30):
            if (seat := table.to_move) is None:
                break
            view, moves = table.view(seat), table.options()
            message = message_of(view, moves)
            assert (message["Rules"], message["Wind"], len(message["Points"])) == (
                "riichi",
                "1Z",
                4,
            )
            assert len(message["Indicators"]) == len(view.indicators)
            move = moves[int(rng.integers(len(moves)))]
            word, _, content = move_text(move, view.tiles).partition(",")
            answer = {"Action_type": word, "Action_content": content}
            assert read_answer(answer, moves, view.tiles) == move
            table.play(move)


def test_the_wall_is_that_of_other_rules():
    wall = shuffle_wall(5, 3, FULL)
    assert tuple(KIND_OF[tile] for tile in riichi_wall(5, 3)) == wall
    table = RiichiTable(riichi_wall(5, 3), dealer=2)
    for number in range(4):
        hand = table.view((2 + number) % 4).hand
        dealt = np.bincount(wall[13 * number : 13 * number + 13], minlength=34)
        dealt[wall[52]] += number == 0
        assert hand == tuple(dealt)
    assert table.view(0).indicators == (wall[-5],)


def test_red_fives_prefer_no_copy():
    places = []
    for game in range(200):
        kinds, wall = shuffle_wall(1, game, FULL), riichi_wall(1, game)
        fives = [place for place, kind in enumerate(kinds) if kind == 4]
        places += [fives.index(wall.index(34))]
    assert min(np.bincount(places, minlength=4)) > 30


def test_workers_do_not_change_the_games():
    config = BattleConfig(agents=AGENTS, rules="riichi", seed=3, games=5, rounds=2)
    one, two = (
        [
            line
            for unit in play_units(config, AGENTS, records=True, jobs=jobs)
            for line in unit.records
        ]
        for jobs in (1, 2)
    )
    assert one == two


def test_games_of_another_engine_are_played_again(tmp_path, monkeypatch):
    said = []
    options = {"rules": "riichi", "rounds": 1, "folder": tmp_path, "log": said.append}
    mjopt.play.battle(["l1"] * 4, games=1, **options)
    monkeypatch.setattr("mjopt.play.tournaments.api.engine_version", lambda: "jansou 9")
    mjopt.play.battle(["l1"] * 4, games=1, **options)
    [line] = said
    assert "engine of riichi" in line


def test_an_illegal_move_forfeits():
    class Wrong:
        name = "wrong"

        def choose(self, view, moves, *, rng):
            return Move(Action.PONG, 0)

    table = deal_table(RIICHI_GAME, 1, 0)
    agents = [Wrong(), *map(read_agent, ("l1", "l1", "l1"))]
    rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    result = run_table(agents, table, rngs=rngs, seed=1, game=0)
    assert result.outcome.scores == (-12_000, 4_000, 4_000, 4_000)
    assert result.fault.reason == "illegal"
    assert replay_riichi(result.line).outcome == result.outcome
    with pytest.raises(GameError, match="the game is over"):
        table.forfeit(1)


def test_a_crash_of_the_engine_is_a_fault_of_the_table(monkeypatch):
    from jansou.game.wall import Wall

    def fail(self):
        raise RuntimeError("no tile")

    table = deal_table(RIICHI_GAME, 1, 0)
    monkeypatch.setattr(Wall, "draw_live", fail)
    rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    result = run_table([read_agent("l1")] * 4, table, rngs=rngs, seed=1, game=0)
    assert (result.fault.seat, result.fault.reason) == (-1, "table")
    assert result.fault.text == "jansou: RuntimeError: no tile"
    assert result.outcome.ending is Ending.FAULT
    assert result.outcome.scores == (0, 0, 0, 0)
    assert json.loads(result.line)[-3]["reason"] == "fault"
    with pytest.raises(FileError, match="the engine failed in this hand"):
        replay_riichi(result.line)


def test_a_record_of_another_engine_is_refused():
    _, result = play()
    found = importlib.metadata.version("jansou")
    line = result.line.replace(f"jansou {found}", "jansou 0.1")
    message = f"a record of jansou 0.1, expected jansou {found}, which is installed"
    with pytest.raises(FileError, match=message):
        replay_riichi(line)


def test_a_changed_record_is_refused():
    _, result = play()
    messages = json.loads(result.line)
    messages[2]["pai"] = "1m" if messages[2]["pai"] != "1m" else "2m"
    with pytest.raises(FileError, match=r"message 3 \(tsumo\) is not what the engine writes"):
        replay_riichi(json.dumps(messages))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("riichi,kongs=0", "rules riichi: 'kongs=0', expected no choices: the engine has its own"),
        ("rich", "rules 'rich': unknown, expected one of m0, gmjbg, jj, riichi"),
    ],
)
def test_unknown_rules_are_refused(text, message):
    with pytest.raises(GameError, match=message):
        get_table_rules(text)


def test_a_missing_engine_is_named(monkeypatch):
    monkeypatch.setattr("mjopt._internal.optional_deps.find_spec", {}.get)
    with pytest.raises(MissingExtraError, match=r"pip install 'mjopt\[riichi\]'"):
        get_table_rules("riichi")


@pytest.mark.parametrize("agent", ["rollout", "ceiling", "normal:taught"])
def test_agents_of_other_rules_say_what_they_play(agent, capsys):
    assert execute(("battle", agent, "l1", "l1", "l1", "--rules", "riichi", "-n", "1")) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert "riichi" in lines[0]
    assert "expected" in lines[0]


def test_messages_hide_what_a_seat_does_not_see():
    table, _ = play(game=2)
    for seat in range(4):
        seen = table.view(seat).messages
        assert len(seen) == len(table.messages)
        for shown, message in zip(seen, table.messages, strict=True):
            if message["type"] == "start_kyoku":
                hands = [
                    hand if other == seat else ["?"] * 13
                    for other, hand in enumerate(message["tehais"])
                ]
                assert shown == {**message, "tehais": hands}
            elif message["type"] == "tsumo" and message["actor"] != seat:
                assert shown == {**message, "pai": "?"}
            else:
                assert shown == message


@pytest.mark.parametrize("flag", ["", "--single "])
def test_a_bot_that_speaks_mjai_plays_without_a_fault(flag):
    """It is sent what a seat sees, and its own declaration once."""
    bot = f"mjai:{flag}{sys.executable} -m mjopt mjai deficiency"
    for game in range(3):
        table, result = play((bot, "deficiency", "l2", "deficiency"), game=game)
        assert not result.fault, result.fault
        assert table.outcome is not None
