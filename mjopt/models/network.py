"""Network: a complete hand as a shortest path; the relaxation has an integral optimum."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.formulation import Formulation
from mjopt.models.program import Program, Rows


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """State of a hand before a tile kind, when the kinds are used in order.

    Parameters
    ----------
    layer
        The next tile kind.
    melds
        Number of melds so far, called ones included.
    eyes
        Number of eyes so far, 0 or 1.
    one_back, two_back
        Number of chows begun one and two kinds back, which need a copy of this kind.
    """

    layer: int
    melds: int
    eyes: int
    one_back: int
    two_back: int

    def name(self, tiles: TileSet) -> str:
        """Return a name such as ``5m_m2e1_01``: kind, melds, eyes, chows two and one kinds back."""
        kind = tiles.names[self.layer] if self.layer < tiles.num_kinds else "end"
        return f"{kind}_m{self.melds}e{self.eyes}_{self.two_back}{self.one_back}"


@dataclass(frozen=True, slots=True)
class Arc:
    """One use of a kind: begin chows, make a pong, make the eye.

    Parameters
    ----------
    tail, head
        Positions in ``LayeredGraph.nodes``.
    use
        Copies of the kind that the arc takes, ``0..4``.
    pieces
        The blocks begun here.
    """

    tail: int
    head: int
    use: int
    pieces: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LayeredGraph:
    """The graph whose paths from the first to the last node are the complete hands.

    Parameters
    ----------
    nodes
        Nodes on a path from the start to the end, ascending.
    arcs
        Arcs between them, in order of their tail.
    rows
        Flow conservation: one unit leaves the first node, and the flow into an
        inner node leaves it. The row of the last node is redundant and left out.
    """

    nodes: tuple[Node, ...]
    arcs: tuple[Arc, ...]
    rows: Rows


def _steps(node: Node, tiles: TileSet) -> list[tuple[Node, int, tuple[Block, ...]]]:
    kind = node.layer
    carried = node.one_back + node.two_back
    most_chows = COPIES if kind in tiles.chow_starts else 0
    steps: list[tuple[Node, int, tuple[Block, ...]]] = []
    for chows in range(most_chows + 1):
        for pongs in range(2):
            for eyes in range(2 - node.eyes):
                use = carried + chows + 3 * pongs + 2 * eyes
                melds = node.melds + chows + pongs
                if use <= COPIES and melds <= MAX_CALLED:
                    head = Node(kind + 1, melds, node.eyes + eyes, chows, node.one_back)
                    pieces = (chow(kind),) * chows + (pong(kind),) * pongs + (eye(kind),) * eyes
                    steps.append((head, use, pieces))
    return steps


@lru_cache(maxsize=32)
def network_graph(tiles: TileSet, called: int = 0) -> LayeredGraph:
    """Build the layered graph of a tile set: the same for every hand.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> graph = network_graph(FULL)
    >>> len(graph.arcs), len(graph.rows)
    (3975, 1465)
    """
    start = Node(0, called, 0, 0, 0)
    end = Node(tiles.num_kinds, MAX_CALLED, 1, 0, 0)
    layers: list[list[Node]] = [[start]]
    steps: dict[Node, list[tuple[Node, int, tuple[Block, ...]]]] = {}
    for _ in range(tiles.num_kinds):
        reached: set[Node] = set()
        for node in layers[-1]:
            steps[node] = _steps(node, tiles)
            reached.update(head for head, _, _ in steps[node])
        layers.append(sorted(reached))
    useful = {start, end}  # the start is kept even if the tile set has no complete hand
    for layer in reversed(layers[:-1]):
        useful.update(node for node in layer if any(head in useful for head, _, _ in steps[node]))
    nodes = tuple(sorted(useful))
    position = {node: i for i, node in enumerate(nodes)}
    arcs = tuple(
        Arc(position[node], position[head], use, pieces)
        for node in nodes[:-1]
        for head, use, pieces in steps[node]
        if head in useful
    )
    return LayeredGraph(nodes, arcs, _conservation(nodes, arcs, tiles))


def _conservation(nodes: tuple[Node, ...], arcs: tuple[Arc, ...], tiles: TileSet) -> Rows:
    entries: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for variable, arc in enumerate(arcs):
        entries[arc.tail].append((variable, 1))
        entries[arc.head].append((variable, -1))
    return Rows.gather(
        [
            (f"flow_{node.name(tiles)}", int(i == 0), int(i == 0), sorted(entries[i]))
            for i, node in enumerate(nodes[:-1])
        ]
    )


class Network(Formulation):
    """Send one unit of flow through the layered graph; the cost is the missing tiles.

    One 0/1 variable per arc. The rows are the incidence matrix of a graph, hence
    totally unimodular: the relaxation's optimum is the deficiency, and its dual
    is an integer proof of it. An arc that needs more copies than are held and
    unseen has upper bound 0.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> program = Network().build(Hand.parse("1112345678999m1p"))
    >>> program.num_variables, len(program.rows), max(program.objective)
    (3707, 1361, 4)
    """

    name = "network"

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        hand, reach = query.hand, query.reach
        graph = network_graph(hand.tiles, hand.called)
        costs = [[max(0, use - held) for use in range(COPIES + 1)] for held in hand.counts]
        names, pieces, arcs = _arc_parts(graph, hand.tiles)
        return self.program(
            hand,
            objective=[costs[layer][use] for layer, use in arcs],
            upper=[int(use <= reach[layer]) for layer, use in arcs],
            rows=graph.rows,
            names=names,
            pieces=pieces,
        )


@lru_cache(maxsize=32)
def _arc_parts(
    graph: LayeredGraph, tiles: TileSet
) -> tuple[tuple[str, ...], tuple[tuple[Block, ...], ...], list[tuple[int, int]]]:
    """Return the names, the pieces, and the (layer, copies taken) of all arcs."""
    names = tuple(_arc_name(graph.nodes[arc.tail], arc, tiles) for arc in graph.arcs)
    pieces = tuple(arc.pieces for arc in graph.arcs)
    return names, pieces, [(graph.nodes[arc.tail].layer, arc.use) for arc in graph.arcs]


def _arc_name(tail: Node, arc: Arc, tiles: TileSet) -> str:
    """Return a name such as ``at_5m_m2e0_01_chow_567m_eye_55m``: the tail, then the blocks."""
    counted = Counter(arc.pieces).items()
    blocks = [
        f"{block.shape}_{block.text(tiles)}" + (f"_x{times}" if times > 1 else "")
        for block, times in counted
    ]
    return "_".join([f"at_{tail.name(tiles)}", *(blocks or ["none"])])
