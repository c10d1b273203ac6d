"""The commands certify, verify and explain."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.conftest import Call
from helpers.proof_checkers import verify_opb, verify_vipr

from mjopt import Certificate
from mjopt._internal.files import lock_output

SMALL = ("12m", "--called", "4")


@pytest.mark.parametrize("ending", ["json", "vipr", "opb", "pbp"])
def test_format_follows_the_file_name(mjopt: Call, tmp_path: Path, ending: str) -> None:
    ran = mjopt("certify", *SMALL, "-o", str(tmp_path / f"hand.{ending}"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("1\t12m\tcertified in ")
    texts = {path.suffix: path.read_text() for path in tmp_path.iterdir()}
    if ending == "json":
        assert Certificate.from_json(texts[".json"]).deficiency == 1
    elif ending == "vipr":
        assert verify_vipr(texts[".vipr"])[0] == 1
    else:
        assert verify_opb(texts[".opb"], texts[".pbp"])[0] == 1


@pytest.mark.parametrize(
    ("words", "proved"),
    [
        (("1112223334444z", "--tiles", "136"), "has deficiency 2"),
        (("1278m", "--meld", "111p", "--meld", "789s", "--meld", "3333s"), "(111p) (789s)"),
        (("1278m", "--called", "3", "--unseen", ""), "cannot be completed"),
        (("C1C1", "--notation", "paper", "--called", "4"), "11m with 4 called has deficiency 0"),
        (("5m", "--called", "4", "--forms", "seven_pairs"), "cannot be completed"),
        (("12m", "--called", "4"), "has deficiency 1"),
    ],
)
def test_certificate_of_every_kind_of_hand_is_accepted(
    mjopt: Call, tmp_path: Path, words: tuple[str, ...], proved: str
) -> None:
    path = tmp_path / "proof"
    assert mjopt("certify", *words, "-o", str(path)).status == 0
    ran = mjopt("verify", str(path))
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 1
    assert proved in ran.out


def test_certificate_on_stdout_is_accepted_from_stdin(mjopt: Call, tmp_path: Path) -> None:
    text = mjopt("certify", *SMALL).out
    assert Certificate.from_json(text).deficiency == 1
    assert mjopt("certify", *SMALL, "--json").json == json.loads(text)
    assert mjopt("certify", *SMALL, "--format", "vipr").out.startswith("% mjopt {")
    words = [sys.executable, "-m", "mjopt", "verify", "-"]
    ran = subprocess.run(words, input=text, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("accepted\t-\t")


def test_json_names_the_written_files(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hand.opb"
    document = mjopt("certify", *SMALL, "-o", str(path), "--json").json
    assert document["deficiency"] == 1
    assert document["certified"] is True
    assert document["files"] == [str(path), str(path.with_suffix(".pbp"))]


def write_hands(path: Path) -> Path:
    path.write_text("# hands\n12m\n11m\n19m\n")
    return path


def test_file_of_hands_becomes_json_lines(mjopt: Call, tmp_path: Path) -> None:
    source, out = write_hands(tmp_path / "hands.txt"), tmp_path / "all.jsonl"
    ran = mjopt("certify", "--hands", str(source), "--called", "4", "-o", str(out))
    assert (ran.status, ran.out) == (0, "")
    rows = [Certificate.from_json(line) for line in out.read_text().splitlines()]
    assert [row.deficiency for row in rows] == [1, 0, 1]
    assert mjopt("verify", str(out)).out == f"accepted\t{out}\t3 certificates [JSON lines]\n"
    printed = mjopt("certify", "--hands", str(source), "--called", "4").out
    assert printed == out.read_text()


@pytest.mark.parametrize("kind", ["json", "vipr", "opb"])
def test_file_of_hands_becomes_a_folder(mjopt: Call, tmp_path: Path, kind: str) -> None:
    np.save(tmp_path / "hands.npy", np.eye(2, 27, dtype=np.uint8) * 2)
    words = ("--hands", str(tmp_path / "hands.npy"), "--called", "4", "--format", kind)
    folder = tmp_path / "proofs"
    assert mjopt("certify", *words, "-o", str(folder)).status == 0
    names = sorted(path.name for path in folder.iterdir())
    ends = {"json": ["json"], "vipr": ["vipr"], "opb": ["opb", "pbp"]}[kind]
    assert names == [f"00000{i}.{end}" for i in (1, 2) for end in ends]
    if kind == "json":
        assert mjopt("verify", *(str(folder / name) for name in names)).status == 0
    again = mjopt("certify", *words, "-o", str(folder))
    assert again.status == 2
    assert "exists" in again.err


def test_second_writer_is_refused(mjopt: Call, tmp_path: Path) -> None:
    source, out = tmp_path / "hands.txt", tmp_path / "proofs"
    source.write_text("11m\n")
    words = ("certify", "--hands", str(source), "--called", "4", "-o", str(out))
    with lock_output(out, "certificates"):
        ran = mjopt(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"mjopt: {out}: another process is writing here now\n"
    assert os.listdir(tmp_path) == ["hands.txt"]
    assert mjopt(*words).status == 0
    assert sorted(os.listdir(tmp_path)) == ["hands.txt", "proofs"]


@pytest.mark.parametrize("out", ["all.jsonl", "folder"])
def test_bad_row_leaves_no_output(mjopt: Call, tmp_path: Path, out: str) -> None:
    source = tmp_path / "hands.txt"
    source.write_text("12m\n11111m\n")
    ran = mjopt("certify", "--hands", str(source), "--called", "4", "-o", str(tmp_path / out))
    assert ran.status == 2
    assert "hands.txt line 2" in ran.err
    assert os.listdir(tmp_path) == ["hands.txt"]


@pytest.mark.parametrize("taken", ["hand.opb", "hand.pbp"])
def test_opb_and_proof_are_written_together_or_not_at_all(
    mjopt: Call, tmp_path: Path, taken: str
) -> None:
    (tmp_path / taken).mkdir()
    ran = mjopt("certify", *SMALL, "-o", str(tmp_path / "hand.opb"))
    assert ran.status == 2
    assert f"{taken}: is a folder" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [taken]


def test_explanation_names_the_missing_tiles(mjopt: Call) -> None:
    ran = mjopt("explain", "245568m245568p77s")
    assert ran.status == 0
    assert "3 tiles must change" in ran.out
    assert "miss 3 or more" in ran.out
    document = mjopt("explain", *SMALL, "--json").json
    assert document["deficiency"] == 1
    assert document["certified"] is True
    gone = mjopt("explain", *SMALL, "--unseen", "", "--json").json
    assert (gone["deficiency"], gone["reachable"]) == (None, False)
