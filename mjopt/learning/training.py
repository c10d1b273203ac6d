"""A training from beginning to end, in a folder of its own."""

from pathlib import Path
from typing import Final, NamedTuple

from mjopt._internal.files import lock_folder, make_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import Quiet, Watcher
from mjopt.errors import LearningError
from mjopt.learning.checkpoints import WEIGHTS, TrainingRun
from mjopt.learning.config import Configuration
from mjopt.learning.training_curves import PAGE, Row, write_report
from mjopt.learning.weights import load_agent

KINDS: Final = ("perfect", "normal", "imitation")
"""What can be trained."""


class TrainingResult(NamedTuple):
    """What came of a training."""

    weights: Path  # the file that plays
    report: Path  # the page with its curves
    steps: int  # steps taken
    seconds: float  # how long it took, all its runs together
    last: Row  # what was measured last, by name


def train(
    what: str,
    config: Configuration,
    folder: Path,
    *,
    seed: int = 0,
    source: str = "",
    progress: Watcher | None = None,
) -> TrainingResult:
    """Train an agent, or go on with it.

    Raises LearningError if the folder holds another training, or the source is none,
    MissingExtraError if JAX, Optax or Equinox is not installed, FileError if another process is
    training there.

    Parameters
    ----------
    what
        ``perfect``, ``normal`` or ``imitation``.
    config
        What is trained, and how long.
    folder
        Where it is kept. Killed at any moment, the same call goes on to the same weights.
    seed
        Of walls, weights and every draw.
    source
        Of the normal agent the folder of the perfect one, of an imitation the teacher.
    progress
        Who is told how far it is.
    """
    if what not in KINDS:
        raise LearningError(f"train {what!r}, expected one of {', '.join(KINDS)}")
    need("jax", "optax", "equinox", extra="learning")
    check_source(what, source)
    from mjopt.learning.xla_flags import one_thread

    one_thread()  # before JAX is imported
    settings = {"training": what, "seed": seed}
    run = TrainingRun(folder=folder, config=config, settings=settings, progress=progress or Quiet())
    make_folder(folder)
    with lock_folder(folder):
        if what == "perfect":
            from mjopt.learning.perfect_training import train_perfect

            train_perfect(run)
        else:
            from mjopt.learning.normal_training import train_normal, train_on_teacher

            (train_normal if what == "normal" else train_on_teacher)(run, source)
        state = run.state
        told = [
            f"{what}, seed {seed}{f', {source}' if source else ''}: "
            f"{state.step:,} steps in {state.seconds:,.0f} s.",
            str(config),
        ]
        write_report(folder, f"Training of the {what} agent", told, state.curves)
    last: Row = {}
    for row in state.curves:
        last |= {name: value for name, value in row.items() if value is not None}
    return TrainingResult(folder / WEIGHTS, folder / PAGE, state.step, state.seconds, last)


def check_source(what: str, source: str) -> None:
    """Refuse what nothing can be learned from, before there is a folder.

    Raises LearningError, GameError if a normal agent is to learn from no perfect one, or an
    imitation from no teacher.
    """
    if what == "imitation":
        from mjopt.learning.imitation import Teacher

        Teacher.from_text(source)
    elif what == "normal":
        path = Path(source) / WEIGHTS
        if not path.is_file():
            raise LearningError(f"{source}: no {WEIGHTS} of a perfect agent: train one there first")
        load_agent(path, "perfect")
