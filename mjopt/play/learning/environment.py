"""The game as an environment for reinforcement learning."""

from typing import TYPE_CHECKING

from mjopt._internal.optional_deps import need
from mjopt.play.learning.config import Configuration

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from mjopt.play.learning.aec_env import Observation


def env(
    rules: str = "jj", *, declare: str = "auto", render_mode: str | None = None
) -> "AECEnv[str, Observation, int]":
    """Return one hand of Mahjong as a PettingZoo environment (AEC).

    The observation of an agent is a dictionary: ``observation`` holds the planes of its view,
    0 or 1 of shape (118, K), as the learning agent sees it
    (:func:`mjopt.play.learning.encode_view`); ``action_mask`` has shape (10 K,), where action
    ``K * type + kind`` is of one of the ten types of :class:`mjopt.play.learning.ActionType`. The
    reward is the change of points at the end of the hand. An agent that takes an illegal action
    gets -1, and the hand ends.

    Parameters
    ----------
    rules
        The rules: ``jj``, ``gmjbg`` or ``m0``, perhaps with changes, such as ``jj,ready=0``.
    declare
        Ready declarations: ``auto`` whenever a discard allows it, or ``never``.
    render_mode
        ``ansi`` to render the visible tiles as text, or None.

    Returns
    -------
    pettingzoo.AECEnv
        The environment, with PettingZoo's checks of actions and of the order of calls.

    Raises
    ------
    MissingExtraError
        If PettingZoo is not installed.
    ArgumentError, GameError
        If the rules or another argument are unknown.

    References
    ----------
    .. [1] Terry et al. (2021), "PettingZoo: Gym for multi-agent reinforcement learning".

    Examples
    --------
    >>> hand = env("m0")
    >>> hand.reset(seed=1)
    >>> observation = hand.observe("player_0")
    >>> observation["observation"].shape, int(observation["action_mask"].sum()) > 1
    ((118, 27), True)
    """
    need("pettingzoo", "gymnasium", extra="rl")
    from pettingzoo.utils import wrappers

    from mjopt.play.learning.aec_env import MahjongEnv

    hand: AECEnv[str, Observation, int] = MahjongEnv(
        Configuration(rules=rules, declare=declare), render_mode
    )
    hand = wrappers.TerminateIllegalWrapper(hand, illegal_reward=-1)
    hand = wrappers.AssertOutOfBoundsWrapper(hand)
    return wrappers.OrderEnforcingWrapper(hand)
