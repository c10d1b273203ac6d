"""One step of training: loss, gradient and optimiser update."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from mjopt.play.learning.checkpoints import Trees
from mjopt.play.learning.config import Configuration
from mjopt.play.learning.networks import trained  # first: it sets the number of threads

import equinox as eqx  # isort: skip
import jax  # isort: skip
import optax  # isort: skip

Network = TypeVar("Network", bound=eqx.Module)

Loss = Callable[..., tuple[jax.Array, tuple[Network, jax.Array]]]
"""Takes a network and a batch; returns the loss, the updated network and measurements."""


@dataclass(frozen=True, eq=False)
class Learner:
    """A loss and an optimiser; it has no state of its own."""

    loss: Loss[eqx.Module]
    # transforms a gradient before it is multiplied by the learning rate
    optimiser: optax.GradientTransformation

    def begin(self, network: eqx.Module) -> Trees:
        """Return the initial trees."""
        parameters, _ = eqx.partition(network, trained(network))
        return {"network": network, "optimiser": self.optimiser.init(parameters)}

    def step(
        self, trees: Trees, rate: float | np.float32, *batch: ArrayLike
    ) -> tuple[Trees, jax.Array]:
        """Return the trees after a step, and the measurements on the batch."""
        network, optimiser, measured = _step(
            self.loss, self.optimiser, trees["network"], trees["optimiser"], rate, batch
        )
        return {"network": network, "optimiser": optimiser}, measured


@cache
def make_learner(config: Configuration, loss: Loss[eqx.Module], momentum: float) -> Learner:
    """Return a learner with the configuration's optimiser and penalty; it is cached."""
    if config.optimiser == "adam":
        scaling = optax.scale_by_adam(b1=momentum, b2=config.second_momentum)
    else:
        scaling = optax.trace(decay=momentum)
    # The gradient of penalty * |theta|^2.
    return Learner(loss, optax.chain(optax.add_decayed_weights(2 * config.penalty), scaling))


def _take_step(
    loss: Loss[Network],
    optimiser: optax.GradientTransformation,
    network: Network,
    state: optax.OptState,
    rate: jax.Array,
    batch: tuple[jax.Array, ...],
) -> tuple[Network, optax.OptState, jax.Array]:
    parameters, statistics = eqx.partition(network, trained(network))

    def loss_of(parameters: Network) -> tuple[jax.Array, tuple[Network, jax.Array]]:
        return loss(eqx.combine(parameters, statistics), *batch)

    (_, (after, measured)), gradient = jax.value_and_grad(loss_of, has_aux=True)(parameters)
    updates, state = optimiser.update(gradient, state, parameters)
    parameters = jax.tree.map(lambda value, update: value - rate * update, parameters, updates)
    _, statistics = eqx.partition(after, trained(after))
    return eqx.combine(parameters, statistics), state, measured


_step = jax.jit(_take_step, static_argnums=(0, 1))
