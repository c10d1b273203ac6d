"""The layered graph of complete hands, built for the checker from the rules.

The formulation ``network`` builds the same graph with separate code; tests compare the two.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet

# The network of docs/reference/winning-forms.md ("Programs and proofs"). Theorem: its paths are the
# complete hands of a template, and the uses of a path are their copies. For the standard form the
# tests count all of them (`test_every_path_of_the_proof_graph_is_a_complete_hand`).
#
# One direction matters for the proof: every complete hand must be a path, or a lower bound could be
# too high. An arc too many only makes bounds lower. So the parts of a kind are enumerated without
# the short cuts of the tables, and nodes are removed only if no path meets them.
#
# Arcs are columns of numbers, sorted by layer, because a check is a comparison of whole columns; a
# node is its place in a certificate, so the order of nodes is part of the format: by kind, then by
# state.

MOST_STEPS: Final = 3_000_000
"""Most steps of building one graph; 16 jokers and five melds take a third of them."""

_SMALL: Final = 50_000  # steps of a graph of which many can be kept

Integers = npt.NDArray[np.signedinteger[Any]]
State = tuple[int, int, int, int, int, int, int, int]
"""Melds, eyes, distinct kinds, doubled kinds, pairs and jokers so far; chows begun one kind back
and two kinds back."""

Choice = tuple[int, int, int, int, int, int, int, int]
"""Chows, pongs, eyes, distinct, doubled and pairs begun at a kind; copies of it; how many of
these may be jokers."""


@dataclass(frozen=True, eq=False)
class ProofGraph:
    """States between tile kinds, and arcs for the possible uses of each kind.

    Nodes are numbered by kind, then by state, counting only those on some path from the
    start to the end.
    """

    num_nodes: int  # the first node is the start, the last the end
    tails: Integers  # the first node of each arc, shape (A,), ascending
    heads: Integers  # the second
    kinds: Integers  # the kind that each arc belongs to
    uses: Integers  # copies of it that the arc takes, 0..4, without those for which jokers stand
    before: Integers | None = None  # jokers taken by a path before the arc; None without jokers
    after: Integers | None = None  # jokers taken after the arc
    steps: int = 0  # of building the graph


def _choices(template: Template, tiles: TileSet, kind: int) -> tuple[list[Choice], int]:
    """Return the parts that can begin at a kind together, and the number of those tried."""
    inside, of = kind in template.kinds, kind in template.of
    has_chow = kind in tiles.chow_starts and {kind, kind + 1, kind + 2} <= set(template.kinds)
    limit = COPIES + template.most_jokers if template.has_fifth else COPIES
    most = (
        min(limit, template.melds) if template.has_chows and has_chow else 0,
        min(limit // 3, template.melds) if template.has_pongs and inside else 0,
        min(limit // 2, template.eyes) if inside else 0,
        min(1, template.distinct) if of else 0,
        min(1, template.doubled) if of else 0,
        min(limit // 2 if template.has_equal_pairs else 1, template.pairs) if inside else 0,
    )
    may_be_joker = [part in template.joker_parts for part in ("melds", "eyes", "distinct", "pairs")]
    found: list[Choice] = []
    for chows, pongs, eyes, distinct, doubled, pairs in product(*(range(m + 1) for m in most)):
        parts = (chows + 3 * pongs, 2 * eyes, distinct + doubled, 2 * pairs)
        copies = template.fixed[kind] + sum(parts)
        if doubled <= distinct and copies <= limit:
            eligible = sum(p for p, may in zip(parts, may_be_joker, strict=True) if may)
            eligible += template.joker_fixed[kind] if template.joker_fixed else 0
            found.append((chows, pongs, eyes, distinct, doubled, pairs, copies, eligible))
    return found, prod(number + 1 for number in most)


def _moves(state: State, choices: list[Choice], template: Template) -> Iterator[tuple[State, int]]:
    """Yield the states after a kind, and the copies taken that are no jokers."""
    made, jokers, one_back, two_back = state[:5], state[5], state[6], state[7]
    carried = one_back + two_back
    carried_eligible = carried if "melds" in template.joker_parts else 0
    most_jokers = template.most_jokers - jokers
    melds, eyes = template.melds - made[0], template.eyes - made[1]
    distinct, doubled = template.distinct - made[2], template.doubled - made[3]
    pairs = template.pairs - made[4]
    for c, p, e, d, w, q, copies, eligible in choices:
        taken = carried + copies
        if c + p > melds or e > eyes or d > distinct or w > doubled or q > pairs:
            continue
        if taken > COPIES and not template.has_fifth:
            continue
        parts = (made[0] + c + p, made[1] + e, made[2] + d, made[3] + w, made[4] + q)
        most = min(eligible + carried_eligible, most_jokers)
        # Copies beyond four must be jokers; at most the eligible copies are.
        for stand_in in range(max(0, taken - COPIES), most + 1):
            yield (*parts, jokers + stand_in, c, one_back), taken - stand_in


def standard_graph(tiles: TileSet, called: int = 0) -> ProofGraph:
    """Build the graph of four melds and an eye, with some melds called.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> graph = standard_graph(FULL)
    >>> graph.num_nodes, len(graph.tails)
    (1466, 3975)
    """
    return proof_graph(standard_template(tiles), tiles, called)


def proof_graph(template: Template, tiles: TileSet, called: int = 0) -> ProofGraph:
    """Build the graph of a template and a number of called melds, without nodes off all paths.

    The number of jokers is part of the states between the kinds, up to ``most_jokers``; the end is
    one node. CertificateError if that takes more than ``MOST_STEPS`` steps.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> rules = get_rules("taiwan")
    >>> proof_graph(rules.forms[0].templates[0], rules.tiles).num_nodes
    2021
    """
    return _small_graph(template, tiles, called) or _large_graph(template, tiles, called)


@lru_cache(maxsize=256)
def _small_graph(template: Template, tiles: TileSet, called: int) -> ProofGraph | None:
    return _build(template, tiles, called, _SMALL)


@lru_cache(maxsize=4)
def _large_graph(template: Template, tiles: TileSet, called: int) -> ProofGraph:
    graph = _build(template, tiles, called, MOST_STEPS)
    if graph is None:
        raise CertificateError(f"its graph takes more than {MOST_STEPS:,} steps to build")
    return graph


@dataclass(slots=True)
class _Layer:
    """The arcs of one kind, between numbered states before and after it."""

    tails: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]
    uses: npt.NDArray[np.int32]


def _build(template: Template, tiles: TileSet, called: int, most: int) -> ProofGraph | None:
    """Build a graph; None if that takes more steps than ``most``."""
    start: State = (called, 0, 0, 0, 0, 0, 0, 0)
    parts = (template.melds, template.eyes, template.distinct, template.doubled, template.pairs)
    states: list[list[State]] = [[start]]
    layers: list[_Layer] = []
    steps = 0
    for kind in range(tiles.num_kinds):
        choices, tried = _choices(template, tiles, kind)
        steps += tried
        reached: dict[State, int] = {}
        tails, heads, uses = array("i"), array("i"), array("i")
        for tail, state in enumerate(states[-1]):
            for after, taken in _moves(state, choices, template):
                tails.append(tail)
                heads.append(reached.setdefault(after, len(reached)))
                uses.append(taken)
            steps += len(choices)
            # Counted while the graph grows: a definition of a few bytes can ask for a graph larger
            # than the memory.
            if steps + len(tails) > most:
                return None
        steps += len(tails)
        states.append(sorted(reached))
        places = np.empty(len(reached), dtype=np.int32)
        places[[reached[state] for state in states[-1]]] = np.arange(len(reached), dtype=np.int32)
        columns = [np.array(column, dtype=np.int32) for column in (tails, heads, uses)]
        layers.append(_Layer(columns[0], places[columns[1]], columns[2]))
    is_end = [state[:5] == parts and not (state[6] or state[7]) for state in states[-1]]
    alive = np.array(is_end, dtype=bool)
    kept: list[npt.NDArray[np.bool_]] = [alive]
    for layer, before_kind in zip(reversed(layers), reversed(states[:-1]), strict=True):
        # Backwards, `alive` are the states of a layer from which the end is reached.
        is_open = alive[layer.heads]
        alive = np.zeros(len(before_kind), dtype=bool)
        alive[layer.tails[is_open]] = True
        kept.append(alive)
    kept.reverse()
    kept[0][:] = True  # the start stays even if the tile set has no complete hand
    return _number(states, layers, kept, has_jokers=template.most_jokers > 0, steps=steps)


def _number(
    states: list[list[State]],
    layers: list[_Layer],
    kept: list[npt.NDArray[np.bool_]],
    *,
    has_jokers: bool,
    steps: int,
) -> ProofGraph:
    """Return the graph of the nodes that are kept, numbered by layer."""
    first = 0
    parts: list[tuple[Integers, ...]] = []
    for kind, layer in enumerate(layers):
        here, there = kept[kind], kept[kind + 1]
        number = first + np.cumsum(here) - 1
        first += int(here.sum())
        is_last = kind == len(layers) - 1
        # Paths that end with different numbers of jokers end in one node, so that one potential is
        # the bound.
        after = np.full(len(there), first) if is_last else first + np.cumsum(there) - 1
        is_open = there[layer.heads]
        tails, heads = layer.tails[is_open], layer.heads[is_open]
        kinds = np.full(len(tails), kind)
        jokers = _jokers(states[kind])[tails], _jokers(states[kind + 1])[heads]
        parts.append((number[tails], after[heads], kinds, layer.uses[is_open], *jokers))
    sizes = (np.int64, np.int64, np.int64, np.int64, np.int8, np.int8)  # wide ones index faster
    columns = [
        np.concatenate(column).astype(size)
        for column, size in zip(zip(*parts, strict=True), sizes, strict=True)
    ]
    return ProofGraph(
        num_nodes=first + 1,
        tails=columns[0],
        heads=columns[1],
        kinds=columns[2],
        uses=columns[3],
        before=columns[4] if has_jokers else None,
        after=columns[5] if has_jokers else None,
        steps=steps,
    )


def _jokers(states: list[State]) -> Integers:
    return np.array([state[5] for state in states], dtype=np.int8)
