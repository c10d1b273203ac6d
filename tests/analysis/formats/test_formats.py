"""VIPR and OPB certificates of hands: every kind of hand, every corruption."""

import contextlib
import dataclasses
import json
from fractions import Fraction

import pytest
from helpers.certificate_corpus import FOLDER, HANDS, REFUSED_OPB, REFUSED_VIPR
from helpers.support import hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, Hand, certify
from mjopt.analysis.formats import (
    check_files,
    check_opb,
    check_vipr_text,
    dual_proof,
    to_opb,
    to_vipr,
)
from mjopt.errors import CertificateError
from mjopt.hands.query import Question

CHECKERS = {"VIPR": check_vipr_text, "VeriPB": check_opb}
STORED = [json.loads(line) for line in (FOLDER / "refused.jsonl").read_text().splitlines()]
PROOFS = [row for row in STORED if row["format"] in CHECKERS]


@pytest.mark.parametrize("name", HANDS)
def test_every_kind_of_hand_in_both_formats(name):
    certificate = HANDS[name]()
    value = certificate.to_document()["deficiency"]
    instance, proof = to_opb(certificate)

    for accepted, question in (
        check_vipr_text(to_vipr(certificate)),
        check_opb(instance, proof),
    ):
        assert accepted.value == value
        assert accepted.infeasible == (value is None)
        assert question == Question(certificate.hand, certificate.forms, certificate.unseen)


@pytest.mark.parametrize("version", ["1.0", "1.2", "2.0", "3.0"])
@pytest.mark.parametrize("name", ["called", "unreachable", "seven pairs"])
def test_older_proofs(name, version):
    instance, proof = to_opb(HANDS[name](), version=version)
    assert proof.startswith(f"pseudo-Boolean proof version {version}\n")
    check_opb(instance, proof)


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_any_hand(data):
    hand = data.draw(hands(called=4))
    unseen = data.draw(limits(hand))
    forms = ["standard", "seven_pairs"] + ["thirteen_orphans"] * (hand.tiles is FULL)
    form = data.draw(st.sampled_from(forms))
    certificate = certify(hand, unseen=unseen, forms=(form,))
    value = certificate.to_document()["deficiency"]

    assert check_vipr_text(to_vipr(certificate))[0].value == value
    assert check_opb(*to_opb(certificate))[0].value == value


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_duals_of_the_small_forms(data):
    """Weak duality, in plain arithmetic: rows, bounds and objective add up."""
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


def test_the_stored_proofs_are_all():
    assert len(PROOFS) == len(REFUSED_VIPR) + len(REFUSED_OPB)
    rows = [json.loads(line) for line in (FOLDER / "accepted.jsonl").read_text().splitlines()]
    for row in rows:
        if row["format"] in CHECKERS:
            assert CHECKERS[row["format"]](*row["texts"])[0].value == row["value"]


def test_several_forms_are_no_single_program():
    forms = ("standard", "seven_pairs")
    certificate = certify(Hand.parse("1122334455667m8p"), forms=forms)
    for write in (to_vipr, to_opb):
        with pytest.raises(CertificateError, match="write the native form"):
            write(certificate)


def test_a_false_certificate_is_not_written():
    forged = dataclasses.replace(HANDS["called"](), deficiency=0)
    for write in (to_vipr, to_opb):
        with pytest.raises(CertificateError, match="1 tiles away, not 0"):
            write(forged)


def test_a_proof_without_our_comment_is_about_a_program(tmp_path):
    text = to_vipr(HANDS["seven pairs"]())
    path = tmp_path / "plain.vipr"
    path.write_text("% a comment of somebody\n" + text.partition("\n")[2])
    accepted, question = check_vipr_text(path.read_text())
    assert (accepted.value, question) == (1, None)
    [report] = check_files([path])
    assert report.statement == "a program of 27 variables and 55 constraints: optimum 1"
    assert report.deficiency is None


COMMENT = json.loads(to_vipr(HANDS["seven pairs"]()).partition("\n")[0].removeprefix("% mjopt "))


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(sorted(COMMENT)),
    st.none()
    | st.booleans()
    | st.integers(-1, 5)
    | st.sampled_from([[], {}, [1], ["1m"], ["123m"], "", "1z", "standard", ["x"] * 27, [5] * 27]),
)
def test_any_comment_is_refused_or_of_the_same_program(field, value):
    text = to_vipr(HANDS["seven pairs"]())
    changed = "% mjopt " + json.dumps({**COMMENT, field: value})
    with contextlib.suppress(CertificateError):
        accepted, question = check_vipr_text(changed + "\n" + text.partition("\n")[2])
        assert accepted.value == 1
        assert question.forms == ("seven_pairs",)


def test_values_are_exact():
    accepted, _ = check_vipr_text(to_vipr(HANDS["14 tiles"]()))
    assert isinstance(accepted.lower, int | Fraction)
