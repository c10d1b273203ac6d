"""The language of the pages: chosen by cookie or browser."""

import pytest
from starlette.testclient import TestClient

from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.language import LANGUAGES, choose_language

SITE = "http://127.0.0.1"


@pytest.fixture
def client() -> TestClient:
    return TestClient(make_app(Settings()), base_url=SITE)


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [
        ("", "en"),
        ("*", "en"),
        ("fr-FR,fr;q=0.9", "en"),
        ("ja", "ja"),
        ("ja-JP;q=0", "en"),
        ("de;q=0.9, ja;q=0.8, en;q=0.7", "ja"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh-CN, zh-TW;q=0.5", "zh-Hans"),
        ("zh-TW, zh-CN;q=0.5", "zh-Hant"),
        ("ja;q=high, zh", "zh-Hans"),
        (",;q=,-", "en"),
    ],
)
def test_browser_language(accepted: str, tag: str) -> None:
    assert choose_language("", accepted) == tag


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_language_names_tiles(client: TestClient, tag: str) -> None:
    page = client.get("/?hand=19m", headers={"accept-language": tag}).text
    assert f'<html lang="{tag}">' in page
    named = {"en": "one of characters", "ja": "一萬", "zh-Hant": "一萬", "zh-Hans": "一万"}
    assert named[tag] in page


def test_choice_is_kept_in_a_cookie_and_returns_to_the_page(client: TestClient) -> None:
    headers = {"origin": SITE, "referer": f"{SITE}/?hand=19m"}
    answer = client.post("/language", data={"language": "ja"}, headers=headers)
    assert str(answer.url) == f"{SITE}/?hand=19m"
    assert "一萬" in answer.text
    assert '<html lang="ja">' in client.get("/play").text


@pytest.mark.parametrize("referer", ["", "http://other.example/x", f"{SITE}//other.example/x"])
def test_another_site_is_no_place_to_return_to(client: TestClient, referer: str) -> None:
    headers = {"origin": SITE, "referer": referer}
    answer = client.post(
        "/language", data={"language": "ja"}, headers=headers, follow_redirects=False
    )
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")


def test_unknown_language_is_refused(client: TestClient) -> None:
    answer = client.post("/language", data={"language": "tlh"}, headers={"origin": SITE})
    assert answer.status_code == 400
    assert "expected one of en, ja" in answer.text
