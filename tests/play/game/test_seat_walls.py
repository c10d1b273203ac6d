"""Separate walls: calls do not change the draws of other seats."""

import random
from dataclasses import replace

import pytest
from helpers.arranged_game import act, arranged

from mjopt.errors import FileError, GameError
from mjopt.play.game import (
    GAME_RULES,
    GMJBG,
    JJ,
    Action,
    Ending,
    get_game_rules,
    legal_moves,
    replay,
    shuffle_wall,
    start,
    step,
    write_record,
)
from mjopt.play.game.record import read_record, write_rules

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
    """Return the tiles of a seat's part in order: every fourth tile after the deal."""
    rules = state.table.rules
    first = 52 + (seat - state.table.dealer) % 4
    return list(state.wall[first : 52 + rules.draws : 4])


@pytest.mark.parametrize("name", GAME_RULES)
def test_each_seat_draws_its_own_part_in_order(name):
    rules = replace(GAME_RULES[name], seat_walls=True)
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
def test_games_without_calls_equal_those_with_one_wall(rules):
    for game in range(20):
        one = finished(replace(rules, kongs=False), game, lambda moves: moves[-1])
        parts = finished(
            replace(rules, kongs=False, seat_walls=True), game, lambda moves: moves[-1]
        )
        assert (parts.draws, parts.outcome, parts.hands) == (one.draws, one.outcome, one.hands)


def test_replacement_tile_comes_from_the_own_part():
    draws = "5z 1p 2p 3p 6z"
    hands = ["1111m", "47m258p369s12345z", "", ""]
    state = act(arranged(PARTS, hands, draws=draws), "S1m")
    assert state.drawn == PARTS.tiles.names.index("6z")
    assert state.table.left_for(0) == 18 - 2
    assert [state.table.left_for(seat) for seat in (1, 2, 3)] == [18, 17, 17]


def test_empty_part_ends_the_game():
    """Seat 0 makes kongs, so its part is empty first."""
    state = arranged(PARTS, ["1111m2222m3333m1p", "4m258p369s123456z", "", ""])
    state = act(state, "S1m S2m S3m")
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    assert state.outcome.ending is Ending.WALL_EMPTY
    assert [state.table.left_for(seat) for seat in range(4)] == [0, 3, 2, 2]


@pytest.mark.parametrize("seeded", [True, False])
def test_records_are_replayed_with_and_without_a_seed(seeded):
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
            with pytest.raises(FileError):
                replay(line.replace(",seat_walls=1", "") if state.table.num_kongs else line[:-9])


def test_record_with_too_many_draws_of_a_seat_is_refused():
    state = finished(GMJBG, 4, lambda moves: moves[-1])
    line = write_record(state, names=["a"] * 4).replace("rules=gmjbg", "rules=gmjbg,seat_walls=1")
    record = read_record(line)
    more = tuple(event._replace(seat=0) for event in record.events)
    with pytest.raises(FileError, match="more tiles drawn by a seat than its part"):
        replay(replace(record, events=more))


def test_changed_rules_are_written_and_read():
    assert get_game_rules("gmjbg,seat_walls=1") == PARTS
    assert write_rules(PARTS) == "gmjbg,seat_walls=1"
    assert get_game_rules("jj,ready=0,basic_score=2") == replace(JJ, ready=False, basic_score=2)
    for text in ("gmjbg,", "gmjbg,seat_walls", "gmjbg,seat_walls=2", "gmjbg,name=1", "m0,forms=1"):
        with pytest.raises(GameError, match="expected"):
            get_game_rules(text)
    with pytest.raises(GameError, match="dead wall"):
        get_game_rules("gmjbg,dead_wall=999")


def test_unordered_wall_is_refused():
    with pytest.raises(GameError, match="unordered"):
        start(PARTS, shuffle_wall(1, 0, PARTS.tiles), unordered=True)
