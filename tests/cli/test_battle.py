"""`mjopt battle`: output and files."""

import json
import sys
from pathlib import Path

PLAYER = Path(__file__).parents[1] / "data" / "players" / "player.py"
LEVELS = ("l1", "l3", "l1", "l2")


def test_every_table_is_printed(mjopt):
    ran = mjopt("battle", *LEVELS, "-n", "30", "--seed", "5", "-j", "1")
    assert ran.status == 0
    assert "seed 5" in ran.err
    for words in ("gmjbg, 30 games x 4 rounds, seed 5", "same walls", "How the games ended"):
        assert words in ran.out
    assert ran.out.count("│ l3 ") >= 3


def test_json_has_entrants_and_endings(mjopt):
    ran = mjopt("battle", *LEVELS, "-n", "30", "--rounds", "1", "--json", "-j", "1")
    assert ran.status == 0
    assert ran.json["played"] == 30
    assert ran.json["rounds"] == 1
    assert [entrant["name"] for entrant in ran.json["entrants"]] == list(LEVELS)
    assert sum(entrant["points"] for entrant in ran.json["entrants"]) == 0
    assert ran.json["drawn"]["games"] + sum(ran.json["endings"][e] for e in ("discard", "own draw"))


def test_equivalence_within_a_margin(mjopt):
    words = ("battle", "l1", "l2", "l1", "l2", "-n", "10", "--rounds", "2", "-j", "1", "--json")
    wide, narrow = (
        json.loads(mjopt(*words, "--margin", margin).out)["pairs"][0]["tests"]["equivalence"]
        for margin in ("9", "0.001")
    )
    assert wide["p"] < 0.001
    assert narrow["p"] > 0.5
    assert wide["effect_name"] == "difference, margin 9"
    assert "p (apart by under 9)" in mjopt(*words[:-1], "--margin", "9").out
    assert mjopt(*words, "--margin", "nan").err == "mjopt: --margin nan, expected above 0\n"


def test_games_do_not_depend_on_the_number_of_processes(mjopt, tmp_path):
    documents, files = [], []
    for number, words in enumerate((["-j", "2"], ["-j", "1"])):
        out = tmp_path / str(number)
        records = tmp_path / f"{number}.txt"
        ran = mjopt(
            "battle",
            *LEVELS,
            "-n",
            "12",
            "--json",
            "-o",
            str(out),
            "--records",
            str(records),
            *words,
        )
        assert ran.status == 0
        documents.append(ran.json)
        files.append((records.read_bytes(), (out / "games.npz").read_bytes()))
    assert documents[0] == documents[1]
    assert files[0] == files[1]


def test_battle_resumes_with_more_games(mjopt, tmp_path):
    ask = ("battle", "random", "l1", "first", "l2", "--rules", "m0", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8").json
    mjopt(*ask, "-n", "3", "-o", str(tmp_path / "out"))
    assert mjopt(*ask, "-n", "8", "-o", str(tmp_path / "out")).json == whole
    other = mjopt(*ask, "-n", "8", "--seed", "1", "-o", str(tmp_path / "out"))
    assert other.status == 2
    assert "holds another battle (seed 0, not 1); name another folder" in other.err


def test_fewer_games_keep_all_stored_ones(mjopt, tmp_path):
    ask = ("battle", "random", "l1", "first", "l2", "--rules", "m0", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8", "-o", str(tmp_path))
    before = (tmp_path / "games.npz").read_bytes()
    ran = mjopt(*ask, "-n", "3", "-o", str(tmp_path))
    assert (ran.status, ran.json) == (0, whole.json)
    assert f"{tmp_path}: holds 8 games, more than 3: all are reported" in ran.err
    assert (tmp_path / "games.npz").read_bytes() == before


def test_preset_prints_the_published_results(mjopt):
    ran = mjopt("battle", "gmjbg-table-2", "-n", "40", "-j", "1")
    assert ran.status == 0
    assert "Published (The Genius of Mahjong Boys and Girls (2017), table 5) beside ours" in ran.out
    assert "18.1" in ran.out
    published = mjopt("battle", "gmjbg-table-1", "-n", "9", "-j", "1", "--json").json
    assert published["published"]["wins"] == [9.6, 24.0, 9.7, 18.7]


def test_program_plays_and_illegal_moves_are_faults(mjopt):
    good, bad = (f"process:{sys.executable} {PLAYER} {word}" for word in ("last", "cheat"))
    ask = ("--rules", "m0", "-n", "2", "--rounds", "1", "-j", "1", "--json")
    ran = mjopt("battle", good, "l1", "l1", "l1", *ask)
    assert (ran.status, ran.json["faults"]) == (0, [])
    assert " broke " not in ran.err
    ran = mjopt("battle", f"mine={bad}", "l1", "l1", "l1", *ask)
    assert ran.status == 1  # no game without a fault
    assert ran.json["entrants"][0]["faults"] == 2
    assert "2 games ended with a fault" in ran.err
    assert "agent 1 (mine)" in ran.err
    assert ran.err.endswith("mjopt: mine broke 2 of 2 games\n")


def test_some_broken_games_keep_status_0(mjopt, tmp_path):
    agent = tmp_path / "sometimes.py"
    agent.write_text(
        "class Sometimes:\n"
        "    name = 'sometimes'\n"
        "    def choose(self, view, moves, *, rng):\n"
        "        return moves[0] if view.table.dealer else None\n"
    )
    ran = mjopt("battle", f"{agent}:Sometimes", *LEVELS[1:], "-n", "2", "--rounds", "1", "-j", "1")
    assert ran.status == 0
    assert ran.err.endswith("mjopt: sometimes broke 1 of 2 games\n")


def test_messages_of_a_program_are_sanitized(mjopt, tmp_path):
    """Invalid characters and control sequences do not stop the battle."""
    bad = f"process:{sys.executable} {PLAYER} surrogate"
    ask = ("--rules", "m0", "-n", "2", "--rounds", "1", "-j", "1")
    out = ("-o", str(tmp_path / "out"), "--records", str(tmp_path / "records"))
    ran = mjopt("battle", bad, "l1", "l1", "l1", *ask, *out)
    assert ran.status == 1
    for text in (ran.err, (tmp_path / "out" / "faults.txt").read_text(encoding="utf-8")):
        assert text.count(r"reports code 100: \ud800\x1b[2J") == 2
        assert "\x1b" not in text
    assert len((tmp_path / "records").read_text().splitlines()) == 2


def test_time_limit_is_reported(mjopt):
    ran = mjopt(
        "battle", *LEVELS, "-n", "1", "--rounds", "1", "--time-limit", "60", "--json", "-j", "1"
    )
    assert ran.json["time_limit"] == 60
    assert ran.json["faults"] == []
