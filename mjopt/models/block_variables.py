"""Columns of the blockwise formulation: a block and the tiles of it that the hand holds."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.hands.hand import Hand

Copies = tuple[tuple[int, int], ...]  # (kind, copies), by kind
Counts = tuple[int, ...]


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
        Upper bound on its use.
    is_meld
        Whether the block is a meld.
    name
        Block and the ranks taken from the hand: ``chow_123m_13``.
    """

    block: Block
    held: Copies
    drawn: Copies
    cost: int
    most: int
    is_meld: bool
    name: str


# Columns depend on a few neighbouring kinds only, so most of them occur in many hands; the cache
# halves the time to build a program.
@lru_cache(maxsize=65536)
def _chow_columns(
    kind: int, held: Counts, cap: Counts, melds: int, names: tuple[str, ...]
) -> tuple[Column, ...]:
    """Return every split of a chow; a copy in the hand may be used elsewhere and drawn again."""
    columns: list[Column] = []
    choices = [
        ((True,) if h else ()) + ((False,) if c else ()) for h, c in zip(held, cap, strict=True)
    ]
    ranks = "".join(name[0] for name in names)
    for from_hand in product(*choices):
        limits = [h if mine else c for h, c, mine in zip(held, cap, from_hand, strict=True)]
        mine = "".join(rank for rank, own in zip(ranks, from_hand, strict=True) if own)
        columns.append(
            Column(
                block=chow(kind),
                held=tuple((kind + i, 1) for i, own in enumerate(from_hand) if own),
                drawn=tuple((kind + i, 1) for i, own in enumerate(from_hand) if not own),
                cost=3 - sum(from_hand),
                most=min(melds, *limits),
                is_meld=True,
                name=f"chow_{ranks}{names[0][1]}_{mine or '0'}",
            )
        )
    return tuple(columns)


@lru_cache(maxsize=65536)
def _same_kind_columns(kind: int, held: int, cap: int, size: int, name: str) -> tuple[Column, ...]:
    """Return every split of a pong (size 3) or an eye (size 2)."""
    block = pong(kind) if size == 3 else eye(kind)
    text = f"{block.shape}_{name[0] * size}{name[1]}"
    return tuple(
        Column(
            block=block,
            held=((kind, mine),) if mine else (),
            drawn=((kind, size - mine),) if mine < size else (),
            cost=size - mine,
            most=1,
            is_meld=size == 3,
            name=f"{text}_{name[0] * mine or '0'}",
        )
        for mine in range(min(held, size) + 1)
        if size - mine <= cap
    )


def all_columns(hand: Hand, cap: tuple[int, ...]) -> list[Column]:
    """List every column of a hand whose draws are possible.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> len(all_columns(hand, hand.unseen))
    145
    """
    counts, melds, names = hand.counts, hand.melds_needed, hand.tiles.names
    columns: list[Column] = []
    if melds:
        for kind in hand.tiles.chow_starts:
            three = slice(kind, kind + 3)
            columns += _chow_columns(kind, counts[three], cap[three], melds, names[three])
        for kind, held in enumerate(counts):
            columns += _same_kind_columns(kind, held, cap[kind], 3, names[kind])
    for kind, held in enumerate(counts):
        columns += _same_kind_columns(kind, held, cap[kind], 2, names[kind])
    return columns


def drop_dominated(
    columns: list[Column], hand: Hand, cap: tuple[int, ...]
) -> tuple[list[Column], frozenset[int]]:
    """Drop columns that others can always replace.

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
       free kinds can replace all the others.

    Returns
    -------
    columns : list of Column
        The remaining columns; all of them if there is no host.
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
    replaced: set[Copies] = set()  # held copies of melds whose draws are all free
    for column in columns:
        if not column.held:
            block = column.block
            if block == host or (not column.is_meld and block.kinds[0] in sites):
                kept.append(column)
            continue
        if column.is_meld and column.drawn and all(kind in free for kind, _ in column.drawn):
            if column.held in replaced:
                continue
            replaced.add(column.held)
        kept.append(column)
    return [
        column
        for column in kept
        if column.held not in replaced
        or not column.is_meld
        or all(kind in free for kind, _ in column.drawn)
    ], free


def _host_and_sites(hand: Hand, cap: tuple[int, ...]) -> tuple[Block | None, tuple[int, ...]]:
    empty = [kind for kind, can_arrive in enumerate(cap) if can_arrive == 4]
    chosen = set(empty)
    for start in hand.tiles.chow_starts if hand.melds_needed else ():
        if {start, start + 1, start + 2} <= chosen:
            rest = [kind for kind in empty if not start <= kind <= start + 2]
            for second in rest:
                # The last is the highest: no chow may reach from the other up to it.
                if not any(s <= second and rest[-1] <= s + 2 for s in hand.tiles.chow_starts):
                    return chow(start), (rest[-1], second)
    return None, ()
