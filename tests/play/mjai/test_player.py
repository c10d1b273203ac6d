"""An agent at an mjai table: which actions it answers, and that they are legal."""

import json
from pathlib import Path

import pytest
from helpers.mjai_events import messages_for

from mjopt.errors import FileError, GameError, MjoptError
from mjopt.play.game.moves import Action, Move
from mjopt.play.mjai import Player
from mjopt.play.review.detect_format import read_games

LOGS = Path(__file__).parents[2] / "data" / "logs"
HIDDEN = ["?"] * 13
START = {"type": "start_game", "id": 0, "names": list("abcd")}
READY = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E S P"


class Scripted:
    """Takes the move of the given action and tile, if it is there, else the first one."""

    name = "scripted"

    def __init__(self, *wanted):
        self.wanted = wanted
        self.moves, self.view = (), None

    def choose(self, view, moves, *, rng):
        self.moves, self.view = moves, view
        return next((move for move in moves if move in self.wanted), moves[0])


def start(hand, *, seat=0, dealer=0, **more):
    tehais = [hand.split() if other == seat else HIDDEN for other in range(4)]
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": dealer + 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": dealer,
        "dora_marker": "9p",
        "scores": [25_000] * 4,
        "tehais": tehais,
        **more,
    }


def seated(agent, hand, *, seat=0, dealer=0, options=None, **more):
    player = Player(agent, **(options or {}))
    player.react({**START, "id": seat})
    player.react(start(hand, seat=seat, dealer=dealer, **more))
    return player


def draw(seat, tile="?"):
    return {"type": "tsumo", "actor": seat, "pai": tile}


def discard(seat, tile, drawn=False):
    return {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": drawn}


def turn(seat, tile):
    """Return the draw and the discard of another seat."""
    return [draw(seat), discard(seat, tile, drawn=True)]


def own_turn(tile):
    return [draw(0, tile), discard(0, tile, drawn=True)]


WRONG = (5, True, 10**30, "x", [5], [[]], {})


def test_a_field_of_a_wrong_type_is_one_line():
    """Every field of every kind of message, and those that only some servers send."""
    [(_, game)] = read_games((LOGS / "mjai" / "game-02.jsonl").read_bytes())
    before, seen, refusals = list[dict](), set(), list[str]()
    for message in list(messages_for(game, 0))[:60]:
        for field in (*message, "cannot_dahai", "possible_actions"):
            if (message["type"], field) in seen:
                continue
            seen.add((message["type"], field))
            for value in WRONG:
                player = Player("first", calls="free")
                if before:
                    player.react(before)
                try:
                    player.react({**message, field: value})
                except MjoptError as error:
                    refusals.append(str(error))
        before.append(message)
    assert len(refusals) > 100
    assert all("\n" not in text and len(text) < 300 for text in refusals)


@pytest.mark.parametrize("value", [5, "5m", {"5m": 1}, True])
@pytest.mark.parametrize("field", ["cannot_dahai", "possible_actions"])
def test_fields_of_decisions_are_lists(field, value):
    player = seated(Scripted(), READY)
    with pytest.raises(FileError, match=f"{field} .*, expected a list"):
        player.react({**draw(0, "S"), field: value})
    assert seated(Scripted(), READY).react({**draw(0, "S"), field: None})["type"] == "dahai"


def test_riichi_is_declared_and_the_hand_then_wins():
    player = seated("l1", READY)
    assert player.react(draw(0, "S")) == {"type": "reach", "actor": 0}
    reach = {"type": "reach", "actor": 0}
    assert player.react(reach) == discard(0, "P")
    events = [discard(0, "P"), {"type": "reach_accepted", "actor": 0}]
    assert player.react([*events, *turn(1, "1p")]) == {"type": "none"}
    hora = {"type": "hora", "actor": 0, "target": 2, "pai": "S"}
    assert player.react(turn(2, "S")) == hora


def test_without_riichi_a_closed_hand_wins_on_its_own_draw_only():
    player = seated("l1", READY, options={"riichi": False})
    assert player.react(draw(0, "S")) == discard(0, "P")
    assert player.react([discard(0, "P"), *turn(1, "C"), *turn(2, "1p")]) == {"type": "none"}
    assert player.react([*turn(3, "2p"), draw(0, "E")])["type"] == "hora"


def test_no_riichi_without_points():
    assert seated("l1", READY).react(draw(0, "S"))["type"] == "reach"
    player = seated("l1", READY, scores=[900, *[25_000] * 3])
    assert player.react(draw(0, "S"))["type"] == "dahai"


@pytest.mark.parametrize(("num_turns", "expected"), [(16, "reach"), (17, "dahai")])
def test_no_riichi_without_tiles(num_turns, expected):
    """Four tiles must be left: after own draws there are 69, 65, ... 5, 1."""
    spare = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10) for _ in range(3)]
    events = []
    for number in range(4 * num_turns):
        seat, tile = number % 4, spare[number]
        events += own_turn(tile) if seat == 0 else turn(seat, tile)
    assert seated("l1", READY).react([*events, draw(0, "S")])["type"] == expected


