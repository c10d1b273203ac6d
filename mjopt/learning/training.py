"""A training from beginning to end, in a folder of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mjopt.errors import LearningError
from mjopt.learning.checkpoints import WEIGHTS, Progress, Run, Silent
from mjopt.learning.configuration import Configuration
from mjopt.learning.curves import PAGE, Row, write_report
from mjopt.learning.weights import load_agent
from mjopt.runtime.extras import need
from mjopt.runtime.folder import hold_folder, make_folder

KINDS: Final = ("perfect", "normal", "imitation")
"""What can be trained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What came of a training.

    Parameters
    ----------
    weights
        The file that plays.
    report
        The page with its curves.
    steps
        Steps taken.
    seconds
        How long it took, all its runs together.
    last
        What was measured last, by name.
    """

    weights: Path
    report: Path
    steps: int
    seconds: float
    last: Row


def train(
    what: str,
    config: Configuration,
    folder: Path,
    *,
    seed: int = 0,
    source: str = "",
    progress: Progress | None = None,
) -> Trained:
    """Train an agent, or go on with it.

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

    Raises
    ------
    LearningError
        If the folder holds another training, or the source is none.
    MissingExtraError
        If JAX, Optax or Equinox is not installed.
    FileError
        If another process is training there.
    """
    if what not in KINDS:
        raise LearningError(f"train {what!r}, expected one of {', '.join(KINDS)}")
    need("jax", "optax", "equinox", extra="learning")
    check_source(what, source)
    from mjopt.learning.threads import one_thread

    one_thread()  # before JAX is imported
    settings = {"training": what, "seed": seed}
    run = Run(folder=folder, config=config, settings=settings, progress=progress or Silent())
    make_folder(folder)
    with hold_folder(folder):
        if what == "perfect":
            from mjopt.learning.perfect_training import train_perfect

            train_perfect(run)
        else:
            from mjopt.learning.normal_training import train_normal, train_on_teacher

            (train_normal if what == "normal" else train_on_teacher)(run, source)
        standing = run.standing
        told = [
            f"{what}, seed {seed}{f', {source}' if source else ''}: "
            f"{standing.step:,} steps in {standing.seconds:,.0f} s.",
            str(config),
        ]
        write_report(folder, f"Training of the {what} agent", told, standing.curves)
    last: Row = {}
    for row in standing.curves:
        last |= {name: value for name, value in row.items() if value is not None}
    return Trained(
        weights=folder / WEIGHTS,
        report=folder / PAGE,
        steps=standing.step,
        seconds=standing.seconds,
        last=last,
    )


def check_source(what: str, source: str) -> None:
    """Refuse what nothing can be learned from, before there is a folder.

    Raises
    ------
    LearningError, GameError
        If a normal agent is to learn from no perfect one, or an imitation from no teacher.
    """
    if what == "imitation":
        from mjopt.learning.imitation import Teacher

        Teacher.read(source)
    elif what == "normal":
        path = Path(source) / WEIGHTS
        if not path.is_file():
            raise LearningError(f"{source}: no {WEIGHTS} of a perfect agent: train one there first")
        load_agent(path, "perfect")
