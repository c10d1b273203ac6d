"""The ceiling agent: values, lookahead, calls, ties and missing tables."""

from fractions import Fraction

import pytest
from helpers.ceiling_tables import ALL_KEYS, install_flat_tables
from helpers.game_tables import RNG, called, moves, view
from helpers.surroundings import environment

import mjopt
from mjopt.chances.ceiling import TableKey, build_ceiling
from mjopt.cli.main import execute
from mjopt.errors import GameError
from mjopt.hands.blocks import Shape
from mjopt.hands.tiles import M0
from mjopt.play.game import (
    GAME_RULES,
    GMJBG,
    JJ,
    M0_RULES,
    PASS,
    Action,
    agent_stream,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import CeilingAgent, DeficiencyAgent, read_agent
from mjopt.play.game.agents.ceiling import LOOKAHEADS

MELDS = [called([k, k, k], Shape.PONG) for k in (9, 13, 17)]  # 1p, 5p, 9p
DRAWS = 14


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The tables of hands with three or four called melds."""
    folder = tmp_path_factory.mktemp("tables")
    for number in (3, 4):
        key = TableKey(called=number, draws=DRAWS, all_layers=True)
        build_ceiling(folder / key.file_name, key=key)
    return folder


@pytest.fixture(autouse=True)
def _data(tables):
    with environment(MJOPT_DATA=tables):
        yield


def bound(hand, draws):
    """Return the bound of a waiting hand of four tiles."""
    return mjopt.ceiling(mjopt.Hand.from_counts(hand, called=3), draws=draws).value


def value(hand, wall, draws, lookahead):
    """Return the chance of a waiting hand of four tiles by the definitions, in fractions."""
    if lookahead == "none" or draws == 0:
        return bound(hand, draws)
    before = bound(hand, draws - 1) if lookahead == "draw" else value(hand, wall, draws - 1, "stay")
    total = before
    for drawn, copies in enumerate(wall):
        if copies and hand[drawn] < 4:
            full = [held + (kind == drawn) for kind, held in enumerate(hand)]
            if mjopt.is_win(mjopt.Hand.from_counts(full, called=3)):
                best = Fraction(1)
            else:
                after = (
                    [held - (kind == discarded) for kind, held in enumerate(full)]
                    for discarded in range(27)
                    if full[discarded] and discarded != drawn
                )
                best = max(bound(rest, draws - 1) for rest in after)
            total += Fraction(copies, sum(wall)) * max(0, best - before)
    return total


@pytest.mark.parametrize("lookahead", LOOKAHEADS)
@pytest.mark.parametrize(("hand", "live"), [("1123m4s", 9), ("3577m8s", 12), ("1123s", 13)])
def test_rates_hands_by_the_recursion(hand, live, lookahead):
    seen = view(M0_RULES, hand, melds=MELDS, live=live, rivers=("1144m", "36778s", "27m", "2p"))
    agent, draws = CeilingAgent(lookahead=lookahead), live // 4
    if sum(seen.hand) == 4:
        rated = {-1: agent.rate_waiting(seen, seen.hand, 3, RNG)}
        expected = {-1: value(seen.hand, seen.unseen, -(-live // 4), lookahead)}
    else:
        kinds = [kind for kind in range(27) if seen.hand[kind]]
        rated = agent.rate_discards(seen, seen.hand, 3, kinds, RNG)
        expected = {}
        for kind in kinds:
            after = [held - (k == kind) for k, held in enumerate(seen.hand)]
            expected[kind] = value(after, seen.unseen, draws, lookahead)
    for kind, chance in expected.items():
        assert -rated[kind][0] == pytest.approx(float(chance * 65535), abs=1e-5)


def test_lookahead_sees_that_a_wait_is_gone():
    """1234m waits for six tiles, all of which lie on the table."""
    seen = view(M0_RULES, "1234m9s", melds=MELDS, rivers=("111m", "444m", "", ""))
    thrown = {
        name: M0.names[CeilingAgent(lookahead=name).choose(seen, moves(seen), rng=RNG).kind]
        for name in LOOKAHEADS
    }
    assert thrown == {"none": "9s", "draw": "9s", "stay": "1m"}


@pytest.mark.parametrize("rules", [M0_RULES, JJ], ids=lambda rules: rules.name)
def test_plays_as_deficiency_if_all_bounds_are_equal(rules, tmp_path, monkeypatch):
    install_flat_tables(monkeypatch, tmp_path)
    agent, other = CeilingAgent(), DeficiencyAgent()
    state, rng = start(rules, shuffle_wall(7, 1, rules.tiles)), agent_stream(7, 1, 0)
    discards = 0
    while state.to_move is not None and discards < 12:
        seen, can = view_of(state, state.to_move), legal_moves(state)
        move = other.choose(seen, can, rng=rng)
        if move.action in (Action.DISCARD, Action.READY):
            assert agent.choose(seen, can, rng=rng) == move
            discards += 1
        elif move != PASS:
            move = PASS if PASS in can else move
        state = step(state, move)


@pytest.mark.parametrize(("chance", "action"), [(0, Action.CHOW), (65535, Action.PASS)])
def test_calls_if_the_chance_rises(chance, action, tables, tmp_path, monkeypatch):
    """The chow makes the hand ready; without it, the chance is that of a table made up."""
    seen = view(M0_RULES, "1178m24p9s", melds=MELDS[:2], tile="9m", giver=3)
    install_flat_tables(
        monkeypatch,
        tmp_path,
        [TableKey(called=2, draws=DRAWS, all_layers=True)],
        {seen.hand: chance},
    )
    for path in tables.iterdir():
        (tmp_path / path.name).symlink_to(path)

    for lookahead in ("none", "draw"):  # both read the value of the hand itself
        move = CeilingAgent(lookahead=lookahead).choose(seen, moves(seen), rng=RNG)
        assert move.action is action
    never = read_agent("ceiling:calls=never")
    assert never.choose(seen, moves(seen), rng=RNG) == PASS


def test_without_draws_to_come_plays_as_deficiency():
    seen = view(M0_RULES, "3577m8s", melds=MELDS, live=3)

    assert CeilingAgent().choose(seen, moves(seen), rng=RNG) == DeficiencyAgent().choose(
        seen, moves(seen), rng=RNG
    )


def test_greatest_layer_serves_for_more_draws():
    for draws in (DRAWS, DRAWS + 3):
        seen = view(M0_RULES, "3577m8s", melds=MELDS, live=4 * draws)
        agent = CeilingAgent(lookahead="none")
        rated = agent.rate_discards(seen, seen.hand, 3, [25], RNG)
        after = [*seen.hand[:25], 0, 0]
        assert -rated[25][0] == float(bound(after, DRAWS) * 65535)


def test_missing_tables_are_named_with_the_command(tables, tmp_path, monkeypatch, capfd):
    with pytest.raises(GameError, match="rules gmjbg need ceiling tables .* 0, 1, 2, 3, 4 called"):
        CeilingAgent().check_rules(GMJBG)
    install_flat_tables(monkeypatch, tmp_path, [key for key in ALL_KEYS if key.called != 1])
    with pytest.raises(GameError, match="rules m0 need ceiling tables .* with 1 called"):
        CeilingAgent().check_rules(M0_RULES)
    install_flat_tables(monkeypatch, tmp_path)
    for rules in GAME_RULES.values():
        CeilingAgent().check_rules(rules)
    with environment(MJOPT_DATA=tables):
        assert execute(["battle", "ceiling", "l1", "ceiling", "l1", "--games", "1"]) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert "(tiles 136, draws 18, all layers); mjopt ceiling build makes it" in line


def test_digest_names_the_tables(tmp_path):
    before = CeilingAgent().weights_digest
    with environment(MJOPT_DATA=tmp_path):
        assert CeilingAgent().weights_digest != before
