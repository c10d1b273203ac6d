"""Bound the chance to win within a number of draws, for every discard."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final, Literal

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, is_number, whole
from mjopt.chances.ceiling.lookup import TableLike, discard_ceilings
from mjopt.chances.draws.distribution import Draws, draws_query
from mjopt.chances.draws.expected_draws import find_draws
from mjopt.chances.draws.ranking import rank_draws
from mjopt.chances.draws.rule_classes import rule_classes
from mjopt.chances.win_chance.bounds import ONE
from mjopt.chances.win_chance.discard_bounds import PlayedDiscard, as_fraction
from mjopt.chances.win_chance.graph import SearchSpace, free_deficiency
from mjopt.chances.win_chance.play_bounds import COMPLETE, GIVEN, SECONDS, SETTLED, TABLE, Play
from mjopt.chances.win_chance.search import SearchBounds, include_farther_forms, search_space
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.coerce import HandLike
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.winning_form import WinningForm

AUTO: Final = "auto"

MAX_SECONDS: Final = 86_400.0
"""Longest search time, in seconds."""

MIN_GAIN: Final = ONE // 1000
"""Waste is raised while the lower bound of the best discard gains more than this."""

STATES_PER_SECOND: Final = 45_000
"""Hands searched per second of ``seconds``; answers do not depend on the machine."""

MAX_STATES: Final = 300_000
"""Largest class that is searched; larger ones need gigabytes."""


def optimal_play(
    hand: HandLike,
    *,
    wall: Iterable[int] | str | None = None,
    draws: int = 18,
    waste: int | str = AUTO,
    seconds: float = 1.0,
    forms: FormsLike = None,
    table: TableLike | Literal[False] = None,
) -> Play:
    """Bound the chance to win within a number of draws, for every discard of a hand.

    One player, no calls: each turn draws a tile from the wall; it wins, or the player discards
    one tile for good. The lower bounds are valid for optimal play. The upper bounds are
    valid for all plays of a class (see :class:`Play`), and for all plays where stated.

    Parameters
    ----------
    hand
        A hand before or after its draw, as for :func:`mjopt.certify`.
    wall
        Copies of each kind in the wall, or text; by default all that the hand does not show.
    draws
        Number of draws; at most the size of the wall.
    waste
        Width of the class: number of exchanges that do not lower the deficiency. ``"auto"``
        raises it while that gains more than a thousandth and ``seconds`` allow. It counts for each
        form by itself, as far as ``seconds`` allow.
    seconds
        Approximate search time. It is converted to a number of hands, so that answers do not
        depend on the machine.
    forms
        The winning forms.
    table
        A ceiling table, as for :func:`mjopt.ceiling`: by default the one in the user's data
        folder, if there is one; False uses none. It bounds all plays if the wall is fresh, that
        is, holds all tiles that the hand does not; otherwise its values are a guide.

    Raises
    ------
    HandError, TileError
        If the hand, the wall or a form is invalid.
    ArgumentError
        If a number is out of range.
    FileError
        If the given table is for other tiles, called melds or draws.

    Examples
    --------
    >>> play = optimal_play("22557m234p34789s3z", draws=18, waste=0)
    >>> play.hand.tiles.names[play.best.kind], play.best.value
    ('3z', Fraction(1902729291963615964, 4461635097219030885))
    >>> optimal_play("22557m234p34789s3z", waste=1).best.lower > play.best.upper
    True
    """
    query = draws_query(hand, wall, forms)
    hand, chosen, copies = query.hand, query.forms, query.unseen
    draws = whole(draws, "draws")
    if draws < 0:
        raise ArgumentError(str(draws), argument="draws", expected="0 or more")
    is_auto = isinstance(waste, str) and waste == AUTO
    fixed = None if is_auto else as_whole(waste)
    if not is_auto and (fixed is None or fixed < 0):
        raise ArgumentError(short_repr(waste), argument="waste", expected="0 or more, or 'auto'")
    if not (is_number(seconds) and 0 < seconds <= MAX_SECONDS):
        raise ArgumentError(
            short_repr(seconds), argument="seconds", expected="more than 0, and at most a day"
        )
    draws = min(draws, sum(copies))
    full = hand.size - 3 * hand.called
    if hand.num_tiles not in (full - 1, full):
        raise HandError(f"{hand.num_tiles} tiles", expected=f"{full} or {full - 1}")
    rule_classes(query)  # refuses forms whose draws are not counted, before any search
    deficiency = free_deficiency(hand, chosen)
    ceilings = discard_ceilings(hand, forms=chosen, draws=draws, table=table)
    is_bound = (copies == hand.unseen) if ceilings else None
    searches, stopped = _search(hand, copies, chosen, draws, deficiency, fixed, seconds)
    if not searches and not ceilings:
        raise HandError(
            f"waste {fixed or 0}, {deficiency} tiles from a win: "
            f"more than {MAX_STATES:,} hands to search"
        )
    rows = _rows(query, draws, searches, ceilings, is_bound=bool(is_bound))
    last = searches[-1] if searches else None
    play = Play(
        hand=hand,
        wall=copies,
        forms=chosen,
        draws=draws,
        deficiency=deficiency,
        waste=last.waste if last else 0,
        states=last.graph.num_states if last else 0,
        stopped=stopped,
        discards=tuple(rows),
        best_proven=not rows[0].regret,
        ceiling_is_bound=is_bound,
        bounds=last,
    )
    if not play.is_ranked_by_ceiling:
        return play
    rows.sort(key=lambda row: -(row.ceiling or 0))
    return replace(play, discards=tuple(rows), best_proven=not rows[0].regret)


def _search(
    hand: Hand,
    wall: tuple[int, ...],
    forms: tuple[WinningForm, ...],
    draws: int,
    deficiency: int,
    waste: int | None,
    seconds: float,
) -> tuple[list[SearchBounds], str]:
    """Search classes of increasing waste; return the bounds of each and the reason to stop.

    Nothing is returned if the required class has too many hands. At last farther forms come in.

    The plays of a narrow class are also plays of a wide one, but its bounds may be tighter:
    each discard keeps the best of its lower bounds.
    """
    searches: list[SearchBounds] = []
    most_farther = min(int(seconds * STATES_PER_SECOND), MAX_STATES)
    states_left, best, stopped = most_farther, -1, GIVEN
    for width in range(99 if waste is None else waste + 1):
        space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=deficiency, waste=width)
        is_optional = waste is None and bool(searches)
        most_states = min(states_left, MAX_STATES) if is_optional else MAX_STATES
        found = search_space(space, draws, most_states)
        if found is None and not is_optional:
            return [], TABLE
        if found is None:
            stopped = SECONDS
            break
        searches.append(found)
        # T5: a hand that can still win has at most as many new and missing tiles as there are
        # draws.
        if space.is_all or draws <= space.most:
            return searches, COMPLETE
        if waste is not None:
            continue
        before, best = best, max(best, *found.lower.values(), 0)
        if best and before >= 0 and best - before <= MIN_GAIN:
            stopped = SETTLED
            break
        states_left -= found.graph.num_states

    def search_wider(space: SearchSpace, _: int, most: int) -> SearchBounds | None:
        return search_space(space, draws, most)

    for [wider] in include_farther_forms(searches[-1:], most_farther, search_wider):
        searches.append(wider)
    return searches, stopped


def _rows(
    query: HandQuery,
    draws: int,
    searches: list[SearchBounds],
    ceilings: dict[int, Fraction],
    *,
    is_bound: bool,
) -> list[PlayedDiscard]:
    """Combine the bounds of each discard, the best first."""
    hand = query.hand
    last = searches[-1] if searches else None
    bounds = last.bounds() if last else {}
    kinds = [kind for kind, held in enumerate(hand.counts) if held] if hand.is_full else [-1]
    is_all = last is not None and (last.graph.space.is_all or draws <= last.graph.space.most)
    kept: dict[int, Draws] = {}
    if not (is_all or is_bound):  # keeping every tile wins whenever any play does
        if hand.is_full:
            ranked = rank_draws(query)
            kept = {row.kind: row.draws for row in ranked if row.draws is not None}
        else:
            kept = {-1: find_draws(query)}
    rows = []
    for kind in kinds:
        after = hand.with_one(kind, -1) if hand.is_full else hand
        upper = as_fraction(bounds.get(kind, (0, 0))[1])
        upper_any = Fraction(1)
        if not is_all:
            upper_any = ceilings[kind] if is_bound else kept[kind].within(draws).probability
            upper = min(upper, upper_any) if last else upper_any
        is_searched = is_all or kind in bounds or upper_any == 0
        value = last.exact.get(kind, upper if upper == 0 else None) if last else None
        if not is_searched:
            value = None
        # Values are exact within the last class. Lower bounds hold for all play, so each discard
        # keeps the best of all classes; upper bounds hold for their own class only, so the last one
        # counts.
        if value is not None:
            lower = upper = value
        else:
            lower = max((as_fraction(s.lower.get(kind, 0)) for s in searches), default=Fraction(0))
            lower = max([lower, *(s.exact.get(kind, lower) for s in searches)])
        row = PlayedDiscard(
            kind=kind if hand.is_full else None,
            hand=after,
            lower=lower,
            upper=upper,
            upper_any=upper if is_all else upper_any,
            is_exact=value is not None,
            value=value,
            regret=Fraction(0),
            ceiling=ceilings.get(kind),
            is_searched=is_searched,
        )
        rows.append(row)
    rows.sort(key=lambda row: (-row.lower, -row.upper, row.kind or 0))
    regrets = [
        max((other.upper - row.lower for other in rows if other is not row), default=Fraction(0))
        for row in rows
    ]
    return [
        replace(row, regret=max(Fraction(0), regret))
        for row, regret in zip(rows, regrets, strict=True)
    ]
