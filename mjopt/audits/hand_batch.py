"""A batch of valid hands in arrays: their tiles, their melds, and the copies that can arrive."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect_all
from mjopt.audits.discard_rates import AskedDiscards
from mjopt.errors import HandError
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import COPIES, TileSet

Counts = NDArray[np.uint8]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandBatch:
    """Valid hands in arrays, with N hands of K kinds.

    Parameters
    ----------
    counts, called
        Copies per kind, shape ``(N, K)``, and melds on the table, shape ``(N,)``.
    left
        Copies that can arrive, shape ``(N, K)``; None if these are all not held.
    tiles, rules
        The tile set and the rule set.
    melds
        The tiles of the melds on the table of each hand, if they are known.
    asked
        What deal-in rates are about, if the question is one about them.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> batch = HandBatch.of([Hand.parse("1112345678999m1p"), Hand.parse("11m", called=4)])
    >>> batch.called.tolist(), batch.is_full.tolist(), batch.hand(1).to_text()
    ([0, 4], [True, True], '11m')
    """

    counts: "Counts"
    called: "NDArray[np.int16]"
    tiles: TileSet
    left: "Counts | None" = None
    rules: RuleSet | None = None
    melds: tuple[tuple[Block, ...], ...] = ()
    asked: AskedDiscards | None = None

    @classmethod
    def of(cls, hands: Iterable[Hand], left: "Counts | None" = None) -> "HandBatch":
        """Return some hands, at least one, of one tile set and rule set as a batch."""
        hands = expect_all(hands, Hand, "hands")
        if not hands:
            raise HandError("no hands", expected="at least one")
        melds = tuple(hand.melds for hand in hands)
        if left is None and any(melds):
            left = np.array([hand.unseen for hand in hands], np.uint8)
        return cls(
            counts=np.array([hand.counts for hand in hands], np.uint8),
            called=np.array([hand.called for hand in hands], np.int16),
            tiles=hands[0].tiles,
            left=left,
            rules=hands[0].rules,
            melds=melds if any(melds) else (),
        )

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def is_full(self) -> "NDArray[np.bool_]":
        """Whether each hand is one after its draw, shape ``(N,)``."""
        size = HAND_SIZE if self.rules is None else self.rules.size
        is_full: NDArray[np.bool_] = (
            self.counts.sum(axis=1, dtype=np.int64) == size - 3 * self.called
        )
        return is_full

    @property
    def copies(self) -> "Counts":
        """Copies that can arrive, shape ``(N, K)``."""
        return np.uint8(COPIES) - self.counts if self.left is None else self.left

    def take(self, rows: "Rows") -> "HandBatch":
        """Return some of the hands."""
        return replace(
            self,
            counts=self.counts[rows],
            called=self.called[rows],
            left=None if self.left is None else self.left[rows],
            melds=tuple(self.melds[row] for row in rows) if self.melds else (),
            asked=None if self.asked is None else self.asked.take(rows),
        )

    @property
    def tolerance(self) -> int:
        """How much a right answer may differ from the exact one."""
        return 0 if self.asked is None else self.asked.tolerance

    def by_called(self) -> "Iterator[tuple[int, Rows]]":
        """Yield each number of melds on the table, and the rows with it."""
        for melds in np.unique(self.called).tolist():
            yield melds, np.flatnonzero(self.called == melds)

    def hand(self, row: int) -> Hand:
        """Return one hand."""
        melds = self.melds[row] if self.melds else ()
        counts, reds = tuple(self.counts[row].tolist()), (0,) * self.tiles.num_kinds
        how = (int(self.called[row]), melds, False, self.rules)
        return Hand.of_checked(self.tiles, counts, reds, *how)

    def meld_texts(self, row: int) -> tuple[str, ...]:
        """Return the tiles of the melds on the table of one hand, if they are known."""
        melds = self.melds[row] if self.melds else ()
        return tuple(meld.text(self.tiles) for meld in melds)

    def unseen(self, row: int) -> tuple[int, ...] | None:
        """Return the copies that can arrive for one hand; None if these are all not shown."""
        left = None if self.left is None else tuple(self.left[row].tolist())
        return None if left == self.hand(row).unseen else left

    def text(self, row: int, notation: str = "mpsz") -> str:
        """Return one hand as text."""
        return self.hand(row).to_text(notation)
