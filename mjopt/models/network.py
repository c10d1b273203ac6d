"""Network: a complete hand as a shortest path; the relaxation has an integral optimum."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from mjopt.hands.blocks import Block
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import (
    Template,
    TemplateProgress,
    advance,
    joker_blocks,
    kind_options,
)
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.formulation import Formulation
from mjopt.models.program import Program, Rows


class Node(NamedTuple):
    """State of a hand before a tile kind, when the kinds are used in order."""

    layer: int  # the next tile kind
    # The parts made so far, called melds included, and the chows begun one and two kinds back,
    # which need a copy of this kind.
    progress: TemplateProgress

    def name(self, tiles: TileSet) -> str:
        """Return a name such as ``5m_m2e1_01``: kind, melds, eyes, chows two and one kinds back."""
        made = self.progress
        kind = tiles.names[self.layer] if self.layer < tiles.num_kinds else "end"
        rarer = zip("dxpj", made[2:6], strict=True)  # distinct, doubled, pairs, jokers
        more = "".join([f"{letter}{number}" for letter, number in rarer if number])
        return f"{kind}_m{made.melds}e{made.eyes}{more}_{made.two_back}{made.one_back}"


@dataclass(frozen=True, slots=True)
class Arc:
    """One use of a kind: begin chows, make a pong, make the eye."""

    tail: int  # position in ``LayeredGraph.nodes``
    head: int  # position there, too
    use: int  # copies of the kind that the arc takes, 0..4, jokers in their place included
    pieces: tuple[Block, ...]  # the blocks begun here
    # Jokers among the copies, and those that stood for tiles before.
    jokers: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class LayeredGraph:
    """The graph whose paths from the first to the last node are the complete hands."""

    nodes: tuple[Node, ...]  # on a path from the start to the end, ascending
    arcs: tuple[Arc, ...]  # in order of their tail
    # Flow conservation: one unit leaves the first node, and the flow into an inner node leaves it.
    # The row of the last node is redundant and left out.
    rows: Rows


Step = tuple[Node, int, tuple[Block, ...], int]
"""The node after, the copies taken, the blocks begun, and the jokers among the copies."""


def _steps(node: Node, template: Template, tiles: TileSet) -> list[Step]:
    made = node.progress
    carried = made.one_back + made.two_back
    left = template.most_jokers - made.jokers
    steps: list[Step] = []
    for option in kind_options(template, tiles, node.layer):
        use = carried + option.copies
        for jokers in range(min(left, use) + 1):
            after = advance(template, made, option, jokers)
            if after is not None:
                pieces = option.blocks + joker_blocks(node.layer, jokers)
                steps.append((Node(node.layer + 1, after), use, pieces, jokers))
    return steps


@lru_cache(maxsize=64)
def network_graph(template: Template, tiles: TileSet, called: int = 0) -> LayeredGraph:
    """Build the layered graph of a template: the same for every hand.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import FULL
    >>> graph = network_graph(standard_template(FULL), FULL)
    >>> len(graph.arcs), len(graph.rows)
    (3975, 1465)
    """
    start = Node(0, TemplateProgress(melds=called))
    layers: list[list[Node]] = [[start]]
    steps: dict[Node, list[Step]] = {}
    for _ in range(tiles.num_kinds):
        reached: set[Node] = set()
        for node in layers[-1]:
            steps[node] = _steps(node, template, tiles)
            reached.update(head for head, *_ in steps[node])
        layers.append(sorted(reached))
    # Paths that differ only in the number of jokers end in nodes of their own; join them.
    ends = {node for node in layers[-1] if node.progress.is_complete(template)}
    end = _end(template, tiles)
    useful = {start, *ends}  # the start is kept even if the tile set has no complete hand
    for layer in reversed(layers[:-1]):
        useful.update(node for node in layer if any(head in useful for head, *_ in steps[node]))
    nodes = tuple(sorted(useful - ends | {end}))
    position = {node: i for i, node in enumerate(nodes)} | dict.fromkeys(ends, len(nodes) - 1)
    arcs = tuple(
        Arc(position[node], position[head], use, pieces, (jokers, node.progress.jokers))
        for node in nodes[:-1]
        for head, use, pieces, jokers in steps[node]
        if head in useful
    )
    return LayeredGraph(nodes, arcs, _conservation(nodes, arcs, tiles))


def _end(template: Template, tiles: TileSet) -> Node:
    """Return the node of every complete hand."""
    made = TemplateProgress(
        melds=template.melds,
        eyes=template.eyes,
        distinct=template.distinct,
        doubled=template.doubled,
        pairs=template.pairs,
    )
    return Node(tiles.num_kinds, made)


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

    def write_template(self, query: HandQuery, template: Template) -> Program:
        """Write the program of one template of a query."""
        hand = query.hand
        graph = network_graph(template, hand.tiles, hand.called)
        names, pieces, arcs = _arc_parts(graph, hand.tiles)
        held, reach = template.natural(hand.counts), template.natural(query.reach)
        own, most = template.held_jokers(hand.counts), template.held_jokers(query.reach)
        costs = [[max(0, use - have) for use in range(COPIES + 1)] for have in held]
        drawn = [max(0, used - own) for used in range(template.most_jokers + 1)]
        return self.program(
            hand,
            objective=[
                costs[layer][use - jokers] + drawn[before + jokers] - drawn[before]
                for layer, use, jokers, before in arcs
            ],
            upper=[
                int(use - jokers <= reach[layer] and before + jokers <= max(most, before))
                for layer, use, jokers, before in arcs
            ],
            rows=graph.rows,
            names=names,
            pieces=pieces,
        )


@lru_cache(maxsize=64)
def _arc_parts(
    graph: LayeredGraph, tiles: TileSet
) -> tuple[tuple[str, ...], tuple[tuple[Block, ...], ...], list[tuple[int, int, int, int]]]:
    """Return names, pieces, and (layer, copies taken, jokers among them and before) of all arcs."""
    names = [_arc_name(graph.nodes[arc.tail], arc, tiles) for arc in graph.arcs]
    # An eye can be one of the eyes, a kind held twice or a pair: then the head tells them apart.
    times = Counter(names)
    for i, arc in enumerate(graph.arcs):
        if times[names[i]] > 1:
            names[i] += f"_to_{graph.nodes[arc.head].name(tiles)}"
    pieces = tuple(arc.pieces for arc in graph.arcs)
    return (
        tuple(names),
        pieces,
        [(graph.nodes[arc.tail].layer, arc.use, *arc.jokers) for arc in graph.arcs],
    )


def _arc_name(tail: Node, arc: Arc, tiles: TileSet) -> str:
    """Return a name such as ``at_5m_m2e0_01_chow_567m_eye_55m``: the tail, then the blocks."""
    counted = Counter(arc.pieces).items()
    blocks = [
        f"{block.shape}_{block.text(tiles)}" + (f"_x{times}" if times > 1 else "")
        for block, times in counted
    ]
    return "_".join([f"at_{tail.name(tiles)}", *(blocks or ["none"])])
