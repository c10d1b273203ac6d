"""Rule sets at every door: Python, the command line and the hand page give the same numbers."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from helpers.browsing import search_nothing
from starlette.testclient import TestClient

import mjopt
from mjopt.cli.main import execute
from mjopt.hands.rules.classic_forms import UNREACHABLE, names_of
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import FORM_WORDS, HandForm
from mjopt.play.serve.hand_page import RULE_WORDS

HOST = "http://127.0.0.1:8000"
HANDS = (
    ("taiwan", "123456789m123p12358s", ""),
    ("taiwan", "1379m2468p1357s12345z", ""),
    ("taiwan", "123456789m12358s", "123p"),
    ("taiwan", "123456789m123p12344s", ""),
    ("mcr", "147m258p369s11223z", ""),
    ("mcr", "1479m258p36s12357z", ""),
    ("mcr", "1111m2222p334455s", ""),
    ("mcr", "1457m258p36s11z", "222z"),
    ("sichuan", "112233445m66p789s", ""),
    ("sichuan", "123456789m13p123s", ""),
    ("half-flush", "123456789m1122z5p", ""),
    ("full-flush", "1123456789m12p34s", ""),
    ("sanma", "19m19p19s12345677z", ""),
    ("basic", "1112345678999m1p", ""),
)


@pytest.fixture(autouse=True)
def without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    search_nothing(monkeypatch)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = make_app(Settings())
    client = TestClient(app, base_url=HOST, headers={"origin": HOST}, follow_redirects=False)
    yield client
    app.state.site.close()


def get(client: TestClient, path: str = "/", status: int = 200, **query: str) -> str:
    answer = client.get(f"{path}?{urlencode(query)}")
    assert answer.status_code == status, answer.text
    return answer.text


def on_page(text: str) -> dict[str, tuple[int, dict[str, int]]]:
    """Return the missing tiles and the useful tiles after each discard, as the page shows them."""
    found = {}
    for row in re.findall(r"<tr[^>]*><th scope=\"row\">.*?</tr>", text, re.S):
        if (tile := re.search(r"throw=(\w\w)", row)) is None:
            continue
        useful = row[row.index('class="useful"') :]
        pairs = re.findall(r"#(\w\w)\".*?×(\d)", useful, re.S)
        missing = re.search(r"(\d+) missing", row)
        found[tile[1]] = (int(missing[1]) if missing else -1, {t: int(n) for t, n in pairs})
    return found


@pytest.mark.parametrize(("rules", "text", "melds"), HANDS)
def test_python_command_and_page_agree(
    client: TestClient,
    capsys: pytest.CaptureFixture[str],
    rules: str,
    text: str,
    melds: str,
) -> None:
    hand = mjopt.Hand.parse(text, rules=rules, melds=melds.split())
    value = mjopt.deficiency(hand)
    ranked = {
        hand.tiles.names[row.kind]: (
            row.deficiency,
            {hand.tiles.names[kind]: copies for kind, copies in row.after.copies if copies},
        )
        for row in mjopt.discards(hand)
    }

    words = [text, "--rules", rules, "--json", *(["--meld", melds] if melds else [])]
    assert execute(["deficiency", *words]) == 0
    assert json.loads(capsys.readouterr().out)["deficiency"] == value
    assert execute(["discards", *words]) == 0
    rows = json.loads(capsys.readouterr().out)["discards"]
    assert {row["discard"]: (row["deficiency"], row["useful"]) for row in rows} == ranked

    page = get(client, hand=text, melds=melds, rules=rules)
    headline = re.search(r"<h2 id=\"say\">(.*?)</h2>", page, re.S)
    assert headline is not None
    assert (f"{value} tile" if value else "A win") in headline[1]
    query = HandForm(hand=text, melds=melds, rules=rules).parse()
    if query.position is None:  # else the page ranks by chances to win
        assert on_page(page) == ranked
        assert "Chances to win are not known for so many winning forms" in page
    proof = unescape(get(client, "/proof", hand=text, melds=melds, rules=rules))
    assert f"deficiency {value}," in proof


def test_page_offers_every_rule_set_and_names_every_form() -> None:
    assert [name or "riichi" for name in RULE_WORDS] == [*RULE_SETS]
    assert {form.name for name in RULE_SETS for form in get_rules(name).forms} == {*FORM_WORDS}


def test_rules_stay_in_the_address(client: TestClient) -> None:
    page = get(client, hand="123456789m123p1235s", rules="taiwan")
    assert '<option value="taiwan" selected>' in page
    assert 'name="tiles"' not in page
    after = client.get("/?hand=123456789m123p1235s&rules=taiwan&add=5s")
    assert after.headers["location"] == "/?hand=123456789m123p12355s&rules=taiwan"


def test_boxes_of_the_rules_before_are_dropped(client: TestClient) -> None:
    boxes = "&".join(f"forms={form}" for form in get_rules("riichi").forms)
    to_taiwan = client.get(f"/?hand=12m&{boxes}&tiles=m0&rules=taiwan")
    assert to_taiwan.headers["location"] == "/?hand=12m&rules=taiwan"
    boxes = "&".join(f"forms={form}" for form in get_rules("mcr").forms[3:])
    to_riichi = client.get(f"/?hand=12m&{boxes}")
    assert to_riichi.headers["location"] == "/?hand=12m"


def test_some_forms_of_a_rule_set_can_be_asked(client: TestClient) -> None:
    text = "147m258p369s11223z"
    page = get(client, hand=text, rules="mcr", forms="mcr.honours_and_knitted")
    assert "2 tiles from a win: honours and knitted tiles" in page


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"rules": "tokyo"}, "expected one of riichi, basic, sanma, taiwan"),
        ({"rules": "{toml}"}, "expected one of riichi, basic, sanma, taiwan"),
        ({"forms": "{toml}", "hand": "12m"}, "only standard, seven_pairs, thirteen_orphans"),
        ({"forms": "nine_gates", "rules": "mcr"}, "unknown, expected one of standard"),
        ({"hand": "12z", "rules": "sichuan"}, "no honours"),
        ({"hand": "1" * 4 + "2" * 4 + "3" * 4 + "4" * 4 + "55m", "rules": "taiwan"}, "18 tiles"),
        ({"hand": "12m", "called": "6", "rules": "taiwan"}, "0 to 5"),
    ],
)
def test_wrong_rules_are_an_error_beside_the_field(
    client: TestClient, tmp_path: Path, query: dict[str, str], message: str
) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\ntiles = "136"\n[[form]]\nmelds = 4\neyes = 1\n')
    given = {name: text.format(toml=file) for name, text in query.items()}
    page = unescape(get(client, status=400, **given))
    assert message in page
    assert 'role="alert"' in page


@pytest.mark.parametrize("path", ["/play/from", "/practice", "/proof", "/certificate"])
@pytest.mark.parametrize("field", ["rules", "forms"])
def test_no_address_reads_a_file(client: TestClient, path: str, field: str) -> None:
    query = {"hand": "1112345678999m1p", field: "no.toml", "seed": "1"}
    missing = client.get(f"{path}?{urlencode(query)}")
    assert missing.status_code == 400
    assert "No such file" not in missing.text


def test_games_do_not_begin_under_other_rules(client: TestClient) -> None:
    page = get(client, "/play/from", 400, hand="147m258p369s11223z", rules="mcr", draws="5")
    assert "games have rules of their own" in page


def test_form_of_a_rule_set_is_read() -> None:
    query = HandForm(hand="123456789m123p12344s", rules="taiwan").parse()
    assert names_of(query.hand_query.forms) == ("taiwan",)
    assert query.position is not None
    assert query.position.to_text() == "123456789m123p12344s rules=taiwan"
    assert HandForm(hand="147m258p369s11223z", rules="mcr").parse().position is not None
    assert mjopt.deficiency(query.hand_query.hand, unseen=[0] * 34) in (0, UNREACHABLE)