def test_a_hand_whose_wait_it_has_discarded_is_furiten():
    player = seated("l1", READY, options={"riichi": False})
    assert player.react(draw(0, "P"))["type"] == "dahai"
    player.react([discard(0, "S"), *turn(1, "1p"), *turn(2, "1p"), *turn(3, "2p")])
    player.react([*own_turn("C")])  # waits for P and E
    # A pong of white dragons is a yaku.
    assert player.react(turn(1, "P"))["type"] == "hora"
    other = seated("l1", READY, options={"riichi": False})
    other.react([draw(0, "P"), discard(0, "P"), *turn(1, "1p"), *turn(2, "1p"), *turn(3, "2p")])
    other.react([draw(0, "P"), discard(0, "S"), *turn(1, "1p"), *turn(2, "1p")])
    assert other.react(turn(3, "P"))["type"] == "none"


def test_a_passed_win_bars_discards_until_the_next_draw():
    agent = Scripted(Move(Action.PASS), Move(Action.DISCARD, 29))
    player = seated(agent, READY.replace("S", "P"), options={"riichi": False})
    player.react([*own_turn("W")])
    assert player.react(turn(1, "E")) == {"type": "none"}
    assert agent.moves[0].action is Action.WIN
    agent.moves = ()
    player.react(turn(2, "P"))
    assert Action.WIN not in [move.action for move in agent.moves]
    player.react([*turn(3, "1p"), *own_turn("W")])
    player.react(turn(1, "P"))
    assert agent.moves[0].action is Action.WIN


def test_calls_need_a_pong_of_value_honours():
    hand = "1m 2m 3m 4p 5p 7s 8s P P E S W N"
    for calls, tile, expected in [
        ("yaku", "P", "pon"),
        ("yaku", "6s", "none"),
        ("free", "6s", "chi"),
        ("never", "P", "none"),
    ]:
        player = seated("first", hand, options={"calls": calls}, dealer=3)
        assert player.react(turn(3, tile))["type"] == expected, (calls, tile)


def test_tiles_of_a_call_may_not_be_discarded():
    agent = Scripted(Move(Action.CHOW, 3))
    player = seated(
        agent, "5m 6m 7m 4m 1p 4p 7p 1s 4s 7s E S W", dealer=3, options={"calls": "free"}
    )
    chi = player.react(turn(3, "4m"))
    assert chi == {
        "type": "chi",
        "actor": 0,
        "target": 3,
        "pai": "4m",
        "consumed": ["5m", "6m"],
    }
    assert player.react(chi)["type"] == "dahai"
    kinds = {move.kind for move in agent.moves}
    assert not kinds & {3, 6}
    assert len(kinds) == 9


def test_agent_that_discards_by_the_hand_alone_gets_the_best_tile_allowed():
    class Stubborn(Scripted):
        def choose(self, view, moves, *, rng):
            chow = Move(Action.CHOW, 3)
            return chow if chow in moves else Move(Action.DISCARD, 3)

    hand = "5m 6m 7m 4m 1p 4p 7p 1s 4s 7s E S W"
    player = seated(Stubborn(), hand, dealer=3, options={"calls": "free"})
    chi = player.react(turn(3, "4m"))
    assert chi["type"] == "chi"
    assert player.react(chi)["pai"] not in ("4m", "7m")


