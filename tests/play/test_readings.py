"""One reading of a position at every door: calls, commands, pages, reviews, hints and charts."""

import json
import random

import pytest
from helpers.three_players import east_only
from starlette.datastructures import QueryParams

import mjopt
from mjopt.cli.main import execute
from mjopt.hands.tiles import places_in_full
from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
    write_record,
)
from mjopt.play.game.game_replay import deficiencies
from mjopt.play.game.log import LogGame, riichi_rules
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.positions import position_of
from mjopt.play.game.public_state import Phase
from mjopt.play.matches.agent_hints import hint_of
from mjopt.play.mjai.seat import Seat
from mjopt.play.review.api import review_games
from mjopt.play.review.detect_format import read_games
from mjopt.play.serve.hand_analysis import analyse
from mjopt.play.serve.hand_form import form_from_query, position_address

KONGS = (Action.CLOSED_KONG, Action.ADDED_KONG, Action.KONG)
FIRST = ("1m 3m 2m 2m 2m 2m 4p 5p 6p 7s 8s 9s E", "9m 1p 1p 9p 9p 1s 9s E S W N P F")
OTHERS = ("3m 3m 4m 4m 5m 5m 6m 6m 7m 7m 2p 3p 4p", "5s 5s 6s 6s 7s 7s 8m 8m 9m 9m 8p 8p 9p")


def deal(*hands, seats=4):
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": 0,
        "scores": [25000] * seats,
        "dora_marker": "8p" if seats == 3 else "8s",
        "tehais": [hand.split() for hand in hands],
    }


OWN_KONG = [
    {"type": "start_game", "id": 0},
    deal(*FIRST, *OTHERS),
    {"type": "tsumo", "actor": 0, "pai": "8m"},
    {"type": "ankan", "actor": 0, "consumed": ["2m"] * 4},
    {"type": "tsumo", "actor": 0, "pai": "E"},
    {"type": "dahai", "actor": 0, "pai": "8m", "tsumogiri": False},
]
"""The seat waits for 2m in shape, but all four are in its own kong."""

QUADS_OF_THREE = [
    deal(
        "1m 1m 1m 1m E E E E S S S W W",
        "9m 9m 9m 9m 1p 2p 3p 4p 5p 6p 7s 8s 9s",
        "1p 1p 2p 2p 3p 3p 4s 4s 5s 5s 6s 6s 9p",
        seats=3,
    ),
    {"type": "tsumo", "actor": 0, "pai": "9s"},
    {"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": True},
]


def read(messages):
    [(_, game)] = read_games("\n".join(map(json.dumps, messages)).encode())
    return game


def expected(hand, forms, **more):
    """Return deficiency and useful kinds after each discard, as `mjopt.discards` answers."""
    found = mjopt.discards(hand, forms=forms, **more)
    return {row.kind: (row.after.shape, row.after) for row in found}


def hands_of(game: LogGame, deal, at, seat):
    """Return a hand with its melds, in the tile set of the players, before an event."""
    states = replay_round(game.rounds[deal], game.rules)
    state = next(state for number, (state, _) in enumerate(states) if number == at)
    tiles, blocks = game.rules.tiles, []
    places = places_in_full(tiles)
    counts = [state.hands[seat][kind] for kind in places]
    norths = 0
    for meld in state.table.melds[seat]:
        if meld.action is Action.NORTH:
            norths += 1
            continue
        block = meld.block
        kinds = tuple(map(places.index, block.kinds))
        blocks.append(type(block)(kinds, block.shape))
    hand = mjopt.Hand.from_counts(counts, tiles=tiles, melds=blocks)
    left = list(hand.unseen)
    if norths:
        left[tiles.names.index("4z")] -= norths
    return hand, left


def assert_reviewed_as_called(game, wanted=None):
    """Compare each reviewed discard with `mjopt.discards`; return how many had own kongs."""
    judged = review_games([("", 1, game)]).judged
    discards, forms, kongs = judged.discards, judged.forms[0], 0
    [game] = judged.games
    places = places_in_full(game.rules.tiles)
    for row in range(len(discards)) if wanted is None else wanted(judged):
        at = (int(discards.deal[row]), int(discards.event[row]), int(discards.seat[row]))
        hand, left = hands_of(game, *at)
        kongs += any(len(meld.kinds) == 4 for meld in hand.melds)
        unseen = discards.unseen[row]
        for discard in mjopt.discards(hand, forms=forms, unseen=left):
            kind = places[discard.kind]
            copies = sum(int(unseen[places[k]]) for k in discard.after.kinds)
            values = discards.left[row, kind], discards.left_copies[row, kind]
            assert values == (discard.deficiency, copies), (row, hand, discard.kind)
    return kongs


