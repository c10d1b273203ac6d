"""Held-out decisions: what exact agents do in games that nothing is trained on."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from mjopt._internal.journal import Journal
from mjopt._internal.pool import in_order
from mjopt._internal.progress import Watcher
from mjopt.game.moves import Action
from mjopt.game.observation import view_of
from mjopt.game.state import State
from mjopt.game.stepping import legal_moves, step
from mjopt.game.wall import agent_stream
from mjopt.learning.actions import moves_of, number_of
from mjopt.learning.config import Configuration
from mjopt.learning.env import first_state
from mjopt.learning.imitation import Teacher

SEED: Final = 1 << 32
"""Of the walls; seeds of trainings are below."""
EXACT: Final = ("draws", "deficiency")
"""Who play, two seats each, and whose answers are the right ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What exact agents say of a state."""

    # `game`, `place`: the number of its game, and how many moves of it came before
    game: int
    place: int
    # of each exact agent the small number it chooses, then those that it holds to be as good:
    # discards alone are compared so
    answers: dict[str, list[int]]
    # `kinds`, `left`, `draws`: what may be discarded, the deficiency that is left then, and the
    # exact expected number of draws; empty where nothing can be
    kinds: list[int]
    left: list[int]
    draws: list[float]


class HeldOut:
    """Decisions in the order of their games, the first third for validation.

    So many decisions count of the games that :func:`play_game` returned.
    """

    def __init__(self, config: Configuration, games: list[bytes], number: int) -> None:
        self.config, self.number = config, number
        self._games: list[tuple[int, list[int], range]] = []
        self.decisions: list[Decision] = []
        for number_, moves, found in map(json.loads, games):
            first = len(self.decisions)
            self.decisions += [Decision(game=number_, **one) for one in found]
            self._games.append((number_, moves, range(first, len(self.decisions))))

    def span(self, part: str, most: int | None = None) -> range:
        """Return the places of ``validation`` or of ``test``, perhaps only the first of them."""
        third = self.number // 3
        first, stop = (0, third) if part == "validation" else (third, self.number)
        return range(first, stop if most is None else min(stop, first + most))

    def states(self, span: range) -> Iterator[State]:
        """Play the games again, and yield the state of each decision."""
        for number, moves, places in self._games:
            wanted = {self.decisions[one].place for one in places if one in span}
            if wanted:
                state = first_state(self.config, SEED, number)
                for place, move in enumerate(moves):
                    if place in wanted:
                        yield state
                    state = step(state, moves_of(state, self.config.declare)[move])


def rules_of(config: Configuration) -> dict[str, str]:
    """Return what of a configuration held-out games depend on."""
    return {"rules": config.rules, "game": config.game, "declare": config.declare}


def hold_out(
    path: Path, config: Configuration, number: int, *, jobs: int = 1, progress: Watcher
) -> HeldOut:
    """Return held-out decisions; those that the journal does not hold yet are added to it."""
    settings = {"format": 1, "seed": SEED, "players": EXACT, **rules_of(config)}
    progress.begin(number, "decisions")
    with Journal(path, settings) as journal:
        games, done = list(journal), 0
        for new in map(_num_decisions, games):
            done += new
            progress.advance(new)
        work = partial(play_game, config=config)
        played: Any = in_order(work, count(len(games)), jobs=jobs, kept=True)
        with closing(played):
            while done < number:
                games.append(next(played))
                journal.append(games[-1])
                done += (new := _num_decisions(games[-1]))
                progress.advance(new)
    return HeldOut(config, games, number)


def _num_decisions(game: bytes) -> int:
    return len(json.loads(game)[2])


def play_game(number: int, config: Configuration) -> bytes:
    """Return a game between exact agents as JSON: its number, its moves, what was decided."""
    teachers = [Teacher.read(name) for name in EXACT]
    rngs = [agent_stream(SEED, number, seat) for seat in range(4)]
    state = first_state(config, SEED, number)
    played: list[int] = []
    decisions: list[dict[str, Any]] = []
    while (seat := state.to_move) is not None:
        view, legal, rng = view_of(state, seat), legal_moves(state), rngs[seat]
        found = [teacher.choose(view, legal, rng=rng) for teacher in teachers]
        if len(moves_of(state, config.declare)) > 1:
            kinds = [move.kind for move in legal if move.action is Action.DISCARD]
            rated = [
                one.agent.rate_discards(view, view.hand, view.called, kinds, rng) if kinds else {}
                for one in teachers
            ]
            draws, left = ([one[kind][0] for kind in kinds] for one in rated)
            answers = {
                name: [number_of(one, state) for one in (move, *good)]
                for name, (move, good) in zip(EXACT, found, strict=True)
            }
            decisions.append(
                {"place": len(played), "answers": answers, "kinds": kinds}
                | {"left": [int(one) for one in left], "draws": draws}
            )
        move, _ = found[(seat + number) % 2]
        played.append(number_of(move, state))
        state = step(state, move)
    return json.dumps([number, played, decisions]).encode()
