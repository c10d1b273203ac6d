"""One step of training: loss, gradient and optimiser update."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from mjopt.play.learning.config import Configuration
from mjopt.play.learning.networks import trained  # first: it sets the number of threads

import equinox as eqx  # isort: skip
import jax  # isort: skip
import optax  # isort: skip

Trees = dict[str, Any]
"""``network`` and ``optimiser``."""

Loss = Callable[..., tuple[Any, tuple[Any, Any]]]
"""Takes a network and a batch; returns the loss, the updated network and measurements."""


@dataclass(frozen=True, eq=False)
class Learner:
    """A loss and an optimiser; it has no state of its own."""

    loss: Loss
    optimiser: Any  # transforms a gradient before it is multiplied by the learning rate

    def begin(self, network: Any) -> Trees:
        """Return the initial trees."""
        parameters, _ = eqx.partition(network, trained(network))
        return {"network": network, "optimiser": self.optimiser.init(parameters)}

    def step(self, trees: Trees, rate: Any, *batch: Any) -> tuple[Trees, Any]:
        """Return the trees after a step, and the measurements on the batch."""
        network, optimiser, measured = _step(
            self.loss, self.optimiser, trees["network"], trees["optimiser"], rate, batch
        )
        return {"network": network, "optimiser": optimiser}, measured


@cache
def make_learner(config: Configuration, loss: Loss, momentum: float) -> Learner:
    """Return a learner with the configuration's optimiser and penalty; it is cached."""
    if config.optimiser == "adam":
        scaling = optax.scale_by_adam(b1=momentum, b2=config.second_momentum)
    else:
        scaling = optax.trace(decay=momentum)
    # The gradient of penalty * |theta|^2.
    return Learner(loss, optax.chain(optax.add_decayed_weights(2 * config.penalty), scaling))


def _take_step(
    loss: Loss, optimiser: Any, network: Any, state: Any, rate: Any, batch: Any
) -> tuple[Any, Any, Any]:
    parameters, statistics = eqx.partition(network, trained(network))

    def loss_of(parameters: Any) -> tuple[Any, tuple[Any, Any]]:
        return loss(eqx.combine(parameters, statistics), *batch)

    (_, (after, measured)), gradient = jax.value_and_grad(loss_of, has_aux=True)(parameters)
    updates, state = optimiser.update(gradient, state, parameters)
    parameters = jax.tree.map(lambda value, update: value - rate * update, parameters, updates)
    _, statistics = eqx.partition(after, trained(after))
    return eqx.combine(parameters, statistics), state, measured


_step = jax.jit(_take_step, static_argnums=(0, 1))
