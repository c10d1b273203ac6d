"""What the perfect agent is shown of hidden tiles: in self-play, gate, first games, evaluation."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import TINY
from helpers.table_model import RandomTable

from mjopt.game.engine import legal_moves, step
from mjopt.learning.env import current_seat, initial_state
from mjopt.learning.imitation import Teacher, play_teacher_games
from mjopt.learning.mcts import search_actions
from mjopt.learning.mcts_config import SearchSettings
from mjopt.learning.planes import HANDS, WALL, encode, public_planes, redeal_hidden
from mjopt.learning.self_play import play_match, self_play

SETTINGS = SearchSettings(simulations=3)
PUBLIC = public_planes(TINY)


class Looking(RandomTable):
    """Keeps the planes that it is shown."""

    def __init__(self):
        super().__init__(3)
        self.seen = []

    def start(self, planes):
        self.seen += list(planes)
        return super().start(planes)


def self_played(config):
    model = Looking()
    found = self_play(model, config, range(3), seed=1, settings=SETTINGS)
    kept = found.planes_of(np.arange(len(found)))
    assert {one.tobytes() for one in kept} == {one.tobytes() for one in model.seen}
    return [kept[found.games == game][0] for game in range(3)]


def taught(config):
    found = play_teacher_games(Teacher.from_text("deficiency"), config, range(3), seed=1, full=True)
    return [found.planes_of(np.flatnonzero(found.games == game)[:1])[0] for game in range(3)]


def met(config):
    model = Looking()
    play_match(model, Looking(), config, range(3), seed=1, settings=SETTINGS)
    return model.seen[:3]


def evaluated(config, is_real=False):
    model, states = Looking(), [initial_state(config, 1, game) for game in range(3)]
    rngs = [np.random.default_rng(game) for game in range(3)]
    search_actions(model, states, config, settings=SETTINGS, rngs=rngs, is_real=is_real)
    assert model.seen[0].shape == (118, 27)
    return model.seen[:3]


def walked(config):
    return evaluated(config, is_real=True)


@pytest.mark.parametrize("where", [self_played, taught, met, evaluated, walked])
@pytest.mark.parametrize("hidden", ["all", "random", "none"])
def test_hidden_planes_hold_what_the_configuration_says(hidden, where):
    states = [initial_state(TINY, 1, game) for game in range(3)]
    true = [encode(state, current_seat(state), TINY) for state in states]
    seen = where(replace(TINY, hidden=hidden))
    if where is met:  # seats are exchanged, so it is first in one half of each wall
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


def test_each_decision_is_dealt_anew_and_the_same_seed_deals_the_same():
    config = replace(TINY, hidden="random")
    one, other = (self_play(Looking(), config, [5], seed=1, settings=SETTINGS) for _ in range(2))
    planes = one.planes_of(np.arange(len(one)))
    assert (planes == other.planes_of(np.arange(len(other)))).all()
    assert len({tuple(each[WALL : WALL + 10].argmax(axis=1)) for each in planes[:4]}) > 1


@pytest.mark.parametrize("rules", ["jj,ready=0", "jj,ready=0,seat_walls=1"])
def test_tiles_are_dealt_anew_wherever_nobody_has_drawn(rules):
    """Also where each seat draws from a part of its own; what was drawn stays where it is."""
    config = replace(TINY, game="whole", rules=rules)
    state, rng = initial_state(config, 1, 0), np.random.default_rng(1)
    looked = 0
    while not state.is_over and looked < 60:
        seat = current_seat(state)
        anew = redeal_hidden(state, seat, rng)
        assert anew.tiles_in_play() == state.tiles_in_play() == (4,) * 27
        assert anew.hands[seat] == state.hands[seat]
        places = set(range(len(state.wall))) - set(state.undrawn_places)
        assert [anew.wall[one] for one in places] == [state.wall[one] for one in places]
        told = encode(state, seat, config)[WALL : WALL + 10]
        following = state.undrawn[: min(10, state.table.live)]
        assert told.sum() == len(following)
        assert [one.argmax() for one in told[: len(following)]] == [*following]
        moves = legal_moves(state)
        state, looked = step(state, moves[int(rng.integers(len(moves)))]), looked + 1
    assert looked > 20
