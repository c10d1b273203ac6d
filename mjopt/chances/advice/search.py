"""Bound the chance to win of several hands from one decision, all with the same waste."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from mjopt.chances.win_chance.discard_bounds import as_fraction
from mjopt.chances.win_chance.graph import SearchSpace
from mjopt.chances.win_chance.search import (
    GROWTH,
    SearchBounds,
    include_farther_forms,
    search_quickly,
    search_space,
)
from mjopt.hands.hand import Hand
from mjopt.hands.rules.winning_form import WinningForm

FEW: Final = 5_000
"""Hands of a closed class that is searched again for exact values."""


class Effort(NamedTuple):
    """How many hands of a class are searched; answers do not depend on the machine."""

    first: int  # for waste 0 and 1, without which no option can be compared with another
    more: int  # for a larger waste


EFFORTS: Final = {
    "quick": Effort(first=8_000, more=5_000),
    "normal": Effort(first=160_000, more=60_000),
    "deep": Effort(first=300_000, more=300_000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A hand that a decision leads to, with the own draws that follow."""

    hand: Hand
    draws: int
    forms: tuple[WinningForm, ...]
    deficiency: int  # with all copies available


class Bounded(NamedTuple):
    """Bounds of the chance to win after a discard, or of a hand before its draw."""

    at_least: Fraction  # for all plays
    most: Fraction  # for the plays of the class


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """The bounds of all branches, in classes of the same waste."""

    waste: int | None  # of the classes; None if nothing was searched
    states: int  # number of hands in them
    is_closed: tuple[bool, ...]  # for each branch, whether its class contains every play
    # For each branch, by discarded kind, -1 for a hand before its draw.
    bounds: tuple[dict[int, Bounded], ...]

    @property
    def can_compare(self) -> bool:
        """Whether the bounds of the options may be compared: not from waste 0."""
        return self.waste is not None and (self.waste > 0 or all(self.is_closed))


def search_branches(branches: Sequence[Branch], wall: tuple[int, ...], effort: str) -> Searched:
    """Search classes of increasing waste around all branches, the hands to compare.

    All branches get the same waste, because a wider class alone would make its branch look better.
    ``wall`` holds the copies of each kind; ``effort`` is a key of ``EFFORTS``.
    """
    allowed = EFFORTS[effort]
    found: list[list[SearchBounds]] = [[] for _ in branches]
    closed = [False] * len(branches)
    for waste in range(99):
        level: list[SearchBounds] = []
        limit = allowed.first if waste < 2 else allowed.more
        for searches, branch, is_closed in zip(found, branches, closed, strict=True):
            if is_closed:  # more waste adds no play
                level.append(searches[-1])
                continue
            before = searches[-1].graph.num_states if searches else 0
            if before * GROWTH > limit:
                break
            bounds = _search(branch, wall, waste, limit)
            if bounds is None:
                break
            level.append(bounds)
        if len(level) < len(branches):
            break
        for searches, bounds in zip(found, level, strict=True):
            searches.append(bounds)
        closed = [_is_closed(searches[-1]) for searches in found]
        if all(closed):
            break
    if found[0] and not all(closed):
        _include_farther_forms(found, closed, branches, allowed.first)
    last = [searches[-1] for searches in found if searches]
    if not last:
        return Searched(waste=None, states=0, is_closed=tuple(closed), bounds=({},) * len(branches))
    return Searched(
        waste=max(bounds.waste for bounds in last),
        states=sum(bounds.graph.num_states for bounds in last),
        is_closed=tuple(closed),
        bounds=tuple(_combined(searches) for searches in found),
    )


def _include_farther_forms(
    found: list[list[SearchBounds]], closed: list[bool], branches: Sequence[Branch], limit: int
) -> None:
    """Add the bounds of classes in which farther forms have waste of their own."""
    still_open = [place for place, is_closed in enumerate(closed) if not is_closed]

    def search(space: SearchSpace, place: int, most: int) -> SearchBounds | None:
        return search_quickly(space, branches[still_open[place]].draws, most)

    last = [found[place][-1] for place in still_open]
    for level in include_farther_forms(last, limit, search):
        for place, bounds in zip(still_open, level, strict=True):
            if bounds is not found[place][-1]:
                found[place].append(bounds)


def _search(branch: Branch, wall: tuple[int, ...], waste: int, limit: int) -> SearchBounds | None:
    space = SearchSpace(
        hand=branch.hand, wall=wall, forms=branch.forms, deficiency=branch.deficiency, waste=waste
    )
    bounds = search_quickly(space, branch.draws, limit)
    if bounds is not None and _is_closed(bounds) and bounds.graph.num_states <= FEW:
        return search_space(space, branch.draws, limit)
    return bounds


def _is_closed(bounds: SearchBounds) -> bool:
    """Return whether the class contains every play."""
    space = bounds.graph.space
    return space.is_all or bounds.draws <= space.most


def _combined(searches: list[SearchBounds]) -> dict[int, Bounded]:
    """Return the best bounds of each discard.

    The plays of a narrow class are also plays of a wide one, but its bound may be tighter.
    """
    last = searches[-1]
    rows: dict[int, Bounded] = {}
    for kind, (_, upper) in last.bounds(is_quick=last.weights is None).items():
        exact = last.exact.get(kind)
        least = max(as_fraction(each.lower[kind]) for each in searches if kind in each.lower)
        most = as_fraction(upper)
        rows[kind] = Bounded(*((least, most) if exact is None else (exact, exact)))
    return rows
