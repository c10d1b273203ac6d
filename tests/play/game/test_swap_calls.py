"""Games without swap calls: what is called, or the other end of its chow, stays in the hand."""

import random
from dataclasses import replace

import pytest

from mjopt.errors import GameError
from mjopt.play.game import GMJBG, Action, legal_moves, shuffle_wall, start, step, view_of
from mjopt.play.game.events import KIND_OF
from mjopt.play.game.positions import position_of
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import get_game_rules, write_rules

RULES = replace(GMJBG, swaps=False)


def test_no_legal_move_is_a_swap_call() -> None:
    """Every legal call leaves a legal discard, and the position names the barred kinds."""
    rng = random.Random(47)
    calls = missing = 0
    for game in range(12):
        state = start(RULES, shuffle_wall(47, game, RULES.tiles))
        while not state.is_over:
            view, moves = view_of(state, state.to_move), legal_moves(state)
            discards = {move.kind for move in moves if move.action is Action.DISCARD}
            position = position_of(view, moves)
            held = {kind for kind, copies in enumerate(view.hand) if copies}
            if view.phase is Phase.CALLED:
                own = [KIND_OF[tile] for tile in view.table.events[-1].tiles]
                calls += 1
                assert discards
                assert position.barred
                assert held - discards == held & {*position.barred}
                missing += discards != held
                low, high = sorted(own)
                for kind in held:
                    is_pair = low == high == kind
                    is_chow = low != high and sorted([*own, kind]) in [
                        [first, first + 1, first + 2] for first in RULES.tiles.chow_starts
                    ]
                    assert (kind in position.barred) == (is_pair or is_chow)
            elif discards:
                assert discards == held
                assert not position.barred
            assert position.swaps == (position.offered is None)
            called = [move for move in moves if move.action in (Action.CHOW, Action.PONG)]
            state = step(state, rng.choice(called or moves))
    assert calls > 50
    assert missing > 10


def test_swap_calls_are_no_choice_of_a_specification() -> None:
    with pytest.raises(GameError, match="swaps=0"):
        get_game_rules("gmjbg,swaps=0")
    with pytest.raises(GameError, match="cannot store other swaps"):
        write_rules(RULES)
