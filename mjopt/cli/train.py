"""`mjopt train`: train the learning agents and write them to a folder."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from typer import Option

from mjopt._internal.optional_deps import need
from mjopt._internal.progress import minutes
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json, Quiet
from mjopt.cli.output import print_json, warn
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError
from mjopt.play.learning.config import PRESETS, read_configuration
from mjopt.play.learning.training import train

PresetName = Annotated[str, Option("--preset", help=f"One of {', '.join(PRESETS)}.")]
TrainFolder = Annotated[
    str, Option("--output", "-o", help="Folder of the results; resumes there.", metavar="DIR")
]
From = Annotated[
    str,
    Option("--from", help="Folder of the trained perfect agent.", metavar="DIR"),
]
Seed = Annotated[int, Option("--seed", help="Seed of walls, weights and all random choices.")]
Games = Annotated[
    int | None, Option("--games", "-n", help="Games to learn from. [default: the preset's]")
]
Set = Annotated[
    list[str] | None,
    Option("--set", help="Override a setting of the preset; repeatable.", metavar="KEY=VALUE"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """Options shared by the training commands."""

    preset: PresetName = "small"
    output: TrainFolder
    seed: Seed = 0
    games: Games = None
    set: Set = None
    quiet: Quiet = False
    json: Json = False

    def train(self, what: str, source: str = "") -> None:
        """Train an agent and print the results."""
        if self.seed < 0:
            raise ArgumentError(argument="--seed", value=str(self.seed), expected="at least 0")
        config = read_configuration(self.preset, self.set or [])
        if self.games is not None:
            config = replace(config, games=self.games, normal_games=self.games)
        need("jax", "optax", "equinox", extra="learning")
        with Bar(what, quiet=self.quiet, resumes=True) as bar:
            folder = Path(self.output)
            result = train(what, config, folder, seed=self.seed, source=source, progress=bar)
        if self.json:
            document = {"trained": what, "preset": self.preset, "seed": self.seed}
            seconds = round(result.seconds, 3)
            document |= {"steps": result.steps, "seconds": seconds, "last": result.last}
            print_json(document | {"weights": str(result.weights), "report": str(result.report)})
            return
        for name, value in result.last.items():
            print(f"{name} {value:g}")
        print(plain(f"{result.weights}, {result.report}"))
        agent = shlex.quote(f"{'mcts' if what == 'perfect' else 'normal'}:{result.weights}")
        seen = " --perfect-information" if what == "perfect" else ""
        command = f"mjopt battle {agent} l3 deficiency l3 --rules {config.rule_set.name}{seen}"
        print(plain(f"play it: {command}"))
        warn(f"{result.steps} steps in {minutes(result.seconds)}")


def perfect(*, training: Training) -> None:
    """Train the agent that sees all tiles: self-play, unrolled loss, and a gate.

    `--games` is the number of games per version. The same command resumes an interrupted run
    and gives the same weights.

    Example: `mjopt train perfect --preset small -o perfect`
    """
    training.train("perfect")


def normal(*, source: From, training: Training) -> None:
    """Train the agent that sees only public information and its hand: it imitates the perfect one.

    The hidden planes fade out; `--set dropout=none` is the control, which never has them.

    Example: `mjopt train normal --from perfect --preset small -o normal`
    """
    training.train("normal", source)


def imitation(
    *,
    teacher: Annotated[str, Option(help="An agent that rates hands: draws, deficiency.")] = "draws",
    training: Training,
) -> None:
    """Train the same network on the games of an exact agent.

    Discards that the teacher rates as equal count as equally correct.

    Example: `mjopt train imitation --teacher draws --preset small -o imitation`
    """
    training.train("imitation", teacher)


commands = (perfect, normal, imitation)
