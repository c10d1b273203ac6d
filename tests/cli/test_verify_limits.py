"""The command verify on files made to keep a checker busy, and beside other checkers."""

import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from mjopt import Hand, certify
from mjopt.analysis.formats import ask_external, check_vipr_text, to_opb, to_vipr
from mjopt.errors import CertificateError
from mjopt.proofs import Limits

Call = Callable[..., "Ran"]  # noqa: F821 - the fixture's type, from conftest
SMALL = certify(Hand.parse("1m", called=4))


def refused(ran: "Ran", limit: str) -> None:  # noqa: F821
    assert ran.status == 3
    [line] = ran.out.splitlines()
    assert line.startswith("refused\t")
    assert "past the limit of " in line
    assert line.endswith(f"(--limit {limit}=...)")


BITES = """
bytes=2000 hand.vipr
bytes=2000 hand.opb
line=500 hand.json
line=500 all.jsonl
lines=20 hand.vipr
lines=20 hand.opb
steps=30 hand.vipr
steps=30 hand.opb
terms=30 hand.opb
digits=2 hand.vipr
digits=2 hand.opb
"""


@pytest.mark.parametrize("case", BITES.strip().splitlines())
def test_each_limit_bites(mjopt: Call, tmp_path: Path, case: str) -> None:
    limit, name = case.split()
    (tmp_path / "hand.json").write_text(SMALL.to_json())
    (tmp_path / "all.jsonl").write_text(f"{SMALL.to_json()}\n" * 2)
    (tmp_path / "hand.vipr").write_text(to_vipr(SMALL))
    instance, proof = to_opb(SMALL)
    (tmp_path / "hand.opb").write_text(instance)
    (tmp_path / "hand.pbp").write_text(proof)
    assert mjopt("verify", str(tmp_path / name)).status == 0
    refused(
        mjopt("verify", str(tmp_path / name), "--limit", limit), limit.split("=", maxsplit=1)[0]
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("digits", "--limit: 'digits', expected NAME=VALUE"),
        ("memory=1", "--limit memory: expected one of bytes, line, lines, digits, terms, steps"),
        ("bytes=0", "limit bytes=0: expected a whole number above 0"),
        ("bytes=1.5", "limit bytes=1.5: expected a whole number above 0"),
        ("bytes=many", "limit bytes=many: expected a whole number above 0"),
        ("seconds=nan", "limit seconds=nan: expected a number above 0"),
        ("bytes=true", "limit bytes=True: expected a whole number above 0"),
        ("digits=3,digits=4", "--limit digits: given twice"),
    ],
)
def test_limits_that_cannot_be(mjopt: Call, words: str, message: str) -> None:
    ran = mjopt("verify", "none.json", "--limit", words)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices here")
def test_a_file_without_end(mjopt: Call, tmp_path: Path) -> None:
    """Nothing is read further than its limit, whatever the beginning says it is."""
    assert "not a certificate" in mjopt("verify", "/dev/zero").out
    for number, head in enumerate(('{"a": "', "VER 1.1 ", "* #variable= 1 #constraint= 1\n")):
        pipe = tmp_path / f"{number}.opb"
        os.mkfifo(pipe)
        (tmp_path / f"{number}.pbp").write_text("pseudo-Boolean proof version 3.0\n")

        def fill(pipe: Path = pipe, head: str = head) -> None:
            with suppress(BrokenPipeError), pipe.open("wb") as file:
                file.write(head.encode())
                while True:
                    file.write(b" " * 65536)

        writer = threading.Thread(target=fill)
        writer.start()
        ran = mjopt("verify", str(pipe), "--limit", "bytes=200_000,line=200_000")
        writer.join(60)
        assert not writer.is_alive()
        refused(ran, "bytes" if number else "line")


@pytest.mark.parametrize("format", ["native", "JSON lines", "VIPR"])
def test_a_pipe_is_read_once_and_whole(mjopt: Call, monkeypatch, format: str) -> None:
    text = {
        "native": SMALL.to_json(),
        "JSON lines": f"{SMALL.to_json()}\n" * 80,
        "VIPR": to_vipr(certify(Hand.parse("1112345678999m1p"))),
    }[format]
    out, into = os.pipe()

    def fill() -> None:
        with os.fdopen(into, "wb") as file:
            file.write(text.encode())

    writer = threading.Thread(target=fill)
    writer.start()
    with os.fdopen(out) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        ran = mjopt("verify", "-", "-j", "1")
    writer.join(60)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("accepted\t-\t")
    assert ran.out.endswith(f"[{format}]\n")
    assert (format != "JSON lines") or "80 certificates" in ran.out


