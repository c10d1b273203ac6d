"""Many games at once: the decisions of all of them go through one search."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from mjopt.game.engine import step
from mjopt.game.public_state import Phase
from mjopt.game.rules import NUM_SEATS
from mjopt.game.state import State
from mjopt.learning.actions import NUM_CHANNELS, NUM_TYPES, small_of_full, transition_number
from mjopt.learning.config import Configuration
from mjopt.learning.env import current_seat, initial_state
from mjopt.learning.mcts import search
from mjopt.learning.mcts_config import Model, SearchResult, SearchSettings
from mjopt.learning.policy import DecisionBatch, encode_decisions
from mjopt.learning.replay_buffer import Decision, Samples, collect

OFFERED = (Phase.CLAIM, Phase.ROB)

Advance = Callable[[], object]


@dataclass(eq=False, slots=True, kw_only=True)
class Game:
    """A game on its way."""

    number: int
    state: State
    rng: np.random.Generator
    taken: int = 0  # decisions so far
    decisions: list[Decision] = field(default_factory=list)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the four seats; none while it goes on."""
        return (0,) * NUM_SEATS if self.state.outcome is None else self.state.outcome.scores


def _search_decisions(
    model: Model, games: Sequence[Game], config: Configuration, settings: SearchSettings
) -> tuple[DecisionBatch, SearchResult]:
    """Search the decisions that stand in games."""
    rngs = [game.rng for game in games]
    asked = encode_decisions([game.state for game in games], config, rngs)
    return asked, search(model, asked.planes, asked.masks, settings=settings, rng=rngs)


def play_batched(
    games: Iterable[Game], decide: Callable[[Sequence[Game]], Sequence[State]], *, at_once: int
) -> Iterator[Game]:
    """Play games together, so many at once, and yield each in order of its number.

    Others begin as games end; ``decide`` returns the next state of every game it is given.
    """
    waiting = iter(games)
    going: list[Game] = []
    done: dict[int, Game] = {}
    order: list[int] = []
    while True:
        for game in islice(waiting, at_once - len(going)):
            order.append(game.number)
            going.append(game)
        if not going:
            return
        for game, state in zip(going, decide(going), strict=True):
            game.state = state
            game.taken += 1
        done.update((game.number, game) for game in going if game.state.is_over)
        going = [game for game in going if not game.state.is_over]
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
    """Let a model play all seats, and keep every decision with the visits of its search.

    The first moves of a game are drawn by what the search says, later ones are the best it
    found; some answers to a tile on offer are drawn at random.

    Walls and draws are functions of the seed and a game's number, whichever games stand beside it.
    """
    kinds = config.kinds

    def decide(going: Sequence[Game]) -> list[State]:
        asked, found = _search_decisions(model, going, config, settings)
        return [_apply_action(game, asked, found, row, config) for row, game in enumerate(going)]

    begun = (_start_game(config, seed, number) for number in games)
    finished = []
    for game in play_batched(begun, decide, at_once=at_once):
        finished.append((game.number, game.decisions, game.scores))
        if advance is not None:
            advance()
    return collect(finished, kinds=kinds, width=NUM_CHANNELS * kinds)


def _start_game(config: Configuration, seed: int, number: int) -> Game:
    rng = np.random.default_rng([seed, number])
    return Game(number=number, state=initial_state(config, seed, number), rng=rng)


def _apply_action(
    game: Game, asked: DecisionBatch, found: SearchResult, row: int, config: Configuration
) -> State:
    """Make the move of one game, and note the decision."""
    before, number = game.state, int(found.chosen[row])
    moves = asked.moves[row]
    [places] = np.nonzero(found.policy[row])
    if before.table.phase in OFFERED and game.rng.random() < config.sampled_answers:
        number = list(moves)[game.rng.integers(len(moves))]
    elif game.taken < config.sampled_moves:
        worth = np.zeros(NUM_TYPES * config.kinds)
        np.add.at(worth, small_of_full(places, config.kinds), found.policy[row][places])
        number = int(game.rng.choice(len(worth), p=worth / worth.sum()))
    move = moves[number]
    after = step(before, move)
    game.decisions.append(
        Decision(
            planes=asked.planes[row],
            mask=asked.masks[row],
            places=places,
            shares=found.policy[row][places],
            action=transition_number(before, move, after, player_state=config.player_state),
            seat=current_seat(before),
        )
    )
    return after


class MatchResult(NamedTuple):
    """How one model fared against another over walls that both played from all seats."""

    games: int
    wins: int  # hands won by the first
    losses: int  # hands won by the second
    points: int  # of the first, less those of the second

    @property
    def share(self) -> float:
        """Hands that the first won, of all that somebody won; a half if nobody ever did."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5


def meet(
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

    Tiles, and how ties fall, are functions of the seed and the wall.
    """
    models = first, second

    def owner(game: Game, seat: int) -> int:
        return (seat + game.number) % 2  # games of odd numbers have the seats exchanged

    def decide(going: Sequence[Game]) -> list[State]:
        after: dict[int, State] = {}
        for which, model in enumerate(models):
            own = [one for one in going if owner(one, current_seat(one.state)) == which]
            if not own:
                continue
            asked, found = _search_decisions(model, own, config, settings)
            for game, moves, number in zip(own, asked.moves, found.chosen.tolist(), strict=True):
                after[game.number] = step(game.state, moves[number])
        return [after[game.number] for game in going]

    begin = partial(_start_game, config, seed)
    begun = (_with_number(begin(wall), 2 * wall + half) for wall in walls for half in (0, 1))
    won, points = [0, 0], [0, 0]
    for game in play_batched(begun, decide, at_once=at_once):
        outcome = game.state.outcome
        for seat in outcome.winners if outcome else ():
            won[owner(game, seat)] += 1
        for seat, score in enumerate(game.scores):
            points[owner(game, seat)] += score
        if advance is not None:
            advance()
    return MatchResult(2 * len(walls), won[0], won[1], points[0] - points[1])


def _with_number(game: Game, number: int) -> Game:
    game.number = number
    return game
