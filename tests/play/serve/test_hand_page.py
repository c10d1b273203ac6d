"""The hand page: results of the package and readable errors."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest
from helpers.browsing import hold_searches, search_nothing
from helpers.page_text import in_notation
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

import mjopt
from mjopt.play.serve.advice_words import chance_words, lost_words, why_words
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import form_address, form_from_query
from mjopt.play.serve.hand_page import EXAMPLES

HOST = "http://127.0.0.1:8000"
FULL_HAND = "4569m13445788p2s4z"
CALLED = {"hand": "1456m67p11678s", "melds": "234m", "draws": "3"}
ALL = ("standard", "seven_pairs", "thirteen_orphans")
KNOWN = (  # hands of the reported faults
    "445m34677p2346s55z",
    "123456m789p1146s1z",
    "119m19p19s1234567z",
    "1155m2288p3399s11z",
    FULL_HAND,
)
SOME = ({"draws": "6"}, {"seen": "36p7m"})  # fields beside the hand
PARAMETERS = ("add", "remove", "throw", "seed", "moves", "effort", "compare", "format")
FIELDS = (
    "hand",
    "notation",
    "melds",
    "called",
    "seen",
    "unseen",
    "tiles",
    "forms",
    "draws",
    "offered",
    "swaps",
    "barred",
    "calls",
)


def open_client() -> TestClient:
    return TestClient(
        make_app(Settings()),
        base_url=HOST,
        headers={"origin": HOST},
        raise_server_exceptions=False,
        follow_redirects=False,
    )


client = open_client()


@pytest.fixture(scope="module", autouse=True)
def end_worker() -> Iterator[None]:
    yield
    client.app.state.site.close()


@pytest.fixture
def unsearched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search nothing for pages whose chances a test does not read."""
    search_nothing(monkeypatch)


def get(path: str = "/", **query: str) -> httpx.Response:
    return client.get(path, params=query)


def page(**query: str) -> str:
    answer = get(**query)
    assert answer.status_code == 200, answer.text
    return answer.text


def final(**query: str) -> str:
    """Return the page with the chances to win."""
    return page(**query, wait="1")


def words(text: str) -> str:
    """Return the visible text of a page, with the names of its images."""
    named = re.sub(r'<svg[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", in_notation(text))
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", named)))


def discard_rows(text: str) -> dict[str, str]:
    """Return the rows of the table of discards by tile, in order."""
    rows = re.findall(r'<tr[^>]*><th scope="row">.*?</tr>', text, re.S)
    return {re.search(r"throw=(\w\w)", row)[1]: row for row in rows if "throw=" in row}


def chances_in(row: str) -> list[str]:
    """Return the bounds of the chance to win in a row."""
    return re.findall(r"(\d+\.\d\d) %", row)


def headline(text: str) -> str:
    return words(re.search(r'<h2 id="say">(.*?)</h2>', text, re.S)[1]).strip()


advise_once = cache(mjopt.advise)


def advice_on(**query: str) -> mjopt.Advice:
    """Return the advice on the position of a query."""
    position = form_from_query(QueryParams(query)).parse().position
    assert position is not None
    return advise_once(position)


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("119m19p19s1234567z", "A win: thirteen orphans"),
        ("19m19p19s1234567z", "1 tile from a win: thirteen orphans"),
        ("1155m2288p3399s11z", "A win: seven pairs"),
        ("1155m2288p3399s1z", "1 tile from a win: seven pairs"),
        ("123456m789p1146s1z", "1 tile from a win: four melds and a pair"),
    ],
)
def test_headline_names_the_nearest_form(hand: str, says: str) -> None:
    assert headline(page(hand=hand)) == says


@pytest.mark.usefixtures("unsearched")
def test_one_form_can_be_chosen() -> None:
    assert "4 tiles from a win: four" in headline(page(hand="1155m2288p3399s11z", forms="standard"))


def test_tile_set_does_not_depend_on_the_tiles() -> None:
    before = discard_rows(final(hand="123456m789p1146s1z"))["1z"]
    link = unescape(re.search(r'href="([^"]*throw=1z)"', before)[1])
    after = client.get(client.get(link).headers["location"] + "&wait=1").text

    [mean] = re.findall(r'data-note="draws">(\d+\.\d\d)</td></tr>$', before)
    assert f"<td>{mean}</td>" in after
    assert re.findall(r"#(\w\w)", before)[1:] == re.findall(
        r"#(\w\w)", after.partition("Useful tiles")[2].partition("</tr>")[0]
    )


