"""The model that looks no further than the nearest complete hands.

Most tools that estimate draws follow only those that lower the deficiency. Here that
view is counted exactly: K is the least number of draws after which hand and draws
contain one of the complete hands at the least distance. Detours by way of hands that
were further away at first do not count, so the model never expects fewer draws than
the exact count does.
"""

from collections.abc import Callable
from functools import cache, lru_cache

from mjopt.answers.draws.tally import tally
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, missing_tiles, orphan_kinds
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.models.network import network_graph
from mjopt.models.shortest_path import FAR, cost_to_go

Counts = tuple[int, ...]
Follower = tuple[
    object, Callable[[int, object, int], object], Callable[[object], bool]
]  # the start, the step after so many copies of a kind, and whether a last state is complete


def nearest_ways(hand: Hand, wall: Counts, forms: tuple[str, ...]) -> list[int]:
    """Count the draws that contain no complete hand at the least distance.

    Parameters
    ----------
    hand
        The hand.
    wall
        Copies of each kind in the wall.
    forms
        The winning forms; those further away than the nearest do not count.

    Returns
    -------
    list of int
        By number of draws, from none to the whole wall.

    Examples
    --------
    >>> hand = Hand.parse("1m", called=4)
    >>> nearest_ways(hand, (2, 2) + (0,) * 25, ("standard",))  # any 1m; a pair of 2m is no use
    [1, 2, 1, 0, 0]
    """
    distance = {form: _distance(form, hand, wall) for form in forms}
    nearest = min(distance.values())
    followers = [_FOLLOWERS[form](hand, wall) for form in forms if distance[form] == nearest < FAR]

    @cache
    def step(kind: int, states: tuple[object, ...], copies: int) -> tuple[object, ...]:
        return tuple(
            follow(kind, state, copies)
            for (_, follow, _), state in zip(followers, states, strict=True)
        )

    def is_incomplete(states: tuple[object, ...]) -> bool:
        return not any(done(state) for (_, _, done), state in zip(followers, states, strict=True))

    kinds = list(zip(hand.counts, wall, strict=True))
    start = tuple(first for first, _, _ in followers)
    return tally(kinds, start, step, is_incomplete=is_incomplete)


def _distance(form: str, hand: Hand, wall: Counts) -> int:
    if form == STANDARD:
        return min(int(cost_to_go(hand, wall)[0]), FAR)
    missing = missing_tiles(form, hand, wall)
    return FAR if missing is None else sum(missing)


@lru_cache(maxsize=16)
def _arcs(tiles: TileSet, called: int) -> tuple[tuple[tuple[tuple[int, int], ...], ...], int]:
    """Arcs of the network by node, as (copies taken, next node), and the last node."""
    graph = network_graph(tiles, called)
    arcs: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for arc in graph.arcs:
        arcs[arc.tail].append((arc.use, arc.head))
    return tuple(tuple(line) for line in arcs), len(graph.nodes) - 1


def _follow_standard(hand: Hand, wall: Counts) -> Follower:
    """Follow all cheapest paths at once that the copies so far can pay for."""
    arcs, end = _arcs(hand.tiles, hand.called)
    go = cost_to_go(hand, wall).tolist()

    def follow(kind: int, nodes: object, copies: int) -> object:
        held = hand.counts[kind]
        assert isinstance(nodes, frozenset)
        return frozenset(
            head
            for node in nodes
            for use, head in arcs[node]
            if use <= copies and go[node] == max(0, use - held) + go[head]
        )

    return frozenset([0]), follow, lambda nodes: nodes == frozenset([end])


def _follow_pairs(hand: Hand, wall: Counts) -> Follower:
    """Count the pairs among the cheapest kinds; the dearest of them are a choice."""
    prices = {
        kind: max(0, 2 - held)
        for kind, (held, left) in enumerate(zip(hand.counts, wall, strict=True))
        if held + left >= 2
    }
    last = sorted(prices.values())[6]
    sure = {kind for kind, price in prices.items() if price < last}
    choice = {kind for kind, price in prices.items() if price == last}
    wanted = 7 - len(sure)

    def follow(kind: int, pairs: object, copies: int) -> object:
        if pairs is None or (kind in sure and copies < 2):
            return None
        assert isinstance(pairs, int)
        return min(wanted, pairs + (kind in choice and copies >= 2))

    return 0, follow, lambda pairs: pairs == wanted


def _follow_orphans(hand: Hand, wall: Counts) -> Follower:  # noqa: ARG001 - one signature for all
    """See whether each orphan is there, and one twice: any of them is as near."""
    orphans = set(orphan_kinds(hand.tiles))

    def follow(kind: int, twice: object, copies: int) -> object:
        if kind not in orphans:
            return twice
        return None if twice is None or copies == 0 else bool(twice) or copies >= 2

    return False, follow, lambda twice: twice is True


_FOLLOWERS: dict[str, Callable[[Hand, Counts], Follower]] = {
    STANDARD: _follow_standard,
    SEVEN_PAIRS: _follow_pairs,
    THIRTEEN_ORPHANS: _follow_orphans,
}
