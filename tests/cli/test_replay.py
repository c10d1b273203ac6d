"""`mjopt replay`: records of a battle are checked, shown and converted."""

import bz2
import json
import lzma

import pytest
from helpers.surroundings import without_packages


@pytest.fixture
def records(mjopt, tmp_path):
    path = tmp_path / "games.txt"
    ask = ("--rules", "jj", "-n", "2", "--records", str(path), "-j", "1", "--json")
    assert mjopt("battle", "deficiency", "random", "l3", "first", *ask).status == 0
    return path


def test_every_game_is_replayed(mjopt, records):
    ran = mjopt("replay", str(records))
    assert ran.status == 0
    assert ran.out.startswith("8 games replayed: ")
    document = mjopt("replay", str(records), "--json").json
    assert document["accepted"] == 8
    assert document["refused"] == []
    assert sum(document["endings"].values()) == 8


def test_invalid_records_are_named_by_line(mjopt, records):
    lines = records.read_text().splitlines()
    lines[2] = lines[2].replace("scores=", "scores=7,-7,0,0 ".strip()[:0] + "scores=1", 1)
    lines[4] = "game1 rules=jj"
    records.write_text("\n".join(lines) + "\n")
    ran = mjopt("replay", str(records))
    assert ran.status == 1
    assert ran.out.startswith("6 games replayed")
    errors = ran.err.splitlines()
    assert len(errors) == 2
    assert "games.txt, line 3: scores" in errors[0]
    assert "games.txt, line 5: fields" in errors[1]
    refused = mjopt("replay", str(records), "--json").json["refused"]
    assert [entry["line"] for entry in refused] == [3, 5]


def test_of_many_invalid_records_the_first_are_named(mjopt, tmp_path):
    junk = tmp_path / "junk.txt"
    junk.write_text("junk\n" * 30)
    ran = mjopt("replay", str(junk))
    errors = ran.err.splitlines()
    assert (ran.status, len(errors)) == (1, 21)
    assert errors[-1] == "mjopt: 30 lines refused, of which 20 are named; --json names all"
    assert len(mjopt("replay", str(junk), "--json").json["refused"]) == 30


def test_mjai_messages_are_json_lines(mjopt, records):
    ran = mjopt("replay", str(records), "-o", "-")
    assert ran.status == 0
    kinds = [json.loads(line)["type"] for line in ran.out.splitlines()]
    assert kinds.count("start_game") == kinds.count("end_game") == 8
    path = records.with_name("games.mjson")
    assert mjopt("replay", str(records), "-o", str(path)).out.startswith("8 games replayed")
    assert path.read_text() == ran.out


def test_one_game_is_shown_move_by_move(mjopt, records):
    ran = mjopt("replay", str(records), "--show", "2")
    assert ran.status == 0
    assert ran.out.startswith("jj, dealer seat 1\nseat 1 first: ")
    assert "seat 1 draws" in ran.out
    assert mjopt("replay", str(records), "--show", "99").status == 2


def test_standard_input_is_read(mjopt, records):
    ran = mjopt("replay", "-", stdin=records.read_text())
    assert ran.out.startswith("8 games replayed")


def test_bad_file_is_refused(mjopt, records, tmp_path):
    ran = mjopt("replay", "no-such-file")
    assert (ran.status, ran.err) == (2, "mjopt: no-such-file: no such file\n")
    ran = mjopt("replay", str(records), "-o", "-", "--json")
    assert ran.status == 2
    assert "give one of them" in ran.err
    for name in ("games", "games.txt"):
        ran = mjopt("replay", str(records), "-o", name)
        assert (ran.status, "expected .html or .mjson" in ran.err) == (2, True)
    (tmp_path / "bytes").write_bytes(b"\xff\xff\n")
    ran = mjopt("replay", str(tmp_path / "bytes"))
    assert ran.status == 2
    assert "not UTF-8 text" in ran.err


def test_one_game_is_written_as_a_page(mjopt, records, tmp_path):
    page = tmp_path / "game.html"
    ran = mjopt("replay", str(records), "-o", str(page))
    assert (ran.status, ran.out) == (0, f"{page}\n")
    first = page.read_text(encoding="utf-8")
    assert "games.txt, line 1" in first
    assert records.read_text().splitlines()[0] in first
    assert mjopt("replay", str(records), "-o", str(page), "--show", "3").status == 0
    assert "games.txt, line 3" in page.read_text(encoding="utf-8")

    ran = mjopt("replay", str(records), "-o", str(page), "--show", "99")
    assert (ran.status, "has no line 99" in ran.err) == (2, True)
    assert mjopt("replay", str(records), "-o", str(page), "--json").status == 2
    assert mjopt("replay", str(tmp_path / "none"), "-o", str(page)).status == 2
    assert "line 3" in page.read_text(encoding="utf-8")  # unchanged


def test_page_of_an_invalid_game_ends_at_the_error(mjopt, records, tmp_path):
    page, line = tmp_path / "game.html", records.read_text().splitlines()[0]
    records.write_text(line.replace("scores=", "scores=9,9,") + "\nnothing\n")
    assert mjopt("replay", str(records), "-o", str(page)).status == 1
    assert not page.exists()
    wrong = "scores=1,-1,0,0" if "scores=0" in line else "scores=0,0,0,0"
    records.write_text(line[: line.index("scores=")] + wrong + "\n")
    ran = mjopt("replay", str(records), "-o", str(page))
    assert (ran.status, "line 1: scores" in ran.err) == (1, True)
    assert "The next step breaks the rules" in page.read_text(encoding="utf-8")


@without_packages("jinja2")
def test_missing_jinja2_is_named(mjopt, records):
    ran = mjopt("replay", str(records), "-o", "x.html")
    assert (ran.status, ran.err.strip().splitlines()) == (
        2,
        ["mjopt: jinja2 is not installed: pip install 'mjopt[play]'"],
    )


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, lambda data: data])
def test_packed_and_utf16_records_are_read(mjopt, records, tmp_path, pack):
    (tmp_path / "packed").write_bytes(pack(records.read_text().encode("utf-16")))
    ran = mjopt("replay", str(tmp_path / "packed"))
    assert (ran.status, ran.out) == (0, mjopt("replay", str(records)).out)
