"""The board on a page: the view of a seat, open hands and the groups of a win."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mjopt.hands.hand import Hand
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    GameRules,
    Phase,
    State,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.engine import end_with_win
from mjopt.play.serve.board import BoardView, board_of, open_board
from mjopt.play.serve.templating import make_environment

NAMES = ("Ann", "L1", "L2", "L3")
POINTS = (3, -1, -1, -1)
CALLS = frozenset((Action.CHOW, Action.PONG, Action.KONG, Action.CLOSED_KONG, Action.ADDED_KONG))


def states_of(seed: int, rules: GameRules) -> list[State]:
    """Return the states of a random game with many calls."""
    rng = np.random.default_rng(seed)
    state = start(rules, shuffle_wall(seed, 0, rules.tiles), dealer=seed % 4)
    states = [state]
    while not state.is_over:
        moves = legal_moves(state)
        liked = [move for move in moves if move.action in CALLS] if rng.random() < 0.7 else []
        liked = liked or list(moves)
        state = step(state, liked[rng.integers(len(liked))])
        states.append(state)
    return states


def looks(state: State, seat: int) -> BoardView:
    """Return the board as a seat sees it."""
    return board_of(view_of(state, seat), names=NAMES, points=POINTS)


@pytest.mark.parametrize(
    ("rules", "seed"), [(GMJBG, 13), (JJ, 41), (M0_RULES, 41)]
)  # kongs of each kind
def test_board_shows_open_tiles_and_counts_hidden_ones(rules, seed):
    names = rules.tiles.names
    for state in states_of(seed, rules):
        board, table = looks(state, seed % 3), state.table
        for side in board.seats:
            melds = [sorted(tile.name for tile in row) for row in side.melds]
            blocks = [
                sorted(names[kind] for kind in meld.block.kinds) for meld in table.melds[side.seat]
            ]

            assert len(side.concealed) == sum(state.hands[side.seat])
            assert [tile.name for tile in side.river] == [
                names[kind] for kind in table.rivers[side.seat]
            ]
            assert melds == blocks
            assert {tile.name for tile in side.concealed} <= {"back"} or side is board.seats[0]
        assert (board.live, board.wall) == (table.live, len(state.wall) - state.front - state.back)
        marked = [tile for side in board.seats for tile in side.river if tile.mark == "last"]
        assert len(marked) <= 1
        offered = table.phase in (Phase.CLAIM, Phase.ROB)
        assert (board.offered is not None) == offered
        if table.phase is Phase.CALLED:  # the last discard is in a meld
            assert not marked
        if table.phase is Phase.CLAIM:
            assert [tile.name for tile in marked] == [board.offered.name] == [names[table.tile]]


def test_seats_are_ordered_from_the_viewer():
    state = states_of(6, GMJBG)[0]  # seat 2 deals
    board = looks(state, 1)

    assert [side.seat for side in board.seats] == [1, 2, 3, 0]
    assert [side.wind for side in board.seats] == ["North", "East", "South", "West"]
    assert [(side.name, side.points) for side in board.seats] == [
        ("L1", "-1"),
        ("L2", "-1"),
        ("L3", "-1"),
        ("Ann", "+3"),
    ]
    assert [side.dealer for side in board.seats] == [False, True, False, False]
    assert [side.turn for side in board.seats] == [False, True, False, False]


def test_drawn_tile_is_at_the_right():
    for state in states_of(8, GMJBG):
        if state.table.phase is Phase.TURN:
            hand = looks(state, state.table.turn).seats[0].concealed

            assert [tile.mark for tile in hand] == [""] * (len(hand) - 1) + ["drawn"]
            assert hand[-1].name == GMJBG.tiles.names[state.drawn]
        elif state.table.phase is Phase.CALLED:
            hand = looks(state, state.table.turn).seats[0].concealed

            assert {tile.mark for tile in hand} == {""}


def test_offer_on_a_discard_is_visible_only_to_its_seat():
    """Only the seat that can claim a discard sees the offer."""
    num_offers = 0
    for state in states_of(9, GMJBG):
        if state.table.phase is Phase.CLAIM:
            num_offers += 1
            assert not any(side.turn for seat in range(4) for side in looks(state, seat).seats)
            opened = open_board(state, names=NAMES, points=POINTS)
            assert [side.seat for side in opened.seats if side.turn] == [state.to_move]
    assert num_offers


def test_position_of_a_called_tile_shows_its_discarder():
    seen = set()
    for seed in range(10, 16):
        for before, state in pairwise(states_of(seed, GMJBG)):
            if state.table.events[-1].action in (Action.CHOW, Action.PONG):
                caller, giver = state.table.turn, before.table.turn
                row = looks(state, 0).seats[caller].melds[-1]
                place = next(at for at, tile in enumerate(row) if tile.mark == "called")
                away = (giver - caller) % 4
                seen.add(away)

                assert place == {1: 2, 2: 1, 3: 0}[away]
                wind = ("East", "South", "West", "North")[(giver - state.table.dealer) % 4]
                assert row[place].words.endswith(f", called from {wind}")
    assert seen == {1, 2, 3}


def won(rules: GameRules, hand: str, tile: str, *, own_draw: bool = False) -> BoardView:
    """Return the board after seat 1 has won with 14 tiles, the winning one included."""
    state = next(one for one in states_of(20, rules) if one.table.phase is not Phase.CALLED)
    kind = rules.tiles.names.index(tile)
    counts = list(Hand.parse(hand, tiles=rules.tiles).counts)
    counts[kind] -= not own_draw
    hands = (state.hands[0], tuple(counts), *state.hands[2:])
    table = replace(state.table, melds=((), (), (), ()), turn=1 if own_draw else 0)
    table = replace(
        table, phase=Phase.TURN if own_draw else Phase.CLAIM, tile=-1 if own_draw else kind
    )
    state = replace(state, table=table, hands=hands, drawn=kind if own_draw else -1)
    return open_board(end_with_win(state, (1,)), names=NAMES, points=POINTS)


def laid(board: BoardView) -> list[str]:
    """Return the groups of the winner, with the winning tile in brackets."""
    return [
        " ".join(f"[{tile.name}]" if tile.mark == "winning" else tile.name for tile in group)
        for group in board.seats[1].groups
    ]


@pytest.mark.parametrize("own_draw", [False, True])
def test_win_is_shown_as_melds_and_a_pair(own_draw):
    board = won(GMJBG, "123m456m789p555s22z", "6m", own_draw=own_draw)

    assert sorted(laid(board)) == ["1m 2m 3m", "2z 2z", "4m 5m [6m]", "5s 5s 5s", "7p 8p 9p"]
    assert [bool(side.groups) for side in board.seats] == [False, True, False, False]


def test_seven_pairs_and_thirteen_orphans_are_grouped():
    assert laid(won(JJ, "1133557799m1122p", "9m"))[4] == "[9m] 9m"
    orphans = laid(won(GMJBG, "19m19p19s12345677z", "7z", own_draw=True))
    assert orphans == ["1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z [7z] 7z"]


def shown(board: BoardView, *, held: str = "") -> str:
    """Return the board rendered as HTML."""
    text = '{% from "board.html" import board with context %}'
    text += "{% call board(b) %}{{ held }}{% endcall %}" if held else "{{ board(b) }}"
    return make_environment().from_string(text).render(b=board, held=held)


def test_board_has_a_text_description():
    state = next(
        one for one in states_of(8, GMJBG) if one.table.phase is Phase.TURN and one.table.turn == 0
    )
    board = looks(state, 0)
    page = shown(board)

    assert page.count("face-down tiles") == 3
    assert page.count("to move</span>") == page.count("dealer</span>") == 1
    assert f"<b>{board.live}</b> tiles left" in page
    assert page.count("just drawn") == 1
    labels = re.findall(r'role="img" aria-label="([^"]*)"', page)
    num_open = sum(len(side.river) + sum(map(len, side.melds)) for side in board.seats)
    num_open += len(board.seats[0].concealed)
    assert sum("face-down" not in label for label in labels) == num_open
    assert not re.search(r"style=|<script|on\w+=|data:", page)


def test_player_names_are_escaped():
    state = states_of(8, GMJBG)[0]
    page = shown(board_of(view_of(state, 0), names=('<img src="x">',) * 4, points=POINTS))

    assert "<img" not in page
    assert page.count("&lt;img src=&#34;x&#34;&gt;") == 4


def test_page_can_render_its_own_tiles():
    state = states_of(8, GMJBG)[0]
    own = '{% from "board.html" import tile_button %}{% for t in row %}'
    own += '{{ tile_button(t, says="discard", note="3 left") }}{% endfor %}'
    row = looks(state, 0).seats[0].concealed
    buttons = make_environment().from_string(own).render(row=row)

    assert re.findall(r'value="(\w+)"', buttons) == [tile.name for tile in row]
    assert f'aria-label="discard {row[0].words}, 3 left"' in buttons
    page = shown(looks(state, 0), held="<MINE>")
    assert "&lt;MINE&gt;" in page
    assert row[0].words not in page


def test_inline_sprite_needs_no_request():
    state = states_of(8, GMJBG)[0]
    text = '{% from "board.html" import board with context %}{{ board(b) }}'
    page = make_environment().from_string(text).render(b=looks(state, 0), tile_sheet="")

    assert 'href="#back"' in page
    assert "/static/" not in page
