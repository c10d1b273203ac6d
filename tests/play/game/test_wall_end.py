"""The end of the wall: a position where each rule applies, and one where it does not."""

from dataclasses import replace

from helpers.arranged_game import JUNK, act, all_pass, arranged, at_last_draw, may, to_the_end

from mjopt.play.game import GMJBG, Ending


def test_last_draw_may_win():
    state = at_last_draw(GMJBG, [JUNK, "19m19p19s1234567z", JUNK, ""], "5z")
    outcome = act(state, "H5z").outcome
    assert (outcome.ending, outcome.winners) == (Ending.OWN_DRAW, (1,))


# 70 draws in GMJBG: the last is made by seat 1, whose next seat is 2.
SIX_MORE = ["147m258p369s1234z", "147m258p369s1234z", "99p33s19m567z1234z", ""]


def test_the_game_is_drawn_after_the_last_discard():
    state = at_last_draw(GMJBG, SIX_MORE, "5m")
    assert state.table.turn == 1
    outcome = act(state, "D5m").outcome
    assert (outcome.ending, outcome.scores) == (Ending.WALL_EMPTY, (0, 0, 0, 0))
    assert outcome.is_drawn_game


def test_last_discard_is_not_called_by_default():
    state = at_last_draw(GMJBG, SIX_MORE, "9p")
    assert act(state, "D9p").outcome.ending is Ending.WALL_EMPTY


def test_last_discard_is_called_under_calls_on_last_discard():
    state = at_last_draw(replace(GMJBG, calls_on_last_discard=True), SIX_MORE, "9p")
    state = act(state, "D9p")
    assert state.to_move == 2
    state = all_pass(act(state, "P9p D1m"))
    assert state.outcome.ending is Ending.WALL_EMPTY


def test_last_discard_may_be_won():
    state = at_last_draw(GMJBG, [JUNK, JUNK, "123s456s789s22m11p", ""], "1p")
    outcome = act(state, "D1p H1p").outcome
    assert (outcome.ending, outcome.winners) == (Ending.DISCARD, (2,))


def test_kong_needs_a_replacement_tile():
    rules = replace(GMJBG, calls_on_last_discard=True)
    state = at_last_draw(
        rules, ["47m258p369s12345z", "1111m258p369s123z", "47m258p369s12345z", ""], "5z"
    )
    assert not may(state, "S1m")
    state = at_last_draw(rules, [JUNK, JUNK, "999p33s19m567z12z", ""], "9p")
    state = act(state, "D9p")
    assert not may(state, "K9p")
    assert may(state, "P9p")


def test_kong_uses_one_of_the_remaining_draws():
    state = to_the_end(act(arranged(GMJBG, ["1111m", "47m258p369s12345z", "", ""]), "S1m"))
    assert state.front + state.back == 52 + GMJBG.draws
    assert state.back == 1
    assert state.outcome.ending is Ending.WALL_EMPTY
