import random
from dataclasses import replace

import pytest
from helpers.arranged_game import act, arranged

from mjopt.errors import ArgumentError, FileError, GameError
from mjopt.play.game import (
    GAME_RULES,
    GMJBG,
    JJ,
    M0_RULES,
    Action,
    forfeit,
    legal_moves,
    read_record,
    replay,
    replay_steps,
    shuffle_wall,
    start,
    step,
    write_record,
)
from mjopt.play.game.record import to_numbers

NAMES = ["l1", "a b", "deficiency:tree,2", "ü"]


def played(rules, game, seed=4):
    """Return the final state of a random game that prefers rare moves."""
    rng = random.Random(game)
    state = start(rules, shuffle_wall(seed, game, rules.tiles), dealer=game % 4)
    while not state.is_over:
        moves = legal_moves(state)
        rare = [m for m in moves if m.action not in (Action.DISCARD, Action.PASS, Action.CHOW)]
        state = step(state, rng.choice(rare or moves))
    return state


@pytest.mark.parametrize("name", GAME_RULES)
@pytest.mark.parametrize("seeded", [True, False])
def test_recorded_games_are_replayed(name, seeded):
    rules = GAME_RULES[name]
    where = {"seed": 4} if seeded else {}
    for game in range(12):
        state = played(rules, game)
        if seeded:
            where["game"] = game
        line = write_record(state, names=NAMES, **where)
        assert "\n" not in line
        again = replay(line)
        assert again.table == state.table
        assert again.outcome == state.outcome
        assert again.hands == state.hands
        assert write_record(again, names=NAMES, **where) == line
        assert read_record(line).names == tuple(NAMES)


def test_a_record_of_all_winners_is_replayed():
    rules = replace(M0_RULES, all_winners=True)
    hands = ["1p", "123m456m789m23p55s", "", "123s456s789s23p77m"]
    for moves in ("D1p H1p H1p", "D1p H1p N", "D1p N H1p"):
        state = act(arranged(rules, hands), moves)
        line = write_record(state, names=NAMES)
        assert "rules=m0,all_winners=1 " in line
        assert replay(line).outcome == state.outcome


def test_forfeited_game_is_recorded_and_replayed():
    state = start(JJ, shuffle_wall(1, 2, JJ.tiles))
    state = forfeit(step(state, legal_moves(state)[-1]), 1)
    line = write_record(state, names=NAMES, seed=1, game=2, fault="illegal: D 5m = ?")
    assert "1F00" in line
    assert replay(line).outcome.payer == 1
    assert read_record(line).fault == "illegal: D 5m = ?"


def test_replay_steps_yields_every_event():
    line = write_record(played(GMJBG, 6), names=NAMES, seed=4, game=6)
    events = [event for _, new in replay_steps(line) for event in new]
    assert tuple(events) == read_record(line).events


def test_unfinished_game_has_no_record():
    with pytest.raises(GameError, match="not over"):
        write_record(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), names=NAMES)


def changed(line, field, change):
    """Change the value of one field of a record."""
    words = [word.split("=", 1) for word in line.split()[1:]]
    assert field in dict(words)
    return "game1 " + " ".join(
        f"{key}={change(value) if key == field else value}" for key, value in words
    )


def swap_tokens(value, one, other):
    tokens = [value[i : i + 4] for i in range(0, len(value), 4)]
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


