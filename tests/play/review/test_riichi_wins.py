"""Wins passed up in riichi: yaku by a library, furiten, and the words without the library."""

import importlib
import json
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest

from mjopt.cli.main import execute
from mjopt.hands.blocks import Shape
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import Event, Meld
from mjopt.play.game.furiten import Furiten
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.moves import Action
from mjopt.play.game.open_hands import value_kinds
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import JJ
from mjopt.play.game.yaku import NO_YAKU, find_yaku, yaku_of_tiles
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.riichi_wins import WinBasis, has_yaku, judge_win

MODULE = importlib.import_module("mjopt.play.review.riichi_wins")


def wins_of(path):
    """Yield the state before each win of a log, the win, and the seats that are furiten."""
    [(_, game)] = read_games(path.read_bytes())
    for deal in game.rounds:
        furiten = Furiten()
        for state, event in replay_round(deal, game.rules):
            if event.action is Action.WIN and state.offered + state.drawn > -2:
                yield state, event, furiten
            furiten.add(state, event)


def yaku_of(state, win):
    return find_yaku(state, win.seat, None if win.other == win.seat else win.kind)


def test_forms_agree_with_the_package(logs):
    """Every tile that completes a hand, also one that may not be won."""
    answers = Counter()
    for name in ("tenhou-mjlog/game-01.mjlog", "mjai/game-02.jsonl"):
        [(_, game)] = read_games((logs / name).read_bytes())
        for state, _ in chain.from_iterable(replay_round(d, game.rules) for d in game.rounds):
            if state.table.phase is not Phase.CLAIM:
                continue
            turn = state.table.turn
            for seat in range(4):
                if seat != turn and state.wins_with(seat, state.offered):
                    win = Event(seat, Action.WIN, state.offered, turn)
                    answers[yaku_of(state, win) or yaku_of(state, win) is None] += 1
                    if yaku_of(state, win) is not None:
                        assert bool(yaku_of(state, win)) == has_yaku(state, win)
    assert len(answers) > 5


@pytest.mark.parametrize(
    ("text", "melds", "yaku"),
    [
        ("456m11p", ["123s", "789s", "345p"], NO_YAKU),
        ("22456m", ["345s", "678s", "345p"], "all simples"),
        ("123m99p", ["123s", "789s", "333z"], None),  # an outside hand, perhaps
        ("456m88p", ["2222s", "2222p", "2222m"], "all simples"),
        ("456m11p", ["2222s", "2222p", "8888m"], None),
        ("456m11p", ["222s", "222p", "222m"], None),
        ("444666m555p11s", ["789s"], None),
        ("456m11p", ["333z", "123s", "789s"], NO_YAKU),  # west is no value of the dealer
        ("456m11p", ["111z", "123s", "789s"], "east wind"),
    ],
)
def test_open_hands(text, melds, yaku):
    hand = Hand.parse(text, tiles=FULL, melds=melds)
    shapes = {Shape.CHOW: Action.CHOW, Shape.PONG: Action.PONG, Shape.KONG: Action.KONG}
    called = [Meld(shapes[meld.shape], meld.kinds, seat_from=3) for meld in hand.melds]
    assert yaku_of_tiles(hand.counts, called, value_kinds(0, 0, 0)) == yaku


def test_every_declared_win_of_real_games_may_win(logs, monkeypatch):
    wins = [
        *wins_of(logs / "tenhou-mjlog" / "game-01.mjlog"),
        *wins_of(logs / "mjai" / "game-02.jsonl"),
    ]
    assert len(wins) > 15
    monkeypatch.setattr(MODULE, "find_spec", lambda _: None)
    for state, win, _ in wins:
        assert has_yaku(state, win)
        expected = WinBasis.NOT_JUDGED if yaku_of(state, win) is None else WinBasis.YAKU
        assert judge_win(state, win, Furiten()) is expected
    assert sum(yaku_of(state, win) is None for state, win, _ in wins) < len(wins) / 4
    state, *_ = wins[0]
    by_jj = replace(state, rules=replace(state.rules, rule_set=JJ))
    assert judge_win(by_jj, win, Furiten()) is WinBasis.ALLOWED


def test_a_furiten_seat_has_no_win_on_a_discard(logs):
    """A tile that completes the hand has gone by, or lies among the own discards."""
    wins = list(wins_of(logs / "tenhou-mjlog" / "game-01.mjlog"))
    state, win, _ = next(each for each in wins if each[1].other != each[1].seat)
    furiten = Furiten()
    assert judge_win(state, win, furiten) is WinBasis.YAKU
    furiten.missed.add(win.seat)
    assert judge_win(state, win, furiten) is None
    discard = state.table.events[-1]._replace(seat=win.seat)
    table = replace(state.table, events=(discard, *state.table.events))
    assert judge_win(replace(state, table=table), win, Furiten()) is None
    others = replace(state, rules=replace(state.rules, rule_set=JJ))
    assert judge_win(others, win, furiten) is WinBasis.ALLOWED


def test_a_missed_tile_bars_until_the_next_draw_or_discard(logs):
    """A call alone ends nothing, its discard does; a declared hand stays furiten."""
    [(_, game)] = read_games((logs / "tenhou-mjlog" / "game-01.mjlog").read_bytes())
    answers = Counter()
    for state, event in chain.from_iterable(replay_round(d, game.rules) for d in game.rounds[:3]):
        seat, furiten = event.seat, Furiten()
        furiten.missed.add(seat)
        furiten.add(state, event)
        if event.action in (Action.CHOW, Action.PONG, Action.DRAW, Action.DISCARD):
            is_declared = state.table.ready[seat]
            answers[event.action, is_declared] += 1
            is_call = event.action in (Action.CHOW, Action.PONG)
            assert (seat in furiten.missed) == (is_declared or is_call)
    assert {(Action.PONG, False), (Action.DISCARD, False), (Action.DRAW, True)} <= set(answers)


def test_the_words_are_those_of_the_place(logs, monkeypatch, capsys):
    """A hand without a yaku is no win passed up."""
    path = str(logs / "tenhou-mjlog" / "game-01.mjlog")
    words = []
    for judges in (False, True):
        with monkeypatch.context() as patch:
            patch.setattr(Furiten, "bars", lambda *_: False)
            if not judges:
                patch.setattr(MODULE, "find_spec", lambda _: None)
            assert execute(["review", path, "--json"]) == 0
            document = json.loads(capsys.readouterr().out)
            words.append({row["win"] for row in document["judged_calls"] if row["win"]})
            assert execute(["review", path]) == 0
            out = capsys.readouterr().out
            assert ("complete, yaku not judged" in out) == bool(document["wins_not_judged"])
    assert words[0] <= {WinBasis.NOT_JUDGED, WinBasis.YAKU, WinBasis.NO_YAKU}
    assert words[1] <= {WinBasis.YAKU, WinBasis.NO_YAKU}
