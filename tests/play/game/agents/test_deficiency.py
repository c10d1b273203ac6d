"""The deficiency agent: discards compared with plain look-ups, ties, calls and kongs."""

import numpy as np
import pytest
from helpers.game_tables import RNG, called, moves, view
from reference_implementations.discards import judge

import mjopt
from mjopt.errors import GameError
from mjopt.hands.blocks import Shape
from mjopt.heuristics import NDDE
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    PASS,
    Action,
    Move,
    Phase,
    agent_stream,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import (
    CallPolicy,
    DeficiencyAgent,
    FunctionMethod,
    HeuristicMethod,
    ModelMethod,
    read_agent,
)
from mjopt.play.game.rules import RIICHI_TABLE


def choose(agent, seen, rng=RNG):
    return agent.choose(seen, moves(seen), rng=rng)


def positions(rules, number, agent="deficiency"):
    """Return views of consecutive games with their legal moves."""
    player, found, game = read_agent(agent), [], 0
    while len(found) < number:
        state = start(rules, shuffle_wall(11, game, rules.tiles))
        rng = agent_stream(11, game, 0)
        while state.to_move is not None:
            seen = view_of(state, state.to_move)
            found.append((seen, legal_moves(state)))
            state = step(state, player.choose(seen, legal_moves(state), rng=rng))
        game += 1
    return found[:number]


@pytest.mark.parametrize("rules", [M0_RULES, GMJBG, JJ], ids=lambda rules: rules.name)
def test_discards_the_best_kind_of_plain_look_ups(rules):
    agent = DeficiencyAgent(policy=CallPolicy(kongs="never", ready=False), ties="first")
    looked_at = 0
    for seen, can in positions(rules, 100):
        if seen.phase is Phase.CLAIM or can[0].action is Action.WIN or seen.table.ready[seen.seat]:
            continue
        forms = ("standard",) if seen.called else rules.forms
        rated = judge(seen.hand, seen.unseen, called=seen.called, forms=forms)
        best = min((value, -useful, kind) for kind, (value, useful) in rated.items())
        assert agent.choose(seen, can, rng=RNG) == Move(Action.DISCARD, best[2])
        looked_at += 1
    assert looked_at > 40


