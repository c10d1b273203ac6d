"""The match store: persistence, timeouts, concurrency and restarts."""

import json
import logging
import os
import threading
import time

import pytest
from helpers.arranged_game import JUNK
from helpers.surroundings import disk_full_after
from helpers.table_talk import GIVER, QUIET, Clock, dealt, simple, word
from starlette.exceptions import HTTPException

from mjopt.errors import FileError, GameError
from mjopt.play.game import PASS, Action
from mjopt.play.matches import match_store as module
from mjopt.play.matches.match_session import MatchSettings
from mjopt.play.matches.match_store import Matches

TIMED = MatchSettings(players=("l1",) * 3, seconds=5)
OFFER = dealt(["147m258p369s1277z", GIVER], draws="9s 7z")
"""The person throws 9s, and is offered a 7z of which it holds two."""


@pytest.fixture
def clock():
    return Clock()


def seeded(folder=None, **more):
    return Matches(folder, new_seed=iter(range(1, 99)).__next__, **more)


def test_match_survives_a_restart_before_each_hand(tmp_path):
    matches, seeds = seeded(tmp_path), iter(range(100, 200))
    name = matches.start(MatchSettings(rules="m0", players=("l1",) * 3, seconds=None))
    while True:
        session = matches.look(name).session
        if not session.state.is_over:
            matches.play(name, session.number, word(session, simple(session)))
            continue
        if session.match.is_over:
            break
        matches = Matches(tmp_path, new_seed=seeds.__next__)
        assert [one.name for one in matches.unfinished()[0]] == [name]
        matches.next_hand(name, session.number)
    assert session.match.dealers[-1] == 3
    assert matches.unfinished() == ([], [])
    with pytest.raises(GameError, match="no hand can be dealt"):
        matches.next_hand(name, session.number)
    with pytest.raises(GameError, match="the hand has ended"):
        matches.play(name, session.number, "5m")


def test_outdated_decision_changes_nothing(tmp_path):
    matches = seeded(tmp_path)
    name = matches.start(QUIET)
    first = matches.look(name).session
    second = matches.play(name, first.number, word(first, first.default()))
    before = (tmp_path / f"{name}.match.json").read_bytes()
    with pytest.raises(
        HTTPException, match="409: the game has moved on: this decision was made before"
    ):
        matches.play(name, first.number, word(second, second.default()))
    with pytest.raises(HTTPException, match="409"):
        matches.next_hand(name, first.number)
    assert matches.look(name).session is second
    assert (tmp_path / f"{name}.match.json").read_bytes() == before


@pytest.mark.parametrize("text", ["", " ", "9z", "x", "p", "h", "5m" * 999, "c 1m"])
def test_impossible_move_changes_nothing(text):
    matches = Matches(new_seed=lambda: None, deal=dealt([JUNK], draws="5p"))
    name = matches.start(QUIET)
    with pytest.raises(GameError, match="not possible now"):
        matches.play(name, 1000, text)
    assert matches.look(name).session.number == 1000


