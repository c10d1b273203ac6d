"""Look up the useful tiles of one hand in plain Python, without compilation."""

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.groups import groups_of
from mjopt.tables.marginal_costs import cheapest_shares, cost_classes, lower_shares
from mjopt.tables.state_index import MOST_TILES, number_of
from mjopt.tables.table_file import load_tables
from mjopt.tables.validation import tiles_by_length

KEPT: Final = 1 << 15  # cached suits, about 200 bytes each

_LEFT: Final = bytes(range(COPIES, -1, -1)).ljust(256, b"x")  # copies not held, by copies held
Wait = tuple[int, list[int], bool]


def find_wait(
    counts: Sequence[int],
    unseen: Sequence[int] | None = None,
    called: int = 0,
    tiles: TileSet | None = None,
) -> Wait:
    """Return the deficiency and the useful kinds of one hand, standard form.

    The tables assume that four copies of every kind are available. With fewer copies they
    are still correct, unless some nearest complete hand holds more of a kind than are
    available. That hand draws the kind, and is just as near if the hand already holds one
    copy too many.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them, of a hand before its draw.
    unseen
        Copies of each kind that may still arrive, at most those not in the hand; by default
        all of them.
    called
        Melds on the table.
    tiles
        The tile set; by default ``M0`` for 27 counts and ``FULL`` for 34.

    Returns
    -------
    tuple of int, list of int and bool
        The deficiency if every copy is available, the kinds that some nearest complete
        hand draws, and whether both are correct for the unseen copies.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 18
    >>> find_wait(hand)
    (1, [0, 1, 2, 3, 4, 5, 6, 7, 8], True)
    >>> find_wait(hand, [1, 0] + [1] * 25)
    (1, [0, 1, 2, 3, 4, 5, 6, 7, 8], False)
    """
    held = bytes(counts)
    firsts, finder = _tables(tiles or tiles_by_length(len(held)), called)
    suits = _suits(held, firsts)
    gone = [] if unseen is None else _gone(held, unseen)
    found = finder([_class_of(suit) for suit in suits])
    return _wait(suits, firsts, found, gone, unseen or ())


def find_waits_after(
    counts: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    tiles: TileSet | None = None,
) -> dict[int, Wait]:
    """Return :func:`find_wait` of the hand after each discard, by kind.

    Parameters
    ----------
    counts
        Copies per kind of a hand after its draw.
    unseen, called, tiles
        As for :func:`find_wait`; the discarded tile does not return.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> find_waits_after(hand, [4 - copies for copies in hand])[9]
    (1, [0, 1, 2, 3, 4, 5, 6, 7, 8], True)
    """
    held = bytes(counts)
    firsts, find = _tables(tiles or tiles_by_length(len(held)), called)
    suits, gone = _suits(held, firsts), _gone(held, unseen)
    classes = [_class_of(suit) for suit in suits]
    has_four = COPIES in held
    found = {}
    for place, suit in enumerate(suits):
        before = classes[place]
        for rank, copies in enumerate(suit):
            if copies:
                kind = firsts[place] + rank
                suits[place] = suit[:rank] + bytes([copies - 1]) + suit[rank + 1 :]
                classes[place] = _class_of(suits[place])
                # A nearest hand can only need the discarded tile if four of some kind are
                # held: see `doubtful` in the kernel.
                missed = [*gone, kind] if copies >= COPIES - 1 and has_four else gone
                found[kind] = _wait(suits, firsts, find(classes), missed, unseen)
        suits[place], classes[place] = suit, before
    return found


def _suits(held: bytes, firsts: Sequence[int]) -> list[bytes]:
    return [held[first:stop] for first, stop in pairwise((*firsts, len(held)))]


