"""The statistics page: the results of a person in total and by opponent, and the rating."""

import re
from pathlib import Path

from helpers.browsing import OWNER, browser
from helpers.table_talk import simple, word
from helpers.watched_games import browsing, record

from mjopt.play.game.record import read_record
from mjopt.play.matches.match_session import YOU, MatchSettings
from mjopt.play.matches.match_store import Matches
from mjopt.play.matches.own_matches import own_results


def cells(page: str) -> list[tuple[str, list[str]]]:
    """Return the rows of the table of opponents: name and numbers."""
    rows = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', page)
    return [(name, re.findall(r'<td class="num">([^<]*)</td>', row)) for name, row in rows]


def play_match(matches: Matches, **settings: object) -> str:
    """Play a match to its end on the server, and return its id."""
    name = matches.start(MatchSettings(rules="m0", **settings), OWNER)  # type: ignore[arg-type]
    while not (session := matches.look(name).session).match.is_over:
        if session.state.is_over:
            matches.next_hand(name, session.number)
        else:
            matches.play(name, session.number, word(session, simple(session)))
    return name


def test_results_match_the_record_files(tmp_path: Path) -> None:
    lines = [record("gmjbg", game, "deficiency l3 deficiency l3") for game in range(8)]
    named = [re.sub(r"names=\S+", "names=you,l3,b,l2", line) for line in lines]
    (tmp_path / "mine.txt").write_text("\n".join([*named, "damaged", ""]))
    (tmp_path / "theirs.txt").write_text("\n".join(lines))
    total = own_results((*named, "damaged")).total
    records = [read_record(line) for line in named]
    ends = [line.split("moves=")[1].split()[0] for line in named]
    assert (total.hands, total.wins, total.drawn, total.points) == (
        8,
        sum("0H" in moves for moves in ends),
        sum(each.ending == "wall empty" for each in records),
        sum(each.scores[0] for each in records),
    )
    assert total.wins
    assert total.own_draws == sum(
        "0H" in moves and each.ending == "own draw"
        for moves, each in zip(ends, records, strict=True)
    )
    paid = [each.ending == "discard" and each.scores[0] < 0 for each in records]
    assert total.dealt_in == sum(paid)
    with browsing(games=tmp_path) as client:
        page = client.get("/statistics").text
    assert "<dd>8</dd>" in page
    assert f"<dd>{100 * total.wins / 8:.1f}</dd>" in page
    assert [name for name, _ in cells(page)] == ["Advanced", "b", "Intermediate"]


def test_opponents_are_counted_by_their_own_hands() -> None:
    with browser() as (client, matches):
        assert "You have not finished a hand here yet" in client.get("/statistics").text
        names = [play_match(matches, players=("l1", "l3", "l3"))]
        names.append(play_match(matches, players=("l1", "l1", "deficiency")))
        lines = [line for name in names for line in matches.look(name).session.match.lines]
        records = [read_record(line) for line in lines]
        page = client.get("/statistics").text
    shown = dict(cells(page))
    assert shown.keys() == {"Beginner", "Advanced", "Expert"}
    for player, agent in (("Beginner", "l1"), ("Advanced", "l3"), ("Expert", "deficiency")):
        met = [each for each in records if agent in each.names]
        won = [
            {each.names[event.seat] for event in each.events if event.action.value == "H"}
            for each in met
        ]
        assert shown[player][:3] == [
            str(len(met)),
            f"{100 * sum(YOU in names for names in won) / len(met):.1f}",
            f"{100 * sum(agent in names for names in won) / len(met):.1f}",
        ]
    rating = re.search(r'<svg [^>]*aria-label="Your rating after each match: ([^"]*)"', page)
    assert rating
    assert len(rating[1].split(", ")) == 2
    assert "after 2 matches" in page


def test_hand_begun_at_a_position_does_not_count() -> None:
    with browser() as (client, matches):
        setting = MatchSettings(players=("l1",) * 3, position="123456789m67p11s1z draws=3")
        name = matches.start(setting, OWNER)
        while not (session := matches.look(name).session).state.is_over:
            matches.play(name, session.number, word(session, session.default()))
        assert session.match.is_over
        assert client.get(f"/play/{name}").status_code == 200
        assert "You have not finished a hand here yet" in client.get("/statistics").text


def test_results_of_another_browser_are_not_shown(tmp_path: Path) -> None:
    with browser(tmp_path) as (client, matches):
        play_match(matches, players=("l1", "l1", "l1"))
        assert "Your hands" in client.get("/statistics").text
        client.cookies.clear()
        assert "You have not finished a hand" in client.get("/statistics").text
