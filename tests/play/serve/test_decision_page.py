"""Decisions as puzzles: from a review one after another, and by a link that outlives the game."""

import html
import re
from pathlib import Path

import pytest
from helpers.browsing import VISITOR, search_nothing
from helpers.page_text import in_notation
from starlette.testclient import TestClient

from mjopt import advise
from mjopt.chances.advice.position import Position
from mjopt.play import review
from mjopt.play.review.cost import costliest
from mjopt.play.serve.advice_words import chance_words, lost_words, why_words
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.browser_cookie import COOKIE
from mjopt.play.serve.hand_form import position_address

SITE = "http://127.0.0.1"
SHORT = Path(__file__).parents[2] / "data" / "logs" / "tenhou-mjlog" / "game-15.mjlog"
POSITION = Position.parse("22557m234p34789s3z draws=2")
THROWN = "7m"


def site(folder: Path | None = None) -> TestClient:
    app = make_app(Settings(games=folder))
    return TestClient(app, base_url=SITE, headers={"origin": SITE}, cookies={COOKIE: VISITOR})


def text_of(page: str) -> str:
    """Return the visible text of a page, with tiles in sentences as notation."""
    main = in_notation(page[page.index("<main") :])
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    search_nothing(monkeypatch)
    return site()


def test_position_comes_first(client: TestClient) -> None:
    page = client.get(position_address(POSITION, "/decision", thrown=THROWN)).text
    text = text_of(page)
    assert "Which discard wins most often?" in text
    assert "wins " not in text.replace("wins most often", "")
    assert "Discarded in the game" not in text
    assert len(re.findall(r'<button class="tile"[^>]*name="throw"', page)) == 14


@pytest.mark.parametrize("tile", ["3z", "2m", THROWN])
def test_answer_tells_the_best_the_choice_and_the_move_of_the_game(
    tile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_nothing(monkeypatch)
    monkeypatch.setattr(BackgroundAdvice, "known", lambda _, position: advise(position))
    advice = advise(POSITION)
    address = position_address(POSITION, "/decision", thrown=THROWN, throw=tile)
    text = text_of(site().get(address).text)
    best = advice.best
    assert best is not None
    assert f"wins {chance_words(best)}." in text
    assert why_words(advice, best) in text
    assert f"Discarded in the game: {THROWN}" in text
    chosen = advice.option(POSITION.hand.tiles.names.index(tile))
    assert chosen is not None
    assert ("Right!" if chosen is best else "Not the best one.") in text
    if chosen not in advice.options[:2]:  # the sentence on the best names the second
        assert why_words(advice, chosen) in text
    assert lost_words(chosen) in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("hand=22557m234p34789s3z&throw=9p", "this tile is not in the hand"),
        ("hand=22557m234p34789s3z&thrown=x", "this tile is not in the hand"),
        ("hand=22557m234p34789s", "a decision needs a hand after its draw"),
        ("hand=22557m234p34789s3x", "hand: "),
        ("", "hand"),
    ],
)
def test_wrong_address_is_one_line(client: TestClient, query: str, words: str) -> None:
    page = client.get(f"/decision?{query}")
    assert page.status_code == 400
    assert words in text_of(page.text)
    assert "Traceback" not in page.text


def test_costly_decisions_of_a_review_follow_each_other(client: TestClient) -> None:
    path = client.post("/review", files={"log": (SHORT.name, SHORT.read_bytes())}).url.path
    rows = [row for row in review(SHORT).discards if row["seat"] == 1]
    costly = costliest(rows)
    assert len(costly) > 1
    page = client.get(f"{path}/replay?seat=1")
    for number, at in enumerate(costly, start=1):
        assert f"decision {number} of {len(costly)}" in text_of(page.text)
        assert f'name="step" value="{at}"' in page.text
        links = dict(re.findall(r'href="([^"]*)">(Next decision|Decision before)', page.text))
        following = [html.unescape(link) for link, words in links.items() if words[0] == "N"]
        assert len(following) == (number < len(costly))
        if following:
            page = client.get(following[0])
    [step] = re.findall(r'href="([^"]*)">This move in the review', page.text)
    assert "Replay the costly decisions" in client.get(html.unescape(step)).text


def test_link_outlives_the_game_and_a_link_to_the_game_says_that_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_nothing(monkeypatch)
    owner = site(tmp_path)
    path = owner.post("/review", files={"log": (SHORT.name, SHORT.read_bytes())}).url.path
    page = owner.get(f"{path}?step=3&seat=1").text
    [link] = re.findall(r'href="(/decision[^"]*)">Link to this decision', page)
    for file in (tmp_path / "reviews").iterdir():
        file.unlink()
    somebody = site(tmp_path)
    somebody.cookies.clear()
    assert "Which discard wins most often?" in text_of(somebody.get(html.unescape(link)).text)
    for address in (path, f"{path}?step=3&seat=1", f"{path}/replay?step=3"):
        gone = somebody.get(address)
        assert gone.status_code == 404
        assert "no such game: it was deleted, or is no longer kept" in text_of(gone.text)


def test_player_without_costly_decisions_is_told_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjopt.play.serve.uploaded_review.costliest", lambda _: [])
    path = client.post("/review", files={"log": (SHORT.name, SHORT.read_bytes())}).url.path
    answer = client.get(f"{path}/replay")
    assert answer.status_code == 404
    assert "no discard of this player is known to be costly" in text_of(answer.text)
