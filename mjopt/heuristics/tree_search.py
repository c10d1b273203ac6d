"""The exact tree search of Li and Yan: every decomposition of a hand, with pruning."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError
from mjopt.hands.blocks import Block, chow, eye, pchow, pong
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.predecomposition import Predecomposition
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import TileSet, check_counts
from mjopt.heuristics._tree_kernels import NO_LIMIT, search_one, search_rows
from mjopt.heuristics._tree_moves import CHOW, EYE, GAP, NEAR, ORDERS, PAIR, PONG, Flags, Numbers
from mjopt.heuristics.evaluation_count import count_evaluations
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.stopping import Stop, StopReason

_FIRST_BUDGET: Final = 4096  # nodes before the time limit is first checked
_PIECES: Final[dict[int, Callable[[int], Block]]] = {
    PONG: pong,
    CHOW: chow,
    EYE: eye,
    PAIR: eye,
    NEAR: partial(pchow, gap=1),
    GAP: partial(pchow, gap=2),
}


class _Tree(NamedTuple):
    """Result of a tree search."""

    value: int
    nodes: int
    hit: int  # nodes when the target was reached, or -1
    is_complete: bool
    pieces: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSearch:
    """Decompose the hand in every way, tile by tile, and keep the cheapest result.

    At the first unprocessed tile a, the moves are: make ``aaa`` or a chow that begins at a; make
    ``aa`` the eye; make ``aa``, ``a a+1`` or ``a a+2`` a meld slot that one more tile completes, if
    such a tile is unseen; or leave over every remaining a. The cost of a leaf is the exact number
    of draws that complete it: one for each two-tile slot; two for an empty slot that can start from
    a leftover tile (else three); for a missing eye one if a leftover tile can start it, else two.
    The draws of a kind never exceed its unseen copies.

    **The value is always the deficiency of the hand** (without ``depth_limit``). Where the cost of
    Eq. 8 is below the deficiency, as with three kongs and a pchow, so is the cost of the
    predecomposition in the result; ``result.completes`` states that the value completes the hand.
    Proof: let W be a nearest complete hand, split into melds and eye, with each tile of the hand
    assigned to at most one of them. The parts with two or more of these tiles are the pieces of
    some leaf, and filling in the rest is one of the completions that are compared at this leaf.
    Conversely, every completion of a leaf is a complete hand.

    Notes
    -----
    Differences from the published tree, none of which changes the value: the published tree has one
    branch for chows and pchows, the chow if the hand has all three tiles. Here ``a a+1`` and ``a
    a+2`` are tried beside the chow, which a limit on unseen tiles can make necessary. And each set
    of pieces is reached once, not once in every order.

    Evaluations are nodes: the root and every child, leaves and pruned ones included; 29, 29 and 23
    a hand on average for one, two and three types, a few microseconds. No table is used.

    References
    ----------
    .. [1] S. Li and X. Yan (2019), Let's Play Mahjong!, arXiv:1903.03294.

    Examples
    --------
    >>> hand = Hand.parse("B3333C222267D7777", notation="paper")
    >>> TreeSearch().deficiency(hand)
    3
    """

    # A name from ``ORDERS``: "melds-first" finds good values early, "as-published" tries dropping a
    # tile first. The value is the same.
    order: str = field(default="melds-first", metadata={"choices": tuple(ORDERS)})
    # Whether to prune nodes whose bound, from the melds and pairs that the remaining tiles could
    # give, is no better than the best leaf.
    prune: bool = field(default=True, metadata={"choices": (True, False)})
    # Most branchings on a path; dropping k tiles counts k. Tiles beyond the limit are left over.
    # Only None, no limit, is exact. The authors' public program stops at 8 tiles: read as this
    # limit, *measured*, it is wrong on none of the one-type hands, 0.03 % of two-type and 6.3 % of
    # three-type deals.
    depth_limit: int | None = field(default=None, metadata={"range": (1, None)})

    name: ClassVar[str] = "tree-search"
    is_random: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Validate the parameters."""
        if self.order not in ORDERS:
            raise ArgumentError(
                argument="order", value=short_repr(self.order), expected=tuple(ORDERS)
            )
        if self.prune not in (True, False):
            raise ArgumentError(
                argument="prune", value=short_repr(self.prune), expected="true or false"
            )
        limit = self.depth_limit
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ArgumentError(f"depth limit {short_repr(limit)}", expected="at least 1, or none")

    @property
    def num_generations(self) -> int:
        """Zero: there is only one tree."""
        return 0

    def deficiency(self, hand: Hand, *, unseen: Sequence[int] | None = None) -> int:
        """Return the least number of tile changes; ``UNREACHABLE`` if the unseen tiles are too few.

        ``unseen`` copies of each kind, shape ``(K,)``, in ``0..4``, can still arrive; by default
        all that the hand does not show.

        Examples
        --------
        >>> hand = Hand.parse("123m456m789m1239p")
        >>> TreeSearch().deficiency(hand)
        1
        >>> TreeSearch().deficiency(hand, unseen=[0] * 27)
        127
        """
        return self._search(hand, unseen, Stop(), None).value

    def search(
        self,
        hand: Hand,
        *,
        rng: np.random.Generator,  # noqa: ARG002 - the protocol has it; nothing is drawn here
        stop: Stop,
        target: int | None = None,
    ) -> Result:
        """Search one hand; see :class:`Heuristic`. `ArgumentError` if nothing can complete it."""
        tree = self._search(hand, None, stop, target)
        if tree.value == UNREACHABLE:
            raise ArgumentError(f"no unseen tiles complete {hand.to_text()}")
        if stop.value is not None and tree.value <= stop.value:
            reason = StopReason.REACHED
        elif tree.is_complete:
            reason = StopReason.EXHAUSTED
        elif tree.nodes == stop.evaluations:
            reason = StopReason.EVALUATIONS
        else:
            reason = StopReason.SECONDS
        return Result(
            value=tree.value,
            predecomposition=Predecomposition(hand, tree.pieces),
            evaluations=tree.nodes,
            generations=0,
            history=(tree.value,),
            stopped=reason,
            hit_evaluations=tree.hit if tree.hit >= 0 else None,
            hit_generation=0 if tree.hit >= 0 else None,
            completes=True,
        )

    def search_batch(
        self,
        counts: npt.NDArray[np.uint8],
        *,
        keys: npt.NDArray[np.uint64],  # noqa: ARG002 - nothing is drawn here
        targets: npt.NDArray[np.int8] | None,
        stop_at_target: bool,
        history: bool,
        tiles: TileSet,
        called: int,
    ) -> Batch:
        """Search every row in one loop; see :class:`BatchHeuristic`."""
        batch = Batch.empty(len(counts), num_generations=0 if history else None)
        is_complete = np.empty(len(counts), np.bool_)
        aims = np.full(len(counts), -1, np.int8) if targets is None else targets
        search_rows(
            counts, MAX_CALLED - called, *self._arguments(tiles), aims, stop_at_target,
            batch.value, batch.evaluations, batch.hit_evaluations, is_complete,
        )  # fmt: skip
        count_evaluations(int(batch.evaluations.sum()))
        batch.hit_generation[batch.hit_evaluations >= 0] = 0
        reached = stop_at_target & (batch.value <= aims)
        batch.stopped[:] = np.where(reached, StopReason.REACHED, StopReason.EXHAUSTED)
        if batch.history is not None:
            batch.history[:, 0] = batch.value
        return batch

    def _search(
        self, hand: Hand, unseen: Sequence[int] | None, stop: Stop, target: int | None
    ) -> _Tree:
        can_arrive = hand.unseen
        if unseen is not None:
            can_arrive = tuple(
                map(min, check_counts(unseen, hand.tiles, what="unseen"), can_arrive)
            )
        kinds, moves = np.zeros(5, np.int64), np.zeros(5, np.int64)
        limit = NO_LIMIT if stop.evaluations is None else stop.evaluations
        budget = limit if stop.seconds is None else min(limit, _FIRST_BUDGET)
        deadline = time.monotonic() + (stop.seconds or 0)
        while True:
            value, nodes, hit, num_pieces, is_complete = search_one(
                np.array(hand.counts, np.int64), np.array(can_arrive, np.int64),
                hand.melds_needed, *self._arguments(hand.tiles), budget,
                -1 if stop.value is None else stop.value, -1 if target is None else target,
                kinds, moves,
            )  # fmt: skip
            # With a time limit: restart with twice the nodes, so the total is at most twice the
            # last run, and the value still belongs to a single tree.
            if is_complete or budget == limit or nodes < budget or time.monotonic() > deadline:
                break
            budget = min(limit, 2 * budget)
        count_evaluations(int(nodes))
        path = zip(moves[:num_pieces].tolist(), kinds[:num_pieces].tolist(), strict=True)
        pieces = tuple(_PIECES[move](kind) for move, kind in path)
        return _Tree(int(value), int(nodes), int(hit), bool(is_complete), pieces)

    def _arguments(self, tiles: TileSet) -> tuple[Flags, Numbers, Numbers, bool, int]:
        """Return the kernel arguments that depend on the tile set and the method."""
        most_levels = 100 if self.depth_limit is None else self.depth_limit
        return *_shapes(tiles), np.array(ORDERS[self.order], np.int64), self.prune, most_levels


@lru_cache(maxsize=8)
def _shapes(tiles: TileSet) -> tuple[Flags, Numbers]:
    """Return where chows begin, shape ``(K + 3,)``, and every meld, shape ``(M, 3)``."""
    starts = np.zeros(tiles.num_kinds + 3, np.bool_)
    starts[list(tiles.chow_starts)] = True
    chows = [(kind, kind + 1, kind + 2) for kind in tiles.chow_starts]
    pongs = [(kind,) * 3 for kind in range(tiles.num_kinds)]
    return starts, np.array(chows + pongs, np.int64)
