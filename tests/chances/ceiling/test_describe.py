"""Descriptions: exact numbers over all deals, against all hands one by one."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
import pytest
from chances.ceiling.conftest import Table

import mjopt
from mjopt import FULL, M0, TileSet
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.describe import (
    QUANTILES,
    _figure,
    describe_table,
    plot_description,
)
from mjopt.errors import ArgumentError, FileError


def all_hands(tiles: TileSet, size: int) -> np.ndarray:
    kinds = np.array([*combinations_with_replacement(range(tiles.num_kinds), size)])
    hands = np.zeros((len(kinds), tiles.num_kinds), np.uint8)
    np.add.at(hands, (np.arange(len(kinds))[:, None], kinds), 1)
    return hands[hands.max(axis=1) <= 4]


@pytest.mark.parametrize(("tiles", "called"), [(M0, 3), (M0, 4), (FULL, 4)], ids=str)
def test_description_agrees_with_all_hands(table: Table, tiles: TileSet, called: int) -> None:
    made = table(tiles=tiles.key, called=called, draws=6, all_layers=True)
    found = describe_table(made, threads=2)
    hands = all_hands(tiles, 14 - 3 * called)
    deals = np.array([comb(4, held) for held in range(5)])[hands].prod(axis=1)
    deficiency = mjopt.label(hands, called=called)
    best = mjopt.ceiling_many(hands, called=called, draws=6, table=made).max(axis=1)
    values = np.where(deficiency == 0, STORED_ONE, np.round(best * STORED_ONE)).astype(np.int64)

    assert found.every.deals == deals.sum() == comb(tiles.num_tiles, 14 - 3 * called)
    assert [group.deficiency for group in found.groups] == sorted({*deficiency.tolist()})
    for group in (*found.groups, found.every):
        is_in = np.full(len(hands), True)
        if group.deficiency is not None:
            is_in = deficiency == group.deficiency
        number = int(deals[is_in].sum())
        assert group.deals == number
        assert group.mean == Fraction(int((deals * values)[is_in].sum()), number * STORED_ONE)
        for share, quantile in zip(QUANTILES, group.quantiles, strict=True):
            number_at = int(quantile * STORED_ONE)
            at_most = deals[is_in & (values <= number_at)].sum()
            below = deals[is_in & (values < number_at)].sum()
            assert below < Fraction(str(share)) * number <= at_most
        extremes = (values[is_in].max(), values[is_in].min())
        for (hand, value), extreme in zip((group.highest, group.lowest), extremes, strict=True):
            assert value == Fraction(int(extreme), STORED_ONE)
            again = mjopt.ceiling(hand, draws=6, table=made)
            assert again.value == value
            assert group.deficiency in (None, mjopt.deficiency(hand))
    # Before rounding for the file, the mean is less by at most one unit.
    assert 0 <= found.every.mean - Fraction(found.means[-1]) <= Fraction(1, STORED_ONE)
    assert len(found.means) == 7


def test_description_does_not_depend_on_threads(table: Table) -> None:
    made = table(called=3, draws=6)
    assert describe_table(made, threads=1) == describe_table(made, threads=3)


def test_figure_shows_shares_of_deals_by_draws(table: Table) -> None:
    found = describe_table(table(called=4, draws=6))
    shares = [0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4]
    [panel] = _figure(found, shares).axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("draws to come", "deals won (%)")
    assert panel.get_ylim()[0] == 0
    ceiling, played = panel.get_lines()
    assert [*ceiling.get_xdata()] == [*played.get_xdata()] == [*range(7)]
    assert [*ceiling.get_ydata()] == [100 * mean for mean in found.means]
    assert [*played.get_ydata()] == [100 * share for share in shares]
    texts = [text.get_text() for text in panel.get_legend().get_texts()]
    assert texts == ["ceiling: no play wins more often", "played by the table"]
    assert len(_figure(found, None).axes[0].get_lines()) == 1


def test_plot_is_reproducible(table: Table, tmp_path: Path) -> None:
    found = describe_table(table(called=4, draws=6))
    paths = [tmp_path / name for name in ("a.svg", "b.svg", "c.svg")]
    for path in paths[:2]:
        plot_description(found, path)
    plot_description(found, paths[2], played=[0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4])
    texts = [path.read_text() for path in paths]
    assert texts[0] == texts[1] != texts[2]
    plot_description(found, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match="expected a name that ends in .svg or .png"):
        plot_description(found, tmp_path / "a.jpg")
    with pytest.raises(ArgumentError, match="played: 1 shares, expected 7"):
        plot_description(found, tmp_path / "a.svg", played=[0.5])
