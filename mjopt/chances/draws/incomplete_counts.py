"""Count the sets of drawn tiles that leave a hand incomplete: exactly, or in floating point."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt.chances.draws.crt import NUM_POWERS, from_remainders, num_points, points, primes_for
from mjopt.chances.draws.joined_classes import JoinedLayers, join, join_all
from mjopt.chances.draws.part_ways import Part, Ways, merge_ways, part_ways, stack_ways
from mjopt.chances.draws.rule_classes import RuleClasses, rule_classes
from mjopt.hands.query import HandQuery
from mjopt.tables.bundles.layers import Numbers
from mjopt.tables.suits.groups import MOST_GROUPS as PARTS

if TYPE_CHECKING:
    from mjopt.chances.draws._joint_kernels import Number, Values

# P(K > i) = ways(i) / C(n, i), with the counts of docs/reference/expected-draws.md. Discards of one
# hand differ from it in one part each, so three of four parts are counted once for all of them.
# Which classes complete a hand together does not depend on the wall: where they are few,
# `joined_classes` joins them once for a rule set.
# There are two ways to multiply. Python's own integers need no compilation and suit a single hand;
# the kernel suits many.

_FEW: Final = 100_000  # pairs of classes: the limit for counting in Python
_WORD: Final = 64  # bits

Counts = tuple[int, ...]
Integers = dict[int, int]
"""By class: the numbers of ways to draw 0, 1, ... tiles, as the digits of an integer."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One wall, a first hand, and other hands that differ from it in at most one part each."""

    query: HandQuery  # the first hand and the winning forms; its unseen tiles are the wall
    others: tuple[Counts, ...] = ()  # copies held, per kind, by the other hands
    classes: RuleClasses = field(init=False)

    def __post_init__(self) -> None:
        """Find the classes of the forms."""
        object.__setattr__(self, "classes", rule_classes(self.query))

    @property
    def hands(self) -> tuple[Counts, ...]:
        """Copies held by each hand, per kind."""
        return self.query.hand.counts, *self.others

    @property
    def wall_size(self) -> int:
        """Tiles in the wall."""
        return sum(self.query.unseen)

    def part(self, counts: Counts, place: int) -> Part:
        """Return a part of a hand and of the wall; there are no jokers in it."""
        wall, jokers = self.query.unseen, self.classes.jokers
        return tuple(
            [(0, 0) if k in jokers else (counts[k], wall[k]) for k in self.classes.kinds[place]]
        )

    def jokers(self, counts: Counts) -> int:
        """Return the number of jokers among some copies."""
        return sum([counts[kind] for kind in self.classes.jokers])


class Variants(NamedTuple):
    """Hands with as many jokers each: the first one, and a part of every other."""

    rows: list[int]  # their places among all hands
    jokers: int
    first: list[Part]
    others: list[tuple[int, Part]]  # for every hand: the place of the part, and the part


def _variants(setting: Setting) -> Iterator[Variants]:
    """Yield the hands, those with as many jokers together."""
    by_jokers = defaultdict(list)
    for row, counts in enumerate(setting.hands):
        by_jokers[setting.jokers(counts)].append((row, counts))
    places = range(len(setting.classes.kinds))
    for jokers, some in by_jokers.items():
        parts = [[setting.part(counts, place) for place in places] for _, counts in some]
        first, others = parts[0], []
        for own in parts:
            differ = [place for place in places if own[place] != first[place]]
            assert len(differ) <= 1, "hands that differ in two parts"
            place = differ[0] if differ else 0
            others.append((place, own[place]))
        yield Variants([row for row, _ in some], jokers, first, others)