LINE = write_record(played(GMJBG, 8), names=NAMES, seed=4, game=8)
NOT_HELD = next(
    to_numbers((kind,), GMJBG.tiles)
    for kind in range(34)
    if kind not in (*read_record(LINE).hands[0], read_record(LINE).events[0].kind)
)
FORGED = {
    "a draw that is not the wall's": (
        changed(LINE, "moves", lambda m: m[:8] + "1M01" + m[12:]),
        r"move 3: 1M01 in the record, but the rules give 1M\d\d",
    ),
    "a discard of a tile not held": (
        changed(LINE, "moves", lambda m: m[:4] + "0D" + NOT_HELD + m[8:]),
        f"move 2: 0D{NOT_HELD} is not legal",
    ),
    "a move of another seat": (
        changed(LINE, "moves", lambda m: m[:4] + "1" + m[5:]),
        "move 2: 1D.., but seat 0 is to move",
    ),
    "events in another order": (
        changed(LINE, "moves", lambda m: swap_tokens(m, 1, 2)),
        "move 2",
    ),
    "a game cut short": (changed(LINE, "moves", lambda m: m[:36]), "ends after move 9, the game"),
    "a draw left out": (changed(LINE, "moves", lambda m: m[:40]), "move 11: nothing in the record"),
    "moves after the end": (
        changed(LINE, "moves", lambda m: m + "0D01"),
        "move 9|the game was over before it",
    ),
    "other scores": (changed(LINE, "scores", lambda _: "3,-1,-1,-1"), "scores 3,-1,-1,-1, but"),
    "another ending": (changed(LINE, "end", lambda _: "four-kongs"), "end 'four kongs', but"),
    "another wall": (changed(LINE, "game", lambda _: "7"), "is not the one of wall 7 of seed 4"),
    "another dealer": (changed(LINE, "dealer", lambda d: str((int(d) + 1) % 4)), "hand of seat"),
    "an unknown action": (changed(LINE, "moves", lambda m: "0Q01" + m[4:]), "move 1: '0Q01'"),
    "an unknown tile": (changed(LINE, "moves", lambda m: "0M40" + m[4:]), "move 1: '0M40': '40'"),
    "far too many moves": (
        changed(LINE, "moves", lambda m: m + "0D01" * 1000),
        r"moves: \d+ characters, expected at most 4000",
    ),
    "half a move": (changed(LINE, "moves", lambda m: m + "0D"), "'0D', expected a seat"),
    "five hands": (changed(LINE, "hands", lambda h: h + ","), "hands: 5 parts, expected 4"),
    "a short hand": (changed(LINE, "hands", lambda h: h[2:]), "hand of seat 0: 12 tiles"),
    "unknown rules": (changed(LINE, "rules", lambda _: "chess"), "rules 'chess': unknown"),
    "a dealer that is no seat": (changed(LINE, "dealer", lambda _: "4"), "dealer '4'"),
    "a seed that is no number": (changed(LINE, "seed", lambda _: "x"), "seed 'x'"),
    "a score that is no number": (changed(LINE, "scores", lambda _: "0,0,0,x"), "scores: 'x'"),
    "no fields": ("game1", "fields"),
    "another version": ("game2 " + LINE[6:], "begins with 'game2'"),
    "an empty line": ("", "begins with ''"),
}


@pytest.mark.parametrize("what", FORGED)
def test_forged_records_are_refused(what):
    line, message = FORGED[what]
    with pytest.raises(FileError, match=message):
        replay(line)


def test_fifth_copy_is_refused_without_a_seed():
    line = changed(changed(LINE, "seed", lambda _: "-"), "game", lambda _: "-")
    assert replay(line).outcome == replay(LINE).outcome
    hand = read_record(LINE).hands[0]
    assert len(set(hand)) > 1
    forged = changed(line, "hands", lambda h: h[:2] * 13 + h[26:])
    with pytest.raises(FileError, match="more than 4 of"):
        replay(forged)


def test_rules_that_a_record_cannot_store_are_refused():
    state = played(replace(GMJBG, forms=("standard",)), 1)
    with pytest.raises(GameError, match="cannot store other forms"):
        write_record(state, names=NAMES)
    with pytest.raises(GameError, match="only named rule sets"):
        write_record(played(replace(GMJBG, name="mine"), 1), names=NAMES)


@pytest.mark.parametrize("text", ["gmjbg,dead_wall=x", "gmjbg,dead_wall=99", "gmjbg,forms=1", ""])
def test_unknown_rules_are_refused(text):
    from mjopt.play.game.rules import read_rules

    with pytest.raises(FileError, match="rules"):
        read_rules(text)


@pytest.mark.parametrize(("names", "fault"), [("abc\udcff", ""), ("abcd", "\udcff")])
def test_text_that_utf8_cannot_encode_is_refused(names: str, fault: str) -> None:
    state = arranged(M0_RULES, ["123m"] * 4)
    with pytest.raises(ArgumentError, match="expected text that UTF-8 can encode"):
        write_record(forfeit(state, 0), names=[*names], fault=fault)
