"""Shortest paths through the network of complete hands; they yield targets and potentials."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mjopt.hands.blocks import Block
from mjopt.hands.pairs_and_orphans import num_missing
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, standard_template
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.network import network_graph

FAR = 90  # cost to go of nodes that cannot reach the end

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NetworkLayers:
    """The arcs of a graph by layer, as arrays, so that a layer is one NumPy operation.

    Within a layer, arcs are in order of their tails. The lists are for following one path,
    where they are faster than arrays.
    """

    num_nodes: int
    tails: Integers
    heads: Integers
    flat: Integers  # (kind, natural copies taken) of each arc as one number
    jokers: tuple[Integers, Integers] | None  # those that each arc uses, and those used before it
    bounds: tuple[int, ...]  # where each layer's arcs begin
    firsts: tuple[Integers, ...]  # where each tail's arcs begin, inside the layer
    sources: tuple[slice, ...]  # the tails of each layer: nodes are numbered by layer
    starts: list[int]  # where each node's arcs begin
    head_list: list[int]
    use_list: list[int]
    pieces: list[tuple[Block, ...]]


@lru_cache(maxsize=256)
def network_layers(template: Template, tiles: TileSet, called: int) -> NetworkLayers:
    """Return the arcs of the network of a template, the same for every hand."""
    graph = network_graph(template, tiles, called)
    num_nodes = max(2, len(graph.nodes))  # also if the tile set has no complete hand
    tails = np.array([arc.tail for arc in graph.arcs], dtype=np.int64)
    kinds = np.array([graph.nodes[arc.tail].layer for arc in graph.arcs], dtype=np.int64)
    uses = [arc.use for arc in graph.arcs]
    used, before = np.array([arc.jokers for arc in graph.arcs], dtype=np.int64).reshape(-1, 2).T
    bounds = np.searchsorted(kinds, np.arange(tiles.num_kinds + 1))
    sources, firsts = [], []
    for low, high in pairwise(bounds.tolist()):
        nodes, where = np.unique(tails[low:high], return_index=True)
        sources.append(slice(int(nodes[0]), int(nodes[-1]) + 1) if len(nodes) else slice(0, 0))
        firsts.append(where)
    return NetworkLayers(
        num_nodes=num_nodes,
        tails=tails,
        heads=np.array([arc.head for arc in graph.arcs], dtype=np.int64),
        flat=kinds * (COPIES + 1) + np.array(uses, dtype=np.int64) - used,
        jokers=(used, before) if template.jokers else None,
        bounds=tuple(bounds.tolist()),
        firsts=tuple(firsts),
        sources=tuple(sources),
        starts=np.searchsorted(tails, np.arange(num_nodes)).tolist(),
        head_list=[arc.head for arc in graph.arcs],
        use_list=uses,
        pieces=[arc.pieces for arc in graph.arcs],
    )


@lru_cache(maxsize=1)
def _copy_costs() -> Integers:
    """Return the cost of taking copies of a kind, by copies held, available and taken."""
    held, reach, use = np.ogrid[: COPIES + 1, : COPIES + 1, : COPIES + 1]
    costs = np.where(use > reach, FAR, np.maximum(use - held, 0)).astype(np.int64)
    costs.flags.writeable = False
    return costs


def _layers(query: HandQuery, template: Template | None) -> NetworkLayers:
    return network_layers(
        template or standard_template(query.hand.tiles), query.hand.tiles, query.hand.called
    )


def _arc_costs(query: HandQuery, layers: NetworkLayers, template: Template | None) -> Integers:
    counts, reach = query.hand.counts, query.reach
    if template is None or layers.jokers is None:
        costs: Integers = _copy_costs()[np.array(counts), np.array(reach)]
        return costs.ravel()[layers.flat]
    used, before = layers.jokers
    natural, own = template.natural(counts), template.held_jokers(counts)
    copies = _copy_costs()[np.array(natural), np.array(template.natural(reach))]
    drawn = np.maximum(before + used - own, 0) - np.maximum(before - own, 0)
    is_closed = (used > 0) & (before + used > template.held_jokers(reach))
    found: Integers = copies.ravel()[layers.flat] + np.where(is_closed, FAR, drawn)
    return np.minimum(found, FAR)


def cost_to_go(query: HandQuery, template: Template | None = None) -> Integers:
    """Return the fewest tiles missing from each node to the end; the first is the deficiency.

    They are in the order of the network's nodes, int64; ``FAR`` if the end is unreachable. Only the
    hand and the unseen tiles of the query count. The template is by default four melds and an eye.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> int(cost_to_go(HandQuery(Hand.parse("1112345678999m1p")))[0])
    1
    """
    layers = _layers(query, template)
    costs = _arc_costs(query, layers, template)
    go = np.full(layers.num_nodes, FAR, dtype=np.int64)
    go[-1] = 0
    for kind in range(query.hand.tiles.num_kinds - 1, -1, -1):
        low, high = layers.bounds[kind], layers.bounds[kind + 1]
        if low < high:
            through = go[layers.heads[low:high]]
            through += costs[low:high]
            go[layers.sources[kind]] = np.minimum.reduceat(through, layers.firsts[kind])
    return np.minimum(go, FAR, out=go)


def rising_potentials(query: HandQuery) -> Iterator[tuple[int, Integers]]:
    """Yield potentials that prove better and better lower bounds, by Dijkstra's algorithm.

    It begins at the end of the network. Once all nodes nearer to it than a bound are settled and
    the start is not among them, the costs to go cut off at the bound are such potentials.

    The number of settled nodes comes before each. Potentials have shape ``(number of nodes,)``; the
    first is the bound: 0, ..., the deficiency (``FAR`` if the end is unreachable).

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> query = HandQuery(Hand.parse("4569m13445788p2s4z"))
    >>> [(settled, int(potentials[0])) for settled, potentials in rising_potentials(query)]
    [(0, 0), (108, 1), (244, 2), (439, 3)]
    """
    layers = _layers(query, None)
    order = np.argsort(layers.heads, kind="stable")
    begins = np.searchsorted(layers.heads[order], np.arange(layers.num_nodes + 1)).tolist()
    tails, costs = layers.tails[order].tolist(), _arc_costs(query, layers, None)[order].tolist()
    go = np.full(layers.num_nodes, FAR, dtype=np.int64)
    go[-1] = 0
    settled: set[int] = set()
    queue, bound = [(0, layers.num_nodes - 1)], 0
    yield 0, np.minimum(go, 0)
    while queue:
        value, node = heappop(queue)
        if node in settled:
            continue
        if value > bound:
            bound = value
            yield len(settled), np.minimum(go, bound)
        settled.add(node)
        if node == 0:
            return
        for arc in range(begins[node], begins[node + 1]):
            through = value + costs[arc]
            if through < go[tails[arc]]:
                go[tails[arc]] = through
                heappush(queue, (through, tails[arc]))
    yield len(settled), go


def distances(query: HandQuery) -> dict[WinningForm, int]:
    """Return the deficiency of each form, or ``UNREACHABLE``.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> distances(HandQuery(Hand.parse("1122334455667m8p"), "all"))
    {<WinningForm standard>: 1, <WinningForm seven_pairs>: 1}
    """
    distances_by_form = {}
    for form in query.forms:
        if form.is_pairs or form.is_singles:
            value = num_missing(form, query.hand, query.unseen)
        else:
            values = (template_distance(query, template) for template in query.templates(form))
            value = min(values, default=UNREACHABLE)
        distances_by_form[form] = value
    return distances_by_form


def template_distance(query: HandQuery, template: Template) -> int:
    """Return the fewest missing tiles of one template, or ``UNREACHABLE``.

    Examples
    --------
    >>> query = HandQuery("19m19p19s1234567z", "mcr", general=True)
    >>> [template_distance(query, template) for template in query.templates(query.forms[-1])][:2]
    [5, 5]
    """
    go = int(cost_to_go(query, template)[0])
    return go if go < FAR else UNREACHABLE


def nearest_draws(query: HandQuery, template: Template) -> tuple[int, frozenset[int]]:
    """Return the missing tiles of a template, and the kinds that some nearest hand draws.

    An arc is on a cheapest path exactly if its cost, the cost to reach it and the cost after it
    add up to the minimum.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> query = HandQuery(Hand.parse("1112345678999m"))
    >>> value, kinds = nearest_draws(query, standard_template(query.hand.tiles))
    >>> value, sorted(kinds)
    (1, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    """
    layers = _layers(query, template)
    costs = _arc_costs(query, layers, template)
    go = cost_to_go(query, template)
    if go[0] >= FAR:
        return UNREACHABLE, frozenset()
    come = np.full(layers.num_nodes, FAR, dtype=np.int64)
    come[0] = 0
    for low, high in pairwise(layers.bounds):
        through = come[layers.tails[low:high]] + costs[low:high]
        np.minimum.at(come, layers.heads[low:high], through)
    is_near = come[layers.tails] + costs + go[layers.heads] == go[0]
    kinds, taken = np.divmod(layers.flat, COPIES + 1)
    natural = np.array(template.natural(query.hand.counts))
    drawn = set(np.unique(kinds[is_near & (taken > natural[kinds])]).tolist())
    if layers.jokers is not None:
        used, before = layers.jokers
        own = template.held_jokers(query.hand.counts)
        if bool((is_near & (used > 0) & (before + used > own)).any()):
            drawn.update(kind for kind in template.jokers if query.unseen[kind])
    return int(go[0]), frozenset(drawn)


def nearest_arcs(query: HandQuery, template: Template) -> list[list[tuple[int, int, int]]]:
    """Return the arcs of the cheapest paths to the end, by the nodes where they begin.

    Each has the natural copies that it takes, the node after it, and the numbers of jokers in the
    complete hands that follow: a set, bit ``j`` for ``j`` jokers.
    """
    layers = _layers(query, template)
    none = np.zeros_like(layers.flat)
    used, before = layers.jokers or (none, none)
    go = cost_to_go(query, template)
    through = _arc_costs(query, layers, template) + go[layers.heads]
    is_near = (through == go[layers.tails]) & (through < FAR)
    numbers = np.zeros(layers.num_nodes, dtype=np.int64)
    arcs: list[list[tuple[int, int, int]]] = [[] for _ in range(layers.num_nodes)]
    for low, high in reversed([*pairwise(layers.bounds)]):
        near = low + np.flatnonzero(is_near[low:high])
        tails, heads = layers.tails[near], layers.heads[near]
        is_last = heads == layers.num_nodes - 1
        follow = np.where(is_last, 1 << (before + used)[near], numbers[heads])
        np.bitwise_or.at(numbers, tails, follow)
        natural = layers.flat[near] % (COPIES + 1)
        columns = (tails.tolist(), natural.tolist(), heads.tolist(), follow.tolist())
        for tail, copies, head, after in zip(*columns, strict=True):
            arcs[tail].append((copies, head, after))
    return arcs


def reachable_nodes(query: HandQuery, template: Template | None = None) -> tuple[int, ...]:
    """Return the nodes that open arcs reach from the start: a cut if the end is not among them.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("1112345678999m1p")
    >>> graph = network_graph(standard_template(hand.tiles), hand.tiles)
    >>> len(reachable_nodes(HandQuery(hand))) == len(graph.nodes)
    True
    """
    layers = _layers(query, template)
    is_open = _arc_costs(query, layers, template) < FAR
    reached = np.zeros(layers.num_nodes, dtype=bool)
    reached[0] = True
    for low, high in pairwise(layers.bounds):
        is_taken = is_open[low:high] & reached[layers.tails[low:high]]
        reached[layers.heads[low:high][is_taken]] = True
    return tuple(np.flatnonzero(reached).tolist())


def cheapest_path(
    query: HandQuery, go: list[int], template: Template | None = None
) -> tuple[Block, ...]:
    """Return the blocks of a nearest complete hand, given the costs to go.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> query = HandQuery(Hand.parse("1112345678999m1p"))
    >>> len(cheapest_path(query, cost_to_go(query).tolist()))
    5
    """
    layers = _layers(query, template)
    starts, heads = layers.starts, layers.head_list
    blocks: list[Block] = []
    if template is not None and template.jokers:
        costs = _arc_costs(query, layers, template).tolist()
        node = 0
        for _ in query.hand.counts:
            arc = starts[node]
            while costs[arc] >= FAR or costs[arc] + go[heads[arc]] != go[node]:
                arc += 1
            blocks += layers.pieces[arc]
            node = heads[arc]
        return tuple(sorted(blocks))
    uses = layers.use_list
    node = 0
    for held, most in zip(query.hand.counts, query.reach, strict=True):
        arc, value = starts[node], go[node]
        while (
            uses[arc] > most
            or (uses[arc] - held if uses[arc] > held else 0) + go[heads[arc]] != value
        ):
            arc += 1
        blocks += layers.pieces[arc]
        node = heads[arc]
    return tuple(sorted(blocks))


def path_arcs(
    template: Template, tiles: TileSet, called: int, blocks: tuple[Block, ...]
) -> tuple[int, ...]:
    """Return the arcs of the path of a complete hand, given its blocks.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow, eye, pong
    >>> from mjopt.hands.tiles import M0
    >>> len(path_arcs(standard_template(M0), M0, 2, (chow(0), pong(5), eye(9))))
    27
    """
    layers = network_layers(template, tiles, called)
    # An eye and a pair are equal blocks, so several paths can begin alike; one of them ends well.
    paths: dict[int, tuple[int, ...]] = {0: ()}
    for kind in range(tiles.num_kinds):
        begun = sorted(block for block in blocks if block.kinds[0] == kind)
        paths = {
            layers.head_list[arc]: (*arcs, arc)
            for node, arcs in paths.items()
            for arc in range(layers.starts[node], layers.starts[node + 1])
            if sorted(layers.pieces[arc]) == begun
        }
    return paths[layers.num_nodes - 1]
