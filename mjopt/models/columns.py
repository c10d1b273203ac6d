"""Columns: a block together with which of its tiles the hand already holds."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from mjopt.blocks import Block, chow, eye, pong
from mjopt.hand import Hand

__all__ = ["Column", "all_columns", "drop_dominated"]

Copies = tuple[tuple[int, int], ...]  # (kind, copies), by kind


@dataclass(frozen=True, slots=True)
class Column:
    """A block, the copies it takes from the hand and those it draws.

    Parameters
    ----------
    block
        Chow, pong or eye.
    held, drawn
        Copies taken from the hand and from the unseen tiles, as (kind, copies).
    cost
        Tiles drawn.
    most
        How often it could be used at once.
    """

    block: Block
    held: Copies
    drawn: Copies
    cost: int
    most: int


@lru_cache(maxsize=65536)
def _chow_columns(
    kind: int, held: tuple[int, ...], cap: tuple[int, ...], melds: int
) -> tuple[Column, ...]:
    """Every split of a chow; kinds drawn are held or not, a held copy may be spent elsewhere."""
    columns: list[Column] = []
    choices = [
        ((True,) if h else ()) + ((False,) if c else ()) for h, c in zip(held, cap, strict=True)
    ]
    for from_hand in product(*choices):
        limits = [h if mine else c for h, c, mine in zip(held, cap, from_hand, strict=True)]
        kinds = range(kind, kind + 3)
        columns.append(
            Column(
                block=chow(kind),
                held=tuple((k, 1) for k, mine in zip(kinds, from_hand, strict=True) if mine),
                drawn=tuple((k, 1) for k, mine in zip(kinds, from_hand, strict=True) if not mine),
                cost=3 - sum(from_hand),
                most=min(melds, *limits),
            )
        )
    return tuple(columns)


@lru_cache(maxsize=65536)
def _same_kind_columns(kind: int, held: int, cap: int, size: int) -> tuple[Column, ...]:
    """Every split of a pong (size 3) or an eye (size 2)."""
    return tuple(
        Column(
            block=pong(kind) if size == 3 else eye(kind),
            held=((kind, mine),) if mine else (),
            drawn=((kind, size - mine),) if mine < size else (),
            cost=size - mine,
            most=1,
        )
        for mine in range(min(held, size) + 1)
        if size - mine <= cap
    )


def all_columns(hand: Hand, cap: tuple[int, ...]) -> list[Column]:
    """List every column of a hand whose draws can arrive.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> len(all_columns(hand, hand.unseen))
    145
    """
    counts, melds = hand.counts, hand.melds_needed
    columns: list[Column] = []
    if melds:
        for kind in hand.tiles.chow_starts:
            columns += _chow_columns(kind, counts[kind : kind + 3], cap[kind : kind + 3], melds)
        for kind, held in enumerate(counts):
            columns += _same_kind_columns(kind, held, cap[kind], 3)
    for kind, held in enumerate(counts):
        columns += _same_kind_columns(kind, held, cap[kind], 2)
    return columns


def drop_dominated(
    columns: list[Column], hand: Hand, cap: tuple[int, ...]
) -> tuple[list[Column], frozenset[int]]:
    """Drop columns that others can always stand in for.

    Call a kind *empty* if none is held and all four can arrive. Suppose a chow of
    empty kinds exists (the host), and two more empty kinds that no chow covers
    together (the eye sites). Then, without raising the cost of any solution:

    1. a meld drawn from scratch becomes the host: at most four melds, so the
       host's kinds are drawn at most four times;
    2. an eye drawn from scratch moves to a site: at most four melds draw from the
       sites, none from both, so one of them is drawn at most twice;
    3. hence every other empty kind is drawn by chows only, one copy each, at most
       four in all: it is *free*, and its draws need no row;
    4. of the columns that take the same tiles from the hand, one that draws only
       free kinds can stand in for all the others.

    Returns
    -------
    columns : list of Column
        Those that remain; all of them if there is no host.
    free : frozenset of int
        The kinds whose draws need no row.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> kept, free = drop_dominated(all_columns(hand, hand.unseen), hand, hand.unseen)
    >>> len(kept), len(free)
    (76, 15)
    """
    host, sites = _host_and_sites(hand, cap)
    if host is None:
        return columns, frozenset()
    free = frozenset(k for k, c in enumerate(cap) if c == 4 and k not in sites)
    kept: list[Column] = []
    stands_in: set[tuple[bool, Copies]] = set()
    for column in columns:
        block, is_meld = column.block, column.block.is_meld
        if column.held:
            if is_meld and column.drawn and all(kind in free for kind, _ in column.drawn):
                if (is_meld, column.held) in stands_in:
                    continue
                stands_in.add((is_meld, column.held))
        elif block != host and not (not is_meld and block.kinds[0] in sites):
            continue
        kept.append(column)
    return [
        column
        for column in kept
        if not column.drawn
        or not column.held
        or (column.block.is_meld, column.held) not in stands_in
        or all(kind in free for kind, _ in column.drawn)
    ], free


def _host_and_sites(hand: Hand, cap: tuple[int, ...]) -> tuple[Block | None, tuple[int, ...]]:
    empty = [kind for kind, can_arrive in enumerate(cap) if can_arrive == 4]
    chosen = set(empty)
    for start in hand.tiles.chow_starts if hand.melds_needed else ():
        if {start, start + 1, start + 2} <= chosen:
            rest = [kind for kind in empty if not start <= kind <= start + 2]
            for second in rest:
                if not _share_a_chow(hand, rest[-1], second):
                    return chow(start), (rest[-1], second)
    return None, ()


def _share_a_chow(hand: Hand, one: int, other: int) -> bool:
    low, high = sorted((one, other))
    return any(s <= low and high <= s + 2 for s in hand.tiles.chow_starts)
