"""Labels from the table engine: deficiency of each form, and whether a hand wins."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from mjopt.answers.certifying import certify
from mjopt.datasets.labels.base import Block, Column, Values
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import MjoptError, RecipeError
from mjopt.hands.forms import STANDARD, check_forms
from mjopt.tables.batch import label
from mjopt.tables.store import DIGEST

TABLES: Final = f"tables {DIGEST[:12]}"
"""The engine: what is inside the tables decides every answer."""


@dataclass(frozen=True, slots=True)
class Deficiency:
    """The deficiency of one form.

    Parameters
    ----------
    name
        How the label is called, and its column.
    form
        The winning form.
    """

    name: str
    form: str
    engine: ClassVar = TABLES

    def check(self, deal: Deal) -> None:
        """Refuse a form that the tiles cannot make."""
        try:
            check_forms((self.form,), deal.tiles)
        except MjoptError as error:
            raise RecipeError(f"label {self.name}: {error}") from None
        if self.form != STANDARD and deal.called:
            raise RecipeError(f"label {self.name}: needs hands with nothing called")

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        words = self.form.replace("_", " ")
        return (Column(self.name, "int8", f"tile changes to a complete hand, {words} form"),)

    def values(self, block: Block) -> Values:
        """Look up all hands."""
        return {self.name: label(block.hands, called=block.deal.called, forms=(self.form,))}

    def again(self, block: Block) -> dict[str, Any]:
        """Certify the hand: a target and a bound, both checked."""
        hand = block.hand
        return {self.name: certify(hand, forms=(self.form,)).deficiency}


@dataclass(frozen=True, slots=True)
class Win:
    """Whether a hand is complete."""

    name: ClassVar = "win"
    engine: ClassVar = TABLES

    def check(self, _: Deal) -> None:
        """Refuse nothing: every hand wins or not."""

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        return (Column("win", "bool", "complete: four melds and an eye"),)

    def values(self, block: Block) -> Values:
        """Look up all hands; a hand before its draw never wins."""
        full = 14 - 3 * block.deal.called
        missing = label(block.hands, called=block.deal.called)
        return {"win": (missing == 0) & (block.hands.sum(axis=1) == full)}

    def again(self, block: Block) -> dict[str, Any]:
        """Certify the hand."""
        hand = block.hand
        return {"win": hand.is_full and certify(hand).deficiency == 0}
