"""Expand the graph of a class for the forms of a rule set, with labels of many hands at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.win_chance.graph import Graph, Ints, SearchSpace
from mjopt.hands.tiles import COPIES
from mjopt.tables.batch import label

Rows = NDArray[np.uint8]


def expand_by_labels(space: SearchSpace, limit: int) -> Graph | None:
    """Find all hands of a class that draws and discards reach, for any winning form.

    A hand is in the class if its new tiles and its deficiency add up to at most ``space.most``.
    The kernels of :mod:`mjopt.chances.win_chance.graph_expansion` find the same graph for the forms
    that have tables.

    Parameters
    ----------
    space
        The hand, the wall and the class.
    limit
        Give up if there are more hands.

    Returns
    -------
    Graph or None
        None if there are more.
    """
    return _Expansion(space).expand(limit)


@dataclass(frozen=True, eq=False)
class _Moves:
    """Hands and the tile that each draws or discards, row by row."""

    source: Ints  # the number of the hand, shape (M,)
    kind: Ints  # shape (M,)
    rows: Rows  # copies held afterwards, shape (M, K)


class _Expansion:
    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        self.held = np.array(space.hand.counts, np.int64)
        self.wall = np.array(space.wall, np.int64)

    def expand(self, limit: int) -> Graph | None:
        """Expand level by level until no new hands appear."""
        roots = self._roots()
        hands = _RowNumbers(len(self.held))
        fulls = _RowNumbers(len(self.held))
        hands.add(roots.rows)
        edges: list[NDArray[np.int64]] = []
        wins: list[NDArray[np.int64]] = []
        begin = 0
        while begin < len(hands) <= limit:
            drawn = self._draw(hands.rows(begin), begin)
            lacks = self._lacks(drawn.rows)
            is_win = lacks == 0
            wins.append(np.stack([drawn.source[is_win], drawn.kind[is_win]]))
            is_near = ~is_win & (lacks + self._num_new(drawn.rows) <= self.space.most + 1)
            begin = len(hands)
            first = len(fulls)
            fulls.add(drawn.rows[is_near])
            thrown = self._discard(fulls.rows(first), first)
            is_in = self._lacks(thrown.rows) + self._num_new(thrown.rows) <= self.space.most
            # A single discard within the class returns to the hand before the draw.
            is_in &= (
                np.bincount(thrown.source[is_in] - first, minlength=len(fulls) - first)[
                    thrown.source - first
                ]
                > 1
            )
            numbers = hands.add(thrown.rows[is_in])
            edges.append(np.stack([numbers, thrown.kind[is_in], thrown.source[is_in]]))
        if len(hands) > limit:
            return None
        return self._graph(roots, hands, np.concatenate(edges, 1), np.concatenate(wins, 1))

    def _graph(self, roots: _Moves, hands: "_RowNumbers", edges: Ints, wins: Ints) -> Graph:
        states = hands.rows(0)
        edges = edges[:, np.lexsort(edges[::-1])]
        wins = wins[:, np.lexsort(wins[::-1])]
        _, full = np.unique(edges[2], return_inverse=True)
        left = self.wall - np.maximum(states.astype(np.int64) - self.held, 0)
        return Graph(
            space=self.space,
            roots=dict(zip(roots.kind.tolist(), hands.add(roots.rows).tolist(), strict=True)),
            states=states,
            left=left,
            num_new=self._num_new(states),
            edge_state=edges[0],
            edge_kind=edges[1],
            edge_full=full.astype(np.int32),
            win_state=wins[0],
            win_kind=wins[1],
        )

    def _roots(self) -> _Moves:
        """Return the hand after each discard within the class; kind -1 before the draw."""
        hand = self.held.astype(np.uint8)[None]
        if not self.space.hand.is_full:
            return _Moves(np.zeros(1, np.int64), np.full(1, -1), hand)
        thrown = self._discard(hand, 0)
        is_in = self._lacks(thrown.rows) <= self.space.most
        return _Moves(thrown.source[is_in], thrown.kind[is_in], thrown.rows[is_in])

    def _draw(self, rows: Rows, first: int) -> _Moves:
        left = self.wall - np.maximum(rows.astype(np.int64) - self.held, 0)
        return _changed(rows, (left > 0) & (rows < COPIES), 1, first)

    def _discard(self, rows: Rows, first: int) -> _Moves:
        return _changed(rows, rows > 0, -1, first)

    def _num_new(self, rows: Rows) -> Ints:
        new: Ints = np.maximum(rows.astype(np.int64) - self.held, 0).sum(axis=1)
        return new

    def _lacks(self, rows: Rows) -> Ints:
        hand = self.space.hand
        found = label(
            rows, tiles=hand.tiles, called=hand.called, forms=self.space.forms, rules=hand.rules
        )
        return found.astype(np.int64)


def _changed(rows: Rows, may_change: NDArray[np.bool_], by: int, first: int) -> _Moves:
    source, kind = np.nonzero(may_change)
    after = rows[source]
    after[np.arange(len(after)), kind] += np.uint8(by % 256)
    return _Moves(source + first, kind, after)


class _RowNumbers:
    """Distinct rows, numbered in the order in which they appear."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._numbers: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, rows: Rows) -> Ints:
        """Return the numbers of rows, which are new or known."""
        numbers = self._numbers
        keys = [row.tobytes() for row in rows]
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)

    def rows(self, first: int) -> Rows:
        """Return the rows from a number on."""
        keys = list(self._numbers)[first:]
        return np.frombuffer(b"".join(keys), np.uint8).reshape(-1, self._width).copy()
