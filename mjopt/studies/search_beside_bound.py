"""A heuristic beside a certified lower bound: both improve until they meet."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from mjopt._internal.validation import as_rng, expect
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify
from mjopt.analysis.lower_bounds import lower_bounds
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.heuristics import NEVER, Heuristic, Result, Stop
from mjopt.heuristics.registry import as_heuristic
from mjopt.heuristics.runner import search

NODES_PER_ROUND: Final = 20
"""Nodes of the network that the bound settles while the heuristic does one generation."""


class Round(NamedTuple):
    """The state after a number of rounds: the best cost so far, and what is proved."""

    number: int
    best: int
    bound: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedSearch:
    """Result of a search beside a lower bound.

    Parameters
    ----------
    result
        The result of the heuristic, which stops when its best cost meets the bound.
    rounds
        Round 0 and every round in which the cost or the bound changed. A round is one generation
        and 20 nodes of the network.
    certificate
        The checked certificate of the deficiency, the last bound.

    Examples
    --------
    >>> from mjopt.studies import certified_search
    >>> found = certified_search("ndde", "4569m13445788p2s4z", rng=1)
    >>> found.is_met, found.result.value, found.certificate.certified
    (True, 3, True)
    """

    result: Result
    rounds: tuple[Round, ...]
    certificate: Certificate

    @property
    def is_met(self) -> bool:
        """Whether the best cost is the deficiency. Eq. 8 may be lower for some hands."""
        return self.result.value == self.certificate.deficiency


def certified_search(
    method: str | Heuristic | type[Heuristic],
    hand: HandLike,
    *,
    rng: int | np.random.Generator,
    stop: Stop | None = None,
) -> CertifiedSearch:
    """Run a heuristic beside a certified lower bound, until they meet.

    The bound comes from Dijkstra's algorithm on the network of complete hands, and the checker has
    accepted the proof of each of its values. The heuristic has no access to it, except that it
    stops.

    Parameters
    ----------
    method, hand, rng, stop
        As for :func:`mjopt.heuristics.run`.

    Raises
    ------
    ArgumentError
        If there is no such method, or it fails.

    Examples
    --------
    >>> found = certified_search("ndde", "4569m13445788p2s4z", rng=1)
    >>> found.is_met, found.certificate.deficiency, found.rounds[0]
    (True, 3, Round(number=0, best=5, bound=0))
    """
    expect(NEVER if stop is None else stop, Stop, "stop")
    read = as_hand(hand)
    bounds = [(-(-nodes // NODES_PER_ROUND), bound) for nodes, bound in lower_bounds(read)]
    last = bounds[-1][1]
    target = None if last == UNREACHABLE else last
    limits = (NEVER if stop is None else stop) | Stop(value=target)
    result = search(as_heuristic(method), read, rng=as_rng(rng), stop=limits, target=target)
    rounds: list[Round] = []
    for number in range(max(len(result.history), bounds[-1][0] + 1)):
        best = result.history[min(number, len(result.history) - 1)]
        bound = max(b for first, b in bounds if first <= number)
        if not rounds or (best, bound) != rounds[-1][1:]:
            rounds.append(Round(number, best, bound))
    return CertifiedSearch(result=result, rounds=tuple(rounds), certificate=certify(read))
