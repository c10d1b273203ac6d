"""Training of the perfect agent: self-play, unrolled loss, and a gate between versions."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from mjopt.play.learning import weights
from mjopt.play.learning.checkpoints import TrainingRun, Trees, checkpoint_interval
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.imitation import Teacher, play_teacher_games
from mjopt.play.learning.learner import Learner, make_learner
from mjopt.play.learning.mcts_config import SearchSettings
from mjopt.play.learning.networks import PerfectModel, PerfectNetwork, arrays_of, perfect_network
from mjopt.play.learning.planes import action_planes
from mjopt.play.learning.replay_buffer import Samples, cut
from mjopt.play.learning.self_play import MatchResult, play_match, self_play
from mjopt.play.learning.training_curves import Row
from mjopt.play.learning.weights import WEIGHTS, initial_arrays

import jax  # isort: skip
import jax.numpy as jnp  # isort: skip

GATE: Final = 1 << 40
"""Number of the first wall of the gates, beyond all walls of self-play."""


def train_perfect(run: TrainingRun) -> None:
    """Train all versions, each on games of the best version so far."""
    config = run.config
    learner = make_learner(config, unrolled_loss, config.momentum)
    arrays = initial_arrays(config, "perfect", np.random.default_rng([run.seed, 0]))
    initial = learner.begin(perfect_network(config, arrays))
    shares = list(cut(config.steps, config.versions))
    trees = run.start_or_resume({**initial, "best": initial["network"]}, config.steps)
    for version in range(run.state.version, config.versions):
        label, share = f"of version {version + 1} of {config.versions}", shares[version]
        run.progress.begin(_games_of(config, version), f"games {label}")
        samples = _replay(run, trees["best"], version)
        run.progress.begin(len(share), f"steps {label}", run.state.step - share.start)
        trees |= _learn(run, learner, trees, samples, share)
        row: Row = {"version": version + 1}
        message, is_better = "learned from a teacher's games, no gate", True
        if not _is_taught(config, version):
            run.progress.begin(config.gate_games // 2 * 2, f"games of the gate {label}")
            match = _gate(run, trees, version)
            is_better = match.share >= 0.5  # without any wins the newer version is kept
            row["gate"] = match.share
            message = (
                f"won {match.wins} of {match.wins + match.losses} hands against the best, "
                f"{'and replaces it' if is_better else 'which is kept'}"
            )
        if is_better:
            trees["best"] = trees["network"]
        run.state.version = version + 1
        run.save_checkpoint(trees, {**row, "kept": float(is_better)})
        run.progress.say(f"version {version + 1} of {config.versions}: {message}")
        run.remove_samples(version + 1 - config.buffer_versions)
    weights.save(run.folder / WEIGHTS, config, arrays_of(trees["best"]))


def load_perfect(path: Path) -> tuple[Configuration, PerfectModel]:
    """Return the configuration and networks of a trained perfect agent.

    Raises ArgumentError if the file does not hold one.
    """
    config, arrays = weights.load_agent(path, "perfect")
    return config, PerfectModel(config, arrays)


def search_settings(config: Configuration, *, learning: bool) -> SearchSettings:
    """Return the search settings of a training; ``learning`` adds noise at the root."""
    return SearchSettings(
        simulations=config.simulations,
        exploration=config.exploration,
        noise=config.noise * (learning and config.root == "puct"),
        noise_total=config.noise_total,
        root=config.root,
    )


def rate_of(config: Configuration, version: int) -> float:
    """Return the learning rate of a version (numbered from 0).

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> [rate_of(PRESETS["paper"], version) for version in (0, 9, 10, 19, 20, 29)]
    [0.01, 0.01, 0.001, 0.001, 0.0001, 0.0001]
    """
    passed = sum(version >= last for last in config.rate_versions)
    return config.rates[min(passed, len(config.rates) - 1)]


def _is_taught(config: Configuration, version: int) -> bool:
    """Return whether a teacher plays the games of a version; such a version has no gate."""
    return version == 0 and config.first_games != "self"


def _games_of(config: Configuration, version: int) -> int:
    taught = config.taught_games if _is_taught(config, version) else 0
    return taught or config.games


def _replay(run: TrainingRun, best: PerfectNetwork, version: int) -> Samples:
    """Return the games of the last versions; play those of this version if they are missing."""
    config, advance = run.config, run.progress.advance

    def play(games: range) -> Samples:
        if _is_taught(config, version):
            teacher = Teacher.from_text(config.first_games)
            return play_teacher_games(
                teacher, config, games, seed=run.seed, full=True, advance=advance
            )
        model, settings = PerfectModel(config, best), search_settings(config, learning=True)
        return self_play(model, config, games, seed=run.seed, settings=settings, advance=advance)

    first = sum(_games_of(config, earlier) for earlier in range(version))
    new = run.samples(version, range(first, first + _games_of(config, version)), play)
    earlier = range(max(0, version + 1 - config.buffer_versions), version)
    return Samples.join([*map(run.stored_samples, earlier), new])


def _learn(
    run: TrainingRun, learner: Learner, trees: Trees, samples: Samples, steps: range
) -> Trees:
    """Take the remaining training steps of a version."""
    config, version = run.config, run.state.version
    every = checkpoint_interval(config.steps)
    losses: list[jax.Array] = []
    for step in range(run.state.step, steps.stop):
        rng = np.random.default_rng([run.seed, 1, step])
        rows = rng.integers(len(samples), size=config.batch)
        batch = samples.unroll(rows, config.unroll)
        actions = action_planes(batch.actions.reshape(-1), config.kinds)
        planes = actions.reshape(*batch.actions.shape, *actions.shape[1:])
        rate = np.float32(rate_of(config, version))
        changed, loss = learner.step(
            {name: trees[name] for name in ("network", "optimiser")},
            rate,
            batch.planes,
            planes,
            batch.policies,
            batch.values,
            batch.weights,
        )
        trees = {**trees, **changed}
        losses.append(loss)
        run.progress.advance()
        run.state.step = step + 1
        if (step + 1) % every == 0 or step + 1 == steps.stop:
            policy, value = np.mean([np.asarray(parts) for parts in losses], axis=0).tolist()
            losses = []
            run.save_checkpoint(
                trees, {"policy loss": policy, "value loss": value, "rate": float(rate)}
            )
    return trees


def unrolled_loss(
    network: PerfectNetwork,
    planes: jax.Array,
    actions: jax.Array,
    policies: jax.Array,
    values: jax.Array,
    weights: jax.Array,
) -> tuple[jax.Array, tuple[PerfectNetwork, jax.Array]]:
    """Return the sum over unrolled steps of squared value errors and cross-entropy.

    Planes are those of the first position, actions the planes of the moves played, of shape
    ``(B, steps, 19, K)``; the rest is as in :class:`mjopt.play.learning.replay_buffer.Unrolled`.
    The other results are the updated networks and the means of both parts of the loss.
    """
    hidden, network = network.represent(planes, training=True)
    total = jnp.zeros(2)
    for step in range(weights.shape[1]):
        if step:
            hidden, network = network.move(hidden, actions[:, step - 1], training=True)
        logits, predicted, network = network.predict(hidden, training=True)
        entropy = -(policies[:, step] * jax.nn.log_softmax(logits)).sum(axis=1)
        error = ((predicted - values[:, step]) ** 2).sum(axis=1)
        weight = weights[:, step]
        total += jnp.stack([(weight * entropy).mean(), (weight * error).mean()])
    return total.sum(), (network, total)


def _gate(run: TrainingRun, trees: Trees, version: int) -> MatchResult:
    """Play a version against the best one on duplicate walls."""
    config, walls = run.config, run.config.gate_games // 2
    model: Callable[[PerfectNetwork], PerfectModel] = partial(PerfectModel, config)
    return play_match(
        model(trees["network"]),
        model(trees["best"]),
        config,
        range(GATE + version * walls, GATE + (version + 1) * walls),
        seed=run.seed,
        settings=search_settings(config, learning=False),
        advance=run.progress.advance,
    )
