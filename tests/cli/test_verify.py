"""The command verify: native certificates, limits, and the checkers of other formats."""

import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.certificate_corpus import FOLDER
from helpers.surroundings import environment

from mjopt import Hand, certify, verify
from mjopt.analysis.formats import to_opb, to_vipr

SMALL = ("12m", "--called", "4")
CERTIFICATE = certify(Hand.parse("1m", called=4))


def assert_past_limit(ran: "Ran", limit: str) -> None:  # noqa: F821
    assert ran.status == 3
    [line] = ran.out.splitlines()
    assert line.startswith("refused\t")
    assert "past the limit of " in line
    assert line.endswith(f"(--limits {limit}=N)")


def test_stored_certificates_have_known_verdicts(mjopt: Call, tmp_path: Path) -> None:
    for name, status in (("accepted", 0), ("refused", 3)):
        for number, line in enumerate((FOLDER / f"{name}.jsonl").read_text().splitlines()):
            row = json.loads(line)
            if row["format"] == "native":
                path = tmp_path / f"{name}{number}"
                path.write_text(row["texts"][0])
                ran = mjopt("verify", str(path))
                assert ran.status == status, (row["name"], ran.out)
                assert row.get("reason", "accepted") in ran.out


def test_each_file_has_its_verdict(mjopt: Call, tmp_path: Path) -> None:
    good, bad, other = (tmp_path / name for name in ("good.json", "bad.json", "other.txt"))
    text = mjopt("certify", *SMALL).out
    good.write_text(text)
    bad.write_text(text.replace('"deficiency":1', '"deficiency":0'))
    other.write_text("text\n")
    ran = mjopt("verify", str(good), str(bad), str(other), str(tmp_path / "none.json"))
    assert ran.status == 3
    assert [line.split("\t")[0] for line in ran.out.splitlines()] == [
        *("accepted", "refused", "refused", "unreadable")
    ]
    assert "expected JSON, or a proof" in ran.out
    rows = mjopt("verify", str(good), str(bad), "--json").json
    assert [row["accepted"] for row in rows] == [True, False]
    assert rows[0]["deficiency"] == 1
    assert rows[0]["hand"] == "12m"
    assert "target: 1 tiles away, not 0" in rows[1]["reason"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe{"])
def test_unreadable_file_has_status_2(mjopt: Call, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    ran = mjopt("verify", str(path))
    assert ran.status == 2
    assert ran.out.startswith("unreadable\t")


def test_bad_line_is_named(mjopt: Call, tmp_path: Path) -> None:
    text = mjopt("certify", *SMALL).out
    path = tmp_path / "all.jsonl"
    path.write_text(text * 3 + "\n" + text.replace("12m", "13m") + text)
    ran = mjopt("verify", str(path))
    assert ran.status == 3
    assert "line 5: hand: '13m' is not the tiles of held" in ran.out


def test_every_line_is_checked(mjopt: Call, tmp_path: Path) -> None:
    """The files have more lines than are checked before workers start."""
    text = mjopt("certify", *SMALL).out
    path = tmp_path / "many.jsonl"
    path.write_text(text * 2800)
    for jobs in ("1", "2"):
        ran = mjopt("verify", str(path), "--jobs", jobs)
        assert ran.out == f"accepted\t{path}\t2800 certificates [JSON lines]\n"
    path.write_text(text * 2800 + text.replace("12m", "13m"))
    assert "line 2801: hand" in mjopt("verify", str(path), "--jobs", "2").out
    rows = [text] * 2900
    rows[2560] = text.replace("12m", "13m")  # the first of a batch
    path.write_text("".join(rows))
    assert "line 2561: hand" in mjopt("verify", str(path), "--jobs", "1").out


@pytest.mark.parametrize("name", ["hand.json", "all.jsonl", "hand.vipr", "hand.opb"])
def test_limit_of_bytes(mjopt: Call, tmp_path: Path, name: str) -> None:
    (tmp_path / "hand.json").write_text(CERTIFICATE.to_json())
    (tmp_path / "all.jsonl").write_text(f"{CERTIFICATE.to_json()}\n" * 2)
    (tmp_path / "hand.vipr").write_text(to_vipr(CERTIFICATE))
    for file, text in zip(("hand.opb", "hand.pbp"), to_opb(CERTIFICATE), strict=True):
        (tmp_path / file).write_text(text)
    assert_past_limit(mjopt("verify", str(tmp_path / name), "--limits", "bytes=500"), "bytes")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("bytes=0", "limit bytes=0, expected a whole number above 0"),
        ("bytes=9,steps=x", "limit steps=x, expected a whole number above 0"),
        ("size=9", "--limits size, expected one of bytes, steps"),
        ("bytes", "--limits: 'bytes', expected NAME=VALUE"),
        ("", "--limits: '', expected NAME=VALUE"),
    ],
)
def test_wrong_limit_is_refused(mjopt: Call, limits: str, message: str) -> None:
    ran = mjopt("verify", "none.json", "--limits", limits)
    assert (ran.status, ran.out, ran.err) == (2, "", f"mjopt: {message}\n")


def test_endless_file_is_read_up_to_the_limit(mjopt: Call, tmp_path: Path) -> None:
    assert "not a certificate" in mjopt("verify", "/dev/zero").out
    for name, head in (("a.json", '{"a": "'), ("b.vipr", "VER 1.1 "), ("c.opb", "* #variable= 1")):
        pipe = tmp_path / name
        os.mkfifo(pipe)

        def fill(pipe: Path = pipe, head: str = head) -> None:
            with suppress(BrokenPipeError), pipe.open("wb") as file:
                file.write(head.encode())
                while True:
                    file.write(b" " * 65536)

        writer = threading.Thread(target=fill)
        writer.start()
        ran = mjopt("verify", str(pipe), "--limits", "bytes=200000")
        writer.join(60)
        assert not writer.is_alive()
        assert_past_limit(ran, "bytes")


@pytest.mark.parametrize("num_lines", [1, 80])
def test_standard_input_is_read_once(mjopt: Call, num_lines: int) -> None:
    out, into = os.pipe()

    def fill() -> None:
        with os.fdopen(into, "wb") as file:
            file.write(f"{CERTIFICATE.to_json()}\n".encode() * num_lines)

    writer = threading.Thread(target=fill)
    writer.start()
    with os.fdopen(out) as stdin:
        ran = mjopt("verify", "-", "-j", "1", stdin=stdin)
    writer.join(60)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("accepted\t-\t")
    assert ("80 certificates [JSON lines]" in ran.out) == (num_lines == 80)


def test_text_after_the_certificate_counts(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    text = CERTIFICATE.to_json()
    path.write_text(f"{text}{' ' * 99}é and more")
    assert_past_limit(mjopt("verify", str(path), "--limits", f"bytes={len(text) + 99}"), "bytes")


def test_long_line_exceeds_the_limit(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(f"{CERTIFICATE.to_json()}\n" * 300 + '{"a": "' + "x" * 110_000)
    ran = mjopt("verify", str(path), "-j", "1", "--limits", "bytes=100000")
    assert_past_limit(ran, "bytes")
    assert "line 301: JSON: past the limit of 100,000 bytes" in ran.out


# Other programs


@pytest.fixture
def proofs(tmp_path: Path) -> Iterator[Path]:
    """A folder with a VIPR and an OPB certificate, which is also the search path."""
    (tmp_path / "hand.vipr").write_text(to_vipr(CERTIFICATE))
    for name, text in zip(("hand.opb", "hand.pbp"), to_opb(CERTIFICATE), strict=True):
        (tmp_path / name).write_text(text)
    with environment(PATH=tmp_path):
        yield tmp_path


def install(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize(("name", "program"), [("hand.vipr", "viprchk"), ("hand.opb", "veripb")])
def test_missing_checker_is_named(mjopt: Call, proofs: Path, name: str, program: str) -> None:
    ran = mjopt("verify", str(proofs / name))
    assert ran.status == 2
    assert ran.out.startswith("unchecked\t")
    assert f"{program} is not installed" in ran.out
    row = mjopt("verify", str(proofs / name), "--json").json
    assert (row["accepted"], row["readable"]) == (False, True)


VERDICTS = [
    ("echo 'version 3.0 is not supported' >&2; exit 1", 2, "does not read this version"),
    ("echo 'Verification failed.'; exit 1", 3, "refuses: Verification failed."),
    ("kill -6 $$", 2, "ended by signal 6"),
    ("echo 'Verification succeeded.'", 0, "accepts: Verification succeeded."),
]


@pytest.mark.parametrize(("name", "program"), [("hand.vipr", "viprchk"), ("hand.pbp", "veripb")])
@pytest.mark.parametrize(("body", "status", "words"), VERDICTS)
def test_verdict_of_an_external_checker(
    mjopt: Call, proofs: Path, name: str, program: str, body: str, status: int, words: str
) -> None:
    install(proofs, program, body)
    ran = mjopt("verify", str(proofs / name))
    assert ran.status == status
    assert words in ran.out
    row = mjopt("verify", str(proofs / name), "--json").json
    assert row["accepted"] == (status == 0)
    if status == 0:
        assert ran.out.startswith("accepted\t")
        assert "1m with 4 called: " in ran.out
        assert (row["hand"], row["called"], row["checker"]) == ("1m", 4, program)


@pytest.mark.parametrize(
    ("name", "program", "hint"),
    [("hand.vipr", "viprchk", "newer viprchk"), ("hand.pbp", "veripb", "to_opb")],
)
def test_hint_for_another_version_fits_the_checker(
    mjopt: Call, proofs: Path, name: str, program: str, hint: str
) -> None:
    install(proofs, program, "echo 'unsupported version'; exit 1")
    out = mjopt("verify", str(proofs / name)).out
    assert hint in out
    assert ("to_opb" in out) == (program == "veripb")


@pytest.mark.parametrize(("status", "word"), [(0, "accepts"), (1, "refuses")])
def test_cakepb_checks_the_elaborated_proof(
    mjopt: Call, proofs: Path, status: int, word: str
) -> None:
    install(proofs, "veripb", 'echo elaborated > "$2"')
    install(proofs, "cake_pb", f'read words < "$2"; echo "s $words"; exit {status}')
    ran = mjopt("verify", str(proofs / "hand.opb"))
    assert ran.status == 3 * status
    assert f"cake_pb {word}: s elaborated" in ran.out


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("hand.vipr", '"hand":"1m"', '"hand":"2m"', "more tiles unseen"),
        (
            "hand.vipr",
            "flow_1m_m4e0_00 E 1",
            "flow_1m_m4e0_00 E 0",
            "not that of the hand named on top",
        ),
        ("hand.vipr", "% mjopt", "% ours", "no comment on top names the hand"),
        ("hand.opb", "min: +1", "min: +2", "not that of the hand named on top"),
    ],
)
def test_program_of_another_hand_is_refused(
    mjopt: Call, proofs: Path, name: str, old: str, new: str, reason: str
) -> None:
    for program in ("viprchk", "veripb"):
        install(proofs, program, "exit 0")
    text = (proofs / name).read_text()
    assert old in text
    (proofs / name).write_text(text.replace(old, new, 1))
    ran = mjopt("verify", str(proofs / name))
    assert ran.status == 3
    assert reason in ran.out


@pytest.mark.parametrize("missing", ["hand.opb", "hand.pbp"])
def test_instance_and_proof_are_one_certificate(mjopt: Call, proofs: Path, missing: str) -> None:
    both = mjopt("verify", str(proofs / "hand.opb"), str(proofs / "hand.pbp"))
    assert len(both.out.splitlines()) == 1
    (proofs / missing).unlink()
    for name in {"hand.opb", "hand.pbp"} - {missing}:
        ran = mjopt("verify", str(proofs / name))
        assert ran.status == 2
        assert "No such file" in ran.out


def test_older_proof_version_is_written() -> None:
    _, proof = to_opb(CERTIFICATE, version="1.2")
    assert proof.startswith("pseudo-Boolean proof version 1.2\n")


def test_files_are_verified_in_python(tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    path.write_text(certify("1112345678999m1p").to_json())
    assert verify(path).is_accepted
    path.write_text(path.read_text().replace('"deficiency":1', '"deficiency":0'))
    assert verify(str(path)).status == "refused"
    assert verify(tmp_path / "none.json").status == "unreadable"
    with pytest.raises(TypeError, match="file: 7, expected a path"):
        verify(7)
