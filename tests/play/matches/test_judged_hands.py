"""Hands of a person judged by the chance to win that its discards lost."""

import pytest
from helpers.table_talk import QUIET, dealt, judge_hand

from mjopt import advise
from mjopt.play.game import GMJBG
from mjopt.play.game.agents.human import understand
from mjopt.play.game.positions import position_of
from mjopt.play.matches.judged_hands import MAX_OPEN, JudgedHands, LostChance
from mjopt.play.matches.match_session import play_move, start_session

WAITING = "123456789m67p11s", "234567m234567s1z"


def played(*hands, moves, draws):
    """Return the session after some discards of the person, and its positions before them."""
    session, positions = start_session(QUIET, None, dealt([*hands], draws=draws)), []
    for text in moves:
        positions.append(position_of(session.view, session.options))
        session = play_move(session, understand(text, session.options, GMJBG.tiles.names))
    return session, positions


def test_best_discards_lose_nothing():
    session, _ = played(*WAITING, moves=["1z"], draws="1z")
    assert session.state.is_over
    hands = JudgedHands()
    hand = hands.open(session.match.lines[-1], 0)
    assert not hand.is_judged
    assert hands.lost(session.match.lines[-1], 0) is None
    judge_hand(hand)
    assert hands.lost(session.match.lines[-1], 0) == LostChance(1, 0.0)


def test_loss_is_that_of_the_advice_on_the_position():
    hands = "123456m123p45s77z", "234567m234567s1z"
    session, positions = played(*hands, moves=["1m", "1z"], draws="9s 9p 9p 9p 1z")
    hand = JudgedHands().open(session.match.lines[-1], 0)
    judge_hand(hand)
    advices = [advise(position) for position in positions]
    expected = [
        float(advice.option(GMJBG.tiles.names.index(tile)).lost)
        for advice, tile in zip(advices, ("1m", "1z"), strict=True)
    ]
    assert expected[0] > 0.1
    assert [hand.judge.chances[at].lost for at in range(2)] == pytest.approx(expected)
    assert hand.lost == LostChance(2, pytest.approx(sum(expected)))


def test_result_of_a_hand_is_kept_when_others_are_opened():
    session, _ = played(*WAITING, moves=["1z"], draws="1z")
    line, hands = session.match.lines[-1], JudgedHands()
    judge_hand(hands.open(line, 0))
    assert hands.lost(line, 0) is not None
    for number in range(MAX_OPEN):
        hands.open(line + " " * (number + 1), 0)
    assert hands.lost(line, 0) is not None
