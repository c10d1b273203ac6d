"""Certified lower bounds on the deficiency of a hand, as they improve."""

from collections.abc import Iterator

from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.models.shortest_path import FAR, rising_potentials
from mjopt.proofs.bounds import check_potentials
from mjopt.proofs.graph import standard_graph


def lower_bounds(hand: Hand) -> Iterator[tuple[int, int]]:
    """Yield better and better lower bounds on the deficiency of the standard form.

    The checker has accepted the potentials that prove each of them.

    The bounds are 0, ..., the deficiency, or ``UNREACHABLE``; the number of nodes of the network
    settled so far comes before each. Potentials that the checker refuses are an error in the
    package, a `CertificateError`.

    Examples
    --------
    >>> [bound for _, bound in lower_bounds(Hand.parse("4569m13445788p2s4z"))]
    [0, 1, 2, 3]
    """
    query = HandQuery(hand)
    graph = standard_graph(hand.tiles, hand.called)
    for num_settled, potentials in rising_potentials(query):
        bound = int(potentials[0])
        if bound >= FAR:
            yield num_settled, UNREACHABLE
        else:
            check_potentials(graph, hand.counts, query.reach, potentials.tolist(), bound)
            yield num_settled, bound
