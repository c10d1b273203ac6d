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
from helpers.waits import LONG

from mjopt import Hand, certify, verify
from mjopt.analysis.formats import PROOF_VERSIONS, to_opb, to_vipr

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
        writer.join(LONG)
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
    writer.join(LONG)
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


UNSETTLED = "which does not settle the deficiency"
FALSE_CLAIMS = [
    ("hand.vipr", "range 1 1", "range -inf inf", f"claims nothing, {UNSETTLED}"),
    ("hand.vipr", "range 1 1", "range 0 14", f"deficiency at least 0, at most 14, {UNSETTLED}"),
    ("hand.vipr", "range 1 1", "range -inf 99", f"claims deficiency at most 99, {UNSETTLED}"),
    ("hand.vipr", "range 1 1", "range 1 inf", f"claims deficiency at least 1, {UNSETTLED}"),
    ("hand.vipr", "range 1 1", "range 0 1", f"at least 0, at most 1, {UNSETTLED}"),
    ("hand.vipr", "range 1 1", "range 2 2", "the solution reaches 1, the claim is 2"),
    ("hand.vipr", "range 1 1", "range 0 0", "the solution reaches 1, the claim is 0"),
    ("hand.vipr", "range 1 1", "infeas", "'SOL 1', expected SOL 0"),
    ("hand.vipr", "range 1 1", "range 1/1 1/1", "expected RTP range LOWER UPPER or RTP infeas"),
    ("hand.vipr", "range 1 1", "range 01 01", "expected RTP range LOWER UPPER or RTP infeas"),
    ("hand.vipr", "range 1 1", "range 1 1 % range 0 0", "expected RTP range"),
    ("hand.vipr", "range 1 1", "range 1\x1f1 1", "expected RTP range"),
    ("hand.vipr", "range 1 1", "Range 1 1", "expected RTP range"),
    ("hand.vipr", "RTP range 1 1", "% \nRTP range 1 1", "expected RTP range"),
    ("hand.vipr", "RTP range 1 1", "RTP range 1 1\nRTP range 0 14", "expected SOL 1"),
    ("hand.vipr", "RTP range 1 1", "RTP range 0 14\nRTP range 1 1", UNSETTLED),
    ("hand.vipr", "SOL 1", "SOL 0", "'SOL 0', expected SOL 1"),
    ("hand.vipr", "point 27 1 1", "point 27 2 1", "the solution is not feasible"),
    ("hand.vipr", "point 27", "point 28", "terms announced"),
    ("hand.vipr", "point 27 1 1", "point 27 4 1", "terms announced"),
    ("hand.vipr", "point 27 1 1", "point 27 9999 1", "terms announced"),
    ("hand.vipr", "DER 1", "DER 0", "expected DER 1"),
    ("hand.vipr", "lin 28 0 1", "lin 28 9999 1", "terms announced"),
    ("hand.vipr", "{ lin", "{ asm", "expected bound G N OBJ"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS 0 : @lb 14", f"at most 14, {UNSETTLED}"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS 0 1", f"at least 0, at most 1, {UNSETTLED}"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS 1 : @lb INF", f"at least 1, {UNSETTLED}"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS INF : @lb 1", UNSETTLED),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS 2 : @lb 2", "reaches 1, the claim is 2"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "BOUNDS 01 : @lb 1", "expected conclusion BOUNDS"),
    ("hand.pbp", "BOUNDS 1 : @lb 1", "bounds 1 : @lb 1", "expected conclusion BOUNDS"),
    ("hand.pbp", "@lb 1 : ~x1 x2", "@lb 1 : x1 x2", "the solution is not feasible"),
    ("hand.pbp", "@lb 1 : ~x1 x2", "@lb 1 : x2", "not all variables in order"),
    ("hand.pbp", "output NONE ;", "output NONE ;\nconclusion NONE ;", "line 6"),
    ("hand.pbp", "output NONE ;", "a >= 1 ;\noutput NONE ;", "expected output NONE"),
    ("hand.pbp", "output NONE ;", "% output\noutput NONE ;", "expected output NONE"),
    ("hand.pbp", "@lb pol 1", "@lb pol 1 ; a >= 1 ; pol 1", "expected @lb pol"),
    ("hand.pbp", "end pseudo-Boolean proof ;", "end pseudo-Boolean proof ;\n%", "line 7"),
    ("hand.pbp", "end pseudo-Boolean proof ;\n", "", "'', expected end pseudo-Boolean proof ;"),
    ("hand.pbp", "version 3.0", "version 3.1", "expected pseudo-Boolean proof version"),
]


