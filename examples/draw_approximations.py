"""
Approximations of the expected draws
====================================

Compare two common approximations with the exact expected number of draws: drawing with
replacement, and counting only the nearest complete hands.
"""

from collections.abc import Iterable, Sequence
from math import comb, inf

import numpy as np
from numpy.typing import NDArray

from mjopt import FULL, Draws, Hand, TileSet, expected_draws, targets
from mjopt.chances.draws import derive_automaton, minimise
from mjopt.models import COPIES

Floats = NDArray[np.float64]


def replacement_mean(
    hand: Hand, wall: Sequence[int] | None = None, forms: Iterable[str] = ("standard",)
) -> float:
    """Return the expected draws if every drawn tile goes back to the wall.

    Let draws form a Poisson process with rate one for each tile of the wall. Kinds are then
    independent, and the expected number of draws is the size of the wall times the integral over
    time of the probability that the hand is still incomplete.

    Parameters
    ----------
    hand
        A hand of any size.
    wall
        Copies of each kind in the wall; by default all copies outside the hand.
    forms
        ``standard``, ``seven_pairs`` or both.
    """
    rates = hand.unseen if wall is None else wall
    if incomplete_by(hand, rates, forms, np.array([inf]))[0] > 0:
        return inf
    # Double exponential quadrature: halve the step until two results agree.
    before = inf
    for step in (1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256, 1 / 512):
        points = np.arange(-4.5, 4.5 + step / 2, step)
        times = np.exp(points - np.exp(-points))
        slopes = times * (1 + np.exp(-points))
        integral = step * float((slopes * incomplete_by(hand, rates, forms, times)).sum())
        if abs(integral - before) <= 1e-10 * integral:
            return sum(rates) * integral
        before = integral
    raise ArithmeticError(f"the integral does not converge: {before}, {integral}")


def incomplete_by(hand: Hand, rates: Sequence[int], forms: Iterable[str], times: Floats) -> Floats:
    """Return the probability that the hand is incomplete at each time."""
    melds = hand.melds_needed if "standard" in forms else None
    automaton = minimise(derive_automaton(melds, pairs="seven_pairs" in forms and not hand.called))
    states = np.zeros((automaton.num_states, len(times)))
    states[0] = 1.0
    gaps = gaps_after(hand.tiles)
    for held, rate, has_gap in zip(hand.counts, rates, gaps, strict=True):
        after = np.zeros_like(states)
        for copies, probability in enumerate(copies_at(held, rate, times)):
            heads = automaton.steps[:, copies]
            if has_gap:
                heads = automaton.steps[automaton.steps[heads, 0], 0]
            open_ = ~automaton.wins[heads]
            np.add.at(after, heads[open_], states[open_] * probability)
        states = after
    return np.asarray(states.sum(axis=0))


def gaps_after(tiles: TileSet) -> list[bool]:
    """Return for each kind whether no chow holds both it and the next kind."""
    linked = {kind for first in tiles.chow_starts for kind in (first, first + 1)}
    return [kind not in linked for kind in range(tiles.num_kinds)]


def copies_at(held: int, rate: int, times: Floats) -> Floats:
    """Return the probabilities of 0..4 copies at each time; a fifth copy does not count."""
    copies = np.zeros((COPIES + 1, len(times)))
    if rate == 0:
        copies[held] = 1.0
        return copies
    is_over = np.isinf(times)
    mean = rate * np.where(is_over, 0.0, times)
    term = np.exp(-mean) * ~is_over
    for number in range(held, COPIES):
        copies[number] = term
        term = term * mean / (number - held + 1)
    copies[COPIES] = np.maximum(1 - copies.sum(axis=0), 0.0)
    return copies


def nearest_draws(
    hand: Hand, wall: Sequence[int] | None = None, forms: Iterable[str] = ("standard",)
) -> Draws:
    """Return the draws until one of the nearest complete hands is drawn.

    Most tools that estimate draws count only tiles that lower the deficiency. This counts that
    view exactly. It ignores wins by way of other hands, so its mean is never too small.

    Parameters
    ----------
    hand, wall, forms
        As for :func:`replacement_mean`.
    """
    copies = hand.unseen if wall is None else tuple(wall)
    needs = frozenset(
        tuple(max(0, t - h) for t, h in zip(target, hand.counts, strict=True))
        for target in targets(hand, unseen=copies, forms=forms)
    )
    # A state holds, for each target still possible, the tiles needed of the remaining kinds. The
    # numbers of draws of 0, 1, ... tiles that lead to it are the digits of one integer.
    size = sum(copies)
    bits = size + 1
    states = {needs: 1}
    for left in copies:
        after: dict[frozenset[tuple[int, ...]], int] = {}
        for rest, packed in states.items():
            for drawn in range(left + 1):
                still = frozenset(need[1:] for need in rest if need[0] <= drawn)
                times = (packed << bits * drawn) * comb(left, drawn)
                after[still] = after.get(still, 0) + times
        states = after
    packed, mask = states.get(frozenset(), 0), (1 << bits) - 1
    ways = [packed >> bits * drawn & mask for drawn in range(size + 1)]
    return Draws(ways=tuple(ways), hand=hand, wall=copies, forms=tuple(forms))


def main() -> None:
    hand = Hand.parse("123456m789p1146s", tiles=FULL)
    exact = float(expected_draws(hand).mean)
    means = {
        "exact": exact,
        "with replacement": replacement_mean(hand),
        "nearest hands only": float(nearest_draws(hand).mean),
    }
    for name, mean in means.items():
        print(f"{name:18} {mean:6.2f} draws  {mean / exact - 1:+7.1%}")


if __name__ == "__main__":
    main()