def test_red_fives_stay_in_the_hand_and_go_into_melds():
    hand = "5m 5mr 6m 9m 1p 4p 7p 1s 4s 7s E S W"
    agent = Scripted(Move(Action.DISCARD, 4), Move(Action.CHOW, 4))
    player = seated(agent, hand)
    assert player.react(draw(0, "5m")) == discard(0, "5m", drawn=True)
    player = seated(agent, hand)
    assert player.react(draw(0, "1m")) == discard(0, "5m")
    player = seated(agent, hand, dealer=3, options={"calls": "free"})
    assert player.react(turn(3, "7m"))["consumed"] == ["5mr", "6m"]


def test_kongs_name_their_tiles():
    kongs = (Move(Action.CLOSED_KONG, 4), Move(Action.ADDED_KONG, 31))
    agent = Scripted(*kongs, Move(Action.PONG, 31), Move(Action.DISCARD, 27))
    player = seated(agent, "5m 5mr 5m 9m 1p 4p 7p 1s 4s P P E S", dealer=3)
    pon = player.react(turn(3, "P"))
    assert pon == {"type": "pon", "actor": 0, "target": 3, "pai": "P", "consumed": ["P", "P"]}
    assert player.react(pon) == discard(0, "E")
    events = [discard(0, "E"), *turn(1, "1p"), *turn(2, "1p"), *turn(3, "1p"), draw(0, "5m")]
    ankan = {"type": "ankan", "actor": 0, "consumed": ["5m", "5m", "5m", "5mr"]}
    assert player.react(events) == ankan
    kakan = {"type": "kakan", "actor": 0, "pai": "P", "consumed": ["P", "P", "P"]}
    assert player.react([ankan, {"type": "dora", "dora_marker": "1p"}, draw(0, "P")]) == kakan


def test_an_added_kong_can_be_robbed():
    player = seated("l1", READY.replace("P", "S"), options={"riichi": False}, dealer=1)
    pon = {"type": "pon", "actor": 2, "target": 1, "pai": "E", "consumed": ["E", "E"]}
    with pytest.raises(FileError, match="a fifth 1z"):
        player.react([*turn(1, "E"), pon])
    player = seated(
        "l1", "1m 2m 3m 4p 5p 6p 7s 8s 9s 3s 4s 2p 2p", options={"riichi": False}, dealer=1
    )
    pon = {"type": "pon", "actor": 2, "target": 1, "pai": "5s", "consumed": ["5s", "5s"]}
    kan = {"type": "kakan", "actor": 2, "pai": "5s", "consumed": ["5s", "5s", "5s"]}
    player.react([*turn(1, "5s"), pon, discard(2, "C"), *turn(3, "C"), draw(0, "C")])
    events = [discard(0, "C", drawn=True), *turn(1, "9p"), draw(2), kan]
    assert player.react(events) == {"type": "hora", "actor": 0, "target": 2, "pai": "5s"}


def test_server_names_the_possible_actions():
    hand = "1m 2m 3m 4p 5p 7s 8s P P E S W N"
    offered = {**discard(3, "P"), "possible_actions": []}
    player = seated("first", hand, dealer=3)
    assert player.react([draw(3), offered])["type"] == "none"
    named = {**draw(0, "C"), "cannot_dahai": ["1m", "E"]}
    agent = Scripted()
    player = seated(agent, hand)
    player.react(named)
    assert not {0, 27} & {move.kind for move in agent.moves}
    # The server knows more yaku: here an outside hand.
    hand = "1m 2m 3m 7p 8p 9p 1s 2s 9m 9m 9m W W"
    player = seated("l1", hand, dealer=3)
    assert player.react(turn(3, "3s"))["type"] == "none"
    player = seated("l1", hand, dealer=3)
    win = {**discard(3, "3s"), "possible_actions": [{"type": "hora"}]}
    assert player.react([draw(3), win])["type"] == "hora"


def test_three_colours_are_a_yaku():
    player = seated("l1", "1m 2m 3m 1p 2p 3p 1s 2s 9m 9m 9m W W", dealer=3)
    assert player.react(turn(3, "3s"))["type"] == "hora"


def test_hello_is_answered_and_batches_equal_single_events():
    player = Player("l3")
    hello = {"type": "hello", "protocol": "mjsonp", "protocol_version": 3}
    assert player.react(hello) == {"type": "join", "name": "l3", "room": "default"}
    assert player.react([]) == {"type": "none"}
    [(_, game)] = read_games((LOGS / "mjai" / "game-02.jsonl").read_bytes())
    single, batched, waiting = Player("deficiency"), Player("deficiency"), []
    for message in messages_for(game, 1):
        waiting.append(message)
        answer = single.react(json.dumps(message))
        if answer["type"] != "none" or message["type"] == "end_game":
            assert batched.react(json.dumps(waiting)) == answer
            waiting = []


