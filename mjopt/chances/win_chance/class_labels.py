"""Whether many hands belong to a class of plays, by their deficiency for each winning form."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.win_chance.graph import Ints, SearchSpace
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.tables.labels.rule_labels import RuleLabels

_MANY: Final = 1 << 20  # rows that the search asks for in all: tables and kernels are worth it


class ClassLabels:
    """Whether hands are in a class, and whether they win.

    The called melds of the hand of the space decide which templates are possible.
    """

    def __init__(self, space: SearchSpace) -> None:
        hand = space.hand
        query = HandQuery.of_checked(hand, space.forms)
        by_limit: dict[tuple[int, int], list[Template]] = {}
        is_one = len({*space.limits}) == 1
        for place, (form, limit) in enumerate(zip(space.forms, space.limits, strict=True)):
            # Forms of equal limits are looked up together, or else each alone: sets of forms would
            # need tables and kernels of their own.
            part = by_limit.setdefault((limit, 0 if is_one else place), [])
            part += query.templates(form)
        self._parts = [
            (limit, RuleLabels(tuple(templates), hand.tiles, hand.called, num_rows=_MANY))
            for (limit, _), templates in by_limit.items()
            if templates
        ]

    def of(self, rows: NDArray[np.uint8], num_new: Ints) -> tuple[NDArray[np.bool_], Ints]:
        """Return whether hands win, and by how much they exceed the limit of the class.

        ``rows`` are copies held, shape ``(N, K)``; ``num_new`` are the tiles of each that the first
        hand does not hold, shape ``(N,)``.
        """
        is_win = np.zeros(len(rows), np.bool_)
        beyond = np.full(len(rows), UNREACHABLE, np.int64)
        labels = np.empty(len(rows), np.int8)
        for limit, plan in self._parts if len(rows) else ():
            plan.fill(rows, None, labels, partial=False)
            is_win |= labels == 0
            np.minimum(beyond, labels - np.int64(limit), out=beyond)
        return is_win, beyond + num_new
