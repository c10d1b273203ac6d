"""What the targets share: trainings, held-out decisions, and who is measured on them."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.folder import file_digest, make_folder, replace_whole
from mjopt._internal.journal import Journal
from mjopt._internal.pool import batched, in_order
from mjopt._internal.progress import Watcher
from mjopt.agent_reproduction.decisions import SEED, HeldOut, hold_out, rules_of
from mjopt.agent_reproduction.measures import Measures, measure
from mjopt.agent_reproduction.players import FEATURES, Asked, Player, Searching
from mjopt.errors import GameError, LearningError
from mjopt.game.agents.registry import read_agent
from mjopt.learning.checkpoints import WEIGHTS, snapshots_in
from mjopt.learning.config import Configuration
from mjopt.learning.layers import AgentKind
from mjopt.learning.mcts_config import SearchSettings
from mjopt.learning.training import train
from mjopt.learning.weights import load, load_agent
from mjopt.tournaments.battle import Battle, fight
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.playing import play_part

BASELINES: Final = ("deficiency", "draws", "l3")
AT_ONCE: Final = 64
HANDS: Final = 4
"""Of a game of a tournament."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    # `simulations`, `evaluated`: of Figure 6's trainings beside the configuration's own; of Figure
    # 7's evaluations
    simulations: tuple[int, ...]
    evaluated: tuple[int, ...]
    # `decisions`, `curve`: held-out ones, and those of them that curves are drawn with
    decisions: int = 30_000
    curve: int = 3_000
    # `tournaments`, `games`: how many, and games of each: four hands
    tournaments: int = 10
    games: int = 100
    walls: int = 2_000  # duplicate walls of a battle
    seeds: int = 3  # trainings of each kind


