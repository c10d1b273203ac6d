"""Training of the normal agent: dropout learning, or imitation of an exact agent."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from mjopt._internal.executor import batched, open_executor
from mjopt._internal.files import sha256_of
from mjopt.errors import ArgumentError, FileError
from mjopt.play.learning import weights
from mjopt.play.learning.checkpoints import TrainingRun, checkpoint_interval
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.imitation import Teacher, play_teacher_games
from mjopt.play.learning.learner import Loss, make_learner
from mjopt.play.learning.mcts_config import Integers
from mjopt.play.learning.networks import NormalNetwork, arrays_of, normal_network
from mjopt.play.learning.planes import public_planes
from mjopt.play.learning.replay_buffer import Samples, cut
from mjopt.play.learning.self_play import self_play
from mjopt.play.learning.training_curves import Row
from mjopt.play.learning.weights import WEIGHTS, initial_arrays

import equinox as eqx  # isort: skip
import jax  # isort: skip
import jax.numpy as jnp  # isort: skip

HELD_OUT: Final = 16
"""One game in this number is held out to measure agreement."""

MEASURED: Final = 1024
"""Held-out decisions for measurements during training."""

PART: Final = 256
"""Games in each file of samples."""

FEW: Final = 8
"""Games that a process plays at a time."""

SHARED: Final = ("rules", "game", "declare", "last_event", "hidden", "score_range")
"""Fields in which the perfect and the normal agent must agree."""

ILLEGAL: Final = -1e9


class Stage(NamedTuple):
    """Training steps with one keep probability."""

    keep_probability: float
    steps: int


def stages_of(config: Configuration) -> list[Stage]:
    """Return the stages of dropout, with decreasing keep probability.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> stages = stages_of(PRESETS["paper"])
    >>> [stage.keep_probability for stage in stages], sum(stage.steps for stage in stages)
    ([1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0], 660000)
    """
    number = round(1 / config.decay) + 1
    fades = config.dropout == "bernoulli"
    chances = [round(max(1 - config.decay * i, 0.0), 9) * fades for i in range(number)]
    return [Stage(chance, config.decay_steps) for chance in chances]


def keep_probability_at(stages: list[Stage], step: int) -> float:
    """Return the keep probability at a step (constant after the last stage).

    Examples
    --------
    >>> stages = [Stage(1.0, 10), Stage(0.0, 10)]
    >>> [keep_probability_at(stages, step) for step in (0, 9, 10, 25)]
    [1.0, 1.0, 0.0, 0.0]
    """
    for stage in stages:
        if step < stage.steps:
            return stage.keep_probability
        step -= stage.steps
    return stages[-1].keep_probability


def rate_of(config: Configuration, step: int, total: int) -> float:
    """Return the learning rate at a step; with ``normal_cooling`` it falls linearly at the end.

    Examples
    --------
    >>> config = Configuration(normal_rate=1.0, normal_cooling=0.5)
    >>> [rate_of(config, step, 8) for step in (0, 4, 5, 7)]
    [1.0, 1.0, 0.75, 0.25]
    """
    cooled = config.normal_cooling * total
    return config.normal_rate * (min(1.0, (total - step) / cooled) if cooled else 1.0)


def fade(
    planes: jax.Array, public: jax.Array, keep_probability: jax.Array, key: jax.Array
) -> jax.Array:
    """Apply dropout to hidden planes: keep each element with the keep probability.

    Planes have shape ``(B, P, K)``; ``public``, ``(P,)``, marks planes that are always kept.
    """
    drawn = jax.random.bernoulli(key, keep_probability, planes.shape)
    return jnp.where(public[:, None] | drawn, planes, 0).astype(jnp.float32)


def train_normal(run: TrainingRun, source: str) -> None:
    """Train the normal agent on games of the perfect agent in the source folder."""
    from mjopt.play.learning.perfect_training import load_perfect, search_settings

    path = Path(source) / WEIGHTS
    config, model = load_perfect(path)
    for name in SHARED:
        if (own := getattr(run.config, name)) != (theirs := getattr(config, name)):
            raise FileError(f"trained with {name} {theirs}", argument=str(path), expected=str(own))
    run.settings["from"] = sha256_of(path)
    settings = search_settings(config, learning=False)

    def play(games: range) -> Samples:
        return self_play(
            model, config, games, seed=run.seed, settings=settings, advance=run.progress.advance
        )

    _train(run, play, stages_of(run.config))


def train_on_teacher(run: TrainingRun, source: str) -> None:
    """Train the same network on games of a teacher, which sees no hidden tiles either."""
    teacher = Teacher.from_text(source)
    run.settings["teacher"] = teacher.name
    play_few = partial(play_teacher_games, teacher, run.config, seed=run.seed)
    stages = [stage._replace(keep_probability=0.0) for stage in stages_of(run.config)]
    with open_executor(run.jobs) as workers:

        def play(games: range) -> Samples:
            few, found = list(batched(games, FEW)), []
            for samples, played in zip(workers.map(play_few, few), few, strict=True):
                found.append(samples)
                run.progress.advance(len(played))
            numbers = np.concatenate([samples.games for samples in found])  # already distinct
            return replace(Samples.join(found), games=numbers)

        _train(run, play, stages)


def _train(run: TrainingRun, play: Callable[[range], Samples], stages: list[Stage]) -> None:
    config, total = run.config, sum(stage.steps for stage in stages)
    learner = make_learner(config, loss_of(config), config.normal_momentum)
    arrays = initial_arrays(config, "normal", np.random.default_rng([run.seed, 0]))
    trees = run.start_or_resume(learner.begin(normal_network(config, arrays)), total)
    samples = _games(run, play)
    is_held = samples.games % HELD_OUT == HELD_OUT - 1
    training_rows, held_out_rows = np.flatnonzero(~is_held), np.flatnonzero(is_held)
    if not len(training_rows):
        raise ArgumentError(f"{config.normal_games} games have no decision to learn from")
    measured = np.random.default_rng([run.seed, 1]).permutation(held_out_rows)[:MEASURED]
    run.progress.begin(total, "steps", run.state.step)
    every, losses = checkpoint_interval(total), []
    key = jax.random.PRNGKey(run.seed)
    for step in range(run.state.step, total):
        rng = np.random.default_rng([run.seed, 2, step])
        rows = training_rows[rng.integers(len(training_rows), size=config.normal_batch)]
        keep_probability = np.float32(keep_probability_at(stages, step))
        trees, loss = learner.step(
            trees,
            rate_of(config, step, total),
            samples.planes_of(rows),
            samples.masks_of(rows),
            samples.policies_of(rows, small=True),
            keep_probability,
            jax.random.fold_in(key, step),
        )
        losses.append(loss)
        run.progress.advance()
        run.state.step = step + 1
        if (step + 1) % every == 0 or step + 1 == total:
            row: Row = {"p": float(keep_probability), "loss": float(np.mean(losses))}
            row["agreement"] = agreement(trees["network"], config, samples, measured)
            losses = []
            run.save_checkpoint(trees, row)
    weights.save(run.folder / WEIGHTS, config, arrays_of(trees["network"]))


@cache
def loss_of(config: Configuration) -> Loss[NormalNetwork]:
    """Return the loss: cross-entropy with the policies to imitate."""
    public = public_planes(config)

    def loss(
        network: NormalNetwork,
        planes: jax.Array,
        masks: jax.Array,
        policies: jax.Array,
        keep_probability: jax.Array,
        key: jax.Array,
    ) -> tuple[jax.Array, tuple[NormalNetwork, jax.Array]]:
        logits, network = network.forward(
            fade(planes, public, keep_probability, key), training=True
        )
        if config.masked:
            logits = jnp.where(masks, logits, ILLEGAL)
        value = -(policies * jax.nn.log_softmax(logits)).sum(axis=1).mean()
        return value, (network, value)

    return loss


@eqx.filter_jit  # type: ignore[untyped-decorator]
def _logits(network: NormalNetwork, planes: jax.Array) -> jax.Array:
    return network.forward(planes, training=False)[0]


def agreement(
    network: NormalNetwork, config: Configuration, samples: Samples, rows: Integers
) -> float | None:
    """Return the share of decisions with the policy's best action, hidden planes set to 0.

    None without decisions.
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
    """Return the games to learn from; play those that are not in the folder."""
    number = run.config.normal_games
    run.progress.begin(number, "games to learn from")
    parts = enumerate(cut(number, -(-number // PART)))
    return Samples.join([run.samples(part, games, play) for part, games in parts])
