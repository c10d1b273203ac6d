"""Readings and rules as the arrays of numbers that the kernels get."""

import numpy as np
from numpy.typing import NDArray

from mjopt.game.readings import CallTest, ChowChoice, Reading, Ties
from mjopt.game.rules import RuleSet
from mjopt.hands.forms import THIRTEEN_ORPHANS


def reading_choices(reading: Reading) -> NDArray[np.int64]:
    """Return the choices in the order in which ``_weights`` reads them.

    Examples
    --------
    >>> from mjopt.game.readings import DEFAULT_READING
    >>> reading_choices(DEFAULT_READING).tolist()
    [1, 0, 0, 4, 0, 0, 0, 0, 0, 6]
    """
    return np.array(
        [
            reading.most_locked,
            reading.locked_support,
            reading.locked_choosable,
            reading.four_alike,
            reading.ties is Ties.LAST,
            reading.chow_test is CallTest.TILE_IN,
            reading.pong_test is CallTest.TILE_IN,
            reading.chow_choice is ChowChoice.LEAST_TOTAL,
            reading.called_weight,
            reading.orphan_total,
        ],
        np.int64,
    )


def rule_settings(rules: RuleSet) -> NDArray[np.int64]:
    """Return what the kernel of whole games asks of the rules, in the order of ``_games``.

    Examples
    --------
    >>> from mjopt.game.rules import GMJBG
    >>> rule_settings(GMJBG).tolist()
    [122, 0, 0, 1]
    """
    return np.array(
        [
            rules.tiles.num_tiles - rules.dead_wall,
            rules.all_winners,
            rules.calls_on_last_discard,
            THIRTEEN_ORPHANS in rules.forms,
        ],
        np.int64,
    )
