"""`mjopt train`: the learning agents, trained into a folder."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json, Quiet
from mjopt.cli.output import print_json, warn
from mjopt.cli.progress import Bar, minutes
from mjopt.errors import LearningError
from mjopt.learning.config import PRESETS, Configuration
from mjopt.learning.training import train

PresetName = Annotated[str, Option("--preset", help=f"One of {', '.join(PRESETS)}.")]
TrainFolder = Annotated[
    str, Option("--output", "-o", help="The folder; the same one goes on.", metavar="DIR")
]
From = Annotated[
    str,
    Option("--from", help="The folder of the perfect agent, trained before.", metavar="DIR"),
]
Seed = Annotated[int, Option("--seed", help="Of walls, weights and every draw.")]
Games = Annotated[
    int | None, Option("--games", "-n", help="Games to learn from. [default: the preset's]")
]
Set = Annotated[
    list[str] | None,
    Option("--set", help="A number or choice of the preset, once each.", metavar="KEY=VALUE"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What is trained, how long, and where it is kept."""

    preset: PresetName = "small"
    output: TrainFolder
    seed: Seed = 0
    games: Games = None
    set: Set = None
    quiet: Quiet = False
    json: Json = False

    def train(self, what: str, source: str = "") -> None:
        """Train it, and print what came of it."""
        if self.seed < 0:
            raise LearningError(f"--seed {self.seed}, expected at least 0")
        config = configured(self.preset, self.set or (), self.games)
        need("jax", "optax", "equinox", extra="learning")
        with Bar(what, quiet=self.quiet, resumes=True) as bar:
            folder = Path(self.output)
            found = train(what, config, folder, seed=self.seed, source=source, progress=bar)
        if self.json:
            document = {"trained": what, "preset": self.preset, "seed": self.seed}
            seconds = round(found.seconds, 3)
            document |= {"steps": found.steps, "seconds": seconds, "last": found.last}
            print_json(document | {"weights": str(found.weights), "report": str(found.report)})
            return
        for name, value in found.last.items():
            print(f"{name} {value:g}")
        print(plain(f"{found.weights}, {found.report}"))
        warn(f"{found.steps} steps in {minutes(found.seconds)}")


def perfect(*, training: Training) -> None:
    """Train the agent that sees all tiles: self-play, unrolled loss, and a gate.

    `--games` are those of a version. Stopped in any way, the same command goes on to the same
    weights.

    Example: `mjopt train perfect --preset small -o perfect`
    """
    training.train("perfect")


def normal(*, source: From, training: Training) -> None:
    """Train the agent that sees what a seat may see: it imitates the perfect one.

    The hidden planes fade out; `--set dropout=none` is the control, without them throughout.

    Example: `mjopt train normal --from perfect --preset small -o normal`
    """
    training.train("normal", source)


def imitation(
    *,
    teacher: Annotated[str, Option(help="An agent that rates hands: draws, deficiency.")] = "draws",
    training: Training,
) -> None:
    """Train the same network on the games of an exact agent.

    Of discards that the teacher holds to be equally good, each is as right as the others.

    Example: `mjopt train imitation --teacher draws --preset small -o imitation`
    """
    training.train("imitation", teacher)


def configured(preset: str, words: list[str] | tuple[()], games: int | None) -> Configuration:
    """Return a preset with some fields set otherwise, as ``KEY=VALUE``.

    Raises
    ------
    LearningError
        If there is no such preset or field, or the value is none for it.

    Examples
    --------
    >>> configured("tiny", ["rates=0.1,0.01,0.01"], 4).rates
    (0.1, 0.01, 0.01)
    >>> configured("tiny", ["colour=1"], None)
    Traceback (most recent call last):
    mjopt.errors.LearningError: --set colour=1: unknown, expected one of rules, declare, ...
    """
    if preset not in PRESETS:
        raise LearningError(f"--preset {preset}, expected one of {', '.join(PRESETS)}")
    known = {one.name: one.default for one in fields(Configuration)}
    changes: dict[str, Any] = {} if games is None else {"games": games, "normal_games": games}
    for word in words:
        key, sign, text = word.partition("=")
        if key not in known or not sign:
            raise LearningError(f"--set {word}: unknown, expected one of {', '.join(known)}")
        changes[key] = _read(word, text, known[key])
    return replace(PRESETS[preset], **changes)


def _read(word: str, text: str, like: Any) -> Any:
    """Read a value of the type of another."""
    if isinstance(like, tuple):
        return tuple(_read(word, part, like[0]) for part in text.split(","))
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise LearningError(f"--set {word}: expected true or false")
        return text == "true"
    try:
        return type(like)(text)
    except ValueError:
        raise LearningError(f"--set {word}: expected a number") from None


commands = (perfect, normal, imitation)
