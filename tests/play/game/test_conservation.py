"""Random legal games conserve tiles under every rule set."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mjopt.play.game import (
    GAME_RULES,
    Action,
    Ending,
    Phase,
    legal_moves,
    replay,
    shuffle_wall,
    start,
    step,
    view_of,
    write_record,
)
from mjopt.play.game.agents import read_agent

NUM_GAMES = 28  # enough for every rare move to occur
RARE = (Action.WIN, Action.KONG, Action.ADDED_KONG, Action.CLOSED_KONG, Action.READY)
OTHER_CHOICES = {
    "all_winners": True,
    "four_kongs_draw": True,
    "calls_on_last_discard": True,
    "robbing": False,
    "discarder_pays_all": True,
}


def check(state, rules):
    assert state.tiles_in_play() == (4,) * rules.tiles.num_kinds
    for seat in range(4):
        melds = state.table.melds[seat]
        held = sum(state.hands[seat]) + 3 * len(melds)
        has_drawn = state.table.turn == seat and state.table.phase in (Phase.TURN, Phase.CALLED)
        if not state.is_over:
            # The replacement of a kong that others may rob is not drawn yet.
            assert held == (14 if has_drawn else 13)
        assert min(state.hands[seat]) >= 0
    assert state.table.live == len(state.wall) - rules.dead_wall - state.front - state.back


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize("other", [False, True])
@pytest.mark.parametrize("name", GAME_RULES)
def test_random_games_conserve_tiles_and_points(name, other, parts):
    """Every second game prefers wins, kongs and declarations, so that rare moves occur.

    In half of these an agent that seeks a win makes the other moves.
    """
    rules = replace(GAME_RULES[name], **OTHER_CHOICES) if other else GAME_RULES[name]
    rules = replace(rules, seat_walls=parts)
    rng = random.Random(f"{name} {other} {parts}" if parts else f"{name} {other}")
    agent, no_draws = read_agent("l3"), np.random.default_rng(0)
    seen: Counter[object] = Counter()
    for game in range(NUM_GAMES):
        state = start(rules, shuffle_wall(31, game, rules.tiles), dealer=game % 4)
        prefers_rare, seeks_win = game % 2, game % 4 == 3
        while not state.is_over:
            check(state, rules)
            moves = legal_moves(state)
            rare = [move for move in moves if move.action in RARE] if prefers_rare else []
            if seeks_win and not rare:
                move = agent.choose(view_of(state, state.to_move), moves, rng=no_draws)
            else:
                move = rng.choice(rare or moves)
            seen[move.action] += 1
            state = step(state, move)
        check(state, rules)
        assert sum(state.outcome.scores) == 0
        seen[state.outcome.ending] += 1
        if game % 9 == 0:
            line = write_record(state, names=list("abcd"), seed=31, game=game)
            assert replay(line) == state
    calls = (Action.CHOW, Action.PONG, Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG)
    for happened in (*calls, Ending.WALL_EMPTY, Ending.DISCARD):
        assert seen[happened], happened
    assert bool(seen[Action.READY]) is rules.ready


def test_unordered_wall_is_drawn_at_random():
    rules = GAME_RULES["gmjbg"]
    wall = shuffle_wall(1, 1, rules.tiles)
    drawn = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        state = start(rules, wall, unordered=True, rng=rng)
        drawn.add(state.drawn)
        while not state.is_over:
            state = step(state, legal_moves(state)[-1], rng=rng)
            check(state, rules)
    assert len(drawn) > 5


def test_unordered_wall_needs_a_generator():
    rules = GAME_RULES["gmjbg"]
    with pytest.raises(Exception, match="needs rng"):
        start(rules, shuffle_wall(1, 1, rules.tiles), unordered=True)