@pytest.mark.parametrize(("name", "old", "new", "reason"), FALSE_CLAIMS)
def test_claim_that_settles_nothing_is_refused(
    proofs: Path, name: str, old: str, new: str, reason: str
) -> None:
    """The verdict of a checker does not matter, nor whether there is one."""
    path = proofs / name
    path.write_text(path.read_text().replace(old, new, 1))
    for is_installed in (False, True):
        if is_installed:
            for program in ("viprchk", "veripb"):
                install(proofs, program, "echo Successfully verified.")
        result = verify(path)
        assert (result.status, result.to_document()["status"]) == ("refused", "refused")
        assert reason in result.message


@pytest.mark.parametrize("conclusion", ["NONE", "SAT", "UNSAT", "UNSAT : @lb", "BOUNDS 0 INF"])
def test_conclusion_without_equal_bounds_is_refused(proofs: Path, conclusion: str) -> None:
    path = proofs / "hand.pbp"
    lines = path.read_text().splitlines()
    lines[-2] = f"conclusion {conclusion} ;"
    path.write_text("\n".join(lines) + "\n")
    install(proofs, "veripb", "exit 0")
    # The claim of UNSAT is one value; whether it is true is the question of the checker.
    assert verify(path).is_accepted == conclusion.startswith("UNSAT")


def test_proofs_that_viprchk_believes_wrongly_are_refused(proofs: Path) -> None:
    """A step by `sol` assumes a better solution; from the contradiction follows any bound."""
    path = proofs / "hand.vipr"
    head, _, rest = path.read_text().partition("RTP range 1 1\n")
    _, point, _, bound, _ = rest.split("\n")
    row = int(head.partition("\nCON ")[2].split()[0])  # the number of the derived bound
    cut = f"cut L 0 OBJ {{ sol }} -1\nno G 1 0 {{ lin 2 {row} 1 {row + 1} -1 }} -1\n"
    five = f"five G 5 OBJ {{ lin 2 {row} 1 {row + 2} 4 }} -1\n"
    install(proofs, "viprchk", "echo Successfully verified.")
    for proof in (
        f"RTP infeas\nSOL 1\n{point}\nDER 3\n{bound}\n{cut}",
        f"RTP range 5 5\nSOL 1\n{point}\nDER 4\n{bound}\n{cut}{five}",
    ):
        path.write_text(head + proof)
        assert verify(path).status == "refused"


@pytest.mark.parametrize("name", ["hand.vipr", "hand.opb"])
def test_claim_is_told_in_three_states(mjopt: Call, proofs: Path, name: str) -> None:
    program = {"hand.vipr": "viprchk", "hand.opb": "veripb"}[name]
    claimed = {"lower": "1", "upper": "1", "deficiency": 1, "reachable": True, "checker": program}
    unchecked = mjopt("verify", str(proofs / name), "--json").json
    assert unchecked.items() >= (claimed | {"status": "unchecked", "accepted": False}).items()
    assert "claims: deficiency at least 1, at most 1; not checked: " in unchecked["reason"]
    install(proofs, program, "exit 0")
    accepted = mjopt("verify", str(proofs / name), "--json").json
    assert accepted.items() >= (claimed | {"status": "accepted", "accepted": True}).items()
    assert "proves: deficiency at least 1, at most 1; " in accepted["statement"]
    install(proofs, program, "exit 1")
    refused = mjopt("verify", str(proofs / name), "--json").json
    assert (refused["status"], refused["checker"]) == ("refused", program)
    assert refused.keys().isdisjoint(claimed.keys() - {"checker"})


@pytest.mark.parametrize("version", PROOF_VERSIONS)
@pytest.mark.parametrize(("text", "claim"), [("1m", "1"), ("11m", None)])
def test_claims_of_all_versions_are_read(
    proofs: Path, version: str, text: str, claim: str | None
) -> None:
    form = ("standard",) if claim else ("seven_pairs",)
    texts = to_opb(certify(Hand.parse(text, called=4), forms=form), version=version)
    for ending, content in zip((".opb", ".pbp"), texts, strict=True):
        (proofs / "other").with_suffix(ending).write_text(content)
    document = verify(proofs / "other.opb").to_document()
    assert (document["status"], document["lower"], document["upper"]) == ("unchecked", claim, claim)
    assert document["reachable"] == bool(claim)
    (proofs / "other.pbp").write_text(texts[1].rpartition("c -1")[0] or texts[1] + "c -1\n")
    assert verify(proofs / "other.opb").status == "refused"


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
