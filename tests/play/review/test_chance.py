"""Decisions judged by the chance to win that they cost."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from helpers.lasting_advisers import LastingPool
from helpers.short_log import THREE_PLAYERS as THREE

from mjopt import advise
from mjopt._internal import executor
from mjopt.cli.main import execute
from mjopt.errors import ArgumentError
from mjopt.play.game.events import CALLS, KIND_OF
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.moves import Action
from mjopt.play.review import chance
from mjopt.play.review.api import read_source, review
from mjopt.play.review.batch import ReviewOptions, review_folder
from mjopt.play.review.collector import DecisionCollector
from mjopt.play.review.cost import costliest

SHORT = "tenhou-mjlog/game-15.mjlog"  # two rounds
NUM_COSTLIEST = 10


def collected(path: Path) -> DecisionCollector:
    collector = DecisionCollector(has_positions=True)
    [(_, _, game)] = read_source(path, is_alone=True)
    collector.add(game)
    return collector


def test_costliest_decisions_are_those_of_advise(logs: Path) -> None:
    found = review(logs / SHORT, by="chance", seat=1)
    rows = list(found.discards)
    chosen = [rows[at] for at in costliest(rows, NUM_COSTLIEST)]
    assert chosen
    for row in chosen:
        assert row["effort"] == "normal"
        advice = advise(row["position"], effort=row["effort"])
        option = advice.option(KIND_OF[found.judged.discards.discard[rows.index(row)]])
        assert row["best_option"] == advice.best.name
        assert row["lost"] == float(option.lost)
        assert row["is_lost_proven"] == option.is_lost_proven
        assert row["at_least"] == pytest.approx(float(option.at_least), abs=1e-12)
        assert row["best_at_least"] == pytest.approx(float(advice.best.at_least), abs=1e-12)
    assert [row["lost"] for row in chosen] == sorted((row["lost"] for row in chosen), reverse=True)
    assert found.summary.total["lost"] == sum(round(1e4 * (row["lost"] or 0)) for row in rows)


def test_positions_hold_the_draws_and_tiles_of_the_round(logs: Path) -> None:
    collector = collected(logs / "tenhou-mjlog" / "game-01.mjlog")
    [game] = collector.games
    for row in collector.discards:
        if (decision := row.decision) is not None:
            position, events = decision.position, game.rounds[row.deal].events
            assert position.hand.is_full
            assert position.draws == row.draws_left
            assert sum(position.wall) + sum(position.seen) + position.hand.num_tiles == 136 - 3 * (
                position.hand.called
            ) - sum(len(meld.kinds) - 3 for meld in position.hand.melds)
            later = events[row.event + 1 :]
            if not any(event.action in CALLS or "kong" in event.action.word for event in later):
                drawn = sum(e.action is Action.DRAW and e.seat == row.seat for e in later)
                ended = any(e.action is Action.WIN for e in later)
                assert drawn <= row.draws_left if ended else drawn == row.draws_left


def test_draws_after_a_call_count_from_its_seat(logs: Path) -> None:
    collector = collected(logs / "tenhou-mjlog" / "game-01.mjlog")
    [game] = collector.games
    states = {
        (number, at): state
        for number, deal in enumerate(game.rounds)
        for at, (state, _) in enumerate(replay_round(deal, game.rules))
    }
    skipped = 0
    for row in collector.calls:
        if row.decision is None or row.decision.position.offered is None:
            continue
        position, table = row.decision.position, states[row.deal, row.event].table
        assert row.call.action in [Action.CHOW, Action.PONG, Action.KONG]
        order = [(table.turn + 1 + number) % 4 for number in range(table.live)]
        assert position.draws == order.count(row.call.seat)
        for call in position.calls:
            first = row.call.seat + (len(call.meld.kinds) == 3)
            order = [(first + number) % 4 for number in range(table.live)]
            assert call.draws == order.count(row.call.seat)
            skipped += call.draws >= position.draws > 0
    assert skipped  # a call that skips other seats loses no draw


def test_folding_is_safe_from_a_player_close_to_a_win(logs: Path) -> None:
    found = review(logs / "tenhou-mjlog" / "game-01.mjlog")
    [game] = found.judged.games
    discards = found.judged.discards
    assert 0 < discards.folds.sum() < len(discards)
    for deal in range(len(game.rounds)):
        rows = {int(e): r for r, e in enumerate(discards.event) if discards.deal[r] == deal}
        thrown = {seat: set[int]() for seat in range(4)}
        ready, called = set[int](), dict.fromkeys(range(4), 0)
        for at, event in enumerate(game.rounds[deal].events):
            if event.action in (Action.CHOW, Action.PONG, Action.KONG):
                called[event.seat] += 1
            if event.action is Action.READY_STANDS:
                ready.add(event.seat)
            if event.action is Action.DISCARD:
                kind = KIND_OF[event.tile]
                others = [s for s in range(4) if s != event.seat and (s in ready or called[s] > 2)]
                assert discards.folds[rows[at]] == any(kind in thrown[s] for s in others)
                thrown[event.seat].add(kind)
    rows = list(found.discards)
    assert not any(rows[at]["folds"] for at in costliest(rows, len(rows)))


def test_results_do_not_depend_on_the_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "WorkerProcesses", LastingPool)
    logs = [tmp_path / f"{number}.json" for number in range(2)]
    for number, log in enumerate(logs):
        log.write_text(THREE.replace("<b>", f"<b>{number}"))
    options = ReviewOptions(form="jsonl", by="chance")
    for jobs in (1, 2):
        review_folder(logs, tmp_path / f"by-{jobs}", options, jobs=jobs)
    written = [
        {path.name: path.read_bytes() for path in (tmp_path / f"by-{jobs}").glob("*.json*")}
        for jobs in (1, 2)
    ]
    assert written[0] == written[1]
    assert len([name for name in written[0] if name.startswith("discards")]) == 2  # resumes by log
    assert json.loads(written[0]["summary.json"])["by"] == "chance"
    alone = review(logs, by="chance", jobs=2)
    rows = [
        json.loads(line)
        for name in sorted(written[0])
        if "discards" in name
        for line in written[0][name].splitlines()
    ]
    assert {row["position"] for row in rows} == {row["position"] for row in alone.discards}


def test_measure_stands_in_every_output(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(chance, "advise", cache(advise))
    log = tmp_path / "three.json"
    log.write_text(THREE)
    for by, words in (("chance", "Lost: chance to win"), ("deficiency", "Best: least deficiency")):
        for name in ("out.csv", "out.jsonl", "out.parquet", "page.html", "folder"):
            place = tmp_path / f"{by}-{name}"
            assert execute(["review", str(log), "--by", by, "-o", str(place), "-j", "1"]) == 0
            assert words in capsys.readouterr().out
        assert re.search(f",{by}[,\n]", (tmp_path / f"{by}-out.csv").read_text())
        assert json.loads((tmp_path / f"{by}-out.jsonl").read_text().splitlines()[0])["by"] == by
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_schema(tmp_path / f"{by}-out.parquet").metadata[b"by"] == by.encode()
        assert json.loads((tmp_path / f"{by}-folder" / "summary.json").read_text())["by"] == by


@pytest.mark.parametrize("by", ["luck", "", "Chance"])
def test_unknown_measure_is_refused(tmp_path: Path, by: str, capsys) -> None:
    log = tmp_path / "three.json"
    log.write_text(THREE)
    for more in ([], ["-o", str(tmp_path / "out")]):
        assert execute(["review", str(log), "--by", by, *more]) == 2
        assert "expected one of deficiency, draws, chance" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", [0, -1, "x", None])
def test_impossible_number_of_processes_is_refused(tmp_path: Path, jobs: object) -> None:
    log = tmp_path / "three.json"
    log.write_text(THREE)
    with pytest.raises(ArgumentError, match="at least 1"):
        review(log, jobs=jobs)
