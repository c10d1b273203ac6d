"""Views contain the public state and the own hand, and nothing that depends on hidden tiles."""

import random
from dataclasses import fields, is_dataclass, replace

import pytest

from mjopt.play.game import (
    GAME_RULES,
    GMJBG,
    JJ,
    M0_RULES,
    OpenTable,
    State,
    View,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.legal import claims_of, turn_moves
from mjopt.play.game.public_state import Phase


def states(rules, game, rng, *, every=7):
    """Yield some states of a random game."""
    state = start(rules, shuffle_wall(77, game, rules.tiles), dealer=game % 4)
    number = 0
    while not state.is_over:
        if number % every == 0:
            yield state
        number += 1
        state = step(state, rng.choice(legal_moves(state)))
    yield state


def redealt(state: State, seat: int, rng: random.Random) -> State:
    """Redeal everything hidden from a seat: the other hands and the rest of the wall."""
    others = [other for other in range(4) if other != seat]
    hidden = list(state.wall[state.front : len(state.wall) - state.back])
    for other in others:
        hidden += [kind for kind, held in enumerate(state.hands[other]) for _ in range(held)]
    rng.shuffle(hidden)
    hands = list(state.hands)
    for other in others:
        hand = [0] * len(hands[other])
        for _ in range(sum(hands[other])):
            hand[hidden.pop()] += 1
        hands[other] = tuple(hand)
    back = len(state.wall) - state.back
    wall = state.wall[: state.front] + tuple(hidden) + state.wall[back:]
    return replace(
        state,
        hands=tuple(hands),
        wall=wall,
        drawn=state.drawn if state.table.turn == seat else -7,
        draws=tuple(-7 for _ in state.draws),
        claims=(),
        pending=(),
    )


@pytest.mark.parametrize("name", GAME_RULES)
def test_view_does_not_depend_on_hidden_tiles(name):
    rng = random.Random(8)
    num_different = 0
    for game in range(4):
        for state in states(GAME_RULES[name], game, rng):
            for seat in range(4):
                other = redealt(state, seat, rng)
                num_different += other.hands != state.hands
                assert view_of(other, seat) == view_of(state, seat)
    assert num_different > 100


@pytest.mark.parametrize("name", GAME_RULES)
def test_legal_moves_follow_from_the_view(name):
    rng = random.Random(9)
    for game in range(4):
        for state in states(GAME_RULES[name], game, rng, every=1):
            if state.is_over:
                continue
            view = view_of(state, state.to_move)
            if view.phase in (Phase.CLAIM, Phase.ROB):
                found = claims_of(view.table, view.seat, view.hand)
            else:
                found = turn_moves(view.table, view.seat, view.hand, view.drawn)
            assert found == legal_moves(state)


def reachable(value, depth=0):
    """Yield all values reachable through fields and tuples."""
    yield value
    if is_dataclass(value):
        for item in fields(value):
            yield from reachable(getattr(value, item.name), depth + 1)
    elif isinstance(value, tuple):
        for item in value:
            yield from reachable(item, depth + 1)


def test_view_holds_no_state_wall_or_other_hand():
    rng = random.Random(10)
    for state in states(GMJBG, 3, rng):
        view = view_of(state, 2)
        found = list(reachable(view))
        assert not any(isinstance(value, State) for value in found)
        assert state.wall not in found
        assert not any(
            value == state.hands[seat]
            for value in found
            for seat in (0, 1, 3)
            if value != view.hand
        )
    assert {item.name for item in fields(View)} == {
        *("seat", "table", "hand", "drawn"),
        *("wind", "honba", "sticks", "messages", "reds", "points"),  # public, of riichi
    }
    assert not {"wall", "hands", "asked", "claims"} & {item.name for item in fields(OpenTable)}


def test_draws_are_hidden_in_the_history():
    state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    assert state.table.events[0].kind == -1
    assert view_of(state, 0).drawn == state.drawn
    assert view_of(state, 1).drawn == -1


@pytest.mark.parametrize("rules", [GMJBG, M0_RULES, JJ])
def test_unseen_tiles_are_those_in_the_wall_and_in_other_hands(rules):
    rng = random.Random(11)
    for state in states(rules, 5, rng):
        for seat in range(4):
            hidden = [0] * rules.tiles.num_kinds
            for kind in state.wall[state.front : len(state.wall) - state.back]:
                hidden[kind] += 1
            for other in range(4):
                for kind, held in enumerate(state.hands[other]):
                    hidden[kind] += held * (other != seat)
            assert view_of(state, seat).unseen == tuple(hidden)


def test_view_converts_to_a_hand_with_melds():
    rng = random.Random(12)
    num_melds = 0
    for game in range(5):
        for state in states(M0_RULES, game, rng):
            for seat in range(4):
                hand = view_of(state, seat).as_hand()
                assert hand.counts == state.hands[seat]
                assert hand.called == len(state.table.melds[seat])
                num_melds += hand.called
    assert num_melds > 20
