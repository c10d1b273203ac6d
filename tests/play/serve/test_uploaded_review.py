"""The pages below `/review`: uploads, views, errors, the hand page of a position."""

import gzip
import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from helpers.browsing import VISITOR, hold_searches, search_nothing
from helpers.page_text import in_notation
from helpers.short_log import THREE_PLAYERS
from helpers.watched_games import links, record
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

from mjopt.chances.advice.position import Position
from mjopt.play import review
from mjopt.play.review import log_store
from mjopt.play.review.api import Review
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.log_store import LogStore
from mjopt.play.serve import uploaded_review
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.browser_cookie import COOKIE
from mjopt.play.serve.hand_form import HandForm
from mjopt.play.serve.hand_page import form_from_query
from mjopt.play.serve.review_remarks import describe_chance

SITE = "http://127.0.0.1"
LOGS = Path(__file__).parents[2] / "data" / "logs"
LOG = LOGS / "tenhou-mjlog" / "game-01.mjlog"
SHORT = LOGS / "tenhou-mjlog" / "game-15.mjlog"  # two rounds, for tests of any log
FILES = sorted(path for path in LOGS.glob("*/*") if path.is_file())


@pytest.fixture(autouse=True)
def without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    search_nothing(monkeypatch)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(make_app(Settings()), base_url=SITE, headers={"origin": SITE})


@pytest.fixture(scope="module")
def address(client: TestClient) -> str:
    return str(post(client, LOG.name, LOG.read_bytes()).url.path)


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return review(LOG)


def post(client: TestClient, name: str, data: bytes):
    return client.post("/review", files={"log": (name, data)})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_form_of_log_is_reviewed(client: TestClient, path: Path) -> None:
    answer = post(client, path.name, gzip.compress(path.read_bytes()))
    assert answer.status_code == 200
    [(_, game)] = read_games(path.read_bytes())
    assert all(html.escape(name) in answer.text for name in game.names)
    assert "Worth a look, the costliest first" in answer.text


def test_pasted_text_is_reviewed(client: TestClient) -> None:
    answer = client.post("/review", data={"pasted": SHORT.read_text()})
    assert answer.status_code == 200
    assert "pasted text" in answer.text


@pytest.mark.parametrize("language", ["ja", "zh-TW", "zh-CN"])
def test_remarks_speak_the_language_of_the_page(
    client: TestClient, address: str, language: str
) -> None:
    for query in ("seat=0&step=0", "seat=0&step=5", "seat=0&step=12", "seat=all&step=5"):
        page = client.get(f"{address}?{query}", headers={"accept-language": language}).text
        shown = re.sub(r"<[^>]*>|<script.*?</script>", " ", page.partition("<main")[2])
        words = ("eficiency", "turn", "Useful", "copies", "best", "seat", "throws", "calls")
        assert [word for word in words if word in shown] == []


def test_board_stays_on_the_chosen_player(
    client: TestClient, address: str, reviewed: Review
) -> None:
    for seat in range(4):
        own = [row for row in reviewed.discards if row["seat"] == seat]
        page = client.get(f"{address}?seat={seat}&step=3").text
        assert f" 4 / {len(own)} " in page
        assert f"turn {own[3]['turn']}, {reviewed.judged.games[0].names[seat]}" in page
        assert page.count("tile thrown") + page.count("tile drawn thrown") >= 1
    total = len(reviewed.judged.discards)
    assert f"· 1 / {total} ·" in client.get(f"{address}?seat=all").text


def test_every_costly_discard_leads_to_its_step(client: TestClient, address: str) -> None:
    page = client.get(f"{address}?seat=2").text
    costly = re.findall(r'<ol class="costly">(.*?)</ol>', page, re.S)[0]
    links = re.findall(r'href="(\?step=\d+&amp;seat=2&amp;game=1)">(.*?)</a>', costly)
    assert len(links) == 5
    for link, where in links:
        assert f"<b>{where}</b>" in client.get(f"{address}{html.unescape(link)}").text


def test_position_on_the_hand_page_is_that_of_the_review(
    client: TestClient, address: str, reviewed: Review
) -> None:
    own = [row for row in reviewed.discards if row["seat"] == 1]
    unseen = reviewed.judged.discards.unseen[reviewed.judged.discards.seat == 1]
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


def test_file_of_the_review_has_the_same_steps(
    client: TestClient, address: str, reviewed: Review
) -> None:
    answer = client.get(f"{address}/review.html?seat=0")
    assert answer.headers["content-disposition"].startswith("attachment")
    own = [row for row in reviewed.discards if row["seat"] == 0]
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
    first_draw = re.search(r"<[T-W]\d+/>", text)
    assert first_draw
    broken = text.replace(first_draw[0], "<T136/>", 1)
    first_round = broken[: broken.index("<INIT", broken.index("<INIT") + 1)] + "</mjloggm>"
    answer = post(client, "broken.mjlog", first_round.encode())
    assert answer.status_code == 400
    assert re.search(r'id="problem" role="alert">broken.mjlog, line 1', answer.text)


