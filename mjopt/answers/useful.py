"""Useful tiles: those that some nearest complete hand still draws, by the network."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import HandError
from mjopt.hands.forms import STANDARD, UNREACHABLE, missing_and_helpful
from mjopt.hands.given import HandLike, TilesLike, as_hand, is_batch
from mjopt.hands.hand import Hand
from mjopt.hands.question import Question
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.shortest_path import FAR, network_layers

if TYPE_CHECKING:
    from mjopt.answers.hand_arrays import UsefulBatch

_CHUNK = 256  # hands at a time: some 4 MB of costs

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Small = npt.NDArray[np.int16]
Copies = tuple[tuple[int, int], ...]
"""Kinds and how many copies of them, by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsefulTiles:
    """The tiles that help a hand, and how many of them are left.

    Parameters
    ----------
    hand
        A hand before its draw.
    deficiency
        Tile changes with the tiles that can still arrive.
    shape
        Tile changes if all copies not held could arrive: less than ``deficiency``
        if what the hand waits for is gone.
    copies
        Useful kinds and copies unseen, by kind.
    """

    hand: Hand
    deficiency: int
    shape: int
    copies: Copies

    @property
    def kinds(self) -> tuple[int, ...]:
        """The useful kinds."""
        return tuple(kind for kind, _ in self.copies)

    @property
    def num_copies(self) -> int:
        """How many useful tiles are unseen."""
        return sum(copies for _, copies in self.copies)

    @property
    def is_dead_wait(self) -> bool:
        """Whether the hand is ready in shape, but nothing it waits for is left."""
        return self.shape == 1 and self.deficiency > 1

    @property
    def words(self) -> str:
        """The state of the hand in words."""
        if self.deficiency == UNREACHABLE:
            return "cannot win with the tiles that are left"
        if self.is_dead_wait:
            return f"ready in shape, but nothing it waits for is left: {self.deficiency} changes"
        if self.deficiency == 0:
            return "complete"
        return "ready" if self.deficiency == 1 else f"{self.deficiency} changes"


def useful_of(
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[str, ...] = (STANDARD,),
) -> list[UsefulTiles]:
    """Find the useful tiles of many hands with the same table.

    Parameters
    ----------
    hands
        Hands of one tile set with as many called melds.
    unseen
        Copies of each kind that can still arrive, for each hand.
    forms
        The winning forms.
    """
    found = helpful_copies(hands, unseen, forms)
    own = [hand.unseen for hand in hands]
    shapes = found if own == list(unseen) else helpful_copies(hands, own, forms)
    return [
        UsefulTiles(hand=hand, deficiency=value, shape=shape, copies=copies)
        for hand, (value, copies), (shape, _) in zip(hands, found, shapes, strict=True)
    ]


def helpful_copies(
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[str, ...] = (STANDARD,),
) -> list[tuple[int, Copies]]:
    """Return the deficiency of every hand, and the kinds that lower it with the copies left.

    A tile is useful to the standard form exactly if some nearest complete hand draws
    it. For several forms it must lower the least over them.

    Parameters
    ----------
    hands, unseen, forms
        As for :func:`useful_of`.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m")
    >>> [(deficiency, useful)] = helpful_copies([hand], [hand.unseen])
    >>> deficiency, useful[:3]
    (1, ((0, 1), (1, 3), (2, 3)))
    """
    if not hands:
        return []
    by_form: dict[str, list[tuple[int, Iterable[int]]]] = {}
    for form in forms:
        if form == STANDARD:
            held = np.array([hand.counts for hand in hands], dtype=np.uint8)
            left = np.array(unseen, dtype=np.uint8)
            least, drawn = nearest(held, left, hands[0].tiles, hands[0].called)
            kinds = [np.flatnonzero(row).tolist() for row in drawn]
            by_form[form] = list(zip(least.tolist(), kinds, strict=True))
        else:
            by_form[form] = [
                missing_and_helpful(form, hand, copies)
                for hand, copies in zip(hands, unseen, strict=True)
            ]
    results = []
    for copies, found in zip(unseen, zip(*by_form.values(), strict=True), strict=True):
        best = min(value for value, _ in found)
        helps = {kind for value, kinds in found if value == best for kind in kinds}
        results.append((best, tuple([(kind, copies[kind]) for kind in sorted(helps)])))
    return results


