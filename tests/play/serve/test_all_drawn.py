"""The chance that certain tiles are drawn equals the count of all sets of drawn tiles."""

from fractions import Fraction
from itertools import combinations

import pytest

from mjopt.play.serve.all_drawn import chance_to_draw


@pytest.mark.parametrize("missing", [(1, 0, 0), (1, 1, 0), (2, 0, 1), (0, 0, 0), (3, 2, 1)])
def test_chance_to_draw_counts_all_sets_of_drawn_tiles(missing: tuple[int, ...]) -> None:
    wall = (3, 2, 4)
    tiles = [kind for kind, copies in enumerate(wall) for _ in range(copies)]
    for draws in range(len(tiles) + 1):
        sets = list(combinations(tiles, draws))
        enough = sum(all(s.count(k) >= n for k, n in enumerate(missing)) for s in sets)
        assert chance_to_draw(missing, wall, draws) == Fraction(enough, len(sets))
