"""Targets: the complete hands at the least distance, counted and listed lazily."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from mjopt.hands.coerce import HandLike
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import pair_prices
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES
from mjopt.models.shortest_path import (
    cost_to_go,
    distances,
    nearest_arcs,
    network_layers,
    template_distance,
)

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The nearest complete hands of one hand.

    Iterating yields them one by one, as copies per kind, each once, in lexicographic order if they
    are of several forms; ``number`` counts them without listing. Jokers are tiles of their own
    kinds.

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

    Examples
    --------
    >>> import mjopt
    >>> targets = mjopt.targets("13345m34577p1167z")
    >>> targets.number, targets.deficiency
    (2, 2)
    >>> targets = mjopt.targets("112233445566m1p", forms=("standard", "seven_pairs"))
    >>> targets.number, [targets.forms_of(target) for target in targets]
    (1, [('standard', 'seven_pairs')])
    """

    hand: Hand
    unseen: Counts
    deficiency: int
    forms: tuple[WinningForm, ...]

    @property
    def number(self) -> int:
        """Number of targets; one of several forms counts once."""
        return self._union.number

    def number_of(self, form: str | WinningForm) -> int:
        """Return the number of targets of one form."""
        return self._walk_of(form).number

    def __iter__(self) -> Iterator[Counts]:
        """Yield the targets."""
        return iter(self._union)

    def of(self, form: str | WinningForm) -> Iterator[Counts]:
        """Yield the targets of one form, in lexicographic order of their copies or pairs."""
        return iter(self._walk_of(form))

    def forms_of(self, target: Sequence[int]) -> tuple[str, ...]:
        """Return the names of the forms of a target."""
        return tuple(form.name for form in self.forms if tuple(target) in self._walk(form))

    @property
    def _union(self) -> "Walk":
        return _join([self._walk(form) for form in self.forms], len(self.unseen))

    def _walk_of(self, form: str | WinningForm) -> "Walk":
        if isinstance(form, str):
            known = [known for known in self.forms if known.name == form]
            [form] = known or read_forms(form, self.hand.tiles, self.hand.size)
        return self._walk(form)

    def _walk(self, form: WinningForm) -> "Walk":
        return _find_walk(form, self.hand, self.unseen)


def targets(
    hand: HandLike,
    *,
    unseen: Iterable[int] | str | None = None,
    forms: FormsLike = None,
) -> Targets:
    """Return the complete hands at the least distance.

    Parameters
    ----------
    hand
        The hand, before or after its draw.
    unseen, forms
        As for :func:`mjopt.deficiency`; forms further away than the least have no targets.

    Examples
    --------
    >>> found = targets("1112345678999m1p")
    >>> found.deficiency, found.number, len(list(found))
    (1, 12, 12)
    """
    query = HandQuery(hand, forms, unseen, general=True)
    least, reached = nearest_forms(query)
    return Targets(hand=query.hand, unseen=query.unseen, deficiency=least, forms=reached)


def nearest_forms(query: HandQuery) -> tuple[int, tuple[WinningForm, ...]]:
    """Return the deficiency, and the forms that have complete hands at that distance."""
    values = distances(query)
    least = min(values.values())
    return least, tuple(form for form, value in values.items() if value == least < UNREACHABLE)


@dataclass(frozen=True, eq=False)
class Walk:
    """The nearest complete hands of one form, as walks from kind to kind.

    Two decompositions of one complete hand are two walks; following all walks with the
    same copies at once lists and counts each hand once.
    """

    num_kinds: int  # number of steps in a walk
    ends: frozenset[int]  # the nodes where a walk is a complete hand
    # From a kind and a node, the copies that may be taken and the node after each.
    branches: Callable[[int, int], Sequence[tuple[int, int]]]
    uses: Sequence[int]  # the copies of a kind, in the order in which hands are listed
    starts: frozenset[int] = frozenset([0])  # the nodes where a walk can begin

    def after(self, kind: int, nodes: Iterable[int]) -> dict[int, set[int]]:
        """Return the nodes after a kind, by the copies taken of it."""
        found: dict[int, set[int]] = {}
        for node in nodes:
            for taken, there in self.branches(kind, node):
                found.setdefault(taken, set()).add(there)
        return found

    @property
    def number(self) -> int:
        """Number of hands."""

        @cache
        def count(kind: int, nodes: frozenset[int]) -> int:
            if kind == self.num_kinds:
                return not self.ends.isdisjoint(nodes)
            after = self.after(kind, nodes).values()
            return sum([count(kind + 1, frozenset(there)) for there in after])

        return count(0, self.starts)

    def __iter__(self) -> Iterator[Counts]:
        """Yield the hands."""
        return self._each(0, self.starts, ())

    def __contains__(self, hand: Counts) -> bool:
        """Return whether a hand is among them."""
        nodes: Collection[int] = self.starts
        for kind, taken in enumerate(hand):
            nodes = self.after(kind, nodes).get(taken, ())
        return not self.ends.isdisjoint(nodes)

    def _each(self, kind: int, nodes: Collection[int], taken: Counts) -> Iterator[Counts]:
        if kind == self.num_kinds:
            if not self.ends.isdisjoint(nodes):
                yield taken
            return
        after = self.after(kind, nodes)
        for use in self.uses:
            if use in after:
                yield from self._each(kind + 1, after[use], (*taken, use))


def nearest_walk(form: WinningForm, query: HandQuery) -> Walk:
    """Return the nearest reachable complete hands of a form."""
    if form.is_pairs:
        return _pairs(query)
    if form.is_singles:
        return _singles(query, form.templates[0].of)
    return _templates(form, query)


