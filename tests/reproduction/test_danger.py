"""The measurement of danger on positions of real games."""

from pathlib import Path

import numpy as np
import pytest

import mjopt
from danger.measures import interval, measures, resamples, sample_of
from danger.models import SUJI_CLASSES, Kinds, kinds_of, shares, suji, weights_of
from danger.positions import Positions, count_hands, read_logs, read_table
from danger.run import main
from mjopt import PRIORS, Opponent, Position
from mjopt.errors import FileError

DATA = Path(__file__).parents[1] / "data"
TABLE = DATA / "danger" / "positions.parquet"
LOGS = DATA / "logs" / "tenhou-mjlog"


@pytest.fixture(scope="module")
def positions() -> Positions:
    return read_table(TABLE)


def test_shares_are_those_of_the_public_function(positions: Positions) -> None:
    few = positions.take(np.arange(0, 4925, 1500))
    kinds = kinds_of(few)
    found = shares(count_hands(few), kinds, weights_of(PRIORS["riichi-2022"]))
    for row, kind, share in zip(kinds.row.tolist(), kinds.kind.tolist(), found, strict=True):
        hand = mjopt.Hand.from_counts(
            few.hand[row].tolist(), called=(14 - int(few.hand[row].sum())) // 3
        )
        barred = np.flatnonzero(few.cannot_win_on[row]).tolist()
        opponent = Opponent(passed=barred, called=int(few.num_melds[row]), is_ready=True)
        position = Position(hand=hand, wall=tuple(few.unseen[row].tolist()))
        expected = mjopt.danger(position, opponent).kinds[kind].share_float
        assert share == pytest.approx(expected, rel=1e-12)


def test_kinds_that_are_proved_safe_are_no_waits(positions: Positions) -> None:
    few = positions.take(np.arange(0, 4925, 25))
    kinds = kinds_of(few)
    hands = count_hands(few)
    zero = hands.by_kind.sum(axis=1)[kinds.row, kinds.kind] == 0
    assert zero.any()
    assert not kinds.is_wait[zero].any()
    furiten = (few.true_waits & few.cannot_win_on).any(axis=1)
    assert ((hands.explained.sum(axis=1) == 0) == furiten).all()


def test_logs_give_the_same_kind_of_positions() -> None:
    """No hand that contradicts the log: each true hand is among those counted."""
    found = read_logs([LOGS])
    assert len(np.unique(found.game)) == 2
    assert ((found.unseen >= 0) & (found.unseen + found.hand <= 4)).all()
    assert (found.true_waits.sum(axis=1) > 0).all()
    few = found.take(np.arange(0, len(found.game), 5))
    furiten = (few.true_waits & few.cannot_win_on).any(axis=1)
    assert ((count_hands(few).explained.sum(axis=1) == 0) == furiten).all()


def test_suji_classes_follow_their_definition(positions: Positions) -> None:
    one = positions.take(np.array([0]))
    one.cannot_win_on[:] = False
    one.cannot_win_on[0, 3] = True  # 4m
    one.unseen[0, 27:] = [0, 1, 2, 3, 3, 3, 3]
    every = np.array([0, 1, 2, 4, 6, 27, 28, 29, 30])
    kinds = Kinds(np.zeros(9, np.int64), every, np.zeros(9, np.bool_))
    assert suji(one, kinds).tolist() == [1, 2, 4, 6, 5, 9, 10, 11, 12]
    assert suji(one, kinds).max() < SUJI_CLASSES


def test_measures_of_a_known_sample() -> None:
    kinds = Kinds(np.array([0, 0, 1, 1]), np.arange(4), np.array([True, False, False, True]))
    chance = np.array([0.5, 0.25, 0.5, 0.25])
    sample = sample_of(chance, kinds, np.array([0, 0, 1, 1]), 2)
    loss, auc, mean, safest = measures(sample, np.ones(2))
    assert loss == pytest.approx(-np.log([0.5, 0.75, 0.5, 0.25]).mean())
    assert (auc, mean, safest) == (0.5, 37.5, 50)
    assert measures(sample, np.array([1.0, 0.0]))[1] == 1
    times = resamples(2, 100, np.random.default_rng(1))
    assert (times.sum(axis=1) == 2).all()
    low, high = interval(np.array([measures(sample, row) for row in times.astype(float)]))
    assert (low <= high).all()


def test_run_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(LOGS), "--resamples", "3", "--several"])
    out = capsys.readouterr().out
    assert out.startswith("2 games, ")
    for words in ("| copies unseen |", "| exact, riichi-2022 |", "less exact, uniform", "`single`"):
        assert words in out


def test_wrong_sources_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FileError):
        read_table(tmp_path / "none.parquet")
    for source in (str(tmp_path), str(tmp_path / "none.parquet")):
        with pytest.raises(SystemExit):
            main([source])
        assert capsys.readouterr().err.splitlines()[-1].startswith("usage") is False