def test_the_clock_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of which every look takes a second: three steps are past two seconds."""
    text = to_vipr(SMALL)
    monkeypatch.setattr("mjopt.proofs.limits.monotonic", count().__next__)
    with pytest.raises(CertificateError, match=r"past the limit of 2 seconds \(--limit seconds"):
        check_vipr_text(text, Limits(seconds=2))


def test_what_lies_behind_the_limit_counts(mjopt: Call, tmp_path: Path) -> None:
    """A file is not accepted for what it says up to the limit."""
    path = tmp_path / "hand.json"
    text = SMALL.to_json()
    path.write_text(f"{text}{' ' * 99}é and more")
    refused(mjopt("verify", str(path), "--limit", f"line={len(text) + 99}"), "line")


def test_a_long_line_among_others(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(f"{SMALL.to_json()}\n" * 300 + '{"a": "' + "x" * 1_100_000)
    ran = mjopt("verify", str(path), "-j", "1")
    refused(ran, "line")
    assert "line 301: JSON: past the limit of 1,000,000 bytes" in ran.out


def script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("echo 'Unsupported version.'; exit 1", 2, "certify with --proof-version 2.0"),
        ("echo 'ValueError: version 3.0 is not supported' >&2; exit 1", 2, "of version 3.0"),
        ("echo 'Verification failed.'; exit 1", 3, "veripb 2.2.1 REFUSES: Verification failed."),
        ("kill -6 $$", 2, "veripb 2.2.1 gives no verdict: ended by signal 6"),
        ("echo 'Verification succeeded.'", 0, "veripb 2.2.1 accepts: Verification succeeded."),
    ],
)
def test_no_verdict_is_no_refusal(
    mjopt: Call, tmp_path: Path, monkeypatch, body: str, status: int, words: str
) -> None:
    for name, text in zip(("hand.opb", "hand.pbp"), to_opb(SMALL), strict=True):
        (tmp_path / name).write_text(text)
    version = 'if [ "$1" = --version ]; then echo "VeriPB 2.2.1"; exit 0; fi'
    script(tmp_path, "veripb", f"{version}\n{body}")
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = mjopt("verify", str(tmp_path / "hand.opb"), "--external")
    assert ran.status == status
    assert words in ran.out
    row = mjopt("verify", str(tmp_path / "hand.opb"), "--external", "--json").json["external"]
    assert row["failed"] == (status == 2)
    assert row["accepted"] == {0: True, 2: None, 3: False}[status]


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("echo 'Usage: viprchk 1.1 FILE'; exit 0", ""),
        ("echo 'viprchk 1.1'; exit 1", ""),
        ("echo 'cannot open file --version'; exit 0", ""),
        ("echo 'VIPR checker, version 1.1'; exit 0", "1.1"),
    ],
)
def test_a_usage_text_names_no_version(tmp_path: Path, monkeypatch, version, shown) -> None:
    path = tmp_path / "hand.vipr"
    path.write_text(to_vipr(SMALL))
    script(tmp_path, "viprchk", f'if [ "$1" = --version ]; then {version}; fi\nkill -6 $$')
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = ask_external("VIPR", [path])
    assert asked.version == shown
    assert asked.words.endswith("it must be built with -DNDEBUG")
    assert "reads files" in ask_external("VIPR", [tmp_path]).words


def test_older_proofs_are_written(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "hand.opb"
    words = ("certify", "1m", "--called", "4", "-o", str(path), "--proof-version")
    assert mjopt(*words, "1.2").status == 0
    assert path.with_suffix(".pbp").read_text().startswith("pseudo-Boolean proof version 1.2\n")
    assert mjopt("verify", str(path)).status == 0
    for bad, message in (("4.0", "expected one of 1.0"), ("1.2", "the format is json")):
        ran = mjopt("certify", "1m", "--called", "4", "--proof-version", bad)
        assert (ran.status, ran.out) == (2, "")
        assert message in ran.err
