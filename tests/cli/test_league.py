"""`mjopt league`."""

import json
import shutil

import pytest


def test_prints_standings_and_keeps_them(mjopt, tmp_path):
    ask = ("league", "l1", "random", "first", "--rules", "m0", "-n", "8", "-j", "1")
    ran = mjopt(*ask, "-o", str(tmp_path / "out"))
    assert ran.status == 0
    assert "League, 8 walls a pair" in ran.out
    assert "Share of walls won" in ran.out
    document = json.loads((tmp_path / "out" / "league.json").read_text())
    again = mjopt(*ask, "--json")
    assert again.json["members"] == document["members"]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"1-2", "1-3", "2-3", "league.json", "report.html", "tables.md"} <= names


def test_fewer_walls_than_there_are_lose_none(mjopt, tmp_path):
    ask = ("league", "l1", "random", "first", "--rules", "m0", "-q", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8", "-o", str(tmp_path / "out")).json
    ran = mjopt(*ask, "-n", "4", "-o", str(tmp_path / "out"))
    assert ran.json == whole
    assert "holds 8 games a pair, more than 4: all are reported" in ran.err
    shutil.rmtree(tmp_path / "out" / "2-3")
    assert mjopt(*ask, "-n", "4", "-o", str(tmp_path / "out")).json == whole


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("l1",), "two or more different agents"),
        (("l1", "l2", "-n", "2"), "2 games, expected at least 4"),
        (("l1", "x"), "unknown agent 'x'"),
        (("l1", "process:./no-such -x", "-n", "4"), "no program './no-such' on the path"),
        (("l1", "l2", "-o", "no/such/folder"), "does not exist"),
        (("l1", "l2", "--time-limit", "1e300"), "time limit of 1e+300 s, expected 0.001 to 86400"),
    ],
)
def test_bad_input_is_one_line(mjopt, words, expected):
    ran = mjopt("league", *words)
    assert ran.status == 2
    assert expected in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err
