"""Compiled playouts against the engine with the agent `deficiency` in all seats."""

from dataclasses import replace

import numpy as np
import pytest

from mjopt.errors import GameError
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    get_game_rules,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import DeficiencyAgent
from mjopt.play.game.moves import PASS, Move
from mjopt.play.game.public_state import Phase
from mjopt.play.game.scoring import away
from mjopt.play.game.state import Ending
from mjopt.play.rollout.playout import deal_unseen, play_out, sample_scores

RNG = np.random.default_rng(0)  # the policy never draws from it
RULES = [
    JJ,
    M0_RULES,
    get_game_rules("jj,ready=0,kongs=0"),
    get_game_rules("jj,robbing=0,basic_score=3,dead_wall=36,discarder_pays_all=1"),
    get_game_rules("m0,calls_on_last_discard=1"),
]


def policy_move(state):
    return DeficiencyAgent().choose(view_of(state, state.to_move), legal_moves(state), rng=RNG)


def events_of(state, first=0):
    """Return the events from a number on, with the tiles of draws."""
    draws = iter(state.draws)
    events = [
        (event.seat, event.action, next(draws) if event.action is Action.DRAW else event.kind)
        for event in state.table.events
    ]
    return tuple(events[first:])


def game_at(rules, seed, game):
    return start(rules, shuffle_wall(seed, game, rules.tiles), dealer=game % 4)


def finish(state):
    while state.to_move is not None:
        state = step(state, policy_move(state))
    return state


def assert_same(state, move=None):
    """Compare the playout of a move with the engine; return the ending."""
    number = len(state.table.events)
    playout = play_out(state, move)
    end = finish(state if move is None else step(state, move))
    assert playout.events == events_of(end, number)
    assert playout.outcome == end.outcome
    return end.outcome.ending


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_plays_like_the_engine(rules):
    for game in range(6):
        assert_same(game_at(rules, 1, game))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_plays_a_thousand_games_like_the_engine(rules):
    endings = {assert_same(game_at(rules, 2, game)) for game in range(1000)}
    many_draws = rules.dead_wall == 0
    assert {Ending.DISCARD, Ending.OWN_DRAW} <= endings
    assert many_draws or Ending.WALL_EMPTY in endings


def disturbed(rules, seed, game, share):
    """Yield states of a game in which a share of the moves is random."""
    state, rng = game_at(rules, seed, game), np.random.default_rng([seed, game])
    while state.to_move is not None:
        yield state
        moves = legal_moves(state)
        is_random = rng.random() < share
        # Random players seldom make kongs, so prefer them.
        kongs = [move for move in moves if "KONG" in move.action.name]
        chosen = kongs or [move for move in moves if move.action is not Action.WIN] or moves
        random_move = chosen[int(rng.integers(len(chosen)))]
        state = step(state, random_move if is_random else policy_move(state))


def compare_continuations(rules, games, every):
    """Compare every few states, where no seat has answered before; return the actions."""
    seen = set()
    for game in range(games):
        offer = None
        for number, state in enumerate(disturbed(rules, 3, game, 0.5)):
            is_new = len(state.table.events) != offer
            offer = len(state.table.events)
            if not is_new or number % every:
                continue
            for move in legal_moves(state):
                assert_same(state, move)
                seen.add(move.action)
    return seen


def test_continues_any_game_like_the_engine():
    """From states that the policy never reaches: kongs, refused wins, random discards."""
    seen = compare_continuations(JJ, 3, 7)
    assert {Action.DISCARD, Action.PASS} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_continues_many_games_like_the_engine(rules):
    seen = compare_continuations(rules, 60, 5)
    expected = {Action.DISCARD, Action.PASS, Action.WIN, Action.CHOW, Action.PONG}
    expected |= {Action.READY} if rules.ready else set()
    if rules.kongs:
        expected |= {Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG}
    assert seen == expected


def test_refuses_what_it_cannot_play():
    state = game_at(JJ, 1, 0)
    with pytest.raises(GameError, match="cannot pass now"):
        play_out(state, Move(Action.PASS))
    with pytest.raises(GameError, match="the game is over"):
        play_out(finish(state))
    for rules in (GMJBG, get_game_rules("jj,seat_walls=1"), get_game_rules("m0,all_winners=1")):
        with pytest.raises(GameError, match="rollout: rules .*, expected jj or m0"):
            play_out(game_at(rules, 1, 0))