@pytest.mark.usefixtures("unsearched")
def test_tile_set_is_switched_by_a_link() -> None:
    link = unescape(re.search(r'<a href="([^"]*)">108 without', page(hand="123m456p"))[1])
    text = client.get(link).text

    assert link == "/?hand=123m456p&tiles=m0"
    assert "<b>108 without</b>" in text
    assert '<input type="hidden" name="tiles" value="m0">' in text
    assert get(hand="123m", tiles="m0", add="4m").headers["location"] == "/?hand=1234m&tiles=m0"


def test_submitted_form_has_a_short_address() -> None:
    every = "&".join(f"forms={form}" for form in ALL)
    short = {
        f"/?hand=123m&called=&{every}": "/?hand=123m",
        f"/?hand=123m&tiles=m0&{every}": "/?hand=123m&tiles=m0",
        "/?hand=1m&forms=standard&forms=seven_pairs": "/?hand=1m&forms=standard,seven_pairs",
    }
    for long, expected in short.items():
        assert client.get(long).headers["location"] == expected


@pytest.mark.parametrize(
    ("hand", "more"),
    [
        *[(hand, {}) for hand in KNOWN],
        *[(KNOWN[0], more) for more in SOME],
        *[pytest.param(hand, more, marks=pytest.mark.slow) for hand in KNOWN[1:] for more in SOME],
    ],
)
def test_rows_are_those_of_the_advice(hand: str, more: dict[str, str]) -> None:
    rows = discard_rows(final(hand=hand, **more))
    options = [row for row in advice_on(hand=hand, **more).options if row.action == "discard"]

    assert list(rows) == [mjopt.FULL.names[row.kind] for row in options]
    for row, option in zip(rows.values(), options, strict=True):
        assert f">{chance_words(option)}</a>" in row
        assert f">{lost_words(option) or '–'}</td>" in row


def test_best_discard_is_named_with_its_bound_and_its_reason() -> None:
    text = words(final(hand="445m34677p2346s55z", forms="standard"))

    assert re.search(r"Discard 6s: wins at least 43\.\d\d % within 18 draws\.", text)
    assert "Useful tiles left: 26 (" in text
    assert "Next best is discard " in text


def test_another_option_is_compared_with_the_best() -> None:
    advice = advice_on(hand="445m34677p2346s55z")
    for option in (advice.options[1], advice.options[3]):
        text = words(final(hand="445m34677p2346s55z", compare=option.name))
        shown = [row for row in advice.options[1:] if why_words(advice, row) in text]
        assert shown == [option]
    text = words(final(hand="445m34677p2346s55z"))
    assert not [row for row in advice.options[1:] if why_words(advice, row) in text]
    assert why_words(advice, advice.options[0]) in text


def test_hand_at_waste_0_has_no_best_discard_until_more_is_searched() -> None:
    """The first search of this hand proves 9.47 % for 7m, where 7z wins 19.9 %."""
    hand = "122347m34p124s567z"
    with open_client() as fresh:
        texts = [words(fresh.get("/", params={"hand": hand}).text)]
        assert fresh.get("/chances", params={"hand": hand}).status_code == 200
        texts.append(words(fresh.get("/", params={"hand": hand}).text))
        last = words(fresh.get("/", params={"hand": hand, "wait": "1"}).text)

    assert all("Discard 7m: wins" not in text for text in [*texts, last])
    assert re.search(r"Discard \dz: wins at least 19\.9\d % within 18 draws", last)
    assert "at most" not in last


def test_hand_far_from_a_win_has_an_estimate() -> None:
    text = words(final(hand="147m258p369s12345z"))

    assert re.search(r"wins about 5\.\d % \(estimate\) within 18 draws", text)
    assert "not searched" in text
    assert "at least" not in text.partition("Examples")[0].replace("Too far", "")


@pytest.mark.parametrize("draws", ["0", "1"])
def test_nothing_is_advised_where_no_own_draw_can_win(draws: str) -> None:
    text = words(final(hand="4569m13445788p2s4z", draws=draws))

    assert "so there is nothing to advise" in text or "there is nothing to advise" in text
    assert ("No own draw is left" in text) == (draws == "0")
    assert "wins" not in text.partition("Discard")[0].lower().replace("a win", "")


