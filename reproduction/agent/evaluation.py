"""Trainings, accuracy on held-out decisions, and games, shared by all experiments.

Every training, list of answers and battle is stored in the folder and reused, so an interrupted
run resumes.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mjopt
from heldout_dataset import SEED, HeldOutDataset, game_settings
from metrics import Agreement, measure
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.learning.checkpoints import find_snapshots
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.mcts_config import SearchSettings
from mjopt.play.learning.training import train
from mjopt.play.learning.weights import WEIGHTS, load
from mjopt.play.tournaments import Battle
from policies import Policy, agent_policy, search_policy

BASELINES = ("deficiency", "draws", "l3")
BATCH = 64  # decisions per search
HANDS = 4  # per tournament game


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The size of the measurements."""

    simulations: tuple[int, ...]  # of the trainings of Figure 6, in addition to the configuration's
    evaluated: tuple[int, ...]  # simulations of the evaluations of Figure 7
    decisions: int = 30_000  # held out
    curve: int = 3_000  # validation decisions per point of a curve
    tournaments: int = 10
    games: int = 100  # per tournament
    walls: int = 2_000  # per battle on duplicate walls
    seeds: int = 3


SCALES = {
    "tiny": Scale(
        simulations=(1, 2),
        evaluated=(1, 2, 4, 8),
        decisions=300,
        curve=50,
        tournaments=2,
        games=2,
        walls=4,
        seeds=2,
    ),
    "small": Scale(simulations=(2, 5, 12), evaluated=(1, 5, 12, 25), seeds=2),
    "paper": Scale(simulations=(10, 50, 100), evaluated=(1, 10, 50, 100, 250, 500, 1000), seeds=10),
}