def nearest(counts: Bytes, unseen: Bytes, tiles: TileSet, called: int = 0) -> tuple[Small, Flags]:
    """Find deficiency and drawn kinds of every row, standard form.

    Shortest paths from both ends of the network: an arc lies on a cheapest path
    exactly if what it costs, what leads to it and what follows add up to the least.

    Parameters
    ----------
    counts, unseen
        Copies held, and able to arrive, shape (N, K); together at most four.
    tiles
        The tile set of K kinds.
    called
        Melds on the table, the same for all rows.

    Returns
    -------
    deficiency
        Shape (N,), in tiles; ``UNREACHABLE`` where there is none.
    drawn
        Shape (N, K): whether some nearest complete hand draws that kind.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m")
    >>> row = np.array([hand.counts], np.uint8)
    >>> deficiency, drawn = nearest(row, 4 - row, hand.tiles)
    >>> deficiency.tolist(), np.flatnonzero(drawn[0]).tolist()
    ([1], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    least = np.zeros(len(counts), np.int16)
    drawn = np.zeros((len(counts), tiles.num_kinds), bool)
    for start in range(0, len(counts), _CHUNK):
        part = slice(start, start + _CHUNK)
        least[part], drawn[part] = _nearest(counts[part], unseen[part], tiles, called)
    return least, drawn


@lru_cache(maxsize=16)
def _by_head(tiles: TileSet, called: int) -> list[tuple[Places, Places]]:
    """Return for each layer the order of its arcs by head, and where each head begins."""
    lay = network_layers(tiles, called)
    orders = []
    for low, high in pairwise(lay.bounds):
        order = np.argsort(lay.heads[low:high], kind="stable")
        firsts = np.unique(lay.heads[low:high][order], return_index=True)[1]
        orders.append((order, firsts))
    return orders


def _nearest(counts: Bytes, unseen: Bytes, tiles: TileSet, called: int) -> tuple[Small, Flags]:
    """Return deficiency and drawn kinds; costs are one column a hand, one row an arc or node."""
    lay, orders = network_layers(tiles, called), _by_head(tiles, called)
    num_kinds, number = tiles.num_kinds, len(counts)
    held = counts.T.astype(np.int16)[:, None]
    use = np.arange(COPIES + 1, dtype=np.int16)[None, :, None]
    costs = np.maximum(use - held, 0)
    costs[use > held + unseen.T[:, None]] = FAR
    by_arc = costs.reshape(-1, number)[lay.flat]
    go = np.full((lay.num_nodes, number), FAR, np.int16)
    go[-1] = 0
    layers = list(pairwise(lay.bounds))
    for kind in range(num_kinds - 1, -1, -1):
        low, high = layers[kind]
        if low < high:
            through = go[lay.heads[low:high]]
            through += by_arc[low:high]
            best = np.minimum.reduceat(through, lay.firsts[kind], axis=0)
            np.minimum(best, FAR, out=go[lay.sources[kind]])
    come = np.zeros_like(go)
    drawn = np.zeros((num_kinds, number), bool)
    for kind, (low, high) in enumerate(layers):
        if low < high:
            through = come[lay.tails[low:high]]
            through += by_arc[low:high]
            order, firsts = orders[kind]
            heads = lay.heads[low:high]
            best = np.minimum.reduceat(through[order], firsts, axis=0)
            come[heads[order[firsts]]] = np.minimum(best, FAR)
            through += go[heads]
            takes = lay.flat[low:high, None] % (COPIES + 1) > held[kind]
            drawn[kind] = ((through == go[0]) & takes).any(axis=0)
    is_far = go[0] >= FAR
    drawn[:, is_far] = False
    return np.where(is_far, UNREACHABLE, go[0]).astype(np.int16), drawn.T


@overload
def useful_tiles(
    hand: Sequence[Sequence[int]] | NDArray[Any],
    *,
    tiles: TilesLike = None,
    unseen: ArrayLike | None = None,
    forms: Iterable[str] = (STANDARD,),
) -> "UsefulBatch": ...


@overload
def useful_tiles(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    unseen: Iterable[int] | str | None = None,
    forms: Iterable[str] = (STANDARD,),
) -> UsefulTiles: ...


def useful_tiles(
    hand: Any,
    *,
    tiles: TilesLike = None,
    unseen: Any = None,
    forms: Iterable[str] = (STANDARD,),
) -> "UsefulTiles | UsefulBatch":
    """Return the tiles whose arrival lowers the deficiency, with the copies unseen.

    Parameters
    ----------
    hand
        A hand before its draw (13 tiles, less three for each called meld). Rows of counts,
        shape ``(N, 27)`` or ``(N, 34)``, are answered by :func:`mjopt.useful_tiles_many`.
    tiles, unseen, forms
        As for :func:`mjopt.deficiency`.

    Raises
    ------
    HandError
        If the hand has drawn already: ask :func:`discards` then.

    Examples
    --------
    >>> found = useful_tiles("1112345678999m")
    >>> found.num_copies, found.words
    (23, 'ready')
    """
    if is_batch(hand):
        from mjopt.answers.hand_arrays import useful_tiles_many

        return useful_tiles_many(hand, unseen=unseen, forms=forms)
    hand = as_hand(hand, tiles)
    if hand.is_full:
        raise HandError(f"{hand.num_tiles} tiles, expected a hand before its draw; see discards")
    asked = Question(hand, forms, unseen)
    return useful_of([hand], [asked.unseen], asked.forms)[0]
