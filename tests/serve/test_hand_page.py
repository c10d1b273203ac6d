"""The hand page: results of the package, certificates and readable errors."""

import gzip
import io
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from helpers.proof_checkers import verify_opb, verify_vipr
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import mjopt
from mjopt.analysis.ceiling import TableKey, build_ceiling
from mjopt.analysis.explanation import explain
from mjopt.analysis.formats.verify_file import verify_stream
from mjopt.serve.app import make_app
from mjopt.serve.app_context import Settings
from mjopt.serve.hand_form import form_address
from mjopt.serve.hand_page import EXAMPLES, LIMITS, chart_of

HOST = "http://127.0.0.1:8000"
FULL_HAND = "4569m13445788p2s4z"
FIELDS = ("hand", "notation", "melds", "called", "unseen", "wall", "tiles", "forms", "call")

client = TestClient(
    make_app(Settings()),
    base_url=HOST,
    headers={"origin": HOST},
    raise_server_exceptions=False,
    follow_redirects=False,
)


def get(path: str = "/", **query: str) -> httpx.Response:
    return client.get(path, params=query)


def page(**query: str) -> str:
    answer = get(**query)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(text: str) -> str:
    """Return the visible text of a page, with the names of its images."""
    named = re.sub(r'<svg[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", text)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", named)))


def posted(files: list[bytes], **query: str) -> httpx.Response:
    sent = [("certificate", (f"c{i}", text)) for i, text in enumerate(files)]
    return client.post("/verify", params=query, files=sent)


def test_without_a_hand_the_page_has_examples_and_no_answer() -> None:
    text = page()

    assert "The proof in words" not in text
    assert all(f'href="{form_address(one)}"'.replace("&", "&amp;") in text for _, one in EXAMPLES)


@pytest.mark.parametrize(("name", "written"), EXAMPLES)
def test_every_example_is_answered(name: str, written: object) -> None:
    assert client.get(form_address(written)).status_code == 200


def test_headline_and_proof_equal_the_package_output() -> None:
    told = explain(mjopt.certify(FULL_HAND))
    text = unescape(page(hand=FULL_HAND))

    assert f"{told.headline}</h2>" in text
    assert f'<div class="proof">{told.text}</div>' in text


def test_every_discard_has_useful_tiles_and_exact_draws() -> None:
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page(hand=FULL_HAND), re.S)
    ranked = mjopt.rank_discards(FULL_HAND)
    left = {after.kind: after.after for after in mjopt.discards(FULL_HAND)}

    assert len(rows) == len(ranked)
    for row, discard in zip(rows, ranked, strict=True):
        after = left[discard.kind]
        name = discard.hand.tiles.names[discard.kind]
        assert f"remove={name}" in row
        assert after.words in row
        useful = re.findall(r"tiles\.svg#(\w+)\"/></svg><small>×(\d)</small>", row)
        names = discard.hand.tiles.names
        assert useful == [(names[kind], str(copies)) for kind, copies in after.copies]
        assert f'<summary title="{discard.mean}">{float(discard.mean):.2f}</summary>' in row
        assert f'<span class="exact">{discard.mean}</span>' in row
    assert [("best" in row) for row in rows] == [discard.rank == 1 for discard in ranked]


def test_chart_of_draws_has_one_bar_per_draw_and_a_caption() -> None:
    draws = mjopt.expected_draws("1112345678999m")
    chart = chart_of(draws)
    assert chart is not None

    heights = [20 - float(y) for y in re.findall(r"M\d+ 20V([\d.e-]+)h", chart.path)]
    curve = draws.curve
    shares = [float(b - a) for a, b in zip((0, *curve), curve, strict=False)][: chart.width]
    highest = max(shares)
    assert heights == pytest.approx([20 * share / highest for share in shares], abs=0.06)
    assert sum(shares) >= 0.995
    quantiles = [draws.quantile(share) for share in (0.1, 0.5, 0.9)]
    assert re.findall(r"by draw (\d+)", chart.words) == list(map(str, quantiles))
    assert f'aria-label="{chart.words}"' in page(hand="1112345678999m")


def test_hand_that_cannot_be_completed_has_no_chart() -> None:
    assert chart_of(mjopt.expected_draws("1112345678999m", wall="1m")) is not None
    assert chart_of(mjopt.expected_draws("123456789m1155p", wall="9s")) is None
    assert "never: the wall may not complete it" in page(hand="123456789m1155p", wall="9s")


def test_win_is_shown_in_every_decomposition() -> None:
    text = page(hand="11122233344455s")
    ways = re.search(r'<ol class="ways small">(.*?)</ol>', text, re.S)
    assert ways is not None

    shown = [
        ["".join(re.findall(r"#(\w)s", block)) for block in way.split('<span class="meld">')[1:]]
        for way in ways[1].split("<li>")[1:]
    ]
    found = mjopt.decompositions("11122233344455s")
    tiles = mjopt.M0
    assert shown == [[block.text(tiles)[:-1] for block in way] for way in found]
    assert "It wins as four melds and an eye." in text
    assert '<details id="throws"><summary>Discards</summary>' in text
    assert "nearest complete hands" not in text


