"""Count the draws that leave a hand incomplete: exactly, or in floating point."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt.chances.draws.bigint_polynomials import SuitPart
from mjopt.chances.draws.bigint_polynomials import count_incomplete as count_by_suits
from mjopt.chances.draws.crt import from_remainders, num_points, points, primes_for
from mjopt.chances.draws.suit_classes import SuitClasses, suit_classes
from mjopt.chances.draws.template_counts import count_incomplete_templates
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.winning_forms import has_plain

if TYPE_CHECKING:
    from mjopt.chances.draws._kernels import Number, Values

KEPT: Final = 2048  # cached suits, at most 14 kB each
_FEW: Final = 1000  # classes times sums: the limit for counting in Python, at 1 ms each

Counts = tuple[int, ...]
Limits = tuple[tuple[int, int], ...]
Ways = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Setting:
    """One wall, a first hand, and other hands that differ from it in at most one suit.

    Parameters
    ----------
    query
        The first hand and the winning forms; its unseen tiles are the wall.
    others
        Copies held, per kind, by the other hands.
    """

    query: HandQuery
    others: tuple[Counts, ...] = ()
    classes: SuitClasses = field(init=False)
    parts: tuple[tuple[int, Limits], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Compute the suit classes of the forms and the terms of the sum."""
        hand, forms = self.query.hand, self.query.forms
        melds = hand.melds_needed if has_plain(forms) else None
        others = () if hand.called else forms
        classes = suit_classes(melds, pairs=any(form.is_pairs for form in others))
        object.__setattr__(self, "classes", classes)
        singles = next((form.templates[0].of for form in others if form.is_singles), ())
        object.__setattr__(self, "parts", _parts(hand.tiles, singles))

    @property
    def hands(self) -> tuple[Counts, ...]:
        """Copies held by each hand, per kind."""
        return self.query.hand.counts, *self.others

    @property
    def wall(self) -> Counts:
        """Copies of each kind in the wall."""
        return self.query.unseen


@lru_cache(maxsize=16)
def _parts(tiles: TileSet, orphans: tuple[int, ...]) -> tuple[tuple[int, Limits], ...]:
    """Return the terms whose signed sum counts incomplete draws: signs and limits on copies.

    After draws that complete thirteen orphans, every orphan is held at least once, and some
    orphan more than once. These draws are subtracted from those that are incomplete for the
    other forms.
    """
    bounds = [(1, (0, COPIES))] + ([(-1, (1, COPIES)), (1, (1, 1))] if orphans else [])
    return tuple(
        (
            sign,
            tuple(bound if kind in orphans else (0, COPIES) for kind in range(tiles.num_kinds)),
        )
        for sign, bound in bounds
    )


@lru_cache(maxsize=16)
def gaps_of(tiles: TileSet) -> tuple[bool, ...]:
    """Return for each kind whether no chow holds both it and the next one.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> gaps = gaps_of(FULL)
    >>> sum(gaps), gaps[8], gaps[27]
    (10, True, True)
    """
    in_chow = [False] * tiles.num_kinds
    for first in tiles.chow_starts:
        in_chow[first] = in_chow[first + 1] = True
    return tuple(not both for both in in_chow)


@lru_cache(maxsize=KEPT)
def suit_ways(classes: SuitClasses, part: SuitPart) -> tuple[Ways, Ways]:
    """Count the draws from one suit by the class they lead to.

    Returns
    -------
    ways
        Shape (C, 37), read-only: by class and number of draws, the ways to draw physical
        tiles of this suit that lead to the class. Draws that complete the hand within the
        suit are excluded.
    most
        Shape (C,): the most draws that lead to the class; -1 if none do.

    Examples
    --------
    >>> classes = suit_classes(1, pairs=False)
    >>> copies = [(2, 0), (2, 0), (0, 3)] + [(0, 0)] * 6
    >>> ways, most = suit_ways(classes, tuple((h, w, 0, 4, 0) for h, w in copies))
    >>> reached = np.flatnonzero(most >= 0)
    >>> [(classes.labels[c], ways[c, :4].tolist()) for c in reached]
    [((0, 0, 0), [1, 0, 0, 0]), ((1, 0, 0), [0, 3, 3, 0])]
    """
    from mjopt.chances.draws._kernels import CHOICES, WIDTH, suit_kernel

    automaton = classes.automaton
    suit = np.array(part, np.int32).reshape(-1, COPIES + 1)
    ways = np.zeros((classes.num_classes, WIDTH), np.int64)
    num_states = len(automaton.steps)
    room = np.zeros((2, num_states, WIDTH), np.int64), np.zeros((5, num_states), np.int32)
    suit_kernel(automaton.steps, automaton.wins, classes.after_gap, suit, CHOICES, *room, ways)
    ways.setflags(write=False)
    most = np.where(ways.any(axis=1), WIDTH - 1 - (ways[:, ::-1] != 0).argmax(axis=1), -1)
    return ways, most


