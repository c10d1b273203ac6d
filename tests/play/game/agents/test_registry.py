"""Every registered agent plays legally, reproducibly and without hidden tiles."""

import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from helpers.ceiling_tables import install_flat_tables
from helpers.learning_states import normal_file
from helpers.surroundings import install, package_folder

from mjopt.errors import ArgumentError, GameError
from mjopt.hands.tiles import COPIES
from mjopt.play.game import (
    GAME_RULES,
    agent_stream,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import AGENTS, known_agents, read_agent
from mjopt.play.game.agents.registry import check_rules
from mjopt.play.learning.config import PRESETS

PLAYER = Path(__file__).parents[3] / "data" / "players" / "player.py"
TEXTS = {name: name for name in AGENTS if name != "mcts"} | {  # it sees all tiles
    "process": f"process:{sys.executable} {PLAYER}",
    "mjai": f"mjai:{sys.executable} -m mjopt mjai l1",
    "normal": "normal:",  # the fixture adds a file of weights
    "rollout": "rollout:playouts=60,candidates=3",
}
SPECIAL = (
    "deficiency:calls=wider,ties=last",
    "deficiency:useful=none,kongs=never,ties=random",
    "deficiency:method=ndde,population=5,generations=3",
    "deficiency:method=tree-search",
    "ceiling:lookahead=none,calls=never",
)
ONLY = {"rollout": ("jj", "m0")}  # the rules of agents that do not play all
SLOW = ("draws", "win-chance", "ceiling", "process", "mjai")


@pytest.fixture(scope="module", autouse=True)
def _tables(tmp_path_factory):
    """Tables for the agent ceiling."""
    with pytest.MonkeyPatch.context() as patch:
        install_flat_tables(patch, tmp_path_factory.mktemp("tables"))
        yield


@pytest.fixture(scope="module")
def programs():
    """Agents whose process serves all tests."""
    made = {text: read_agent(text) for text in (TEXTS["process"], TEXTS["mjai"])}
    yield made
    for agent in made.values():
        agent.close()


@pytest.fixture
def make(tmp_path, programs):
    made = []

    def make(text, rules=None):
        if text in programs:
            return programs[text]
        if text == "normal:":
            config = replace(PRESETS["tiny"], rules=rules.name)
            text += str(normal_file(tmp_path / f"{rules.name}.npz", config))
        made.append(read_agent(text))
        return made[-1]

    yield make
    for agent in made:
        getattr(agent, "close", lambda: None)()


def play(agent, rules, game, *, others):
    """Yield each state of a game with the seat to move, its legal moves and its move."""
    state = start(rules, shuffle_wall(5, game, rules.tiles), dealer=game % 4)
    rngs = [agent_stream(5, game, seat) for seat in range(4)]
    while state.to_move is not None:
        seat, moves = state.to_move, legal_moves(state)
        player = agent if seat == 1 else others
        move = player.choose(view_of(state, seat), moves, rng=rngs[seat])
        yield state, seat, moves, move
        state = step(state, move)
    yield state, None, (), None


@pytest.mark.parametrize("rules", GAME_RULES.values(), ids=GAME_RULES)
@pytest.mark.parametrize("text", [*TEXTS.values(), *SPECIAL], ids=[*TEXTS, *SPECIAL])
def test_plays_legally_under_all_rules(text, rules, make):
    agent, others = make(text, rules), make("random")
    if rules.name not in ONLY.get(agent.name.partition("-")[0], GAME_RULES):
        with pytest.raises(GameError, match=f"rules {rules.name}, expected"):
            check_rules([agent], rules)
        return
    games = 1 if text.startswith(SLOW) else 2
    all_tiles = (COPIES,) * rules.tiles.num_kinds
    decisions = 0
    for game in range(games):
        for state, seat, moves, move in play(agent, rules, game, others=others):
            assert state.tiles_in_play() == all_tiles
            if seat == 1:
                assert move in moves
                decisions += 1
        assert state.outcome is not None
        assert sum(state.outcome.scores) == 0
    assert decisions >= 10


class Poison:
    """Raises an error when it is used."""

    def _refuse(self, *_):
        raise AssertionError("a hidden tile was used")

    __getitem__ = __iter__ = __len__ = __eq__ = __hash__ = __bool__ = __getattr__ = _refuse


@pytest.mark.parametrize("text", [*TEXTS.values(), *SPECIAL], ids=[*TEXTS, *SPECIAL])
def test_move_does_not_depend_on_hidden_tiles(text, make):
    rules = GAME_RULES["jj" if text.startswith("rollout") else "gmjbg"]
    agent, others = make(text, rules), make("l3")
    for game in range(1 if text.startswith(SLOW) else 3):
        for state, seat, moves, _ in play(others, rules, game, others=others):
            if seat is None or len(state.table.events) % 3:
                continue
            hidden = Poison()
            hands = tuple(hand if s == seat else hidden for s, hand in enumerate(state.hands))
            poisoned = replace(state, wall=hidden, hands=hands, draws=hidden, claims=hidden)
            one = view_of(poisoned, seat)
            assert not _holds(one, hidden)
            other = view_of(_redealt(state, seat), seat)
            first, second = (
                agent.choose(view, moves, rng=np.random.default_rng(3)) for view in (one, other)
            )
            assert first == second


def _holds(thing, what, depth=8):
    if thing is what:
        return True
    if depth == 0:
        return False
    if is_dataclass(thing):
        parts = [getattr(thing, field.name) for field in fields(thing)]
    elif isinstance(thing, tuple | list):
        parts = thing
    else:
        return False
    return any(_holds(part, what, depth - 1) for part in parts)


def _redealt(state, seat):
    """Redeal the tiles hidden from the seat."""
    hidden = list(state.wall[state.front : len(state.wall) - state.back])
    for other, hand in enumerate(state.hands):
        if other != seat:
            hidden += [kind for kind, held in enumerate(hand) for _ in range(held)]
    hidden = np.random.default_rng(1).permutation(hidden).tolist()
    hands = list(state.hands)
    for other in range(4):
        if other != seat:
            dealt, hidden = hidden[: sum(hands[other])], hidden[sum(hands[other]) :]
            hands[other] = tuple(np.bincount(dealt, minlength=len(hands[other])).tolist())
    wall = list(state.wall)
    wall[state.front : len(wall) - state.back] = hidden
    drawn = state.drawn if state.table.turn == seat else -1
    return replace(state, wall=tuple(wall), hands=tuple(hands), drawn=drawn)


@pytest.mark.parametrize("text", [*TEXTS.values(), *SPECIAL], ids=[*TEXTS, *SPECIAL])
def test_same_seed_gives_same_moves(text, make):
    rules = GAME_RULES["m0"]
    agent, others = make(text, rules), make("random")
    moves = [[move for *_, move in play(agent, rules, game, others=others)] for game in (3, 4, 3)]
    assert moves[0] == moves[2] != moves[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l4", "agent 'l4': unknown, expected one of l1, l2"),
        ("l1:variant=own", "variant 'own', expected one of default"),
        ("l1:locks=all", "no option 'locks', expected variant"),
        ("random:seed=1", "no option 'seed', expected none"),
        ("deficiency:method=tabel", "method=tabel, expected table, a model"),
        ("deficiency:population=20", "method=table has no option 'population'"),
        ("deficiency:method=network,solvr=cbc", "method=network has no option 'solvr'"),
        ("deficiency:method=partition", "partition does not compute a deficiency"),
        ("deficiency:ties=best", "ties=best, expected one of outer"),
        ("deficiency:calls=often", "calls=often, expected one of falls"),
        ("deficiency:ready=maybe", "ready=maybe, expected true or false"),
        ("deficiency:useful=2", "useful=2, expected one of tables"),
        ("deficiency:method", "'method', expected NAME=VALUE"),
        ("draws:ties=first", "draws has no option 'ties'"),
        ("ceiling:lookahead=2", "lookahead=2, expected one of none, draw, stay"),
        ("ceiling:waste=1", "ceiling has no option 'waste'"),
        ("process:", "no command"),
        ("process:'x", "No closing quotation"),
        ("mjai:", "mjai: no command, expected mjai:COMMAND"),
        ("mjai:--single", "mjai: no command"),
    ],
)
def test_invalid_specs_are_refused_in_one_line(text, expected):
    with pytest.raises(GameError) as caught:
        read_agent(text)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_invalid_heuristic_parameter_is_refused():
    with pytest.raises(ArgumentError, match="popsize"):
        read_agent("deficiency:method=ndde,popsize=3")


def test_names_contain_options_that_are_not_default():
    names = {text: read_agent(text).name for text in (*SPECIAL, "l2", "draws")}
    assert len(set(names.values())) == len(names)
    assert names["l2"] == "l2"
    assert names[SPECIAL[2]] == "deficiency-ndde-5-3"


PLUGIN = """
class Own:
    name = "own"

    def choose(self, view, moves, *, rng):
        return moves[0]
"""
POINTS = """
[mjopt.agents]
own = plugged:Own
broken = no_such_module:Agent
none = json:dumps
"""


def test_entry_points_register_agents(tmp_path):
    with package_folder(install(tmp_path / "packages", "plugged", PLUGIN, POINTS)):
        assert known_agents()[-3:] == ("own", "broken", "none")
        assert read_agent("own").name == "own"
        with pytest.raises(GameError, match="'broken' from no_such_module:Agent fails"):
            read_agent("broken")
        with pytest.raises(GameError, match="json:dumps is no agent"):
            read_agent("none")
