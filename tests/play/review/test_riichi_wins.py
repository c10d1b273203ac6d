"""Wins passed up in riichi: yaku by a library, furiten, and the words without the library."""

import importlib
import json
from dataclasses import replace

from mjopt.cli.main import execute
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import JJ
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.riichi_wins import WinBasis, WinJudge, has_yaku

MODULE = importlib.import_module("mjopt.play.review.riichi_wins")


def wins_of(path):
    """Yield the state before each win of a log, the win, and the judge at that moment."""
    [(_, game)] = read_games(path.read_bytes())
    for deal in game.rounds:
        judge = WinJudge()
        for state, event in replay_round(deal, game.rules):
            if event.action is Action.WIN and state.offered + state.drawn > -2:
                yield state, event, judge
            judge.add(state, event)


def test_every_declared_win_of_real_games_may_win(logs, monkeypatch):
    wins = [
        *wins_of(logs / "tenhou-mjlog" / "game-01.mjlog"),
        *wins_of(logs / "mjai" / "game-02.jsonl"),
    ]
    assert len(wins) > 15
    for state, win, _ in wins:
        assert has_yaku(state, win)
    monkeypatch.setattr(MODULE, "find_spec", lambda _: None)
    state, win, judge = wins[0]
    assert WinJudge().basis(state, win) is WinBasis.NOT_JUDGED
    by_jj = replace(state, rules=replace(state.rules, rule_set=JJ))
    assert judge.basis(by_jj, win) is WinBasis.ALLOWED


def test_a_furiten_seat_has_no_win_on_a_discard(logs):
    """A tile that completes the hand has gone by, or lies among the own discards."""
    wins = list(wins_of(logs / "tenhou-mjlog" / "game-01.mjlog"))
    state, win, _ = next(each for each in wins if each[1].other != each[1].seat)
    judge = WinJudge()
    assert judge.basis(state, win) is WinBasis.YAKU
    judge.missed.add(win.seat)
    assert judge.basis(state, win) is None
    discard = state.table.events[-1]._replace(seat=win.seat)
    table = replace(state.table, events=(discard, *state.table.events))
    assert WinJudge().basis(replace(state, table=table), win) is None
    others = replace(state, rules=replace(state.rules, rule_set=JJ))
    assert judge.basis(others, win) is WinBasis.ALLOWED


def test_the_words_are_those_of_the_place(logs, monkeypatch, capsys):
    """A hand without a yaku is a win passed up only where yaku cannot be judged."""
    path = str(logs / "tenhou-mjlog" / "game-01.mjlog")
    words = []
    for judges in (False, True):
        with monkeypatch.context() as patch:
            patch.setattr(WinJudge, "_is_furiten", lambda *_: False)
            if not judges:
                patch.setattr(MODULE, "find_spec", lambda _: None)
            assert execute(["review", path, "--json"]) == 0
            document = json.loads(capsys.readouterr().out)
            words.append({row["win"] for row in document["judged_calls"] if row["win"]})
            assert execute(["review", path]) == 0
            out = capsys.readouterr().out
            assert ("complete, yaku not judged" in out) == bool(document["wins_not_judged"])
    assert words[0] <= {WinBasis.NOT_JUDGED}
    assert words[1] <= {WinBasis.YAKU}