def test_nearest_targets_list_draws_and_discards() -> None:
    text = page(hand=FULL_HAND)
    near = mjopt.targets(FULL_HAND)

    assert f"The nearest complete hands: {near.number}" in text
    shown = re.findall(r"<li>draw (.*?) throw (.*?)</li>", text)
    held, names = near.hand.counts, near.hand.tiles.names
    for (draw, throw), target in zip(shown, near, strict=True):
        pairs = list(zip(names, target, held, strict=True))
        assert re.findall(r"#(\w+)", draw) == [n for n, t, h in pairs for _ in range(t - h)]
        assert re.findall(r"#(\w+)", throw) == [n for n, t, h in pairs for _ in range(h - t)]


def test_call_is_evaluated() -> None:
    text = words(page(hand="2378m345p6688s11z", call="4m"))
    chow, passed = mjopt.judge_calls("2378m345p6688s11z", "4m")

    assert f"{float(chow.change):.2f}: worth it" in text
    assert text.index("chow two of characters three of") < text.index(f"{float(passed.mean):.2f}")
    assert f"{float(chow.mean):.2f}" in text


def test_hand_of_13_tiles_shows_useful_tiles_instead_of_discards() -> None:
    text = page(hand="2378m345p6688s11z")
    useful = mjopt.useful_tiles("2378m345p6688s11z")
    mean = mjopt.expected_draws("2378m345p6688s11z").mean

    assert f"{useful.words}; {useful.num_copies} useful tiles" in text
    assert f'<summary title="{mean}">{float(mean):.2f}' in text
    assert "<h3>Discards</h3>" not in text
    assert 'name="call"' in text


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("123m", "3 tiles so far: 10 missing before its draw, 11 with it"),
        ("1m", "1 tile so far: 12 missing before its draw"),
        ("1112345678m", "10 tiles so far: 3 missing before its draw"),
    ],
)
def test_incomplete_hand_is_partial(hand: str, says: str) -> None:
    text = page(hand=hand)
    value = mjopt.deficiency(mjopt.Hand.parse(hand, partial=True))

    assert says in text
    assert f"deficiency {value}" in text
    assert 'name="call"' not in text


def test_tile_buttons_work_without_javascript() -> None:
    text = page(hand="1m0p4z")
    held = re.findall(r'name="remove" value="(\w+)" aria-label="take out ([^"]*)"', text)
    assert [name for name, _ in held] == ["1m", "0p", "4z"]

    added = get(hand="1m0p4z", add="9s", melds="", called="", forms="standard")
    assert (added.status_code, added.headers["location"]) == (303, "/?hand=1m0p9s4z")
    taken = get(hand="1m0p4z", remove="0p", melds="111s", notation="mpsz")
    assert taken.headers["location"] == "/?hand=1m4z&melds=111s"
    assert get(hand="1m", remove="1m", call="1m").headers["location"] == "/"


def test_palette_offers_only_tiles_that_can_be_added() -> None:
    buttons = dict(
        re.findall(r'name="add" value="(\w+)" aria-label="[^"]*"( disabled)?', page(hand="1111m2p"))
    )
    assert len(buttons) == 34
    assert [name for name, off in buttons.items() if off] == ["1m"]

    full = re.findall(
        r'name="add" value="\w+" aria-label="[^"]*"( disabled)?', page(hand=FULL_HAND)
    )
    assert full == [" disabled"] * 34


def test_url_holds_the_whole_state() -> None:
    sent = {"hand": "23m67p44s1z", "melds": "345m 777z", "forms": "standard", "unseen": "1444m58p"}
    text = page(**sent)

    assert 'name="melds" value="345m 777z"' in text
    assert 'name="unseen" value="1444m58p"' in text
    links = [unescape(link) for link in re.findall(r'href="(/certificate[^"]*)"', text)]
    for link in links:
        query = parse_qs(urlsplit(link).query)
        assert {name: query.get(name, ["standard"])[0] for name in sent} == sent


BAD_HANDS = (
    ("hand", {"hand": "12x"}, "'x' at character 3"),
    ("hand", {"hand": "1111m", "melds": "111m"}, "4 of 1m held and 3 called"),
    ("notation", {"hand": "1m", "notation": "tenhou"}, "unknown notation"),
    ("wall", {"hand": "1111m", "wall": "1m"}, "but the hand leaves 0"),
    ("forms", {"hand": "1m", "forms": "nine_gates"}, "unknown form"),
    ("call", {"hand": "1112345678999m1p", "call": "2m"}, "before its draw"),
)


