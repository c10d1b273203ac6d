"""Check lower bounds on the deficiency: potentials, cuts, and the bounds of special forms."""

from array import array
from collections.abc import Sequence
from contextlib import suppress
from operator import countOf

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.proofs.graph import ProofGraph

# Theorem (docs/reference/winning-forms.md, "Programs and proofs"): let every arc satisfy phi(tail)
# <= cost + phi(head), and let phi(end) = 0. Then every path costs at least phi(start), since the
# inequalities of its arcs add up. A set of nodes with the start, without the end, that no open arc
# leaves, shows that there is no path. Paths are complete hands (`graph`), so this is the lower
# bound of the deficiency.
#
# The search for phi is left to others; here each arc is looked at once, in integers. This room
# imports no model and no table (a rule of the import linter in pyproject.toml): a hand that an
# enumeration forgets would otherwise be missing in the search and in its proof.

_LARGEST = 99  # absolute value of a potential; every path costs less

Counts = tuple[int, ...]
Jokers = tuple[int, int]  # held, and held or able to arrive
Integers = npt.NDArray[np.int64]


def _integers(values: Sequence[int], what: str) -> Integers:
    """Return plain integers as an array; raise for True, 1.0 and numbers that could overflow."""
    # True would pass as 1, and a float would be compared after rounding. The range keeps all sums
    # far from the limits of 64 bits, where a sum that wraps around would fulfil any inequality.
    if countOf(map(type, values), int) == len(values):
        with suppress(OverflowError):  # beyond -128..127
            small = np.frombuffer(array("b", values), dtype=np.int8)
            if small.min() >= -_LARGEST and small.max() <= _LARGEST:
                return small.astype(np.int64)
    raise CertificateError(f"not whole numbers in -{_LARGEST}..{_LARGEST}", argument=what)


def check_potentials(
    graph: ProofGraph,
    held: Counts,
    reach: Counts,
    potentials: Sequence[int],
    bound: int,
    jokers: Jokers = (0, 0),
) -> None:
    """Raise unless the potentials prove that every complete hand is ``bound`` or more changes away.

    Along each arc the potential falls by at most the cost of the arc. It is at least ``bound`` at
    the start and 0 at the end, so every path costs ``bound`` or more. There is one whole number per
    node. ``held`` and ``reach`` are the copies held, and held or able to arrive, per kind, without
    jokers; ``jokers`` are the same two numbers of jokers. A CertificateError names the first node
    or arc that fails.
    """
    if len(potentials) != graph.num_nodes:
        raise CertificateError(
            f"{len(potentials)} potentials", expected=f"{graph.num_nodes}, one per node"
        )
    phi = _integers(potentials, "potentials")
    # The same number added to all potentials changes no arc, so without this any bound could be
    # proved.
    if phi[-1] != 0:
        raise CertificateError(f"potential of the end is {phi[-1]}", expected="0")
    if phi[0] < bound:
        raise CertificateError(f"potential of the start is {phi[0]}, below the bound {bound}")
    costs = np.maximum(graph.uses - np.array(held)[graph.kinds], 0)
    if graph.before is not None and graph.after is not None:
        # An arc pays for the jokers that it takes beyond those held. Along a path this adds up to
        # the jokers drawn.
        costs += np.maximum(graph.after - jokers[0], 0) - np.maximum(graph.before - jokers[0], 0)
    fails = phi[graph.tails] > costs + phi[graph.heads]
    if fails.any():
        # A closed arc is in no path, so its potentials do not matter.
        fails &= _is_open(graph, reach, jokers)
    if fails.any():
        arc = int(fails.argmax())
        tail, head = int(graph.tails[arc]), int(graph.heads[arc])
        raise CertificateError(
            f"arc {arc} of kind {graph.kinds[arc]}: potential {phi[tail]} at node {tail} exceeds "
            f"cost {costs[arc]} plus {phi[head]} at node {head}"
        )


def _is_open(graph: ProofGraph, reach: Counts, jokers: Jokers) -> npt.NDArray[np.bool_]:
    """Return for each arc whether its tiles are held or can arrive."""
    is_open: npt.NDArray[np.bool_] = graph.uses <= np.array(reach)[graph.kinds]
    return is_open if graph.after is None else is_open & (graph.after <= jokers[1])


def check_cut(
    graph: ProofGraph, reach: Counts, cut: Sequence[int], jokers: Jokers = (0, 0)
) -> None:
    """Raise unless the cut proves that no path over open arcs leads from start to end.

    The cut is nodes that include the start and not the end, and that no open arc leaves. An arc
    that takes more copies than ``reach``, per kind and without jokers, is closed. Jokers are as for
    :func:`check_potentials`. A CertificateError names the condition that fails.
    """
    # Without the start, the empty set would be a cut; with the end, the set of all nodes.
    nodes = _integers_of_nodes(cut, graph.num_nodes)
    inside = np.zeros(graph.num_nodes, dtype=bool)
    inside[nodes] = True
    if not inside[0]:
        raise CertificateError("the cut does not hold the start")
    if inside[-1]:
        raise CertificateError("the cut holds the end")
    leaves = _is_open(graph, reach, jokers) & inside[graph.tails] & ~inside[graph.heads]
    if leaves.any():
        arc = int(leaves.argmax())
        raise CertificateError(
            f"arc {arc} of kind {graph.kinds[arc]} leaves the cut at node {graph.tails[arc]}"
        )


def _integers_of_nodes(cut: Sequence[int], num_nodes: int) -> Integers:
    # Node -1 would be the end, counted from behind.
    if not set(map(type, cut)) <= {int} or not all(0 <= node < num_nodes for node in cut):
        raise CertificateError(f"the cut: not nodes in 0..{num_nodes - 1}")
    if len(set(cut)) != len(cut):
        raise CertificateError("the cut names a node twice")
    return np.array(cut, dtype=np.int64)


def pairs_bound(held: Counts, reach: Counts, called: int) -> int | None:
    """Return the least tiles missing to seven pairs, or None if they are unreachable.

    Seven different kinds are needed and their costs add up, so the seven cheapest kinds
    are both a lower bound and a solution.

    Examples
    --------
    >>> pairs_bound((2, 2, 2, 2, 2, 2, 1, 1), (4,) * 8, 0)
    1
    """
    costs_of_pairs = sorted(max(0, 2 - h) for h, r in zip(held, reach, strict=True) if r >= 2)
    return None if called or len(costs_of_pairs) < 7 else sum(costs_of_pairs[:7])


def orphans_bound(held: Counts, reach: Counts, called: int, orphans: Sequence[int]) -> int | None:
    """Return the least tiles missing to thirteen orphans, or None if they are unreachable.

    All thirteen kinds are needed, and one of them twice; only that one is a choice.

    Examples
    --------
    >>> orphans_bound((1,) * 13, (4,) * 13, 0, range(13))
    1
    """
    if called or len(orphans) != 13 or any(reach[k] < 1 for k in orphans):
        return None
    singles = sum(max(0, 1 - held[k]) for k in orphans)
    twice = [max(0, 2 - held[k]) - max(0, 1 - held[k]) for k in orphans if reach[k] >= 2]
    return singles + min(twice) if twice else None