def middle(seed=4, game=0, declared=1):
    """Return a state in which a seat decides after others have declared."""
    state = game_at(JJ, seed, game)
    while sum(state.table.ready) < declared or len(legal_moves(state)) < 3:
        state = step(state, policy_move(state))
    return state


@pytest.mark.parametrize("grown", [False, True])
def test_deals_all_unseen_tiles(grown):
    for state in (game_at(JJ, 4, 0), middle()):
        view = view_of(state, state.to_move)
        deals = [deal_unseen(view, seed=7, number=number, grown=grown) for number in range(40)]
        for hands, wall in deals:
            assert hands[view.seat] == view.hand
            assert len(wall) == len(state.undrawn)
            assert [sum(hand) for hand in hands] == [sum(hand) for hand in state.hands]
            others = np.delete(np.array(hands), view.seat, axis=0).sum(axis=0)
            assert (others + np.bincount(wall, minlength=27) == view.unseen).all()
        assert len(set(deals)) == 40


def test_declared_hands_wait_but_not_for_tiles_they_passed():
    state = middle()
    view = view_of(state, state.to_move)
    [declared] = [seat for seat in range(4) if state.table.ready[seat]]
    events = [(event.seat, event.action) for event in state.table.events]
    since = state.table.events[events.index((declared, Action.READY)) + 1 :]
    passed = {event.tile for event in since if event.action is Action.DISCARD}
    called = len(state.table.melds[declared])
    assert declared != view.seat
    for number in range(100):
        hand = deal_unseen(view, seed=8, number=number).hands[declared]
        assert away(hand, called, JJ) == 1
        for kind in passed - {state.table.tile}:
            assert away([held + (k == kind) for k, held in enumerate(hand)], called, JJ) > 0


def test_other_hands_do_not_wait_without_a_declaration():
    state = middle()
    view = view_of(state, state.to_move)
    for number in range(40):
        hands = deal_unseen(view, seed=9, number=number).hands
        for seat in range(4):
            if seat != view.seat and not state.table.ready[seat]:
                assert away(hands[seat], len(state.table.melds[seat]), JJ) > 1


def finish_with_parts(state, move, wall):
    """Play on by the policy; each seat draws from its part of the wall, every fourth tile."""
    parts = [iter(wall[seat::4]) for seat in range(4)]
    while True:
        after = step(state, move)
        if len(after.draws) > len(state.draws):
            # Where the engine took the tile is now the one that the seat should draw.
            tiles = list(state.wall)
            place = state.front if after.back == state.back else len(tiles) - 1 - state.back
            tiles[place] = next(parts[after.table.turn])
            after = step(replace(state, wall=tuple(tiles)), move)
        state = after
        if state.to_move is None:
            return state
        move = policy_move(state)


def test_scores_are_those_of_the_engine_on_the_deals():
    for state in (middle(), middle(seed=5, declared=2)):
        view, moves = view_of(state, state.to_move), legal_moves(state)[:4]
        scores = sample_scores(view, moves, 6, seed=11)
        for number in range(len(scores)):
            deal = deal_unseen(view, seed=11, number=number)
            dealt = replace(state, hands=deal.hands)
            ends = [finish_with_parts(dealt, move, deal.wall) for move in moves]
            expected = [end.outcome.scores[view.seat] for end in ends]
            assert scores[number].tolist() == expected


def test_scores_depend_on_the_number_of_the_deal_alone():
    state = middle()
    view, moves = view_of(state, state.to_move), legal_moves(state)[:2]
    scores = sample_scores(view, moves, 60, seed=5)
    assert (scores[20:50] == sample_scores(view, moves, 30, seed=5, first=20)).all()
    assert (scores[:, :1] == sample_scores(view, [moves[0]], 60, seed=5)).all()
    assert (scores != sample_scores(view, moves, 60, seed=6)).any()


@pytest.mark.parametrize("grown", [False, True])
def test_deals_the_other_hands_when_the_wall_is_empty(grown):
    """Nobody wins, calls or makes kongs, so that the last tile is drawn."""
    state = game_at(JJ, 1, 0)
    while state.table.live or state.table.phase is not Phase.TURN:
        discards = [move for move in legal_moves(state) if move.action is Action.DISCARD]
        state = step(state, discards[0] if discards else PASS)
    view = view_of(state, state.to_move)
    for number in range(20):
        hands, wall = deal_unseen(view, seed=1, number=number, grown=grown)
        assert wall == ()
        assert (np.array(hands).sum(axis=0) + state.table.shown == 4).all()
    assert sample_scores(view, legal_moves(state)[:3], 50, seed=1, grown=grown).shape == (50, 3)
