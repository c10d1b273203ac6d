"""Held-out decisions: what is kept of them, who answers them, and what the answers are worth."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from helpers.table_model import RandomTable

from mjopt._internal.progress import Quiet
from mjopt.agent_reproduction.decisions import (
    EXACT,
    SEED,
    Decision,
    HeldOut,
    hold_out,
    play_game,
)
from mjopt.agent_reproduction.measures import measure
from mjopt.agent_reproduction.players import FEATURES, Asked, Searching
from mjopt.game.agents.registry import read_agent
from mjopt.game.moves import Action
from mjopt.game.observation import view_of
from mjopt.learning.actions import moves_of
from mjopt.learning.config import PRESETS
from mjopt.learning.env import first_state, seat_of
from mjopt.learning.mcts_config import SearchSettings
from mjopt.learning.observation_masking import dealt_anew
from mjopt.learning.planes import encode, public_planes

TOY = PRESETS["tiny"]


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    path = tmp_path_factory.mktemp("held") / "held-out.journal"
    return hold_out(path, TOY, 60, progress=Quiet())


def answered(held, player, span=range(60)):
    rngs = [np.random.default_rng(place) for place in span]
    return player.answer(list(held.states(span)), rngs)


@pytest.mark.parametrize("exact", EXACT)
def test_an_exact_agent_agrees_with_itself_always(held, exact):
    found = measure(held.decisions[:60], answered(held, Asked(read_agent(exact))))
    assert found.same[exact].all()
    assert found.as_good[exact].all()
    if exact == "draws":
        assert len(found.regrets) > 10
        assert not found.regrets.any()
        assert found.accuracy == 1
    else:
        assert found.keeps.all()


def test_another_agent_agrees_less_and_regrets(held):
    found = measure(held.decisions[:60], answered(held, Asked(read_agent("first"))))
    assert 0 < found.accuracy < 0.9
    assert found.regrets.max() > 0.1
    assert not found.keeps.all()


def test_scripted_answers_have_the_numbers_reckoned_by_hand():
    def decision(draws, left, own, tied=()):
        answers = {"draws": [own, own, *tied], "deficiency": [1]}
        return Decision(game=0, place=0, answers=answers, kinds=[1, 4, 5], left=left, draws=draws)

    decisions = [
        decision([2.0, 3.5, 2.0], [1, 2, 1], 1, (5,)),
        decision([2.0, 3.5, inf], [1, 2, 1], 1),
        decision([inf, inf, inf], [1, 2, 1], 5),
        decision([2.0, 3.0, 4.0], [1, 2, 1], 1),
    ]
    found = measure(decisions, [5, 5, 4, 27 * 9])
    assert found.same["draws"].tolist() == [False] * 4
    assert found.as_good["draws"].tolist() == [True, False, False, False]
    assert found.keeps.tolist() == [True, True, False]  # the last is no discard
    assert found.regrets.tolist() == [0.0, inf, 0.0]
    as_good, given_up, number = (found.cells()[place] for place in (3, 12, 13))
    assert (as_good, given_up, number) == (0.25, 1, 4)
    assert measure(decisions, [4, 4, 4, 4]).regrets.tolist() == [1.5, 1.5, 0.0, 1.0]


def test_games_go_on_after_a_kill_and_are_those_of_one_run(held, tmp_path):
    path = tmp_path / "held-out.journal"
    some = hold_out(path, TOY, 10, progress=Quiet())
    path.write_bytes(path.read_bytes() + b"half a rec")
    more = hold_out(path, TOY, 60, progress=Quiet())
    assert some.decisions[:10] == more.decisions[:10]
    assert more.decisions == held.decisions


def test_states_are_those_that_were_decided(held):
    spans = held.span("validation"), held.span("test"), held.span("validation", 5)
    assert spans == (range(20), range(20, 60), range(5))
    states = list(held.states(range(60)))
    assert len(states) == 60
    assert [encode(s, 0, TOY).tobytes() for s in held.states(range(20, 60))] == [
        encode(s, 0, TOY).tobytes() for s in states[20:]
    ]
    for state, decision in zip(states, held.decisions, strict=False):
        moves = moves_of(state, TOY.declare)
        thrown = [move.kind for move in moves.values() if move.action is Action.DISCARD]
        assert len(moves) > 1
        assert decision.kinds == thrown
        for answers in decision.answers.values():
            assert {*answers} <= {*moves}


def test_whole_games_hold_calls_that_an_exact_agent_answers_as_itself():
    config = PRESETS["small"]
    held = HeldOut(config, [play_game(4, config)], 20)
    found = measure(held.decisions[:20], answered(held, Asked(read_agent("draws")), range(20)))
    assert found.accuracy == 1
    assert not found.regrets.any()
    assert any(not one.kinds for one in held.decisions[:20])  # a tile on offer
    assert first_state(config, SEED, 4) != first_state(config, 0, 4)


def test_hidden_tiles_are_dealt_anew_and_nothing_else_changes(held):
    [state] = held.states(range(30, 31))
    seat = seat_of(state)
    other = dealt_anew(state, seat, np.random.default_rng(1))
    assert view_of(other, seat) == view_of(state, seat)
    assert other.tiles_in_play() == state.tiles_in_play()
    assert [sum(hand) for hand in other.hands] == [sum(hand) for hand in state.hands]
    assert (other.hands, other.wall) != (state.hands, state.wall)


@pytest.mark.parametrize("features", FEATURES)
def test_a_search_sees_the_features_that_it_is_given(held, features):
    class Looking(RandomTable):
        seen = ()

        def start(self, planes):
            self.seen = planes
            return super().start(planes)

    model, states = Looking(3), list(held.states(range(6)))
    config = replace(TOY, hidden=FEATURES[features])
    player = Searching(config=config, model=model, settings=SearchSettings(simulations=2))
    rngs = [np.random.default_rng(place) for place in range(6)]
    found = player.answer(states, rngs)
    true = np.stack([encode(state, seat_of(state), TOY) for state in states])
    public = public_planes(TOY)
    assert (model.seen[:, public] == true[:, public]).all()
    hidden = model.seen[:, ~public]
    assert (hidden == true[:, ~public]).all() == (features == "all")
    assert hidden.any() == (features != "removed")
    assert all(
        one in moves_of(state, TOY.declare) for one, state in zip(found, states, strict=True)
    )
    twin = replace(player, is_real=True).answer(states, rngs)
    assert all(one in moves_of(state, TOY.declare) for one, state in zip(twin, states, strict=True))


def test_an_answer_depends_on_its_own_decision_alone(held):
    player = Asked(read_agent("random"))
    assert answered(held, player)[20:30] == answered(held, player, range(20, 30))
