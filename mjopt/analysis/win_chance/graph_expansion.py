"""Expand the graph of a class: alternate draws and discards until no new hands appear."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _expansion_kernels
from mjopt.analysis.win_chance.graph import Graph, SearchSpace
from mjopt.analysis.win_chance.suit_states import BITS, NUM_RANKS, Ints, Small, SuitStates
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.tables.table_file import NUM_SUIT, answers, load_tables

_FAR: Final = 99
_STARTS: Final = {27: (0, 9, 18, 27), 34: (0, 9, 18, 27, 34)}
_MASK: Final = (1 << BITS) - 1
_MOST: Final = 1 << 25  # hands; a hard limit


def expand_graph(space: SearchSpace, most_states: int | None = None) -> Graph | None:
    """Find all hands of a class that draws and discards reach.

    Parameters
    ----------
    space
        The hand, the wall and the class.
    most_states
        Give up if there are more.

    Returns
    -------
    Graph or None
        None if there are more.
    """
    return _Expansion(space).expand(most_states)


class _Expansion:
    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        held = np.array(space.hand.counts)
        self.starts = _STARTS[len(held)]
        self.wall = np.array(space.wall)
        self.suits = [SuitStates(held[a:b]) for a, b in pairwise(self.starts)]
        self.answers = answers(len(held), space.hand.called)
        self.special = tuple(form for form in space.forms if form != STANDARD)
        if space.hand.called:
            self.special = ()  # only the standard form has melds

    def expand(self, most_states: int | None) -> Graph | None:
        """Expand; edges are ``hand << 38 | kind << 32 | full``, wins ``hand << 6 | kind``."""
        roots = self._roots()
        first = _distinct(np.array(list(roots.values()), np.int64))
        limit = _MOST if most_states is None else most_states
        grown = self._expand(first, limit)
        known, order, edges, wins = grown
        if len(known) > limit:
            return None
        rank = np.empty(len(known), np.int64)
        rank[order] = np.arange(len(known))
        known = known[order]
        edges = np.sort(rank[edges >> 38] << 38 | edges & (1 << 38) - 1)
        wins = np.sort(rank[wins >> 6] << 6 | wins & 63)
        return Graph(
            space=self.space,
            roots={kind: int(np.searchsorted(known, key)) for kind, key in roots.items()},
            states=self._join(known, lambda suit, _: suit.copies),
            left=self._join(known, lambda suit, wall: suit.left(wall)),
            num_new=self._num_new(self._split(known)),
            edge_state=edges >> 38,
            edge_kind=edges >> 32 & 63,
            edge_full=(edges & (1 << 32) - 1).astype(np.int32),
            win_state=wins >> 6,
            win_kind=wins & 63,
        )

    def _expand(self, first: Ints, limit: int) -> Any:
        """Expand level by level."""
        tables = load_tables()
        mixed: Any = tables.mixed_class
        if len(self.suits) == 3:
            mixed = np.arange(NUM_SUIT, dtype=np.uint8)[:, None]
        table = self.answers if STANDARD in self.space.forms else np.full_like(self.answers, _FAR)
        forms = np.array([SEVEN_PAIRS in self.special, THIRTEEN_ORPHANS in self.special])
        looked = (tables.pair_class, mixed, table, forms), self.space.most
        none = np.zeros(0, np.int64)
        hands, fulls = _expansion_kernels.table_kernel(first), _expansion_kernels.table_kernel(none)
        wins, edges, begin = (none, 0), (none, 0), 0
        while begin < hands[1] <= limit:
            fresh = hands[0][begin : hands[1]]
            suits = self._stacked(self._split(fresh), 1)
            drawn, wins, rows = _expansion_kernels.draw_kernel(suits, *looked, fresh, begin, wins)
            starts = [*suits[0].tolist(), len(rows)]
            numbers = [np.flatnonzero(rows[a:b]) for a, b in pairwise(starts)]
            begin, suits = hands[1], self._stacked(numbers, -1)
            fulls, hands, edges = _expansion_kernels.discard_kernel(
                suits, *looked, _distinct(drawn), fulls, hands, edges, limit
            )
        known, found = hands[0][: hands[1]], edges[0][: edges[1]]
        # Sort full hands by key as well, for locality.
        place = np.empty(fulls[1], np.int64)
        place[np.argsort(fulls[0][: fulls[1]])] = np.arange(fulls[1])
        edges = found & ~((1 << 32) - 1) | place[found & (1 << 32) - 1]
        return known, np.argsort(known), edges, wins[0][: wins[1]]

    def _stacked(self, numbers: Sequence[Any], change: int) -> Any:
        """Return the suits' tables for the kernels, stacked, nine ranks wide."""
        steps = [s.steps(n, change) for s, n in zip(self.suits, numbers, strict=False)]
        first = np.cumsum([0, *(len(suit.copies) for suit in self.suits)])
        some = np.full((first[-1] + 1, NUM_RANKS), -1, np.int32)  # the last row: no fourth suit
        classes, features = np.zeros(len(some), np.uint8), np.zeros((len(some), 5), np.int64)
        has = np.zeros(some.shape, bool)
        for suit, known, (a, b), (c, d) in zip(
            self.suits, steps, pairwise(first), pairwise(self.starts), strict=True
        ):
            some[a : min(b, a + len(known)), : d - c] = known[: b - a]
            classes[a:b], features[a:b] = suit.classes, suit.features
            has[a:b, : d - c] = suit.left(self.wall[c:d]) > 0
        return first[:4], some, classes, features, has

    def _split(self, keys: Ints) -> list[Any]:
        """Return the suit numbers of keys."""
        return [keys >> BITS * place & _MASK for place in range(len(self.suits))]

    def _join(self, keys: Ints, look: Any) -> NDArray[Any]:
        """Look up values suit by suit and concatenate them."""
        parts = zip(self.suits, self._split(keys), pairwise(self.starts), strict=True)
        return np.concatenate([look(s, self.wall[a:b])[n] for s, n, (a, b) in parts], axis=1)

    def _num_new(self, numbers: Sequence[Any]) -> Any:
        return sum(suit.num_new[some] for suit, some in zip(self.suits, numbers, strict=True))

    def _deficiency(self, numbers: Sequence[Any]) -> Any:
        """Return the deficiency of hands given by suit numbers."""
        tables = load_tables()
        first, second, *rest = (s.classes[n] for s, n in zip(self.suits, numbers, strict=True))
        last = tables.mixed_class[rest[0], rest[1]] if len(rest) == 2 else rest[0]
        found: Any = self.answers[tables.pair_class[first, second], last]
        if STANDARD not in self.space.forms:
            found = np.full(found.shape, _FAR, np.int8)
        if self.special:
            sums = sum(s.features[n] for s, n in zip(self.suits, numbers, strict=True))
            found = np.minimum(found, _special(np.asarray(sums), self.special))
        return found

    def _roots(self) -> dict[int, int]:
        """Return the key of the hand after each discard within the class."""
        start = np.zeros(1, np.int64)
        if not self.space.hand.is_full:
            return {-1: 0}
        after, kinds, _ = self._discards(start)
        return dict(zip(kinds.tolist(), after.tolist(), strict=True))

    def _changed(self, keys: Ints, change: int) -> Any:
        """Yield, suit by suit, the hands with one tile more or fewer of each kind.

        Each item is the index of the suit and three arrays of shape (N, K): the new numbers of
        the suit, the deficiencies (``_FAR`` if there is no such hand) and the numbers of tiles
        that the first hand does not hold.
        """
        numbers = self._split(keys)
        wide = [some[:, None] for some in numbers]
        num_new = self._num_new(numbers)
        for place, suit in enumerate(self.suits):
            after = suit.steps(numbers[place], change)[numbers[place]]
            is_real = after >= 0
            if change > 0:  # drawn tiles are in the wall
                wall = self.wall[self.starts[place] : self.starts[place + 1]]
                is_real &= (suit.left(wall) > 0)[numbers[place]]
            changed = [*wide]
            changed[place] = np.maximum(after, 0)
            lacks = np.where(is_real, self._deficiency(changed), np.int8(_FAR))
            others = (num_new - suit.num_new[numbers[place]])[:, None]
            yield place, after, lacks, others + suit.num_new[changed[place]]

    def _chosen(
        self, keys: Ints, place: int, after: Small, chosen: NDArray[np.bool_]
    ) -> tuple[Ints, Ints, Ints]:
        """Return the keys, changed kinds and source rows of selected hands."""
        row, rank = np.nonzero(chosen)
        shift = BITS * place
        changed = after[row, rank].astype(np.int64) << shift
        return keys[row] & ~(_MASK << shift) | changed, rank + self.starts[place], row

    def _discards(self, keys: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the hands after each discard within the class, the kinds and the source rows."""
        found = [
            self._chosen(keys, place, after, lacks + num_new <= self.space.most)
            for place, after, lacks, num_new in self._changed(keys, -1)
        ]
        after, kind, full = map(np.concatenate, zip(*found, strict=True))
        return after, kind, full


def _distinct(keys: Ints) -> Ints:
    """Return the distinct keys, ascending."""
    ordered = np.sort(keys)
    found: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return found


def _special(sums: NDArray[Any], forms: Sequence[str]) -> NDArray[np.int64]:
    """Return the least deficiency over the forms without melds, from summed features."""
    found = np.full(sums.shape[:-1], _FAR)
    if SEVEN_PAIRS in forms:
        pairs = np.minimum(sums[..., 1], 7)
        found = np.minimum(found, 14 - 2 * pairs - np.minimum(sums[..., 2], 7 - pairs))
    if THIRTEEN_ORPHANS in forms:
        found = np.minimum(found, sums[..., 3] + (sums[..., 4] == 0))
    return found