SCALES: Final = {
    "tiny": Scale((1, 2), (1, 2, 4, 8), 300, 50, tournaments=2, games=2, walls=4, seeds=2),
    "small": Scale((2, 5, 12), (1, 5, 12, 25), seeds=2),
    "paper": Scale((10, 50, 100), (1, 10, 50, 100, 250, 500, 1000), seeds=10),
}


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Makes what a target needs, once, in a folder; what stands there is taken."""

    config: Configuration  # what is trained
    scale: Scale  # how much is measured
    folder: Path  # where everything is kept
    seed: int = 0  # of the first training
    # where trainings stand: a folder such as this one's `trainings`, or one training
    source: Path | None = None
    jobs: int = 1  # processes for games; trainings and searches take one thread
    progress: Watcher  # is told how far it is
    models: dict[Path, Searching] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse seeds that the held-out games have."""
        if not 0 <= self.seed < SEED - self.scale.seeds:
            raise LearningError(f"seed {self.seed}, expected 0..2**32 - {self.scale.seeds + 1}")

    @property
    def seeds(self) -> range:
        """The seeds of the trainings."""
        return range(self.seed, self.seed + (1 if self.is_one else self.scale.seeds))

    @property
    def is_one(self) -> bool:
        """Whether all there is is one training that stands."""
        return self.source is not None and (self.source / WEIGHTS).is_file()

    @property
    def simulations(self) -> list[int]:
        """Simulations of the trainings of Figure 6, the configuration's own last."""
        most = self.config.simulations
        return [*(one for one in self.scale.simulations if one < most), most]

    # Trainings ----------------------------------------------------------------------------

    def perfect(self, seed: int, simulations: int = 0, hidden: str = "") -> Path:
        """Return the weights of a perfect agent; it is trained if they are not there."""
        given = {"simulations": simulations, "hidden": hidden}
        config = replace(self.config, **{k: v for k, v in given.items() if v})  # type: ignore[arg-type]
        return self._trained(f"{perfect_name(config)}-{seed}", "perfect", config, seed)

    def normal(self, seed: int, dropout: str = "bernoulli") -> Path:
        """Return the weights of a normal agent that imitates the perfect one of the seed."""
        config = replace(self.config, dropout=dropout)
        return self._trained(f"normal-{dropout}-{seed}", "normal", config, seed)

    def _trained(self, name: str, kind: AgentKind, config: Configuration, seed: int) -> Path:
        folder = self.place_of(name)
        path = folder / WEIGHTS
        if self.source is not None:
            if not path.is_file():
                raise LearningError(f"{folder}: no {WEIGHTS}, expected a training that stands")
            found, _ = load_agent(path, kind)
            known = ("simulations", "hidden") if kind == "perfect" else ("dropout",)
            for one in (*rules_of(config), *known):
                if (theirs := getattr(found, one)) != (ours := getattr(config, one)):
                    raise LearningError(f"{path}: trained with {one} {theirs}, expected {ours}")
            return path
        if path.is_file():
            load(path, config)
            return path
        source = str(self.perfect(seed).parent) if kind == "normal" else ""
        self.progress.say(f"training {name}")
        train(kind, config, folder, seed=seed, source=source, progress=self.progress)
        return path

    def place_of(self, name: str) -> Path:
        """Return the folder of a training."""
        if self.source is not None and self.is_one:
            return self.source
        return (self.source or self.folder / "trainings") / name

    # Held-out decisions -------------------------------------------------------------------

    @cached_property
    def held_out(self) -> HeldOut:
        """Decisions that nothing is trained on; they are made if they are not there."""
        make_folder(self.folder)
        self.progress.say(f"{self.scale.decisions:,} held-out decisions")
        path, how = self.folder / "held-out.journal", {"jobs": self.jobs}
        return hold_out(path, self.config, self.scale.decisions, progress=self.progress, **how)

    def curve(self, weights: Path, answer: Callable[[Path, str], Measures]) -> dict[float, float]:
        """Return the accuracy on validation over the shares of a training that are done."""
        done = self.snapshots(weights)
        return {share: answer(path, "curve").accuracy for share, path in done.items()}

    def snapshots(self, weights: Path) -> dict[float, Path]:
        """Return the weights of a training by the share of it that was done, the last at 1."""
        return {**snapshots_in(weights.parent), 1.0: weights}

    def asked(self, agent: Path | str, part: str = "test") -> Measures:
        """Return how a normal agent answers, by its weights, or any other by its text."""
        told = file_digest(agent) if isinstance(agent, Path) else agent
        text = f"normal:{agent}" if isinstance(agent, Path) else agent
        return self.measured({"agent": told}, lambda: Asked(read_agent(text)), part)

    def searched(
        self,
        weights: Path,
        part: str = "test",
        *,
        simulations: int = 0,
        features: str = "",
        is_real: bool = False,
    ) -> Measures:
        """Return how a perfect agent's search answers, all told of it by its file and these.

        It is shown the features that the bench's own is trained with, unless others are named.
        """
        config = self.config
        features = features or {hidden: name for name, hidden in FEATURES.items()}[config.hidden]
        settings = SearchSettings(
            simulations=simulations or config.evaluation_simulations,
            exploration=config.exploration,
            root=config.root,
        )

        def make() -> Player:
            if weights not in self.models:
                from mjopt.learning.perfect_training import load_perfect

                theirs, model = load_perfect(weights)
                self.models[weights] = Searching(config=theirs, model=model, settings=settings)
            one = self.models[weights]
            shown = replace(one.config, hidden=FEATURES[features])
            return replace(one, config=shown, settings=settings, is_real=is_real)

        told = {"features": features, "is_real": is_real, **asdict(settings)}
        return self.measured({"weights": file_digest(weights), **told}, make, part)

    def measured(self, settings: dict[str, Any], make: Callable[[], Player], part: str) -> Measures:
        """Return how a player answers the decisions of a part, once answered and kept."""
        held, is_curve = self.held_out, part == "curve"
        span = held.span("validation" if is_curve else part, self.scale.curve if is_curve else None)
        text = json.dumps({**settings, **rules_of(held.config), "span": str(span)})
        path = self.folder / "answers" / f"{digest_of(text)}.npz"
        answers = _read(path, text)
        if answers is None:
            answers, player = [], make()
            self.progress.begin(len(span), "decisions")
            for some in batched(zip(span, held.states(span), strict=True), AT_ONCE):
                rngs = [np.random.default_rng([SEED, place]) for place, _ in some]
                answers += player.answer([state for _, state in some], rngs)
                self.progress.advance(len(some))
            make_folder(path.parent)
            with replace_whole(path) as file:
                np.savez(file, settings=np.array(text), answers=np.array(answers, np.int32))
        return measure(held.decisions[span.start : span.stop], answers)

    # Games --------------------------------------------------------------------------------

    def tournaments(self, weights: Path, baseline: str) -> NDArray[np.int64]:
        """Return the places of a normal agent in each tournament, shape ``(T, 4)``.

        Each game has walls of its own, and the agent sits anywhere among three of the baseline.
        """
        number = self.scale.tournaments * self.scale.games
        settings = {"agent": file_digest(weights), "baseline": baseline, "rules": self.config.rules}
        make_folder(self.folder / "tournaments")
        self.progress.begin(number, "games")
        path = self.folder / "tournaments" / f"{digest_of(json.dumps(settings))}.journal"
        with Journal(path, settings) as journal:
            self.progress.advance(min(len(journal), number))
            work = partial(play_match, f"normal:{weights}", baseline, self.config.rules)
            left = range(len(journal), number)
            played: Any = in_order(work, left, jobs=self.jobs, kept=True)
            with closing(played):
                for place in played:
                    journal.append(bytes([place]))
                    self.progress.advance()
            found = np.array([record[0] for record in journal][:number])
        by_tournament = found.reshape(self.scale.tournaments, self.scale.games)
        return np.stack([np.bincount(one, minlength=4) for one in by_tournament])

    def duplicate(self, weights: Path, baseline: str) -> Battle:
        """Return a battle of two and two on duplicate walls, seats exchanged."""
        agents, rules = (f"normal:{weights}", baseline) * 2, self.config.rules
        plan = Plan(agents=agents, rules=rules, seed=SEED + 1, games=self.scale.walls, rounds=2)
        make_folder(self.folder / "battles")
        self.progress.begin(plan.num_played, "hands")
        told = digest_of(agents[0] + file_digest(weights))  # a folder may have been moved
        folder = self.folder / "battles" / f"{baseline}-{told}"
        return fight(plan, jobs=self.jobs, folder=folder, advance=self.progress.advance)


