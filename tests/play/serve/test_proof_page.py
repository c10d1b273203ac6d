"""The proof page: certificates, their checks and readable errors."""

import io
import json
import re
from html import unescape
from pathlib import Path

import httpx
import pytest
from helpers.proof_checkers import verify_opb, verify_vipr
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import mjopt
from mjopt.analysis.explanation import explain
from mjopt.analysis.formats.verify_file import verify_stream
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import HandForm, form_address
from mjopt.play.serve.proof_page import EXAMPLES, LIMITS

HOST = "http://127.0.0.1:8000"
FULL_HAND = "4569m13445788p2s4z"
ALL = ("standard", "seven_pairs", "thirteen_orphans")

client = TestClient(
    make_app(Settings()),
    base_url=HOST,
    headers={"origin": HOST},
    raise_server_exceptions=False,
    follow_redirects=False,
)


def get(path: str = "/proof", **query: str) -> httpx.Response:
    return client.get(path, params=query)


def posted(files: list[bytes], **query: str) -> httpx.Response:
    sent = [("certificate", (f"c{i}", text)) for i, text in enumerate(files)]
    return client.post("/verify", params=query, files=sent)


def test_proof_is_the_explanation_of_the_package() -> None:
    told = explain(mjopt.certify(FULL_HAND, forms=ALL))

    assert f'<div class="proof">{told.text}</div>' in unescape(get(hand=FULL_HAND).text)


@pytest.mark.parametrize(("name", "written"), EXAMPLES)
def test_every_example_is_proved(name: str, written: HandForm) -> None:
    answer = client.get(form_address(written, "/proof"))

    assert (answer.status_code, '<div class="proof">' in answer.text) == (200, True)


def test_without_a_hand_the_page_has_examples() -> None:
    text = unescape(get().text)

    assert all(f'href="{form_address(one, "/proof")}"' in text for _, one in EXAMPLES)


def test_invalid_hand_is_a_readable_error() -> None:
    answer = get(hand="12x")

    assert (answer.status_code, "'x' at character 3" in unescape(answer.text)) == (400, True)


def test_markup_in_a_certificate_is_escaped() -> None:
    evil = json.loads(mjopt.certify(FULL_HAND).to_json())
    evil["hand"] = "<script>alert(1)</script>"
    for text in (json.dumps(evil).encode(), b"<script>alert(1)</script>"):
        answer = posted([text], hand=FULL_HAND)
        assert "<b>refused</b>" in answer.text
        assert "<script>alert" not in answer.text


def downloaded(written: dict[str, str], ending: str) -> httpx.Response:
    answer = get("/certificate", **written, format=ending)
    assert answer.status_code == 200
    return answer


@pytest.mark.parametrize(
    "written",
    [
        {"hand": FULL_HAND, "forms": "standard"},
        {"hand": "1133557799m1133p", "forms": "seven_pairs"},
        {"hand": "19m19p19s123456z5m", "forms": "thirteen_orphans"},
        {"hand": "23m67p44s1z", "melds": "345m 777z"},
        {"hand": "123m456m789m1239p", "unseen": "9s", "forms": "standard"},
        {"hand": "1230m", "tiles": "m0", "forms": "standard"},
    ],
)
def test_downloaded_certificates_are_accepted(written: dict[str, str]) -> None:
    types = {"json": "application/json", "vipr": "text/plain", "opb": "text/plain"}
    contents = {}
    for ending in (*types, "pbp"):
        answer = downloaded(written, ending)
        assert answer.headers["content-type"].startswith(types.get(ending, "text/plain"))
        [name] = re.findall(
            r'attachment; filename="([\w.]+)"', answer.headers["content-disposition"]
        )
        assert name.endswith(f".{ending}")
        contents[ending] = answer.content
    value = json.loads(contents["json"])["deficiency"]
    assert verify_vipr(contents["vipr"].decode())[0] == value
    assert verify_opb(contents["opb"].decode(), contents["pbp"].decode())[0] == value
    answer = posted([contents["json"]])
    assert answer.status_code == 200
    assert answer.text.count("<b>accepted</b>") == 1


