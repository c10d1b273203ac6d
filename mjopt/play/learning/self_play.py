"""Self-play and matches of many games at once, with one batched search for their decisions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from mjopt.play.game.engine import step
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.game.state import State
from mjopt.play.learning.actions import NUM_CHANNELS, NUM_TYPES, small_of_full, transition_number
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.env import current_seat, initial_state
from mjopt.play.learning.mcts import DecisionBatch, encode_decisions, search
from mjopt.play.learning.mcts_config import Model, SearchResult, SearchSettings
from mjopt.play.learning.replay_buffer import Samples, SearchedDecision, collect

OFFERED = (Phase.CLAIM, Phase.ROB)

Advance = Callable[[], object]


@dataclass(eq=False, slots=True, kw_only=True)
class Game:
    """A running game."""

    number: int
    state: State
    rng: np.random.Generator
    num_decisions: int = 0
    decisions: list[SearchedDecision] = field(default_factory=list)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the four seats; 0 while the game runs."""
        return (0,) * NUM_SEATS if self.state.outcome is None else self.state.outcome.scores


def _search_decisions(
    model: Model, games: Sequence[Game], config: Configuration, settings: SearchSettings
) -> tuple[DecisionBatch, SearchResult]:
    """Search the next decision of every game."""
    rngs = [game.rng for game in games]
    batch = encode_decisions([game.state for game in games], config, rngs)
    return batch, search(model, batch.planes, batch.masks, settings=settings, rng=rngs)


def play_batched(
    games: Iterable[Game], decide: Callable[[Sequence[Game]], Sequence[State]], *, at_once: int
) -> Iterator[Game]:
    """Play games together and yield each in the order given.

    At most ``at_once`` games run together; a new one starts when one ends. ``decide`` returns the
    next state of every game.
    """
    waiting = iter(games)
    running: list[Game] = []
    done: dict[int, Game] = {}
    order: list[int] = []
    while True:
        for game in islice(waiting, at_once - len(running)):
            order.append(game.number)
            running.append(game)
        if not running:
            return
        for game, state in zip(running, decide(running), strict=True):
            game.state = state
            game.num_decisions += 1
        done.update((game.number, game) for game in running if game.state.is_over)
        running = [game for game in running if not game.state.is_over]
        while order and order[0] in done:
            yield done.pop(order.pop(0))


def self_play(
    model: Model,
    config: Configuration,
    games: Sequence[int],
    *,
    seed: int,
    settings: SearchSettings,
    at_once: int = 64,
    advance: Advance | None = None,
) -> Samples:
    """Let a model play all seats; return every decision with the policy of its search.

    The first moves of a game are sampled from the policy, later ones are the best of the search;
    some answers to a discard are uniformly random.

    A game depends only on the seed and its number, not on the other games.
    """
    kinds = config.kinds

    def decide(running: Sequence[Game]) -> list[State]:
        batch, result = _search_decisions(model, running, config, settings)
        return [_apply_action(game, batch, result, row, config) for row, game in enumerate(running)]

    started = (_start_game(config, seed, number) for number in games)
    finished = []
    for game in play_batched(started, decide, at_once=at_once):
        finished.append((game.number, game.decisions, game.scores))
        if advance is not None:
            advance()
    return collect(finished, kinds=kinds, width=NUM_CHANNELS * kinds)


def _start_game(config: Configuration, seed: int, number: int) -> Game:
    rng = np.random.default_rng([seed, number])
    return Game(number=number, state=initial_state(config, seed, number), rng=rng)


def _apply_action(
    game: Game, batch: DecisionBatch, result: SearchResult, row: int, config: Configuration
) -> State:
    """Apply the chosen action of one game and record the decision."""
    before, number = game.state, int(result.chosen[row])
    moves = batch.moves[row]
    [places] = np.nonzero(result.policy[row])
    if before.table.phase in OFFERED and game.rng.random() < config.sampled_answers:
        number = list(moves)[game.rng.integers(len(moves))]
    elif game.num_decisions < config.sampled_moves:
        worth = np.zeros(NUM_TYPES * config.kinds)
        np.add.at(worth, small_of_full(places, config.kinds), result.policy[row][places])
        number = int(game.rng.choice(len(worth), p=worth / worth.sum()))
    move = moves[number]
    after = step(before, move)
    game.decisions.append(
        SearchedDecision(
            planes=batch.planes[row],
            mask=batch.masks[row],
            places=places,
            shares=result.policy[row][places],
            action=transition_number(before, move, after, player_state=config.player_state),
            seat=current_seat(before),
        )
    )
    return after


class MatchResult(NamedTuple):
    """Result of a match of two models on duplicate walls."""

    games: int
    wins: int  # hands won by the first model
    losses: int  # hands won by the second
    points: int  # of the first less those of the second

    @property
    def share(self) -> float:
        """Share of the won hands that the first model won; 0.5 if no hand was won."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5


def play_match(
    first: Model,
    second: Model,
    config: Configuration,
    walls: Sequence[int],
    *,
    seed: int,
    settings: SearchSettings,
    at_once: int = 64,
    advance: Advance | None = None,
) -> MatchResult:
    """Let two models play the same walls, two seats each, then with the seats exchanged.

    Tiles and tie breaks are functions of the seed and the wall.
    """
    models = first, second

    def owner(game: Game, seat: int) -> int:
        return (seat + game.number) % 2  # games of odd numbers have the seats exchanged

    def decide(running: Sequence[Game]) -> list[State]:
        after: dict[int, State] = {}
        for which, model in enumerate(models):
            own = [game for game in running if owner(game, current_seat(game.state)) == which]
            if not own:
                continue
            batch, result = _search_decisions(model, own, config, settings)
            for game, moves, number in zip(own, batch.moves, result.chosen.tolist(), strict=True):
                after[game.number] = step(game.state, moves[number])
        return [after[game.number] for game in running]

    games = (
        replace(_start_game(config, seed, wall), number=2 * wall + half)
        for wall in walls
        for half in (0, 1)
    )
    won, points = [0, 0], [0, 0]
    for game in play_batched(games, decide, at_once=at_once):
        outcome = game.state.outcome
        for seat in outcome.winners if outcome else ():
            won[owner(game, seat)] += 1
        for seat, score in enumerate(game.scores):
            points[owner(game, seat)] += score
        if advance is not None:
            advance()
    return MatchResult(2 * len(walls), won[0], won[1], points[0] - points[1])