@dataclass(frozen=True)
class Evaluation:
    """Trains and measures agents in a folder."""

    config: Configuration
    scale: Scale
    folder: Path
    seeds: range
    jobs: int = 1  # processes of a battle

    def log(self, text: str) -> None:
        """Write a progress line to stderr."""
        which = f"seed {self.seeds[0]}: " if len(self.seeds) == 1 else ""
        print(f"{which}{text}", file=sys.stderr, flush=True)

    @property
    def simulations(self) -> list[int]:
        """The numbers of simulations of Figure 6's trainings, the configuration's last."""
        most = self.config.simulations
        return [*(number for number in self.scale.simulations if number < most), most]

    # Trainings

    def train_perfect(self, seed: int, **changes: Any) -> Path:
        """Return the weights of a perfect agent; train it first if they are missing."""
        config = replace(self.config, **changes)
        hidden = "" if config.hidden == "all" else f"-{config.hidden}"
        return self._train(f"perfect-{config.simulations}{hidden}-{seed}", config, seed)

    def train_normal(self, seed: int, dropout: str = "bernoulli") -> Path:
        """Return the weights of a normal agent that imitates the perfect one of the seed."""
        teacher = self.train_perfect(seed).parent
        config = replace(self.config, dropout=dropout)
        return self._train(f"normal-{dropout}-{seed}", config, seed, teacher)

    def _train(
        self, name: str, config: Configuration, seed: int, teacher: Path | None = None
    ) -> Path:
        folder = self.folder / "trainings" / name
        if (folder / WEIGHTS).is_file():
            load(folder / WEIGHTS, config)  # raises if the configuration differs
        else:
            self.log(f"training {name}")
            folder.parent.mkdir(parents=True, exist_ok=True)
            kind = name.partition("-")[0]
            train(kind, config, folder, seed=seed, source=str(teacher or ""))
        return folder / WEIGHTS

    # Held-out decisions

    @cached_property
    def held_out(self) -> HeldOutDataset:
        """The held-out decisions, created once."""
        path = self.folder / "held-out.jsonl"
        if not path.exists():
            self.log(f"making {self.scale.decisions:,} held-out decisions")
        return HeldOutDataset.open(path, self.config, self.scale.decisions)

    def agent_agreement(self, agent: Path | str, *, on_curve: bool = False) -> Agreement:
        """Measure a normal agent (a path to its weights) or any other agent (its spec)."""
        if isinstance(agent, str):
            return self._measure({"agent": agent}, lambda: agent_policy(read_agent(agent)))
        key = {"agent": _digest(agent.read_bytes())}
        return self._measure(key, lambda: agent_policy(read_agent(f"normal:{agent}")), on_curve)

    def search_agreement(
        self,
        weights: Path,
        *,
        simulations: int | None = None,
        hidden: str | None = None,
        use_simulator: bool = False,
        on_curve: bool = False,
    ) -> Agreement:
        """Measure the search of a perfect agent.

        ``hidden`` selects the hidden tiles that it sees; the default is that of its training.
        """
        settings = SearchSettings(
            simulations=simulations or self.config.evaluation_simulations,
            exploration=self.config.exploration,
            root=self.config.root,
        )

        def make_policy() -> Policy:
            from mjopt.play.learning.perfect_training import load_perfect

            config, model = load_perfect(weights)
            config = replace(config, hidden=hidden or config.hidden)
            return search_policy(model, config, settings, use_simulator=use_simulator)

        key = {"weights": _digest(weights.read_bytes()), "hidden": hidden, **asdict(settings)}
        return self._measure({**key, "simulator": use_simulator}, make_policy, on_curve)

    def accuracy_curve(
        self, weights: Path, agreement: Callable[..., Agreement]
    ) -> dict[float, float]:
        """Return the accuracy on validation decisions by the completed share of the training."""
        snapshots = {**find_snapshots(weights.parent), 1.0: weights}
        return {share: agreement(path, on_curve=True).accuracy for share, path in snapshots.items()}

    def _measure(
        self, key: dict[str, Any], make_policy: Callable[[], Policy], on_curve: bool = False
    ) -> Agreement:
        data = self.held_out
        indices = data.indices("validation")[: self.scale.curve] if on_curve else None
        indices = data.indices("test") if indices is None else indices
        text = json.dumps({**key, **game_settings(data.config), "decisions": str(indices)})
        path = self.folder / "answers" / f"{_digest(text.encode())}.json"
        if not path.exists():
            policy, states = make_policy(), list(data.states(indices))
            actions: list[int] = []
            for first in range(0, len(states), BATCH):
                part = range(indices.start + first, indices.start + len(states))[:BATCH]
                rngs = [np.random.default_rng([SEED, index]) for index in part]
                actions += policy(states[first : first + BATCH], rngs)
            path.parent.mkdir(exist_ok=True)
            _write(path, json.dumps(actions))
        decisions = data.decisions[indices.start : indices.stop]
        return measure(decisions, json.loads(path.read_text()))

    # Games

    def play_tournaments(self, weights: Path, baseline: str) -> NDArray[np.int64]:
        """Return how often a normal agent placed first to fourth in each tournament, ``(T, 4)``.

        It plays three copies of a baseline. Each game has four hands with different walls, every
        seat deals one of them, and the agent's seat is random.
        """
        num_games = self.scale.tournaments * self.scale.games
        seats = np.random.default_rng([SEED, 1]).integers(4, size=num_games)
        places = np.empty(num_games, np.int64)
        for seat in range(4):
            agents = [baseline] * 4
            agents[seat] = f"normal:{weights}"
            games = np.flatnonzero(seats == seat)
            if not len(games):
                continue
            battle = self._battle(agents, weights, HANDS * len(games), SEED + 2 + seat, rounds=1)
            points = battle.rows["scores"].reshape(-1, HANDS, 4).sum(axis=1)
            places[games] = [place_of(row, seat) for row in points.tolist()]
        by_tournament = places.reshape(self.scale.tournaments, self.scale.games)
        return np.stack([np.bincount(row, minlength=4) for row in by_tournament])

    def play_duplicate(self, weights: Path, baseline: str) -> Battle:
        """Play two normal agents against two of a baseline on duplicate walls."""
        agents = [f"normal:{weights}", baseline] * 2
        return self._battle(agents, weights, self.scale.walls, SEED + 1, rounds=2)

    def _battle(
        self, agents: Sequence[str], weights: Path, games: int, seed: int, *, rounds: int
    ) -> Battle:
        digest = _digest(json.dumps(agents).encode() + weights.read_bytes())
        folder = self.folder / "battles" / f"{digest}-{rounds}"
        folder.parent.mkdir(exist_ok=True)
        return mjopt.play.battle(
            agents,
            games=games,
            rules=self.config.rules,
            seed=seed,
            rounds=rounds,
            folder=folder,
            jobs=self.jobs,
        )


def place_of(points: Sequence[int], seat: int) -> int:
    """Return the place of a seat, from 0; ties go to the earlier seat."""
    own = points[seat]
    return sum(other > own or (other == own and i < seat) for i, other in enumerate(points))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text)
    temporary.replace(path)