def _suits_of(
    setting: Setting, limits: Limits
) -> tuple[list[SuitPart], list[tuple[int, SuitPart]]]:
    """Return the suits of the first hand, and for every hand the suit that differs."""
    wall, gaps = setting.wall, gaps_of(setting.query.hand.tiles)
    hands = [
        [
            tuple(
                (copies, left, *limit, int(gap))
                for copies, left, limit, gap in zip(
                    held[part], wall[part], limits[part], gaps[part], strict=True
                )
            )
            for part in setting.query.hand.tiles.slices
        ]
        for held in setting.hands
    ]
    differ = [[i for i, part in enumerate(hand) if part != hands[0][i]] for hand in hands]
    assert all(len(changed) <= 1 for changed in differ), "hands that differ in two suits"
    places = [changed[0] if changed else 0 for changed in differ]
    return hands[0], [(i, hand[i]) for hand, i in zip(hands, places, strict=True)]


def _suits(setting: Setting, limits: Limits) -> tuple[tuple[Ways, Ways, NDArray[np.int32]], int]:
    """Count the draws of these suits by class.

    Returns
    -------
    tuple of tuple and int
        Suits and variants in the layout of the kernel, with the index of each variant; and
        the most draws that leave some hand incomplete.
    """
    from mjopt.chances.draws._kernels import most_draws_kernel

    classes = setting.classes
    first, variants = _suits_of(setting, limits)
    suits = [suit_ways(classes, part) for part in first]
    others = [suit_ways(classes, part) for _, part in variants]
    most = np.stack([draws for _, draws in suits])
    for (place, _), (_, draws) in zip(variants, others, strict=True):
        np.maximum(most[place], draws, out=most[place])
    ways, counted = (np.stack([counted for counted, _ in found]) for found in (suits, others))
    arrays = ways, counted, np.array([place for place, _ in variants], np.int32)
    room = np.full((len(most) + 1, classes.num_classes), -1, np.int64)
    return arrays, int(most_draws_kernel(most, classes.joins, room))


def _count_jointly(
    arrays: tuple[Ways, Ways, NDArray[np.int32]],
    joins: NDArray[np.int32],
    tables: "Values",
    back: "Values",
    prime: "Number",
    out: "Values",
) -> None:
    """Allocate buffers and call the kernel that combines suits."""
    from mjopt.chances.draws._kernels import float_joint_kernel, joint_kernel

    suits, shape = len(arrays[0]), (len(joins), tables.shape[2])
    count = joint_kernel if prime else float_joint_kernel
    count(
        *arrays,
        joins,
        tables,
        back,
        prime,
        np.zeros((3 * suits + 4, *shape), tables.dtype),
        np.zeros((3 * suits + 3, len(joins)), np.bool_),
        np.empty((len(joins) + 1, shape[1]), out.dtype),
        np.empty(len(joins), np.int64),
        out,
    )


def _plain_ways(setting: Setting) -> list[list[int]]:
    """Count in plain Python, without compilation."""
    size = sum(setting.wall)
    totals = [[0] * (size + 1) for _ in setting.hands]
    for sign, limits in setting.parts:
        found = count_by_suits(setting.classes, *_suits_of(setting, limits), size)
        for total, ways in zip(totals, found, strict=True):
            total[:] = [before + sign * number for before, number in zip(total, ways, strict=True)]
    return totals


def count_incomplete(
    query: HandQuery, others: tuple[Counts, ...] = (), *, in_bulk: bool = False
) -> list[list[int]]:
    """Count, for the hand of a query and others, the draws that leave it incomplete.

    Parameters
    ----------
    query, others
        As for :class:`Setting`; the forms may be those of any rule set.
    in_bulk
        As for :func:`incomplete_ways`.
    """
    if query.is_classic:
        return incomplete_ways(Setting(query, others), in_bulk=in_bulk)
    return count_incomplete_templates(query, [query.hand.counts, *others])


