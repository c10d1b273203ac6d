"""The pages below `/review`: uploads, views, errors, the hand page of a position."""

import gzip
import html
import re
from pathlib import Path

import pytest
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

from mjopt.play import review
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import HandForm
from mjopt.play.serve.hand_page import form_from_query

SITE = "http://127.0.0.1"
LOGS = Path(__file__).parents[2] / "data" / "logs"
LOG = LOGS / "tenhou-mjlog" / "game-01.mjlog"
FILES = sorted(path for path in LOGS.glob("*/*") if path.is_file())


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(make_app(Settings()), base_url=SITE, headers={"origin": SITE})


@pytest.fixture(scope="module")
def address(client: TestClient) -> str:
    return str(post(client, LOG.name, LOG.read_bytes()).url.path)


def post(client: TestClient, name: str, data: bytes):
    return client.post("/review", files={"log": (name, data)})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_form_of_log_is_reviewed(client: TestClient, path: Path) -> None:
    answer = post(client, path.name, gzip.compress(path.read_bytes()))
    assert answer.status_code == 200
    names = review(path).judged.games[0].names
    assert all(html.escape(name) in answer.text for name in names)
    assert "Worth a look, the costliest first" in answer.text


def test_pasted_text_is_reviewed(client: TestClient, address: str) -> None:
    answer = client.post("/review", data={"pasted": LOG.read_text()})
    assert answer.status_code == 200
    assert "pasted text" in answer.text


@pytest.mark.parametrize("language", ["ja", "zh-TW", "zh-CN"])
def test_remarks_speak_the_language_of_the_page(
    client: TestClient, address: str, language: str
) -> None:
    for seat in ("0", "all"):
        for step in (0, 5, 12):
            where = f"{address}?seat={seat}&step={step}"
            page = client.get(where, headers={"accept-language": language}).text
            shown = re.sub(r"<[^>]*>|<script.*?</script>", " ", page.partition("<main")[2])
            words = ("eficiency", "turn", "Useful", "copies", "best", "seat", "throws", "calls")
            assert [word for word in words if word in shown] == []


def test_board_stays_on_the_chosen_player(client: TestClient, address: str) -> None:
    found = review(LOG)
    for seat in range(4):
        own = [row for row in found.discards if row["seat"] == seat]
        page = client.get(f"{address}?seat={seat}&step=3").text
        assert f"(4 / {len(own)})" in page
        assert f"turn {own[3]['turn']}, {found.judged.games[0].names[seat]}" in page
        assert page.count("tile thrown") + page.count("tile drawn thrown") >= 1
    total = len(found.judged.discards)
    assert f"(1 / {total})" in client.get(f"{address}?seat=all").text


def test_every_costly_discard_leads_to_its_step(client: TestClient, address: str) -> None:
    page = client.get(f"{address}?seat=2").text
    costly = re.findall(r'<ol class="costly">(.*?)</ol>', page, re.S)[0]
    links = re.findall(r'href="(\?step=\d+&amp;seat=2&amp;game=1)">(.*?)</a>', costly)
    assert len(links) == 5
    for link, where in links:
        assert f"<b>{where}</b>" in client.get(f"{address}{html.unescape(link)}").text


def test_position_on_the_hand_page_is_that_of_the_review(client: TestClient, address: str) -> None:
    found = review(LOG)
    own = [row for row in found.discards if row["seat"] == 1]
    unseen = found.judged.discards.unseen[found.judged.discards.seat == 1]
    for step in range(0, len(own), 17):
        page = client.get(f"{address}?seat=1&step={step}").text
        link = html.unescape(re.findall(r'href="(/\?hand=[^"]*)">Analyse', page)[0])
        form: HandForm = form_from_query(QueryParams(link.partition("?")[2]))
        query = form.parse()
        hand = own[step]["hand"].replace("0", "5")
        assert sorted(re.findall(r"\d", query.hand_query.hand.to_text())) == sorted(
            re.findall(r"\d", hand)
        )
        assert query.hand_query.unseen == tuple(unseen[step].tolist())


def test_file_of_the_review_has_the_same_steps(client: TestClient, address: str) -> None:
    answer = client.get(f"{address}/review.html?seat=0")
    assert answer.headers["content-disposition"].startswith("attachment")
    own = [row for row in review(LOG).discards if row["seat"] == 0]
    assert answer.text.count('<section class="step"') == len(own)
    assert "Worth a look, the costliest first" in answer.text
    assert "Analyse this position" not in answer.text


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.xml", b"<mjloggm>", "a.xml"),
        ("notes.txt", b"hello", "notes.txt"),
        ("broken.mjlog", LOG.read_bytes()[:400], "broken.mjlog"),
        ("zip.zip", b"PK\x03\x04", "a zip archive"),
        ("<b>.txt", b"hello", "&lt;b&gt;.txt"),
    ],
)
def test_log_that_cannot_be_read_says_so(
    client: TestClient, name: str, data: bytes, message: str
) -> None:
    answer = post(client, name, data)
    assert answer.status_code == 400
    [problem] = re.findall(r'id="problem" role="alert">(.*?)</p>', answer.text, re.S)
    assert message in problem
    assert "\n" not in problem


def test_game_that_breaks_the_rules_names_file_and_line(client: TestClient) -> None:
    text = LOG.read_text()
    draws = re.findall(r"<T\d+/>", text)
    broken = text.replace(draws[5], draws[6], 1)
    first_round = broken[: broken.index("<INIT", broken.index("<INIT") + 1)] + "</mjloggm>"
    answer = post(client, "broken.mjlog", first_round.encode())
    assert answer.status_code == 400
    assert re.search(r'id="problem" role="alert">broken.mjlog, line 1', answer.text)


def test_round_that_breaks_the_rules_is_named_above_the_others(client: TestClient) -> None:
    text = LOG.read_text()
    draws = re.findall(r"<T\d+/>", text)
    answer = post(client, "broken.mjlog", text.replace(draws[5], draws[6], 1).encode())
    assert answer.status_code == 200
    assert re.search(r'class="notice" role="status">not judged: East 1, turn \d', answer.text)
    assert 'class="notice"' not in post(client, "game.mjlog", text.encode()).text


def test_nothing_chosen_is_said_beside_the_field(client: TestClient) -> None:
    answer = client.post("/review", data={"pasted": " "})
    assert answer.status_code == 400
    assert "no log: choose a file, or paste its text" in answer.text


def test_large_uploads_are_refused_before_they_are_read(client: TestClient) -> None:
    answer = client.post("/review", content=b"", headers={"content-length": "9000000"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/review/0123456789abcdef", 404),
        ("{}?step=100000", 400),
        ("{}?step=x", 400),
        ("{}?seat=4", 400),
        ("{}?game=2", 400),
    ],
)
def test_bad_addresses(client: TestClient, address: str, path: str, status: int) -> None:
    assert client.get(path.format(address)).status_code == status


def test_log_stays_until_others_push_it_out(client: TestClient) -> None:
    log = (LOGS / "tenhou-mjlog" / "game-15.mjlog").read_bytes()  # a short one
    first = post(client, "first.mjlog", log + b"\n").url.path
    for number in range(16):
        post(client, "other.mjlog", log + b"\n" * (number + 2))
    assert client.get(first).status_code == 404
