"""Claims for a discard: a position where each rule applies, and one where it does not."""

from dataclasses import replace

from helpers.arranged_game import JUNK, act, arranged, may

from mjopt.play.game import GMJBG, M0_RULES, Action, Ending, Phase, legal_moves

TWO_SIDED = "123m456m789m23p55s"  # waits for 1p and 4p


def test_pong_takes_precedence_over_chow():
    state = act(arranged(M0_RULES, ["5s", "4s6s", "", "55s"]), "D5s")
    assert state.to_move == 1
    assert may(state, "C4s")
    state = act(state, "C4s P5s")
    assert state.table.turn == 3
    assert state.table.melds[3][0].block.kinds == (22, 22, 22)
    assert state.table.melds[1] == ()
    assert state.hands[1][21] >= 1  # the tiles of the chow are still in the hand


def test_chow_is_made_if_no_seat_has_a_higher_claim():
    state = act(arranged(M0_RULES, ["5s", "4s6s", "", "55s"]), "D5s C4s N")
    assert state.table.turn == 1
    assert state.table.phase is Phase.CALLED
    assert state.table.rivers[0] == ()
    assert state.table.melds[1][0].seat_from == 0
    assert all(move.action is Action.DISCARD for move in legal_moves(state))


def test_only_the_next_seat_may_chow():
    hands = ["5p", "19m19p19s1234567z", "46p19m1289s12567z", JUNK]
    state = act(arranged(GMJBG, hands), "D5p")
    assert state.table.phase is Phase.TURN
    hands[1], hands[2] = hands[2], hands[1]
    assert may(act(arranged(GMJBG, hands), "D5p"), "C4p")


def test_chows_lie_in_one_suit_without_honours():
    state = arranged(GMJBG, ["9m5z", "1p2p6z7z19s147m2345z", JUNK, JUNK])
    assert act(state, "D9m").table.phase is Phase.TURN
    assert act(state, "D5z").table.phase is Phase.TURN


def test_every_chow_and_a_pass_are_offered():
    state = act(arranged(M0_RULES, ["5s", "3467s", "", ""]), "D5s")
    chows = [move.kind - 18 for move in legal_moves(state) if move.action is Action.CHOW]
    assert chows == [2, 3, 4]
    assert legal_moves(state)[-1].action is Action.PASS


def test_win_takes_precedence_over_pong():
    state = arranged(M0_RULES, ["1p", "11p", TWO_SIDED, ""])
    outcome = act(state, "D1p P1p H1p").outcome
    assert (outcome.ending, outcome.winners, outcome.payer) == (Ending.DISCARD, (2,), 0)
    assert outcome.scores == (-1, 0, 1, 0)


def test_pong_is_made_if_the_win_is_declined():
    state = act(arranged(M0_RULES, ["1p", "11p", TWO_SIDED, ""]), "D1p P1p N")
    assert state.table.turn == 1
    assert state.outcome is None


TWO_WAIT = ["1p", TWO_SIDED, "", "123s456s789s23p77m"]


def test_first_of_two_winners_in_turn_order_wins():
    state = arranged(M0_RULES, TWO_WAIT)
    assert act(state, "D1p H1p").outcome.winners == (1,)
    assert act(state, "D1p N H1p").outcome.winners == (3,)


def test_all_winners_are_paid_under_all_winners():
    state = arranged(replace(M0_RULES, all_winners=True), TWO_WAIT)
    outcome = act(state, "D1p H1p H1p").outcome
    assert outcome.winners == (1, 3)
    assert outcome.scores == (-2, 1, 0, 1)
    assert act(state, "D1p H1p N").outcome.winners == (1,)


def test_turn_order_begins_after_the_discarder():
    hands = ["", TWO_WAIT[3], "1p", TWO_WAIT[1]]
    state = arranged(M0_RULES, hands, dealer=2)
    assert act(state, "D1p H1p").outcome.winners == (3,)
