"""Hidden tiles in self-play, gate, first games and evaluation of the perfect agent."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import TINY
from helpers.table_model import RandomTable

from mjopt.play.game.engine import legal_moves, step
from mjopt.play.learning.env import current_seat, initial_state
from mjopt.play.learning.imitation import Teacher, play_teacher_games
from mjopt.play.learning.mcts import search_actions
from mjopt.play.learning.mcts_config import SearchSettings
from mjopt.play.learning.planes import HANDS, WALL, encode, public_planes, redeal_hidden
from mjopt.play.learning.self_play import play_match, self_play

SETTINGS = SearchSettings(simulations=3)
PUBLIC = public_planes(TINY)


class Recorder(RandomTable):
    """Stores the planes that it receives."""

    def __init__(self):
        super().__init__(3)
        self.seen = []

    def start(self, planes):
        self.seen += list(planes)
        return super().start(planes)


def self_played(config):
    model = Recorder()
    found = self_play(model, config, range(3), seed=1, settings=SETTINGS)
    kept = found.planes_of(np.arange(len(found)))
    assert {one.tobytes() for one in kept} == {one.tobytes() for one in model.seen}
    return [kept[found.games == game][0] for game in range(3)]


def taught(config):
    found = play_teacher_games(Teacher.from_text("deficiency"), config, range(3), seed=1, full=True)
    return [found.planes_of(np.flatnonzero(found.games == game)[:1])[0] for game in range(3)]


def gate(config):
    model = Recorder()
    play_match(model, Recorder(), config, range(3), seed=1, settings=SETTINGS)
    return model.seen[:3]


def evaluated(config, is_real=False):
    model, states = Recorder(), [initial_state(config, 1, game) for game in range(3)]
    rngs = [np.random.default_rng(game) for game in range(3)]
    search_actions(model, states, config, settings=SETTINGS, rngs=rngs, is_real=is_real)
    assert model.seen[0].shape == (118, 27)
    return model.seen[:3]


def evaluated_on_states(config):
    return evaluated(config, is_real=True)


@pytest.mark.parametrize("where", [self_played, taught, gate, evaluated, evaluated_on_states])
@pytest.mark.parametrize("hidden", ["all", "random", "none"])
def test_hidden_planes_follow_the_configuration(hidden, where):
    states = [initial_state(TINY, 1, game) for game in range(3)]
    true = [encode(state, current_seat(state), TINY) for state in states]
    seen = where(replace(TINY, hidden=hidden))
    if where is gate:  # seats are exchanged, so it moves first in one game of each wall
        seen = [one for one in seen if any((one[PUBLIC] == other[PUBLIC]).all() for other in true)]
        true = [next(o for o in true if (o[PUBLIC] == one[PUBLIC]).all()) for one in seen]
    assert seen
    for one, other in zip(seen, true, strict=True):
        assert (one[PUBLIC] == other[PUBLIC]).all()
        assert one[~PUBLIC].any() == (hidden != "none")
        assert (one == other).all() == (hidden == "all")
        if hidden == "random":
            for part in (slice(HANDS + 4, HANDS + 16), slice(WALL, WALL + 10)):
                assert one[part].sum() == other[part].sum()


def test_hidden_tiles_are_redealt_for_each_decision_by_the_seed():
    config = replace(TINY, hidden="random")
    one, other = (self_play(Recorder(), config, [5], seed=1, settings=SETTINGS) for _ in range(2))
    planes = one.planes_of(np.arange(len(one)))
    assert (planes == other.planes_of(np.arange(len(other)))).all()
    assert len({tuple(each[WALL : WALL + 10].argmax(axis=1)) for each in planes[:4]}) > 1


@pytest.mark.parametrize("rules", ["jj,ready=0", "jj,ready=0,seat_walls=1"])
def test_redealt_states_keep_drawn_and_own_tiles(rules):
    config = replace(TINY, game="whole", rules=rules)
    state, rng = initial_state(config, 1, 0), np.random.default_rng(1)
    num_states = 0
    while not state.is_over and num_states < 60:
        seat = current_seat(state)
        redealt = redeal_hidden(state, seat, rng)
        assert redealt.tiles_in_play() == state.tiles_in_play() == (4,) * 27
        assert redealt.hands[seat] == state.hands[seat]
        places = set(range(len(state.wall))) - set(state.undrawn_places)
        assert [redealt.wall[one] for one in places] == [state.wall[one] for one in places]
        told = encode(state, seat, config)[WALL : WALL + 10]
        following = state.undrawn[: min(10, state.table.live)]
        assert told.sum() == len(following)
        assert [one.argmax() for one in told[: len(following)]] == [*following]
        moves = legal_moves(state)
        state, num_states = step(state, moves[int(rng.integers(len(moves)))]), num_states + 1
    assert num_states > 20
