"""Rank the options of a position by the chance to win within the draws that the player has left."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt.analysis.deficiency import is_complete
from mjopt.analysis.useful_tiles import Copies, helpful_copies
from mjopt.chances.advice.calls import CallOption, forms_of
from mjopt.chances.advice.estimate import estimate_chances
from mjopt.chances.advice.options import (
    CHANCE,
    DISCARD,
    DRAW,
    DRAWS,
    ESTIMATE,
    NOTHING,
    PASS,
    WIN,
    Advice,
    AdvisedOption,
)
from mjopt.chances.advice.position import Position, as_position
from mjopt.chances.advice.search import EFFORTS, Branch, Searched, search_branches
from mjopt.chances.draws.distribution import Draws
from mjopt.chances.draws.expected_draws import find_draws
from mjopt.chances.draws.ranking import rank_draws
from mjopt.chances.win_chance.graph import free_deficiency
from mjopt.errors import ArgumentError
from mjopt.hands.blocks import Block
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike

QUICK: Final = "quick"
NORMAL: Final = "normal"
SIMULATED: Final = 6
"""Number of options whose chance is estimated, those with the fewest expected draws."""

SEED: Final = 136  # of the simulated walls: every door shows the same estimate
DIGITS: Final = 4  # of a chance, rounded down: a difference that is not printed decides nothing
ZERO: Final = Fraction(0)


def advise(
    position: Position | HandLike,
    *,
    draws: int | None = None,
    seen: Iterable[int] | str | None = None,
    wall: Iterable[int] | str | None = None,
    offered: int | str | None = None,
    calls: Iterable[CallOption] | None = None,
    swaps: bool | None = None,
    barred: Iterable[int | str] | None = None,
    forms: FormsLike = None,
    effort: str = NORMAL,
) -> Advice:
    """Rank every option of a position: discards, calls, passing, kongs and wins.

    The chance is that of one player who draws from the wall; no other player wins or discards
    a tile that is needed. Up to four tiles away it is proven from below by a search over plays.
    Farther away it is estimated by simulation.

    Parameters
    ----------
    position
        A position, alone; or a hand or a text, with what it does not say by name. See
        :class:`mjopt.Position`: its text form may say everything.
    draws, wall, offered, calls, swaps, barred, forms
        As for :class:`mjopt.Position`.
    seen
        Copies of each kind seen elsewhere, or text, in place of ``wall``.
    effort
        How many hands are searched: ``"quick"`` (a fraction of a second), ``"normal"`` (about a
        second four tiles away) or ``"deep"``. Answers do not depend on the machine.

    Returns
    -------
    Advice
        One row per option, the best first. At waste 0 no option is called the best, unless the
        class contains every play: see ``measure``.

    Raises
    ------
    MjoptError
        If the position or the effort is invalid.

    Examples
    --------
    >>> advice = advise("2378m345p6688s11z offered=4m", effort="quick")
    >>> [(row.name, row.draws, round(float(row.at_least), 3)) for row in advice.options]
    [('chow 234m, discard 8s', 17, 0.44), ('pass', 18, 0.349)]
    >>> advise("2378m345p6688s11z", offered="4m", effort="quick") == advice
    True
    """
    words: dict[str, Any] = {"draws": draws, "seen": seen, "wall": wall, "offered": offered}
    words |= {"calls": calls, "swaps": swaps, "barred": barred, "forms": forms}
    position = as_position(position, words)
    if effort not in EFFORTS:
        raise ArgumentError(short_repr(effort), argument="effort", expected=tuple(EFFORTS))
    choices = [*_choices(position)]
    groups = [[*choice.rows(position)] for choice in choices]
    found = Searched(waste=None, states=0, is_closed=(), bounds=())
    measure = NOTHING
    if any(row.at_most for rows in groups for row in rows):
        branches = [choice.branch for choice in choices]
        found = search_branches(branches, position.wall, effort)
        groups = [
            [_with_bounds(row, found, number) for row in rows] for number, rows in enumerate(groups)
        ]
        measure = CHANCE
        if not found.can_compare:
            measure = DRAWS if effort == QUICK else ESTIMATE
    else:
        groups = [[replace(row, at_least=ZERO) for row in rows] for rows in groups]
    rows = [row for rows in groups for row in rows]
    if measure == ESTIMATE:
        rows = _estimated(rows, position)
    rows.sort(key=partial(_sort_key, measure))
    ranked = [*_one_per_call(rows)]
    if (won := _won(position)) is not None:
        ranked.insert(0, won)
    return Advice(
        position=position,
        effort=effort,
        measure=measure,
        options=tuple(_with_loss(row, ranked[0], measure) for row in ranked),
        waste=found.waste,
        is_closed=bool(found.is_closed) and all(found.is_closed),
        states=found.states,
    )


def judge_calls(
    hand: Position | HandLike,
    tile: int | str | None = None,
    *,
    wall: Iterable[int] | str | None = None,
    seen: Iterable[int] | str | None = None,
    draws: int | None = None,
    calls: Iterable[CallOption] | None = None,
    swaps: bool | None = None,
    forms: FormsLike = None,
    effort: str = NORMAL,
) -> list[AdvisedOption]:
    """Rank every answer to a discarded tile by the chance to win, the best first.

    Parameters
    ----------
    hand
        A hand before its draw (13 tiles, less three for each called meld); or a position with a
        tile on offer, alone.
    tile
        The kind that another player discards, by number or by name (``"3m"``).
    wall
        Copies of each kind in the wall, that tile not among them; by default all that the hand
        and the tile leave.
    draws
        Own draws left after passing; a chow or a pong replaces the next one.
    swaps
        Whether the kind just called, or the other end of its chow, may be discarded at once.
    seen, calls, forms, effort
        As for :func:`advise`.

    Returns
    -------
    list of AdvisedOption
        ``pass``, each possible call with its best discard, and ``win``.

    Raises
    ------
    HandError
        If the hand has drawn already.
    TileError
        If there is no such tile, or no copy of it can have been discarded.

    Examples
    --------
    >>> for answer in judge_calls("2378m345p6688s11z", "4m", draws=6):
    ...     print(answer.name, answer.draws, round(float(answer.at_least), 3))
    chow 234m, discard 8s 5 0.057
    pass 6 0.022
    """
    words: dict[str, Any] = {"tile": tile, "wall": wall, "seen": seen, "draws": draws}
    words |= {"calls": calls, "swaps": swaps, "forms": forms}
    if isinstance(hand, str) and "=" not in hand:
        hand = as_hand(hand, forms=forms)  # without honours of M0, as for other functions
    position = as_position(hand, words)
    if position.offered is None:
        raise ArgumentError("none", argument="tile", expected="the tile that can be called")
    return [*advise(position, effort=effort).options]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """An action, and the hand that it leads to."""

    action: str
    meld: Block | None
    branch: Branch
    barred: tuple[int, ...]  # kinds that must not be discarded

    def rows(self, position: Position) -> "Iterator[AdvisedOption]":
        """Yield the options after the action: each discard, or only one."""
        hand = self.branch.hand
        query = HandQuery.of_checked(hand, self.branch.forms, position.wall)
        if hand.is_full:
            for row in rank_draws(query):
                if row.draws is not None and row.kind not in self.barred:
                    yield self._row(row.kind, row.hand, row.draws, (row.deficiency, row.useful))
        else:
            [helps] = helpful_copies([hand], [position.wall], self.branch.forms)
            yield self._row(None, hand, find_draws(query), helps)

    def _row(
        self, kind: int | None, hand: Hand, kept: Draws, helps: tuple[int, Copies]
    ) -> AdvisedOption:
        draws, (deficiency, useful) = self.branch.draws, helps
        return AdvisedOption(
            action=self.action,
            kind=kind,
            meld=self.meld,
            hand=hand,
            draws=draws,
            at_most=kept.within(draws).probability if draws else ZERO,
            deficiency=deficiency,
            useful=dict(useful),
            mean_draws_keeping_all=float(kept.mean),
        )


def _choices(position: Position) -> Iterator[_Choice]:
    """Yield every action except winning."""
    hand, wall = position.hand, sum(position.wall)
    own = DISCARD if hand.is_full else DRAW if position.offered is None else PASS
    none: list[tuple[str, Block | None, Hand, int]] = [(own, None, hand, position.draws)]
    calls = [
        (call.meld.shape.value, call.meld, position.after(call), call.draws)
        for call in position.calls or ()
    ]
    for action, meld, after, draws in [*none, *calls]:
        forms = forms_of(after, position.forms)
        missing = free_deficiency(after, forms)
        if missing == UNREACHABLE and meld is not None:
            continue  # no form has that meld
        branch = Branch(hand=after, draws=min(draws, wall), forms=forms, deficiency=missing)
        barred = position.barred if meld is None else position.barred_after(meld)
        yield _Choice(action=action, meld=meld, branch=branch, barred=barred)


def _won(position: Position) -> AdvisedOption | None:
    """Return the option to win now, if there is one."""
    hand = position.hand
    if position.barred:
        return None  # it has just called
    if position.offered is not None:
        hand = Hand.from_counts(
            [held + (kind == position.offered) for kind, held in enumerate(hand.counts)],
            tiles=hand.tiles,
            called=hand.called,
            melds=hand.melds,
            rules=hand.rules,
        )
    if not is_complete(HandQuery.of_checked(hand, position.forms)):
        return None
    one = Fraction(1)
    return AdvisedOption(
        action=WIN,
        hand=hand,
        draws=position.draws,
        at_least=one,
        at_most=one,
        deficiency=0,
        useful={},
        mean_draws_keeping_all=0.0,
    )


def _with_bounds(row: AdvisedOption, found: Searched, number: int) -> AdvisedOption:
    """Return an option with the bounds of the search."""
    if row.at_most == 0:
        return replace(row, at_least=ZERO)
    if found.waste is None:
        return row
    bounds = found.bounds[number].get(-1 if row.kind is None else row.kind)
    if found.is_closed[number]:
        least, most = (ZERO, ZERO) if bounds is None else (bounds.at_least, bounds.most)
        return replace(row, at_least=least, at_most=min(most, row.at_most or most))
    return row if bounds is None else replace(row, at_least=bounds.at_least, in_class=bounds.most)


def _estimated(rows: list[AdvisedOption], position: Position) -> list[AdvisedOption]:
    """Estimate the chance of the options with the fewest draws, and of the best one proven."""
    by_draws = sorted(rows, key=lambda row: row.mean_draws_keeping_all)
    chosen = [row for row in by_draws if row.at_most][:SIMULATED]
    proven = max(rows, key=lambda row: row.at_least or ZERO)
    if proven.at_least and not any(row is proven for row in chosen):
        chosen.append(proven)
    found = estimate_chances(
        [row.hand for row in chosen],
        [row.draws for row in chosen],
        position.wall,
        [forms_of(row.hand, position.forms) for row in chosen],
        rng=np.random.default_rng(SEED),
    )
    estimates = dict(zip(map(id, chosen), found, strict=True))
    return [replace(row, estimate=estimates.get(id(row))) for row in rows]


def _sort_key(measure: str, row: AdvisedOption) -> tuple[float, ...]:
    """Return a key that is smallest for the best option; equal keys keep the order of `rank_draws`.

    Deficiency is no part of it: it acts through the class of plays that is searched.
    """
    draws, useful = row.mean_draws_keeping_all, -row.num_useful
    if measure == CHANCE:
        chance = -1 if row.at_least is None else row.at_least * 10**DIGITS // 1
        return -chance, useful, draws
    if measure == ESTIMATE:
        mean = -1.0 if row.estimate is None else row.estimate.mean
        return -max(mean, float(row.at_least or -1)), draws, useful
    return draws, useful


def _one_per_call(rows: Iterable[AdvisedOption]) -> Iterator[AdvisedOption]:
    """Yield the options in their order, each call with its best discard only."""
    called = set()
    for row in rows:
        if row.meld is None or row.meld not in called:
            called.add(row.meld)
            yield row


def _with_loss(row: AdvisedOption, best: AdvisedOption, measure: str) -> AdvisedOption:
    """Return an option with the chance that it loses against the best one."""
    least, lost = best.at_least, None
    if measure == ESTIMATE and best.action != WIN:
        if best.estimate is not None and row.estimate is not None:
            lost = max(ZERO, Fraction(best.estimate.wins - row.estimate.wins, row.estimate.tries))
    elif least is None or row.at_least is None:
        pass
    elif measure != DRAWS or best.action == WIN:
        lost = max(ZERO, least - row.at_least)
    is_proven = least is not None and row.at_most is not None and row.at_most < least
    return replace(row, lost=lost, is_lost_proven=is_proven)