def test_a_fifth_copy_in_an_own_kong_is_no_wait_at_any_door(capsys):
    """13m456p789s11z with 2222m on the table is two changes away from a win, not one."""
    hand = mjopt.Hand.parse("138m456p789s11z", melds=["2222m"], tiles="136")
    thrown = hand.tiles.names.index("8m")
    at_doors = {"call": expected(hand, ("standard",))[thrown][0]}
    execute(["discards", "138m456p789s11z", "--meld", "2222m", "--tiles", "136", "--json"])
    rows = json.loads(capsys.readouterr().out)["discards"]
    at_doors["command"] = next(row["deficiency"] for row in rows if row["discard"] == "8m")
    game = read(OWN_KONG)
    judged = review_games([("", 1, game)]).judged
    at_doors["review"] = int(judged.discards.left[0, thrown])
    state = list(replay_round(game.rounds[0], game.rules))[-1][0]
    at_doors["log"] = state.apply(game.rounds[0].events[-1]).deficiency(0)
    seat = Seat()
    for message in OWN_KONG[:-1]:
        seat.read(message)
    view = seat.view()
    moves = tuple(mjopt.play.game.Move(Action.DISCARD, kind) for kind in (0, thrown))
    at_doors["hint"] = hint_of(view, moves, "deficiency").missing[thrown]
    address = position_address(position_of(view))
    form = form_from_query(QueryParams(address.partition("?")[2]))
    rows = analyse(form.parse()).discards
    at_doors["page"] = next(row.after.shape for row in rows if row.kind == thrown)
    assert at_doors == dict.fromkeys(at_doors, 2)
    assert assert_reviewed_as_called(game) == 1


def test_quads_of_three_players_are_judged_with_their_tiles(capsys):
    """Four of 1m are far from a win where 2m and 3m do not exist."""
    game = read(QUADS_OF_THREE)
    judged = review_games([("", 1, game)]).judged
    execute(["discards", "1111m9s111122233z", "--tiles", "sanma", "--json"])
    rows = json.loads(capsys.readouterr().out)["discards"]
    by_command = next(row["deficiency"] for row in rows if row["discard"] == "9s")
    assert judged.discards.deficiency[0] == by_command == 3
    state = list(replay_round(game.rounds[0], game.rules))[-1][0]
    assert state.apply(game.rounds[0].events[-1]).deficiency(0) == 3
    assert mjopt.shanten("1111m111122233z", tiles="sanma") == 2
    assert assert_reviewed_as_called(game) == 0


def test_reviews_of_three_players_are_those_of_their_tile_set():
    rows = 0
    for seed in range(3):
        deals = east_only(seed)
        game = LogGame(form="", names=("",) * 3, rules=riichi_rules(3), rounds=tuple(deals))

        def wanted(judged):
            limited = judged.discards.hand + judged.discards.drawable < 4
            has_own = limited[:, [0, *range(8, 34)]].any(axis=1)
            return (has_own | (judged.discards.hand == 4).any(axis=1)).nonzero()[0][::4].tolist()

        assert_reviewed_as_called(game, wanted)
        rows += len(wanted(review_games([("", 1, game)]).judged))
    assert rows > 30


def random_game(rules, seed):
    """Return the states of a random game with many calls and kongs."""
    rng, state = random.Random(seed), start(rules, shuffle_wall(3, seed, rules.tiles))
    states = [state]
    while not state.is_over:
        moves = legal_moves(state)
        throws = [move for move in moves if move.action is Action.DISCARD]
        calls = [move for move in moves if move.action in (*KONGS, Action.PONG, Action.CHOW)]
        some = calls if calls and rng.random() < 0.8 else throws or moves[-1:]
        state = step(state, rng.choice(some))
        states.append(state)
    return states


@pytest.mark.parametrize("rules", [GMJBG, M0_RULES, JJ], ids=lambda rules: rules.name)
def test_every_door_answers_alike_about_random_positions(rules):
    num_positions = num_kongs = 0
    for seed in range(3):
        states = random_game(rules, seed)
        record = write_record(states[-1], names=list("abcd"), seed=3, game=seed)
        [(_, game)] = read_games(record.encode())
        num_kongs += assert_reviewed_as_called(game)
        here = [s for s in states if s.table.phase in (Phase.TURN, Phase.CALLED)]
        here = [s for s in here if s.table.melds[s.table.turn] and not s.is_over]
        for state in here[:: max(len(here) // 3, 1)]:
            view = view_of(state, state.table.turn)
            hand, forms = view.as_hand(), rules.forms
            shapes = {kind: value for kind, (value, _) in expected(hand, forms).items()}
            limited = {k: v for k, (v, _) in expected(hand, forms, unseen=view.unseen).items()}
            missing = hint_of(view, legal_moves(state), "deficiency").missing
            address = position_address(position_of(view, legal_moves(state)))
            form = form_from_query(QueryParams(address.partition("?")[2]))
            on_page = {row.kind: row.after.shape for row in analyse(form.parse()).discards}
            assert {kind: missing[kind] for kind in shapes} == shapes == limited == on_page
            by_chart = deficiencies(state)[view.seat]
            assert by_chart == mjopt.deficiency(hand, forms=forms)
            num_positions += 1
    assert num_positions >= 6
    assert num_kongs > 0 or not rules.kongs
