"""Held-out decisions: what exact agents do in games that nothing is trained on."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from mjopt.game.moves import Action, Move
from mjopt.game.state import State
from mjopt.game.stepping import legal_moves, step
from mjopt.game.view import view_of
from mjopt.game.wall import agent_stream
from mjopt.learning.actions import legal_numbers, small_number
from mjopt.learning.beginning import first_state
from mjopt.learning.checkpoints import Progress
from mjopt.learning.configuration import Configuration
from mjopt.learning.imitation import Teacher
from mjopt.runtime.journal import Journal
from mjopt.runtime.pool import in_order

SEED: Final = 1 << 32
"""Of the walls; a training is refused seeds from here on."""

EXACT: Final = ("draws", "deficiency")
"""Who play, two seats each, and whose answers are the right ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What exact agents say of a state.

    Parameters
    ----------
    place
        How many moves of the game came before.
    answers
        Of each exact agent the small number it chooses, then those that it holds to be as good:
        discards alone are compared so.
    kinds, left, draws
        What may be discarded, the deficiency that is left then, and the exact expected number
        of draws; empty where nothing can be.
    """

    place: int
    answers: dict[str, list[int]]
    kinds: list[int]
    left: list[int]
    draws: list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game, its moves by small number, and the decisions in it that leave a choice."""

    number: int
    moves: list[int]
    decisions: list[Decision]

    @classmethod
    def from_text(cls, text: bytes) -> "PlayedGame":
        """Read what :func:`play_game` returned."""
        data = json.loads(text)
        return cls(**data | {"decisions": [Decision(**one) for one in data["decisions"]]})


@dataclass(frozen=True, kw_only=True)
class HeldOut:
    """Decisions in the order of their games, the first third for validation."""

    config: Configuration
    games: Sequence[PlayedGame]
    number: int

    @cached_property
    def decisions(self) -> list[Decision]:
        """Return all of them."""
        return [one for game in self.games for one in game.decisions][: self.number]

    def span(self, part: str, most: int | None = None) -> range:
        """Return the places of ``validation`` or of ``test``, perhaps only the first of them."""
        third = self.number // 3
        first, stop = (0, third) if part == "validation" else (third, self.number)
        return range(first, stop if most is None else min(stop, first + most))

    def states(self, span: range) -> Iterator[State]:
        """Play the games again, and yield the state of each decision."""
        place = 0
        for game in self.games:
            stop = place + len(game.decisions)
            if place < span.stop and stop > span.start:
                asked = {one.place: place + i for i, one in enumerate(game.decisions)}
                state = first_state(self.config, SEED, game.number)
                for number, move in enumerate(game.moves):
                    if asked.get(number, -1) in span:
                        yield state
                    state = step(state, moves_of(state, self.config)[move])
            place = stop


def moves_of(state: State, config: Configuration) -> dict[int, Move]:
    """Return what the seat that is asked may do, by small number."""
    return legal_numbers(
        legal_moves(state),
        tile=state.table.tile,
        drawn=state.drawn,
        kinds=config.kinds,
        declare=config.declare,
    )


def hold_out(
    path: Path, config: Configuration, number: int, *, jobs: int = 1, progress: Progress
) -> HeldOut:
    """Return held-out decisions; those that the file does not hold yet are made.

    Parameters
    ----------
    path
        A journal, to which games are added until there are enough decisions.
    config
        Rules, and how games begin.
    number
        How many decisions.
    jobs
        Processes; they change nothing but the time.
    progress
        Is told of decisions.
    """
    settings = {"format": 1, "seed": SEED, "players": EXACT, **rules_of(config)}
    with Journal(path, settings) as journal:
        games = [PlayedGame.from_text(record) for record in journal]
        done = sum(len(game.decisions) for game in games)
        progress.begin(number)
        progress.advance(min(done, number))
        work = partial(play_game, config=config)
        with closing(in_order(work, count(len(games)), jobs=jobs, kept=True)) as played:  # type: ignore[type-var]
            while done < number:
                journal.append(text := next(played))
                games.append(PlayedGame.from_text(text))
                done += len(games[-1].decisions)
                progress.advance(len(games[-1].decisions))
    return HeldOut(config=config, games=games, number=number)


def rules_of(config: Configuration) -> dict[str, str]:
    """Return what of a configuration held-out games depend on."""
    return {"rules": config.rules, "game": config.game, "declare": config.declare}


def play_game(number: int, config: Configuration) -> bytes:
    """Play a held-out game, each seat an exact agent, and return it as JSON."""
    teachers = [Teacher.read(name) for name in EXACT]
    state, played, decisions = first_state(config, SEED, number), [], []
    rngs = [agent_stream(SEED, number, seat) for seat in range(4)]
    while (seat := state.to_move) is not None:
        view, legal, moves = view_of(state, seat), legal_moves(state), moves_of(state, config)
        told = {"tile": state.table.tile, "drawn": state.drawn, "kinds": config.kinds}
        found = [teacher.choose(view, legal, rng=rngs[seat]) for teacher in teachers]
        if len(moves) > 1:
            kinds = [move.kind for move in legal if move.action is Action.DISCARD]
            rated = [
                one.agent.rate_discards(view, view.hand, view.called, kinds, rngs[seat])
                for one in teachers
                if kinds
            ]
            draws, left = ([one[kind][0] for kind in kinds] for one in rated or [{}, {}])
            answers = {
                teacher.name: [small_number(one, **told) for one in (move, *good)]
                for teacher, (move, good) in zip(teachers, found, strict=True)
            }
            decisions.append(
                {
                    "place": len(played),
                    "answers": answers,
                    "kinds": kinds,
                    "left": [int(one) for one in left],
                    "draws": draws,
                }
            )
        move, _ = found[(seat + number) % 2]
        played.append(small_number(move, **told))
        state = step(state, move)
    document: dict[str, Any] = {"number": number, "moves": played, "decisions": decisions}
    return json.dumps(document).encode()