def perfect_name(config: Configuration) -> str:
    """Return what trainings of a perfect agent are called, but for the seed."""
    hidden = "" if config.hidden == "all" else f"-{config.hidden}"
    return f"perfect-{config.simulations}{hidden}"


def play_match(agent: str, baseline: str, rules: str, number: int) -> int:
    """Play a game of four hands, each seat beginning one, and return the agent's place from 0.

    Who sits earlier is ahead where points are equal.
    """
    seat = int(np.random.default_rng([SEED, 1, number]).integers(4))
    agents = tuple(agent if one == seat else baseline for one in range(4))
    last = HANDS * (number + 1)
    plan = Plan(agents=agents, rules=rules, seed=SEED + 2, games=last, rounds=1)
    rows = play_part((last - HANDS, HANDS), plan=plan).rows
    if rows["fault"].any():
        raise GameError(f"a game of {agent} and {baseline} was broken")
    return place_of(rows["scores"].sum(axis=0).tolist(), seat)


def place_of(points: Sequence[int], seat: int) -> int:
    """Return the place of a seat, from 0; the earlier one is ahead where points are equal.

    Examples
    --------
    >>> [place_of([6, 0, 6, -12], seat) for seat in range(4)]
    [0, 2, 1, 3]
    """
    own = points[seat]
    return sum(one > own or (one == own and i < seat) for i, one in enumerate(points))


def digest_of(text: str) -> str:
    """Return a short name for settings."""
    return sha256(text.encode()).hexdigest()[:16]


def _read(path: Path, text: str) -> list[int] | None:
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as found:
        return found["answers"].tolist() if str(found["settings"]) == text else None
