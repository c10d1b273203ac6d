"""Folders of battles: resumed, extended, and never mixed with games of other code."""

import sys
from pathlib import Path

import numpy as np
import pytest

import mjopt
from mjopt.errors import FileError
from mjopt.play import league
from mjopt.play.tournaments import checkpoint
from mjopt.play.tournaments.checkpoint import UNITS, open_battle_folder
from mjopt.play.tournaments.config import BattleConfig
from mjopt.play.tournaments.results import ROW

AGENTS = ("random", "l1", "first", "l1")
OPTIONS = {"rules": "m0", "seed": 6, "rounds": 2}
GAMES = 10
BOT = """
class Bot:
    name = "bot"

    def choose(self, view, moves, *, rng):
        return moves[0]
"""


class StoppedError(Exception):
    pass


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A battle without interruption: its rows, its records and its folder."""
    folder = tmp_path_factory.mktemp("whole")
    result = mjopt.play.battle(
        AGENTS, games=GAMES, folder=folder / "out", records=folder / "games.txt", **OPTIONS
    )
    return result.rows, (folder / "games.txt").read_bytes(), folder / "out"


def stop_after(num_games, folder, **options):
    """Play a battle, stop it when some games are played, and return how many are kept."""
    played = 0

    def advance(number):
        nonlocal played
        played += number
        if played >= num_games:
            raise StoppedError

    settings = {**OPTIONS, **options}
    with pytest.raises(StoppedError):
        mjopt.play.battle(AGENTS, games=GAMES, folder=folder, advance=advance, **settings)
    return played


def test_a_complete_folder_holds_the_configuration_and_the_rows(whole):
    rows, _, folder = whole
    assert sorted(path.name for path in folder.iterdir()) == ["battle.json", "games.npz"]
    assert (np.load(folder / "games.npz")["rows"] == rows).all()
    assert len(rows) == GAMES * 2


@pytest.mark.parametrize("flush_seconds", [0.0, 60.0])
def test_a_stopped_battle_continues_to_the_same_files(tmp_path, whole, monkeypatch, flush_seconds):
    monkeypatch.setattr(checkpoint, "FLUSH_SECONDS", flush_seconds)
    rows, records, complete = whole
    out, written = tmp_path / "out", tmp_path / "games.txt"
    played = stop_after(16, out, records=written)
    assert not written.exists()
    done = []
    result = mjopt.play.battle(
        AGENTS, games=GAMES, folder=out, records=written, advance=done.append, **OPTIONS
    )
    assert done[0] == played == 16
    assert (result.rows == rows).all()
    assert written.read_bytes() == records
    assert (out / "games.npz").read_bytes() == (complete / "games.npz").read_bytes()
    assert not (out / UNITS).exists()


def test_faults_are_kept_and_reported_once(tmp_path):
    agents = ("process:no-such-program", "l1", "l1", "l1")
    options = {"rules": "m0", "rounds": 1}
    expected = mjopt.play.battle(agents, games=6, **options).faults
    assert len(expected) == 6
    mjopt.play.battle(agents, games=4, folder=tmp_path / "out", **options)
    for _ in range(2):
        result = mjopt.play.battle(agents, games=6, folder=tmp_path / "out", **options)
        assert result.faults == expected
    text = (tmp_path / "out" / "faults.txt").read_text()
    assert text.count("cannot start no-such-program") == 6


def test_a_name_with_a_line_break_does_not_break_the_folder(tmp_path):
    agents = ("process:'no-such\nprogram'", "l1", "l1", "l1")
    options = {"rules": "m0", "games": 2, "rounds": 1, "folder": tmp_path}
    first = mjopt.play.battle(agents, **options)
    assert "no-such\\x0aprogram" in first.faults[0]
    assert mjopt.play.battle(agents, **options).faults == first.faults


def test_a_complete_battle_can_be_extended(tmp_path, whole):
    rows, _, complete = whole
    out, done = tmp_path / "out", []
    mjopt.play.battle(AGENTS, games=4, folder=out, **OPTIONS)
    result = mjopt.play.battle(AGENTS, games=GAMES, folder=out, advance=done.append, **OPTIONS)
    assert done[0] == 8
    assert (result.rows == rows).all()
    assert (out / "games.npz").read_bytes() == (complete / "games.npz").read_bytes()


@pytest.mark.parametrize("wants_records", [False, True])
def test_a_request_for_fewer_games_returns_all(tmp_path, whole, wants_records):
    rows, records, _ = whole
    out, written = tmp_path / "out", tmp_path / "games.txt"
    mjopt.play.battle(AGENTS, games=GAMES, folder=out, **OPTIONS)
    fewer = mjopt.play.battle(
        AGENTS, games=4, folder=out, records=written if wants_records else None, **OPTIONS
    )
    assert fewer.config.games == GAMES
    assert (fewer.rows == rows).all()
    assert not wants_records or written.read_bytes() == records


def test_a_request_for_fewer_games_keeps_those_of_a_stopped_battle(tmp_path, whole):
    stop_after(16, tmp_path / "out")
    result = mjopt.play.battle(AGENTS, games=2, folder=tmp_path / "out", **OPTIONS)
    assert result.config.games == 8
    assert (result.rows == whole[0][:16]).all()


def test_finished_rows_survive_an_interruption_while_records_are_made(tmp_path, whole):
    out = tmp_path / "out"
    mjopt.play.battle(AGENTS, games=GAMES, folder=out, **OPTIONS)
    stop_after(8, out, records=tmp_path / "games.txt")
    result = mjopt.play.battle(AGENTS, games=2, folder=out, **OPTIONS)
    assert (result.rows == whole[0]).all()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("battle.json", b"[]", "not the configuration of a battle"),
        ("battle.json", b"", "not JSON"),
        ("battle.json", b"\xff\xfe{", "not UTF-8 text at byte 0"),
        ("games.npz", b"", "not the rows of this battle"),
        ("games.npz", b"PK\3\4", "not the rows of this battle"),
        ("faults.txt", b"\xff", "not the faults of this battle"),
        ("faults.txt", b"one\ttwo", "not the faults of this battle"),
        ("units/0000000000.unit", b"PK\3\4", "not as it was written, expected the finished unit"),
    ],
)
def test_damaged_files_are_named(tmp_path, name, content, expected):
    mjopt.play.battle(AGENTS, games=2, folder=tmp_path, **OPTIONS)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=expected) as raised:
        mjopt.play.battle(AGENTS, games=2, folder=tmp_path, **OPTIONS)
    assert str(tmp_path / name) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_rows_of_another_battle_are_refused_and_stay(tmp_path):
    """They may have the same numbers of games and rounds."""
    for seed in (1, 2):
        mjopt.play.battle(AGENTS, games=2, folder=tmp_path / str(seed), **OPTIONS | {"seed": seed})
    other = (tmp_path / "1" / "games.npz").read_bytes()
    (tmp_path / "2" / "games.npz").write_bytes(other)
    with pytest.raises(FileError, match=r"games\.npz: not the rows of this battle"):
        mjopt.play.battle(AGENTS, games=2, folder=tmp_path / "2", **OPTIONS | {"seed": 2})
    assert (tmp_path / "2" / "games.npz").read_bytes() == other


def test_a_changed_byte_of_the_rows_is_found(tmp_path):
    rows = mjopt.play.battle(AGENTS, games=2, folder=tmp_path, **OPTIONS).rows
    content = (tmp_path / "games.npz").read_bytes()
    num_refused = 0
    for place in range(0, len(content), 31):
        changed = bytearray(content)
        changed[place] ^= 16
        (tmp_path / "games.npz").write_bytes(changed)
        try:
            again = mjopt.play.battle(AGENTS, games=2, folder=tmp_path, **OPTIONS).rows
        except FileError:
            num_refused += 1
        else:  # a date in the header of the archive
            assert (again == rows).all()
    assert num_refused > len(content) / 31 / 2


def rows_with(field, value):
    def change(rows):
        rows[field] = value
        return rows

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: np.arange(len(rows)),
        lambda rows: rows[:3],
        lambda rows: rows[::-1].copy(),
        lambda rows: rows.reshape(2, 2),
        rows_with("game", 7),
        rows_with("ending", 200),
        rows_with("fault", 200),
        rows_with("payer", 4),
    ],
)
def test_rows_of_something_else_are_refused_and_stay(tmp_path, change):
    mjopt.play.battle(AGENTS, games=1, folder=tmp_path, **OPTIONS)
    rows = np.zeros(4, ROW)
    rows["game"], rows["round"] = [0, 0, 1, 1], [0, 1, 0, 1]
    battle = np.load(tmp_path / "games.npz")["battle"]
    np.savez(tmp_path / "games.npz", rows=change(rows), battle=battle)
    before = (tmp_path / "games.npz").read_bytes()
    with pytest.raises(FileError, match=r"games\.npz: not the rows of this battle"):
        mjopt.play.battle(AGENTS, games=2, folder=tmp_path, **OPTIONS)
    assert (tmp_path / "games.npz").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [{"seed": 7}, {"rounds": 1}, {"agents": ["l1"] * 4}, {"rules": "jj"}, {"dealer": "first"}],
)
def test_a_folder_of_another_battle_is_refused(tmp_path, change):
    mjopt.play.battle(AGENTS, games=1, folder=tmp_path, **OPTIONS)
    options = {"agents": AGENTS, "games": 1, **OPTIONS, **change}
    with pytest.raises(FileError, match=f"holds another battle \\({next(iter(change))} .*, not "):
        mjopt.play.battle(folder=tmp_path, **options)


def test_a_folder_without_a_battle_is_refused(tmp_path):
    (tmp_path / "1-2").mkdir()
    (tmp_path / "1-2" / "plan.json").write_text("{}")
    message = "holds plan.json and no battle, expected an empty or a new folder"
    with pytest.raises(FileError, match=message):
        mjopt.play.battle(AGENTS, games=1, folder=tmp_path / "1-2")
    with pytest.raises(FileError, match=message):
        league(["l1", "l2"], games=4, folder=tmp_path)


def test_a_missing_unit_is_played_again(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(checkpoint, "FLUSH_SECONDS", 0.0)
    stop_after(16, tmp_path)
    units = sorted((tmp_path / UNITS).iterdir())
    units[0].unlink()
    done = []
    result = mjopt.play.battle(AGENTS, games=GAMES, folder=tmp_path, advance=done.append, **OPTIONS)
    assert done[0] == 0
    assert (result.rows == whole[0]).all()


def test_a_folder_has_one_writer(tmp_path):
    config = BattleConfig(agents=AGENTS, games=1)
    with (
        open_battle_folder(tmp_path, config, provenance={}),
        pytest.raises(FileError, match="another process is writing"),
    ):
        mjopt.play.battle(AGENTS, games=1, folder=tmp_path)


def test_the_folder_must_be_possible(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="is a file"):
        mjopt.play.battle(AGENTS, games=1, folder=tmp_path / "file")
    with pytest.raises(FileError, match="does not exist"):
        mjopt.play.battle(AGENTS, games=1, folder=tmp_path / "a" / "b")


@pytest.fixture
def bot(in_tmp_path):
    """A file with an agent in the working directory."""
    path = Path("bot.py")
    path.write_text(BOT)
    return path


def play_bot(games=2, **options):
    """Play a battle of the bot in a folder; return it and the messages."""
    messages = []
    agents = ["bot.py:Bot", "first", "first", "first"]
    result = mjopt.play.battle(
        agents, rules="m0", games=games, rounds=1, folder="out", log=messages.append, **options
    )
    return result, messages


def test_games_of_an_edited_agent_are_played_again(bot):
    before, _ = play_bot()
    assert play_bot(3)[1] == []
    bot.write_text(BOT.replace("moves[0]", "moves[-1]"))
    after, messages = play_bot(3)
    assert messages == ["out: bot.py:Bot changed: the games are played again"]
    assert not (after.rows[:2] == before.rows).all()
    assert play_bot(3)[1] == []


def test_units_of_an_edited_agent_are_played_again(bot):
    def stop(number):
        if number:
            raise StoppedError

    with pytest.raises(StoppedError):
        play_bot(9, advance=stop)
    bot.write_text(BOT.replace("moves[0]", "moves[-1]"))
    result, messages = play_bot(9)
    assert "bot.py:Bot changed" in messages[0]
    expected = mjopt.play.battle(result.config.agents, rules="m0", games=9, rounds=1)
    assert (result.rows == expected.rows).all()


def test_a_program_is_known_by_the_files_it_is_given(bot):
    bot.write_text("import json, sys\nfor line in sys.stdin:\n"
                   "    print(json.dumps(json.loads(line)['moves'][0]), flush=True)\n")  # fmt: skip
    agents = [f"mine=process:{sys.executable} bot.py", "l1", "l1", "l1"]
    messages = []
    options = {"rules": "m0", "games": 1, "rounds": 1, "folder": "out", "log": messages.append}
    mjopt.play.battle(agents, **options)
    mjopt.play.battle(agents, **options)
    assert messages == []
    bot.write_text(bot.read_text() + "# edited\n")
    mjopt.play.battle(agents, **options)
    assert "changed: the games are played again" in messages[0]


def test_a_league_plays_again_only_battles_of_the_edited_member(bot):
    messages = []
    options = {"games": 4, "rules": "m0", "folder": "out", "log": messages.append}
    league(["bot.py:Bot", "first", "random"], **options)
    unchanged = Path("out/2-3/games.npz").read_bytes()
    bot.write_text(BOT.replace("moves[0]", "moves[-1]"))
    league(["bot.py:Bot", "first", "random"], **options)
    assert [line.partition(":")[0] for line in messages] == ["out/1-2", "out/1-3"]
    league(["bot.py:Bot", "first", "random", "l1"], **options)
    assert len(messages) == 2
    assert Path("out/2-3/games.npz").read_bytes() == unchanged


def test_a_class_of_a_file_plays_the_same_in_workers(bot):
    one, _ = play_bot(9)
    agents = one.config.agents
    two = mjopt.play.battle(agents, rules="m0", games=9, rounds=1, jobs=2)
    assert (one.rows == two.rows).all()
    assert one.names == ("bot", "first", "first", "first")


def test_a_crash_names_the_line_of_the_file(bot):
    bot.write_text(BOT.replace("return moves[0]", "return 1 / 0"))
    assert play_bot(1)[0].faults == [
        "game 0, round 1, agent 1 (bot): crash: ZeroDivisionError: division by zero (line 6)"
    ]


def test_two_agents_of_one_name_need_aliases(bot):
    Path("other.py").write_text(BOT)
    options = {"games": 1, "rules": "m0", "rounds": 1}
    with pytest.raises(mjopt.MjoptError, match=r"bot.py:Bot and other.py:Bot are both called bot"):
        mjopt.play.battle(["bot.py:Bot", "other.py:Bot", "l1", "l1"], **options)
    result = mjopt.play.battle(["bot.py:Bot", "two=other.py:Bot", "l1", "l1"], **options)
    assert result.names[:2] == ("bot", "two")
