"""Labels that are sets of kinds: useful tiles and best discards."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mjopt.answers.discard import discards
from mjopt.answers.useful import nearest
from mjopt.answers.values import is_win
from mjopt.datasets.labels.base import Block, Column, Values
from mjopt.datasets.labels.deficiencies import TABLES
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import RecipeError
from mjopt.tables.useful import best_discard_masks, useful_masks


def _mask_kind(deal: Deal) -> str:
    return "uint32" if deal.tiles.num_kinds <= 32 else "uint64"


@dataclass(frozen=True, slots=True)
class UsefulTiles:
    """The tiles that some nearest complete hand draws."""

    name: ClassVar = "useful"
    engine: ClassVar = TABLES

    def check(self, _: Deal) -> None:
        """Refuse nothing."""

    def columns(self, deal: Deal) -> tuple[Column, ...]:
        """Return its one column, a bit for each kind."""
        meaning = "bit k: some nearest complete hand draws kind k"
        return (Column("useful_tiles", _mask_kind(deal), meaning),)

    def values(self, block: Block) -> Values:
        """Look up all hands."""
        masks = useful_masks(block.hands, called=block.deal.called)
        return {"useful_tiles": masks.astype(_mask_kind(block.deal))}

    def again(self, block: Block) -> dict[str, Any]:
        """Walk the network of the hand from both ends."""
        hand = block.hand
        held = np.array([hand.counts], np.uint8)
        _, drawn = nearest(held, np.array([hand.unseen], np.uint8), hand.tiles, hand.called)
        return {"useful_tiles": sum(1 << kind for kind in np.flatnonzero(drawn[0]).tolist())}


@dataclass(frozen=True, slots=True)
class BestDiscards:
    """The discards after which least is missing, and then most useful tiles are unseen."""

    name: ClassVar = "discards"
    engine: ClassVar = TABLES

    def check(self, deal: Deal) -> None:
        """Refuse hands before their draw."""
        if deal.size != 14:
            raise RecipeError("label discards: needs hands after their draw (size 14)")

    def columns(self, deal: Deal) -> tuple[Column, ...]:
        """Return its one column, a bit for each kind."""
        meaning = "bit k: no discard is better than kind k; 0 for a complete hand"
        return (Column("best_discards", _mask_kind(deal), meaning),)

    def values(self, block: Block) -> Values:
        """Judge every discard of all hands."""
        masks = best_discard_masks(block.hands, called=block.deal.called)
        return {"best_discards": masks.astype(_mask_kind(block.deal))}

    def again(self, block: Block) -> dict[str, Any]:
        """Judge the discards one by one, through the network."""
        hand = block.hand
        if is_win(hand):
            return {"best_discards": 0}
        judged = discards(hand)
        best = judged[0]
        same = [
            d.kind
            for d in judged
            if (d.deficiency, d.after.num_copies) == (best.deficiency, best.after.num_copies)
        ]
        return {"best_discards": sum(1 << kind for kind in same)}
