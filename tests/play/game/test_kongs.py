"""Kongs: a position where each rule applies, and one where it does not."""

from dataclasses import replace

from helpers.arranged_game import JUNK, NO_5P, act, all_pass, arranged, may, until_turn

from mjopt.play.game import GMJBG, M0_RULES, Ending, GameRules, Phase, State


def test_closed_kong_draws_from_the_end_of_the_wall():
    state = arranged(M0_RULES, ["1111m", "", "", ""], draws="5p", replacements="7s")
    live = state.table.live
    state = act(state, "S1m")
    assert state.drawn == 24
    assert state.table.live == live - 1
    assert state.table.melds[0][0].is_kong
    assert state.table.shown[0] == 4
    assert state.to_move == 0


def test_closed_kong_needs_four_tiles():
    assert not may(arranged(M0_RULES, ["111m", "", "", ""], draws="5p"), "S1m")


def test_kongs_need_rules_with_kongs():
    rules = replace(M0_RULES, kongs=False)
    state = arranged(rules, ["1111m5p", "555p", "", ""], draws="9s")
    assert not may(state, "S1m")
    state = act(state, "D5p")
    assert not may(state, "K5p")
    assert may(state, "P5p")


def test_open_kong_takes_a_discard_and_a_replacement_tile():
    state = arranged(GMJBG, ["5p", NO_5P, "555p147m369s1235z", NO_5P], replacements="7z")
    state = act(state, "D5p K5p")
    assert (state.table.turn, state.drawn, sum(state.hands[2])) == (2, 33, 11)
    assert state.table.rivers[0] == ()
    assert state.table.on_replacement


def test_open_kong_needs_three_tiles():
    state = act(arranged(GMJBG, ["5z", JUNK, "147m258p369s1z55z6z", JUNK]), "D5z")
    assert state.to_move == 2
    assert not may(state, "K5z")
    assert may(state, "P5z")


ROBBER = "123m456m789m46p11s"  # waits for 5p


def about_to_add(rules: GameRules, fourth: str = NO_5P) -> State:
    """Return a state in which seat 1 has a pong of 5p and has drawn the fourth 5p."""
    hands = ["147m28p369s567z5p", "55p19m19s1z2z4z4z6z6z7z", NO_5P, fourth]
    state = arranged(rules, hands, draws="1z 5z 7z 3z 5p", replacements="6z")
    state = until_turn(act(all_pass(act(state, "D5p P5p")), "D1z"), 1)
    assert state.drawn == 13
    return state


def test_tile_is_added_to_a_pong_on_the_table():
    state = act(about_to_add(GMJBG), "A5p")
    assert state.drawn == 32
    assert [meld.is_kong for meld in state.table.melds[1]] == [True]
    assert state.table.shown[13] == 4
    assert sum(state.hands[1]) == 11


def test_tile_is_not_added_to_a_concealed_pong():
    state = arranged(GMJBG, ["555p", NO_5P, NO_5P, NO_5P], draws="5p")
    assert not may(state, "A5p")
    assert may(state, "S5p")


def test_an_added_kong_can_be_robbed():
    state = about_to_add(GMJBG, fourth=ROBBER)
    state = act(state, "A5p")
    assert (state.table.phase, state.to_move, state.table.tile) == (Phase.ROB, 3, 13)
    outcome = act(state, "H5p").outcome
    assert (outcome.ending, outcome.winners, outcome.payer) == (Ending.ROBBED_KONG, (3,), 1)
    assert outcome.scores == (0, -1, 0, 1)


def test_kong_continues_if_it_is_not_robbed():
    state = act(about_to_add(GMJBG, fourth=ROBBER), "A5p N")
    assert (state.table.turn, state.drawn) == (1, 32)


def test_kong_is_not_robbed_under_rules_without_robbing():
    state = act(about_to_add(replace(GMJBG, robbing=False), fourth=ROBBER), "A5p")
    assert (state.table.phase, state.table.turn, state.drawn) == (Phase.TURN, 1, 32)


def test_a_closed_kong_is_not_robbed():
    state = arranged(GMJBG, ["5555p", ROBBER, NO_5P, NO_5P], draws="9s")
    assert act(state, "S5p").table.phase is Phase.TURN


def test_win_on_the_replacement_tile_is_an_own_draw():
    state = arranged(M0_RULES, ["1111m456m789m99p1s", "", "", ""], draws="1s", replacements="1s")
    outcome = act(state, "S1m H1s").outcome
    assert outcome.ending is Ending.REPLACEMENT
    assert outcome.scores == (3, -1, -1, -1)


def test_replacement_tile_without_a_win_is_discarded():
    state = arranged(M0_RULES, ["1111m456m789m99p1s", "", "", ""], draws="1s", replacements="2s")
    state = act(state, "S1m")
    assert not may(state, "H2s")
    state = act(state, "D2s")
    assert not state.table.on_replacement
