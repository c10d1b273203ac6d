"""The model of an infinite wall: every tile drawn goes back, and the wall never shrinks.

Each draw is then a kind with the probability of its share of the wall, however many
copies have come before. Of a kind no more than four copies ever count. If draws come at
random moments, at the rate of one a unit of time for each tile of the wall, the kinds
are independent of each other, and the expected number of draws is the size of the wall
times the integral over time of the probability to be incomplete.
"""

from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.draws.automaton import Automaton
from mjopt.analysis.draws.incomplete_counts import Setting, gaps_of
from mjopt.errors import ModelError
from mjopt.hands.tiles import COPIES

ACCURACY: Final = 1e-10  # relative
_LOW, _HIGH = -4.5, 4.5  # beyond, the integrand is below rounding

Floats = NDArray[np.float64]


def infinite_mean(setting: Setting) -> float:
    """Return the expected draws from the same mixture of tiles without end.

    Parameters
    ----------
    setting
        The wall, the forms, and the hand: the first of ``hands``.

    Returns
    -------
    float
        In draws, correct to some ten digits; infinite if no number of them suffices.

    Examples
    --------
    East waits for another: 2.5 draws from a wall of the four winds. If they go back,
    two of any other wind are a pair as well.

    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.query import Question
    >>> from mjopt.hands.tiles import FULL
    >>> hand = Hand.parse("1z", called=4, tiles=FULL)
    >>> wall = [int(name in ("1z", "2z", "3z", "4z")) for name in FULL.names]
    >>> round(infinite_mean(Setting(Question(hand, unseen=wall))), 8)
    2.21875
    """
    if _incomplete(setting, np.array([inf]))[0] > 0:
        return inf
    # Double exponential quadrature for integrands that fall like exp(-time): halve the
    # step until two results agree.
    step, before = 0.25, inf
    while step > 1 / 512:
        found = _integral(setting, step)
        if abs(found - before) <= ACCURACY * found:
            return sum(setting.wall) * found
        step, before = step / 2, found
    raise ModelError(f"the integral of the infinite wall does not settle: {before}, {found}")


def _integral(setting: Setting, step: float) -> float:
    places = np.arange(_LOW, _HIGH + step / 2, step)
    times = np.exp(places - np.exp(-places))
    slopes = times * (1 + np.exp(-places))
    return float(step * (slopes * _incomplete(setting, times)).sum())


def _incomplete(setting: Setting, times: Floats) -> Floats:
    """Return the probability to be incomplete at each time."""
    gaps = np.array(gaps_of(setting.asked.hand.tiles))
    total = np.zeros(len(times))
    for sign, limits in setting.parts:
        chances = np.zeros((len(gaps), COPIES + 1, len(times)))
        for kind, (low, high) in enumerate(limits):
            held = setting.hands[0][kind]
            copies = _copies(held, setting.wall[kind], times)
            chances[kind, low : high + 1] = copies[low : high + 1]
        total += sign * _read_kinds(setting.classes.automaton, gaps, chances)
    return np.maximum(total, 0.0)


def _read_kinds(automaton: Automaton, gaps: NDArray[np.bool_], chances: Floats) -> Floats:
    """Return the probability to be incomplete after the last kind, at each moment.

    Parameters
    ----------
    automaton
        What knows whether a hand is complete.
    gaps
        Shape (K,): whether a gap in the ranks follows each kind.
    chances
        Shape (K, 5, Q): the probability of so many copies of each kind at each moment,
        independent of the other kinds.
    """
    now = np.zeros((automaton.num_states, chances.shape[2]))
    now[0] = 1.0
    for has_gap, of_kind in zip(gaps, chances, strict=True):
        states = np.flatnonzero(now.any(axis=1))
        after = np.zeros_like(now)
        for copies in np.flatnonzero(of_kind.any(axis=1)):
            there = automaton.steps[states, copies]
            if has_gap:
                there = automaton.steps[automaton.steps[there, 0], 0]
            goes_on = ~automaton.wins[there]
            np.add.at(after, there[goes_on], now[states[goes_on]] * of_kind[copies])
        now = after
    return np.asarray(now.sum(axis=0))


def _copies(held: int, rate: int, times: Floats) -> Floats:
    """Return the probabilities of 0..4 copies at each time, a fifth not counting."""
    copies = np.zeros((COPIES + 1, len(times)))
    if rate == 0:
        copies[held] = 1.0
        return copies
    ended = np.isinf(times)
    mean = rate * np.where(ended, 0.0, times)
    term = np.exp(-mean) * ~ended
    left = np.ones(len(times))
    for number in range(held, COPIES):
        copies[number] = term
        left -= term
        term = term * mean / (number - held + 1)
    copies[COPIES] = np.maximum(left, 0.0)
    return copies
