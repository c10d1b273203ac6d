"""The expected-draws agent: minimise the expected number of draws to a win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt.hands.hand import Hand
from mjopt.play.game.agents.greedy import (
    CallPolicy,
    PolicyOptions,
    Rating,
    RatingAgent,
    check_option_names,
    take_policy,
)
from mjopt.play.game.observation import View

Counts = tuple[int, ...]

DIGITS = 10  # means are rounded, so that rounding errors do not hide ties


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawsAgent(RatingAgent):
    """Minimise the expected draws after the discard; call if they decrease.

    The model treats all tiles that the seat cannot see as the wall, and keeps every drawn
    tile; see :mod:`mjopt.chances.draws`. The rule ``outer`` breaks ties.

    Parameters
    ----------
    policy
        When the agent calls, makes kongs and declares ready; ``wider`` is the same as ``falls``.

    References
    ----------
    .. [1] A student's report on Mahjong (2021), section 2: the player by expected draws.

    Examples
    --------
    >>> DrawsAgent.from_options({"calls": "never"}).name
    'draws-never'
    """

    @classmethod
    def from_options(cls, options: PolicyOptions) -> "DrawsAgent":
        """Read ``calls=``, ``kongs=`` and ``ready=``."""
        check_option_names("draws", options, cls.list_options())
        return cls(policy=take_policy(options))

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_options``."""
        return CallPolicy.list_options()

    @property
    def name(self) -> str:
        """``draws`` and the options that are not default."""
        return "-".join(["draws", *self.policy.words()])

    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate by the expected number of draws."""
        from mjopt.chances.draws.ranking import rank_discards  # loading its kernels is slow

        ranked = rank_discards(
            Hand.from_counts(hand, tiles=view.tiles, called=called),
            wall=view.unseen,
            forms=view.rules.forms,
            exact=False,
        )
        means = {row.kind: (round(float(row.mean), DIGITS),) for row in ranked}
        return {kind: means[kind] for kind in kinds}

    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a waiting hand by its expected draws."""
        from mjopt.chances.draws.expected_draws import float_mean

        waiting = Hand.from_counts(hand, tiles=view.tiles, called=called)
        return (round(float_mean(waiting, wall=view.unseen, forms=view.rules.forms), DIGITS),)
