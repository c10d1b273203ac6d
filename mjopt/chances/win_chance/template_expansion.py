"""Expand the graph of a class for the forms of a rule set, with labels of many hands at once."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.win_chance.graph import Graph, Ints, SearchSpace
from mjopt.hands.tiles import COPIES
from mjopt.tables.batch import label

SLOWER: Final = 8
"""Hands by labels take that many times as long as by the kernels of today's forms."""

KINDS_IN_WORD: Final = 21
PART: Final = 1 << 15  # full hands whose discards are tried at once

Rows = NDArray[np.uint8]
Words = NDArray[np.uint64]


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


class _Hands(NamedTuple):
    """Hands, row by row.

    ``rows`` are the copies held, shape ``(N, K)``; ``words`` the same copies, three bits for each
    kind, shape ``(N, W)``; ``num_new`` the tiles that the first hand does not hold, shape ``(N,)``.
    """

    rows: Rows
    words: Words
    num_new: Ints

    def take(self, places: Ints | NDArray[np.bool_] | slice) -> "_Hands":
        """Return some of the hands."""
        return _Hands(self.rows[places], self.words[places], self.num_new[places])


class _Moves(NamedTuple):
    """Tiles that hands draw or discard: the number of the hand, the kind, and the hand after."""

    source: Ints
    kind: Ints
    after: _Hands

    def take(self, places: NDArray[np.bool_]) -> "_Moves":
        """Return some of the moves."""
        return _Moves(self.source[places], self.kind[places], self.after.take(places))


