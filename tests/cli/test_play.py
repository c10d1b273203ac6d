"""`mjopt play`: games and matches with typed input."""

import errno
import io
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import pytest
from helpers.arranged_game import JUNK, act, arranged
from helpers.surroundings import standard_input

from mjopt.cli import play, stdio
from mjopt.play.game import GMJBG, M0_RULES, Course, Match, replay, write_record


def script():
    """Type every tile at every prompt, because one of them can be discarded."""
    every = [f"{rank}{suit}" for suit in "zspm" for rank in range(9, 0, -1)]
    return "\n".join(["n", *every] * 60) + "\n"


def test_game_is_played_to_its_end(mjopt, tmp_path):
    path = tmp_path / "games.txt"
    ask = ("play", "l1", "first", "random", "--seed", "3", "--rules", "m0", "--seat", "2")
    ask += ("--number", "1")
    ask += ("--records", str(path), "--hints", "--notation", "unicode")
    ran = mjopt(*ask, stdin=script())
    assert ran.status == 0
    assert "m0: you are seat 2; seat 1 l1, seat 3 first, seat 4 random" in ran.out
    assert "seed 3" in ran.err
    assert "hint: " in ran.out
    assert "🀇" in ran.out or "🀙" in ran.out
    state = replay(path.read_text().strip())
    assert " names=l1,you,first,random " in path.read_text()
    last = ran.out.splitlines()[-5:]
    assert [line.split(":")[0] for line in last[:4]] == [f"seat {n}" for n in (1, 2, 3, 4)]
    assert last[1].endswith(f"{state.outcome.scores[1]:+d}")


def test_clock_makes_the_default_move(mjopt, monkeypatch):
    reader, writer = os.pipe()  # input that never comes
    with open(reader) as silent, open(writer, "w"):
        words = ("--seed", "1", "--rules", "m0", "--number", "1", "--clock", "0.01+1")
        pauses = []
        monkeypatch.setattr("mjopt.play.game.agents.human.time.sleep", pauses.append)
        ran = mjopt("play", *words, stdin=silent)
    assert ran.status == 0
    shown = re.findall(r"^(?:time is over|seat \d (?:discards|pongs|chows)).*", ran.out, re.M)
    assert set(pauses) == {1.0}
    assert len(pauses) == len(shown)
    assert re.search(r"time is over: [1-9][mps]\n", ran.out)
    assert "\nleft\n" not in ran.out
    assert mjopt("play", "--clock", "nan").err.startswith("mjopt: --clock nan, expected 0.001 to")
    assert mjopt("play", "--clock", "5+-1").err.startswith(
        "mjopt: --clock 5+-1, expected 0 to 3600"
    )
    assert mjopt("play", "--clock", "fast").err.startswith("mjopt: --clock fast, expected seconds")


def test_record_is_printed_without_a_file(mjopt):
    ran = mjopt("play", "--seed", "1", "--rules", "m0", "--number", "1", stdin=script())
    assert replay(ran.out.splitlines()[-1]).is_over


def test_match_ends_when_everyone_has_been_dealer(mjopt, tmp_path):
    path = tmp_path / "games.txt"
    words = ("--seed", "4", "--rules", "m0", "--seat", "3", "--records", str(path))
    ran = mjopt("play", *words, stdin=script() * 8)  # and Enter between hands
    assert ran.status == 0
    names = ("l1", "l2", "you", "l3")
    match = Match(rules=M0_RULES, names=names, seed=4, lines=tuple(path.read_text().splitlines()))
    assert match.is_over
    assert set(match.dealers) == {0, 1, 2, 3}
    for line in match.lines:
        replay(line)
    seats = zip(names, match.standing, match.won, strict=True)
    shown = [f"seat {n} {name} {s:+d} ({won} won)" for n, (name, s, won) in enumerate(seats, 1)]
    assert ran.out.splitlines()[-1] == f"the match is over: {', '.join(shown)}"
    asked = re.findall(r"seat (\d) deals the next hand \(Enter", ran.out)
    assert [int(seat) - 1 for seat in asked] == list(match.dealers[1:])
    assert [line.split(":")[0] for line in ran.out.splitlines() if line.startswith("after")] == [
        f"after hand {number}" for number in range(1, len(match.lines))
    ]


@pytest.mark.parametrize("answer", ["q\n", ""])
def test_match_can_be_left_between_hands(mjopt, tmp_path, answer):
    path = tmp_path / "games.txt"

    class Leaver(io.StringIO):
        def readline(self, *size):
            return answer if path.exists() else super().readline(*size)

    words = ("--seed", "4", "--rules", "m0", "--records", str(path))
    ran = mjopt("play", *words, stdin=Leaver(script()))
    assert (ran.status, ran.out.endswith("left\n")) == (0, True)
    assert len(path.read_text().splitlines()) == 1
    assert "deals the next hand (Enter, or q to leave)" in ran.out.splitlines()[-1]


def test_thirteen_orphans_are_named(mjopt, monkeypatch):
    hand = "19m19p19s1234567z"
    state = act(arranged(GMJBG, [hand, JUNK, "", ""], draws="1m"), "H1m")
    line = write_record(state, names=["you", "l1", "l2", "l3"], game=0)
    result = SimpleNamespace(line=line, outcome=state.outcome, fault=None)
    monkeypatch.setattr(play, "run_next_hand", lambda *_: result)
    match = Match(rules=GMJBG, names=("you", "l1", "l2", "l3"), course=Course(most_hands=1))
    monkeypatch.setattr(play, "open_match", lambda *_, **__: match)
    ran = mjopt("play", "--seed", "1", "--number", "1")
    assert "seat 1 wins with 1m (own draw, thirteen orphans)" in ran.out


@pytest.mark.parametrize("text", ["q\n", ""])
def test_leaving_has_status_0(mjopt, text):
    ran = mjopt("play", "--seed", "1", stdin=text)
    assert (ran.status, ran.out.splitlines()[-1].split(": ")[-1]) == (0, "left")


def test_notation_without_signs_for_all_tiles_is_refused_first(mjopt, tmp_path):
    ran = mjopt(
        "play", "l1", "l1", "l1", "--rules", "gmjbg", "--notation", "paper", "--records", "r"
    )
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines()[-1].endswith("1z has no sign in notation paper")
    assert not (tmp_path / "r").exists()


def test_seed_is_random_by_default(mjopt):
    assert len({mjopt("play", stdin="q\n").err for _ in range(3)}) > 1


def test_record_is_written_before_the_end_is_printed(mjopt, tmp_path):
    path = tmp_path / "games.txt"

    class BreaksAtTheEnd(io.StringIO):
        def write(self, text):
            if path.exists():
                raise OSError(errno.EIO, "Input/output error")
            return super().write(text)

    words = ("--seed", "1", "--rules", "m0", "--records", str(path))
    with redirect_stdout(BreaksAtTheEnd()):
        assert mjopt("play", *words, stdin=script()).status == 2
    assert replay(path.read_text().strip()).is_over


def test_undecodable_input_is_asked_again(mjopt):
    with (
        standard_input(b"\xff\nq\n"),
        redirect_stdout(sys.stdout),
        redirect_stderr(sys.stderr),
    ):
        stdio.open_streams()
        ran = mjopt("play", "--seed", "1", stdin=sys.stdin)
        stdio.close_streams()
    assert ran.status == 0
    assert ran.out.splitlines()[-1].endswith("left")