def count_incomplete(
    query: HandQuery, others: tuple[Counts, ...] = (), *, in_bulk: bool = False
) -> list[list[int]]:
    """Count, for the hand of a query and others, the draws that leave it incomplete.

    The result has one list per hand, by the number of draws, ``0..wall_size``. Hands are as for
    :class:`Setting`; the forms may be those of any rule set. ``in_bulk`` always compiles, for many
    settings; otherwise only if Python would take long. HandError if draws are not counted for these
    forms together.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import FULL
    >>> hand = Hand.parse("113399s", called=2, tiles=FULL, partial=True)
    >>> wall = Hand.parse("1223s2z", tiles=FULL, partial=True).counts
    >>> count_incomplete(HandQuery(hand, unseen=wall))
    [[1, 5, 8, 4, 0, 0]]
    """
    setting = Setting(query, others)
    found: list[list[int]] = [[]] * len(setting.hands)
    for variants in _variants(setting):
        joint = _Joint(setting, variants, in_bulk=in_bulk)
        for row, ways in zip(variants.rows, joint.counts(), strict=True):
            found[row] = ways
    return found


def incomplete_means(setting: Setting) -> NDArray[np.float64]:
    """Return the expected draws of each hand; infinite where the whole wall leaves it incomplete.

    If every tile arrives at an independent uniform time in [0, 1], each has arrived by time x with
    probability x. The expected number of draws is the size of the wall plus one, times the mean
    over x of the probability to be incomplete at x. That is a polynomial of degree ``wall_size``,
    so Gauss-Legendre quadrature has only rounding errors, and every term is positive.
    """
    means = np.zeros(len(setting.hands))
    for variants in _variants(setting):
        means[variants.rows] = _Joint(setting, variants, in_bulk=True).means()
    return means


