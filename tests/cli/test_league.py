"""`mjopt league`."""

import json
import shutil


def test_standings_are_printed_and_stored(mjopt, tmp_path):
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


def test_fewer_walls_keep_all_stored_games(mjopt, tmp_path):
    ask = ("league", "l1", "random", "first", "--rules", "m0", "-j", "1", "--json")
    whole = mjopt(*ask, "-n", "8", "-o", str(tmp_path / "out")).json
    ran = mjopt(*ask, "-n", "4", "-o", str(tmp_path / "out"))
    assert ran.json == whole
    assert "holds 8 games a pair, more than 4: all are reported" in ran.err
    shutil.rmtree(tmp_path / "out" / "2-3")
    assert mjopt(*ask, "-n", "4", "-o", str(tmp_path / "out")).json == whole
