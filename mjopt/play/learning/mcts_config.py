"""Model, settings and result of a tree search."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, is_number
from mjopt.errors import ArgumentError

ROOTS: Final = ("puct", "gumbel")

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Streams = np.random.Generator | Sequence[np.random.Generator]


class Model(Protocol):
    """Interface of the model of a search; batches of NumPy arrays."""

    def start(self, planes: NDArray[np.number], /) -> tuple[Floats, ...]:
        """Return hidden states ``(B, ...)``, priors ``(B, 55 K)`` and values ``(B, 4)``.

        Values are in -1 to 1, in turn order from the current player.
        """

    def follow(self, hidden: Floats, numbers: Integers, /) -> tuple[Floats, ...]:
        """Return the same after one action in each state, given as full numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Parameters of a search.

    Raises ArgumentError if a number is out of range.

    References
    ----------
    .. [1] Ouyang, Zhou (2023), Electronics 12, 2453, section 3.1.1 and appendix C.
    .. [2] Danihelka, Guez, Schrittwieser, Silver (2022), Policy improvement by planning with
       Gumbel, ICLR.

    Examples
    --------
    >>> SearchSettings(simulations=25).exploration
    1.5
    >>> SearchSettings(simulations=16, root="ucb")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: root 'ucb', expected puct or gumbel
    """

    # leaves added to a tree; the article also counts the root
    simulations: int
    exploration: float = 1.5  # C1 of Eq. 2
    # share of noise in the root's priors, 0 to 1; the article trains with 0.3. Not used with
    # `gumbel`, which samples its moves
    noise: float = 0.0
    # sum of the gamma parameters of the noise, divided by the number of legal moves
    noise_total: float = 10.0
    # `puct`: as in every node, and the most visited move is played. `gumbel`: moves sampled
    # without replacement, then halved by their values
    root: str = "puct"
    considered: int = 16  # number of moves that `gumbel` samples
    # `visit_base`, `value_scale`: c_visit and c_scale of `gumbel`, for values in 0 to 1
    visit_base: float = 50.0
    value_scale: float = 1.0

    def __post_init__(self) -> None:
        """Validate the values."""
        for name in ("simulations", "considered"):
            if (as_whole(value := getattr(self, name)) or 0) < 1:
                raise ArgumentError(
                    argument=name, value=short_repr(value), expected="a whole number of at least 1"
                )
        for name in ("exploration", "noise", "noise_total", "visit_base", "value_scale"):
            value, most = getattr(self, name), 1.0 if name == "noise" else inf
            if not is_number(value) or not 0 <= value <= most or value == inf:
                upper = " to 1" if name == "noise" else " or more"
                raise ArgumentError(argument=name, value=short_repr(value), expected=f"0{upper}")
        if not self.noise_total:
            raise ArgumentError("noise_total 0", expected="more than 0")
        if self.root not in ROOTS:
            raise ArgumentError(
                argument="root", value=short_repr(self.root), expected=" or ".join(ROOTS)
            )


class SearchResult(NamedTuple):
    """Result of a search, one row a game."""

    visits: NDArray[np.int32]  # visits of each full number at the root, shape `(B, 55 K)`
    # visits summed over the channels of a move, shape `(B, 10 K)`
    small_visits: NDArray[np.int32]
    # training target of the policy at the root, shape `(B, 55 K)`, sum 1: the shares of the
    # visits, or the improved policy of `gumbel`
    policy: Floats
    # mean of all values, the root's included, in turn order from its player, shape `(B, 4)`
    values: Floats
    chosen: Integers  # the move to play, as a small number, shape `(B,)`


def spawn_rngs(rng: Streams, games: int) -> Sequence[np.random.Generator]:
    """Return one generator for each game, so that games do not depend on each other.

    Raises ArgumentError if the number of generators is not that of the games.
    """
    if isinstance(rng, np.random.Generator):
        return rng.spawn(games)
    if len(rng) != games:
        raise ArgumentError(f"{len(rng)} generators for {games} games", expected="one for each")
    return rng