def test_button_verifies_the_certificate_of_the_hand() -> None:
    answer = client.post("/verify", params={"hand": FULL_HAND}, data={"own": "1"})

    text = mjopt.certify(FULL_HAND, forms=ALL).to_json().encode()
    result = verify_stream(Path("-"), io.BytesIO(text))
    assert f"<b>accepted</b>: {result.message} [native]" in unescape(answer.text)
    assert '<div class="proof">' in answer.text


def test_pasted_certificate_is_accepted_with_any_line_ending() -> None:
    text = json.dumps(json.loads(mjopt.certify(FULL_HAND).to_json()), indent=1)

    answer = client.post("/verify", data={"certificate": text.replace("\n", "\r\n")})
    assert "<b>accepted</b>" in answer.text


@pytest.mark.parametrize("key", ["deficiency", "held", "unseen", "bounds", "target", "digest"])
def test_modified_certificate_is_refused_with_the_checkers_message(key: str) -> None:
    changed = json.loads(mjopt.certify(FULL_HAND).to_json())
    changed[key] = {"deficiency": 2, "digest": "0" * 64}.get(key, [])
    text = json.dumps(changed).encode()

    answer = posted([text])
    result = verify_stream(Path("-"), io.BytesIO(text), limits=LIMITS)
    assert result.status == "refused"
    assert f"<b>refused</b>: {result.message}" in unescape(answer.text)
    assert answer.status_code == 200


def test_other_certificate_formats_are_refused() -> None:
    text = downloaded({"hand": FULL_HAND, "forms": "seven_pairs"}, "vipr").content

    assert "<b>refused</b>: not a certificate, expected JSON" in unescape(posted([text]).text)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"data": {"certificate": ""}}, 400),
        ({"data": {"certificate": "hello"}}, 200),
        ({"files": [("certificate", ("c", b"x"))] * 5}, 400),
        ({"content": b"x", "headers": {"content-type": "text/plain"}}, 400),
        ({"content": b"x", "headers": {"content-type": "multipart/form-data"}}, 400),
        (
            {
                "content": b"\xff=1",
                "headers": {"content-type": "application/x-www-form-urlencoded"},
            },
            400,
        ),
        ({"data": {"own": "1"}, "params": {"hand": "12x"}}, 400),
        ({"data": {"certificate": "x" * (1 << 20)}}, 413),
        ({"data": {"certificate": "{" + " " * 100_000}}, 200),
    ],
)
def test_non_certificates_are_refused(sent: dict[str, object], status: int) -> None:
    answer = client.post("/verify", **sent)

    assert answer.status_code == status
    assert status != 200 or "<b>refused</b>" in answer.text


def test_other_formats_have_one_certificate_per_form() -> None:
    text = unescape(get(hand=FULL_HAND, forms="standard,chiitoi").text)
    links = re.findall(r'href="(/certificate[^"]*format=(\w+))"', text)

    assert [ending for _, ending in links] == ["json", *["vipr", "opb", "pbp"] * 2]
    assert all(client.get(link).status_code == 200 for link, _ in links)
    refused = get("/certificate", hand=FULL_HAND, forms="standard,chiitoi", format="vipr")
    assert (refused.status_code, "takes several programs" in refused.text) == (400, True)


@pytest.mark.parametrize("query", [{"hand": "12x"}, {"hand": FULL_HAND, "format": "pdf"}])
def test_invalid_hand_has_no_certificate(query: dict[str, str]) -> None:
    assert get("/certificate", **query).status_code == 400


@settings(max_examples=30)
@given(st.binary(max_size=200), st.sampled_from(["multipart/form-data; boundary=b", "text/x", ""]))
def test_arbitrary_body_causes_no_server_error(body: bytes, kind: str) -> None:
    wrapped = (
        b'--b\r\ncontent-disposition: form-data; name="certificate"\r\n\r\n%b\r\n--b--\r\n' % body
    )
    for content in (body, wrapped):
        answer = client.post("/verify", content=content, headers={"content-type": kind})
        assert answer.status_code in (200, 400)
