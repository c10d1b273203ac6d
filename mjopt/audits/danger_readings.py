"""Common readings of deal-in rates: likely causes of wrong ones.

Two of them are about hands that are both six pairs with a single tile and ready in the standard
form, 32,676 of four-player Mahjong. If the hands of both forms are counted each on its own, these
have to be taken off once; on kind k the ones that win on it in both forms, where k is the single.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.audits.discard_rates import (
    Rate,
    ReadyQuery,
    ready_hands,
    uniform_rate,
)
from mjopt.chances.danger.prior import PRIORS
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.labels.batch import label
from mjopt.tables.suits.costs import NUM_COSTS, cost_vectors
from mjopt.tables.useful import useful_masks

COPIES_UNSEEN: Final = "counts copies unseen only"
NO_FURITEN: Final = "ignores furiten"
FURITEN_KEPT: Final = "ignores furiten, except that discards are safe"
WRONG_KIND: Final = "takes hands of both forms off by the wrong kind"
EACH_FORM: Final = "keeps hands of both forms under furiten"
TWICE: Final = "counts hands of both forms twice"
PERCENT: Final = "percent in place of share"
_SIZE: Final = 13
_CHOICES: Final = np.array([[comb(n, k) for k in range(3)] for n in range(COPIES + 1)])


def rate_readings(digits: int, *, has_two_forms: bool) -> Iterator[tuple[str, Rate]]:
    """Yield each cause with its wrong rates; those in percent have so many decimal places."""

    def percent(query: ReadyQuery, kind: int) -> Fraction | None:
        rate = uniform_rate(query, kind)
        return None if rate is None else round(Fraction(100 * rate), digits)

    yield PERCENT, percent
    for prior in PRIORS.values():
        if prior.name != "uniform":
            yield f"under {prior.name} in place of uniform", _under(prior.integers)
    # Of two that fit equally, the first is named: the second is wrong about discards, too.
    yield FURITEN_KEPT, lambda s, kind: 0 if kind in s.barred else _without_furiten(s, kind)
    yield NO_FURITEN, _without_furiten
    yield COPIES_UNSEEN, _unseen
    if has_two_forms:
        yield TWICE, _twice
        yield WRONG_KIND, _by_wrong_kind
        yield EACH_FORM, _by_form


def _under(weights: tuple[int, ...]) -> Rate:
    def rate(query: ReadyQuery, kind: int) -> Fraction | int | None:
        if kind in query.barred:
            return 0
        return ready_hands(query).share(kind, weights)

    return rate


def _without_furiten(query: ReadyQuery, kind: int) -> Fraction | None:
    return ready_hands(query._replace(barred=frozenset())).share(kind)


def _unseen(query: ReadyQuery, kind: int) -> Fraction | None:
    total = sum(query.left)
    return Fraction(query.left[kind], total) if total else None


class _Numbers(NamedTuple):
    """Ready hands, and those that win on a kind."""

    ready: int
    winning: int


def _numbers(query: ReadyQuery, kind: int) -> _Numbers:
    hands = ready_hands(query)
    return _Numbers(sum(hands.by_wait), sum(kinds[kind] for kinds in hands.by_kind))


def _adjusted(correct: Callable[[ReadyQuery, int], tuple[int, int]]) -> Rate:
    """Return the rate whose numbers of ready and winning hands differ from the exact ones."""

    def rate(query: ReadyQuery, kind: int) -> Fraction | int | None:
        if kind in query.barred:
            return 0
        exact, (ready, winning) = _numbers(query, kind), correct(query, kind)
        total = exact.ready + ready
        return Fraction(exact.winning + winning, total) if total else None

    return rate


def _off_twice(query: ReadyQuery, kind: int) -> tuple[int, int]:
    both = _both_forms(query)
    free, own = both.is_free(query.barred), both.wins_on(kind)
    standard, pairs = free.standard, free.pairs
    # Each form is judged alone, and the hands that both keep are counted once more.
    ready = both.number(standard) + both.number(pairs) - both.number(standard & pairs)
    winning = both.number(standard & own.standard) + both.number(pairs & own.pairs)
    once = both.number(standard & pairs & (own.standard | own.pairs))
    return ready, winning - once


_twice = _adjusted(_off_twice)


def _off_wrong_kind(query: ReadyQuery, kind: int) -> tuple[int, int]:
    both = _both_forms(query)
    free, own = both.is_free(query.barred), both.wins_on(kind)
    counted = free.standard & free.pairs
    right = both.number(counted & own.standard & own.pairs)
    return 0, right - both.number(counted & own.standard)


_by_wrong_kind = _adjusted(_off_wrong_kind)


def _off_each_form(query: ReadyQuery, kind: int) -> tuple[int, int]:
    both = _both_forms(query)
    free, own = both.is_free(query.barred), both.wins_on(kind)
    only_standard, only_pairs = free.standard & ~free.pairs, free.pairs & ~free.standard
    ready = both.number(only_standard | only_pairs)
    winning = both.number(only_standard & own.standard) + both.number(only_pairs & own.pairs)
    return ready, winning


_by_form = _adjusted(_off_each_form)


class _Flags(NamedTuple):
    """A fact about each hand in the standard form, and in seven pairs; shape ``(H,)`` each."""

    standard: NDArray[np.bool_]
    pairs: NDArray[np.bool_]


class _BothForms(NamedTuple):
    """Hands ready in both forms, with their waits in each and the ways to choose their tiles."""

    standard: NDArray[np.uint64]  # shape (H,): a bit for each kind
    pairs: NDArray[np.uint64]
    ways: NDArray[np.int64]

    def is_free(self, barred: frozenset[int]) -> _Flags:
        """Return whether each hand waits on no barred kind."""
        mask = np.uint64(sum(1 << kind for kind in barred))
        return _Flags(self.standard & mask == 0, self.pairs & mask == 0)

    def wins_on(self, kind: int) -> _Flags:
        """Return whether each hand waits on a kind."""
        mask = np.uint64(1 << kind)
        return _Flags(self.standard & mask > 0, self.pairs & mask > 0)

    def number(self, some: NDArray[np.bool_]) -> int:
        """Return the number of ways to hold some of the hands."""
        return int(self.ways[some].sum())


@lru_cache(maxsize=256)
def _both_forms(query: ReadyQuery) -> _BothForms:
    if query.called:  # no seven pairs
        none = np.zeros(0, np.uint64)
        return _BothForms(none, none, none.astype(np.int64))
    hands, standard, pairs = hands_of_both_forms(query.tiles)
    left = np.array(query.left)
    return _BothForms(standard, pairs, _CHOICES[left, hands].prod(axis=1))


@lru_cache(maxsize=4)
def hands_of_both_forms(
    tiles: TileSet,
) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the hands, shape ``(H, K)``, and their waits in the standard form and seven pairs.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> hands, standard, pairs = hands_of_both_forms(M0)
    >>> hands.shape, bool((standard & pairs == pairs).all())
    ((24003, 27), True)
    """
    # Every suit but one holds whole melds and perhaps the eye, and that one lacks a tile at most.
    hands, lacks = np.zeros((1, 0), np.uint8), np.zeros(1, np.int64)
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        states, missing = _doubled_states(part.stop - part.start, has_chows=suit.has_chows)
        size, more = (each.sum(axis=1, dtype=np.int64) for each in (hands, states))
        single, another = ((each == 1).sum(axis=1) for each in (hands, states))
        fits = size[:, None] + more <= _SIZE
        fits &= single[:, None] + another <= 1
        fits &= lacks[:, None] + missing <= 1
        rows, others = np.nonzero(fits)
        hands = np.concatenate([hands[rows], states[others]], axis=1)
        lacks = lacks[rows] + missing[others]
    hands = hands[hands.sum(axis=1) == _SIZE]
    hands = hands[label(hands, tiles=tiles) == 1]
    single = (hands == 1).argmax(axis=1).astype(np.uint64)
    return hands, useful_masks(hands, tiles=tiles).astype(np.uint64), np.uint64(1) << single


def _doubled_states(
    num_kinds: int, *, has_chows: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return states of a suit of pairs and at most a single, and how many tiles each lacks."""
    every = (state for state in product(range(3), repeat=num_kinds) if state.count(1) <= 1)
    states = np.array([state for state in every if sum(state) <= _SIZE], np.uint8)
    place = (COPIES + 1) ** np.arange(num_kinds - 1, -1, -1)
    costs = cost_vectors(num_kinds, has_chows=has_chows)[states @ place].astype(np.int64)
    shares = np.arange(NUM_COSTS)
    tiles = 3 * (shares // 2) + 2 * (shares % 2) - states.sum(axis=1, dtype=np.int64)[:, None]
    is_whole = ((costs == 0) & (tiles == 0)).any(axis=1)
    is_near = ((costs == 1) & (tiles == 1)).any(axis=1)
    kept = is_whole | is_near
    return states[kept], (~is_whole[kept]).astype(np.int64)
