"""Models of danger: the chance that a kind is among the waits of the opponent in riichi."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from danger.positions import Bools, Positions, ReadyHands
from mjopt import PRIORS, Prior
from mjopt.chances.danger.fit import fit_weights
from mjopt.chances.danger.ready_counts import WAITS

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

SUJI_CLASSES = 13


class Kinds(NamedTuple):
    """Kinds that the player holds and that are not safe by rule, one row each."""

    row: Rows  # of the positions
    kind: Rows
    is_wait: Bools


def kinds_of(positions: Positions) -> Kinds:
    """Return the kinds held that are not safe by rule."""
    row, kind = np.nonzero((positions.hand > 0) & ~positions.cannot_win_on)
    return Kinds(row, kind, positions.true_waits[row, kind])


def copies_unseen(positions: Positions, kinds: Kinds) -> Rows:
    """Return the class of each kind: how many copies the player does not see."""
    return positions.unseen[kinds.row, kinds.kind]


def suji(positions: Positions, kinds: Kinds) -> Rows:
    """Return the suji class of each kind, 0 to 12.

    Of numbers: 1 and 9, 2 and 8, 3 and 7, each without or with the kind three ranks inwards among
    those that the opponent cannot win on; 4 to 6 with none, one or both of two such kinds. Of
    honours: 0, 1, 2 or 3 copies unseen.
    """
    number = kinds.kind < 27
    rank = np.where(number, kinds.kind % 9, 0)
    safe = np.zeros(len(kinds.row), np.int64)
    for step in (-3, 3):
        inside = number & (rank + step >= 0) & (rank + step < 9)
        partner = np.where(inside, kinds.kind + step, 0)
        safe += inside & positions.cannot_win_on[kinds.row, partner]
    outer = np.minimum(rank, 8 - rank)  # 0 for 1 and 9, up to 3 or 4
    return np.where(
        number,
        np.where(outer < 3, 2 * outer + safe, 6 + safe),
        9 + np.minimum(positions.unseen[kinds.row, kinds.kind], 3),
    )


Features = Callable[[Positions, Kinds], Rows]


def rates(classes: Rows, kinds: Kinds, train: Bools) -> Floats:
    """Return for each kind the share of waits among the training kinds of its class."""
    size = int(classes.max()) + 1
    waits = np.bincount(classes[train], kinds.is_wait[train], size)
    number = np.bincount(classes[train], minlength=size)
    mean = kinds.is_wait[train].mean()
    return ((waits + mean) / (number + 1))[classes]  # an empty class has the mean


def shares(hands: ReadyHands, kinds: Kinds, weights: Floats) -> Floats:
    """Return for each kind its share of the ready hands, weighted by a prior."""
    winning = hands.by_kind[kinds.row, :, kinds.kind] @ weights
    return winning / np.maximum((hands.ready @ weights)[kinds.row], 1e-300)


def weights_of(prior: Prior) -> Floats:
    """Return the weights of a prior in the order of the kinds of waits."""
    return np.array([float(prior.weights[wait]) for wait in WAITS])


def fitted_weights(hands: ReadyHands, rows: Bools) -> Floats:
    """Return the weights of greatest likelihood on some positions that ready hands explain."""
    rows = rows & (hands.explained.sum(axis=1) > 0)
    return fit_weights(hands.ready[rows], hands.explained[rows])


def predictions(
    positions: Positions, hands: ReadyHands, kinds: Kinds, second: Bools
) -> dict[str, Floats]:
    """Return the chance of each kind under every model; fits are crossed over two halves.

    ``second`` says which positions are in the second half of the games.
    """
    found: dict[str, Floats] = {}
    in_second = second[kinds.row]
    for name, features in (("copies unseen", copies_unseen), ("suji classes, fitted", suji)):
        classes = features(positions, kinds)
        one, two = (rates(classes, kinds, train) for train in (~in_second, in_second))
        found[name] = np.where(in_second, one, two)
    for prior in PRIORS.values():
        found[f"exact, {prior.name}"] = shares(hands, kinds, weights_of(prior))
    one, two = (shares(hands, kinds, fitted_weights(hands, train)) for train in (~second, second))
    found["exact, weights fitted here"] = np.where(in_second, one, two)
    return found