@pytest.mark.parametrize(
    ("method", "number"),
    [
        (read_agent("deficiency:method=tree-search").method, 20),
        (FunctionMethod("ours", mjopt.deficiency), 20),
        (ModelMethod(model="network", solver="highs"), 1),  # solved 14 times a decision
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_every_exact_method_plays_the_same_moves(method, number):
    expected, agent = DeficiencyAgent(), DeficiencyAgent(method=method)
    for seen, can in positions(M0_RULES, number):
        assert agent.choose(seen, can, rng=np.random.default_rng(1)) == expected.choose(
            seen, can, rng=np.random.default_rng(1)
        )


def test_every_method_counts_special_forms():
    """The standard form alone would discard a terminal of thirteen orphans."""
    hand = "19m19p19s1234567z5m"
    for agent in (DeficiencyAgent(), DeficiencyAgent(method=HeuristicMethod(NDDE()))):
        seen = view(GMJBG, hand)
        assert choose(agent, seen) == Move(Action.DISCARD, 4)


def test_unseen_useful_tiles_break_ties():
    """Without 1m the hand waits for 6m, without 6m for 1m; three copies of each are unseen."""
    hand = "16m234p567p345s789s"
    lone_six = {"1m": "1m", "6m": "6m"}
    for gone, kept in (("1m", "6m"), ("6m", "1m")):
        seen = view(M0_RULES, hand, rivers=("", gone * 2, "", ""))
        thrown = choose(DeficiencyAgent(), seen)
        assert M0_RULES.tiles.names[thrown.kind] == lone_six[gone] != kept
    seen = view(M0_RULES, hand)
    names = M0_RULES.tiles.names
    assert names[choose(DeficiencyAgent(ties="outer"), seen).kind] == "1m"
    assert names[choose(DeficiencyAgent(ties="last"), seen).kind] == "6m"
    assert names[choose(DeficiencyAgent(ties="draws"), seen).kind] == "1m"
    drawn = {
        choose(DeficiencyAgent(ties="random"), seen, np.random.default_rng(i)) for i in range(9)
    }
    assert drawn == {Move(Action.DISCARD, 0), Move(Action.DISCARD, 5)}


def test_useful_tiles_by_an_exact_method_equal_those_of_the_tables():
    by_tables = DeficiencyAgent()
    by_method = read_agent("deficiency:method=tree-search,useful=method")
    for seen, can in positions(M0_RULES, 12):
        assert by_method.choose(seen, can, rng=np.random.default_rng(1)) == by_tables.choose(
            seen, can, rng=np.random.default_rng(1)
        )


def test_calls_only_if_the_deficiency_falls():
    # A pong of 1m is one of the missing melds.
    claim = view(M0_RULES, "11m234p5699p1358s", tile="1m")
    assert choose(DeficiencyAgent(), claim) == Move(Action.PONG, 0)
    assert choose(DeficiencyAgent(policy=CallPolicy(calls="never")), claim) == PASS
    # Four melds wait for the eye: a pong of the concealed triplet is useless.
    useless = view(M0_RULES, "123m456p789s1112s", tile="1s", giver=1)
    assert choose(DeficiencyAgent(policy=CallPolicy(kongs="never")), useless) != Move(
        Action.PONG, 18
    )


def test_takes_the_better_of_two_chows():
    """2m completes 123m or 234m; the better chow keeps the pair as the eye."""
    claim = view(M0_RULES, "1344m5p678p234s79s", tile="2m")
    assert {Move(Action.CHOW, 0), Move(Action.CHOW, 1)} <= set(moves(claim))
    assert choose(DeficiencyAgent(), claim) == Move(Action.CHOW, 0)
    claim = view(M0_RULES, "1134m5p678p234s79s", tile="2m")
    assert choose(DeficiencyAgent(), claim) == Move(Action.CHOW, 1)


def test_wider_also_calls_for_more_useful_tiles():
    falls, wider = DeficiencyAgent(), DeficiencyAgent(policy=CallPolicy(calls="wider"))
    differ = 0
    for seen, can in positions(M0_RULES, 500, "deficiency:calls=never"):
        if seen.phase is not Phase.CLAIM:
            continue
        first, second = (agent.choose(seen, can, rng=RNG) for agent in (falls, wider))
        if first != second:
            differ += 1
            assert second.action in (Action.CHOW, Action.PONG)
    assert differ


def test_kongs_are_made_unless_the_deficiency_rises():
    free = view(M0_RULES, "1111m456p456s7789s")
    assert choose(DeficiencyAgent(), free) == Move(Action.CLOSED_KONG, 0)
    assert choose(DeficiencyAgent(policy=CallPolicy(kongs="never")), free).action is Action.DISCARD
    # The four 2m serve two chows of 123m, one of 234m and the eye: a kong would break them.
    costly = view(M0_RULES, "112222334m55667p")
    assert Move(Action.CLOSED_KONG, 1) in moves(costly)
    assert choose(DeficiencyAgent(), costly).action is not Action.CLOSED_KONG


def test_added_kong_is_made():
    pong_of_1m = called((0, 0, 0), Shape.PONG)
    seen = view(M0_RULES, "1m456p456s7789s", melds=[pong_of_1m])
    assert choose(DeficiencyAgent(), seen) == Move(Action.ADDED_KONG, 0)
    assert choose(DeficiencyAgent(policy=CallPolicy(kongs="never")), seen).action is Action.DISCARD


def test_open_kong_is_made():
    claim = view(M0_RULES, "111m456p456s7789s", tile="1m", giver=2)
    assert choose(DeficiencyAgent(), claim) == Move(Action.KONG, 0)


def test_declares_ready_under_rules_with_declarations():
    seen = view(JJ, "123m456p789s11229s")
    assert choose(DeficiencyAgent(), seen) == Move(Action.READY, 26)
    silent = DeficiencyAgent(policy=CallPolicy(ready=False))
    assert choose(silent, seen) == Move(Action.DISCARD, 26)


def test_wins_if_possible():
    seen = view(JJ, "111123m456p44499s")
    assert moves(seen)[0].action is Action.WIN
    assert choose(DeficiencyAgent(), seen).action is Action.WIN


class Counting:
    """A method that records the number of hands of each call."""

    name = "counting"

    def __init__(self):
        self.calls = []

    def values(self, hands, *, called, tiles, forms, rng):
        self.calls.append(len(hands))
        return [mjopt.tables.lookup.label_one(hand, called, partial=True) for hand in hands]


def test_hands_are_evaluated_once_per_game():
    method = Counting()
    agent = DeficiencyAgent(method=method)
    seen = view(M0_RULES, "16m234p567p345s789s")
    one, two = np.random.default_rng(1), np.random.default_rng(1)
    choose(agent, seen, one)
    choose(agent, seen, one)
    assert method.calls == [14]  # all candidates in one call
    choose(agent, seen, two)
    assert method.calls == [14, 14]


def test_random_method_uses_the_generator_of_the_agent():
    agent = DeficiencyAgent(method=HeuristicMethod(NDDE(population=4, generations=1)))
    hands = [(1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1) + (0,) * 15]
    ask = {"called": 0, "tiles": mjopt.M0, "forms": M0_RULES.forms}
    values = {
        seed: tuple(agent.method.values(hands * 9, rng=np.random.default_rng(seed), **ask))
        for seed in (1, 1, 2, 3)
    }
    again = agent.method.values(hands * 9, rng=np.random.default_rng(1), **ask)
    assert tuple(again) == values[1]
    assert len(set(values.values())) > 1


def test_unknown_options_are_refused():
    with pytest.raises(GameError, match="ties=best"):
        DeficiencyAgent(ties="best")
    with pytest.raises(GameError, match="kongs=always"):
        CallPolicy(kongs="always")


@pytest.mark.parametrize("rules", [RIICHI_TABLE, GMJBG])
def test_discards_that_rules_forbid_after_a_call_are_not_rated(rules):
    """After 123m with a called 1m, riichi bars 1m and 4m; after a pong, the called kind."""
    rated: list[tuple[int, ...]] = []

    class Watched(DeficiencyAgent):
        def rate_discards(self, view, hand, called, kinds, rng):
            rated.append(tuple(kinds))
            return super().rate_discards(view, hand, called, kinds, rng)

    seen = view(rules, "11234m568p13s112z", tile="1m")
    choose(Watched(), seen)
    calls = [move for move in moves(seen) if move != PASS]
    assert [move.action for move in calls] == [Action.PONG, Action.CHOW]
    held = {kind for kind, copies in enumerate(seen.hand) if copies}
    barred = {0, 3} if not rules.swaps else set()
    assert [set(kinds) for kinds in rated] == [
        held - {0},
        (held - {1, 2}) - barred,  # 2m and 3m are in the chow
    ]
