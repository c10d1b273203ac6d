"""Training of the normal agent: by dropout learning, or on the games of an exact teacher."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt.errors import LearningError
from mjopt.learning import weights
from mjopt.learning.checkpoints import WEIGHTS, TrainingRun, checkpoint_interval
from mjopt.learning.config import Configuration
from mjopt.learning.imitation import Teacher, play_teacher_games
from mjopt.learning.layers import initial_arrays
from mjopt.learning.learner import make_learner
from mjopt.learning.networks import NormalNetwork, arrays_of, normal_network
from mjopt.learning.planes import public_planes
from mjopt.learning.replay_buffer import Array, Samples, cut
from mjopt.learning.self_play import self_play
from mjopt.learning.training_curves import Row

import equinox as eqx  # isort: skip
import jax  # isort: skip
import jax.numpy as jnp  # isort: skip

HELD_OUT: Final = 16
"""One game in so many is kept to measure agreement on."""

MEASURED: Final = 1024
"""Decisions that agreement is measured on while training goes on."""

PART: Final = 256
"""Games of a file of samples."""

SHARED: Final = ("rules", "game", "declare", "last_event", "hidden", "score_range")
"""What the perfect and the normal agent must agree in."""

ILLEGAL: Final = -1e9


class Stage(NamedTuple):
    """Some steps with one chance to see what is hidden."""

    seen: float  # p
    steps: int


def stages_of(config: Configuration) -> list[Stage]:
    """Return how the hidden planes fade out.

    Examples
    --------
    >>> from mjopt.learning.config import PRESETS
    >>> stages = stages_of(PRESETS["paper"])
    >>> [stage.seen for stage in stages], sum(stage.steps for stage in stages)
    ([1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0], 660000)
    """
    number = round(1 / config.decay) + 1
    fades = config.dropout == "bernoulli"
    chances = [round(max(1 - config.decay * i, 0.0), 9) * fades for i in range(number)]
    return [Stage(chance, config.decay_steps) for chance in chances]


def keep_probability_at(stages: list[Stage], step: int) -> float:
    """Return the chance of a step, counted from 0; after all stages that of the last.

    Examples
    --------
    >>> stages = [Stage(1.0, 10), Stage(0.0, 10)]
    >>> [keep_probability_at(stages, step) for step in (0, 9, 10, 25)]
    [1.0, 1.0, 0.0, 0.0]
    """
    for stage in stages:
        if step < stage.steps:
            return stage.seen
        step -= stage.steps
    return stages[-1].seen


def rate_of(config: Configuration, step: int, total: int) -> float:
    """Return the learning rate of a step, counted from 0: at last it falls, if it is cooled.

    Examples
    --------
    >>> config = Configuration(normal_rate=1.0, normal_cooling=0.5)
    >>> [rate_of(config, step, 8) for step in (0, 4, 5, 7)]
    [1.0, 1.0, 0.75, 0.25]
    """
    cooled = config.normal_cooling * total
    return config.normal_rate * (min(1.0, (total - step) / cooled) if cooled else 1.0)


def fade(planes: Any, public: Any, seen: Any, key: Any) -> Any:
    """Return planes times lambda: 1 on public ones, elsewhere 1 with some chance, each element.

    Planes are ``(B, P, K)``, which of them a seat may see ``(P,)``; ``seen`` is the chance p.
    """
    drawn = jax.random.bernoulli(key, seen, planes.shape)
    return jnp.where(public[:, None] | drawn, planes, 0).astype(jnp.float32)


def train_normal(run: TrainingRun, source: str) -> None:
    """Train the normal agent on games of a perfect one, whose folder is the source."""
    from mjopt.learning.perfect_training import load_perfect, search_settings

    path = Path(source) / WEIGHTS
    config, model = load_perfect(path)
    for name in SHARED:
        if (own := getattr(run.config, name)) != (theirs := getattr(config, name)):
            raise LearningError(f"{path}: trained with {name} {theirs}, expected {own}")
    run.settings["from"] = sha256_of(path)
    settings = search_settings(config, learning=False)

    def play(games: range) -> Samples:
        return self_play(
            model, config, games, seed=run.seed, settings=settings, advance=run.progress.advance
        )

    _train(run, play, stages_of(run.config))


def train_on_teacher(run: TrainingRun, source: str) -> None:
    """Train the same network on the games of a teacher, who sees no hidden tile either."""
    teacher = Teacher.from_text(source)
    run.settings["teacher"] = teacher.name

    def play(games: range) -> Samples:
        return play_teacher_games(
            teacher, run.config, games, seed=run.seed, advance=run.progress.advance
        )

    stages = [stage._replace(seen=0.0) for stage in stages_of(run.config)]
    _train(run, play, stages)


def _train(run: TrainingRun, play: Callable[[range], Samples], stages: list[Stage]) -> None:
    config, total = run.config, sum(stage.steps for stage in stages)
    learner = make_learner(config, loss_of(config), config.normal_momentum)
    arrays = initial_arrays(config, "normal", np.random.default_rng([run.seed, 0]))
    trees = run.begin(learner.begin(normal_network(config, arrays)), total)
    samples = _games(run, play)
    is_held = samples.games % HELD_OUT == HELD_OUT - 1
    taught, held = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    if not len(taught):
        raise LearningError(f"{config.normal_games} games hold no decision to learn from")
    measured = np.random.default_rng([run.seed, 1]).permutation(held)[:MEASURED]
    run.progress.begin(total, "steps", run.state.step)
    every, losses = checkpoint_interval(total), []
    key = jax.random.PRNGKey(run.seed)
    for step in range(run.state.step, total):
        rng = np.random.default_rng([run.seed, 2, step])
        rows = taught[rng.integers(len(taught), size=config.normal_batch)]
        seen = np.float32(keep_probability_at(stages, step))
        trees, loss = learner.step(
            trees,
            rate_of(config, step, total),
            samples.planes_of(rows),
            samples.masks_of(rows),
            samples.policies_of(rows, small=True),
            seen,
            jax.random.fold_in(key, step),
        )
        losses.append(loss)
        run.progress.advance()
        run.state.step = step + 1
        if (step + 1) % every == 0 or step + 1 == total:
            row: Row = {"p": float(seen), "loss": float(np.mean(losses))}
            row["agreement"] = agreement(trees["network"], config, samples, measured)
            losses = []
            run.keep(trees, row)
    weights.save(run.folder / WEIGHTS, config, arrays_of(trees["network"]))


@cache
def loss_of(config: Configuration) -> Callable[..., Any]:
    """Return the cross-entropy of the normal agent with the policies that it is to imitate."""
    public = public_planes(config)

    def loss(
        network: NormalNetwork, planes: Any, masks: Any, policies: Any, seen: Any, key: Any
    ) -> tuple[Any, tuple[NormalNetwork, Any]]:
        logits, network = network.forward(fade(planes, public, seen, key), training=True)
        if config.masked:
            logits = jnp.where(masks, logits, ILLEGAL)
        found = -(policies * jax.nn.log_softmax(logits)).sum(axis=1).mean()
        return found, (network, found)

    return loss


@eqx.filter_jit  # type: ignore[untyped-decorator]
def _logits(network: NormalNetwork, planes: Any) -> Any:
    return network.forward(planes, training=False)[0]


def agreement(
    network: NormalNetwork, config: Configuration, samples: Samples, rows: Array
) -> float | None:
    """Return how often the network, which sees nothing hidden, does what is best in a policy.

    None if there is no decision to measure it on.
    """
    if not len(rows):
        return None
    public, right = public_planes(config), 0
    for part in np.array_split(rows, -(-len(rows) // config.normal_batch)):
        planes = np.zeros((config.normal_batch, config.num_planes, config.kinds), np.uint8)
        planes[: len(part)] = samples.planes_of(part) * public[:, None]
        logits = np.asarray(_logits(network, planes))[: len(part)]
        chosen = np.where(samples.masks_of(part), logits, -np.inf).argmax(axis=1)
        policies = samples.policies_of(part, small=True)
        right += int((policies[np.arange(len(part)), chosen] == policies.max(axis=1)).sum())
    return right / len(rows)


def _games(run: TrainingRun, play: Callable[[range], Samples]) -> Samples:
    """Return the games to learn from: those that are not in the folder yet are played."""
    number = run.config.normal_games
    run.progress.begin(number, "games to learn from")
    parts = enumerate(cut(number, -(-number // PART)))
    return Samples.join([run.samples(part, games, play) for part, games in parts])
