import json
import random

import pytest
from helpers.arranged_game import act, arranged

from mjopt.play.game import (
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    legal_moves,
    mjai_lines,
    shuffle_wall,
    start,
    step,
    write_record,
)

NAMES = ["a", "b", "c", "d"]


def messages(state, **where):
    return [json.loads(line) for line in mjai_lines(write_record(state, names=NAMES, **where))]


def random_lines(rules, game):
    rng = random.Random(game)
    state = start(rules, shuffle_wall(6, game, rules.tiles), dealer=game % 4)
    while not state.is_over:
        moves = legal_moves(state)
        rare = [m for m in moves if m.action not in (Action.DISCARD, Action.PASS, Action.CHOW)]
        state = step(state, rng.choice(rare or moves))
    return mjai_lines(write_record(state, names=NAMES, seed=6, game=game))


def test_call_names_discarder_and_tiles_of_the_caller():
    state = act(arranged(M0_RULES, ["5s", "4s6s", "", ""]), "D5s C4s")
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    chow = next(message for message in messages(state) if message["type"] == "chi")
    assert chow == {"type": "chi", "actor": 1, "target": 0, "pai": "5s", "consumed": ["4s", "6s"]}


def test_honours_and_winner_are_written():
    hands = ["5z", "", "19m19p19s1234567z", ""]
    found = messages(act(arranged(GMJBG, hands), "D5z H5z"))
    assert found[0] == {"type": "start_game", "names": NAMES}
    assert found[1]["tehais"][2][-7:] == ["E", "S", "W", "N", "P", "F", "C"]
    assert found[3] == {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False}
    assert found[4]["type"] == "hora"
    assert (found[4]["actor"], found[4]["target"], found[4]["pai"]) == (2, 0, "P")
    assert found[4]["deltas"] == [-1, 0, 1, 0]
    assert [message["type"] for message in found[-2:]] == ["end_kyoku", "end_game"]


def test_an_own_draw_targets_the_winner():
    state = act(arranged(M0_RULES, ["123m456m789m1199p", "", "", ""], draws="9p"), "H9p")
    win = next(message for message in messages(state) if message["type"] == "hora")
    assert (win["actor"], win["target"]) == (0, 0)


def test_closed_kong_and_declaration_are_written():
    state = act(arranged(JJ, ["1111m456m789m99p1s", "", "", ""], draws="1s"), "S1m")
    kong = next(message for message in messages(finish(state)) if message["type"] == "ankan")
    assert kong == {"type": "ankan", "actor": 0, "consumed": ["1m"] * 4}
    state = act(arranged(JJ, ["123m456m789m1199p", "", "", ""], draws="5s"), "R5s")
    found = [message["type"] for message in messages(finish(state))]
    place = found.index("reach")
    assert found[place : place + 3] == ["reach", "dahai", "reach_accepted"]


def finish(state):
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    return state


@pytest.mark.parametrize("rules", [GMJBG, M0_RULES])
def test_riichienv_reads_the_lines(rules, tmp_path):
    riichienv = pytest.importorskip("riichienv")
    kinds = set()
    for game in range(40):
        lines = random_lines(rules, game)
        kinds |= {json.loads(line)["type"] for line in lines}
        path = tmp_path / f"{game}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        found = riichienv.MjaiReplay.from_jsonl(str(path))
        assert found.num_rounds() == 1
        [kyoku] = found.take_kyokus()
        first = kyoku.events()[0]["data"]
        told = json.loads(lines[1])["tehais"]
        assert [sorted(first[f"tiles{seat}"]) for seat in range(4)] == [
            sorted(_their_signs(hand)) for hand in told
        ]
    assert {"chi", "pon", "daiminkan", "ankan", "kakan", "hora", "ryukyoku"} <= kinds


def _their_signs(hand):
    honours = dict(zip("ESWNPFC", range(1, 8), strict=True))
    return [f"{honours[sign]}z" if sign in honours else sign for sign in hand]