class _Joint:
    """The parts of some hands, counted by class, and the classes that join them."""

    def __init__(self, setting: Setting, variants: Variants, *, in_bulk: bool) -> None:
        classes = setting.classes
        self._size = setting.wall_size
        self._most_jokers = setting.jokers(setting.query.unseen)
        # By the tiles that a hand misses: the most drawn jokers that leave it incomplete, or -1.
        missing = np.arange(classes.most + 1) - variants.jokers
        self._jokers = np.clip(missing - 1, -1, self._most_jokers)
        self._places = [place for place, _ in variants.others]
        parts = [*enumerate(variants.first), *variants.others]
        whole = join_all(classes)
        layers = classes.layers if whole is None else whole.layers
        self._is_plain = not in_bulk and whole is not None and is_few(_num_pairs(whole), _FEW)
        self._ways = [part_ways(layers[place], part, self._is_plain) for place, part in parts]
        if whole is None:
            self._joined = join(classes, self._reached(), classes.forms)
            self._ways = [
                merge_ways(ways, self._joined.places[place], self._joined.num_classes(place))
                for ways, (place, _) in zip(self._ways, parts, strict=True)
            ]
        else:
            self._joined = whole.joined
        self._first, self._others = self._ways[:PARTS], self._ways[PARTS:]
        if not self._is_plain:
            self._stacked = stack_ways(self._ways)

    def _reached(self) -> list[Numbers]:
        """Return the classes of each part to which draws lead in some hand."""
        most = [ways.most for ways in self._ways[:PARTS]]
        for place, ways in zip(self._places, self._ways[PARTS:], strict=True):
            most[place] = np.maximum(most[place], ways.most)
        return [np.flatnonzero(draws >= 0) for draws in most]

    def counts(self) -> list[list[int]]:
        """Return the incomplete draws of each hand by their number."""
        return self._plain_counts() if self._is_plain else self._compiled_counts()

    # In Python: a polynomial is one long integer, whose digits are its coefficients.

    def _plain_counts(self) -> list[list[int]]:
        # Kronecker substitution: no coefficient of a product, nor of a sum of products, exceeds the
        # greatest binomial C(n, n / 2), so that digits of this width never carry.
        words = -(-comb(self._size, self._size // 2).bit_length() // _WORD)
        digit = words * _WORD
        first = [_integers(ways, words) for ways in self._first]
        others = [_integers(ways, words) for ways in self._others]
        drawn = [comb(self._most_jokers, n) << digit * n for n in range(self._most_jokers + 1)]
        worth = [sum(drawn[: more + 1]) for more in self._jokers.tolist()]
        beside: dict[int, Integers] = {}
        for side in {place // 2 for place in self._places}:
            far = 2 - 2 * side  # the first part of the other half
            half = _half(self._joined.codes[1 - side], first[far], first[far + 1])
            costs = self._joined.across if side else self._joined.costs
            above: Integers = {}
            for place in {place for place in self._places if place // 2 == side}:
                pairs = zip(self._places, others, strict=True)
                rows = [*{row: 0 for at, own in pairs if at == place for row in own}]
                table = self._joined.oriented[place][np.ix_(rows, [*first[place ^ 1]])]
                fresh = [*set(table.ravel().tolist()).difference(above)]
                above |= {
                    code: sum([number * worth[cost] for cost, number in _sums(row, half)])
                    for code, row in zip(fresh, costs[np.ix_(fresh, [*half])].tolist(), strict=True)
                }
                beside[place] = {
                    row: sum(
                        [number * above[code] for code, number in _sums(line, first[place ^ 1])]
                    )
                    for row, line in zip(rows, table.tolist(), strict=True)
                }
        found = []
        for place, own in zip(self._places, others, strict=True):
            total = sum([number * beside[place][row] for row, number in own.items()])
            found.append([total >> digit * i & (1 << digit) - 1 for i in range(self._size + 1)])
        return found

    # Compiled: polynomials are multiplied at points.

    def _compiled_counts(self) -> list[list[int]]:
        """Count modulo primes, at as many points as the product has coefficients.

        The remainders determine the counts, since no count exceeds the number of all draws, and
        the product of the primes does.
        """
        size, hands = self._size, len(self._places)
        most = self._most_draws()
        if most < 0:
            return [[0] * (size + 1) for _ in range(hands)]
        # With more draws than `most` every count is 0, so C(n, i) for i up to `most` is the
        # greatest possible count.
        primes = primes_for(comb(size, min(most, size // 2)))
        number = num_points(most)
        remainders = []
        for prime in primes:
            where = points(prime, number)
            worth = np.ones((len(self._jokers), number), np.uint32)
            if self._most_jokers:
                powers = where.table[0, : self._most_jokers + 1].astype(np.int64)
                shares = [comb(self._most_jokers, drawn) for drawn in range(self._most_jokers + 1)]
                sums = np.cumsum(np.array(shares)[:, None] * powers % prime, axis=0)
                worth[:] = sums[self._jokers] % prime  # unused where no draw leaves it incomplete
            found = np.empty((hands, number), np.uint64)
            self._run(where.table, worth, where.back, np.uint64(prime), found)
            remainders.append(found[:, : most + 1].tolist())
        rest = [0] * (size - most)
        return [
            list(from_remainders(primes, [by_prime[i] for by_prime in remainders])) + rest
            for i in range(hands)
        ]

    def means(self) -> NDArray[np.float64]:
        """Return the expected draws of each hand, by quadrature."""
        size, jokers = self._size, self._most_jokers
        tables = np.stack([_worth(ways.tiles, size) for ways in self._first])
        shares = [comb(jokers, drawn) for drawn in range(jokers + 1)]
        # Row j of the sums: the chance that at most j jokers have arrived.
        sums = np.cumsum(np.array(shares)[:, None] * _worth(jokers, size)[: jokers + 1], axis=0)
        worth = sums[self._jokers]  # unused where none is drawn
        found = np.empty((len(self._places), 1))
        self._run(tables, worth, _nodes(size)[1][None, :], 0.0, found)
        means = found[:, 0]
        if self._most_draws() == size:
            # Whether the whole wall leaves a hand incomplete must not depend on rounding.
            means[[ways[-1] == 1 for ways in self._compiled_counts()]] = np.inf
        return means

    def _run(
        self, tables: "Values", worth: "Values", back: "Values", prime: "Number", out: "Values"
    ) -> None:
        """Allocate buffers and call the kernel that joins parts."""
        from mjopt.chances.draws._joint_kernels import float_joint_kernel, joint_kernel

        ways, most, starts = self._stacked
        joined, number = self._joined, tables.shape[2]
        room = max(2, *joined.costs.shape, *joined.codes[0].shape, *joined.codes[1].shape)
        run = joint_kernel if prime else float_joint_kernel
        run(
            ways,
            most,
            starts,
            np.array(self._places, np.int64),
            joined.oriented,
            (joined.costs, joined.across),
            tables,
            worth,
            self._jokers >= 0,
            back,
            prime,
            np.empty((len(most), number), tables.dtype),
            np.zeros(len(most), np.bool_),
            np.empty((3, room, number), tables.dtype),
            np.empty((room + 1, number), out.dtype),
            np.empty(room, np.int32),
            out,
        )

    def _most_draws(self) -> int:
        """Return the most draws that leave some hand incomplete; -1 if all are complete."""
        from mjopt.chances.draws._joint_kernels import most_draws_kernel

        most = [ways.most for ways in self._first]
        for place, ways in zip(self._places, self._others, strict=True):
            if ways is not self._first[place]:
                most[place] = np.maximum(most[place], ways.most)
        starts = np.cumsum([0] + [len(draws) for draws in most])
        joined = self._joined
        reached = np.full((2, max(joined.costs.shape)), -1, np.int64)
        return int(
            most_draws_kernel(
                np.concatenate(most),
                starts,
                joined.oriented[0],
                joined.oriented[2],
                joined.costs,
                self._jokers,
                reached,
            )
        )


def _num_pairs(whole: "JoinedLayers") -> int:
    left, right = whole.joined.codes
    return left.size + right.size + whole.joined.costs.size


def _integers(ways: Ways, words: int) -> Integers:
    """Return the polynomials as integers, with a given number of 64-bit words for each digit."""
    reached = np.flatnonzero(ways.most >= 0)
    spread = np.zeros((len(reached), ways.ways.shape[1], words), "<i8")
    spread[:, :, 0] = ways.ways[reached]
    rows = [int.from_bytes(row.tobytes(), "little") for row in spread]
    return dict(zip(reached.tolist(), rows, strict=True))


def _half(codes: Numbers, one: Integers, two: Integers) -> Integers:
    """Return the ways of each class of a half."""
    half: Integers = {}
    for row, ways in zip(codes[np.ix_([*one], [*two])].tolist(), one.values(), strict=True):
        for code, more in _sums(row, two):
            half[code] = half.get(code, 0) + ways * more
    return half


def _sums(values: Sequence[int], numbers: Integers) -> list[tuple[int, int]]:
    """Return the sums of numbers by the values at the same places."""
    sums: dict[int, int] = {}
    for value, number in zip(values, numbers.values(), strict=True):
        sums[value] = sums.get(value, 0) + number
    return [*sums.items()]


@lru_cache(maxsize=256)
def _nodes(size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the quadrature points, and the weights for the expected draws from ``size`` tiles."""
    # Q points integrate degrees up to 2 Q - 1 exactly. The weights contain n + 1, since 1 / C(n, i)
    # is n + 1 times the integral of x**i (1 - x)**(n - i).
    exact = size // 2 + 1  # points that integrate polynomials of that degree exactly
    roots, weights = np.polynomial.legendre.leggauss(-(-exact // 4) * 4)
    return (1 + roots) / 2, weights * (size + 1) / 2


@lru_cache(maxsize=1024)
def _worth(tiles: int, size: int) -> NDArray[np.float64]:
    """Return the weight of each number of draws from some tiles at each point, shape (64, Q)."""
    come, _ = _nodes(size)
    draws = np.arange(NUM_POWERS)[:, None]
    left = np.maximum(tiles - draws, 0)
    worth: NDArray[np.float64] = np.where(draws <= tiles, come**draws * (1 - come) ** left, 0.0)
    return worth
