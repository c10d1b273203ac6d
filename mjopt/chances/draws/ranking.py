"""Rank discards by the expected number of draws."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isclose, isinf
from typing import Any

from mjopt._internal.validation import expect
from mjopt.analysis.discard import after_discards
from mjopt.analysis.useful_tiles import Copies, helpful_copies
from mjopt.chances.draws.distribution import Draws, as_float, draws_query
from mjopt.chances.draws.incomplete_counts import Setting, count_incomplete, incomplete_means
from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.read_forms import FormsLike

Mean = Fraction | float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardDraws:
    """One discard and the expected draws after it.

    Parameters
    ----------
    kind
        The discarded kind. That copy does not return to the wall.
    hand
        The hand after the discard.
    mean
        Expected draws; a float if ``exact`` is False or if infinite.
    change
        Difference to the best discard.
    rank
        1 for the best; equal for equal means.
    is_tied
        Whether another discard is exactly as good.
    draws
        The distribution; None if ``exact`` is False.
    deficiency
        Deficiency after the discard; ``UNREACHABLE`` if the wall cannot complete the hand.
    useful
        The kinds whose arrival lowers the deficiency, with the copies in the wall.

    Examples
    --------
    >>> import mjopt
    >>> best = mjopt.rank_discards("13345m34577p1167z")[0]
    >>> mjopt.FULL.names[best.kind], best.rank, round(float(best.mean), 4)
    ('6z', 1, 12.6534)
    """

    kind: int
    hand: Hand
    mean: Mean
    change: Mean
    rank: int
    is_tied: bool
    draws: Draws | None
    deficiency: int
    useful: Copies

    @property
    def num_useful(self) -> int:
        """Number of useful tiles in the wall."""
        return sum(copies for _, copies in self.useful)

    def to_document(self, within: int | None = None) -> dict[str, Any]:
        """Return a JSON-ready document, exact numbers as text."""
        names = self.hand.tiles.names
        return {
            "discard": names[self.kind],
            "rank": self.rank,
            "is_tied": self.is_tied,
            "change": None if isinf(self.change) else str(self.change),
            "change_float": as_float(self.change),
            "useful": {names[kind]: copies for kind, copies in self.useful},
            **(self.draws.to_document(within) if self.draws else {}),
        }


def change_of_mean(mean: Mean, reference: Mean) -> Mean:
    """Return the difference of two means; 0 if both are infinite."""
    return Fraction(0) if mean == reference else mean - reference


def rank_discards(
    hand: HandLike,
    *,
    wall: Iterable[int] | str | None = None,
    forms: FormsLike = None,
    exact: bool = True,
) -> list[DiscardDraws]:
    """Rank every discard of a hand by the expected number of draws, the best first.

    Parameters
    ----------
    hand
        A hand after its draw (14 tiles, less three for each called meld).
    wall, forms
        As for :func:`mjopt.expected_draws`.
    exact
        Return fractions and distributions; otherwise floating-point means, with ties
        recognised up to rounding.

    Raises
    ------
    HandError
        If the hand has not drawn yet.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> ranked = rank_discards("123456m789p1146s1z")
    >>> [(FULL.names[row.kind], round(float(row.mean), 2)) for row in ranked[:3]]
    [('1z', 8.95), ('4s', 10.41), ('6s', 10.62)]
    """
    expect(exact, bool, "exact")
    query = draws_query(hand, wall, forms)
    if not query.hand.is_full:
        raise HandError(
            f"{query.hand.num_tiles} tiles",
            expected=f"{query.hand.size - 3 * query.hand.called}: a hand after its draw",
        )
    return rank_draws(query, exact=exact)


def rank_draws(query: HandQuery, *, exact: bool = True) -> list[DiscardDraws]:
    """Rank every discard of a hand after its draw; the unseen tiles of the query are the wall."""
    left = after_discards(query.hand)
    hands = list(left.values())
    others = tuple([after.counts for after in hands])
    draws: list[Draws] | list[None] = [None] * len(hands)
    means: list[Mean]
    if exact:
        draws = [
            Draws(ways=tuple(ways), hand=after, wall=query.unseen, forms=query.forms)
            for after, ways in zip(hands, count_incomplete(query, others)[1:], strict=True)
        ]
        means = [found.mean for found in draws]
    else:
        means = incomplete_means(Setting(query, others))[1:].tolist()
    helps = helpful_copies(hands, [query.unseen] * len(hands), query.forms)
    rows = sorted(zip(means, left, hands, draws, helps, strict=True), key=lambda row: row[:2])
    ranks = _ranks([mean for mean, *_ in rows], exact)
    return [
        DiscardDraws(
            kind=kind,
            hand=after,
            mean=mean,
            change=change_of_mean(mean, rows[0][0]),
            rank=rank,
            is_tied=ranks.count(rank) > 1,
            draws=found,
            deficiency=least,
            useful=useful,
        )
        for rank, (mean, kind, after, found, (least, useful)) in zip(ranks, rows, strict=True)
    ]


def _ranks(means: list[Mean], exact: bool) -> list[int]:
    """Return the ranks of ascending means, equal for equal ones."""
    ranks = [1]
    for place in range(1, len(means)):
        before, mean = means[place - 1], means[place]
        same = mean == before
        if not exact and not same and not isinf(mean):
            same = isclose(mean, before, rel_tol=1e-11)
        ranks.append(ranks[-1] if same else place + 1)
    return ranks
