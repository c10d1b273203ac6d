"""Tree search of Ouyang and Zhou (2023) for a batch of games.

Every simulation adds one leaf to every tree, and all leaves go through the network together. Since
no two threads search the same tree, no virtual loss is needed.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect_all
from mjopt.errors import ArgumentError
from mjopt.play.game.engine import step
from mjopt.play.game.moves import Move
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import State
from mjopt.play.learning._mcts_kernels import NONE
from mjopt.play.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    action_mask,
    change_of,
    legal_actions,
    transition_number,
)
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.env import current_seat
from mjopt.play.learning.mcts_config import (
    Bools,
    Floats,
    Integers,
    Model,
    SearchResult,
    SearchSettings,
    Streams,
    spawn_rngs,
)
from mjopt.play.learning.mcts_tree import Edges, SearchTrees, add_noise, check_masks, legal_priors
from mjopt.play.learning.planes import Planes, encode_masked
from mjopt.play.learning.root_policies import make_root

Encode = Callable[[State, int, np.random.Generator], NDArray[np.uint8]]
EvaluateLeaves = Callable[[SearchTrees, int, Integers], tuple[Integers, Floats, Bools]]
"""Returns for new leaves the players, the values, and whether the game is over."""


def search(
    model: Model, planes: NDArray[np.uint8], masks: Bools, *, settings: SearchSettings, rng: Streams
) -> SearchResult:
    """Search one decision of every game with the states of the learned model.

    The planes of the roots, ``(B, planes, K)``, include hidden tiles; the legal moves are masks of
    small numbers, ``(B, 10 K)``. Below the root every action is allowed: the model has to learn
    which are possible. A single generator is spawned into one for each game, so that games do not
    depend on each other.

    Raises ArgumentError if a game has no legal move, or an output of the network is not finite.

    Examples
    --------
    >>> class Uniform:  # equal priors
    ...     def start(self, planes):
    ...         rows = len(planes)
    ...         return np.zeros((rows, 1)), np.full((rows, 1485), 1 / 1485), np.zeros((rows, 4))
    ...     def follow(self, hidden, numbers):
    ...         return self.start(hidden)
    >>> masks = np.zeros((2, 270), bool)
    >>> masks[0, [3, 5]] = masks[1, 258] = True
    >>> result = search(Uniform(), np.zeros((2, 118, 27), np.uint8), masks,
    ...     settings=SearchSettings(simulations=32), rng=np.random.default_rng(1))
    >>> result.small_visits[0, [3, 5]].tolist(), result.chosen[1].tolist()
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

    def evaluate(
        trees: SearchTrees, number: int, leaves: Integers
    ) -> tuple[Integers, Floats, Bools]:
        above, numbers = leaves[:, 0], leaves[:, 1]
        memory[number], trees.priors[:, number], new = model.follow(memory[above, rows], numbers)
        return (trees.place[rows, above] + changes[numbers]) % NUM_SEATS, new, ends

    visits, policy, means, chosen = _run_simulations(
        opened, values, masks, edges, settings, streams, evaluate
    )
    return SearchResult(visits, edges.sum_by_action(visits), policy, means, chosen)


def _run_simulations(
    priors: NDArray[np.float64],
    values: Floats,
    masks: Bools,
    edges: Edges,
    settings: SearchSettings,
    streams: Sequence[np.random.Generator],
    evaluate: EvaluateLeaves,
) -> tuple[NDArray[np.int32], Floats, Floats, Integers]:
    """Run all simulations; return visits of root edges, policies, values and chosen moves."""
    opened = add_noise(priors, masks, edges, settings, streams)
    trees = SearchTrees(opened, values, settings.simulations + 1)
    root = make_root(opened, values, masks, edges, settings, streams)
    for number in range(1, settings.simulations + 1):
        leaves = trees.select(root.next_edges(), settings.exploration)
        trees.grow(number, leaves, *evaluate(trees, number, leaves))
        root.update(trees.gained[:, 0])
    visits, means = trees.root_visits(), trees.sums / (1 + settings.simulations)
    if not np.isfinite(means).all():
        raise ArgumentError("the network's values are not finite")
    policy, chosen = root.policy(visits)
    return visits, policy.astype(np.float32), means.astype(np.float32), chosen


