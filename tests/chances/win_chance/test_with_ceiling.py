"""Optimal play with a ceiling table."""

import sys

import numpy as np
import pytest

from mjopt import Hand, optimal_play
from mjopt.chances.ceiling import CeilingTable, TableKey, build_ceiling
from mjopt.errors import FileError, HandError
from mjopt.hands.tiles import M0
from mjopt.play.solitaire.ceiling_play import deal_walls

DRAWS = 8
NEAR = Hand.parse("1266m39p12s", called=2)
FAR = Hand.parse("147m258p36s", called=2)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> CeilingTable:
    key = TableKey(called=2, draws=DRAWS)
    return build_ceiling(tmp_path_factory.mktemp("data") / key.file_name, key=key)


def deals(number: int) -> list[Hand]:
    walls = deal_walls(M0, number, 8, (1, 1))
    counts = [np.bincount(wall, minlength=27).tolist() for wall in walls]
    return [Hand.from_counts(row, called=2) for row in counts]


def test_no_lower_bound_exceeds_the_ceiling(table: CeilingTable) -> None:
    for hand in deals(6):
        bounded = optimal_play(hand, draws=DRAWS, waste=1, table=table)

        assert bounded.ceiling_is_bound
        for row in bounded.discards:
            assert row.ceiling is not None
            assert row.lower <= row.upper <= row.upper_any <= row.ceiling


def test_ceiling_is_only_a_guide_if_tiles_are_seen(table: CeilingTable) -> None:
    wall = [max(left - 1, 0) for left in NEAR.unseen]
    plain = optimal_play(NEAR, wall=wall, draws=DRAWS, waste=0, table=False)
    guided = optimal_play(NEAR, wall=wall, draws=DRAWS, waste=0, table=table)

    assert guided.ceiling_is_bound is False
    assert [row.upper_any for row in guided.discards] == [row.upper_any for row in plain.discards]
    assert all(row.ceiling is not None for row in guided.discards)


def test_far_hands_are_ranked_by_ceiling(table: CeilingTable) -> None:
    play = optimal_play(FAR, draws=DRAWS, waste=0, table=table)
    ceilings = [row.ceiling or 0 for row in play.discards]

    assert play.deficiency >= 4
    assert play.is_ranked_by_ceiling
    assert ceilings == sorted(ceilings, reverse=True)


def test_hands_that_are_too_far_to_search_have_a_ceiling(
    table: CeilingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["mjopt.chances.win_chance.optimal_play"]  # the name is a function too
    monkeypatch.setattr(module, "MAX_STATES", 3)
    play = optimal_play(FAR, draws=DRAWS, waste=1, table=table)

    assert (play.stopped, play.states, play.best.lower) == ("table", 0, 0)
    assert 0 < play.best.upper_any <= (play.best.ceiling or 0)
    with pytest.raises(HandError, match="too far"):
        play.curve()
    with pytest.raises(HandError, match="too far"):
        play.to_certificate()
    with pytest.raises(HandError, match="more than 3 hands"):
        optimal_play(FAR, draws=DRAWS, waste=1, table=False)


def test_table_of_another_question_is_refused(table: CeilingTable) -> None:
    with pytest.raises(FileError, match="draws 8, called 2, expected one of .* draws 9"):
        optimal_play(NEAR, draws=9, table=table)
    with pytest.raises(FileError, match="expected one of"):
        optimal_play("22557m234p34789s3m", draws=DRAWS, table=table)
