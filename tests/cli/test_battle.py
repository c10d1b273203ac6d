"""`mjopt battle`, from the words to the files."""

import json
import sys
from pathlib import Path

import pytest

PLAYER = Path(__file__).parents[1] / "data" / "players" / "player.py"
LEVELS = ("l1", "l3", "l1", "l2")


def test_prints_every_table(mjopt):
    ran = mjopt("battle", *LEVELS, "-n", "30", "--seed", "5", "-j", "1")
    assert ran.status == 0
    assert "seed 5" in ran.err
    for words in ("gmjbg, 30 games x 4 rounds, seed 5", "same walls", "How the games ended"):
        assert words in ran.out
    assert ran.out.count("│ l3 ") >= 3


def test_one_document_for_machines(mjopt):
    ran = mjopt("battle", *LEVELS, "-n", "30", "--plain", "--json", "-q", "-j", "1")
    assert ran.status == 0
    assert ran.json["played"] == 30
    assert ran.json["rounds"] == 1
    assert [entrant["name"] for entrant in ran.json["entrants"]] == list(LEVELS)
    assert sum(entrant["points"] for entrant in ran.json["entrants"]) == 0
    assert ran.json["drawn"]["games"] + sum(ran.json["endings"][e] for e in ("discard", "own draw"))


def test_equivalence_within_a_margin(mjopt):
    words = ("battle", "l1", "l2", "l1", "l2", "-n", "10", "--rounds", "2", "--quiet", "--json")
    wide, narrow = (
        json.loads(mjopt(*words, "--margin", margin).out)["pairs"][0]["tests"]["equivalence"]
        for margin in ("9", "0.001")
    )
    assert wide["p"] < 0.001
    assert narrow["p"] > 0.5
    assert wide["effect_name"] == "difference, margin 9"
    assert "p (apart by under 9)" in mjopt(*words[:-1], "--margin", "9").out
    assert mjopt(*words, "--margin", "nan").err == "mjopt: --margin nan, expected above 0\n"


def test_any_number_of_processes_gives_the_same_games(mjopt, tmp_path):
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
        files.append((records.read_bytes(), (out / "games.npy").read_bytes()))
    assert documents[0] == documents[1]
    assert files[0] == files[1]


def test_goes_on_where_it_was(mjopt, tmp_path):
    ask = ("battle", "random", "l1", "first", "l2", "--rules", "m0", "-q", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8").json
    mjopt(*ask, "-n", "3", "-o", str(tmp_path / "out"))
    assert mjopt(*ask, "-n", "8", "-o", str(tmp_path / "out")).json == whole
    other = mjopt(*ask, "-n", "8", "--seed", "1", "-o", str(tmp_path / "out"))
    assert other.status == 2
    assert "holds another battle (seed differ)" in other.err


def test_fewer_games_than_there_are_lose_none(mjopt, tmp_path):
    ask = ("battle", "random", "l1", "first", "l2", "--rules", "m0", "-q", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8", "-o", str(tmp_path))
    before = (tmp_path / "games.npy").read_bytes()
    ran = mjopt(*ask, "-n", "3", "-o", str(tmp_path))
    assert (ran.status, ran.json) == (0, whole.json)
    assert f"{tmp_path}: holds 8 games, more than 3: all are reported" in ran.err
    assert (tmp_path / "games.npy").read_bytes() == before


def test_a_preset_prints_what_was_published(mjopt):
    ran = mjopt("battle", "--preset", "gmjbg-table-2", "-n", "40", "-j", "1")
    assert ran.status == 0
    assert "Published (The Genius of Mahjong Boys and Girls (2017), table 5) beside ours" in ran.out
    assert "18.1" in ran.out
    published = mjopt("battle", "--preset", "gmjbg-table-1", "-n", "9", "-j", "1", "--json").json
    assert published["published"]["wins"] == [9.6, 24.0, 9.7, 18.7]


def test_a_program_can_fight_and_a_bad_one_is_named(mjopt):
    good, bad = (f"process:{sys.executable} {PLAYER} {word}" for word in ("last", "cheat"))
    ask = ("--rules", "m0", "-n", "2", "--rounds", "1", "-j", "1", "--json")
    ran = mjopt("battle", good, "l1", "l1", "l1", *ask)
    assert (ran.status, ran.json["faults"]) == (0, [])
    ran = mjopt("battle", bad, "l1", "l1", "l1", *ask)
    assert ran.status == 0
    assert ran.json["entrants"][0]["faults"] == 2
    assert "2 games were broken" in ran.err
    assert "agent 1 (process:" in ran.err


def test_what_a_program_says_is_told_in_plain_text(mjopt, tmp_path):
    """Half a character, a wiped screen: the battle goes on, the files are whole."""
    bad = f"process:{sys.executable} {PLAYER} surrogate"
    ask = ("--rules", "m0", "-n", "2", "--rounds", "1", "-j", "1", "-q")
    out = ("-o", str(tmp_path / "out"), "--records", str(tmp_path / "records"))
    ran = mjopt("battle", bad, "l1", "l1", "l1", *ask, *out)
    assert ran.status == 0
    for told in (ran.err, (tmp_path / "out" / "faults.txt").read_text(encoding="utf-8")):
        assert told.count(r"reports code 100: \ud800\x1b[2J") == 2
        assert "\x1b" not in told
    assert len((tmp_path / "records").read_text().splitlines()) == 2


def test_a_time_limit_can_be_set(mjopt):
    ran = mjopt("battle", *LEVELS, "-n", "1", "--rounds", "1", "--time-limit", "60", "--json")
    assert ran.json["time_limit"] == 60
    assert ran.json["faults"] == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("l1", "l2"), "2 agents, expected four, or --preset NAME"),
        (("l1", "l2", "l3", "l4"), "unknown agent 'l4', expected one of l1"),
        ((*LEVELS, "-n", "0"), "0 games, expected at least 1"),
        ((*LEVELS, "--rules", "riichi"), "unknown rules 'riichi', expected one of m0"),
        ((*LEVELS, "--rounds", "3"), "3 rounds, expected 1, 2 or 4"),
        ((*LEVELS, "--rounds", "4", "--plain"), "--plain is one round, --rounds says 4"),
        ((*LEVELS, "--seed", "-1"), "seed -1"),
        ((*LEVELS, "--dealer", "me"), "dealer 'me'"),
        ((*LEVELS, "--time-limit", "inf"), "time limit of inf s, expected 0.001 to 86400"),
        ((*LEVELS, "--time-limit", "nan"), "time limit of nan s, expected 0.001 to 86400"),
        ((*LEVELS, "-j", "0"), "--jobs 0"),
        ((*LEVELS, "-o", "no/such/folder"), "the folder no/such does not exist"),
        ((*LEVELS, "--records", "no/such/file"), "no/such does not exist"),
        (("--preset", "table-1"), "unknown preset 'table-1', expected one of gmjbg-table-1"),
        (("--preset", "gmjbg-table-1", "l1"), "--preset names its agents"),
        (("--preset", "section-4.3", "--rules", "jj"), "--preset section-4.3 has its own rules"),
        (("process:no-such-program", *LEVELS[1:]), "no program 'no-such-program' on the path"),
        (("deficiency:method=nde", "l1", "l1", "l1"), "method=nde, expected table, a model"),
    ],
)
def test_bad_input_is_one_line(mjopt, words, expected):
    ran = mjopt("battle", *words)
    assert ran.status == 2
    assert ran.out == ""
    lines = [line for line in ran.err.splitlines() if "seed" not in line or expected in line]
    assert len(lines) == 1
    assert expected in lines[0]