def test_chance_before_the_draw_is_that_of_the_advice() -> None:
    [row] = advice_on(hand="2378m345p6688s11z").options

    assert f"Wins {chance_words(row)} within 18 draws" in words(final(hand="2378m345p6688s11z"))


def test_page_does_not_wait_for_long_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    may_begin = hold_searches(monkeypatch)
    with open_client() as fresh:
        text = fresh.get("/", params={"hand": FULL_HAND}).text
        may_begin.set()
        assert "…" in text
        stage = unescape(re.search(r'data-events="([^"]*)"', text)[1])
        assert stage.startswith("/chances?")
        link = unescape(re.search(r'<noscript><a href="([^"]*)"', text)[1])
        assert chances_in(next(iter(discard_rows(fresh.get(link).text).values())))


def test_event_announces_the_chances() -> None:
    final(hand=FULL_HAND)
    answer = get("/chances", hand=FULL_HAND, effort="normal")

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "data: ready" in answer.text


def test_bad_queries_for_chances_are_refused() -> None:
    assert get("/chances", hand="12x").status_code == 400
    assert get("/chances", hand=FULL_HAND, effort="7").status_code == 400
    assert "data: ready" in get("/chances", hand="1m").text


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(
    ("text", "meaning"), [("m123", "123m"), ("EEESSS", "111222z"), ("1m 2m 3m", "123m")]
)
def test_notation_is_recognised(text: str, meaning: str) -> None:
    held = re.findall(r'name="remove" value="(\w\w)"', page(hand=text))

    assert "".join(held) == "".join(re.findall(r'"remove" value="(\w\w)"', page(hand=meaning)))


@pytest.mark.usefixtures("unsearched")
def test_two_readings_are_links() -> None:
    answer = get(hand="B1B2B3")
    links = re.findall(r'<a href="([^"]*)">(paper|botzone)</a>', answer.text)

    assert answer.status_code == 400
    assert [name for _, name in links] == ["paper", "botzone"]
    for link, suit in zip(links, "sp", strict=True):
        shown = re.findall(r'"remove" value="(\w\w)"', client.get(unescape(link[0])).text)
        assert shown == [f"{rank}{suit}" for rank in "123"]


def test_without_a_hand_the_page_has_examples_and_no_answer() -> None:
    text = page()

    assert "The proof in words" not in text
    assert all(f'href="{form_address(one)}"'.replace("&", "&amp;") in text for _, one in EXAMPLES)


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(("name", "written"), EXAMPLES)
def test_every_example_is_answered(name: str, written: object) -> None:
    assert client.get(form_address(written)).status_code == 200


def test_every_discard_has_useful_tiles_and_exact_draws() -> None:
    rows = discard_rows(final(hand=FULL_HAND))
    names = mjopt.FULL.names
    left = {after.kind: after.after for after in mjopt.discards(FULL_HAND, forms=ALL)}
    least = min(after.deficiency for after in left.values())

    assert len(rows) == len(left)
    for discard in mjopt.rank_discards(FULL_HAND, forms=ALL):
        row, after = rows[names[discard.kind]], left[discard.kind]
        assert f"<b>{after.num_copies}</b>" in row
        useful = re.findall(r"tiles\.svg#(\w+)\"/></svg><small>×(\d)</small>", row)
        assert useful == [(names[kind], str(copies)) for kind, copies in after.copies]
        assert ("a step back" in row) == (after.deficiency > least)
        assert row.endswith(f">{float(discard.mean):.2f}</td></tr>")


def test_hand_that_cannot_be_completed_never_wins() -> None:
    text = words(final(hand="123456789m1155p", unseen="9s"))

    assert "cannot complete this hand" in text
    assert "never" in text


@pytest.mark.usefixtures("unsearched")
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
    assert headline(text) == "A win: four melds and a pair"
    assert '<details id="throws"><summary>Discards, if' in text
    assert "nearest complete hands" not in text


@pytest.mark.usefixtures("unsearched")
def test_nearest_hands_are_sorted_by_the_chance_to_draw_them() -> None:
    text = page(hand=FULL_HAND)
    near = mjopt.targets(FULL_HAND, forms=ALL)
    held, names = near.hand.counts, near.hand.tiles.names
    texts = {
        tuple(
            tuple(n for n, a, b in zip(names, *pair, strict=True) for _ in range(a - b))
            for pair in ((target, held), (held, target))
        )
        for target in near
    }

    assert f"The {near.number} nearest complete hands" in text
    table = text.partition('<table class="near')[2].partition("</table>")[0]
    shown = re.findall(r"(\d+\.\d\d) %</td><td>(.*?)</td><td>(.*?)</td>", table, re.S)
    assert 1 < len(shown) <= near.number
    assert [float(chance) for chance, *_ in shown] == sorted(
        (float(chance) for chance, *_ in shown), reverse=True
    )
    for _, *tiles in shown:
        assert tuple(tuple(re.findall(r"#(\w\w)", part)) for part in tiles) in texts