def test_round_that_breaks_the_rules_is_named_above_the_others(client: TestClient) -> None:
    text = SHORT.read_text()
    draws = re.findall(r"<T\d+/>", text)
    answer = post(client, "broken.mjlog", text.replace(draws[5], draws[6], 1).encode())
    assert answer.status_code == 200
    assert re.search(r'class="notice" role="status">East 1, turn \d', answer.text)
    assert 'class="notice"' not in post(client, "game.mjlog", text.encode()).text


def test_nothing_chosen_is_said_beside_the_field(client: TestClient) -> None:
    answer = client.post("/review", data={"pasted": " "})
    assert answer.status_code == 400
    assert "no log: choose a file, or paste its text" in answer.text


@pytest.mark.parametrize("size", [8_000_001, 9_000_000])
def test_large_uploads_are_refused_beside_the_field(client: TestClient, size: int) -> None:
    for fields in (
        {"files": {"log": ("big.mjlog", bytes(size))}},
        {"data": {"pasted": "x" * size}},
    ):
        answer = client.post("/review", **fields)
        assert answer.status_code == 413
        assert re.search(r'id="problem" role="alert">a log of more than 8 MB', answer.text)
        assert len(answer.content) < 10_000


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


def test_log_stays_until_others_push_it_out() -> None:
    client = site(None)
    log = SHORT.read_bytes()
    first = post(client, "first.mjlog", log + b"\n").url.path
    for number in range(16):
        post(client, "other.mjlog", log + b"\n" * (number + 2))
    assert client.get(first).status_code == 404


# Stored logs


def site(folder: Path | None) -> TestClient:
    app = make_app(Settings(games=folder))
    return TestClient(app, base_url=SITE, headers={"origin": SITE}, cookies={COOKIE: VISITOR})


def test_review_survives_a_restart(tmp_path: Path) -> None:
    address = str(post(site(tmp_path), SHORT.name, gzip.compress(SHORT.read_bytes())).url.path)
    page = site(tmp_path).get(f"{address}?step=3")
    assert page.status_code == 200
    assert f"Review of {SHORT.name}" in page.text
    assert "Watch four hands of computer players" in site(tmp_path).get("/games").text
    assert site(None).get(address).status_code == 404


