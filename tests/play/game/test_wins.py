"""Wins: a position where each rule applies, and one where it does not."""

import random
from dataclasses import replace

import pytest
from helpers.arranged_game import JUNK, act, arranged, may

from mjopt.errors import GameError
from mjopt.hands.rules.classic_forms import names_of
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    Ending,
    Phase,
    legal_moves,
    shuffle_wall,
    start,
    step,
)
from mjopt.play.game.scoring import away

READY = "123m456m789m1199p"  # waits for 1p and 9p


def test_own_draw_is_paid_by_all_seats():
    outcome = act(arranged(M0_RULES, [READY, "", "", ""], draws="9p"), "H9p").outcome
    assert outcome.ending is Ending.OWN_DRAW
    assert outcome.scores == (3, -1, -1, -1)


def test_incomplete_hand_cannot_win():
    state = arranged(M0_RULES, [READY, "", "", ""], draws="8p")
    with pytest.raises(GameError, match="seat 0 cannot win"):
        act(state, "H8p")


def test_useless_discard_is_not_offered_for_a_win():
    state = act(arranged(GMJBG, ["2p", JUNK, READY, JUNK]), "D2p")
    assert state.to_move != 2


@pytest.mark.parametrize("counts", [True, False])
def test_thirteen_orphans_need_rules_with_them(counts):
    rules = GMJBG if counts else replace(GMJBG, forms=("standard",))
    state = arranged(rules, ["19m19p19s1234567z", "", "", ""], draws="5z")
    assert may(state, "H5z") is counts


def test_thirteen_orphans_may_win_on_a_discard():
    state = act(arranged(GMJBG, ["5z", JUNK, "19m19p19s1234567z", ""]), "D5z")
    assert act(state, "H5z").outcome.winners == (2,)


@pytest.mark.parametrize(("rules", "wins"), [(JJ, True), (M0_RULES, False)])
def test_seven_pairs_need_rules_with_them(rules, wins):
    state = arranged(rules, ["1133557799m113p", "", "", ""], draws="3p")
    assert may(state, "H3p") is wins


def test_four_of_a_kind_are_not_two_pairs():
    state = arranged(JJ, ["1155557799m113p", "", "", ""], draws="3p")
    assert not may(state, "H3p")


def makes_melds(counts, needed):
    """Return whether the tiles form exactly this number of melds, by brute force."""
    kind = next((k for k, held in enumerate(counts) if held), None)
    if kind is None:
        return needed == 0
    held = list(counts)
    if held[kind] >= 3:
        held[kind] -= 3
        if makes_melds(held, needed - 1):
            return True
        held[kind] += 3
    if kind < 27 and kind % 9 < 7 and held[kind + 1] and held[kind + 2]:
        for k in range(kind, kind + 3):
            held[k] -= 1
        return makes_melds(held, needed - 1)
    return False


def is_complete(counts, called, forms):
    for eye in range(len(counts)):
        if counts[eye] >= 2:
            rest = [held - 2 * (k == eye) for k, held in enumerate(counts)]
            if makes_melds(rest, 4 - called):
                return True
    if "seven_pairs" in forms and not called and sorted(counts)[-7:] == [2] * 7:
        return True
    orphans = [held for k, held in enumerate(counts) if k >= 27 or k % 9 in (0, 8)]
    return "thirteen_orphans" in forms and not called and min(orphans) > 0 and sum(orphans) == 14


@pytest.mark.parametrize("rules", [M0_RULES, GMJBG, JJ])
def test_win_is_offered_exactly_to_complete_hands(rules):
    rng = random.Random(6)
    num_wins = 0
    for game in range(12):
        state = start(rules, shuffle_wall(12, game, rules.tiles))
        while not state.is_over:
            seat, moves = state.to_move, legal_moves(state)
            held = list(state.hands[seat])
            called = len(state.table.melds[seat])
            if state.table.phase in (Phase.CLAIM, Phase.ROB):
                held[state.table.tile] += 1
            complete = is_complete(held, called, names_of(rules.forms))
            # After a call a seat may not win, since it has drawn no tile.
            complete &= state.table.phase is not Phase.CALLED
            assert any(move.action is Action.WIN for move in moves) is complete
            num_wins += complete
            state = step(state, wanted(state, seat, moves, rng))
    assert num_wins >= 20


def wanted(state, seat, moves, rng):
    """Discard for the least deficiency; decline wins, so that hands stay near them."""
    thrown = [move for move in moves if move.action is Action.DISCARD]
    if not thrown:
        return moves[-1]

    def left(move):
        counts = list(state.hands[seat])
        counts[move.kind] -= 1
        return away(counts, len(state.table.melds[seat]), state.table.rules)

    return min(thrown, key=lambda move: (left(move), rng.random()))
