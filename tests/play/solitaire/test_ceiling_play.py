"""Rules played alone on random deals."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mjopt.errors import ArgumentError
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.play.solitaire.ceiling_play import deal_walls, play_deals

Array = NDArray[np.uint8]


def throw_first(hands: Array, walls: Array, draws: int) -> NDArray[np.int64]:
    assert (hands.sum(axis=1) == 14).all()
    assert (hands + walls <= 4).all()
    assert draws > 0
    return np.asarray(hands.argmax(axis=1), np.int64)


@pytest.mark.parametrize("tiles", [M0, FULL])
def test_walls_hold_each_tile_once(tiles: TileSet) -> None:
    walls = deal_walls(tiles, 50, tiles.num_tiles, (3, 0))

    assert (np.apply_along_axis(np.bincount, 1, walls) == 4).all()


def test_every_kind_is_dealt_equally_often_at_every_place() -> None:
    walls = deal_walls(M0, 40_000, 3, (1, 2))

    for place in range(3):
        drawn = np.bincount(walls[:, place], minlength=27)
        chi_square = ((drawn - 40_000 / 27) ** 2 / (40_000 / 27)).sum()
        assert chi_square < 60  # 99.98 % of 26 degrees of freedom


def test_result_does_not_depend_on_threads() -> None:
    one, two = (play_deals(throw_first, deals=30_000, draws=2, seed=5, threads=n) for n in (1, 2))

    assert one == two
    assert one.wins[-1] > 0


@pytest.mark.parametrize(("deals", "draws", "threads"), [(0, 1, 1), (1, -1, 1), (1, 1, 0)])
def test_wrong_numbers_are_refused(deals: int, draws: int, threads: int) -> None:
    with pytest.raises(ArgumentError, match="expected"):
        play_deals(throw_first, deals=deals, draws=draws, threads=threads)