def test_concurrent_answers_make_one_move():
    matches, done, refused = seeded(), [], []
    name = matches.start(QUIET)
    start = matches.look(name).session
    gate = threading.Barrier(4)

    def answer():
        gate.wait()
        try:
            done.append(matches.play(name, start.number, word(start, start.default())))
        except HTTPException:
            refused.append(1)

    threads = [threading.Thread(target=answer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(done), len(refused)) == (1, 3)
    assert matches.look(name).session is done[0]


def test_two_servers_on_one_folder_do_not_fork_a_match(tmp_path):
    one = seeded(tmp_path)
    name = one.start(QUIET)
    two = Matches(tmp_path)
    first = one.look(name).session
    second = two.play(name, first.number, word(first, first.default()))
    with pytest.raises(HTTPException, match="409"):
        one.play(name, first.number, word(first, first.options[0]))
    assert one.look(name).session == second
    third = one.play(name, second.number, word(second, second.default()))
    assert two.look(name).session == third
    (tmp_path / f"{name}.match.json").unlink()
    with pytest.raises(FileError, match="No such file"):
        one.look(name)


def test_timeout_on_a_turn_discards_the_drawn_tile(clock):
    matches = seeded(clock=clock)
    name = matches.start(TIMED)
    clock.now += 999  # the decision has not been shown yet
    first = matches.look(name)
    assert first.time_left == 5
    clock.now += 2
    assert matches.look(name)[1:] == (3, None)
    clock.now += 4  # the limit and one more second: still in time
    assert matches.look(name)[1:] == (0, None)
    clock.now += 0.001
    seen = matches.look(name)
    assert seen.timeout_move.action is Action.DISCARD
    assert seen.timeout_move.kind == first.session.view.drawn
    assert (seen.session.number, seen.time_left) == (1001, 5)
    assert seen.session.state.table.rivers[0] == (seen.timeout_move.kind,)
    assert matches.look(name).timeout_move is None


def test_clock_starts_after_the_moves_of_the_others_are_shown(clock):
    matches = seeded(clock=clock)
    name = matches.start(TIMED)
    session = matches.look(name, 0.5).session
    matches.play(name, 1000, word(session, session.default()))
    others = sum(event.seat != 0 for event in matches.look(name, 0.5).session.news)
    assert others
    assert matches.look(name, 0.5).time_left == 5 + others / 2
    clock.now += 6 + others / 2
    assert matches.look(name).timeout_move is None
    clock.now += 0.001
    assert matches.look(name).timeout_move is not None


def test_timeout_on_a_winning_offer_wins(clock):
    deal = dealt(["123456789m123p7z", GIVER], draws="9s 7z")
    matches = Matches(clock=clock, new_seed=lambda: None, deal=deal)
    name = matches.start(TIMED)
    matches.play(name, 1000, "9s")
    matches.look(name)
    clock.now += 6.1
    seen = matches.look(name)
    assert seen.timeout_move.action is Action.WIN
    assert seen.session.state.outcome.winners == (0,)


def test_timeout_on_an_offer_passes(clock):
    matches = Matches(clock=clock, new_seed=lambda: None, deal=OFFER)
    name = matches.start(TIMED)
    matches.look(name)
    clock.now += 5.9
    session = matches.play(name, 1000, "9s")
    assert [word(session, move) for move in session.options] == ["p", "n"]
    clock.now += 100
    matches.look(name)
    clock.now += 6.1
    with pytest.raises(HTTPException, match="409: .*time ran out"):
        matches.play(name, 1001, "p")
    seen = matches.look(name)
    assert (seen.timeout_move, seen.session.number) == (PASS, 1002)
    assert not any(seen.session.state.table.melds)


def test_no_timeout_without_a_limit(clock):
    matches = seeded(clock=clock)
    name = matches.start(QUIET)
    matches.look(name)
    clock.now += 1e6
    assert matches.look(name)[1:] == (None, None)
    session = matches.look(name).session
    assert matches.play(name, 1000, word(session, session.default())).number == 1001


def test_timeout_moves_are_stored(tmp_path, clock):
    matches = seeded(tmp_path, clock=clock)
    name = matches.start(TIMED)
    matches.look(name)
    clock.now += 7
    session = matches.look(name).session
    assert session.num_own_moves == 1
    again = Matches(tmp_path, clock=clock).look(name)
    assert (again.session, again.time_left) == (session, 5)  # its clock restarts


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b"5", b'{"version": 1}', b'{"version": 9}']
)
def test_damaged_file_is_logged_and_other_matches_load(tmp_path, caplog, content):
    matches = seeded(tmp_path)
    bad, good = matches.start(QUIET), matches.start(QUIET)
    (tmp_path / f"{bad}.match.json").write_bytes(content)
    (tmp_path / "notes.match.json").write_bytes(content)  # not a match file name
    (tmp_path / ("x" * 22 + ".match.json")).mkdir()
    matches = seeded(tmp_path)
    with caplog.at_level(logging.WARNING):
        found, damaged = matches.unfinished()
    assert [one.name for one in found] == [good]
    assert len(damaged) == 2
    [line] = [line for line in damaged if line.startswith(f"{bad}.match.json: not ")]
    assert line in caplog.messages
    with pytest.raises(FileError, match=r"match\.json: not "):
        matches.look(bad)
    assert matches.look(good).session.number == 1000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_only_regular_files_are_read(tmp_path, caplog):
    matches = seeded(tmp_path)
    name = matches.start(QUIET)
    link, fifo = (tmp_path / f"{letter * 22}.match.json" for letter in "ab")
    link.symlink_to(tmp_path / "none")
    os.mkfifo(fifo)
    sessions, errors = Matches(tmp_path).unfinished()
    assert [one.name for one in sessions] == [name]
    assert errors == [
        f"{fifo.name}: not a regular file",
        f"{link.name}: No such file or directory",
    ]
    assert {record.getMessage() for record in caplog.records} == set(errors)


