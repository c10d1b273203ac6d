"""VIPR and OPB files, and statements, of the forms of rule sets."""

import random

import pytest
from helpers.proof_checkers import verify_opb, verify_vipr
from helpers.small_forms import RULE_TEXTS, SMALL_FORMS, deal_hand, small_rules

from mjopt import FULL, UNREACHABLE, Hand, certify
from mjopt.analysis.formats import PROOF_VERSIONS, to_opb, to_vipr, verify_files
from mjopt.errors import CertificateError


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_proofs_of_small_forms_are_accepted(name):
    """One template or the union of several, with and without jokers, reachable or not."""
    rng = random.Random(name)
    form = SMALL_FORMS[name]
    for version in PROOF_VERSIONS:
        hand, unseen = deal_hand(rng, form)
        certificate = certify(hand, unseen=unseen)
        value = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
        found, query = verify_vipr(to_vipr(certificate))
        assert (found, query.forms) == (value, certificate.forms)
        assert verify_opb(*to_opb(certificate, version=version))[0] == value


def test_unreachable_form_of_several_templates_is_refuted():
    hand = Hand.parse("123456m789p1122s", tiles=FULL)
    certificate = certify(hand, forms="mcr.knitted_straight", unseen=[0] * 34)
    assert verify_vipr(to_vipr(certificate))[0] is None
    assert verify_opb(*to_opb(certificate))[0] is None


def test_called_melds_that_no_template_allows_are_a_refutation():
    hand = Hand.parse("1278m", melds=["111p", "789m", "222z"], rules="half-flush")
    certificate = certify(hand)
    assert verify_vipr(to_vipr(certificate))[0] is None
    assert verify_opb(*to_opb(certificate))[0] is None


def test_form_without_melds_needs_the_native_form_if_melds_are_called():
    certificate = certify(Hand.parse("1278m", called=3, tiles=FULL), forms="mcr.seven_pairs")
    with pytest.raises(CertificateError, match="seven_pairs has no called melds: write the native"):
        to_vipr(certificate)


def test_program_of_another_definition_is_refused():
    """The comment on top defines the form; the program below must be its own."""
    text = to_vipr(certify(Hand.parse("1m", tiles=FULL, partial=True, rules="half-flush")))
    with pytest.raises(CertificateError, match="is not the SHA-256 of the templates"):
        verify_vipr(text.replace('"has_pongs":true', '"has_pongs":false', 1))


@pytest.mark.parametrize("name", RULE_TEXTS)
def test_statement_names_a_form_and_the_checksum_of_its_definition(tmp_path, name):
    rules = small_rules(name)
    certificate = certify(Hand.from_counts([0] * rules.tiles.num_kinds, rules=rules, partial=True))
    path = tmp_path / "hand.json"
    path.write_text(certificate.to_json())
    [result] = verify_files([path])
    assert result.is_accepted
    checksums = {str(form): form.digest for form in rules.forms}
    assert result.to_document()["definitions"] == checksums
    named = ", ".join(f"{form} as defined with SHA-256 {sha}" for form, sha in checksums.items())
    assert result.message.endswith(f"({', '.join(checksums)}); {named}")


def test_statement_about_a_shipped_form_needs_no_checksum(tmp_path):
    path = tmp_path / "hand.json"
    path.write_text(certify("12356789m123p12344s", forms="taiwan").to_json())
    [result] = verify_files([path])
    assert result.message == "12356789m123p12344s in FULL has deficiency 1 (taiwan)"
    assert "definitions" not in result.to_document()
