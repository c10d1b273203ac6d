import numpy as np
import pytest

from mjopt.errors import GameError
from mjopt.hands.tiles import FULL, M0
from mjopt.play.game import agent_stream, shuffle_wall


def test_wall_has_four_of_each_kind():
    assert sorted(shuffle_wall(3, 7, M0)) == sorted(list(range(27)) * 4)


def test_walls_differ_by_seed_and_game():
    walls = {shuffle_wall(seed, game, FULL) for seed in range(20) for game in range(50)}
    assert len(walls) == 1000


def test_walls_are_the_same_in_every_version():
    """Records store only seed and game number."""
    assert shuffle_wall(2017, 0, FULL)[:6] == (15, 12, 32, 9, 9, 28)
    assert shuffle_wall(2017, 1, M0)[:6] == (7, 12, 3, 2, 8, 24)


def test_kinds_are_uniform_at_every_position():
    """Chi-square test with 26 degrees of freedom, p = 1e-6."""
    walls = np.array([shuffle_wall(9, game, M0) for game in range(5_000)])
    expected = len(walls) / 27
    for place in (0, 13, 53, 107):
        found = np.bincount(walls[:, place], minlength=27)
        assert ((found - expected) ** 2 / expected).sum() < 75
    together = np.mean(walls[:, 0] == walls[:, 107])  # 3 of the other 107 are the same kind
    assert abs(together - 3 / 107) < 5 * np.sqrt(3 / 107 / len(walls))


@pytest.mark.parametrize(("seed", "game"), [(-1, 0), (0, -1), (2**64, 0)])
def test_numbers_out_of_range_are_refused(seed, game):
    with pytest.raises(GameError, match=r"expected 0..2\*\*64 - 1"):
        shuffle_wall(seed, game, M0)


def test_streams_differ_by_seat_run_game_and_seed():
    first = [
        agent_stream(seed, game, seat, run=run).integers(2**63)
        for seed in (1, 2)
        for game in (1, 2)
        for seat in range(4)
        for run in range(2)
    ]
    assert len(set(first)) == len(first)
    again = agent_stream(1, 1, 0).integers(2**63)
    assert again == first[0]