def test_modified_log_is_refused_and_foreign_files_stay(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(log_store, "MAX_FILES", 2)
    store, foreign = LogStore(tmp_path), tmp_path / "reviews" / "0123456789abcdef.unit"
    foreign.parent.mkdir()
    foreign.write_text("not ours")
    log = SHORT.read_bytes()
    keys = [store.add("one", log + b"\n" * number) for number in range(4)]
    assert sorted(path.stem for path in foreign.parent.glob("*.unit")) == sorted(
        [foreign.stem, *keys[2:]]
    )
    assert foreign.read_text() == "not ours"
    (foreign.parent / f"{keys[3]}.unit").write_bytes(b"mjopt unit ")
    for key in (keys[3], foreign.stem):
        answer = site(tmp_path).get(f"/review/{key}")
        assert answer.status_code == 400
        assert "the file of this log was modified" in answer.text
        assert str(tmp_path) not in answer.text
    assert site(tmp_path).get(f"/review/{keys[0]}").status_code == 404
    assert site(tmp_path).get("/review/..%2f..%2fgames").status_code == 404


def test_log_is_reviewed_although_it_cannot_be_stored(tmp_path: Path) -> None:
    (tmp_path / "reviews").write_text("a file")
    client = site(tmp_path)
    assert post(client, SHORT.name, SHORT.read_bytes()).status_code == 200


def test_watched_game_is_reviewed_without_an_upload(tmp_path: Path) -> None:
    lines = [record("gmjbg", 1), "damaged", record("jj", 0).replace("random", "you", 1)]
    (tmp_path / "games.txt").write_text("\n".join(lines))
    client = site(tmp_path)
    [games] = links(client.get("/games").text, r"/games/\w+")
    [link] = links(client.get(f"{games}/1?seat=2").text, r"/review/[^\"]*")
    page = client.get(html.unescape(link)).text
    assert "Review of games.txt" in page
    assert ">Expert</option>" in page
    assert 'value="1" selected' in page
    address = link.partition("?")[0]
    assert 'value="0" selected>You<' in client.get(f"{address}?game=3").text
    assert client.get(f"{address}?game=2").status_code == 400
    assert client.get(f"{address}?game=4").status_code == 400
    assert not (tmp_path / "reviews").exists()


# Addresses of tenhou.net


ID = "2019010100gm-0089-0000-0123abcd"


def paste(client: TestClient, text: str):
    return client.post("/review", data={"pasted": text})


def test_address_that_holds_the_game_is_read_without_the_network(client: TestClient) -> None:
    log = (LOGS / "tenhou-json" / "game-01.jsonl").read_text().splitlines()[0]
    for host in (client, TestClient(make_app(Settings(names=("example.org",))), base_url=SITE)):
        answer = host.post(
            "/review",
            data={"pasted": f" https://tenhou.net/6/#json={quote(log)}&ts=0\n"},
            headers={"origin": SITE},
        )
        assert answer.status_code == 200
        assert "Review of pasted text" in answer.text


@pytest.mark.parametrize("path", ["/0/?log={}&tw=2", "/3/?log={}&tw=2", "/6/?log={}&ts=1&tw=2"])
def test_log_of_an_address_is_fetched(client: TestClient, path: str, monkeypatch) -> None:
    asked = []
    data = SHORT.read_bytes()
    monkeypatch.setattr(uploaded_review, "fetch_log", lambda log: asked.append(log) or data)
    answer = paste(client, f"https://tenhou.net{path.format(ID)}")
    assert answer.status_code == 200
    assert asked == [ID]
    assert f"Review of {ID}" in answer.text
    assert 'value="2" selected' in answer.text


@pytest.mark.parametrize(
    "address",
    [
        "https://tenhou.net/0/?log=../../etc",
        "https://tenhou.net/0/?log=",
        "https://tenhou.net/3/",
        f"https://tenhou.net/9/?log={ID}",
        f"https://tenhou.net/0/?log={ID}%00",
    ],
)
def test_address_without_a_log_is_refused_beside_the_field(
    client: TestClient, address: str, monkeypatch
) -> None:
    monkeypatch.setattr(uploaded_review, "fetch_log", None)
    answer = paste(client, address)
    assert answer.status_code == 400
    assert 'role="alert">no log in this address, expected https' in answer.text


@pytest.mark.parametrize(
    "host", ["https://tenhou.net.example.org", "https://example.org/tenhou.net"]
)
def test_other_hosts_are_not_asked(client: TestClient, host: str, monkeypatch) -> None:
    monkeypatch.setattr(uploaded_review, "fetch_log", None)
    answer = paste(client, f"{host}/0/?log={ID}")
    assert answer.status_code == 400
    assert "an address, expected a log saved as a file" in answer.text


@pytest.mark.parametrize("more", [{"names": ("example.org",)}, {"host": "0.0.0.0"}])
def test_server_for_others_fetches_nothing(more: dict[str, object], monkeypatch) -> None:
    monkeypatch.setattr(uploaded_review, "fetch_log", None)
    client = TestClient(make_app(Settings(**more)), base_url=SITE, headers={"origin": SITE})
    assert "tenhou.net" not in client.get("/review").text
    answer = paste(client, f"https://tenhou.net/0/?log={ID}")
    assert answer.status_code == 400
    assert "this server fetches no logs" in answer.text


# Chances to win


def test_page_shows_the_numbers_of_a_review_by_chance(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.undo()
    may_begin = hold_searches(monkeypatch)
    log = tmp_path / "three.json"
    log.write_text(THREE_PLAYERS)
    rows = list(review(log, by="chance").discards)
    app = make_app(Settings())
    with TestClient(app, base_url=SITE, headers={"origin": SITE}) as client:
        address = f"{post(client, log.name, log.read_bytes()).url.path}?seat=all"
        events = html.unescape(re.findall('data-events="([^"]*)"', client.get(address).text)[0])
        may_begin.set()
        while "data-events" in (page := client.get(address).text):
            assert "Judging by the chance to win" in page
            assert "data: ready" in client.get(events).text
        # A page may ask only after all is judged: it was sent before.
        assert "data: ready" in client.get(events).text
        assert 'id="judging" hidden' in page
        for step, row in enumerate(rows):
            shown = in_notation(html.unescape(client.get(f"{address}&step={step}").text))
            assert f"{describe_chance(row)[1:]}." in shown
            assert f"{row['draws_left']} own draw" in shown
            link = re.findall(r'href="(/\?hand=[^"]*)">Analyse', shown)[0]
            form: HandForm = form_from_query(QueryParams(link.partition("?")[2]))
            assert form.parse().position == Position.parse(row["position"])
        downloaded = client.get(f"{address}".replace("?", "/review.html?")).text
        assert all(
            describe_chance(row)[1:] in re.sub("</?i>", "", html.unescape(downloaded))
            for row in rows
        )


@pytest.mark.parametrize("query", ["step=x", "seat=7", "game=2", "step=99999"])
def test_progress_of_a_wrong_address_is_refused(
    client: TestClient, address: str, query: str
) -> None:
    assert client.get(f"{address}/progress?{query}").status_code == 400
    assert client.get(f"/review/0123456789abcdef/progress?{query}").status_code == 404