@lru_cache(maxsize=8)
def _find_walk(form: WinningForm, hand: Hand, unseen: Counts) -> Walk:
    return nearest_walk(form, HandQuery.of_checked(hand, (form,), unseen))


def _join(walks: Sequence[Walk], num_kinds: int) -> Walk:
    """Return the hands of all walks, each once."""
    if len(walks) == 1:
        return walks[0]
    several = len(walks)  # node n of walk i has the number n * several + i

    def numbered(nodes: Iterable[int], i: int) -> list[int]:
        return [node * several + i for node in nodes]

    def branches(kind: int, number: int) -> Sequence[tuple[int, int]]:
        node, i = divmod(number, several)
        return [(taken, there * several + i) for taken, there in walks[i].branches(kind, node)]

    ends = [number for i, walk in enumerate(walks) for number in numbered(walk.ends, i)]
    starts = [number for i, walk in enumerate(walks) for number in numbered(walk.starts, i)]
    return Walk(num_kinds, frozenset(ends), branches, range(COPIES + 1), frozenset(starts))


def _templates(form: WinningForm, query: HandQuery) -> Walk:
    """Walk along the cheapest paths of the networks of all nearest templates at once."""
    values = {part: template_distance(query, part) for part in query.templates(form)}
    least = min(values.values())
    nearest = tuple(part for part, value in values.items() if value == least)
    along = _with_jokers if any(part.jokers for part in nearest) else _along_networks
    return along(query, nearest)


def _along_networks(query: HandQuery, templates: Sequence[Template]) -> Walk:
    hand, reach = query.hand, query.reach
    layers = [network_layers(template, hand.tiles, hand.called) for template in templates]
    costs = [cost_to_go(query, template).tolist() for template in templates]
    width = max(lay.num_nodes for lay in layers)  # node n of network i has the number i * width + n

    @cache
    def branches(kind: int, number: int) -> Sequence[tuple[int, int]]:
        first = number - number % width
        lay, go, node = layers[first // width], costs[first // width], number - first
        held, most, least = hand.counts[kind], reach[kind], go[node]
        arcs = slice(lay.starts[node], lay.starts[node + 1])
        return [
            (use, first + head)
            for use, head in zip(lay.use_list[arcs], lay.head_list[arcs], strict=True)
            if use <= most and (use - held if use > held else 0) + go[head] == least
        ]

    ends = frozenset(i * width + lay.num_nodes - 1 for i, lay in enumerate(layers))
    starts = frozenset(range(0, len(layers) * width, width))
    return Walk(hand.tiles.num_kinds, ends, branches, range(COPIES + 1), starts)


def _with_jokers(query: HandQuery, templates: Sequence[Template]) -> Walk:
    """Walk along the networks, where jokers of the hand count as tiles of their own kinds.

    A walk ends well if the hand has as many jokers as stand for tiles on the path.
    """
    counts, reach = query.hand.counts, query.reach
    arcs = [nearest_arcs(query, template) for template in templates]
    rows = 1 + max(template.most_jokers for template in templates)
    width = max(map(len, arcs))  # (i * rows + j) * width + n: node n of network i, after j jokers

    @cache
    def branches(kind: int, number: int) -> Sequence[tuple[int, int]]:
        row, node = divmod(number, width)
        place, taken = divmod(row, rows)
        jokers = templates[place].jokers
        is_joker = kind in jokers
        # No nearest hand draws a joker and discards another.
        spare = taken - sum([counts[k] for k in jokers if k < kind])
        low, high = counts[kind] * (spare > 0), (counts if spare < 0 else reach)[kind]
        # The later kinds hold no more jokers; at the end their number is that of the path.
        later = sum([reach[k] for k in jokers if k > kind])
        possible = (2 << later) - 1
        return [
            (copies, (row + more) * width + head)
            for natural, head, numbers in arcs[place][node]
            for copies in (range(low, high + 1) if is_joker else (natural,))
            if numbers >> taken + (more := copies * is_joker) & possible
        ]

    ends = {
        (i * rows + taken) * width + len(nodes) - 1
        for i, nodes in enumerate(arcs)
        for taken in range(rows)
    }
    starts = range(0, len(arcs) * rows * width, rows * width)
    return Walk(len(counts), frozenset(ends), branches, range(COPIES + 1), frozenset(starts))


def _pairs(query: HandQuery) -> Walk:
    """Take all cheaper kinds, and choose among those of the highest price; nodes count these."""
    prices = pair_prices(query.hand.counts, query.unseen)
    last = sorted(prices.values())[6]
    wanted = 7 - sum(price < last for price in prices.values())
    choice = [kind for kind, price in prices.items() if price == last]

    def branches(kind: int, node: int) -> Sequence[tuple[int, int]]:
        if prices.get(kind, last) != last:
            return [(2 * (prices[kind] < last), node)]
        may_skip = kind not in choice or node + sum(k > kind for k in choice) >= wanted
        may_take = kind in choice and node < wanted
        return [(2, node + 1)] * may_take + [(0, node)] * may_skip

    return Walk(len(query.unseen), frozenset([wanted]), branches, (2, 0))


def _singles(query: HandQuery, singles: tuple[int, ...]) -> Walk:
    """Take some kinds once and one of them twice; node 1 follows this pair, the only choice."""
    counts = query.hand.counts
    is_paired = any(counts[kind] > 1 for kind in singles)
    copies = counts if is_paired else query.reach

    def branches(kind: int, node: int) -> Sequence[tuple[int, int]]:
        if kind not in singles:
            return [(0, node)]
        may_be_pair = node == 0 and copies[kind] > 1
        return [(2, 1)] * may_be_pair + [(1, node)]

    return Walk(len(counts), frozenset([1]), branches, (2, 1, 0))