class _Expansion:
    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        self.held = np.array(space.hand.counts, np.int16)
        self.wall = np.array(space.wall, np.int16)

    def expand(self, limit: int) -> Graph | None:
        """Expand level by level until no new hands appear."""
        roots = self._roots()
        num_words = roots.after.words.shape[1]
        hands, fulls = _Numbers(num_words), _Numbers(num_words)
        root_numbers = hands.add(roots.after.words)
        found = [roots.after.take(_first_places(root_numbers))]
        # Both begin empty: a complete hand has no discard within the class.
        edges: list[Ints] = [np.zeros((3, 0), np.int64)]
        wins: list[Ints] = [np.zeros((2, 0), np.int64)]
        begin = 0
        while begin < len(hands) <= limit:
            drawn = self._draw(found[-1], begin)
            begin = len(hands)
            lacks = self._lacks(drawn.after)
            is_win = lacks == 0
            wins.append(np.stack([drawn.source[is_win], drawn.kind[is_win]]))
            beyond = lacks + drawn.after.num_new - self.space.most
            places = np.flatnonzero(~is_win & (beyond <= 1))
            first = len(fulls)
            numbers = fulls.add(drawn.after.words[places])
            fresh = _first_places(numbers, first)
            full = drawn.after.take(places[fresh])
            level = self._discards(full, beyond[places[fresh]] == 1, first)
            before = len(hands)
            after = hands.add(level.after.words)
            found.append(level.after.take(_first_places(after, before)))
            edges.append(np.stack([after, level.kind, level.source]))
        if len(hands) > limit:
            return None
        every = _Hands(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
        number_of_roots = dict(zip(roots.kind.tolist(), root_numbers.tolist(), strict=True))
        return self._graph(number_of_roots, every, np.hstack(edges), np.hstack(wins))

    def _graph(self, roots: dict[int, int], hands: _Hands, edges: Ints, wins: Ints) -> Graph:
        edges = edges[:, np.lexsort(edges[::-1])]
        wins = wins[:, np.lexsort(wins[::-1])]
        _, full = np.unique(edges[2], return_inverse=True)
        left = self.wall - np.maximum(hands.rows - self.held, 0)
        return Graph(
            space=self.space,
            roots=roots,
            states=hands.rows,
            left=left.astype(np.int64),
            num_new=hands.num_new,
            edge_state=edges[0],
            edge_kind=edges[1],
            edge_full=full.astype(np.int32),
            win_state=wins[0],
            win_kind=wins[1],
        )

    def _roots(self) -> _Moves:
        """Return the hand after each discard within the class; kind -1 before the draw."""
        rows = self.held.astype(np.uint8)[None]
        hand = _Hands(rows, _words(rows), np.zeros(1, np.int64))
        if not self.space.hand.is_full:
            return _Moves(np.zeros(1, np.int64), np.full(1, -1), hand)
        thrown = self._moves(hand, rows > 0, -1, 0)
        return thrown.take(self._lacks(thrown.after) <= self.space.most)

    def _draw(self, hands: _Hands, first: int) -> _Moves:
        left = self.wall - np.maximum(hands.rows - self.held, 0)
        return self._moves(hands, (left > 0) & (hands.rows < COPIES), 1, first)

    def _discards(self, full: _Hands, is_new_only: NDArray[np.bool_], first: int) -> _Moves:
        """Return the discards that lead to the class, of full hands with two or more of them.

        A single discard returns to the hand before the draw. Where only a discard of a new tile
        can lead to the class, ``is_new_only``, the others are not tried.
        """
        kept = []
        for begin in range(0, len(full.rows), PART):
            some = full.take(slice(begin, begin + PART))
            least = np.where(is_new_only[begin : begin + PART, None], self.held, 0)
            thrown = self._moves(some, some.rows > least, -1, first + begin)
            thrown = thrown.take(
                self._lacks(thrown.after) + thrown.after.num_new <= self.space.most
            )
            place = thrown.source - first - begin
            ways = np.bincount(place, minlength=len(some.rows))
            kept.append(thrown.take(ways[place] > 1))
        if not kept:
            return self._moves(full, full.rows > 0, -1, first)
        parts = zip(*(part.after for part in kept), strict=True)
        return _Moves(
            np.concatenate([part.source for part in kept]),
            np.concatenate([part.kind for part in kept]),
            _Hands(*(np.concatenate(arrays) for arrays in parts)),
        )

    def _moves(self, hands: _Hands, may_move: NDArray[np.bool_], by: int, first: int) -> _Moves:
        source, kind = np.nonzero(may_move)
        rows, words, every = hands.rows[source], hands.words[source], np.arange(len(source))
        rows[every, kind] += np.uint8(by % 256)
        words[every, kind // KINDS_IN_WORD] += np.uint64(by % (1 << 64)) << (
            np.uint64(3) * (kind % KINDS_IN_WORD).astype(np.uint64)
        )
        more = rows[every, kind] >= self.held[kind] + (by > 0)
        num_new = hands.num_new[source] + by * more
        return _Moves(source + first, kind, _Hands(rows, words, num_new))

    def _lacks(self, hands: _Hands) -> Ints:
        hand, forms = self.space.hand, self.space.forms
        labels = label(
            hands.rows, tiles=hand.tiles, called=hand.called, forms=forms, rules=hand.rules
        )
        return labels.astype(np.int64)


def _words(rows: Rows) -> Words:
    """Return rows with three bits for each kind, 21 kinds in a word."""
    words = np.zeros((len(rows), -(-rows.shape[1] // KINDS_IN_WORD)), np.uint64)
    for kind in range(rows.shape[1]):
        shift = np.uint64(3 * (kind % KINDS_IN_WORD))
        words[:, kind // KINDS_IN_WORD] |= rows[:, kind].astype(np.uint64) << shift
    return words


def _first_places(numbers: Ints, least: int = 0) -> Ints:
    """Return where each number from ``least`` on appears first, in the order of the numbers."""
    found, places = np.unique(numbers, return_index=True)
    return places[found >= least]


class _Numbers:
    """Distinct hands, numbered as they appear; a hand is its words."""

    def __init__(self, num_words: int) -> None:
        self._words = np.zeros((0, num_words), np.uint64)  # sorted
        self._numbers = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, words: Words) -> Ints:
        """Return the numbers of hands, which are new or known."""
        every = np.concatenate([self._words, words])
        order = np.lexsort(every.T)
        ordered = every[order]
        is_first = np.ones(len(every), np.bool_)
        is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        known = np.full(len(every), -1, np.int64)
        known[: len(self._numbers)] = self._numbers
        # The sort is stable, so that a known hand comes before the equal ones that are added.
        numbers = known[order][is_first]
        is_new = numbers < 0
        numbers[is_new] = len(self) + np.arange(int(is_new.sum()))
        found = np.empty(len(every), np.int64)
        found[order] = numbers[np.cumsum(is_first) - 1]
        size = len(self._numbers)
        self._words, self._numbers = ordered[is_first], numbers
        return found[size:]
