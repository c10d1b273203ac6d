"""Practice: the address holds the state, the seed decides the wall, throws are judged exactly."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import numpy as np
import pytest
from helpers.browsing import hold_searches, search_nothing
from starlette.testclient import TestClient

import mjopt
from mjopt.play.game.practice import Practice, deal, practise
from mjopt.play.serve.advice_words import chance_words, lost_words
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import form_from_query

HOST = "http://127.0.0.1:8000"
ALL = ("standard", "seven_pairs", "thirteen_orphans")
NEAR = "123456m789p1146s1z"

client = TestClient(make_app(Settings()), base_url=HOST, follow_redirects=False)


@pytest.fixture(scope="module", autouse=True)
def end_worker() -> Iterator[None]:
    yield
    client.app.state.site.close()


def get(**query: object) -> httpx.Response:
    return client.get("/practice", params=query)


def play(text: str, seed: int, moves: str = "", draws: int = 18) -> Practice:
    hand, names = mjopt.Hand.parse(text, tiles="136"), mjopt.FULL.names
    thrown = [names.index(moves[at : at + 2]) for at in range(0, len(moves), 2)]
    rng = np.random.default_rng(seed)
    return practise(hand, thrown, wall=hand.unseen, draws=draws, forms=ALL, rng=rng)


def play_on(hand: str, seed: int, draws: int = 18) -> tuple[Practice, str]:
    """Throw the drawn tile until the end, the last tile of the hand first."""
    moves = hand[-2:]
    while not (practice := play(hand, seed, moves, draws)).is_over:
        moves += mjopt.FULL.names[practice.decisions[-1].drawn]
    return practice, moves


def test_seed_is_added_to_the_address() -> None:
    answer = get(hand=NEAR, forms="standard")
    query = parse_qs(urlsplit(answer.headers["location"]).query)

    assert answer.status_code == 303
    assert query["seed"][0].isdecimal()
    assert (query["hand"], query["forms"]) == ([NEAR], ["standard"])


def test_tile_buttons_lead_to_the_next_draw() -> None:
    text = get(hand=NEAR, seed=1).text
    buttons = re.findall(r'name="throw" value="(\w\w)"', text)
    assert buttons == re.findall("..", "1m2m3m4m5m6m7p8p9p1s1s4s6s1z")

    carried = {"forms": "standard", "seen": "9s", "draws": "7", "tiles": "m0", "melds": "345p"}
    fields = re.findall(
        r'type="hidden" name="(\w+)" value="([^"]*)"',
        get(hand="1234567m1146s", seed=1, **carried).text,
    )
    assert carried.items() <= dict(fields).items()

    answer = get(hand=NEAR, seed=1, moves="", throw="1z")
    assert answer.headers["location"] == f"/practice?hand={NEAR}&seed=1&moves=1z"
    after = client.get(answer.headers["location"]).text
    drawn = mjopt.FULL.names[play(NEAR, 1, "1z").decisions[-1].drawn]
    assert f'<button class="tile drawn" name="throw" value="{drawn}"' in after


def test_random_hand_is_decided_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    search_nothing(monkeypatch)
    dealt = deal(mjopt.FULL, rng=np.random.default_rng(5))
    first, again, other = (get(seed=seed).text for seed in (5, 5, 6))

    held = re.findall(r'name="throw" value="(\w\w)"', first)
    assert "".join(held) == "".join(
        name for name, n in zip(mjopt.FULL.names, dealt.counts, strict=True) for _ in range(n)
    )
    assert re.findall(r'value="(\w\w)"', first) == re.findall(r'value="(\w\w)"', again)
    assert re.findall(r'value="(\w\w)"', first) != re.findall(r'value="(\w\w)"', other)


# Wins at the first and at the fifth draw: a search takes long while many draws are left.
@pytest.mark.parametrize(("seed", "draws"), [(32, ""), (26, "5")])
def test_throws_are_judged_by_the_advice(seed: int, draws: str) -> None:
    practice, moves = play_on(NEAR, seed, draws=int(draws or 18))
    text = get(hand=NEAR, seed=seed, moves=moves, draws=draws, wait=1).text
    addresses = re.findall(r'<th scope="row"><a href="([^"]*)".*?</tr>', text, re.S)
    text = text.replace("\u00a0", " ")
    rows = [unescape(row.partition("</tr>")[0]) for row in text.split('<th scope="row">')[1:]]

    assert len(rows) == len(practice.thrown)
    for row, address, decision, thrown in zip(
        rows, addresses, practice.decisions, practice.thrown, strict=False
    ):
        query = form_from_query(httpx.QueryParams(urlsplit(unescape(address)).query)).parse()
        position = query.position
        assert (position.hand, position.wall) == (decision.hand, decision.wall)
        assert (position.draws, position.calls) == (decision.draws, ())
        advice = mjopt.advise(position)
        own = advice.option(thrown)
        assert row.count(chance_words(own)) >= 1
        assert f">{lost_words(own) or '–'}</td>" in row
        assert advice.best is None or f">{chance_words(advice.best)}</td>" in row


def test_barred_tile_is_not_thrown_right_after_the_call() -> None:
    called = {"hand": "1456m67p11678s", "melds": "234m", "barred": "1m4m", "draws": "2", "seed": 3}
    text = get(**called).text
    disabled = re.findall(r'name="throw" value="(..)"[^>]* disabled', text)
    answer = get(**called, throw="4m")
    after = get(**called, moves="6p")

    assert disabled == ["1m", "4m"]
    assert 'name="barred" value="1m4m"' in text
    assert answer.status_code == 400
    assert "4m must not be thrown right after the call" in answer.text
    assert 'name="throw" value="4m"' in after.text
    assert not re.search(r'name="throw"[^>]* disabled', after.text)
    ended = get(**called, moves="6p6s7s", wait=1).text
    [first, second, *_] = re.findall(r'<th scope="row"><a href="([^"]*)"', ended)
    assert ("barred=1m4m" in first, "barred" in second) == (True, False)


def test_rules_are_kept_from_throw_to_throw() -> None:
    text = get(hand="123456m789p1146s1s", rules="basic", draws=2, seed=1).text

    assert 'name="rules" value="basic"' in text


def test_judged_throws_are_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = 25  # of walls that no other test judges
    _, moves = play_on(NEAR, seed, draws=4)
    may_begin = hold_searches(monkeypatch)
    text = get(hand=NEAR, seed=seed, moves=moves, draws=4).text
    may_begin.set()
    address = unescape(re.search(r'data-events="([^"]*)"', text)[1])

    assert "data: ready" in client.get(address).text


@pytest.mark.parametrize(
    "query",
    [
        {"hand": NEAR, "seed": 1, "moves": "9z"},
        {"hand": NEAR, "seed": 1, "moves": "9m"},
        {"hand": NEAR, "seed": 1, "moves": "1"},
        {"hand": NEAR, "seed": 1, "moves": "1z" * 100},
        {"hand": NEAR, "seed": 1, "draws": "123"},
        {"hand": NEAR, "seed": 1, "draws": "0"},
        {"hand": NEAR[:-2], "seed": 1, "draws": "0"},
        {"hand": NEAR, "seed": -1},
        {"hand": NEAR, "seed": 1 << 31},
        {"hand": "123m", "seed": 1},
        {"hand": "12x", "seed": 1},
    ],
)
def test_impossible_states_are_refused(query: dict[str, object]) -> None:
    answer = get(**query)

    assert answer.status_code == 400
    assert "Traceback" not in answer.text
