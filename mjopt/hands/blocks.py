"""Chow, pong, eye, pchow, kong and single: the pieces of a hand, as values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mjopt.hands.tiles import TileSet


class Shape(StrEnum):
    """The shape of a block. An eye and a pair used as a pmeld consist of the same tiles."""

    def __repr__(self) -> str:
        return f"Shape.{self.name}"

    CHOW = "chow"
    PONG = "pong"
    EYE = "eye"
    PCHOW = "pchow"
    KONG = "kong"  # only as a called meld
    SINGLE = "single"  # a tile of its own, as in thirteen orphans
    FIXED = "fixed"  # tiles that a winning form names
    JOKER = "joker"  # tiles of the other blocks for which jokers stand


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """One to four tiles that belong together.

    Parameters
    ----------
    kinds
        The kind of each tile, ascending.
    shape
        The shape that the tiles form.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> chow(2).text(M0), pong(8).text(M0), eye(26).text(M0), pchow(0, gap=2).text(M0)
    ('345m', '999m', '99s', '13m')
    """

    kinds: tuple[int, ...]
    shape: Shape

    def __repr__(self) -> str:
        return f"Block({self.kinds}, {self.shape!r})"

    @property
    def is_meld(self) -> bool:
        """Whether it is a chow, a pong or a kong."""
        return self.shape in (Shape.CHOW, Shape.PONG, Shape.KONG)

    def text(self, tiles: TileSet) -> str:
        """Write the block in mpsz notation."""
        ranks = "".join(str(tiles.rank(kind)) for kind in self.kinds)
        return ranks + tiles.letter(self.kinds[0])


def chow(kind: int) -> Block:
    """Return the chow that begins at a kind.

    Examples
    --------
    >>> chow(3).kinds
    (3, 4, 5)
    """
    return Block((kind, kind + 1, kind + 2), Shape.CHOW)


def pong(kind: int) -> Block:
    """Return three of a kind.

    Examples
    --------
    >>> pong(3).kinds
    (3, 3, 3)
    """
    return Block((kind,) * 3, Shape.PONG)


def eye(kind: int) -> Block:
    """Return two of a kind: the eye, or a pair that can become a pong.

    Examples
    --------
    >>> eye(3).kinds
    (3, 3)
    """
    return Block((kind,) * 2, Shape.EYE)


def kong(kind: int) -> Block:
    """Return four of a kind, called."""
    return Block((kind,) * 4, Shape.KONG)


def pchow(kind: int, *, gap: int) -> Block:
    """Return two tiles of a chow, ``gap`` ranks (1 or 2) apart."""
    return Block((kind, kind + gap), Shape.PCHOW)


def single(kind: int) -> Block:
    """Return a single tile, as in thirteen orphans."""
    return Block((kind,), Shape.SINGLE)


def fixed(kind: int, copies: int) -> Block:
    """Return copies of a kind that a winning form names."""
    return Block((kind,) * copies, Shape.FIXED)


def joker(kind: int, copies: int) -> Block:
    """Return the tiles of a kind, parts of other blocks, for which jokers stand."""
    return Block((kind,) * copies, Shape.JOKER)


def barred_kinds(meld: Block, called: int, tiles: TileSet) -> tuple[int, ...]:
    """Return the kinds that rules without swap calls bar from the discard after a call.

    These are the called kind and, after a chow, the kind at the other end of the two tiles from
    the hand. A kong bars none, because a draw comes first.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> barred_kinds(chow(1), 1, M0), barred_kinds(chow(1), 2, M0), barred_kinds(chow(6), 6, M0)
    ((1, 4), (2,), (6,))
    >>> barred_kinds(pong(4), 4, M0), barred_kinds(kong(4), 4, M0)
    ((4,), ())
    """
    if meld.shape is Shape.KONG:
        return ()
    low, high = meld.kinds[0], meld.kinds[-1]
    if meld.shape is Shape.CHOW and called == low and low + 1 in tiles.chow_starts:
        return low, high + 1
    if meld.shape is Shape.CHOW and called == high and low - 1 in tiles.chow_starts:
        return low - 1, high
    return (called,)


def usage(blocks: Sequence[Block], num_kinds: int) -> tuple[int, ...]:
    """Count the tiles that blocks use, per kind, shape ``(num_kinds,)``.

    Jokers count as the tiles for which they stand.

    Examples
    --------
    >>> usage([chow(0), eye(2)], 4)
    (1, 1, 3, 0)
    """
    used = [0] * num_kinds
    for block in blocks:
        if block.shape is not Shape.JOKER:
            for kind in block.kinds:
                used[kind] += 1
    return tuple(used)


def joker_usage(blocks: Sequence[Block], num_kinds: int) -> tuple[int, ...]:
    """Count the tiles of blocks for which jokers stand, per kind.

    Examples
    --------
    >>> joker_usage([eye(2), joker(2, 1)], 4)
    (0, 0, 1, 0)
    """
    used = [0] * num_kinds
    for block in blocks:
        if block.shape is Shape.JOKER:
            used[block.kinds[0]] += len(block.kinds)
    return tuple(used)


def join_jokers(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks in order, those of jokers for the same kind as one.

    Examples
    --------
    >>> join_jokers([joker(2, 1), eye(2), joker(2, 1)])
    (Block((2, 2), Shape.EYE), Block((2, 2), Shape.JOKER))
    """
    stand_in = Counter(
        kind for block in blocks if block.shape is Shape.JOKER for kind in block.kinds
    )
    if not stand_in:
        return tuple(sorted(blocks))
    others = [block for block in blocks if block.shape is not Shape.JOKER]
    return tuple(sorted([*others, *(joker(kind, times) for kind, times in stand_in.items())]))


def tiles_taken(
    blocks: Sequence[Block],
    jokers: tuple[int, ...],
    held: tuple[int, ...],
    unseen: tuple[int, ...],
) -> tuple[int, ...]:
    """Count the tiles that blocks take, per kind; a joker is a tile of its own kind.

    Jokers that are held are taken first, then those that are unseen.

    Examples
    --------
    >>> tiles_taken([eye(0), joker(0, 1)], (2,), (1, 0, 0), (3, 4, 4))
    (1, 0, 1)
    """
    stand_in = joker_usage(blocks, len(held))
    taken = [u - j for u, j in zip(usage(blocks, len(held)), stand_in, strict=True)]
    missing = sum(stand_in)
    for counts in (held, unseen):
        for kind in jokers:
            more = min(missing, counts[kind])
            taken[kind] += more
            missing -= more
    return tuple(taken)


def beyond(more: tuple[int, ...] | None, less: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the surplus of ``more`` over ``less`` per kind; zeros if either is None.

    Examples
    --------
    >>> beyond((2, 0, 1), (1, 1, 1)), beyond(None, (1, 0))
    ((1, 0, 0), (0, 0))
    """
    if more is None or less is None:
        return (0,) * len(more or less or ())
    return tuple([m - n if m > n else 0 for m, n in zip(more, less, strict=True)])
