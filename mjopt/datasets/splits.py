"""Splits by canonical hand: equivalent hands fall into the same split."""

import math
import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.symmetry import find_symmetry
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.wide_rows import widen_rows

Splits = tuple[tuple[str, float], ...]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@cache
def _suit_codes() -> NDArray[np.uint32]:
    """Return the minimum of each suit code (nine digits in base five) and its mirror image."""
    codes = np.arange(5**9, dtype=np.uint32)
    mirrored, left = np.zeros_like(codes), codes.copy()
    for _ in range(9):
        mirrored = mirrored * np.uint32(5) + left % np.uint32(5)
        left //= np.uint32(5)
    return np.minimum(codes, mirrored)


def canonical_hashes(
    counts: NDArray[np.uint8], tiles: TileSet | None = None, rules: RuleSet | None = None
) -> NDArray[np.uint64]:
    """Return a hash of each hand, shape ``(N, K)``, equal for equivalent hands.

    Hands are equivalent if a permutation of suits, a reversal of the ranks of a suit or a
    permutation of honours maps one to the other; see :func:`mjopt.hands.symmetry.canonical_counts`.
    Hands of a rule set are equivalent if one of its symmetries does; see
    :func:`mjopt.hands.symmetry.find_symmetry`. The tile set is by default ``M0`` for 27 kinds and
    ``FULL`` for 34.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> texts = ("1235m778899p9999s", "1111m112233p5789s", "1111m112233p5788s")
    >>> one, like, other = canonical_hashes(
    ...     np.array([Hand.parse(text).counts for text in texts], np.uint8)
    ... )
    >>> one == like, one == other
    (np.True_, np.False_)
    """
    if rules is not None:
        return _hashes_of_rules(counts, rules)
    from mjopt.datasets._kernels import hash_hands

    hashes = np.empty(len(counts), np.uint64)
    rows = counts if tiles is None else widen_rows(counts, tiles)
    hash_hands(np.ascontiguousarray(rows), _suit_codes(), hashes)
    return hashes


def _hashes_of_rules(counts: NDArray[np.uint8], rules: RuleSet) -> NDArray[np.uint64]:
    """Add up a hash of every rearrangement of the suits, and mix in the classes of other kinds."""
    symmetry, slices = find_symmetry(rules), rules.tiles.slices
    codes = {}
    for suit in symmetry.suits:
        part = counts[:, slices[suit]].astype(np.uint64)
        place = np.uint64(5) ** np.arange(part.shape[1], dtype=np.uint64)
        codes[suit, False] = (part * place).sum(axis=1, dtype=np.uint64)
        codes[suit, True] = (part * place[::-1]).sum(axis=1, dtype=np.uint64)
    orders = symmetry.orders
    permutations = {tuple((suit, False) for suit, _ in order) for order in orders}
    if len(orders) == len(permutations) << len(symmetry.suits):  # each suit or its mirror
        orders = tuple(sorted(permutations))
        for suit in symmetry.suits:
            codes[suit, False] = np.minimum(codes[suit, False], codes[suit, True])
    total = np.zeros(len(counts), np.uint64)
    for order in orders:
        word = np.zeros(len(counts), np.uint64)
        for key in order:
            word = (word + codes[key]) * _ODD
        total += _mixed(word)
    unit = np.array([0, *(1 << 6 * copies for copies in range(COPIES))], np.uint64)
    for kinds in symmetry.classes:  # number of kinds with 1, 2, 3, 4 copies
        total = _mixed(total * _ODD + unit[counts[:, list(kinds)]].sum(axis=1, dtype=np.uint64))
    return _mixed(total)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = words ^ (words >> np.uint64(31))
    return mixed


def split_of(
    counts: NDArray[np.uint8],
    splits: Splits,
    tiles: TileSet | None = None,
    rules: RuleSet | None = None,
) -> NDArray[np.int64]:
    """Return the split number of each hand, a function of the hand only."""
    if len(splits) == 1:
        return np.zeros(len(counts), np.int64)
    edges = np.cumsum([share for _, share in splits])[:-1]
    # 53 bits of the hash as a number in [0, 1).
    place = (canonical_hashes(counts, tiles, rules) >> np.uint64(11)).astype(np.float64) / 2.0**53
    return np.searchsorted(edges, place, side="right").astype(np.int64)


def read_splits(text: str) -> Splits:
    """Parse splits and their shares: whole numbers are weights, other shares must sum to 1.

    Examples
    --------
    >>> read_splits("train=8,validation=1,test=1")
    (('train', 0.8), ('validation', 0.1), ('test', 0.1))
    >>> read_splits("train")
    (('train', 1.0),)
    """
    given: list[tuple[str, float]] = []
    for part in text.split(","):
        name, sign, share = (word.strip() for word in part.partition("="))
        try:
            number = float(share) if sign else 1.0
        except ValueError:
            number = -1.0
        if not _NAME.fullmatch(name) or not 0 < number < float("inf"):
            raise ArgumentError(
                argument="split",
                value=short_repr(part.strip()),
                expected="NAME=SHARE such as train=0.9",
            )
        given.append((name, number))
    if len({name for name, _ in given}) < len(given):
        raise ArgumentError(f"splits {text}: a name is repeated")
    total = sum(share for _, share in given)
    if not all(share.is_integer() for _, share in given) and not math.isclose(total, 1.0):
        raise ArgumentError(
            f"splits {text}: the shares sum to {total:.6g}",
            expected="1, or whole numbers as weights",
        )
    return tuple((name, share / total) for name, share in given)
