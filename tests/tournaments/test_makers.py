"""Nothing in a battle is stale: games stand while those that played them are what they were."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mjopt._internal.program_files import program_code
from mjopt.errors import GameError, MjoptError
from mjopt.game.agents import AGENTS, read_agent
from mjopt.studies.provenance import MADE_BY
from mjopt.tournaments import Plan, fight, play_league

BOT = """
class Bot:
    name = "bot"

    def __init__(self, last=False):
        self.last = last

    def choose(self, view, moves, *, rng):
        return moves[-1 if self.last else 0]
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    print(json.dumps(json.loads(line)["moves"][0]), flush=True)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


def battle(*agents, games=2, **how):
    """Fight a small battle in the folder; return it and what was said."""
    said = []
    plan = Plan(agents=(*agents, *["first"] * (4 - len(agents))), rules="m0", games=games, rounds=1)
    return fight(plan, folder=Path("out"), say=said.append, **how), said


def edit(old, new, name="bot.py"):
    path = Path(name)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_a_class_of_a_file_plays_as_one_of_ours_would():
    found, _ = battle("bot.py:Bot")
    plan = Plan(agents=("first",) * 4, rules="m0", games=2, rounds=1)
    assert (found.rows == fight(plan).rows).all()
    assert found.names == ("bot", "first", "first", "first")
    two, _ = battle("bot.py:Bot", games=9, jobs=2)
    assert len(two.rows) == 9
    assert (two.rows == fight(Plan(agents=plan.agents, rules="m0", games=9, rounds=1)).rows).all()


def test_an_edited_agent_plays_again():
    before, said = battle("bot.py:Bot")
    assert said == []
    assert battle("bot.py:Bot")[1] == []
    more, said = battle("bot.py:Bot", games=3)
    assert said == []
    assert (more.rows[:2] == before.rows).all()
    edit("-1 if self.last else 0", "-1")
    after, said = battle("bot.py:Bot", games=3)
    assert said == [
        "out: bot.py:Bot has changed since mjopt 0.1.0 noted it: its games are played again"
    ]
    assert not (after.rows == more.rows).all()
    assert battle("bot.py:Bot", games=3)[1] == []


def test_a_crash_names_the_line():
    edit("return moves[-1 if self.last else 0]", "return 1 / 0")
    assert battle("bot.py:Bot", games=1)[0].faults == [
        "game 0, round 1, agent 1 (bot): crash: ZeroDivisionError: division by zero (line 9)"
    ]


def test_a_battle_that_was_stopped_is_not_gone_on_with_by_another_agent():
    def stop(number):
        if number:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        battle("bot.py:Bot", games=9, advance=stop)
    edit("-1 if self.last else 0", "-1")
    found, said = battle("bot.py:Bot", games=9)
    assert "bot.py:Bot has changed" in said[0]
    new = fight(Plan(agents=found.plan.agents, rules="m0", games=9, rounds=1))
    assert (found.rows == new.rows).all()


def test_a_program_is_known_by_its_files():
    Path("player.py").write_text(PROGRAM.replace("json, sys", "json, sys, beside"))
    Path("beside.py").write_text("x = 1\n")
    text = f"mine=process:{sys.executable} player.py"
    found, said = battle(text)
    assert (found.names[0], said) == ("mine", [])
    assert battle(text)[1] == []
    Path("beside.py").write_text("x = 2\n")
    assert f"{text} has changed" in battle(text)[1][0]


def test_a_file_that_the_program_writes_itself_is_no_change():
    Path("player.py").write_text(PROGRAM.replace("for", "open(sys.argv[1], 'a').write('x')\nfor"))
    Path("log").write_text("")
    text = f"process:{sys.executable} player.py log"
    battle(text)
    Path("log").write_text("something else")
    assert battle(text)[1] == []
    assert battle(text, games=3)[1] == []
    Path("log").write_text("")
    assert battle(text, games=3)[1] == []
    edit("moves", "moves ", "player.py")
    assert "has changed" in battle(text, games=3)[1][0]


def test_what_is_known_of_a_program(folder, monkeypatch):
    Path("sub").mkdir()
    Path("sub/tool.py").write_text("import sys; print('tool', 7 if '--version' in sys.argv else 8)")
    Path("weights").write_text("1")
    assert set(program_code(["python3", "-u", "bot.py", "--net=weights"])) == {
        "bot.py",
        "--net=weights",
    }
    assert set(program_code(["python3", "-m", "sub.tool"])) == {"sub.tool"}
    first = program_code(["python3", "bot.py"])
    Path("bot.py").write_text("# Words.\n" + BOT)
    assert program_code(["python3", "bot.py"]) == first
    assert program_code([sys.executable, "-m", "no_such_module"]).keys() == {"modified"}
    tool = folder / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text(f"#!{sys.executable}\nimport sys\nprint('tool', len(sys.argv))\n")
    tool.chmod(0o755)
    assert program_code([str(tool), "7"]).keys() == {str(tool)}
    if os.name == "posix":
        monkeypatch.setenv("PATH", str(tool.parent), prepend=os.pathsep)
        assert program_code(["tool"]).keys() == {"tool"}
        assert program_code(["tool", "-v"]).keys() == {"tool"}
        assert program_code(["tool", "7"]) == {"--version": "tool 3"}
    assert program_code(["no-such-program", "7"]) == {}