@pytest.mark.parametrize(("field", "query", "says"), BAD_HANDS)
def test_bad_input_is_one_line_beside_its_field(
    field: str, query: dict[str, str], says: str
) -> None:
    answer = get(**query)

    assert answer.status_code == 400
    [told] = re.findall(
        rf'<p class="error" id="{field}-problem" role="alert">(.*?)</p>', answer.text
    )
    assert says in unescape(told)
    assert "\n" not in told
    assert f'aria-describedby="{field}-problem"' in answer.text or field == "call"
    if field in ("hand", "melds", "unseen", "wall"):
        assert f'name="{field}" value="{query[field]}"' in answer.text
        assert re.search(rf'name="{field}"[^>]*aria-invalid="true"', answer.text)


@pytest.mark.parametrize("field", [*FIELDS, "add", "remove"])
def test_markup_in_a_field_is_escaped(field: str) -> None:
    evil = "\"'><script>alert(1)</script>{{7*7}}"
    answer = get(**({"hand": FULL_HAND} | {field: evil}))

    assert "<script>alert" not in answer.text
    assert "49</" not in answer.text
    assert answer.status_code in (400, 303)


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
        {"hand": FULL_HAND},
        {"hand": "1133557799m1133p", "forms": "seven_pairs"},
        {"hand": "19m19p19s123456z5m", "forms": "thirteen_orphans"},
        {"hand": "23m67p44s1z", "melds": "345m 777z"},
        {"hand": "123m456m789m1239p", "unseen": "9s"},
        {"hand": "1230m", "tiles": "136"},
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

    text = mjopt.certify(FULL_HAND).to_json().encode()
    result = verify_stream(Path("-"), io.BytesIO(text))
    assert f"<b>accepted</b>: {result.message} [native]" in unescape(answer.text)
    assert "<h3>Discards</h3>" in answer.text


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

    assert "<b>refused</b>: not a certificate: expected JSON" in unescape(posted([text]).text)


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
    text = unescape(page(hand=FULL_HAND, forms="standard,chiitoi"))
    links = re.findall(r'href="(/certificate[^"]*format=(\w+))"', text)

    assert [ending for _, ending in links] == ["json", *["vipr", "opb", "pbp"] * 2]
    assert all(client.get(link).status_code == 200 for link, _ in links)
    refused = get("/certificate", hand=FULL_HAND, forms="standard,chiitoi", format="vipr")
    assert (refused.status_code, "no single program" in refused.text) == (400, True)


@pytest.mark.parametrize("query", [{"hand": "12x"}, {"hand": FULL_HAND, "format": "pdf"}])
def test_invalid_hand_has_no_certificate(query: dict[str, str]) -> None:
    assert get("/certificate", **query).status_code == 400


def test_page_is_small() -> None:
    answer = get(hand="1358m2469p1379s13z", forms="riichi")
    files = set(re.findall(r'(?:href|src)="(/static/[^"#]*)', answer.text))
    weight = sum(len(gzip.compress(client.get(path).content)) for path in files)

    names = {path.partition("?")[0] for path in files}
    assert {"/static/hand.css", "/static/hand.js", "/static/tiles.svg"} <= names
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) + weight < 100_000


def test_page_has_no_inline_or_third_party_content() -> None:
    text = page(hand="2378m345p6688s11z", call="4m")

    assert not re.search(r"<script(?![^>]*src=\"/static/)", text)
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:|data:|https?:", text)


TEXTS = st.one_of(
    st.text(max_size=30),
    st.text("0123456789mpszBCDEWTF() ,[]\"';\x00\ud7ff﷽東🀀", max_size=24),
    st.sampled_from(["", "123m", FULL_HAND, "B1B2", "0", "4", "m0", "riichi", "1m", "paper"]),
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from([*FIELDS, "add", "remove", "format"]), TEXTS, max_size=5))
def test_arbitrary_text_causes_no_server_error(query: dict[str, str]) -> None:
    for path in ("/", "/certificate"):
        answer = client.get(f"{path}?{urlencode(query)}")
        assert answer.status_code in (200, 303, 400), query
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/?") or answer.headers["location"] == "/"


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["multipart/form-data; boundary=b", "text/x", ""]))
def test_arbitrary_body_causes_no_server_error(body: bytes, kind: str) -> None:
    wrapped = (
        b'--b\r\ncontent-disposition: form-data; name="certificate"\r\n\r\n%b\r\n--b--\r\n' % body
    )
    for content in (body, wrapped):
        answer = client.post("/verify", content=content, headers={"content-type": kind})
        assert answer.status_code in (200, 400)


def test_discards_show_their_ceiling_where_a_table_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = TableKey(called=4)
    build_ceiling(tmp_path / key.file_name, key=key)
    monkeypatch.setenv("MJOPT_DATA", str(tmp_path))
    page = get(hand="2m8p", called="4").text

    assert "Wins within 18 draws, at most" in page
    assert "Sorted by the ceiling" in page