def _gone(held: bytes, unseen: Sequence[int]) -> list[int]:
    """Return the kinds with copies that are neither held nor unseen."""
    # One byte per kind; such kinds are where the two differ.
    gone = int.from_bytes(held.translate(_LEFT), "little") ^ int.from_bytes(unseen, "little")
    kinds = []
    while gone:
        kinds.append(((gone & -gone).bit_length() - 1) // 8)
        gone &= -1 << 8 * (kinds[-1] + 1)
    return kinds


def _wait(
    suits: list[bytes],
    firsts: Sequence[int],
    found: tuple[int, tuple[int, ...]],
    gone: Sequence[int],
    unseen: Sequence[int],
) -> Wait:
    least, shares = found
    kinds: list[int] = []
    for drawn in map(_useful_kinds, suits, shares, firsts):
        kinds += drawn
    for kind in gone:
        place = bisect(firsts, kind) - 1
        suit, rank = suits[place], kind - firsts[place]
        if kind in kinds and _is_exceeded(suit, rank, unseen[kind], shares[place]):
            return least, kinds, False
    return least, kinds, True


@cache
def _classes(num_kinds: int) -> memoryview:
    return cost_classes(num_kinds).data


@lru_cache(maxsize=KEPT)
def _class_of(suit: bytes) -> int:
    found: int = _classes(len(suit))[number_of(suit)]
    return found


def _class_with(suit: bytes, rank: int, copies: int) -> int:
    return _class_of(suit[:rank] + bytes([copies]) + suit[rank + 1 :])


@cache
def _lower(num_kinds: int) -> list[list[int]]:
    """Return one bit for each share that costs less, by class before and after."""
    found: list[list[int]] = lower_shares(7 if num_kinds == 7 else 9).tolist()
    return found


@lru_cache(maxsize=KEPT)
def _useful_kinds(suit: bytes, shares: int, first: int) -> tuple[int, ...]:
    """Return the kinds of a suit, numbered from ``first``, that lower some of these shares."""
    number, classes = number_of(suit), _classes(len(suit))
    lower = _lower(len(suit))[classes[number]]
    is_plain = number < 4 ** len(suit)  # no four of a kind: two bits per rank
    after = [
        classes[number + (1 << 2 * rank)]
        if is_plain and copies < COPIES - 1
        else _class_with(suit, rank, copies + (copies < COPIES))
        for rank, copies in enumerate(suit)
    ]
    return tuple([first + rank for rank, there in enumerate(after) if lower[there] & shares])


@lru_cache(maxsize=KEPT)
def _is_exceeded(suit: bytes, rank: int, unseen: int, shares: int) -> bool:
    """Return whether a cheapest assignment needs more copies of a rank than can arrive."""
    drawn = unseen + 1
    if sum(suit) + drawn > MOST_TILES:  # too many tiles for a class: assume that it does
        return True
    costs = _costs(len(suit))
    before, after = costs[_class_of(suit)], costs[_class_with(suit, rank, suit[rank] + drawn)]
    return any(
        shares >> share & 1 and after[share] + drawn == cost for share, cost in enumerate(before)
    )


@cache
def _costs(num_kinds: int) -> list[list[int]]:
    tables = load_tables()
    costs = tables.honour_cost if num_kinds == 7 else tables.suit_cost
    found: list[list[int]] = costs.tolist()
    return found


Finder = Callable[[Sequence[int]], tuple[int, tuple[int, ...]]]


@cache
def _tables(tiles: TileSet, called: int) -> tuple[tuple[int, ...], Finder]:
    """Return the first kind of each suit, and the finder of a tile set.

    It takes the class of each suit, and returns the deficiency and the shares of each suit.
    """
    firsts = tuple(part.start for part in tiles.slices)
    places = [group.place for group in groups_of(tiles)]
    find = _finder(len(places), called)
    if places == sorted(places):
        return firsts, find
    order = [places.index(place) for place in range(len(places))]

    def find_in_order(classes: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        least, shares = find([classes[place] for place in places])
        return least, tuple([shares[place] for place in order])

    return firsts, find_in_order


def _finder(num_groups: int, called: int) -> Finder:
    """Return the same for groups in the order in which tables join them."""
    found = cheapest_shares(27 if num_groups == 3 else 34, called)
    pair, least, cheapest, of_honours, rest, rest_of_honours = (t.tolist() for t in found)

    def find_three(classes: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        i, j, k = classes
        first, second, third = pair[j][k], pair[i][k], pair[i][j]
        return least[i][first], (cheapest[i][first], cheapest[j][second], cheapest[k][third])

    def find_four(classes: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        i, j, k, h = classes
        both = pair[i][j]
        first = rest[pair[j][k]][h]
        return least[i][first], (
            cheapest[i][first],
            cheapest[j][rest[pair[i][k]][h]],
            cheapest[k][rest[both][h]],
            of_honours[h][rest_of_honours[both][k]],
        )

    return find_three if num_groups == 3 else find_four