def search_states(
    model: Model,
    states: Sequence[State],
    *,
    encode: "Encode",
    settings: SearchSettings,
    rng: Streams,
    declare: str = "never",
) -> SearchResult:
    """Search one decision of every game with the engine's states.

    The simulator-based variant of :func:`search` (section 4.2 of the article): the network
    evaluates every state, only legal moves are tried, and the values of a finished game are its
    points.

    ``encode`` returns the planes of a state from a seat, with the generator of its game;
    ``declare`` is ``auto`` if a discard declares ready where it can, else ``never``. All games
    have the same tile kinds.

    Raises ArgumentError if a game is over, or its wall is unordered.

    Examples
    --------
    >>> from mjopt.play.learning import SearchSettings, toy_state
    >>> settings, rng = SearchSettings(simulations=2), np.random.default_rng(1)
    >>> search_states(None, [], encode=None, settings=settings, rng=rng)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: no states to search
    """
    states = expect_all(states, State, "states")
    if any(state.is_over or state.unordered for state in states):
        raise ArgumentError("a search of states needs unfinished games with ordered walls")
    if not states:
        raise ArgumentError("no states to search")
    edges = Edges(states[0].table.rules.tiles.num_kinds, False)
    streams, games = spawn_rngs(rng, len(states)), [[state] for state in states]
    seats = [state.pending[0][0] for state in states]
    priors, values, masks = _evaluate(model, states, encode, edges, declare, streams)

    def evaluate(
        trees: SearchTrees, number: int, leaves: Integers
    ) -> tuple[Integers, Floats, Bools]:
        places, ends = np.zeros(len(states), np.int64), np.zeros(len(states), np.bool_)
        new_values = np.zeros((len(states), NUM_SEATS), np.float32)
        for game, (above, action, leaf) in enumerate(leaves.tolist()):
            if leaf != NONE:
                state = games[game][leaf]
            else:
                before = games[game][above]
                state = step(before, legal_actions(before, declare)[action])
            games[game].append(state)
            if state.is_over:
                new_values[game], ends[game] = _final_values(state, seats[game]), True
            else:
                places[game] = (state.pending[0][0] - seats[game]) % NUM_SEATS
        if fresh := np.flatnonzero(~ends).tolist():
            new, rngs = zip(*((games[game][number], streams[game]) for game in fresh), strict=True)
            evaluated = _evaluate(model, new, encode, edges, declare, rngs)
            trees.priors[fresh, number], new_values[fresh], _ = evaluated
        return places, new_values, ends

    small, policy, means, chosen = _run_simulations(
        priors, values, masks, edges, settings, streams, evaluate
    )
    full = np.array([_full_numbers(state, edges, declare) for state in states])
    visits = np.zeros((len(states), NUM_CHANNELS * edges.kinds + 1), np.int32)
    shares = np.zeros(visits.shape, np.float32)
    rows = np.arange(len(states))[:, None]
    visits[rows, full], shares[rows, full] = small, policy
    return SearchResult(visits[:, :-1], small, shares[:, :-1], means, chosen)


def _evaluate(
    model: Model,
    states: Sequence[State],
    encode: Encode,
    edges: Edges,
    declare: str,
    streams: Sequence[np.random.Generator],
) -> tuple[NDArray[np.float64], Floats, Bools]:
    """Return priors by move (CLOSED where illegal), values and legal moves of states."""
    seen = zip(states, streams, strict=True)
    planes = np.stack([encode(state, state.pending[0][0], rng) for state, rng in seen])
    _, priors, values = model.start(planes)
    masks = np.stack([action_mask(legal_actions(state, declare), edges.kinds) for state in states])
    sum_by_action = Edges(edges.kinds, True).sum_by_action(np.asarray(priors, np.float64))
    return legal_priors(sum_by_action, masks, edges), values, masks


def _final_values(state: State, seat: int) -> list[float]:
    """Return the signs of all final points, in turn order from a seat."""
    points = [] if state.outcome is None else state.outcome.scores
    return [float(np.sign(points[(seat + i) % NUM_SEATS])) for i in range(NUM_SEATS)]


def _full_numbers(state: State, edges: Edges, declare: str) -> Integers:
    """Return the full number of each legal small number; all others get one number more."""
    full = np.full(NUM_TYPES * edges.kinds, NUM_CHANNELS * edges.kinds)
    for small, move in legal_actions(state, declare).items():
        full[small] = transition_number(state, move, step(state, move))
    return full


class DecisionBatch(NamedTuple):
    """One decision in each of B games."""

    planes: Planes  # (B, P, kinds)
    masks: Bools  # (B, 10 kinds)
    moves: list[dict[int, Move]]  # legal moves by small number


def encode_decisions(
    states: Sequence[State], config: Configuration, rngs: Sequence[np.random.Generator]
) -> DecisionBatch:
    """Encode the next decision of each state, with one generator for each."""
    moves = [legal_actions(state, config.declare) for state in states]
    planes = [
        encode_masked(state, current_seat(state), config, rng)
        for state, rng in zip(states, rngs, strict=True)
    ]
    masks = [action_mask(numbers, config.kinds) for numbers in moves]
    return DecisionBatch(np.stack(planes), np.stack(masks), moves)


def search_actions(
    model: Model,
    states: Sequence[State],
    config: Configuration,
    *,
    settings: SearchSettings,
    rngs: Sequence[np.random.Generator],
    is_real: bool,
) -> Integers:
    """Search every state; return the chosen actions as small numbers, shape ``(B,)``.

    With ``is_real`` the search expands states of the engine instead of learned ones.
    """
    if not is_real:
        batch = encode_decisions(states, config, rngs)
        return search(model, batch.planes, batch.masks, settings=settings, rng=rngs).chosen
    return search_states(
        model,
        states,
        encode=lambda state, seat, rng: encode_masked(state, seat, config, rng),
        settings=settings,
        rng=rngs,
        declare=config.declare,
    ).chosen