@pytest.mark.parametrize("more", [{}, {"forms": "standard"}, {"draws": "3", "calls": "234m:3"}])
def test_answers_to_a_discard_are_those_of_the_advice(more: dict[str, str]) -> None:
    query = {"hand": "2378m345p6688s11z", "offered": "4m", **more}
    text, advice = final(**query), advice_on(**query)
    rows = re.findall(r'<tr[^>]*><th scope="row">(.*?)</tr>', text, re.S)

    assert advice.best is not None
    assert advice.best.name == "chow 234m, discard 8s"
    assert f"Chow 234m, discard 8s: wins {chance_words(advice.best)} within" in words(text)
    assert len(rows) == len(advice.options) == 2
    for row, option in zip(rows, advice.options, strict=True):
        assert words(row).strip().startswith(option.action)
        assert chance_words(option) in words(row)
        assert f"in {option.draws} draws" in words(row)


def test_no_option_is_a_swap_call() -> None:
    """The rule stays in the address; what is barred now does not outlast the discard."""
    query = {"hand": "123456m67p11678s", "offered": "4m", "draws": "4", "swaps": "no"}
    text, advice = final(**query), advice_on(**query)
    assert "chow 234m, discard 6p" in [row.name for row in advice.options]
    assert (
        'aria-label="chow two of characters three of characters four of characters, discard six of '
        in text
    )
    assert re.search(r'name="swaps" value="no" checked', text)

    barred = CALLED | {"swaps": "no", "barred": "1m4m"}
    text, advice = final(**barred), advice_on(**barred)
    rows = discard_rows(text)
    assert [*rows] == [mjopt.FULL.names[row.kind] for row in advice.options]
    assert not {"1m", "4m"} & {*rows}
    assert 'name="barred" value="1m4m"' in text
    after = dict(parse_qsl(urlsplit(get(**barred, throw="6p").headers["location"]).query))
    assert (after["swaps"], "barred" in after) == ("no", False)


def test_hand_that_has_just_called_has_not_won() -> None:
    query = {"hand": "11m123p", "melds": "345m 789s 444z", "draws": "3"}
    assert "A win:" in words(final(**query))
    text = words(final(**query, barred="36m"))
    assert "A win:" not in text
    assert f"wins {chance_words(advice_on(**query, barred='36m').best)} within 3 draws" in text


def test_offered_tile_that_wins_is_won() -> None:
    text = words(final(hand="123456m789p1146s", offered="5s"))

    assert "Win with this tile." in text
    assert "The hand is complete." in text


def test_kong_of_own_tiles_is_an_option() -> None:
    text = words(final(hand="1111m23456p789s55z"))

    assert re.search(r"Kong 1111m: wins at least 8\d\.\d\d % within 19 draws", text)


def test_hand_of_13_tiles_shows_useful_tiles_instead_of_discards() -> None:
    text = final(hand="2378m345p6688s11z")
    useful = mjopt.useful_tiles("2378m345p6688s11z", forms=ALL)
    mean = mjopt.expected_draws("2378m345p6688s11z", forms=ALL).mean

    assert f"Useful tiles {useful.num_copies} :" in words(text)
    assert f"<td>{float(mean):.2f}</td>" in text
    assert discard_rows(text) == {}
    assert 'name="offered"' in text


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("123m", "3 of 13 tiles."),
        ("1m", "1 of 13 tiles."),
        ("1112345678m", "10 of 13 tiles. Are melds called?"),
    ],
)
def test_incomplete_hand_is_partial(hand: str, says: str) -> None:
    text = page(hand=hand)
    parsed = mjopt.Hand.parse(hand, tiles="136", partial=True)
    value = mjopt.deficiency(parsed, forms=ALL)

    assert says in words(text)
    assert headline(text).startswith(f"{value} tile")
    assert 'name="offered"' not in text


