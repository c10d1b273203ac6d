"""Measures of predictions, with intervals by bootstrap over games."""

from typing import NamedTuple

import numpy as np

from danger.models import Floats, Kinds, Rows

MEASURES = ("log-loss", "AUC", "mean %", "safest not-safe tile deals in, %")
_LEAST = 1e-6  # of a chance in a logarithm


class Sample(NamedTuple):
    """Predictions in a form in which games can be weighted."""

    loss: Floats  # by game, sums over its kinds
    chance: Floats
    number: Floats
    safest: Floats  # by game, sum over positions of the rate among the kinds of the least chance
    positions: Floats
    order: Rows  # kinds by ascending chance
    groups: Rows  # where equal chances begin in that order
    game: Rows  # of each kind in that order
    is_wait: Floats  # of each kind in that order


def sample_of(chance: Floats, kinds: Kinds, game: Rows, num_games: int) -> Sample:
    """Return a sample; ``game`` is the number of the game of each kind."""
    near = np.clip(chance, _LEAST, 1 - _LEAST)
    loss = -np.where(kinds.is_wait, np.log(near), np.log(1 - near))
    starts = np.flatnonzero(np.append(True, kinds.row[1:] != kinds.row[:-1]))
    lengths = np.diff(np.append(starts, len(chance)))
    least = np.repeat(np.minimum.reduceat(chance, starts), lengths)
    is_least = (chance == least).astype(np.float64)
    rate = np.add.reduceat(is_least * kinds.is_wait, starts) / np.add.reduceat(is_least, starts)
    order = np.argsort(chance, kind="stable")
    ascending = chance[order]

    def sums(values: Floats, of: Rows) -> Floats:
        return np.bincount(of, values, num_games)

    return Sample(
        loss=sums(loss, game),
        chance=sums(chance, game),
        number=sums(np.ones(len(chance)), game),
        safest=sums(rate, game[starts]),
        positions=sums(np.ones(len(starts)), game[starts]),
        order=order,
        groups=np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])),
        game=game[order],
        is_wait=kinds.is_wait[order].astype(np.float64),
    )


def measures(sample: Sample, times: Floats) -> Floats:
    """Return the measures if each game counts so many times, in the order of MEASURES."""
    number = times @ sample.number
    weight = times[sample.game]
    waits = np.add.reduceat(weight * sample.is_wait, sample.groups)
    others = np.add.reduceat(weight, sample.groups) - waits
    below = np.cumsum(others) - others / 2  # of equal chances, half
    auc = waits @ below / (waits.sum() * others.sum())
    return np.array(
        [
            times @ sample.loss / number,
            auc,
            100 * (times @ sample.chance) / number,
            100 * (times @ sample.safest) / (times @ sample.positions),
        ]
    )


def resamples(num_games: int, number: int, rng: np.random.Generator) -> Rows:
    """Return how many times each game is drawn in each resample, shape ``(number, games)``."""
    return rng.multinomial(num_games, np.full(num_games, 1 / num_games), size=number)


def interval(values: Floats) -> tuple[Floats, Floats]:
    """Return the bounds of 95 % of some values, along the first axis."""
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    return low, high
