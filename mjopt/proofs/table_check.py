"""Check the entries of the lookup tables of one suit from both sides.

An entry is the number of tiles that a suit misses for m melds and e eyes. Potentials prove
that fewer do not suffice, and a choice of blocks shows that this number does. Many states are
checked at once, by rules that are implemented independently here.
"""

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.tiles import COPIES

# Theorem: potentials that fall along every move by at most the tiles that the move misses are lower
# bounds of an entry (weak duality, as in `bounds`), and a choice of blocks is an upper bound. Where
# both meet, the entry is proved; see docs/reference/certificates.md, "The tables". The N states of
# a suit are one axis of each array, so a move is one comparison for all of them. Up to four chows
# begin at a rank, where the tables allow two: that three equal chows are three pongs is not
# assumed.

Bytes = npt.NDArray[np.int8]
Moves = tuple[int, int, int, int, int]  # carry before, chows, pongs, eyes, carry after

CARRIES = [(one, two) for one in range(COPIES + 1) for two in range(COPIES + 1 - one)]
"""Chows begun one and two ranks back that still need a copy of this rank."""


@cache
def moves(begins_chow: bool) -> tuple[tuple[Moves, int], ...]:
    """Return all uses of a rank, each with the copies it takes."""
    number = {carry: i for i, carry in enumerate(CARRIES)}
    most = COPIES if begins_chow else 0
    found = []
    for (one, two), chows, pongs, eyes in product(CARRIES, range(most + 1), (0, 1), (0, 1)):
        use = one + two + chows + 3 * pongs + 2 * eyes
        if use <= COPIES and (chows, one) in number:
            found.append(((number[one, two], chows, pongs, eyes, number[chows, one]), use))
    return tuple(found)


def _begins(rank: int, num_ranks: int, has_chows: bool) -> bool:
    return has_chows and rank + 2 < num_ranks


def check_potentials_of_suits(counts: Bytes, has_chows: bool, potentials: Bytes) -> Bytes:
    """Return the lower bounds that potentials prove, shape (N, 5, 2).

    ``counts`` are copies held, shape (N, R); ``has_chows`` says whether three consecutive ranks
    make a chow. ``potentials`` are lower bounds on the tiles still missing before each rank, by the
    number of melds and of eyes still to make and by the carry, shape (R + 1, N, 5, 2, C); the
    result is ``potentials[0]`` with no carried chows. CertificateError if the potential at the end
    is above 0, or falls along a move by more than the number of tiles that the move misses.
    """
    num_ranks = counts.shape[1]
    shape = num_ranks + 1, len(counts), 5, 2, len(CARRIES)
    if potentials.shape != shape:
        raise CertificateError(f"potentials of shape {potentials.shape}", expected=str(shape))
    # A number above 0 at the end could be added to all others, and would raise every bound.
    if (potentials[num_ranks, :, 0, 0, 0] > 0).any():
        raise CertificateError("a potential at the end is above 0")
    for rank in range(num_ranks):
        before, after = potentials[rank], potentials[rank + 1]
        for (carry, chows, pongs, eyes, then), use in moves(_begins(rank, num_ranks, has_chows)):
            melds = chows + pongs  # at most four: no rank has more copies
            missing = np.maximum(use - counts[:, rank], 0)[:, None, None]
            # A sum beyond 127 wraps around to a negative number, which makes the condition
            # stricter, never weaker.
            reached = after[:, : 5 - melds, : 2 - eyes, then]
            if (before[:, melds:, eyes:, carry] > reached + missing).any():
                raise CertificateError(f"rank {rank}: a potential falls by more than a move misses")
    return potentials[0, :, :, :, 0]


def check_choices(counts: Bytes, has_chows: bool, choices: Bytes) -> Bytes:
    """Return the numbers of tiles that choices of blocks miss, shape (N, 5, 2).

    ``counts`` and ``has_chows`` are as for :func:`check_potentials_of_suits`. ``choices`` are the
    chows begun, pongs and eyes at each rank for each entry, shape (N, 5, 2, R, 3). CertificateError
    if a choice has not m melds and e eyes, begins a chow where none can begin, or uses a kind more
    than four times.
    """
    num_ranks = counts.shape[1]
    chows, pongs, eyes = choices[..., 0], choices[..., 1], choices[..., 2]
    if choices.min() < 0 or pongs.max() > 1 or eyes.max() > 1:
        raise CertificateError("a choice of blocks is negative or above one")
    last = max(0, num_ranks - 2) if has_chows else 0
    if chows[..., last:].any():
        raise CertificateError("a chow begins where none can")
    melds = chows.sum(axis=-1) + pongs.sum(axis=-1)
    if (melds != np.arange(5)[:, None]).any() or (eyes.sum(axis=-1) != np.arange(2)).any():
        raise CertificateError("a choice has not m melds and e eyes")
    # All numbers are now at most four, so that the sums fit their bytes.
    use = chows + 3 * pongs + 2 * eyes
    use[..., 1:] += chows[..., :-1]
    use[..., 2:] += chows[..., :-2]
    if use.max() > COPIES:
        raise CertificateError("a choice uses a kind more than four times")
    missing = np.maximum(use - counts[:, None, None, :], 0)
    total: Bytes = missing.sum(axis=-1, dtype=np.int8)
    return total
