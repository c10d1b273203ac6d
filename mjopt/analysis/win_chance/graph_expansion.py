"""How the graph of a class grows: draw into the hands that are new, discard, and so on."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance import _expansion_kernels
from mjopt.analysis.win_chance.graph import Graph, World
from mjopt.analysis.win_chance.suit_states import BITS, NUM_RANKS, Ints, Small, Suits
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.tables.table_file import NUM_SUIT, answers, load_tables

_FAR: Final = 99
_STARTS: Final = {27: (0, 9, 18, 27), 34: (0, 9, 18, 27, 34)}
_MASK: Final = (1 << BITS) - 1
_MOST: Final = 1 << 25  # hands, whatever they take


def grow_graph(world: World, most_states: int | None = None) -> Graph | None:
    """Find all hands of a class that draws and discards lead to.

    Parameters
    ----------
    world
        The hand, the wall, the class.
    most_states
        Give up beyond so many.

    Returns
    -------
    Graph or None
        None if there are more.
    """
    return _Growing(world).grow(most_states)


class _Growing:
    def __init__(self, world: World) -> None:
        self.world = world
        held = np.array(world.hand.counts)
        self.starts = _STARTS[len(held)]
        self.wall = np.array(world.wall)
        self.suits = [Suits(held[a:b]) for a, b in pairwise(self.starts)]
        self.answers = answers(len(held), world.hand.called)
        self.special = tuple(form for form in world.forms if form != STANDARD)
        if world.hand.called:
            self.special = ()  # only the standard form has melds

    def grow(self, most_states: int | None) -> Graph | None:
        """Keep edges as ``hand << 38 | kind << 32 | full``, wins as ``hand << 6 | kind``."""
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
            world=self.world,
            roots={kind: int(np.searchsorted(known, key)) for kind, key in roots.items()},
            states=self._join(known, lambda suit, _: suit.copies),
            left=self._join(known, lambda suit, wall: suit.left(wall)),
            news=self._news(self._split(known)),
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
        table = self.answers if STANDARD in self.world.forms else np.full_like(self.answers, _FAR)
        forms = np.array([SEVEN_PAIRS in self.special, THIRTEEN_ORPHANS in self.special])
        looked = (tables.pair_class, mixed, table, forms), self.world.most
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
        # Full hands in the order of their keys as well: what is near is looked up together.
        place = np.empty(fulls[1], np.int64)
        place[np.argsort(fulls[0][: fulls[1]])] = np.arange(fulls[1])
        edges = found & ~((1 << 32) - 1) | place[found & (1 << 32) - 1]
        return known, np.argsort(known), edges, wins[0][: wins[1]]

    def _stacked(self, numbers: Sequence[Any], change: int) -> Any:
        """Return what kernels look up of the suits: all one below the other, nine ranks wide."""
        steps = [s.steps(n, change) for s, n in zip(self.suits, numbers, strict=False)]
        first = np.cumsum([0, *(len(suit.copies) for suit in self.suits)])
        some = np.full((first[-1] + 1, NUM_RANKS), -1, np.int32)  # the last: of no fourth suit
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
        """Return the numbers of the suits behind keys."""
        return [keys >> BITS * place & _MASK for place in range(len(self.suits))]

    def _join(self, keys: Ints, look: Any) -> NDArray[Any]:
        """Return what is looked up suit by suit, side by side."""
        parts = zip(self.suits, self._split(keys), pairwise(self.starts), strict=True)
        return np.concatenate([look(s, self.wall[a:b])[n] for s, n, (a, b) in parts], axis=1)

    def _news(self, numbers: Sequence[Any]) -> Any:
        return sum(suit.news[some] for suit, some in zip(self.suits, numbers, strict=True))

    def _deficiency(self, numbers: Sequence[Any]) -> Any:
        """Return the deficiency of hands, given by the numbers of their suits."""
        tables = load_tables()
        first, second, *rest = (s.classes[n] for s, n in zip(self.suits, numbers, strict=True))
        last = tables.mixed_class[rest[0], rest[1]] if len(rest) == 2 else rest[0]
        found: Any = self.answers[tables.pair_class[first, second], last]
        if STANDARD not in self.world.forms:
            found = np.full(found.shape, _FAR, np.int8)
        if self.special:
            sums = sum(s.features[n] for s, n in zip(self.suits, numbers, strict=True))
            found = np.minimum(found, _special(np.asarray(sums), self.special))
        return found

    def _roots(self) -> dict[int, int]:
        """Return by discard the key of what it leaves, where that is of the class."""
        start = np.zeros(1, np.int64)
        if not self.world.hand.is_full:
            return {-1: 0}
        after, kinds, _ = self._discards(start)
        return dict(zip(kinds.tolist(), after.tolist(), strict=True))

    def _changed(self, keys: Ints, change: int) -> Any:
        """Yield, suit by suit, hands with one tile more or less of each kind of it.

        What is yielded is the place of the suit; of the hands its numbers, what they lack
        (``_FAR`` where there is no such hand) and the tiles that the hand of the world does
        not hold, shape (N, K) each.
        """
        numbers = self._split(keys)
        wide = [some[:, None] for some in numbers]
        news = self._news(numbers)
        for place, suit in enumerate(self.suits):
            after = suit.steps(numbers[place], change)[numbers[place]]
            is_real = after >= 0
            if change > 0:  # what is drawn lies in the wall
                wall = self.wall[self.starts[place] : self.starts[place + 1]]
                is_real &= (suit.left(wall) > 0)[numbers[place]]
            changed = [*wide]
            changed[place] = np.maximum(after, 0)
            lacks = np.where(is_real, self._deficiency(changed), np.int8(_FAR))
            others = (news - suit.news[numbers[place]])[:, None]
            yield place, after, lacks, others + suit.news[changed[place]]

    def _chosen(
        self, keys: Ints, place: int, after: Small, chosen: NDArray[np.bool_]
    ) -> tuple[Ints, Ints, Ints]:
        """Return the keys of chosen hands, the kinds changed, and the rows they come from."""
        row, rank = np.nonzero(chosen)
        shift = BITS * place
        changed = after[row, rank].astype(np.int64) << shift
        return keys[row] & ~(_MASK << shift) | changed, rank + self.starts[place], row

    def _discards(self, keys: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the hands of the class that full hands leave, what they throw, and which."""
        found = [
            self._chosen(keys, place, after, lacks + news <= self.world.most)
            for place, after, lacks, news in self._changed(keys, -1)
        ]
        after, kind, full = map(np.concatenate, zip(*found, strict=True))
        return after, kind, full


def _distinct(keys: Ints) -> Ints:
    """Return the distinct keys, ascending: sorting is the quickest for so many."""
    ordered = np.sort(keys)
    found: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return found


def _special(sums: NDArray[Any], forms: Sequence[str]) -> NDArray[np.int64]:
    """Return the least deficiency over forms without melds, by the sums of the suits' features."""
    found = np.full(sums.shape[:-1], _FAR)
    if SEVEN_PAIRS in forms:
        pairs = np.minimum(sums[..., 1], 7)
        found = np.minimum(found, 14 - 2 * pairs - np.minimum(sums[..., 2], 7 - pairs))
    if THIRTEEN_ORPHANS in forms:
        found = np.minimum(found, sums[..., 3] + (sums[..., 4] == 0))
    return found
