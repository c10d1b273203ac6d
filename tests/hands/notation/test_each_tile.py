import pytest

from mjopt.errors import NotationError, TileError
from mjopt.hands.notation.base import each_tile
from mjopt.hands.notation.yan_li import Paper
from mjopt.hands.tiles import FULL, M0

FIVE = (0, 0, 0, 0, 1) + (0,) * 22


def test_red_fives_come_first():
    two, one = tuple(2 * copies for copies in FIVE), FIVE
    assert list(each_tile(two, one, M0)) == [("5m", True), ("5m", False)]
    assert list(each_tile(two, (), M0)) == [("5m", False), ("5m", False)]


def test_more_red_fives_than_copies_are_refused():
    with pytest.raises(NotationError, match=r"^2 red of 1 5m, expected at most 1$"):
        list(each_tile(FIVE, tuple(2 * copies for copies in FIVE), M0))


@pytest.mark.parametrize("red", [(), FIVE])
def test_counts_of_another_tile_set_are_refused(red):
    with pytest.raises(TileError, match="expected 34"):
        list(each_tile(FIVE, red, FULL))


def test_kind_without_symbol_is_refused():
    with pytest.raises(NotationError, match=r"^1z has no sign in notation paper$"):
        Paper().symbol("1z")
