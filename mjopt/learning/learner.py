"""One step of training: a loss, its gradient, and what the optimiser makes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from mjopt.learning.config import Configuration
from mjopt.learning.networks import trained  # sets the number of threads, and comes first

import equinox as eqx  # isort: skip
import jax  # isort: skip
import optax  # isort: skip

Trees = dict[str, Any]
"""``network`` and ``optimiser``."""

Loss = Callable[..., tuple[Any, tuple[Any, Any]]]
"""Takes a network and a batch; returns the loss, the network after it, and what is measured."""


@dataclass(frozen=True, eq=False)
class Learner:
    """A loss and an optimiser; what they change is passed through."""

    loss: Loss  # what is made small
    optimiser: Any  # what becomes of a gradient, before it is multiplied by the rate

    def begin(self, network: Any) -> Trees:
        """Return what training begins with."""
        parameters, _ = eqx.partition(network, trained(network))
        return {"network": network, "optimiser": self.optimiser.init(parameters)}

    def step(self, trees: Trees, rate: Any, *batch: Any) -> tuple[Trees, Any]:
        """Return what a step makes of them, and what was measured on the batch."""
        network, optimiser, measured = _step(
            self.loss, self.optimiser, trees["network"], trees["optimiser"], rate, batch
        )
        return {"network": network, "optimiser": optimiser}, measured


@cache
def make_learner(config: Configuration, loss: Loss, momentum: float) -> Learner:
    """Return a learner with the configuration's optimiser and penalty; what it compiles is kept."""
    if config.optimiser == "adam":
        way = optax.scale_by_adam(b1=momentum, b2=config.second_momentum)
    else:
        way = optax.trace(decay=momentum)
    # The gradient of penalty * |theta|^2.
    return Learner(loss, optax.chain(optax.add_decayed_weights(2 * config.penalty), way))


def _changed(
    loss: Loss, optimiser: Any, network: Any, state: Any, rate: Any, batch: Any
) -> tuple[Any, Any, Any]:
    parameters, statistics = eqx.partition(network, trained(network))

    def of_parameters(these: Any) -> tuple[Any, tuple[Any, Any]]:
        return loss(eqx.combine(these, statistics), *batch)

    (_, (after, measured)), gradient = jax.value_and_grad(of_parameters, has_aux=True)(parameters)
    updates, state = optimiser.update(gradient, state, parameters)
    parameters = jax.tree.map(lambda one, by: one - rate * by, parameters, updates)
    _, statistics = eqx.partition(after, trained(after))
    return eqx.combine(parameters, statistics), state, measured


_step = jax.jit(_changed, static_argnums=(0, 1))
