"""Layered automata that read the copies of a suit kind by kind and end in a class of equal costs.

A class says for each share of the parts of a template how many tiles the group misses, up to a
limit: 1 without jokers, since then only complete shares matter. The costs of all tuples of copies
are folded five at a time, by the copies of the last kind. Equal fives are one state, so the
automaton is the smallest. That of two demands reads both at once; only pairs of states that some
copies reach are kept, and no two of these are equivalent.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.bundle_file import VERSION, Header, load_file
from mjopt.tables.suits.costs import Costs, Use
from mjopt.tables.suits.shares import Share, group_costs, wanted_parts
from mjopt.tables.suits.template_cost import suit_uses

# Counting draws (docs/reference/expected-draws.md, "Counting") needs an automaton that reads the
# copies of a group and ends in a class of equal costs. The costs of all 5**K tuples of copies stand
# in lexicographic order, so the five tuples that differ in the last kind alone are neighbours. No
# step leads back, so one pass from the last kind to the first merges all equal states.
#
# Layer k has a row of five numbers for each of its states: the state of layer k + 1 after 0..4
# copies. All layers stand in one array, `flat`, so that a kernel takes one argument however many
# kinds there are.

WIDTH: Final = COPIES + 1

FEW_KINDS: Final = 6
"""Fewest kinds of a group whose automata are kept in files; others take 1 ms to derive."""

_WORD: Final = 62  # bits of a number
_FEW_BITS: Final = 20  # numbers that index an array

Numbers = NDArray[np.integer]


class Demand(NamedTuple):
    """All that a template asks of a group of kinds."""

    uses: tuple[tuple[Use, ...], ...]  # of each kind
    wanted: Share  # the parts of the whole template
    jokers: Kinds  # the kinds of the group whose tiles are jokers
    most: int  # costs above this number count as this number


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """An automaton that reads the copies of each kind of a group."""

    steps: tuple[Numbers, ...]  # for each kind, shape (S, 5): states of the next layer
    costs: Costs  # shape (C, columns), by class, which the last layer leads to
    complete: int = -1  # a class that completes every hand, if any; no draws lead on from it
    flat: NDArray[np.int32] = field(init=False)  # all steps, one layer below the other
    starts: NDArray[np.int64] = field(init=False)  # the first row of each layer
    ends: NDArray[np.int64] = field(
        init=False
    )  # after each kind: the state that is complete, or -1
    most_states: int = field(init=False)  # of any layer, and classes

    def __post_init__(self) -> None:
        """Lay out the steps for the kernel."""
        sizes = [len(layer) for layer in self.steps]
        flat = np.concatenate([*self.steps, np.zeros((0, WIDTH), np.int32)]).astype(np.int32)
        ends = [self.complete]
        for layer in reversed(self.steps):
            leads = (layer == ends[-1]).all(axis=1) & (ends[-1] >= 0)
            ends.append(int(leads.argmax()) if leads.any() else -1)
        object.__setattr__(self, "flat", flat)
        object.__setattr__(self, "starts", np.cumsum([0, *sizes]))
        object.__setattr__(self, "ends", np.array(ends[::-1], np.int64))
        object.__setattr__(self, "most_states", max(1, *sizes, len(self.costs)))


def demand_of(template: Template, tiles: TileSet, kinds: slice) -> Demand:
    """Return all that a template asks of a group of kinds."""
    jokers = tuple(k - kinds.start for k in template.jokers if kinds.start <= k < kinds.stop)
    uses = suit_uses(template, tiles, kinds.start, kinds.stop)
    return Demand(uses, wanted_parts(template), jokers, greatest_cost(template))


def greatest_cost(template: Template) -> int:
    """Return one tile more than all jokers: higher costs count as this one."""
    return COPIES * len(template.jokers) + 1


class DemandLayers(NamedTuple):
    """The automaton of one demand, and the column of each share."""

    shares: dict[Share, int]
    layers: Layers


@lru_cache(maxsize=256)
def load_demand(demand: Demand) -> DemandLayers:
    """Return the automaton of a demand, from a file if there is one.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import FULL
    >>> layers = load_demand(demand_of(standard_template(FULL), FULL, slice(0, 9))).layers
    >>> [len(steps) for steps in layers.steps], layers.costs.shape
    ([1, 5, 23, 82, 167, 212, 220, 223, 66], (16, 10))
    """
    if all(use == (Use(0, 0, 0),) for use in demand.uses):  # a template without these kinds
        return DemandLayers({0: 0}, unread(len(demand.uses)))
    if len(demand.uses) < FEW_KINDS:
        return derive_demand(demand)
    return load_file(
        demand_file(demand),
        lambda header, arrays: _read(demand, header, arrays),
        lambda: derive_demand(demand),
        demand_content,
    )


def demand_file(demand: Demand) -> str:
    """Return the name of the file of a demand: a digest of all that it depends on."""
    text = json.dumps([VERSION, demand])
    return f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.layers"


def demand_content(found: DemandLayers) -> tuple[Header, Sequence[Numbers]]:
    """Return the header and the arrays of a file."""
    return {"shares": list(found.shares)}, [*found.layers.steps, found.layers.costs]


def _read(demand: Demand, header: Header, arrays: Sequence[Numbers]) -> DemandLayers:
    """Return the automaton of a file, after checks that no step leaves its array."""
    if header is None:
        raise ValueError("no shares")
    *steps, costs = arrays
    every = header["shares"]
    sizes = [len(layer) for layer in steps] + [len(costs)]
    shares = {int(share): column for column, share in enumerate(every)}
    if (
        len(steps) != len(demand.uses)
        or sizes[0] != 1
        or any(layer.shape[1:] != (WIDTH,) for layer in steps)
        or any(int(layer.max()) >= after for layer, after in zip(steps, sizes[1:], strict=True))
        or costs.shape != (sizes[-1], len(every))
        or len(shares) != len(every)
        or costs.dtype.itemsize != 1
    ):
        raise ValueError("the arrays do not fit together")
    return DemandLayers(shares, Layers(tuple(steps), costs.view(np.int8)))


def derive_demand(demand: Demand) -> DemandLayers:
    """Derive the automaton of a demand from the costs of all tuples of copies."""
    costs = group_costs(demand.uses, demand.wanted, demand.jokers)
    columns = [np.minimum(cost, np.int8(demand.most)) for cost in costs.values()]
    first, numbers = number_rows(columns, demand.most)
    steps: list[Numbers] = []
    vectors = np.stack([column[first] for column in columns], axis=1)
    while len(numbers) > 1:
        # Invariant: equal numbers mean equal costs whatever the kinds already folded hold. Five
        # neighbours are one row; equal rows lead to equal states, and are one state of this layer.
        rows = numbers.reshape(-1, WIDTH)
        first, numbers = number_rows(rows.T, int(numbers.max()))
        steps.append(rows[first])
    shares = {share: column for column, share in enumerate(costs)}
    return DemandLayers(shares, Layers(tuple(reversed(steps)), vectors))


def unread(num_kinds: int) -> Layers:
    """Return an automaton of one class."""
    return Layers((np.zeros((1, WIDTH), np.int64),) * num_kinds, np.zeros((1, 1), np.int8))


def number_rows(columns: Iterable[Numbers], most: int) -> tuple[Numbers, Numbers]:
    """Return the first of each distinct row, and the number of each row among them.

    ``columns``, at least one, hold numbers from 0 to at most ``most``.
    """
    bits, used = most.bit_length(), 0
    key: Numbers = np.zeros(1, np.int64)
    for column in columns:
        # The columns so far become their rank among the distinct ones, which takes fewer bits.
        if used + bits > _WORD:
            first, key = _numbered(key, used)
            used = len(first).bit_length()
        key = key.astype(np.int64) << bits | column
        used += bits
    return _numbered(key, used)


def _numbered(key: Numbers, bits: int) -> tuple[Numbers, Numbers]:
    """Return the first of each distinct number below ``1 << bits``, and its rank for each."""
    if bits > _FEW_BITS:
        _, first, numbers = np.unique(key, return_index=True, return_inverse=True)
        return first, numbers
    places = np.full(1 << bits, -1, np.int32)  # without sorting: a tenth of the time
    places[key[::-1]] = np.arange(len(key) - 1, -1, -1, dtype=np.int32)
    firsts = places[places >= 0]
    places[places >= 0] = np.arange(len(firsts), dtype=np.int32)
    return firsts, places[key]


def restricted(layers: Layers, columns: Sequence[int]) -> Layers:
    """Return the smallest automaton for some columns of the costs.

    Examples
    --------
    >>> steps = np.array([[0, 0, 1, 1, 1]]), np.array([[0, 1, 1, 1, 1], [1, 2, 2, 2, 2]])
    >>> layers = Layers(steps, np.array([[1, 1], [0, 1], [0, 0]], np.int8))
    >>> restricted(layers, [0]).costs.tolist(), len(restricted(layers, [0]).steps[1])
    ([[0], [1]], 2)
    """
    kept = layers.costs[:, list(columns)]
    first, numbers = number_rows(kept.T, int(kept.max()))
    return relabelled(layers, numbers, kept[first])


def both(one: Layers, two: Layers) -> Layers:
    """Return the automaton of two demands, with the columns of both."""
    first = second = np.zeros(1, np.int64)
    steps = []
    for here, there in zip(one.steps, two.steps, strict=True):
        pairs = here[first].astype(np.int64) << 32 | there[second]
        states, numbers = np.unique(pairs, return_inverse=True)
        steps.append(numbers.reshape(-1, WIDTH))
        first, second = states >> 32, states & 0xFFFFFFFF
    return Layers(tuple(steps), np.hstack([one.costs[first], two.costs[second]]))


def read_after(one: Layers, two: Layers, costs: Costs) -> Layers:
    """Return the smallest automaton that reads the kinds of one group and then of another.

    ``costs`` has a row for each pair of classes, those of the second group fastest.
    """
    steps = list(one.steps)
    sizes = [*map(len, two.steps[1:]), len(two.costs)]
    for layer, after in zip(two.steps, sizes, strict=True):
        # A state of the second group is a class of the first one and a state of its own automaton.
        ahead = np.arange(len(one.costs))[:, None, None] * after + layer[None]
        steps.append(ahead.reshape(-1, WIDTH))
    return restricted(Layers(tuple(steps), costs), range(costs.shape[1]))


def relabelled(layers: Layers, numbers: Numbers, costs: Costs, complete: int = -1) -> Layers:
    """Return the smallest automaton that leads to other classes, given by the old ones."""
    steps = []
    for layer in reversed(layers.steps):
        rows = numbers[layer]
        first, numbers = number_rows(rows.T, int(rows.max()))
        steps.append(rows[first])
    return Layers(tuple(reversed(steps)), costs, complete)
