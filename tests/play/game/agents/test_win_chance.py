"""The win-chance agent: bounds, expected number of draws, calls and fallback."""

import numpy as np
import pytest
from helpers.game_tables import RNG, moves, view

import mjopt
from mjopt.errors import GameError
from mjopt.play.game import (
    GMJBG,
    JJ,
    PASS,
    Action,
    Move,
    Phase,
    agent_stream,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import DeficiencyAgent, WinChanceAgent, read_agent
from mjopt.play.game.agents.horizon import draws_to_come
from mjopt.tables.useful import judge_discards


def choose(agent, seen):
    return agent.choose(seen, moves(seen), rng=RNG)


def positions(rules, game, agent="deficiency"):
    """Yield states in which a seat has drawn and must discard."""
    player, state = read_agent(agent), start(rules, shuffle_wall(18, game, rules.tiles))
    rng = agent_stream(18, game, 0)
    while state.to_move is not None:
        seen, can = view_of(state, state.to_move), legal_moves(state)
        if seen.phase is Phase.TURN and can[0].action is Action.DISCARD and len(can) > 1:
            yield state, seen, can
        state = step(state, player.choose(seen, can, rng=rng))


@pytest.mark.parametrize("rules", [GMJBG, JJ], ids=lambda rules: rules.name)
def test_discards_the_kind_with_the_best_bound(rules):
    """The wall consists of all unseen tiles; recomputed bounds differ slightly."""
    agent = read_agent("win-chance:waste=0,kongs=never,ready=false")
    num_checked = 0
    for _, seen, can in positions(rules, 0, "deficiency:calls=never"):
        if judge_discards(seen.hand, seen.unseen, forms=rules.forms)[0].min() > 2:
            continue
        draws = seen.table.live // 4
        play = mjopt.optimal_play(
            mjopt.Hand.from_counts(seen.hand), wall=seen.unseen, draws=draws, waste=0,
            forms=rules.forms,
        )  # fmt: skip
        rows = {row.kind: row.lower for row in play.discards}
        assert rows[agent.choose(seen, can, rng=RNG).kind] >= play.best.lower - 1e-4
        num_checked += 1
    assert num_checked > 3


def drawn_by(state, seat, first=PASS):
    """Count the later draws of a seat if all seats only pass and discard."""
    before = sum(event.seat == seat for event in state.table.events if event.action is Action.DRAW)
    while state.to_move is not None:
        can = legal_moves(state)
        plain = [move for move in can if move == PASS or move.action is Action.DISCARD]
        move, first = (first if first in can else plain[-1]), PASS
        state = step(state, move)
    events = [event for event in state.table.events if event.action is Action.DRAW]
    return sum(event.seat == seat for event in events) - before


def test_draws_to_come_assume_that_all_seats_draw_in_turn():
    """Checked after a discard, a pass, and a chow or pong."""
    counted = {Phase.TURN: 0, Phase.CALLED: 0, Phase.CLAIM: 0, "call": 0}
    for game in range(2):
        state = start(GMJBG, shuffle_wall(3, game, GMJBG.tiles))
        rng = np.random.default_rng(game)
        while state.to_move is not None:
            seat, can = state.to_move, legal_moves(state)
            seen = view_of(state, seat)
            kongs = (Action.WIN, Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG)
            can = [move for move in can if move.action not in kongs]
            if seen.phase in counted:
                full = seen.phase is not Phase.CLAIM
                draws = draws_to_come(seen, is_passing=True, is_full=full)
                assert draws == drawn_by(state, seat), (seen.phase, seen.table.live)
                counted[seen.phase] += 1
            if seen.phase is Phase.CLAIM and len(can) > 1:
                draws = draws_to_come(seen, is_passing=False, is_full=True)
                assert draws == drawn_by(state, seat, can[0])
                counted["call"] += 1
            state = step(state, can[int(rng.integers(len(can)))])
    assert min(counted.values()) > 4


@pytest.mark.parametrize("agent", ["win-chance", "win-chance:waste=0"])
def test_calls_if_the_bound_improves(agent):
    """Takes a chow that makes the hand ready, and no pong of the eye of a ready hand."""
    seen = view(GMJBG, "123456m78p24s113z", tile="3s", giver=3)
    assert choose(read_agent(agent), seen).action is Action.CHOW
    assert choose(read_agent(f"{agent}{',' if ':' in agent else ':'}calls=never"), seen) == PASS
    waiting = view(GMJBG, "123456m789p11z23s", tile="1z", giver=3)
    assert choose(read_agent(agent), waiting) == PASS


def test_waste_changes_the_discard():
    """The hand of docs/reference/optimal-play.md: 7m without waste, an honour with waste 1."""
    seen = view(GMJBG, "3336778m57p234s17z", live=72)
    narrow, wide = (choose(WinChanceAgent(waste=waste, hands=5000), seen).kind for waste in (0, 1))
    names = GMJBG.tiles.names
    assert names[narrow] == "7m"
    assert names[wide] in ("1z", "7z")


def test_plays_as_deficiency_if_classes_are_too_large():
    agent, other = WinChanceAgent(hands=1), DeficiencyAgent()
    num_checked = 0
    for game in range(3):
        for _, seen, can in positions(GMJBG, game):
            if judge_discards(seen.hand, seen.unseen, called=seen.called)[0].min() > 2:
                assert agent.choose(seen, can, rng=RNG) == other.choose(seen, can, rng=RNG)
                num_checked += 1
    assert num_checked > 10


def test_plays_as_deficiency_without_draws_to_come():
    seen = view(GMJBG, "22557m234p34789s3z", live=2)
    assert choose(WinChanceAgent(), seen) == choose(DeficiencyAgent(), seen)
    assert isinstance(choose(WinChanceAgent(), seen), Move)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("win-chance:waste=4", "waste=4, expected one of 0, 1, 2, 3"),
        ("win-chance:hands=0", "hands=0, expected 1 to 20000"),
        ("win-chance:hands=many", "hands=many"),
        (
            "win-chance:draws=3",
            "expected waste, hands, calls, kongs, ready or safety",
        ),
        ("win-chance:calls=often", "calls=often"),
    ],
)
def test_invalid_options_are_refused(text, message):
    with pytest.raises(GameError, match=message):
        read_agent(text)


def test_name_contains_options_that_are_not_default():
    assert read_agent("win-chance").name == "win-chance"
    assert read_agent("win-chance:hands=500,waste=0,kongs=never").name == (
        "win-chance-waste-0-hands-500-no-kongs"
    )
