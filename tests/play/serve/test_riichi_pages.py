"""Riichi on the pages: choose it, play it, watch its records, and a game as one file."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.browsing import OWNER, browser, search_nothing, start_match
from helpers.page_text import in_notation
from helpers.table_talk import word
from helpers.watched_games import browsing, links

pytest.importorskip("jansou")

from mjopt.cli.main import execute
from mjopt.play.game.agents import read_agent
from mjopt.play.game.game_replay import deficiencies
from mjopt.play.matches.game_library import record_files
from mjopt.play.matches.judged_hands import JudgedHands, LostChance
from mjopt.play.matches.match_session import MatchSession, MatchSettings
from mjopt.play.matches.match_store import Matches
from mjopt.play.riichi import RiichiMatch, replay_riichi, run_next_hand
from mjopt.play.riichi.record import read_line
from mjopt.play.riichi.replay import mjai_lines_of, watch_line
from mjopt.play.serve.replay_file import record_page

NAMES = ("deficiency", "l2", "l3", "first")


@pytest.fixture(scope="module")
def lines() -> tuple[str, ...]:
    """Return two hands of a match; somebody won the first one after a riichi."""
    match = RiichiMatch(names=NAMES, seed=6)
    while len(match.lines) < 2:
        match = match.with_hand(run_next_hand(match, [read_agent(name) for name in NAMES]).line)
    return match.lines


@pytest.fixture
def folder(tmp_path: Path, lines: tuple[str, ...]) -> Path:
    (tmp_path / "games.txt").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def finish_hand(matches: Matches, name: str) -> MatchSession:
    """Play a hand of a match to its end by default moves."""
    while not (session := matches.look(name).session).state.is_over:
        matches.play(name, session.number, word(session, session.default()))
    return session


def test_riichi_is_chosen_and_played(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_nothing(monkeypatch)
    client, matches = opened(folder=tmp_path)
    page = client.get("/play?rules=riichi").text
    assert 'href="?rules=riichi" aria-current="true"' in page
    address, page = start_match(client, rules="riichi")
    assert "East 1" in page
    assert "25,000" in page
    name = address.removeprefix("/play/")
    session = finish_hand(matches, name)
    page = in_notation(client.get(address).text)
    assert all(f"{points:,}" in page for points in session.match.standing)
    key = next(iter(record_files(tmp_path, OWNER)))
    assert client.get(f"/games/{key}/1").status_code == 200
    listed = client.get("/play").text
    assert "Riichi" in listed


def test_statistics_count_judged_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JudgedHands, "lost", lambda *_: LostChance(4, 0.1))
    with browser(new_seed=lambda: 1) as (client, matches):
        setting = MatchSettings(rules="riichi", players=("first", "first", "l1"))
        finish_hand(matches, matches.start(setting, OWNER))
        page = client.get("/statistics")
    assert page.status_code == 200
    assert "is known of 1 hand." in page.text
    assert page.text.count("2.50") == 3  # the person and both opponents


def test_without_the_engine_one_line_says_what_to_install(
    opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjopt._internal.optional_deps.find_spec", {}.get)
    client, _ = opened()
    page = client.get("/play?rules=riichi")
    assert page.status_code == 200
    assert "mjopt[riichi]" in page.text
    assert 'href="?rules=riichi"' not in page.text
    refused = client.post("/play", data={"rules": "riichi"})
    assert refused.status_code == 400
    assert "mjopt[riichi]" in refused.text


def test_records_are_watched_step_by_step(folder: Path, lines: tuple[str, ...]) -> None:
    with browsing(games=folder) as client:
        [address] = links(client.get("/games").text, '/games/[^/"]+')
        listed = client.get(address).text
        assert all(name in listed for name in ("Expert", "Intermediate", "Advanced"))
        for number, line in enumerate(lines, start=1):
            watched, record = watch_line(line), read_line(line)
            last = len(watched.states) - 1
            for step in {0, last // 2, last}:
                page = client.get(f"{address}/{number}?step={step}")
                assert page.status_code == 200
                assert f"East {record.start['number']}" in page.text
            for value in record.wins:
                assert f"{value['fan']} han, {value['fu']} fu" in in_notation(page.text)
            mjai = client.get(f"{address}/{number}/game.mjson").text.splitlines()
            assert [json.loads(text) for text in mjai] == json.loads(line)


def test_steps_are_those_of_the_engine(lines: tuple[str, ...]) -> None:
    for line in lines:
        watched, table = watch_line(line), replay_riichi(line)
        events = [event for events in watched.events for event in events]
        assert [e._replace(is_drawn=False) for e in events] == [*table.news()]
        assert watched.states[-1] == table.state
        assert watched.away == tuple(map(deficiencies, watched.states))
        assert watched.states[-1].outcome == table.outcome
        assert all(state.outcome is None for state in watched.states[:-1])


def test_a_game_is_one_file(folder: Path, lines: tuple[str, ...], capsys: Any) -> None:
    page = record_page(lines[0], title="Riichi")
    assert page.count('<section class="step"') == len(watch_line(lines[0]).states)
    target = folder / "page.html"
    assert execute(["replay", str(folder / "games.txt"), "-o", str(target)]) == 0
    assert "han, " in target.read_text(encoding="utf-8")
    capsys.readouterr()
    assert execute(["replay", str(folder / "games.txt"), "-o", "-"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [text for line in lines for text in mjai_lines_of(line)]


def test_damaged_record_is_one_line(folder: Path, lines: tuple[str, ...], capsys: Any) -> None:
    (folder / "games.txt").write_text(lines[0].replace('"seed":6', '"seed":7') + "\n[1]\n")
    with browsing(games=folder) as client:
        [address] = links(client.get("/games").text, '/games/[^/"]+')
        assert "not the record of a riichi hand" in client.get(address).text
        assert client.get(f"{address}/1").status_code == 400
        assert client.get(f"{address}/2").status_code == 400
    target = folder / "page.html"
    assert execute(["replay", str(folder / "games.txt"), "-o", str(target)]) == 1
    assert not target.exists()
    assert "line 1" in capsys.readouterr().err