def incomplete_ways(setting: Setting, *, in_bulk: bool = False) -> list[list[int]]:
    """Count, for each hand, the draws of 0, 1, ... tiles that leave it incomplete.

    The polynomials of the suits are multiplied modulo primes, at as many points as the
    product has coefficients. The remainders determine the counts, since no count exceeds
    the number of all draws, and the product of the primes does.

    Parameters
    ----------
    setting
        The hands and their wall.
    in_bulk
        Always compile, for many settings; otherwise only if Python would take long.

    Returns
    -------
    list of list of int
        One list per hand, of length ``wall_size + 1``.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import FULL
    >>> hand = Hand.parse("113399s", called=2, tiles=FULL, partial=True)
    >>> wall = Hand.parse("1223s2z", tiles=FULL, partial=True).counts
    >>> incomplete_ways(Setting(HandQuery(hand, unseen=wall)))
    [[1, 5, 8, 4, 0, 0]]
    """
    if not in_bulk and is_few(setting.classes.num_classes * len(setting.parts), _FEW):
        return _plain_ways(setting)
    size = sum(setting.wall)
    arrays = [(sign, *_suits(setting, limits)) for sign, limits in setting.parts]
    most = arrays[0][2]
    if most < 0:
        return [[0] * (size + 1) for _ in setting.hands]
    primes = primes_for(comb(size, min(most, size // 2)))
    number = num_points(most)
    remainders = []
    joins = setting.classes.joins
    for prime in primes:
        where = points(prime, number)
        total = np.zeros((len(setting.hands), number), np.int64)
        for sign, counted, _ in arrays:
            found = np.empty((len(setting.hands), number), np.uint64)
            _count_jointly(counted, joins, where.table, where.back, np.uint64(prime), found)
            total += sign * found.astype(np.int64)
        remainders.append((total % prime)[:, : most + 1].tolist())
    rest = [0] * (size - most)
    return [
        list(from_remainders(primes, [by_prime[i] for by_prime in remainders])) + rest
        for i in range(len(setting.hands))
    ]


def incomplete_means(setting: Setting) -> NDArray[np.float64]:
    """Return the expected draws of each hand in floating point.

    If every tile arrives at an independent uniform time in [0, 1], each has arrived by time
    x with probability x. The expected number of draws is the size of the wall plus one,
    times the mean over x of the probability to be incomplete at x. That is a polynomial of
    degree ``wall_size``, so Gauss-Legendre quadrature has only rounding errors, and every
    term is positive.

    Returns
    -------
    NDArray[np.float64]
        In draws; infinite where the whole wall leaves the hand incomplete.
    """
    parts = [(sign, *_suits(setting, limits)) for sign, limits in setting.parts]
    size = sum(setting.wall)
    tables = np.stack(
        [_worth(sum(setting.wall[part]), size) for part in setting.query.hand.tiles.slices]
    )
    back = _nodes(size)[1][None, :]
    means = np.zeros(len(setting.hands))
    for sign, arrays, _ in parts:
        found = np.empty((len(setting.hands), 1))
        _count_jointly(arrays, setting.classes.joins, tables, back, 0.0, found)
        means += sign * found[:, 0]
    if parts[0][2] == size:
        # Whether the whole wall leaves a hand incomplete must not depend on rounding.
        means[[ways[-1] == 1 for ways in incomplete_ways(setting, in_bulk=True)]] = np.inf
    return means


@lru_cache(maxsize=256)
def _nodes(size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the quadrature points, and the weights for the expected draws from ``size`` tiles."""
    exact = size // 2 + 1  # points that integrate polynomials of that degree exactly
    roots, weights = np.polynomial.legendre.leggauss(-(-exact // 4) * 4)
    return (1 + roots) / 2, weights * (size + 1) / 2


@lru_cache(maxsize=1024)
def _worth(tiles: int, size: int) -> NDArray[np.float64]:
    """Return the weight of each number of draws from a suit at each point, shape (37, Q)."""
    from mjopt.chances.draws._kernels import WIDTH

    come, _ = _nodes(size)
    draws = np.arange(WIDTH)[:, None]
    left = np.maximum(tiles - draws, 0)
    worth: NDArray[np.float64] = np.where(draws <= tiles, come**draws * (1 - come) ** left, 0.0)
    return worth
