"""The danger of logged discards: what is seen of players in riichi, and the truth of the game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mjopt import advise, danger
from mjopt.chances.danger.danger import PROVED_SAFE, SAFE_BY_RULE
from mjopt.hands.tiles import places_in_full
from mjopt.play.game.events import KIND_OF, TILE_NAMES, Event
from mjopt.play.game.log import LogRules
from mjopt.play.game.log_repair import repair_round
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import Action
from mjopt.play.game.public_state import evolve
from mjopt.play.game.rules import GAME_RULES
from mjopt.play.review.chance import chance_of
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.export import chance_fields
from mjopt.play.review.log_danger import riichi_opponents, say_danger
from mjopt.play.review.log_positions import discard_decision

LOGS = Path(__file__).parents[2] / "data" / "logs"
FILES = sorted(path for path in LOGS.glob("*/*") if path.is_file())
LOG = LOGS / "tenhou-mjlog" / "game-01.mjlog"

Step = tuple[LogState, Event]


def steps_under_riichi(path: Path) -> Iterator[Step]:
    """Yield the discards of a log while exactly one other player is in riichi."""
    for _, game in read_games(path.read_bytes()):
        for deal in game.rounds:
            for state, event in repair_round(deal, game.rules)[1]:
                if event.action is Action.DISCARD and not state.table.ready[event.seat]:
                    others = [seat for seat, ready in enumerate(state.table.ready) if ready]
                    if len(others) == 1:
                        yield state, event


def check(step: Step) -> int:
    """Check the danger of a decision against the hidden hand; return the number of true waits."""
    state, event = step
    tiles = state.rules.tiles
    [other] = [seat for seat, ready in enumerate(state.table.ready) if ready]
    [opponent] = riichi_opponents(state, event.seat).values()
    decision = discard_decision(state, event, state.rules.rule_set.forms)
    assert decision.opponents == (opponent,)
    kinds = {full: place for place, full in enumerate(places_in_full(tiles))}
    own = {kinds[KIND_OF[tile]] for tile in state.table.discards_of(other)}
    assert own <= {*opponent.passed}
    if any(state.hidden):
        return 0
    waits = {kinds[full] for full in places_in_full(tiles) if state.wins_with(other, full)}
    found = danger(decision.position, opponent)
    is_furiten = bool(waits & {*opponent.passed})
    for kind in waits:
        row = found.of(kind)
        if not is_furiten and decision.position.wall[kind]:
            assert row.verdict not in (SAFE_BY_RULE, PROVED_SAFE), (row, decision.position)
            assert row.share
    return len(waits)


def test_no_true_wait_is_called_safe_in_a_log() -> None:
    steps = [*steps_under_riichi(LOG)]
    assert len(steps) > 10
    assert sum(map(check, steps[::7])) > 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_true_wait_is_called_safe_in_any_log(path: Path) -> None:
    for step in steps_under_riichi(path):
        check(step)


def test_what_was_let_pass_is_what_others_discarded_since() -> None:
    for state, event in steps_under_riichi(LOG):
        events = state.table.events
        [other] = [seat for seat, ready in enumerate(state.table.ready) if ready]
        [declared] = [
            at for at, one in enumerate(events) if (one.seat, one.action) == (other, Action.READY)
        ]
        since = [one.kind for one in events[declared:] if one.action is Action.DISCARD]
        own = [KIND_OF[tile] for tile in state.table.discards_of(other)]
        [opponent] = riichi_opponents(state, event.seat).values()
        assert {*since, *own} <= {*opponent.passed}


def test_judged_decision_says_what_python_says() -> None:
    for state, event in [*steps_under_riichi(LOG)][:30:10]:
        decision = discard_decision(state, event, state.rules.rule_set.forms)
        advice = advise(decision.position, effort="quick")
        chance = chance_of(decision, advice)
        assert chance is not None
        found = danger(decision.position, decision.opponents)
        thrown = found.of(decision.discard)
        assert (chance.danger, chance.deals_in) == (thrown.text, thrown.share_float)
        assert chance.safest is not None
        safest = found.of(chance.safest)
        assert (chance.safest_danger, chance.safest_deals_in) == (safest.text, safest.share_float)
        assert safest.share == min(row.share or 0 for row in found.discards)
        row = advice.option(safest.kind)
        assert row is not None
        lost = None if row.lost is None else float(row.lost)
        assert chance.safest_lost == lost
        equal = [one.kind for one in found.discards if one.share == safest.share]
        options = [advice.option(kind) for kind in equal]
        known = [one.lost for one in options if one is not None and one.lost is not None]
        assert lost is None or lost == float(min(known))
        words = say_danger({"discard": TILE_NAMES[event.tile], **chance_fields(chance)})
        assert f"danger of {TILE_NAMES[event.tile]}: {thrown.text}" in words
        assert (chance.safest in words) == (safest.kind == decision.discard or "safest" in words)


def test_nothing_is_said_without_a_riichi() -> None:
    [(_, game)] = read_games(LOG.read_bytes())
    state, event = next(
        step
        for step in repair_round(game.rounds[0], game.rules)[1]
        if step[1].action is Action.DISCARD
    )
    decision = discard_decision(state, event, state.rules.rule_set.forms)
    chance = chance_of(decision, advise(decision.position, effort="quick"))
    assert chance is not None
    assert (decision.opponents, chance.danger, chance.deals_in, chance.safest_lost) == (
        (),
        None,
        None,
        None,
    )
    assert say_danger({"discard": "1m", **chance_fields(chance)}) == ""


def test_games_without_furiten_have_no_such_opponents() -> None:
    rules = LogRules(rule_set=GAME_RULES["jj"])
    [(_, game)] = read_games(LOG.read_bytes())
    for state, event in repair_round(game.rounds[0], game.rules)[1]:
        assert riichi_opponents(evolve(state, rules=rules), event.seat) == {}