def test_seat_is_found_by_its_hand():
    player = Player("l1")
    player.react({"type": "start_game"})
    assert player.react([start(READY, seat=2, dealer=2), draw(2, "E")])["actor"] == 2


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("{", "'{' is not JSON: Expecting property name"),
        ("5", "not an mjai message: 5"),
        ('{"type":"tsumo","type":"none"}', "'type' is given twice"),
        ([draw(0, "1m")], "tsumo before start_game"),
        ([{"type": "kita", "actor": 0}], "kita before start_game"),
        ([START, draw(0, "1m")], "message 2: draw before the first start_kyoku"),
        ([{**START, "id": 4}], "start_game with id 4, expected 0 to 3"),
        ([START, {"type": "ping"}], "'ping' is not a message type"),
        ([START, start(READY), start(READY)], "start_kyoku before the end of the round"),
        ([START, start(READY, seat=1)], "the hand of seat 0, the id of start_game, is hidden"),
        ([{"type": "start_game"}, start(READY, tehais=[HIDDEN] * 4)], "0 hands are visible"),
        ([START, start(READY, tehais=[READY.split(), *[HIDDEN] * 2, []])], "only games of four"),
        ([START, start(READY), draw(1)], "it is the turn of seat 0"),
        ([START, start(READY), draw(0)], "the own draw is hidden"),
        ([START, start(READY), draw(0, "0m")], "'0m' is not a tile"),
        ([START, start(READY), draw(0, "1m"), discard(0, "9m")], "it holds no 9m"),
        ([START, start(READY), draw(0, "1m"), discard(0, "?")], "'?' is not a tile"),
        ([START, start(READY), {"type": "tsumo", "actor": 0}], "tsumo without 'pai'"),
        ([START, start(READY), {"type": "reach", "actor": 7}], "seat 7, expected 0..3"),
        ([START, start(READY), {"type": "dahai", "actor": 0, "pai": []}], "[] is not a tile"),
        (
            [{"type": "error", "message": "illegal"}],
            "the server reports an error: {'type': 'error'",
        ),
    ],
)
def test_bad_messages_are_refused_in_one_line(events, expected):
    with pytest.raises(FileError) as caught:
        Player("l1").react(events)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("agent", "options", "expected"),
    [
        ("l4", {}, "agent 'l4': unknown"),
        ("l1", {"calls": "often"}, "calls='often', expected one of never, yaku, free"),
        ("l1", {"seed": -1}, "seed -1, expected 0"),
        ("process:no-such-program", {}, "no program 'no-such-program' on the path"),
        ("mcts:x.npz", {}, "sees all tiles"),
    ],
)
def test_bad_arguments_are_refused(agent, options, expected):
    with pytest.raises(GameError, match=expected):
        Player(agent, **options)


def test_failing_agent_is_named():
    class Broken:
        name = "broken"

        def choose(self, view, moves, *, rng):
            raise ValueError("lost")

    player = seated(Broken(), READY)
    with pytest.raises(GameError, match="agent broken fails: ValueError: lost"):
        player.react(draw(0, "1m"))


@pytest.mark.parametrize(("sign", "wind"), [("E", 0), ("S", 1)])
def test_the_prevailing_wind_is_seen(sign, wind):
    agent = Scripted()
    seated(agent, READY, bakaze=sign).react(draw(0, "9p"))
    assert agent.view.wind == wind


def test_a_far_hand_folds_against_riichi():
    """It discards the kind that the player in riichi has discarded, unless it never folds."""
    hand = "2m 3m 4m 5p 6p 7s 8s 1p 9p E S W N"
    reach = [draw(1), {"type": "reach", "actor": 1}, discard(1, "5p")]
    events = [*own_turn("P"), *reach, {"type": "reach_accepted", "actor": 1}]
    events += [*turn(2, "C"), *turn(3, "C"), draw(0, "F")]
    assert seated("deficiency", hand).react(events)["pai"] == "5p"
    assert seated("deficiency:safety=0", hand).react(events)["pai"] != "5p"
