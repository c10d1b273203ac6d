"""Positions of games: wall and own draws are those of the game if everybody passes."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mjopt import Position, advise
from mjopt.chances.advice.calls import own_draws
from mjopt.play.game import (
    GAME_RULES,
    PASS,
    Action,
    Move,
    Phase,
    State,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.positions import best_move, move_of, position_of

CALLS = (Action.CHOW, Action.PONG, Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG)


def states(rules_name: str, seed: int) -> Iterator[State]:
    """Yield the states of a game of random moves, with many calls and no win."""
    rules, rng = GAME_RULES[rules_name], random.Random(seed)
    state = start(rules, shuffle_wall(seed, 0, rules.tiles))
    while moves := [move for move in legal_moves(state) if move.action is not Action.WIN]:
        yield state
        calls = [move for move in moves if move.action in CALLS]
        discards = [move for move in moves if move.action is Action.DISCARD]
        if calls and rng.random() < 0.7:
            chosen = rng.choice(calls)
        else:
            chosen = rng.choice(discards or moves)
        state = step(state, chosen)


def draws_if_all_pass(state: State, seat: int, first: Move | None = None) -> int:
    """Count the draws of a seat from now on, after one move of its own."""
    before = sum(event == (seat, Action.DRAW) for event in drawn(state))
    if first is not None:
        state = step(state, first)
    while moves := legal_moves(state):
        discards = [move for move in moves if move.action is Action.DISCARD]
        state = step(state, PASS if PASS in moves else discards[0])
    return sum(event == (seat, Action.DRAW) for event in drawn(state)) - before


def drawn(state: State) -> list[tuple[int, Action]]:
    return [(event.seat, event.action) for event in state.table.events]


@pytest.mark.parametrize("rules", GAME_RULES)
@pytest.mark.parametrize("seed", range(2))
def test_wall_and_draws_are_those_of_the_game(rules: str, seed: int) -> None:
    phases, calls = set(), 0
    for state in states(rules, seed):
        seat = state.to_move
        assert seat is not None
        moves, view = legal_moves(state), view_of(state, seat)
        position = position_of(view, moves)
        assert position.wall == view.unseen
        assert position.hand == view.as_hand()
        is_offer = view.phase in (Phase.CLAIM, Phase.ROB)
        assert position.offered == (view.tile if is_offer else None)
        declines = [move for move in moves if move.action is Action.DISCARD or move == PASS]
        assert position.draws == draws_if_all_pass(state, seat, declines[0])
        by_meld = {call.meld: call.draws for call in position.calls}
        made = [move for move in moves if move.action in CALLS]
        assert len(by_meld) == len(made)
        for move in made:
            kinds = [one for one in by_meld if move.kind == one.kinds[0]]
            length = {Action.CHOW: 3, Action.PONG: 3}.get(move.action, 4)
            is_run = move.action is Action.CHOW
            [meld] = [
                m for m in kinds if len(m.kinds) == length and (len({*m.kinds}) > 1) == is_run
            ]
            assert by_meld[meld] == draws_if_all_pass(state, seat, move), (view.phase, move)
        calls += len(made)
        phases.add(view.phase)
    assert calls > 5
    assert {Phase.TURN, Phase.CLAIM, Phase.CALLED} <= phases


@pytest.mark.parametrize("players", [3, 4])
def test_own_draws_equal_a_count_of_the_turns(players: int) -> None:
    for left in range(25):
        for next_seat in range(players):
            for seat in range(players):
                turns = [(next_seat + i) % players for i in range(left)]
                assert own_draws(left, next_seat, seat, players) == turns.count(seat)


def few_draws(position: Position) -> Position:
    """Return the position with at most two draws, also after each call."""
    calls = tuple(replace(call, draws=min(2, call.draws)) for call in position.calls or ())
    return replace(position, draws=min(2, position.draws), calls=calls)


@pytest.mark.parametrize("rules", GAME_RULES)
def test_options_and_legal_moves_correspond(rules: str) -> None:
    compared = 0
    for state in states(rules, 2):
        seat, moves = state.to_move, legal_moves(state)
        assert seat is not None
        position = position_of(view_of(state, seat), moves)
        if position.draws != 2 and not position.calls:
            continue
        advice = advise(few_draws(position), effort="quick")
        found = [move_of(option, moves) for option in advice.options]
        legal = [move for move in moves if move.action is not Action.READY]
        assert sorted(move for move in found if move) == sorted(legal)
        assert all(
            move or row.action == "win" for row, move in zip(advice.options, found, strict=True)
        )
        best = best_move(advice, moves)
        assert best is not None
        assert best[1] == next(move for move in found if move)
        compared += 1
        if compared == 4:
            return
    raise AssertionError("too few positions")
