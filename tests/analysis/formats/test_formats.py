"""VIPR and OPB certificates of all kinds of hands, and corrupted ones."""

import contextlib
import dataclasses
import json
import re
from math import inf

import pytest
from helpers.certificate_corpus import FOLDER, HANDS, REFUSED_OPB, REFUSED_VIPR
from helpers.proof_checkers import check_opb, check_vipr, verify_opb, verify_vipr
from helpers.support import hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, Hand, certify
from mjopt.analysis.formats import PROOF_VERSIONS, dual_proof, to_opb, to_vipr
from mjopt.analysis.formats.claim import ClaimedBounds
from mjopt.analysis.formats.proof_header import read_header, write_header
from mjopt.analysis.formats.vipr import read_vipr_claim
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery

CHECKERS = {"VIPR": verify_vipr, "VeriPB": verify_opb}
STORED = [json.loads(line) for line in (FOLDER / "refused.jsonl").read_text().splitlines()]
PROOFS = [row for row in STORED if row["format"] in CHECKERS]


@pytest.mark.parametrize("name", HANDS)
def test_proofs_in_both_formats_are_accepted(name):
    certificate = HANDS[name]()
    value = certificate.to_document()["deficiency"]
    query = HandQuery(certificate.hand, certificate.forms, certificate.unseen, general=True)

    assert verify_vipr(to_vipr(certificate)) == (value, query)
    assert verify_opb(*to_opb(certificate)) == (value, query)


@pytest.mark.parametrize("version", PROOF_VERSIONS)
@pytest.mark.parametrize("name", ["called", "win", "unreachable", "seven pairs"])
def test_all_proof_versions_are_accepted(name, version):
    certificate = HANDS[name]()
    instance, proof = to_opb(certificate, version=version)

    head, *lines = proof.splitlines()
    assert head == f"pseudo-Boolean proof version {version}"
    assert {line.endswith(" ;") for line in lines} == {version == "3.0"}
    assert verify_opb(instance, proof)[0] == certificate.to_document()["deficiency"]


def test_unknown_version_is_refused():
    with pytest.raises(CertificateError, match="version '4.0' is not one of 1.2, 2.0, 3.0"):
        to_opb(HANDS["called"](), version="4.0")


@settings(max_examples=20)
@given(st.data())
def test_random_hands_are_proved(data):
    hand = data.draw(hands(called=4))
    unseen = data.draw(limits(hand))
    forms = ["standard", "seven_pairs"] + ["thirteen_orphans"] * (hand.tiles is FULL)
    form = data.draw(st.sampled_from(forms))
    certificate = certify(hand, unseen=unseen, forms=(form,))
    value = certificate.to_document()["deficiency"]

    assert verify_vipr(to_vipr(certificate))[0] == value
    assert verify_opb(*to_opb(certificate))[0] == value


@settings(max_examples=40)
@given(st.data())
def test_duals_of_the_special_forms(data):
    """Weak duality in exact arithmetic: rows, bounds and objective add up."""
    hand = data.draw(hands(called=1))
    unseen = data.draw(limits(hand))
    form = "thirteen_orphans" if hand.tiles is FULL else "seven_pairs"
    proof = dual_proof(certify(hand, unseen=unseen, forms=(form,)))
    program = proof.program

    bound = sum(dual * program.rows.lower[row] for row, dual in proof.duals.items())
    for left, low, high in zip(proof.reduced, program.lower, program.upper, strict=True):
        bound += left * (low if left > 0 else high)

    if proof.value is None:
        assert bound > 0
    else:
        assert bound == proof.value == program.evaluate(proof.point)


@pytest.mark.parametrize("row", PROOFS, ids=lambda row: f"{row['format']}: {row['name']}")
def test_stored_proofs_stay_refused(row):
    with pytest.raises(CertificateError) as caught:
        CHECKERS[row["format"]](*row["texts"])
    assert row["reason"] in str(caught.value)


def test_stored_proofs_are_complete():
    assert len(PROOFS) == len(REFUSED_VIPR) + len(REFUSED_OPB)
    rows = [json.loads(line) for line in (FOLDER / "accepted.jsonl").read_text().splitlines()]
    for row in rows:
        if row["format"] in CHECKERS:
            assert CHECKERS[row["format"]](*row["texts"])[0] == row["value"]


def test_claims_of_stored_vipr_proofs_are_read():
    values = set()
    for line in (FOLDER / "accepted.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["format"] == "VIPR":
            [text] = row["texts"]
            value = inf if row["value"] is None else row["value"]
            assert read_vipr_claim(text, read_header(text, "%")) == ClaimedBounds(value, value)
            values.add(value)
    assert {1, 2, inf} < values


SMALL = certify(Hand.parse("12m", called=4))
VIPR, (INSTANCE, PROOF) = to_vipr(SMALL), to_opb(SMALL)


@settings(max_examples=100)
@given(st.data())
def test_changed_number_is_refused_or_harmless(data):
    """Only the weight of a row that reads 0 = 0 may change."""
    text = data.draw(st.sampled_from([VIPR, PROOF]))
    start = text.index("RTP") if text is VIPR else 0
    numbers = list(re.finditer(r"(?<![\w~.])-?\d+(?![\w.])", text[start:]))
    match = data.draw(st.sampled_from(numbers))
    number = int(match[0]) + data.draw(st.integers(-3, 3).filter(bool))
    changed = text[: start + match.start()] + str(number) + text[start + match.end() :]

    with contextlib.suppress(CertificateError):
        value = check_vipr(changed) if text is VIPR else check_opb(INSTANCE, changed)
        assert value == 1


def test_several_forms_are_refused():
    forms = ("standard", "seven_pairs")
    certificate = certify(Hand.parse("1122334455667m8p"), forms=forms)
    for write in (to_vipr, to_opb):
        with pytest.raises(CertificateError, match="write the native form"):
            write(certificate)


def test_false_certificate_is_not_written():
    forged = dataclasses.replace(HANDS["called"](), deficiency=0)
    for write in (to_vipr, to_opb):
        with pytest.raises(CertificateError, match="1 tiles away, not 0"):
            write(forged)


COMMENT = json.loads(write_header(HandQuery("1122334455667m8p", "seven_pairs"))[len("mjopt ") :])


@settings(max_examples=80)
@given(
    st.sampled_from(sorted(COMMENT)),
    st.none()
    | st.booleans()
    | st.integers(-1, 5)
    | st.sampled_from([[], {}, [1], ["1m"], ["123m"], "", "1z", "standard", ["x"] * 27, [5] * 27]),
)
def test_changed_comment_is_refused_or_names_a_valid_hand(field, value):
    with contextlib.suppress(CertificateError):
        query = read_header("% mjopt " + json.dumps({**COMMENT, field: value}), "%")
        assert all(h + u <= 4 for h, u in zip(query.hand.counts, query.unseen, strict=True))
