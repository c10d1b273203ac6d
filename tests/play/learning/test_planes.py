"""Input planes: known states, order of players, hidden planes and limits."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.arranged_game import act, arranged
from helpers.learning_states import RULES, TINY, random_steps

from mjopt.errors import ArgumentError
from mjopt.play.game import GMJBG, Action, Event, Phase, shuffle_wall, start, view_of
from mjopt.play.game.legal import claims_of
from mjopt.play.learning.actions import full_number, legal_numbers
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.planes import (
    DISCARDS,
    EVENT,
    HANDS,
    MELDS,
    RECENT,
    SCORES,
    WALL,
    action_planes,
    encode,
    encode_view,
    public_planes,
    score_interval,
)

K = 27
NAMES = RULES.tiles.names
WITH_EVENT = replace(TINY, last_event=True)


def tiles(planes):
    """Return the tiles of planes, by name; of unary planes one for each copy."""
    return sorted(NAMES[kind] for _, kind in np.argwhere(planes))


def test_hand_planes_are_those_of_figure_2():
    """The hand 366m 777p 123456s as printed in the article."""
    state = arranged(RULES, ["366m777p123456s9m", "", "", ""], draws="9m")
    hand = encode(state, 0, TINY)[HANDS : HANDS + 4].copy()
    hand[:, 8] = 0  # the article's hand has twelve tiles
    rows = ["".join(str(bit) for bit in row) for row in hand]
    assert rows == [
        "001001000" "000000100" "111111000",
        "000001000" "000000100" "000000000",
        "000000000" "000000100" "000000000",
        "000000000" "000000000" "000000000",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def known():
    """Seat 0 has discarded, seat 1 has drawn, and seat 3 holds four 9s."""
    state = arranged(
        RULES,
        ["123m147p258s1234m", "55p19m19p1123478s", "", "9999s"],
        draws="8m 7m",
        replacements="6m",
    )
    state = act(state, "D8m")
    while state.to_move is not None and state.table.phase is Phase.CLAIM:
        state = act(state, "N")
    return state


def test_planes_of_a_known_state_from_each_seat(known):
    for seat in range(4):
        planes = encode(known, seat, TINY, scores=(0, 10, -30, 20))
        assert planes.shape == (118, K)
        assert planes.dtype == np.uint8
        assert set(np.unique(planes)) <= {0, 1}
        for place in range(4):
            player = (seat + place) % 4
            hand = planes[HANDS + 4 * place : HANDS + 4 * place + 4]
            assert hand.sum(axis=0).tolist() == list(known.hands[player])
            assert (np.diff(hand.astype(int), axis=0) <= 0).all()  # unary
            river = planes[DISCARDS + 4 * place : DISCARDS + 4 * place + 4]
            assert tiles(river) == sorted(NAMES[k] for k in known.table.rivers[player])
            score = planes[SCORES + 11 * place : SCORES + 11 * place + 11]
            assert (score == score[:, :1]).all()
            assert score[:, 0].tolist() == [int(i == (5, 6, 2, 7)[player]) for i in range(11)]
        wall = planes[WALL : WALL + 10]
        assert wall.argmax(axis=1).tolist() == list(known.wall[known.front : known.front + 10])
        assert (wall.sum(axis=1) == 1).all()
    assert "9s" in tiles(encode(known, 3, TINY)[3:4])  # the plane of a fourth copy
    assert "9s" in tiles(encode(known, 2, TINY)[7:8])  # in the hand of the next player


def test_planes_of_melds_and_last_discards():
    seen_melds = seen_rivers = 0
    for state, _, _ in random_steps(RULES, 8, 5):
        planes = encode(state, 1, TINY)
        for place in range(4):
            player = (1 + place) % 4
            melds = planes[MELDS + 4 * place : MELDS + 4 * place + 4]
            made = [k for meld in state.table.melds[player] for k in meld.block.kinds]
            assert melds.sum(axis=0).tolist() == np.bincount(made, minlength=K).tolist()
            assert (np.diff(melds.astype(int), axis=0) <= 0).all()
            recent = planes[RECENT + 4 * place : RECENT + 4 * place + 4]
            river = state.table.rivers[player][::-1][:4]
            assert (recent.sum(axis=1) == [1] * len(river) + [0] * (4 - len(river))).all()
            assert tuple(recent[: len(river)].argmax(axis=1)) == river
            seen_melds += melds[3].any()
            seen_rivers += len(river) == 4
    assert seen_melds  # a kong
    assert seen_rivers


def test_wall_planes_end_with_the_last_draw():
    """Only tiles that may be drawn have planes, and those of an unordered wall have none."""
    rules = replace(RULES, dead_wall=50)
    state = start(rules, shuffle_wall(1, 0, rules.tiles))
    assert state.table.live == 5
    wall = encode(state, 0, TINY)[WALL : WALL + 10]
    assert wall.sum(axis=1).tolist() == [1] * 5 + [0] * 5
    unordered = replace(state, unordered=True)
    assert not encode(unordered, 0, TINY)[WALL : WALL + 10].any()


def test_planes_of_a_view_are_the_public_planes():
    for recent in ("public", "hidden"):
        config = replace(WITH_EVENT, recent=recent)
        public = public_planes(config)
        assert public.sum() == 4 + 16 + 16 * (recent == "public") + 16 + 44 + 11
        for state, _, _ in random_steps(RULES, 4, 6):
            seat = state.to_move
            seen = encode_view(view_of(state, seat), config)
            assert (seen == encode(state, seat, config) * public[:, None]).all()


@pytest.fixture(scope="module")
def offered_twice():
    """Return two views that differ only in which of two last discards is on offer."""
    for state, _, _ in random_steps(RULES, 40, 7):
        table, seat = state.table, state.to_move
        others = [s for s in range(4) if s not in (seat, table.turn) and table.rivers[s]]
        if table.phase is not Phase.CLAIM or not others:
            continue
        tile = table.rivers[others[0]][-1]
        if tile == table.tile:
            continue
        event = Event(others[0], Action.DISCARD, tile)
        other = replace(table, turn=others[0], tile=tile, events=(*table.events[:-1], event))
        return view_of(state, seat), view_of(replace(state, table=other), seat)
    raise AssertionError("no such state")


def test_without_last_event_planes_do_not_show_the_offered_tile(offered_twice):
    one, other = offered_twice
    assert one.tile != other.tile
    assert (encode_view(one, TINY) == encode_view(other, TINY)).all()
    first, second = encode_view(one, WITH_EVENT), encode_view(other, WITH_EVENT)
    assert (first[:EVENT] == second[:EVENT]).all()
    assert [first[EVENT].argmax(), second[EVENT].argmax()] == [one.tile, other.tile]
    masks = [
        set(
            legal_numbers(
                claims_of(view.table, view.seat, view.hand), tile=view.tile, drawn=-1, kinds=K
            )
        )
        for view in (one, other)
    ]
    assert masks[0]
    assert not masks[0] & masks[1]


def test_last_event_planes_cover_every_type():
    seen = set()
    for state, move, after in random_steps(RULES, 16, 4):
        planes = encode(after, 0, WITH_EVENT)[EVENT:]
        types = planes[1:].any(axis=1)
        assert types.sum() == 1
        assert (planes[0].sum(), planes[1:].sum()) == (1, K)
        seen.add(int(types.argmax()))
        if move.action is Action.DISCARD and after.pending:
            assert (types.argmax(), planes[0].argmax()) == (0, move.kind)
        if move.action is Action.CHOW and after.table.phase is Phase.CALLED:
            assert planes[0].argmax() == state.table.tile
            assert types.argmax() == (4, 6, 5)[state.table.tile - move.kind]
    assert seen == {0, 1, 3, 4, 5, 6, 7, 8, 9}  # passes are not public
    first = start(RULES, shuffle_wall(1, 0, RULES.tiles))
    assert not encode(first, 0, WITH_EVENT)[EVENT:].any()


def test_action_planes_are_those_of_table_2():
    planes = action_planes(np.arange(55 * K), K)
    assert planes.shape == (1485, 19, K)
    assert PRESETS["paper"].channels + planes.shape[1] == 147
    assert len(np.unique(planes.reshape(1485, -1), axis=0)) == 1485
    discard = action_planes(np.array([full_number(5, 2, 1, K)]), K)[0]
    assert discard[0].nonzero()[0].tolist() == [5]
    assert discard[1:, 0].nonzero()[0].tolist() == [0, 10 + 1, 14 + 1]
    pong = action_planes(np.array([full_number(204, 0, 0, K)]), K)[0]
    assert pong[0].nonzero()[0].tolist() == [204 % K]
    assert pong[1:, 0].nonzero()[0].tolist() == [7]


def test_score_intervals_scale_with_the_basic_score():
    config = replace(TINY, rules="jj,ready=0,basic_score=10")
    assert [score_interval(score, config) for score in (-500, 0, 499, 60)] == [0, 5, 10, 6]
    found = [score_interval(score, TINY) for score in range(-50, 50)]
    assert sorted(set(found)) == list(range(11))
    assert {found.count(i) for i in range(11)} == {9, 10}


def test_other_tile_sets_are_refused():
    state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    with pytest.raises(ArgumentError, match="gmjbg has 34 kinds, expected 27, those of jj"):
        encode(state, 0, TINY)
