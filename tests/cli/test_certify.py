"""The commands certify, verify and explain."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.certificate_corpus import FOLDER

from mjopt import Certificate

Call = Callable[..., "Ran"]  # noqa: F821 - the fixture's type, from conftest
SMALL = ("12m", "--called", "4")


@pytest.mark.parametrize("ending", ["json", "vipr", "opb", "pbp"])
def test_certify_then_verify(mjopt: Call, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"hand.{ending}"
    ran = mjopt("certify", *SMALL, "-o", str(path))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("1\t12m\tcertified in ")
    ran = mjopt("verify", str(path))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("accepted\t")
    assert "12m with 4 called has deficiency 1" in ran.out


@pytest.mark.parametrize("kind", ["json", "vipr", "opb"])
@pytest.mark.parametrize(
    ("words", "proved"),
    [
        (("1112223334444z", "--tiles", "136"), "has deficiency 2"),
        (("1278m", "--meld", "111p", "--meld", "789s", "--meld", "3333s"), "(111p) (789s)"),
        (("1278m", "--called", "3", "--unseen", ""), "cannot be completed"),
        (("C1C1", "--notation", "paper", "--called", "4"), "11m with 4 called has deficiency 0"),
        (("5m", "--partial", "--called", "3", "--forms", "seven_pairs"), "cannot be completed"),
        (
            ("12m", "--called", "4", "--model", "network", "--solver", "highs"),
            "has deficiency 1",
        ),
    ],
)
def test_every_kind_of_hand(
    mjopt: Call, tmp_path: Path, kind: str, words: tuple[str, ...], proved: str
) -> None:
    path = tmp_path / "proof"
    assert mjopt("certify", *words, "--format", kind, "-o", str(path)).status == 0
    names = sorted(str(path) for path in tmp_path.iterdir())
    ran = mjopt("verify", *names)
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 1
    assert proved in ran.out


def test_to_standard_output_and_back(mjopt: Call, tmp_path: Path) -> None:
    text = mjopt("certify", *SMALL).out
    assert Certificate.from_json(text).deficiency == 1
    assert mjopt("certify", *SMALL, "--json").json == json.loads(text)
    assert mjopt("certify", *SMALL, "--format", "vipr").out.startswith("% mjopt {")
    words = [sys.executable, "-m", "mjopt", "verify", "-"]
    ran = subprocess.run(words, input=text, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("accepted\t-\t")


def test_certify_as_json_names_the_files(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hand.opb"
    document = mjopt("certify", *SMALL, "-o", str(path), "--json").json
    assert document["deficiency"] == 1
    assert document["certified"] is True
    assert document["files"] == [str(path), str(path.with_suffix(".pbp"))]


def write_hands(path: Path) -> Path:
    path.write_text("# hands\n12m\n11m\n19m\n")
    return path


def test_a_file_of_hands_to_lines(mjopt: Call, tmp_path: Path) -> None:
    source, out = write_hands(tmp_path / "hands.txt"), tmp_path / "all.jsonl"
    ran = mjopt("certify", "--hands", str(source), "--called", "4", "-o", str(out))
    assert (ran.status, ran.out) == (0, "")
    rows = [Certificate.from_json(line) for line in out.read_text().splitlines()]
    assert [row.deficiency for row in rows] == [1, 0, 1]
    assert mjopt("verify", str(out)).out == f"accepted\t{out}\t3 certificates [JSON lines]\n"
    printed = mjopt("certify", "--hands", str(source), "--called", "4").out
    assert printed == out.read_text()


@pytest.mark.parametrize("kind", ["json", "vipr", "opb"])
def test_a_file_of_hands_to_a_folder(mjopt: Call, tmp_path: Path, kind: str) -> None:
    np.save(tmp_path / "hands.npy", np.eye(2, 27, dtype=np.uint8) * 2)
    words = ("--hands", str(tmp_path / "hands.npy"), "--called", "4", "--format", kind)
    folder = tmp_path / "proofs"
    assert mjopt("certify", *words, "-o", str(folder)).status == 0
    names = sorted(path.name for path in folder.iterdir())
    ends = {"json": ["json"], "vipr": ["vipr"], "opb": ["opb", "pbp"]}[kind]
    assert names == [f"00000{i}.{end}" for i in (1, 2) for end in ends]
    assert mjopt("verify", *(str(folder / name) for name in names)).status == 0
    again = mjopt("certify", *words, "-o", str(folder))
    assert again.status == 2
    assert "exists" in again.err


@pytest.mark.parametrize("out", ["all.jsonl", "folder"])
def test_a_bad_row_leaves_nothing(mjopt: Call, tmp_path: Path, out: str) -> None:
    source = tmp_path / "hands.txt"
    source.write_text("12m\n11111m\n")
    ran = mjopt("certify", "--hands", str(source), "--called", "4", "-o", str(tmp_path / out))
    assert ran.status == 2
    assert "hands.txt line 2" in ran.err
    assert os.listdir(tmp_path) == ["hands.txt"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected one HAND, or --hands FILE"),
        (["12m", "--hands", "x.txt"], "expected one HAND"),
        (["12m", "--called", "4", "--format", "xml"], "expected one of json, vipr, opb"),
        (["12m", "--called", "4", "--format", "opb"], "two files"),
        (["12m", "--called", "4", "-o", "no/such/file"], "no/such does not exist"),
        (["12m", "--called", "4", "--model", "partition"], "does not find the deficiency"),
        (["12m", "--called", "4", "--forms", "x"], "unknown form 'x'"),
        (["--hands", "nothing.txt"], "no such file"),
        (["--hands", "-", "--meld", "111m"], "--meld is for one hand"),
        (["--hands", "-", "--json"], "--json is for one hand"),
        (["11112222333344m", "--format", "vipr", "--forms", "standard,seven_pairs"], "native"),
    ],
)
def test_bad_input(mjopt: Call, words: list[str], message: str) -> None:
    ran = mjopt("certify", *words)
    assert ran.status == 2
    assert ran.out == ""
    assert len(ran.err.strip().splitlines()) == 1
    assert message in ran.err


def test_every_stored_certificate(mjopt: Call, tmp_path: Path) -> None:
    """By way of files: accepted or refused with the reason, whatever the format."""
    for name, status in (("accepted", 0), ("refused", 3)):
        for number, line in enumerate((FOLDER / f"{name}.jsonl").read_text().splitlines()):
            row = json.loads(line)
            paths = []
            for i, text in enumerate(row["texts"]):
                paths.append(tmp_path / f"{name}{number}.{i}")
                paths[-1].write_text(text)
            ran = mjopt("verify", *map(str, paths))
            assert ran.status == status, (row["name"], ran.out)
            assert row.get("reason", "accepted") in ran.out


def test_refused_unreadable_and_accepted_together(mjopt: Call, tmp_path: Path) -> None:
    good, bad, other = (tmp_path / name for name in ("good.json", "bad.json", "other.txt"))
    text = mjopt("certify", *SMALL).out
    good.write_text(text)
    bad.write_text(text.replace('"deficiency":1', '"deficiency":0'))
    other.write_text("what is this?\n")
    ran = mjopt("verify", str(good), str(bad), str(other), str(tmp_path / "none.json"))
    assert ran.status == 3
    assert [line.split("\t")[0] for line in ran.out.splitlines()] == [
        *("accepted", "refused", "refused", "unreadable")
    ]
    assert "expected JSON, VIPR, or OPB" in ran.out
    rows = mjopt("verify", str(good), str(bad), "--json").json
    assert [row["accepted"] for row in rows] == [True, False]
    assert rows[0]["deficiency"] == 1
    assert rows[0]["hand"] == "12m"
    assert "target: 1 tiles away, not 0" in rows[1]["reason"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe{"])
def test_unreadable(mjopt: Call, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    ran = mjopt("verify", str(path))
    assert ran.status == 2
    assert ran.out.startswith("unreadable\t")


def test_a_proof_without_its_instance(mjopt: Call, tmp_path: Path) -> None:
    mjopt("certify", *SMALL, "-o", str(tmp_path / "hand.opb"))
    (tmp_path / "hand.opb").rename(tmp_path / "moved.opb")
    alone = mjopt("verify", str(tmp_path / "hand.pbp"))
    assert alone.status == 2
    assert "hand.opb" in alone.out
    both = mjopt("verify", str(tmp_path / "hand.pbp"), str(tmp_path / "moved.opb"))
    assert both.status == 0
    assert len(both.out.splitlines()) == 1


@pytest.mark.parametrize("taken", ["hand.opb", "hand.pbp"])
def test_both_files_of_a_proof_or_none(mjopt: Call, tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).mkdir()
    ran = mjopt("certify", *SMALL, "-o", str(tmp_path / "hand.opb"))
    assert ran.status == 2
    assert f"{taken}: is a folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [taken]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_no_proof_beside_a_full_device(mjopt: Call, tmp_path: Path) -> None:
    (tmp_path / "hand.opb").symlink_to("/dev/full")
    ran = mjopt("certify", *SMALL, "-o", str(tmp_path / "hand.opb"))
    assert ran.status == 2
    assert not (tmp_path / "hand.pbp").exists()


def test_a_bad_line(mjopt: Call, tmp_path: Path) -> None:
    text = mjopt("certify", *SMALL).out
    path = tmp_path / "all.jsonl"
    path.write_text(text * 3 + "\n" + text.replace("12m", "13m") + text)
    ran = mjopt("verify", str(path))
    assert ran.status == 3
    assert "line 5: hand: '13m' is not the tiles of held" in ran.out


def test_no_line_is_passed_over(mjopt: Call, tmp_path: Path) -> None:
    """More certificates than are looked at before processes start, the bad one last."""
    text = mjopt("certify", *SMALL).out
    path = tmp_path / "many.jsonl"
    path.write_text(text * 2800)
    for jobs in ("1", "2"):
        ran = mjopt("verify", str(path), "--jobs", jobs)
        assert ran.out == f"accepted\t{path}\t2800 certificates [JSON lines]\n"
    path.write_text(text * 2800 + text.replace("12m", "13m"))
    assert "line 2801: hand" in mjopt("verify", str(path), "--jobs", "2").out
    for bad in (2305, 2561, 2817):  # the first of a batch
        rows = [text] * 2900
        rows[bad - 1] = text.replace("12m", "13m")
        path.write_text("".join(rows))
        assert f"line {bad}: hand" in mjopt("verify", str(path), "--jobs", "1").out


def script(folder: Path, name: str, status: int) -> None:
    path = folder / name
    path.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{name} 9.9"; exit 0; fi\n'
        f'echo "looked at $#"\nexit {status}\n'
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_external_checkers(mjopt: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [str(tmp_path / name) for name in ("hand.json", "hand.vipr", "hand.opb")]
    for name in names:
        mjopt("certify", *SMALL, "-o", name)
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = mjopt("verify", *names, "--external")
    assert ran.status == 0
    assert "no other checker reads this format" in ran.out
    assert "viprchk is not on the path" in ran.out
    assert "veripb is not on the path" in ran.out
    script(tmp_path, "viprchk", 0)
    script(tmp_path, "veripb", 1)
    ran = mjopt("verify", *names, "--external")
    assert ran.status == 3
    assert "viprchk 9.9 accepts: looked at 1" in ran.out
    assert "veripb 9.9 REFUSES: looked at 2" in ran.out
    rows = mjopt("verify", *names, "--external", "--json").json
    assert [row["external"]["accepted"] for row in rows] == [None, True, False]


def test_explain(mjopt: Call) -> None:
    ran = mjopt("explain", "245568m245568p77s")
    assert ran.status == 0
    assert "3 tiles must change" in ran.out
    assert "miss 3 or more" in ran.out
    document = mjopt("explain", *SMALL, "--json").json
    assert document["deficiency"] == 1
    assert document["certified"] is True
    gone = mjopt("explain", *SMALL, "--unseen", "", "--json").json
    assert (gone["deficiency"], gone["reachable"]) == (None, False)


def test_a_scheduler_for_one_hand_is_refused(mjopt: Call) -> None:
    ran = mjopt("certify", "11122233344455s", "--scheduler", "tcp://127.0.0.1:1")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "mjopt: --scheduler goes with --hands: one hand needs no cluster\n"
