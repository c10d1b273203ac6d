"""Tree search of Ouyang and Zhou (2023) for many games at once, each tree on its own.

Every simulation adds one leaf to every tree, and all leaves go through the network together.
So the network is as busy as several threads in one tree would keep it, and nobody has to be
kept away from a leaf that another is at: that is what virtual loss is for; there is none here.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import LearningError
from mjopt.game.engine import step
from mjopt.game.rules import NUM_SEATS
from mjopt.game.state import State
from mjopt.learning._mcts_kernels import NONE
from mjopt.learning.action_edges import Edges, add_noise, check_masks, legal_priors
from mjopt.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    action_mask,
    change_of,
    legal_actions,
    transition_number,
)
from mjopt.learning.mcts_config import (
    Bools,
    Floats,
    Integers,
    Model,
    SearchResult,
    SearchSettings,
    Streams,
    spawn_rngs,
)
from mjopt.learning.mcts_tree import Trees
from mjopt.learning.root_policies import make_root

Encode = Callable[[State, int, np.random.Generator], NDArray[np.uint8]]
Look = Callable[[Trees, int, Integers], tuple[Integers, Floats, Bools]]
"""Returns of new leaves the players, the values, and whether the game is over there."""


def search(
    model: Model, planes: NDArray[np.uint8], masks: Bools, *, settings: SearchSettings, rng: Streams
) -> SearchResult:
    """Search one decision of every game, with the states that the network thinks of.

    Raises LearningError if a game has no legal move, or the network answers with what is no number.

    The planes of each root, ``(B, planes, K)``, show all hidden tiles too; its legal moves are a
    mask of small numbers, ``(B, 10 K)``. Inside the tree every action is open: the network must
    know by itself what may happen. Of one generator each game gets a child, so that a game's
    numbers do not depend on the others.

    Examples
    --------
    >>> class Even:  # knows nothing
    ...     def start(self, planes):
    ...         some = len(planes)
    ...         return np.zeros((some, 1)), np.full((some, 1485), 1 / 1485), np.zeros((some, 4))
    ...     def follow(self, hidden, numbers):
    ...         return self.start(hidden)
    >>> masks = np.zeros((2, 270), bool)
    >>> masks[0, [3, 5]] = masks[1, 258] = True
    >>> found = search(Even(), np.zeros((2, 118, 27), np.uint8), masks,
    ...     settings=SearchSettings(simulations=32), rng=np.random.default_rng(1))
    >>> found.small_visits[0, [3, 5]].tolist(), found.chosen[1].tolist()
    ([16, 16], 258)
    """
    check_masks(masks)
    games, kinds = len(masks), masks.shape[1] // NUM_TYPES
    streams, edges = spawn_rngs(rng, games), Edges(kinds, True)
    hidden, priors, values = model.start(planes)
    opened = legal_priors(priors, masks, edges)
    memory = np.empty((settings.simulations + 1, *hidden.shape), hidden.dtype)
    memory[0] = hidden
    rows, ends = np.arange(games), np.zeros(games, np.bool_)
    changes = change_of(np.arange(NUM_CHANNELS * kinds), kinds)

    def look(trees: Trees, number: int, leaves: Integers) -> tuple[Integers, Floats, Bools]:
        above, numbers = leaves[:, 0], leaves[:, 1]
        memory[number], trees.priors[:, number], found = model.follow(memory[above, rows], numbers)
        return (trees.place[rows, above] + changes[numbers]) % NUM_SEATS, found, ends

    visits, policy, means, chosen = _run_simulations(
        opened, values, masks, edges, settings, streams, look
    )
    return SearchResult(visits, edges.sum_by_action(visits), policy, means, chosen)


def _run_simulations(
    priors: NDArray[np.float64],
    values: Floats,
    masks: Bools,
    edges: Edges,
    settings: SearchSettings,
    streams: Sequence[np.random.Generator],
    look: Look,
) -> tuple[NDArray[np.int32], Floats, Floats, Integers]:
    """Grow trees, and return the visits of their edges, the policy, the values and the moves."""
    opened = add_noise(priors, masks, edges, settings, streams)
    trees = Trees(opened, values, settings.simulations + 1)
    root = make_root(opened, values, masks, edges, settings, streams)
    for number in range(1, settings.simulations + 1):
        leaves = trees.select(root.forced(), settings.exploration)
        trees.grow(number, leaves, *look(trees, number, leaves))
        root.hear(trees.gained[:, 0])
    visits, means = trees.root_visits(), trees.sums / (1 + settings.simulations)
    if not np.isfinite(means).all():
        raise LearningError("the network's values are no numbers")
    policy, chosen = root.policy(visits)
    return visits, policy.astype(np.float32), means.astype(np.float32), chosen


def search_states(
    model: Model,
    states: Sequence[State],
    *,
    encode: Encode,
    settings: SearchSettings,
    rng: Streams,
    declare: str = "never",
) -> SearchResult:
    """Search one decision of every game, with the states that really come of the moves.

    The twin of :func:`search` (section 4.2 of the article): the same network looks at every
    state anew, only legal moves are tried, and a game that is over is worth its points.

    A state shows what ``encode`` says, from a seat, with the numbers of its game where it draws
    any; ``declare`` is whether a discard declares ready where it may, ``never`` or ``auto``. All
    have the same kinds.

    Raises LearningError if a game is over, or its wall has no order.
    """
    if any(state.is_over or state.unordered for state in states):
        raise LearningError("a search of states needs games that are not over, and walls in order")
    if not states:
        raise LearningError("no states to search")
    edges = Edges(states[0].table.rules.tiles.num_kinds, False)
    streams, games = spawn_rngs(rng, len(states)), [[state] for state in states]
    seats = [state.pending[0][0] for state in states]
    priors, values, masks = _look(model, states, encode, edges, declare, streams)

    def look(trees: Trees, number: int, leaves: Integers) -> tuple[Integers, Floats, Bools]:
        places, ends = np.zeros(len(states), np.int64), np.zeros(len(states), np.bool_)
        found = np.zeros((len(states), NUM_SEATS), np.float32)
        for game, (above, action, leaf) in enumerate(leaves.tolist()):
            if leaf != NONE:
                state = games[game][leaf]
            else:
                before = games[game][above]
                state = step(before, legal_actions(before, declare)[action])
            games[game].append(state)
            if state.is_over:
                found[game], ends[game] = _final_values(state, seats[game]), True
            else:
                places[game] = (state.pending[0][0] - seats[game]) % NUM_SEATS
        if fresh := np.flatnonzero(~ends).tolist():
            new, rngs = zip(*((games[game][number], streams[game]) for game in fresh), strict=True)
            told = _look(model, new, encode, edges, declare, rngs)
            trees.priors[fresh, number], found[fresh], _ = told
        return places, found, ends

    small, policy, means, chosen = _run_simulations(
        priors, values, masks, edges, settings, streams, look
    )
    full = np.array([_full_numbers(state, edges, declare) for state in states])
    visits = np.zeros((len(states), NUM_CHANNELS * edges.kinds + 1), np.int32)
    shares = np.zeros(visits.shape, np.float32)
    rows = np.arange(len(states))[:, None]
    visits[rows, full], shares[rows, full] = small, policy
    return SearchResult(visits[:, :-1], small, shares[:, :-1], means, chosen)


def _look(
    model: Model,
    states: Sequence[State],
    encode: Encode,
    edges: Edges,
    declare: str,
    streams: Sequence[np.random.Generator],
) -> tuple[NDArray[np.float64], Floats, Bools]:
    """Return priors by move, closed where illegal, values and legal moves of states."""
    seen = zip(states, streams, strict=True)
    planes = np.stack([encode(state, state.pending[0][0], rng) for state, rng in seen])
    _, priors, values = model.start(planes)
    masks = np.stack([action_mask(legal_actions(state, declare), edges.kinds) for state in states])
    sum_by_action = Edges(edges.kinds, True).sum_by_action(np.asarray(priors, np.float64))
    return legal_priors(sum_by_action, masks, edges), values, masks


def _final_values(state: State, seat: int) -> list[float]:
    """Return the sign of everybody's points at the end, in turn order from a seat."""
    points = [] if state.outcome is None else state.outcome.scores
    return [float(np.sign(points[(seat + i) % NUM_SEATS])) for i in range(NUM_SEATS)]


def _full_numbers(state: State, edges: Edges, declare: str) -> Integers:
    """Return by small number what really comes of the moves; of all others one number more."""
    full = np.full(NUM_TYPES * edges.kinds, NUM_CHANNELS * edges.kinds)
    for small, move in legal_actions(state, declare).items():
        full[small] = transition_number(state, move, step(state, move))
    return full
