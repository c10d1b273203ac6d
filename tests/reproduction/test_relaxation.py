"""The sampled bound, and rules that use a table, against exact values."""

from math import comb
from pathlib import Path

import pytest

from ceiling.relaxation import relaxed_bound
from mjopt.chances.ceiling import CeilingTable, TableKey, build_ceiling
from mjopt.errors import FileError
from mjopt.play.solitaire.ceiling_play import ceiling_rule, lookahead_rule, play_deals

DRAWS = 4


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[int, CeilingTable]:
    folder: Path = tmp_path_factory.mktemp("tables")
    keys = [TableKey(called=called, draws=DRAWS, all_layers=True) for called in (3, 4)]
    return {key.called: build_ceiling(folder / key.file_name, key=key) for key in keys}


def exact_mean_of_two_tiles() -> float:
    """Return the mean of optimal play over all deals of two tiles.

    A pair wins at once. Of two different tiles either is kept: no other tile ever has more than
    three copies left.
    """
    pair = 3 / 107
    return pair + (1 - pair) * (1 - comb(103, DRAWS) / comb(106, DRAWS))


def test_bound_is_not_below_optimal_play(tables: dict[int, CeilingTable]) -> None:
    bound = relaxed_bound(tables[4], deals=300, seed=1)

    assert bound.complete == 300
    assert bound.interval[1] >= exact_mean_of_two_tiles()
    assert bound.ceiling >= exact_mean_of_two_tiles()


def test_bound_does_not_depend_on_threads(tables: dict[int, CeilingTable]) -> None:
    one, two = (relaxed_bound(tables[3], deals=60, seed=2, threads=n) for n in (1, 2))

    assert one == two
    assert 0 <= one.loss < 0.05


def test_rules_win_less_often_than_the_ceiling(tables: dict[int, CeilingTable]) -> None:
    for called, table in tables.items():
        for rule in (ceiling_rule(table), lookahead_rule(table)):
            played = play_deals(rule, deals=2000, draws=DRAWS, called=called, seed=3)
            share, ceiling = played.curve[-1], table.means[-1]

            assert abs(share - ceiling) < 0.04  # the standard error is less than 0.008


def test_table_without_all_layers_is_refused(tmp_path: Path) -> None:
    table = build_ceiling(tmp_path / "one", key=TableKey(called=4, draws=2))

    with pytest.raises(FileError, match="all layers"):
        relaxed_bound(table)
