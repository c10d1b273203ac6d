"""Numbers of actions: those of section 4.4, round trips, and actual transitions."""

from decimal import Decimal

import numpy as np
import pytest
from helpers.learning_states import RULES, play_at_random, random_steps

from mjopt.hands.tiles import M0
from mjopt.play.game import M0_RULES, PASS, Action, Move, Phase, legal_moves
from mjopt.play.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    ActionType,
    change_of,
    full_number,
    legal_numbers,
    small_number,
    small_of_full,
    state_of,
    transition_number,
)

K = 27


def kind(text):
    return M0.kind(int(text[0]), text[1])


@pytest.mark.parametrize(
    ("number", "move", "tile"),
    [
        (5, Move(Action.DISCARD, kind("6m")), -1),
        (258, Move(Action.WIN, kind("7p")), kind("7p")),
        (204, Move(Action.PONG, kind("7p")), kind("7p")),
        (69, PASS, kind("7p")),
        (205, Move(Action.PONG, kind("8p")), kind("8p")),  # a chow in the text of the article
    ],
)
def test_numbers_of_section_4_4(number, move, tile):
    assert small_number(move, tile=tile, drawn=-1, kinds=K) == number


def test_numbers_of_types_and_channels_are_those_of_the_article():
    assert (NUM_TYPES * K, NUM_CHANNELS, NUM_CHANNELS * K) == (270, 55, 1485)
    assert [one.value for one in ActionType] == list(range(NUM_TYPES))


def test_full_numbers_are_distinct_and_invertible():
    full = {}
    for small in range(NUM_TYPES * K):
        dynamic = small < 3 * K
        for change in range(1, 5) if dynamic else [0]:
            for state in range(4) if dynamic else [0]:
                number = full_number(small, change, state, K)
                full[number] = small
                assert (change_of(number, K), state_of(number, K)) == (change, state)
    numbers = np.array(sorted(full))
    assert numbers.tolist() == list(range(NUM_CHANNELS * K))
    assert small_of_full(numbers, K).tolist() == [full[n] for n in numbers]
    assert change_of(numbers, K).tolist() == [change_of(int(n), K) for n in numbers]
    assert state_of(numbers, K).tolist() == [state_of(int(n), K) for n in numbers]


def test_type_of_a_chow_is_the_position_of_the_called_tile():
    called = kind("5p")
    found = [
        small_number(Move(Action.CHOW, called - below), tile=called, drawn=-1, kinds=K)
        for below in range(3)
    ]
    assert found == [
        K * one + called
        for one in (ActionType.CHOW_LEFT, ActionType.CHOW_MIDDLE, ActionType.CHOW_RIGHT)
    ]


@pytest.mark.parametrize("declare", ["never", "auto"])
def test_declaration_has_the_number_of_its_discard(declare):
    discard, ready = Move(Action.DISCARD, 3), Move(Action.READY, 3)
    found = legal_numbers([discard, ready], tile=-1, drawn=3, kinds=K, declare=declare)
    assert found == {3: ready if declare == "auto" else discard}


def check_numbers(rules, steps):
    kinds, seen = rules.tiles.num_kinds, set()
    for state, move, after in steps:
        tile = state.table.tile
        moves = legal_moves(state)
        numbers = legal_numbers(moves, tile=tile, drawn=state.drawn, kinds=kinds)
        assert tuple(numbers.values()) == moves  # all numbers differ
        full = transition_number(state, move, after)
        small = small_of_full(full, kinds)
        assert numbers[small] == move
        seen |= {ActionType(number // kinds) for number in numbers}
        if small < 3 * kinds and after.pending:
            assert after.to_move == (state.to_move + change_of(full, kinds)) % 4
    return seen


@pytest.mark.parametrize("rules", [RULES, M0_RULES], ids=["jj", "m0"])
def test_numbers_of_legal_actions_are_invertible(rules):
    assert check_numbers(rules, random_steps(rules, 40, 3)) == set(ActionType)


@pytest.mark.slow
def test_numbers_of_legal_actions_are_invertible_in_a_thousand_games():
    assert check_numbers(RULES, play_at_random(RULES, range(1000), 3)) == set(ActionType)


def test_transition_number_encodes_next_player_and_offer():
    told = {}
    for before, move, after in random_steps(RULES, 40, 3):
        full = transition_number(before, move, after)
        plain = transition_number(before, move, after, player_state="none")
        assert small_of_full(plain, K) == small_of_full(full, K)
        if full // K >= 48:
            continue
        state, offered = state_of(full, K), {one.action for one in legal_moves(after)}
        if after.pending and after.table.phase in (Phase.CLAIM, Phase.ROB):
            strongest = next(
                i
                for i, actions in enumerate(
                    ({Action.WIN}, {Action.KONG, Action.PONG}, {Action.CHOW})
                )
                if actions & offered
            )
            assert state == strongest
        else:
            assert state == 3
        if not after.pending:
            assert change_of(full, K) == 4
        told.setdefault(move.action, set()).add((change_of(full, K), state))
        assert state_of(plain, K) == 3
    assert {change for change, _ in told[Action.DISCARD]} >= {1, 2, 3}
    assert {state for _, state in told[Action.DISCARD]} == {0, 1, 2, 3}
    assert (4, 3) in told[Action.DISCARD]  # the last discard of a drawn game


def test_pass_may_be_followed_by_the_same_player():
    """The seat passes on the tile of the previous seat, and draws."""
    changes = {
        change_of(transition_number(before, move, after), K)
        for before, move, after in random_steps(RULES, 40, 3)
        if move == PASS and after.pending and after.to_move == before.to_move
    }
    assert changes == {4}


@pytest.mark.parametrize("number", [Decimal("NaN"), 1.5, "3", None, [[1], []]])
def test_numbers_of_actions_are_whole(number: object) -> None:
    for function in (small_of_full, change_of):
        with pytest.raises(TypeError, match="full: .*, expected whole numbers"):
            function(number, 27)