@pytest.mark.usefixtures("unsearched")
def test_tile_buttons_work_without_javascript() -> None:
    text = page(hand="1m0p4z")
    held = re.findall(r'name="remove" value="(\w+)" aria-label="take out ([^"]*)"', text)
    assert [name for name, _ in held] == ["1m", "0p", "4z"]

    added = get(hand="1m0p4z", add="9s", melds="", called="", forms="all")
    assert (added.status_code, added.headers["location"]) == (303, "/?hand=1m0p9s4z")
    taken = get(hand="1m0p4z", remove="0p", melds="111s", notation="")
    assert taken.headers["location"] == "/?hand=1m4z&melds=111s"
    assert get(hand="1m", remove="1m", offered="1m").headers["location"] == "/"


@pytest.mark.usefixtures("unsearched")
def test_palette_offers_only_tiles_that_can_be_added() -> None:
    buttons = dict(
        re.findall(r'name="add" value="(\w+)" aria-label="[^"]*"( disabled)?', page(hand="1111m2p"))
    )
    assert len(buttons) == 37
    assert [name for name, off in buttons.items() if off] == ["1m"]
    red = re.findall(r'value="(0\w)"[^>]* disabled', page(hand="0m5555s", seen="5555p"))
    assert red == ["0m", "0p", "0s"]

    full = re.findall(
        r'name="add" value="\w+" aria-label="[^"]*"( disabled)?', page(hand=FULL_HAND)
    )
    assert full == [" disabled"] * 37


@pytest.mark.usefixtures("unsearched")
def test_url_holds_the_whole_state() -> None:
    sent = {"hand": "23m67p44s1z", "melds": "345m 777z", "forms": "standard", "seen": "1444m58p"}
    sent["draws"] = "7"
    text = unescape(page(**sent))
    links = re.findall(r'href="(/\w+\?[^"]*)"', text)

    assert 'name="melds" value="345m 777z"' in text
    assert 'name="seen" value="1444m58p"' in text
    for path in ("/proof", "/practice"):
        [query] = [urlsplit(link).query for link in links if link.startswith(path)]
        assert dict(parse_qsl(query)) == sent


BAD_HANDS = (
    ("hand", {"hand": "12x"}, "'x' at character 3"),
    ("hand", {"hand": "1111m", "melds": "111m"}, "4 of 1m held and 3 called"),
    ("notation", {"hand": "1m", "notation": "tenhou"}, "unknown, expected"),
    ("forms", {"hand": "1m", "forms": "nine_gates"}, "unknown, expected"),
    ("offered", {"hand": "1112345678999m1p", "offered": "2m"}, "after its draw"),
    ("offered", {"hand": "1112345678999m", "offered": "1m", "seen": "1m"}, "all 4 copies of 1m"),
    ("offered", {"hand": "12356m55p345s55z", "offered": "3s"}, "12 tiles in the hand, expected 13"),
    ("calls", {"hand": "2378m345p6688s11z", "offered": "4m", "calls": "555m:3"}, "no call of"),
    ("swaps", {"hand": "2378m345p6688s11z", "offered": "4m", "swaps": "1"}, "expected yes or no"),
    ("barred", {"hand": FULL_HAND, "barred": "4m"}, "expected a hand that has just called"),
    ("barred", {**CALLED, "barred": "5z"}, "5z: no called meld bars this"),
    ("draws", {"hand": FULL_HAND, "draws": "123"}, "123 draws from a wall of 122 tiles"),
    (
        "draws",
        {"hand": FULL_HAND, "draws": "20", "unseen": "1234567890m"},
        "20 draws from a wall of 10",
    ),
    ("draws", {"hand": FULL_HAND, "draws": "-1"}, "expected 0 to 999"),
    ("draws", {"hand": FULL_HAND, "draws": "1" * 900}, "expected 0 to 999"),
)


@pytest.mark.usefixtures("unsearched")
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
    if field in ("hand", "melds", "unseen", "draws"):
        assert f'name="{field}" value="{query[field]}"' in answer.text
        assert re.search(rf'name="{field}"[^>]*aria-invalid="true"', answer.text)


def test_unknown_and_repeated_parts_of_an_address_are_named_on_the_page() -> None:
    answer = client.get(f"/?hand={FULL_HAND}&hand=1m&turn=3&hand={FULL_HAND}")

    assert answer.status_code == 200
    assert re.findall(r'<p class="notice">(.*?)</p>', answer.text) == [
        "The address has hand twice: the last one counts.",
        "Unknown part of the address: turn.",
    ]
    assert "tiles from a win" in headline(answer.text)
    assert '<p class="notice">' not in page(hand=FULL_HAND, draws="9", wait="1")


