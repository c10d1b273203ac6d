"""Matches of riichi on the page: play, restoring, points, and what a hand shows at its end."""

import json
from collections.abc import Iterator

import pytest

pytest.importorskip("jansou")

from mjopt.errors import FileError
from mjopt.play.game.events import CALLS, DISCARDS, KIND_OF
from mjopt.play.matches.hand_end import hand_end
from mjopt.play.matches.match_session import (
    MatchSession,
    MatchSettings,
    next_hand,
    play_move,
    read_session,
    start_session,
)
from mjopt.play.matches.match_store import MatchView
from mjopt.play.matches.own_matches import own_results
from mjopt.play.riichi.record import read_line
from mjopt.play.riichi.replay import replay_riichi
from mjopt.play.riichi.values import YAKU, win_values
from mjopt.play.serve.match_view import match_context

SETTING = MatchSettings(rules="riichi", players=("deficiency", "l2", "l3"))
SEED_OF_REDS = 42  # red fives are discarded and called


def kept(session: MatchSession) -> MatchSession:
    """Return a session as it is stored and read again."""
    return read_session(json.loads(json.dumps(session.to_document())))


def played(seed: int, hands: int, setting: MatchSettings = SETTING) -> Iterator[MatchSession]:
    """Yield the sessions of a match in which the person makes the default moves."""
    session = start_session(setting, seed)
    while not session.match.is_over and len(session.match.lines) < hands:
        yield session
        if session.state.is_over:
            seed += 1
            session = next_hand(session, seed)
        else:
            session = play_move(session, session.default())
    yield session


def test_match_is_restored_and_every_hand_replays() -> None:
    for number, session in enumerate(played(5, 2)):
        if number % 20 == 0 or session.state.is_over:
            again = kept(session)
            assert again == session
            assert (again.state, again.options) == (session.state, session.options)
    assert [read_line(line).seed for line in session.match.lines] == [5, 6]
    for line in session.match.lines:
        assert replay_riichi(line).outcome is not None
    assert own_results(session.match.lines).total.hands == 2


def test_a_session_is_not_changed_by_the_next_move() -> None:
    """Its table is its own: the same move again gives an equal session."""
    for session in list(played(8, 1))[:12:3]:
        before = session.view, session.options, len(session.state.table.events)
        first, second = (play_move(session, session.default()) for _ in range(2))
        assert first == second
        assert first.state == second.state
        assert (session.view, session.options, len(session.state.table.events)) == before


def test_points_deposits_and_indicators_are_shown() -> None:
    for session in played(5, 2):
        view = session.view
        assert session.points == view.points
        if not session.state.is_over:
            assert sum(view.points) + 1000 * view.sticks == 100_000
        board = match_context(MatchView(session, None, None))["board"]
        assert len(board.indicators) == len(view.indicators) > 0
        assert board.about.startswith(f"{('East', 'South')[view.wind]} {view.table.dealer + 1}")
        assert ("deposit" in board.about) == (view.sticks > 0)
        held = [tile.kind for tile in board.seats[0].concealed]
        if not board.seats[0].groups:
            assert sorted(held) == sorted(
                view.tiles.names[kind] for kind, n in enumerate(view.hand) for _ in range(n)
            )
            assert sum(tile.name != tile.kind for tile in board.seats[0].concealed) == sum(
                view.reds
            )


def test_every_win_is_shown_with_its_value() -> None:
    ended = [session for session in played(21, 3) if session.state.is_over]
    assert any(session.state.outcome.winners for session in ended)
    for session in ended:
        page = match_context(MatchView(session, None, None))
        values = win_values(read_line(session.match.lines[-1]).messages)
        assert len(page["values"]) == len(values) == len(session.state.outcome.winners)
        for text, value in zip(page["values"], values, strict=True):
            assert f"{value.han} han, {value.fu} fu" in text
            assert all(f"{name} {han}" in text for name, han in value.yaku)
            assert {name for name, _ in value.yaku} <= {*YAKU}
        if session.match.is_over:
            assert page["standing"] == [f"{points:,}" for points in session.match.standing]
        end = hand_end(session.state, 0)
        held = [
            sum(row) for row in zip(*session.state.hands, session.state.table.shown, strict=True)
        ]
        assert end.left == sum(4 - held[kind] for kind in end.waits)


def test_yaku_are_those_of_the_engine() -> None:
    from jansou.scoring.yaku import Yaku

    own = {name.replace("_", " ").lower() for name in Yaku.__members__}
    assert {*YAKU} == own | {"dora", "uradora", "akadora"}


def test_red_fives_lie_where_they_were_laid() -> None:
    """As many red fives lie on the board as were discarded or laid down."""
    *_, session = played(SEED_OF_REDS, 1)
    board = match_context(MatchView(session, None, None))["board"]
    table = session.state.table
    laid = [tile for melds in table.melds for meld in melds for tile in meld.tiles]
    called = [event.tile for event in table.events if event.action in CALLS]
    thrown = [event.tile for event in table.events if event.action in DISCARDS]
    reds = [sum(tile != KIND_OF[tile] for tile in row) for row in (laid, thrown, called)]
    shown = [tile.name for s in board.seats for row in (s.river, *s.melds) for tile in row]
    assert sum(name[0] == "0" for name in shown) == reds[0] + reds[1] - reds[2]
    assert min(reds[:2]) > 0


@pytest.mark.parametrize("change", ["engine", "seed"])
def test_damaged_match_is_one_line(change: str) -> None:
    *_, session = played(5, 1)
    document = session.to_document()
    [line] = session.match.lines
    document["lines"], document["moves"] = [line.replace(f'"{change}":', f'"{change}x":')], ""
    with pytest.raises(FileError, match="not the record of a riichi hand"):
        read_session(document)
