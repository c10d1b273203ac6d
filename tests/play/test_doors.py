"""All doors say the same about a position: Python, command line, page, hints and review."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from cli.conftest import Call, mjopt  # noqa: F401 - a fixture
from helpers.page_text import in_notation
from starlette.testclient import TestClient

from mjopt import Advice, Position, advise
from mjopt.chances.advice.why import LEAST_LOSS, UNWINNABLE, say_why
from mjopt.play.game import (
    GMJBG,
    Move,
    View,
    agent_stream,
    legal_moves,
    replay_steps,
    run_game,
    shuffle_wall,
    view_of,
)
from mjopt.play.game.agents.human import Person
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.legal import claims_of, turn_moves
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.positions import best_move, position_of
from mjopt.play.review.chance import chance_of
from mjopt.play.review.collector import DecisionCollector, SeenDiscard
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.log_positions import LoggedDecision
from mjopt.play.review.mjopt_log import read
from mjopt.play.serve.advice_words import chance_words, lost_words, option_words, why_words
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.hints import advised, describe_advice
from mjopt.play.serve.review_remarks import describe_chance
from mjopt.tables.lookup import label_one

NUM_POSITIONS = 42  # of games with swap calls
NUM_CALLS = 10  # of them with a tile on offer
FIRST = 25  # game; those before have few positions near a win with few draws left
NUM_BARRED = 4  # positions of riichi with a tile on offer, and as many after a call
LOGS = Path(__file__).parents[1] / "data" / "logs"
RIICHI = ("tenhou-json/game-01.jsonl", "mjai/game-02.jsonl")
LATE = 3  # own draws left at most in most positions, so that a search takes a tenth of a second
EVERY = 25  # of the positions, one has any number of draws
NEAR = 2
HOST = "http://127.0.0.1:8000"


class Asked(NamedTuple):
    """A position of a game, as a player and as a reviewer see it."""

    view: View
    moves: tuple[Move, ...]
    position: Position
    decision: LoggedDecision  # of the review


def decisions_of(game: int) -> Iterator[Asked]:
    """Yield decisions of a game, each with what its review says of the same seat."""
    agents = [read_agent(name) for name in ("deficiency", *["deficiency:calls=never"] * 3)]
    rngs = [agent_stream(45, game, seat) for seat in range(4)]
    wall = shuffle_wall(45, game, GMJBG.tiles)
    line = run_game(agents, wall, rules=GMJBG, rngs=rngs).line
    collector = DecisionCollector(has_positions=True)
    collector.add(read(line))
    rows = [*collector.discards, *collector.calls]
    reviewed = {row.decision.position: row.decision for row in rows if row.decision}
    for state, _ in replay_steps(line):
        if state.is_over:
            continue
        view, moves = view_of(state, state.to_move), legal_moves(state)
        position = position_of(view, moves)
        # A review lists no calls that another call may have overridden.
        if position.draws and position in reviewed:
            yield Asked(view, moves, position, reviewed[position])


def decisions_of_riichi(name: str) -> Iterator[Asked]:
    """Yield decisions of a log right after a call, or before a call with a swap."""
    [(_, game)] = read_games((LOGS / name).read_bytes())
    collector = DecisionCollector(has_positions=True)
    collector.add(game)
    states = {
        (number, at): state
        for number, deal in enumerate(collector.games[0].rounds)
        for at, (state, _) in enumerate(replay_round(deal, game.rules))
    }
    for row in (*collector.discards, *collector.calls):
        state, decision = states[row.deal, row.event], row.decision
        if decision is None:
            continue
        seat = row.seat if isinstance(row, SeenDiscard) else row.call.seat
        table, hand, position = state.table, state.hands[seat], decision.position
        if position.offered is None:
            barred = [*position.barred]
            moves = turn_moves(table, seat, hand, -1)
        else:
            calls = [call for call in position.calls or () if position.barred_after(call.meld)]
            barred = [
                kind
                for call in calls
                for kind in position.barred_after(call.meld)
                if position.after(call).counts[kind]
            ]
            moves = claims_of(table, seat, hand)
        if barred:
            yield Asked(View(seat=seat, table=table, hand=hand), moves, position, decision)


@cache
def asked_in_riichi() -> tuple[Asked, ...]:
    """Return positions under rules without swap calls: with a tile on offer, and after a call."""
    found = [
        each
        for name in RIICHI
        for each in decisions_of_riichi(name)
        if each.position.draws <= LATE + 2 and label_one(each.view.hand, each.view.called) <= NEAR
    ]
    offers = (each for each in found if each.position.offered is not None)
    called = (each for each in found if each.position.barred)
    return (*islice(offers, NUM_BARRED), *islice(called, NUM_BARRED))


@cache
def asked() -> tuple[Asked, ...]:
    """Return positions near a win, some with a tile on offer, some of riichi."""
    calls: list[Asked] = []
    turns: list[Asked] = []
    game = FIRST
    while len(calls) < NUM_CALLS or len(turns) < NUM_POSITIONS - NUM_CALLS:
        for each in decisions_of(game):
            kept = turns if each.position.offered is None else calls
            missing = label_one(each.view.hand, each.view.called, forms=GMJBG.forms)
            is_any = len(kept) % EVERY == 0
            if 0 < missing <= NEAR and (each.position.draws <= LATE or is_any):
                kept.append(each)
        game += 1
    return (*turns[: NUM_POSITIONS - NUM_CALLS], *calls[:NUM_CALLS], *asked_in_riichi())


cached_advise = cache(advise)


@cache
def answers() -> tuple[Advice, ...]:
    return tuple(cached_advise(each.position) for each in asked())


@pytest.fixture(scope="module")
def page() -> Iterator[TestClient]:
    client = TestClient(make_app(Settings()), base_url=HOST, headers={"origin": HOST})
    yield client
    client.app.state.site.close()  # type: ignore[attr-defined]


def test_positions_are_of_all_kinds() -> None:
    positions = [each.position for each in asked()]
    assert len(positions) == NUM_POSITIONS + 2 * NUM_BARRED
    offers = [position for position in positions if position.offered is not None]
    assert sum(position.swaps for position in offers) == NUM_CALLS
    assert sum(not position.swaps for position in offers) == NUM_BARRED
    assert sum(bool(position.barred) for position in positions) == NUM_BARRED
    assert {position.hand.called for position in positions} >= {0, 1, 2}
    assert len({position.draws for position in positions}) >= 4
    assert any(
        call.draws != position.draws - 1 for position in positions for call in position.calls
    )
    assert "chance" in {advice.measure for advice in answers()}


def test_no_option_is_a_swap_call() -> None:
    for each, advice in zip(asked(), answers(), strict=True):
        position = each.position
        for row in advice.options:
            barred = position.barred if row.meld is None else position.barred_after(row.meld)
            assert row.kind not in barred


def test_command_says_what_python_says(
    mjopt: Call,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mjopt.cli.advise.advise", cached_advise)
    for each, advice in zip(asked(), answers(), strict=True):
        text = each.position.to_text()
        assert Position.parse(text) == each.position
        document = mjopt("advise", text, "--json").json
        assert {name: document[name] for name in advice.to_document()} == advice.to_document()


def test_page_says_what_python_says(page: TestClient) -> None:
    for each, advice in zip(asked(), answers(), strict=True):
        text = in_notation(page.get(position_address(each.position) + "&wait=1").text)
        rows = re.findall(r'<td class="num chance">(.*?)</tr>', text, re.DOTALL)
        assert len(rows) == len(advice.options)
        for row, option in zip(rows, advice.options, strict=True):
            words = unescape(re.sub("<[^>]*>", "", row))
            assert words.split(" in ")[0].split("\n")[0].startswith(chance_words(option))
            assert (lost_words(option) or "–") in words
        if advice.best is not None:
            assert why_words(advice, advice.best) in unescape(
                re.sub("<[^>]*>", "", in_notation(text))
            )
            [best] = re.findall(r'<p class="best">(.*?)</p>', text, re.DOTALL)
            said = unescape(re.sub("<[^>]*>", "", best))
            assert option_words(advice.best).lower() in said.lower()
            assert chance_words(advice.best) in said


def test_hint_says_what_python_says() -> None:
    for each, advice in zip(asked(), answers(), strict=True):
        assert position_of(each.view, each.moves) == each.position
        hint = advised(each.moves, advice)
        if advice.best is None:
            assert hint.move is None
            continue
        found = best_move(advice, each.moves)
        assert found is not None
        assert hint.move == found[1]
        assert found[0] is advice.options[0]
        words, why = describe_advice(advice)
        assert chance_words(advice.best) in words
        assert why == why_words(advice, advice.best, with_next=False)


def test_terminal_says_what_python_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjopt.play.game.agents.human.advise", cached_advise)
    for each, advice in zip(asked(), answers(), strict=True):
        shown: list[str] = []

        def leave(_: str) -> str:
            raise EOFError

        person = Person(ask=leave, tell=shown.append, write=str, hints=True)
        with pytest.raises(SystemExit):
            person.choose(each.view, tuple(each.moves), rng=np.random.default_rng(1))
        [hint] = [line.removeprefix("hint: ") for line in shown if line.startswith("hint: ")]
        if advice.best is None:
            assert hint == UNWINNABLE
            continue
        assert hint.startswith(advice.best.name)
        if advice.best.action != "win":
            assert f"({chance_words(advice.best)} within {advice.best.draws} draw" in hint
        assert hint.endswith(f": {say_why(advice, advice.best)}")


def test_review_says_what_python_says() -> None:
    judged = 0
    for each, advice in zip(asked(), answers(), strict=True):
        assert each.decision.position == each.position
        chance = chance_of(each.decision, advice)
        if chance is None:
            continue
        judged += 1
        assert Position.parse(chance.position) == each.position
        assert chance.measure == advice.measure
        assert chance.best_option == advice.options[0].name
        if chance.lost:
            row = next(
                option
                for option in advice.options
                if option.lost is not None and float(option.lost) == chance.lost
            )
            assert chance.is_lost_proven == row.is_lost_proven
            if chance.lost >= LEAST_LOSS:
                assert f"loses {lost_words(row)}" in describe_chance(chance._asdict())
    assert judged >= NUM_POSITIONS - NUM_CALLS