def test_games_of_before_there_were_records_are_kept_and_it_is_said():
    before, _ = battle("bot.py:Bot")
    Path("out", MADE_BY).unlink()
    after, said = battle("bot.py:Bot")
    assert said == ["out: what code played its games was not noted: they are kept"]
    assert (before.rows == after.rows).all()
    assert battle("bot.py:Bot")[1] == []


def test_a_release_alone_is_no_other_battle():
    before, _ = battle("l1")
    plan = json.loads(Path("out/plan.json").read_text()) | {"version": "0.0.9"}
    Path("out/plan.json").write_text(json.dumps(plan))
    more, said = battle("l1", games=3)
    assert said == []
    assert (more.rows[:2] == before.rows).all()
    record = json.loads(Path("out", MADE_BY).read_text())
    record["rules"] = {"mjopt": "0.0.9", "code": "0" * 64}
    Path("out", MADE_BY).write_text(json.dumps(record))
    said = battle("l1", games=3)[1]
    assert said == [
        "out: the play by the rules has changed since mjopt 0.0.9 noted it: its games are played "
        "again"
    ]


def test_a_league_plays_again_what_the_edited_member_played():
    said = []
    how = {"games": 4, "rules": "m0", "folder": Path("out"), "say": said.append}
    play_league(["bot.py:Bot", "first", "random"], **how)
    kept = Path("out/2-3/games.npy").read_bytes()
    edit("-1 if self.last else 0", "-1")
    play_league(["bot.py:Bot", "first", "random"], **how)
    assert [line.partition(":")[0] for line in said] == ["out/1-2", "out/1-3"]
    assert Path("out/2-3/games.npy").read_bytes() == kept
    play_league(["bot.py:Bot", "first", "random", "l1"], **how)  # a league grows at its end
    assert len(said) == 2
    assert Path("out/2-3/games.npy").read_bytes() == kept


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no.py:Bot", r"^no.py: no such file"),
        ("bot.py:Bat", "bot.py has no class 'Bat', expected one of Bot"),
        ("bot.py", "agent 'bot.py': expected FILE.py:CLASS"),
        ("bot.py:Bot:first=true", "has no option 'first', expected one of last"),
        ("none.py:Mute", "none.py:Mute is no agent: it has no method 'choose'"),
        ("none.py:Nameless", "none.py:Nameless is no agent: it has no 'name'"),
        ("none.py:L1", "none.py:L1 is called l1 as one of ours is: ALIAS=none.py:L1"),
        ("none.py:Needs", "agent none.py:Needs cannot be made: TypeError: .*'depth'"),
        ("torn.py:Bot", r"torn.py, line 2: '\(' was never closed"),
        ("fails.py:Bot", r"fails.py, line 1, fails: ZeroDivisionError: division by zero"),
        ("l1=bot.py:Bot", "l1 is an agent of its own, expected another alias"),
        ("my bot=bot.py:Bot", "alias 'my bot', expected letters, digits"),
    ],
)
def test_what_is_no_agent_is_refused_in_one_line(text, message):
    Path("none.py").write_text(
        "class Mute: name = 'mute'\n"
        "class Nameless:\n    def choose(self, view, moves, *, rng): return moves[0]\n"
        "class L1(Nameless): name = 'l1'\n"
        "class Needs(Nameless):\n    name = 'needs'\n    def __init__(self, depth): pass\n"
    )
    Path("torn.py").write_text("import sys\nx = (\n")
    Path("fails.py").write_text("x = 1 / 0\n")
    with pytest.raises(MjoptError, match=message) as refusal:
        read_agent(text)
    assert "\n" not in str(refusal.value)


def test_a_file_may_register_its_agent():
    """It is no other than itself then, by its name or an alias; another file's is refused."""
    bot = Path("bot.py").read_text()
    Path("held.py").write_text(
        f"{bot}\nfrom mjopt.game.agents import AGENTS\nAGENTS[Bot.name] = Bot\n"
    )
    try:
        for text in ("held.py:Bot", "held.py:Bot", "bot=held.py:Bot", "held.py:Bot"):
            assert read_agent(text).name == "bot"
        told = f"bot.py:Bot is called bot as Bot of {Path('held.py').absolute()} is: ALIAS="
        with pytest.raises(GameError, match=re.escape(told)):
            read_agent("bot.py:Bot")
    finally:
        del AGENTS["bot"]


def test_options_and_aliases():
    agent = read_agent("mine=bot.py:Bot:last=true")
    assert (agent.name, agent.agent.last) == ("mine", True)
    levels = Plan(agents=("a=l1", "l2", "b=l1", "l3"), games=20)
    found, plain = fight(levels), fight(Plan(agents=("l1", "l2", "l1", "l3"), games=20))
    assert found.names == ("a", "l2", "b", "l3")
    assert np.array_equal(found.rows, plain.rows)  # compiled as they are without


def test_two_agents_of_one_name_are_not_taken_for_one():
    Path("other.py").write_text(BOT)
    with pytest.raises(GameError, match=r"bot.py:Bot and other.py:Bot are both called bot"):
        battle("bot.py:Bot", "other.py:Bot")
    assert battle("bot.py:Bot", "two=other.py:Bot")[0].names[:2] == ("bot", "two")
