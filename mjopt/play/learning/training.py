"""Training of a learning agent, with its weights, checkpoints and curves in a folder."""

from pathlib import Path
from typing import Final, NamedTuple

from mjopt._internal.files import lock_folder, make_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError, FileError
from mjopt.play.learning.checkpoints import TrainingRun
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.training_curves import REPORT, Row, write_report
from mjopt.play.learning.weights import WEIGHTS, load_agent

KINDS: Final = ("perfect", "normal", "imitation")
"""The kinds of training."""


class TrainingResult(NamedTuple):
    """Result of a training."""

    weights: Path  # the file of the trained agent
    report: Path  # the page with its curves, if Jinja2 is installed
    steps: int  # finished steps
    seconds: float  # over all runs
    last: Row  # the last value of every measurement


def train(
    what: str,
    config: Configuration,
    folder: Path,
    *,
    seed: int = 0,
    source: str = "",
    progress: Progress | None = None,
    jobs: int = 1,
) -> TrainingResult:
    """Train an agent, ``perfect``, ``normal`` or ``imitation``, or resume its training.

    After an interruption the same call resumes to the same weights. ``seed`` is that of walls,
    weights and all random numbers. ``source`` is, for ``normal``, the folder of the perfect agent,
    and for ``imitation`` the teacher. ``jobs`` processes play the games of an imitated teacher; the
    weights do not depend on their number. ArgumentError if the source is not usable,
    MissingExtraError if JAX, Optax or Equinox is not installed, FileError if the folder holds
    another training, or another process is training there.
    """
    if what not in KINDS:
        raise ArgumentError(argument="train", value=short_repr(what), expected=tuple(KINDS))
    need("jax", "optax", "equinox", extra="learning")
    check_source(what, source)
    settings: dict[str, int | str] = {"training": what, "seed": seed}
    run = TrainingRun(
        folder=folder,
        config=config,
        settings=settings,
        progress=progress or NoProgress(),
        jobs=jobs,
    )
    make_folder(folder)
    with lock_folder(folder):
        if what == "perfect":
            from mjopt.play.learning.perfect_training import train_perfect

            train_perfect(run)
        else:
            from mjopt.play.learning.normal_training import train_normal, train_on_teacher

            (train_normal if what == "normal" else train_on_teacher)(run, source)
        state = run.state
        paragraphs = [
            f"{what}, seed {seed}{f', {source}' if source else ''}: "
            f"{state.step:,} steps in {state.seconds:,.0f} s.",
            str(config),
        ]
        write_report(folder, f"Training of the {what} agent", paragraphs, state.curves)
    last: Row = {}
    for row in state.curves:
        last |= {name: value for name, value in row.items() if value is not None}
    return TrainingResult(folder / WEIGHTS, folder / REPORT, state.step, state.seconds, last)


def check_source(what: str, source: str) -> None:
    """Validate the source before the folder is created.

    Raises FileError without a perfect agent, GameError for an unknown teacher.
    """
    if what == "imitation":
        from mjopt.play.learning.imitation import Teacher

        Teacher.from_text(source)
    elif what == "normal":
        path = Path(source) / WEIGHTS
        if not path.is_file():
            raise FileError(
                f"no {WEIGHTS} of a perfect agent: train one there first", argument=source
            )
        load_agent(path, "perfect")