def test_match_is_deleted_with_its_file(tmp_path):
    for matches in (seeded(), seeded(tmp_path)):
        name, other = matches.start(QUIET), matches.start(QUIET)
        matches.delete(name)
        assert [one.name for one in matches.unfinished()[0]] == [other]
        for call in (matches.look, matches.delete):
            with pytest.raises(HTTPException, match="404"):
                call(name)
    assert [path.name for path in tmp_path.iterdir()] == [f"{other}.match.json"]


def test_list_gives_the_time_of_the_last_move(tmp_path, monkeypatch):
    for matches in (seeded(), seeded(tmp_path)):
        before = time.time()
        name = matches.start(QUIET)
        [one] = matches.unfinished()[0]
        assert before <= one.time <= time.time()
        session = one.session
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: 2e9)
            matches.play(name, session.number, word(session, session.default()))
        assert [one.time for one in matches.unfinished()[0]] == [2e9]
    os.utime(tmp_path / f"{name}.match.json", (1e9, 1e9))
    [one] = Matches(tmp_path).unfinished()[0]
    assert one.time == 1e9


def test_hints_are_changed_within_a_match(tmp_path):
    matches = seeded(tmp_path)
    name = matches.start(QUIET)
    matches.show_hints(name, "l3")
    assert Matches(tmp_path).look(name).session.setting.hints == "l3"
    with pytest.raises(GameError, match="no player 'x'"):
        matches.show_hints(name, "x")


@pytest.mark.parametrize("name", ["", "x", "x" * 22, "../../etc/passwd", "..", "a/b", "\0"])
def test_unknown_match_is_refused(tmp_path, name):
    (tmp_path / "notes.match.json").write_text("{}")
    for matches in (Matches(), seeded(tmp_path)):
        with pytest.raises(HTTPException, match="404: no such match"):
            matches.look(name)
        with pytest.raises(HTTPException, match="404"):
            matches.look("notes")


def test_failed_write_undoes_the_move(tmp_path):
    matches = seeded(tmp_path)
    name = matches.start(QUIET)
    session = matches.look(name).session

    with disk_full_after(0):
        with pytest.raises(HTTPException, match="503: .*File too large"):
            matches.play(name, session.number, word(session, session.default()))
        with pytest.raises(HTTPException, match="503: .*File too large"):
            matches.start(QUIET)
    assert matches.look(name).session is session
    assert Matches(tmp_path).look(name).session == session
    assert len(list(tmp_path.iterdir())) == 1


def test_evicted_matches_are_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_CACHED", 2)
    matches = seeded(tmp_path)
    names = [matches.start(QUIET) for _ in range(5)]
    assert [matches.look(name).session.number for name in names] == [1000] * 5
    first = matches.look(names[0]).session
    moved = matches.play(names[0], 1000, word(first, first.default()))
    for name in names[1:]:
        matches.look(name)
    assert matches.look(names[0]).session == moved


def test_matches_in_memory_are_limited_and_the_least_recently_used_is_lost(monkeypatch):
    monkeypatch.setattr(module, "MAX_CACHED", 2)
    matches = seeded()
    first, second = matches.start(QUIET), matches.start(QUIET)
    matches.look(first)
    third = matches.start(QUIET)

    assert {one.name for one in matches.unfinished()[0]} == {first, third}
    with pytest.raises(HTTPException, match="404: no such match"):
        matches.look(second)


def test_only_matches_of_the_owner_are_listed(tmp_path):
    for matches in (seeded(), seeded(tmp_path)):
        names = {owner: matches.start(QUIET, owner * 22) for owner in "ab"}
        for owner, name in names.items():
            assert [one.name for one in matches.unfinished(owner * 22)[0]] == [name]
        assert matches.unfinished() == ([], [])
    [one] = Matches(tmp_path).unfinished("b" * 22)[0]
    assert one.name == names["b"]


def test_seed_is_stored_and_new_for_every_hand(tmp_path):
    """The seed is visible in the folder but not on pages; see test_play_page.py."""
    matches = Matches(tmp_path)
    seeds = {
        json.loads((tmp_path / f"{matches.start(QUIET)}.match.json").read_text())["seed"]
        for _ in range(3)
    }
    assert len(seeds) == 3
