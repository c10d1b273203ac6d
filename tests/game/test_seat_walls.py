"""Walls of their own: a call moves nobody else's draws."""

import random
from dataclasses import replace

import pytest
from helpers.arranged_game import act, arranged

from mjopt.errors import GameError
from mjopt.game import (
    GMJBG,
    JJ,
    RULE_SETS,
    Action,
    Ending,
    get_rules,
    legal_moves,
    replay,
    shuffle_wall,
    start,
    step,
    write_record,
)
from mjopt.game.record import read_record, write_rules

PARTS = replace(GMJBG, seat_walls=True)


def finished(rules, game, choose, dealer=0):
    state = start(rules, shuffle_wall(5, game, rules.tiles), dealer=dealer)
    while not state.is_over:
        state = step(state, choose(legal_moves(state)))
    return state


def draws_of(state, seat):
    events = [event for event in state.table.events if event.action is Action.DRAW]
    return [kind for event, kind in zip(events, state.draws, strict=True) if event.seat == seat]


def own_tiles(state, seat):
    """The tiles of a seat's part, in order: every fourth after the deal, from its place on."""
    rules = state.table.rules
    first = 52 + (seat - state.table.dealer) % 4
    return list(state.wall[first : 52 + rules.draws : 4])


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_seat_draws_its_own_part_in_order_whatever_is_called(name):
    rules = replace(RULE_SETS[name], seat_walls=True)
    rng, called = random.Random(name), 0
    for game in range(60):
        state = finished(rules, game, rng.choice, dealer=game % 4)
        called += sum(map(len, state.table.melds))
        for seat in range(4):
            drawn = draws_of(state, seat)
            assert drawn == own_tiles(state, seat)[: len(drawn)]
        if state.outcome.ending is Ending.WALL_EMPTY:
            assert min(state.table.left_for(seat) for seat in range(4)) == 0
    assert called > 60


@pytest.mark.parametrize("rules", [GMJBG, JJ], ids=lambda rules: rules.name)
def test_without_calls_it_is_the_same_game(rules):
    """The last move is a pass where there is one; where none is, it throws."""
    for game in range(20):
        one = finished(replace(rules, kongs=False), game, lambda moves: moves[-1])
        parts = finished(
            replace(rules, kongs=False, seat_walls=True), game, lambda moves: moves[-1]
        )
        assert (parts.draws, parts.outcome, parts.hands) == (one.draws, one.outcome, one.hands)


def test_a_replacement_tile_comes_from_the_own_part():
    draws = "5z 1p 2p 3p 6z"
    hands = ["1111m", "47m258p369s12345z", "", ""]
    state = act(arranged(PARTS, hands, draws=draws), "S1m")
    assert state.drawn == PARTS.tiles.names.index("6z")
    assert state.table.left_for(0) == 18 - 2
    assert [state.table.left_for(seat) for seat in (1, 2, 3)] == [18, 17, 17]


def test_a_seat_that_has_drawn_all_its_part_ends_the_game():
    """Seat 0 makes kongs: it has none left before the others do."""
    state = arranged(PARTS, ["1111m2222m3333m1p", "4m258p369s123456z", "", ""])
    state = act(state, "S1m S2m S3m")
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    assert state.outcome.ending is Ending.WALL_EMPTY
    assert [state.table.left_for(seat) for seat in range(4)] == [0, 3, 2, 2]


@pytest.mark.parametrize("seeded", [True, False])
def test_records_are_played_again_with_and_without_a_seed(seeded):
    rng = random.Random(3)
    for game in range(30):
        state = finished(PARTS, game, rng.choice, dealer=game % 4)
        line = write_record(
            state,
            names=["a"] * 4,
            seed=5 if seeded else None,
            game=game if seeded else None,
        )
        assert "rules=gmjbg,seat_walls=1 " in line
        again = replay(line)
        assert (again.outcome, again.draws) == (state.outcome, state.draws)
        if game == 0:
            with pytest.raises(GameError):
                replay(line.replace(",seat_walls=1", "") if state.table.num_kongs else line[:-9])


def test_a_record_in_which_a_seat_draws_too_often_is_refused():
    state = finished(GMJBG, 4, lambda moves: moves[-1])
    line = write_record(state, names=["a"] * 4).replace("rules=gmjbg", "rules=gmjbg,seat_walls=1")
    record = read_record(line)
    more = tuple(event._replace(seat=0) for event in record.events)
    with pytest.raises(GameError, match="more tiles drawn by a seat than its part"):
        replay(replace(record, events=more))


def test_rules_are_told_with_what_differs():
    assert get_rules("gmjbg,seat_walls=1") == PARTS
    assert write_rules(PARTS) == "gmjbg,seat_walls=1"
    assert get_rules("jj,ready=0,basic_score=2") == replace(JJ, ready=False, basic_score=2)
    for text in ("gmjbg,", "gmjbg,seat_walls", "gmjbg,seat_walls=2", "gmjbg,name=1", "m0,forms=1"):
        with pytest.raises(GameError, match="expected"):
            get_rules(text)
    with pytest.raises(GameError, match="dead wall"):
        get_rules("gmjbg,dead_wall=999")


def test_what_cannot_be_is_refused():
    with pytest.raises(GameError, match="unordered"):
        start(PARTS, shuffle_wall(1, 0, PARTS.tiles), unordered=True)
