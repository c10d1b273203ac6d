"""Held-out decisions: positions of games between exact agents, with the exact answers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mjopt.play.game.engine import legal_moves, step
from mjopt.play.game.moves import Action
from mjopt.play.game.observation import view_of
from mjopt.play.game.state import State
from mjopt.play.game.wall import agent_stream
from mjopt.play.learning.actions import action_number, legal_actions
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.env import initial_state
from mjopt.play.learning.imitation import Teacher

SEED = 1 << 32  # of the walls; trainings have smaller seeds
EXACT = ("draws", "deficiency")  # two seats each; their answers are the ground truth


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One position with the answers of the exact agents."""

    game: int
    position: int  # number of moves before it
    # by exact agent: its action, then the discards that it rates as equal
    answers: dict[str, list[int]]
    # each legal discard, the deficiency after it and the exact expected number of draws
    discards: list[int]
    deficiencies: list[int]
    expected_draws: list[float]


class HeldOutDataset:
    """Decisions in the order of their games; the first third is for validation."""

    def __init__(self, config: Configuration, games: list[dict[str, Any]], size: int) -> None:
        self.config, self._games = config, games
        decisions = [
            Decision(game=game["game"], **one) for game in games for one in game["decisions"]
        ]
        self.decisions = decisions[:size]

    @classmethod
    def open(cls, path: Path, config: Configuration, size: int) -> "HeldOutDataset":
        """Read the games in a file; if it holds too few decisions, play more and rewrite it."""
        lines = path.read_text().splitlines() if path.exists() else []
        header = json.dumps(game_settings(config))
        if lines and lines[0] != header:
            raise SystemExit(f"{path}: games of other settings, expected {header}")
        games = [json.loads(line) for line in lines[1:]]
        num_decisions = sum(len(game["decisions"]) for game in games)
        if num_decisions < size:
            while num_decisions < size:
                games.append(play_game(len(games), config))
                num_decisions += len(games[-1]["decisions"])
            temporary = path.with_suffix(".tmp")
            temporary.write_text("\n".join([header, *map(json.dumps, games)]) + "\n")
            temporary.replace(path)
        return cls(config, games, size)

    def indices(self, part: str) -> range:
        """Return the indices of the decisions of ``validation`` or ``test``."""
        third = len(self.decisions) // 3
        return range(third) if part == "validation" else range(third, len(self.decisions))

    def states(self, indices: range) -> Iterator[State]:
        """Replay the games, and yield the state of each decision."""
        wanted = {(one.game, one.position) for one in self.decisions[indices.start : indices.stop]}
        for game in self._games:
            if not any(number == game["game"] for number, _ in wanted):
                continue
            state = initial_state(self.config, SEED, game["game"])
            for position, action in enumerate(game["actions"]):
                if (game["game"], position) in wanted:
                    yield state
                state = step(state, legal_actions(state, self.config.declare)[action])


def game_settings(config: Configuration) -> dict[str, str]:
    """Return the fields of a configuration that held-out games depend on."""
    return {"rules": config.rules, "game": config.game, "declare": config.declare}


def play_game(number: int, config: Configuration) -> dict[str, Any]:
    """Play one game between exact agents: its actions, and every decision with its answers."""
    agents = [Teacher.from_text(name) for name in EXACT]
    rngs = [agent_stream(SEED, number, seat) for seat in range(4)]
    state = initial_state(config, SEED, number)
    actions: list[int] = []
    decisions: list[dict[str, Any]] = []
    while (seat := state.to_move) is not None:
        view, moves, rng = view_of(state, seat), legal_moves(state), rngs[seat]
        choices = [agent.choose_with_ties(view, moves, rng=rng) for agent in agents]
        if len(legal_actions(state, config.declare)) > 1:
            discards = [move.kind for move in moves if move.action is Action.DISCARD]
            draws, deficiencies = (
                agent.agent.rate_discards(view, view.hand, view.called, discards, rng)
                if discards
                else {}
                for agent in agents
            )
            decisions.append(
                {
                    "position": len(actions),
                    "answers": {
                        name: [action_number(one, state) for one in (move, *ties)]
                        for name, (move, ties) in zip(EXACT, choices, strict=True)
                    },
                    "discards": discards,
                    "deficiencies": [int(deficiencies[kind][0]) for kind in discards],
                    "expected_draws": [draws[kind][0] for kind in discards],
                }
            )
        move, _ = choices[(seat + number) % 2]
        actions.append(action_number(move, state))
        state = step(state, move)
    return {"game": number, "actions": actions, "decisions": decisions}
