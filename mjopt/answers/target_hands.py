"""Targets: every complete hand at the least distance, counted and listed lazily."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

from mjopt.hands.forms import (
    SEVEN_PAIRS,
    STANDARD,
    UNREACHABLE,
    capped_unseen,
    check_forms,
    missing_tiles,
    orphan_kinds,
)
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.network import network_graph
from mjopt.models.shortest_path import cost_to_go

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The nearest complete hands of one hand.

    Iterating yields them one by one, as copies per kind, each once within its form;
    ``number`` counts them without listing.

    Parameters
    ----------
    hand
        The hand.
    unseen
        Copies of each kind that can still arrive.
    deficiency
        Their distance; ``UNREACHABLE`` if there are none.
    forms
        The forms that have targets at that distance.
    """

    hand: Hand
    unseen: Counts
    deficiency: int
    forms: tuple[str, ...]

    @property
    def number(self) -> int:
        """How many targets there are, summed over the forms."""
        return sum(self.number_of(form) for form in self.forms)

    def number_of(self, form: str) -> int:
        """Return how many targets one form has."""
        if form == STANDARD:
            return _Walk(self.hand, self.unseen).count(0, frozenset([0]))
        if form == SEVEN_PAIRS:
            sure, open_kinds, wanted = _pair_choice(self.hand, self.unseen)
            return comb(len(open_kinds), wanted - len(sure))
        return sum(1 for _ in self.of(form))

    def __iter__(self) -> Iterator[Counts]:
        """Yield the targets, form by form."""
        for form in self.forms:
            yield from self.of(form)

    def of(self, form: str) -> Iterator[Counts]:
        """Yield the targets of one form, in lexicographic order of their copies or pairs."""
        if form == STANDARD:
            yield from _Walk(self.hand, self.unseen).each(0, frozenset([0]), ())
        elif form == SEVEN_PAIRS:
            sure, open_kinds, wanted = _pair_choice(self.hand, self.unseen)
            for more in combinations(open_kinds, wanted - len(sure)):
                chosen = {*sure, *more}
                yield tuple(2 * (kind in chosen) for kind in range(len(self.unseen)))
        else:
            yield from _orphans(self.hand, self.unseen, self.deficiency)


def targets(
    hand: Hand, *, unseen: Iterable[int] | None = None, forms: Iterable[str] = (STANDARD,)
) -> Targets:
    """Return the complete hands at the least distance.

    Parameters
    ----------
    hand
        The hand, before or after its draw.
    unseen
        Copies of each kind that can still arrive; by default all not held or shown.
    forms
        The winning forms; those further away than the least have no targets.

    Examples
    --------
    >>> found = targets(Hand.parse("1112345678999m1p"))
    >>> found.deficiency, found.number, len(list(found))
    (1, 12, 12)
    """
    cap = capped_unseen(hand, unseen)
    values: dict[str, int] = {}
    for form in check_forms(forms, hand.tiles):
        if form == STANDARD:
            go = int(cost_to_go(hand, cap)[0])
            values[form] = min(go, UNREACHABLE) if go <= 14 else UNREACHABLE
        else:
            missing = missing_tiles(form, hand, cap)
            values[form] = UNREACHABLE if missing is None else sum(missing)
    least = min(values.values())
    reached = tuple(form for form, value in values.items() if value == least < UNREACHABLE)
    return Targets(hand=hand, unseen=cap, deficiency=least, forms=reached)


@lru_cache(maxsize=16)
def _steps(tiles: TileSet, called: int) -> tuple[tuple[tuple[tuple[int, int], ...], ...], int]:
    """Arcs by node, as (copies taken, next node), and the last node."""
    graph = network_graph(tiles, called)
    steps: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for arc in graph.arcs:
        steps[arc.tail].append((arc.use, arc.head))
    return tuple(tuple(step) for step in steps), len(graph.nodes) - 1


class _Walk:
    """Cheapest paths, told apart by the copies they take only.

    Two decompositions of one complete hand are two paths; following all paths with
    the same copies at once lists and counts each hand once.
    """

    def __init__(self, hand: Hand, unseen: Counts) -> None:
        self._counts, self._unseen = hand.counts, unseen
        self._go = cost_to_go(hand, unseen).tolist()
        self._steps, self._end = _steps(hand.tiles, hand.called)
        self._known: dict[tuple[int, frozenset[int]], int] = {}

    def _branches(self, kind: int, nodes: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
        held, left, go = self._counts[kind], self._unseen[kind], self._go
        for use in range(min(COPIES, held + left) + 1):
            price = max(0, use - held)
            after = frozenset(
                head
                for node in nodes
                for taken, head in self._steps[node]
                if taken == use and go[node] == price + go[head]
            )
            if after:
                yield use, after

    def count(self, kind: int, nodes: frozenset[int]) -> int:
        """Count the hands from here on."""
        if kind == len(self._counts):
            return 1
        key = (kind, nodes)
        if key not in self._known:
            self._known[key] = sum(
                self.count(kind + 1, after) for _, after in self._branches(kind, nodes)
            )
        return self._known[key]

    def each(self, kind: int, nodes: frozenset[int], taken: Counts) -> Iterator[Counts]:
        """Yield the hands from here on."""
        if kind == len(self._counts):
            yield taken
            return
        for use, after in self._branches(kind, nodes):
            yield from self.each(kind + 1, after, (*taken, use))


def _pair_choice(hand: Hand, unseen: Counts) -> tuple[list[int], list[int], int]:
    """Return the kinds that every nearest seven pairs hold, those to choose from, and 7."""
    prices = {
        kind: max(0, 2 - held)
        for kind, (held, left) in enumerate(zip(hand.counts, unseen, strict=True))
        if held + left >= 2
    }
    last = sorted(prices.values())[6]
    return (
        [k for k, p in prices.items() if p < last],
        [k for k, p in prices.items() if p == last],
        7,
    )


def _orphans(hand: Hand, unseen: Counts, deficiency: int) -> Iterator[Counts]:
    """Yield the thirteen orphans at the least distance: the pair is the only choice."""
    orphans = orphan_kinds(hand.tiles)
    for pair in orphans:
        target = tuple(
            (2 if kind == pair else 1) if kind in orphans else 0 for kind in range(len(unseen))
        )
        draws = [max(0, w - h) for w, h in zip(target, hand.counts, strict=True)]
        if sum(draws) == deficiency and all(d <= u for d, u in zip(draws, unseen, strict=True)):
            yield target
