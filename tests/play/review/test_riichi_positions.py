"""Positions with one opponent in riichi, from logs."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from mjopt.datasets import build, make_plan, to_numpy
from mjopt.errors import FileError
from mjopt.play.review.api import read_source
from mjopt.play.review.riichi_positions import riichi_positions, waits_of, write_positions

LOGS = Path(__file__).parents[2] / "data" / "logs"
GAME = LOGS / "tenhou-mjlog" / "game-01.mjlog"


def test_file_has_the_discards_against_one_riichi(tmp_path: Path) -> None:
    [(_, _, game)] = read_source(GAME, is_alone=True)
    assert not isinstance(game, FileError)
    every = [*riichi_positions(game)]
    alone = [position for position in every if position.num_riichi == 1]
    assert 0 < len(alone) < len(every)
    path = tmp_path / "p.parquet"
    report = write_positions(read_source(GAME, is_alone=True), path)
    table = pq.read_table(path)
    assert (report.num_positions, report.num_games, report.refused) == (len(alone), 1, [])
    assert [tuple(hand) for hand in table["hand"].to_pylist()] == [one.hand for one in alone]
    assert {*table["num_riichi"].to_pylist()} == {1}
    for position in every:
        pairs = zip(position.hand, position.unseen, strict=True)
        assert all(left >= 0 and held + left <= 4 for held, left in pairs)
        assert sum(position.hand) % 3 == 2
        assert position.true_waits


def test_true_waits_are_never_proved_safe(tmp_path: Path) -> None:
    """Unless the opponent is in furiten himself."""
    path = tmp_path / "p.parquet"
    write_positions(read_source(GAME, is_alone=True), path)
    plan = make_plan(f"positions:{path}", rules="riichi", labels=("danger:riichi-2022",))
    build(plan, tmp_path / "set")
    verdicts = to_numpy(tmp_path / "set", ["danger_riichi_2022_verdict"])
    table = pq.read_table(path).to_pylist()
    rows = [row for row in table if sum(row["hand"]) == 14]
    assert len(rows) == plan.num_rows
    for row, codes in zip(rows, verdicts["danger_riichi_2022_verdict"], strict=True):
        barred = row["cannot_win_on"]
        assert (np.flatnonzero(codes == 0) == barred).all()
        if not {*row["true_waits"]} & {*barred}:
            assert (codes[row["true_waits"]] == 2).all()


def test_waits_of_a_hand_beside_a_concealed_kong() -> None:
    hand = [0] * 34
    for kind in (1, 2, 9, 10, 11, 18, 19, 20, 33, 33):
        hand[kind] += 1
    assert waits_of(tuple(hand), 1) == (0, 3)


def test_hidden_opponent_has_no_waits(tmp_path: Path) -> None:
    entries = read_source(LOGS / "mjai", is_alone=True)
    for _, _, game in entries:
        assert not isinstance(game, FileError)
        for position in riichi_positions(game):
            assert position.true_waits is None or position.true_waits


def test_file_is_not_written_if_nothing_is_found(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="0 games read"):
        write_positions([], tmp_path / "p.parquet")
    assert not [*tmp_path.iterdir()]
