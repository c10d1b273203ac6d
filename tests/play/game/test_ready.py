"""Ready declarations: a position where each rule applies, and one where it does not."""

from helpers.arranged_game import act, arranged, may, until_turn

from mjopt.play.game import JJ, M0_RULES, Action, Move, legal_moves

READY = "123m456m789m1199p"


def test_only_a_ready_hand_may_declare():
    state = arranged(JJ, [READY, "", "", ""], draws="5s")
    assert may(state, "R5s")
    assert not may(state, "R1m")
    assert not may(arranged(M0_RULES, [READY, "", "", ""], draws="5s"), "R5s")


def test_declared_seat_discards_its_draw():
    state = arranged(JJ, [READY, "", "", ""], draws="5s 6s 7s 8s 2s")
    state = until_turn(act(state, "R5s"), 0)
    assert state.table.ready == (True, False, False, False)
    assert legal_moves(state) == (Move(Action.DISCARD, state.drawn),)


def test_declared_seat_wins_double():
    state = arranged(JJ, [READY, "", "", ""], draws="5s 6s 7s 8s 1p")
    declared, silent = act(state, "R5s"), act(state, "D5s")
    assert act(until_turn(declared, 0), "H1p").outcome.scores == (36, -12, -12, -12)
    assert act(until_turn(silent, 0), "H1p").outcome.scores == (18, -6, -6, -6)


def test_declared_seat_calls_no_pong():
    state = arranged(JJ, [READY, "9p", "", ""], draws="5s 4s")
    state = until_turn(act(state, "R5s"), 1)
    state = act(state, "D9p")
    assert {move.action for move in legal_moves(state)} == {Action.WIN, Action.PASS}


def test_declared_seat_may_kong_if_it_stays_ready():
    hand = "111m456m789m1199p"
    state = arranged(JJ, [hand, "", "", ""], draws="5s 6s 7s 8s 1m")
    state = until_turn(act(state, "R5s"), 0)
    assert may(state, "S1m")


def test_declared_seat_may_not_kong_if_the_wait_changes():
    hand = "11123m456m78p999s"  # 1m is part of 123m: a kong would leave 23m78p
    state = arranged(JJ, [hand, "", "", ""], draws="5s 4s 7s 8s 1m")
    state = until_turn(act(state, "R5s"), 0)
    assert not may(state, "S1m")
