"""What a search is given and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import as_whole, is_number, told
from mjopt.errors import LearningError

ROOTS: Final = ("puct", "gumbel")

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Streams = np.random.Generator | Sequence[np.random.Generator]


class Model(Protocol):
    """What a search asks: a network, or a table in place of one. Batch first, NumPy in and out."""

    def start(self, planes: NDArray[Any], /) -> tuple[Floats, ...]:
        """Return hidden states ``(B, ...)``, priors ``(B, 55 K)`` and values ``(B, 4)``.

        Values are in -1 to 1, in turn order from the player whose turn it is.
        """

    def follow(self, hidden: Floats, numbers: Integers, /) -> tuple[Floats, ...]:
        """Return the same of what comes of an action in each state, as a full number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How long and how a search looks.

    Raises LearningError if a number is out of range.

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
    mjopt.errors.LearningError: root 'ucb', expected puct or gumbel
    """

    # leaves that are added to a tree. The article counts the root as one of its own
    simulations: int
    exploration: float = 1.5  # C1 of Eq. 2
    # how much of the root's priors is noise, 0 to 1; the article trains with 0.3. Nothing with
    # `gumbel`, which draws its moves anyway
    noise: float = 0.0
    # of the gamma distribution of the noise: this divided by the number of legal moves
    noise_total: float = 10.0
    # `puct`: the root chooses as every node does, and the most visited move is played. `gumbel`:
    # moves drawn without replacement, then halved by their values
    root: str = "puct"
    considered: int = 16  # moves that `gumbel` begins with
    # `visit_base`, `value_scale`: of `gumbel`: c_visit and c_scale, for values in 0 to 1
    visit_base: float = 50.0
    value_scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be meant."""
        for name in ("simulations", "considered"):
            if (as_whole(given := getattr(self, name)) or 0) < 1:
                raise LearningError(f"{name} {told(given)}, expected a whole number from 1 on")
        for name in ("exploration", "noise", "noise_total", "visit_base", "value_scale"):
            given, most = getattr(self, name), 1.0 if name == "noise" else inf
            if not is_number(given) or not 0 <= given <= most or given == inf:
                upper = " to 1" if name == "noise" else " or more"
                raise LearningError(f"{name} {told(given)}, expected 0{upper}")
        if not self.noise_total:
            raise LearningError("noise_total 0, expected more")
        if self.root not in ROOTS:
            raise LearningError(f"root {told(self.root)!r}, expected {' or '.join(ROOTS)}")


class SearchResult(NamedTuple):
    """What a search found, a row a game."""

    visits: NDArray[np.int32]  # how often each full number was tried at the root, shape `(B, 55 K)`
    # the same summed over the channels of a move, shape `(B, 10 K)`
    small_visits: NDArray[np.int32]
    # what a network should learn to say at the root, shape `(B, 55 K)`, sum 1: the shares of the
    # visits, or what `gumbel` makes of priors and values
    policy: Floats
    # the mean of all values met, the root's own among them, in turn order from the root's player,
    # shape `(B, 4)`
    values: Floats
    chosen: Integers  # the move to play, as a small number, shape `(B,)`


def spawn_rngs(rng: Streams, games: int) -> Sequence[np.random.Generator]:
    """Return a generator a game, so that no game's numbers depend on the others.

    Raises LearningError if there are more or fewer generators than games.
    """
    if isinstance(rng, np.random.Generator):
        return rng.spawn(games)
    if len(rng) != games:
        raise LearningError(f"{len(rng)} generators for {games} games")
    return rng
