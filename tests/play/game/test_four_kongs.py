"""Four kongs: a position where each rule applies, and one where it does not."""

from dataclasses import replace

from helpers.arranged_game import act, all_pass, arranged

from mjopt.play.game import GMJBG, Ending, GameRules, State


def by_one(rules: GameRules) -> State:
    """Return a state in which seat 0 has made four kongs and must discard."""
    hands = ["1111m3333p5555s7z", "", "", ""]
    state = arranged(rules, hands, draws="9p", replacements="7z 7z 7z 9s")
    return act(state, "S1m S3p S5s S7z")


def by_two(rules: GameRules) -> State:
    """Seats 0 and 1 have made two kongs each, seat 1 must discard, and seat 2 waits for 9m."""
    hands = [
        "1111m3333p1z2z3z4z6z",
        "5555s7777z1z2z3z4z9m",
        "567m678p234s678s9m",
        "",
    ]
    state = arranged(rules, hands, draws="6z 6z", replacements="2s 3s 6p 7p")
    return act(all_pass(act(state, "S1m S3p D1z")), "S5s S7z")


def test_four_kongs_of_two_seats_end_the_game_after_the_discard():
    state = by_two(replace(GMJBG, four_kongs_draw=True))
    assert state.outcome is None
    state = all_pass(act(state, "D6z"))
    assert state.outcome.ending is Ending.FOUR_KONGS
    assert state.outcome.is_drawn_game


def test_four_kongs_of_one_seat_do_not_end_the_game():
    state = act(by_one(replace(GMJBG, four_kongs_draw=True)), "D9p")
    assert state.table.num_kongs == 4
    assert not state.is_over


def test_game_continues_after_four_kongs_by_default():
    state = act(by_two(GMJBG), "D6z")
    assert not state.is_over


def test_the_discard_after_the_fourth_kong_may_be_won():
    state = by_two(replace(GMJBG, four_kongs_draw=True))
    assert act(state, "D9m H9m").outcome.winners == (2,)
