"""The certificate record: derived properties and JSON."""

import json

import pytest

from mjopt import FULL, UNREACHABLE, Certificate, Hand, certify
from mjopt.errors import CertificateError
from mjopt.hands.blocks import chow, eye


def test_target_gives_draws_and_discards():
    cert = certify(Hand.parse("1278m", called=3))
    assert cert.form == "standard"
    assert cert.deficiency == 2
    assert len(cert.decomposition) == 2
    assert sum(cert.target) == 5
    assert sum(cert.draws) == 2
    assert sum(cert.discards) == 1


def test_win_is_its_own_target():
    cert = certify(Hand.parse("12399m", called=3))
    assert cert.decomposition == (chow(0), eye(8))
    assert sum(cert.draws) == sum(cert.discards) == 0


def test_unreachable_certificate_has_no_target():
    cert = certify(Hand.parse("1278m", called=3), unseen=[0] * 27)
    assert cert.deficiency == UNREACHABLE
    assert (cert.target, cert.form, cert.decomposition) == (None, None, ())
    [(form, (kind, nodes))] = cert.bounds
    assert (form, kind) == ("standard", "cut")
    assert 0 in nodes
    assert json.loads(cert.to_json())["deficiency"] is None


def test_target_is_of_the_nearest_form():
    hand = Hand.parse("19m19p199s122334z5m", tiles=FULL)
    cert = certify(hand, forms=("standard", "seven_pairs", "thirteen_orphans"))
    assert cert.form == "thirteen_orphans"
    assert [form for form, _ in cert.bounds] == [form.name for form in cert.forms]


def test_json_is_one_line():
    text = certify(Hand.parse("1278m", called=3)).to_json()
    assert "\n" not in text
    assert list(json.loads(text))[:4] == ["format", "version", "tiles", "hand"]
    pretty = json.dumps(json.loads(text), indent=2)
    assert Certificate.from_json(pretty).to_json() == text


def test_red_honour_is_refused():
    document = certify(Hand.parse("55z", called=4, tiles=FULL)).to_document()
    document["hand"] = "05z"
    with pytest.raises(CertificateError, match="is not the tiles of held"):
        Certificate.from_json(json.dumps(document))


def test_equal_certificates_are_equal_and_hash():
    one, two = (certify(Hand.parse("1278m", called=3)) for _ in range(2))
    assert one == two
    assert len({one, two}) == 1
