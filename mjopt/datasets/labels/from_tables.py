"""Labels looked up for all hands at once; for one hand, asked of a network or a solver."""

from typing import Final

import numpy as np

from mjopt.answers.certifying import certify
from mjopt.answers.discard import discards
from mjopt.answers.useful import nearest
from mjopt.answers.values import is_win
from mjopt.datasets.labels.base import OneColumn
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import MjoptError, RecipeError
from mjopt.hands.forms import STANDARD, check_forms
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import M0
from mjopt.models.predecomposition import Predecomposition
from mjopt.models.solving import settled, solve
from mjopt.tables._paper_cost import paper_costs
from mjopt.tables.batch import label
from mjopt.tables.store import DIGEST
from mjopt.tables.useful import best_discard_masks, useful_masks

TABLES: Final = f"tables {DIGEST[:12]}"
"""The engine: what is inside the tables decides every answer."""

SIGNATURES: Final = "suit signatures 1"


def deficiency_label(name: str, form: str) -> OneColumn:
    """Return the label of the deficiency of one form; the other way is a certificate."""

    def refuse(deal: Deal) -> None:
        try:
            check_forms((form,), deal.tiles)
        except MjoptError as error:
            raise RecipeError(f"label {name}: {error}") from None
        if form != STANDARD and deal.called:
            raise RecipeError(f"label {name}: needs hands with nothing called")

    return OneColumn(
        name=name,
        engine=TABLES,
        column=name,
        kind="int8",
        meaning=f"tile changes to a complete hand, {form.replace('_', ' ')} form",
        of_all=lambda rows: label(rows.hands, called=rows.deal.called, forms=(form,)),
        of_one=lambda hand: certify(hand, forms=(form,)).deficiency,
        refuse=refuse,
    )


WIN: Final = OneColumn(
    name="win",
    engine=TABLES,
    column="win",
    kind="bool",
    meaning="complete: four melds and an eye",
    # A hand before its draw never wins.
    of_all=lambda rows: (
        (label(rows.hands, called=rows.deal.called) == 0)
        & (rows.hands.sum(axis=1) == 14 - 3 * rows.deal.called)
    ),
    of_one=lambda hand: hand.is_full and certify(hand).deficiency == 0,
)


def _useful_again(hand: Hand) -> int:
    """Walk the network of the hand from both ends."""
    held, unseen = np.array([[hand.counts], [hand.unseen]], np.uint8)
    _, [drawn] = nearest(held, unseen, hand.tiles, hand.called)
    return sum(1 << kind for kind in np.flatnonzero(drawn).tolist())


USEFUL: Final = OneColumn(
    name="useful",
    engine=TABLES,
    column="useful_tiles",
    kind="mask",
    meaning="bit k: some nearest complete hand draws kind k",
    of_all=lambda rows: useful_masks(rows.hands, called=rows.deal.called),
    of_one=_useful_again,
)


def _after_the_draw(deal: Deal) -> None:
    if deal.size != 14:
        raise RecipeError("label discards: needs hands after their draw (size 14)")


def _discards_again(hand: Hand) -> int:
    """Judge the discards one by one, through the network."""
    if is_win(hand):
        return 0
    judged = [(found.deficiency, found.after.num_copies, found.kind) for found in discards(hand)]
    return sum(1 << kind for *value, kind in judged if value == [*judged[0][:2]])


DISCARDS: Final = OneColumn(
    name="discards",
    engine=TABLES,
    column="best_discards",
    kind="mask",
    meaning="bit k: no discard is better than kind k; 0 for a complete hand",
    of_all=lambda rows: best_discard_masks(rows.hands, called=rows.deal.called),
    of_one=_discards_again,
    refuse=_after_the_draw,
)


def _of_the_paper(deal: Deal) -> None:
    if deal.tiles != M0 or deal.called:
        raise RecipeError("label cost: needs hands of M0 with nothing called")


PAPER_COST: Final = OneColumn(
    name="cost",
    engine=SIGNATURES,
    column="paper_cost",
    kind="int8",
    meaning="least of Eq. 8 (Yan and Li 2023), both special cases applied",
    of_all=lambda rows: paper_costs(rows.hands),
    of_one=lambda hand: settled(solve(hand, model=Predecomposition.name)),
    refuse=_of_the_paper,
)
