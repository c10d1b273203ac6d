"""Bounds of the chance to win under optimal play: the answer of `optimal_play`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from mjopt.chances.ceiling.table import MAX_DRAWS
from mjopt.chances.win_chance.certificate import to_document
from mjopt.chances.win_chance.discard_bounds import PlayedDiscard, as_fraction
from mjopt.chances.win_chance.search import SearchBounds
from mjopt.errors import HandError
from mjopt.hands.coerce import as_kind
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import default_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0
from mjopt.proofs.win_chance_file import MOST_KINDS

# Values of `Play.stopped`.
GIVEN: Final = "given"
COMPLETE: Final = "complete"
TABLE: Final = "table"
SETTLED: Final = "settled"
SECONDS: Final = "seconds"

FAR: Final = 4
"""From this deficiency on, discards are ranked by the ceiling if there is a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Bounds of the chance to win under optimal play within a number of draws.

    Parameters
    ----------
    hand, wall, forms
        The query.
    draws
        Number of draws, at most the size of the wall.
    deficiency
        Deficiency of the hand, with all copies available.
    waste
        The class of plays that was searched: hands may differ from the first hand by ``waste``
        tiles more than needed to lower the deficiency. That counts for each form by itself, unless
        a farther form would add too many hands: it then has less waste, or that of the nearest.
    states
        Number of hands in that class.
    stopped
        Why waste was not raised: ``given``, ``complete`` (the class contains all plays),
        ``settled`` (the lower bound gained at most a thousandth), ``seconds``, or ``table`` (the
        class has too many hands to be searched, and only the ceiling is known).
    discards
        Every discard, the greatest lower bound first (with a ceiling table and a deficiency of
        4 or more: the greatest ceiling first); one row with kind None for a hand before its draw.
    ceiling_is_bound
        Whether the ceilings of the discards are bounds for all plays: the wall then holds all
        tiles that the hand does not. None without a table.
    best_proven
        Whether no other discard within the class is better than the first.
    """

    hand: Hand
    wall: tuple[int, ...]
    forms: tuple[WinningForm, ...]
    draws: int
    deficiency: int
    waste: int
    states: int
    stopped: str
    discards: tuple[PlayedDiscard, ...]
    best_proven: bool
    ceiling_is_bound: bool | None = None
    bounds: SearchBounds | None = field(repr=False, compare=False)

    @property
    def best(self) -> PlayedDiscard:
        """The first discard."""
        return self.discards[0]

    @property
    def names_no_best(self) -> bool:
        """Whether a discard outside the class may well be better: only waste 0 was searched."""
        return self.waste == 0 and self.stopped != COMPLETE and len(self.discards) > 1

    @property
    def is_ranked_by_ceiling(self) -> bool:
        """Whether the first discard is the one with the greatest ceiling."""
        has_table = self.ceiling_is_bound is not None
        return has_table and (self.deficiency >= FAR or self.bounds is None)

    @property
    def has_no_table(self) -> bool:
        """Whether a ceiling table could bound all plays more closely, but none was there."""
        is_fresh = self.forms == default_forms(self.hand.tiles) and self.wall == self.hand.unseen
        can_help = is_fresh and self.stopped != COMPLETE and self.hand.tiles in (M0, FULL)
        return can_help and self.ceiling_is_bound is None and 0 < self.draws <= MAX_DRAWS

    def curve(self, number: int = 3) -> dict[int | None, list[tuple[Fraction, Fraction]]]:
        """Return bounds of the best discards for 1, 2, ... draws, in the same class.

        Parameters
        ----------
        number
            Number of discards.

        Returns
        -------
        dict
            Lower and upper bound for each number of draws, by discard.

        Raises
        ------
        HandError
            If no class was searched.
        """
        searched = self.searched()
        rows = self.discards[:number]
        curves: dict[int | None, list[tuple[Fraction, Fraction]]] = {row.kind: [] for row in rows}
        for draws in range(1, self.draws + 1):
            bounds = searched.within(draws).bounds()
            for row in rows:
                key = -1 if row.kind is None else row.kind
                lower, upper = bounds.get(key, (0, 0))
                curves[row.kind].append((as_fraction(lower), as_fraction(upper)))
        return curves

    def to_certificate(
        self, discards: Iterable[int | str] | None = None, *, with_numbers: bool = False
    ) -> dict[str, Any]:
        """Return a certificate that `mjopt verify` checks with no search.

        Parameters
        ----------
        discards
            Kinds or names of tiles; by default only the best. The lower bounds of several
            discards together may be slightly smaller than the bounds here.
        with_numbers
            Also write the bounds of every state; otherwise the checker recomputes them.

        Raises
        ------
        HandError
            If nothing was searched, a discard is not in the class, or the tile set has more kinds
            than a certificate can hold.

        Examples
        --------
        >>> import json
        >>> import mjopt
        >>> from mjopt.proofs.win_chance_check import verify_win_chance
        >>> proof = mjopt.optimal_play("22557m234p34789s3z", waste=0).to_certificate(["3z", "5m"])
        >>> verify_win_chance(json.dumps(proof)).is_unconditional
        False
        """
        num_kinds = self.hand.tiles.num_kinds
        if num_kinds > MOST_KINDS:
            raise HandError(
                f"{num_kinds} kinds of tiles", expected=f"at most {MOST_KINDS} in certificates"
            )
        if not self.draws:
            raise HandError("no draws: there is nothing to prove")
        searched = self.searched()
        roots = searched.graph.roots
        every = [-1 if row.kind is None else row.kind for row in self.discards]
        kinds = [kind for kind in every if kind in roots][:1]
        if discards is not None:
            kinds = [as_kind(kind, self.hand.tiles) for kind in discards]
        for kind in kinds:
            if kind not in roots:
                name = self.hand.tiles.names[kind]
                raise HandError(f"{name}: no discard within waste {self.waste}")
        if not kinds:
            raise HandError(f"no discard within waste {self.waste}: there is nothing to prove")
        return to_document(searched, kinds, with_numbers=with_numbers)

    def searched(self) -> SearchBounds:
        """Return the bounds of the class.

        Raises
        ------
        HandError
            If the class has too many hands, so that only the ceiling is known.
        """
        if self.bounds is None:
            raise HandError("the hand is too far from a win: its class was not searched")
        return self.bounds

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document: exact numbers as text, floats rounded outwards."""
        return {
            "draws": self.draws,
            "deficiency": self.deficiency,
            "waste": self.waste,
            "states": self.states,
            "stopped": self.stopped,
            "best_proven": self.best_proven,
            "ceiling_is_bound": self.ceiling_is_bound,
            "discards": [row.to_document() for row in self.discards],
        }
