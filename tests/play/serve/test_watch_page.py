"""Replays: only files of the folder are listed, and every step follows the rules."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from html import escape
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from helpers.browsing import OWNER
from helpers.watched_games import browsing, links, record, tiles_on
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

from mjopt._internal.file_index import files_in
from mjopt.play.game import mjai_lines, read_record, replay, replay_steps
from mjopt.play.game.agents.human import describe_move
from mjopt.play.game.game_replay import deficiencies, watch
from mjopt.play.game.scoring import away
from mjopt.play.matches.game_library import record_files
from mjopt.play.matches.match_session import MatchSettings
from mjopt.play.matches.match_store import Matches
from mjopt.play.serve import hand_page, watch_page
from mjopt.play.serve.background_advice import BackgroundAdvice
from mjopt.play.serve.deficiency_chart import draw_curve
from mjopt.play.serve.hand_form import form_from_query
from mjopt.play.serve.step_view import GameView

RULES = ("m0", "gmjbg", "jj")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [record(rules, game) for rules in RULES for game in range(2)]
    (tmp_path / "games.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with browsing(games=folder) as client:
        yield client


def file_link(client: TestClient) -> str:
    [found] = links(client.get("/games").text, r"/games/\w+")
    return found


def test_link_to_the_hand_page_has_the_position_of_the_step(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackgroundAdvice, "submit", lambda *_: Future())  # no search is needed
    monkeypatch.setattr(hand_page, "PATIENCE", 0)
    games = links(client.get(file_link(client)).text, r"/games/\w+/\d+")
    num_draws, num_offers = set[int](), 0
    for game, seat in product(games, ("", "&seat=2")):
        last = int(re.search(r" / (\d+)</label>", client.get(game).text)[1])
        for at in range(0, last + 1, 5):
            text = client.get(f"{game}?step={at}{seat}").text
            [address] = links(text, r"/\?hand=[^\"]*")
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert '<p class="notice">' not in answer.text
            position = form_from_query(QueryParams(urlsplit(address).query)).parse().position
            num_draws.add(position.draws)
            num_offers += position.offered is not None
    assert len(num_draws) > 5
    assert num_offers > 0


# Lists of files and games


def test_files_of_records_are_listed_and_their_games(client: TestClient) -> None:
    page = client.get("/games").text
    assert "games.txt" in page
    assert "Dice, Expert, Dice, Advanced" in page

    games = client.get(file_link(client)).text
    assert len(links(games, r"/games/\w+/\d+")) == 6
    outcome = replay(record("jj", 1)).outcome
    assert outcome.ending.value in games
    assert ", ".join(f"{points:+d}" for points in outcome.scores) in games


def test_list_is_paginated_by_fifty(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{record('m0', 0)}\n" * 120)
    with browsing(games=tmp_path) as client:
        first = client.get(file_link(client)).text
        assert len(links(first, r"/games/\w+/\d+")) == 50
        assert not re.search("Previous", first)
        [following] = links(first, r"/games/\w+\?page=\d+")
        third = client.get(following.replace("page=2", "page=3")).text
        numbers = [int(link.rpartition("/")[2]) for link in links(third, r"/games/\w+/\d+")]
        assert numbers == list(range(101, 121))
        assert client.get(following.replace("page=2", "page=4")).status_code == 400


EXAMPLE = "Watch four hands of computer players"


def test_shipped_games_are_shown_until_there_are_others(tmp_path: Path) -> None:
    with browsing() as client:
        assert "--games DIR" in client.get("/games").text
    with browsing(games=tmp_path) as client:
        page = client.get("/games").text
        assert EXAMPLE in page
        games = links(page, r"/games/\w+/\d+")
        assert len(games) == 4
        (tmp_path / "games.txt").write_text(record("m0", 0))
        assert EXAMPLE not in client.get("/games").text
        assert client.get(games[0]).status_code == 200


def test_records_are_searched_two_levels_deep(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for place in (tmp_path, deep, deep.parent):
        (place / "games.txt").write_text(record("m0", 0))
    (tmp_path / "faults.txt").write_text("0\tgame 0, round 1, agent 1 (l1): crash\n")
    (tmp_path / ".hidden.txt").write_text(record("m0", 0))
    with browsing(games=tmp_path) as client:
        page = client.get("/games").text
        assert len(links(page, r"/games/\w+")) == 2
        assert "a/b/games.txt" in page
        assert "c/games.txt" not in page
        assert "faults" not in page


def test_links_outside_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "games.txt").write_text(record("m0", 0))
    (inside / "file.txt").symlink_to(outside / "games.txt")
    (inside / "folder").symlink_to(outside)
    ids = list(files_in(outside, ".txt"))
    with browsing(games=inside) as client:
        assert EXAMPLE in client.get("/games").text
        for name in (*ids, "%2e%2e", "file.txt", "..%2foutside%2fgames.txt"):
            assert client.get(f"/games/{name}/1").status_code == 404
        assert client.get("/games/%2e%2e").status_code == 404


def test_finished_hands_of_matches_can_be_watched(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    setting = MatchSettings(rules="m0", players=("l1", "l2", "l1"), seconds=None)
    name = matches.start(setting, OWNER)
    with browsing(games=tmp_path) as client:
        assert EXAMPLE in client.get("/games").text  # the hand is not finished
        hands = []
        while len(hands) < 2:
            session = matches.look(name).session
            if session.state.is_over:
                hands.append(session.match.lines[-1])
                page = client.get(file_link(client)).text
                assert len(links(page, r"/games/\w+/\d+")) == len(hands)
                address = f"{file_link(client)}/{len(hands)}"
                assert client.get(f"{address}/record.txt").text == f"{hands[-1]}\n"
                assert client.get(f"{file_link(client)}/{len(hands) + 1}").status_code == 404
                points = [read_record(line).scores for line in hands[:-1]]
                standing = [sum(row[seat] for row in points) for seat in range(4)]
                shown = re.findall(r'<span class="points">([+-]?\d+)', client.get(address).text)
                assert sorted(map(int, shown)) == sorted(standing)
                matches.next_hand(name, session.number)
            else:
                names = session.match.rules.tiles.names
                text = describe_move(session.options[-1], names)
                matches.play(name, session.number, text)
        bad, foreign = f"{'x' * 22}.{OWNER}.match.json", f"{'x' * 22}.match.json"
        (tmp_path / bad).write_text("{")
        (tmp_path / foreign).write_text("{")
        assert file_link(client)  # still the only file
        assert f"{bad}: not " in client.get("/games").text
        assert foreign not in client.get("/games").text
        assert str(tmp_path) not in client.get("/games").text


# A game


@pytest.mark.parametrize("rules", RULES)
def test_every_step_equals_the_replayed_state(rules: str) -> None:
    for game in range(2):
        line = record(rules, game)
        view = GameView(watch(line))
        steps = list(replay_steps(line))
        assert view.last == len(steps) - 1
        for at, (state, events) in enumerate(steps):
            shown = view.step(at)
            names = state.table.rules.tiles.names
            for side in shown["board"].seats:
                held = Counter(tile.name for tile in side.concealed)
                # The winning tile may be shown with the winning hand.
                winners = state.outcome.winners if state.outcome else ()
                if side.seat not in winners:
                    assert held == Counter(
                        {names[k]: n for k, n in enumerate(state.hands[side.seat]) if n}
                    )
                assert [tile.name for tile in side.river] == [
                    names[kind] for kind in state.table.rivers[side.seat]
                ] or side.seat == (state.outcome.payer if state.outcome else -1)
                assert len(side.melds) == len(state.table.melds[side.seat])
            assert shown["board"].live == state.table.live
            assert len(shown["happened"]) == len(events)
            assert [side.away for side in shown["sides"]] == list(deficiencies(state))
        outcome = steps[-1][0].outcome
        assert shown["end"]
        assert outcome.ending in shown["end"]


def test_every_step_has_a_page(tmp_path: Path) -> None:
    line = record("gmjbg", 1)
    (tmp_path / "one.txt").write_text(line)
    with browsing(games=tmp_path) as client:
        address = f"{file_link(client)}/1"
        for at, (state, _) in enumerate(replay_steps(line)):
            page = client.get(f"{address}?step={at}")
            assert page.status_code == 200
            names = state.table.rules.tiles.names
            least = Counter({n: k for n, k in zip(names, state.table.shown, strict=True) if k})
            for hand in state.hands:
                least += Counter({names[kind]: held for kind, held in enumerate(hand) if held})
            assert not least - tiles_on(page.text)
        assert escape(state.outcome.ending.value) in page.text


def test_one_seat_sees_no_tile_of_others_before_the_end(client: TestClient) -> None:
    line = record("m0", 0)
    address = f"{file_link(client)}/1"
    steps = list(replay_steps(line))
    for at in (0, 10, len(steps) - 2):
        state = steps[at][0]
        page = client.get(f"{address}?step={at}&seat=3").text
        names = state.table.rules.tiles.names
        seen = Counter({n: k for n, k in zip(names, state.table.shown, strict=True) if k})
        seen += Counter({n: k for n, k in zip(names, state.hands[2], strict=True) if k})
        others = tiles_on(page)
        hidden = sum(map(sum, (state.hands[seat] for seat in (0, 1, 3))))
        assert hidden - 1 <= others.pop("back") <= hidden
        # Events repeat the names of open tiles and of the seat's own draws.
        assert set(others) <= set(seen)
        [words] = re.findall(r'aria-label="(missing tiles by step: [^"]*)"', page)
        assert words.count("from") == 1  # the deficiencies of the others are hidden
    end = client.get(f"{address}?step={len(steps) - 1}&seat=3").text
    assert "#back" not in end


def test_jumps_lead_to_the_next_change_and_call() -> None:
    game = watch(record("gmjbg", 1))
    view = GameView(game)
    state, last = game.states, len(game.states) - 1
    known = [
        [away(s.hands[seat], len(s.table.melds[seat]), s.table.rules) for seat in range(4)]
        for s in state[:-1]
    ]
    changes = [at for at in range(1, last) if known[at] != known[at - 1]]
    calls = [
        at
        for at, events in enumerate(game.events)
        if any(event.action in (*"CPKASHRF",) for event in events)
    ]
    assert len(changes) > 5
    assert calls
    for at in range(last):
        jumps = view.step(at)["jumps"]
        assert jumps["previous"] == (at - 1 if at else None)
        assert jumps["next"] == at + 1
        assert jumps["next-call"] == next((step for step in calls if step > at), None)
        assert jumps["previous-call"] == next((s for s in reversed(calls) if s < at), None)
        if at < changes[-1]:
            assert jumps["next-change"] == next(step for step in changes if step > at)
        assert jumps["previous-change"] == next((s for s in reversed(changes) if s < at), None)
    ends = view.step(last)["jumps"]
    assert (ends["next"], ends["last"], ends["next-change"], ends["next-call"]) == (None,) * 4
    own = GameView(game, seat=2).step(0)["jumps"]["next-change"]
    assert own
    assert known[own][2] != known[own - 1][2]


def test_winner_has_deficiency_zero() -> None:
    endings = {}
    for rules in RULES:
        for number in range(6):
            game = watch(record(rules, number, "deficiency l3 deficiency l3"))
            outcome = game.states[-1].outcome
            endings[outcome.by_own_draw] = True
            for seat in range(4):
                assert (game.away[-1][seat] == 0) == (seat in outcome.winners)
    assert set(endings) == {True, False}


def test_page_links_equal_the_jumps(client: TestClient) -> None:
    address = f"{file_link(client)}/3"
    page = client.get(f"{address}?step=7&seat=2").text
    jumps = GameView(watch(record("gmjbg", 0)), seat=1).step(7)["jumps"]
    told = dict(re.findall(r'href="([^"]*)" data-jump="([\w-]+)"', page))
    assert {name: link.replace("&amp;", "&") for link, name in told.items()} == {
        name: f"{address}?step={to}&seat=2" for name, to in jumps.items() if to is not None
    }


def test_record_can_be_downloaded(client: TestClient) -> None:
    address, line = f"{file_link(client)}/6", record("jj", 1)
    assert client.get(f"{address}/record.txt").text == f"{line}\n"
    sent = client.get(f"{address}/game.mjson").text.splitlines()
    assert sent == mjai_lines(line)
    assert json.loads(sent[-1]) == {"type": "end_game"}


@pytest.mark.parametrize("query", ["step=-1", "step=999", "step=x", "seat=5", "seat=1.5", "step=١"])
def test_unknown_step_or_seat_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"{file_link(client)}/1?{query}")
    assert answer.status_code == 400
    assert "expected 0 to" in answer.text


def test_unknown_game_is_refused(client: TestClient) -> None:
    for number in ("0", "7", "99999999999999999999"):
        assert client.get(f"{file_link(client)}/{number}").status_code == 404


# Damage


def test_a_file_that_vanishes_is_not_found(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "games.txt"
    path.write_text(record("m0", 0))
    [listed] = record_files(tmp_path).values()
    path.unlink()
    monkeypatch.setattr(watch_page, "find_record_file", lambda *_: listed)
    with browsing(games=tmp_path) as client:
        for rest in ("", "/1", "/1/record.txt", "/1/game.mjson"):
            page = client.get(f"/games/{listed.id}{rest}")
            assert page.status_code == 404
            assert "no longer exists" in page.text


def test_games_of_a_file_have_no_standings(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(record("m0", 0))
    with browsing(games=tmp_path) as client:
        assert 'class="points"' not in client.get(f"{file_link(client)}/1").text


def test_damaged_line_is_reported_and_the_rest_is_listed(tmp_path: Path) -> None:
    good = record("m0", 0)
    wrong = good.replace("scores=", "scores=9,")
    late = (
        re.sub(r"end=\S+", "end=discard", good) if "end=wall" in good else good.replace("D", "P", 1)
    )
    lines = [good, "game1 rubbish <b>", "", wrong, late, "x" * 100_000, good]
    (tmp_path / "games.txt").write_bytes("\n".join(lines).encode() + b"\n\xff\xfe\n")
    with browsing(games=tmp_path) as client:
        address = file_link(client)
        page = client.get(address).text
        told = links(page, r"/games/\w+/\d+")
        assert [int(link.rpartition("/")[2]) for link in told] == [1, 5, 7]
        assert page.count('class="error"') == 4
        assert "<b>" not in page
        assert client.get(f"{address}/7").status_code == 200
        refused = client.get(f"{address}/2")
        assert refused.status_code == 400
        assert "expected rules" in refused.text
        assert client.get(f"{address}/3").status_code == 404
        broken = watch(late)
        last = client.get(f"{address}/5?step={len(broken.states) - 1}")
        assert "The next step breaks the rules" in last.text
        assert escape(broken.refusal) in last.text


def test_illegal_record_is_shown_up_to_the_illegal_move() -> None:
    line = record("m0", 0)
    moves = re.search(r"moves=(\S+)", line)[1]
    cut = moves[:80] + "0F00" + moves[84:]
    game = watch(line.replace(moves, cut))
    whole = watch(line)
    assert 5 < len(game.states) < len(whole.states)
    assert game.refusal
    assert not whole.refusal


def test_names_are_escaped(tmp_path: Path) -> None:
    line = re.sub(
        r"names=\S+", "names=%3Cscript%3E,%22%3E,%E2%80%AE,b" + "x" * 500, record("m0", 0)
    )
    (tmp_path / "games.txt").write_text(line)
    with browsing(games=tmp_path) as client:
        for address in ("/games", file_link(client), f"{file_link(client)}/1"):
            text = client.get(address).text
            assert "<script>" not in text
            assert "\u202e" not in text
            assert "x" * 100 not in text


# The chart of deficiencies


def test_chart_distinguishes_seats_without_colour() -> None:
    drawn = draw_curve(watch(record("m0", 0)).away, ["E", "S", "W", "N"], range(4))
    dashes = re.findall(r'stroke-dasharray="([^"]*)"', drawn.body)
    assert len(set(dashes)) == 4
    assert drawn.words.count("from") == 4
    heights = [int(y) for y in re.findall(r'<text x="576" y="([^"]*)"', drawn.body)]
    assert len(heights) == 4
    assert all(abs(a - b) > 11 for a in heights for b in heights if a is not b)


def test_the_current_step_is_marked(client: TestClient) -> None:
    game = watch(record("m0", 0))
    xs = [
        float(
            re.search(
                r'class="now" x1="([^"]*)"', client.get(f"{file_link(client)}/1?step={at}").text
            )[1]
        )
        for at in (0, len(game.states) - 1)
    ]
    assert xs == [24.0, 570.0]