@pytest.mark.usefixtures("unsearched")
def test_draws_are_18_or_as_many_as_the_wall_has() -> None:
    assert "Wins within 18 draws" in words(page(hand=FULL_HAND))
    assert "Wins within 7 draws" in words(page(hand=FULL_HAND, draws="7"))
    assert "Wins within 10 draws" in words(page(hand=FULL_HAND, unseen="1234567890m"))


@pytest.mark.usefixtures("unsearched")
@pytest.mark.parametrize("field", [*FIELDS, "add", "remove", "throw"])
def test_markup_in_a_field_is_escaped(field: str) -> None:
    evil = "\"'><script>alert(1)</script>{{7*7}}"
    answer = get(**({"hand": FULL_HAND} | {field: evil}))

    assert "<script>alert" not in answer.text
    assert "49</" not in answer.text
    assert answer.status_code in (400, 303)


@pytest.mark.usefixtures("unsearched")
def test_page_is_small() -> None:
    answer = get(hand="1358m2469p1379s13z", forms="riichi")
    files = set(re.findall(r'(?:href|src)="(/static/[^"#]*)', answer.text))
    weight = sum(len(gzip.compress(client.get(path).content)) for path in files)

    names = {path.partition("?")[0] for path in files}
    assert {"/static/hand.css", "/static/hand.js", "/static/tiles.svg"} <= names
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) + weight < 100_000


@pytest.mark.usefixtures("unsearched")
def test_page_has_no_inline_or_third_party_content() -> None:
    text = page(hand="2378m345p6688s11z", offered="4m")

    assert not re.search(r"<script(?![^>]*src=\"/static/)", text)
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:|data:|https?:", text)


TEXTS = st.one_of(
    st.text(max_size=30),
    st.text("0123456789mpszBCDEWTF() ,[]\"';\x00\ud7ff﷽東🀀", max_size=24),
    st.sampled_from(["", "123m", FULL_HAND, "B1B2", "0", "4", "m0", "riichi", "1m", "paper"]),
)


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*FIELDS, *PARAMETERS]), TEXTS, max_size=5))
def test_arbitrary_text_causes_no_server_error(query: dict[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        search_nothing(patch)
        for path in ("/", "/certificate", "/proof", "/practice"):
            answer = client.get(f"{path}?{urlencode(query)}")
            assert answer.status_code in (200, 303, 400), query
            if answer.status_code == 303:
                assert re.match(r"/($|\?|practice\?)", answer.headers["location"])


RIICHI = {"hand": "445m34677p2346s55z", "draws": "3", "riichi": "19m4z7s"}


def test_danger_stands_beside_the_chance_of_each_discard() -> None:
    text = final(**RIICHI)
    found = mjopt.danger(
        f"{RIICHI['hand']} draws=3", mjopt.Opponent(discards=RIICHI["riichi"], is_ready=True)
    )
    cells = dict(
        re.findall(
            r'data-jump="throw-(\w\w)".*?<td class="num danger ?(?:\w*)"[^>]*>([^<]*)</td>',
            text,
            re.S,
        )
    )
    assert cells == {row.name: row.text for row in found.discards}
    assert "The ranking ignores danger, which stands beside it" in words(text)
    assert "danger" not in words(final(hand=RIICHI["hand"], draws="3")).replace(
        "points, danger, wins", ""
    )


def test_tiles_seen_elsewhere_stay_as_they_are_beside_a_riichi() -> None:
    text = final(**RIICHI, seen="1199m44z77s23p")
    found = mjopt.danger(
        f"{RIICHI['hand']} draws=3 seen=1199m44z77s23p",
        mjopt.Opponent(passed=RIICHI["riichi"], is_ready=True),
    )
    assert f">{found.of('3p').text}</td>" in text
    assert f">{found.of('5z').text}</td>" in text


@pytest.mark.parametrize("riichi", ["11111m", "5x"])
def test_wrong_discards_of_a_riichi_are_named_beside_the_field(riichi: str) -> None:
    answer = get(**(RIICHI | {"riichi": riichi}))
    assert answer.status_code == 400
    assert re.search(r'<p class="error" id="riichi-problem" role="alert">[^<]+</p>', answer.text)
