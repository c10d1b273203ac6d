"""Rank and unrank hands: number all hands that satisfy a rule, and find a hand by its number.

A rule is a finite automaton that reads the copies (0 to 4) of one kind after another. Dynamic
programming counts the accepted continuations of every state, which turns a number into a hand.
If every hand counts once, uniform numbers are uniform hands; if it counts as often as its copies
can be chosen (1, 4, 6, 4, 1 for 0 to 4 copies of a kind), they are uniform deals. Either way one
uniform integer is one exact draw without rejection.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import in_python, is_few
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import COPIES, TileSet

DISTINCT: Final = (1, 1, 1, 1, 1)
"""Every hand has weight one: uniform hands."""

DEALT: Final = (1, 4, 6, 4, 1)
"""Every hand is weighted by its number of deals: uniform deals."""

_FEW: Final = 4096  # hands: fewer are unranked in Python, without importing numba

State = TypeVar("State", bound=Hashable)
Rule = tuple[State, Callable[[int, State, int], State | None], Callable[[State], bool]]
"""First state; transition from (kind, state, copies) to the next state, or None if not allowed;
and whether a last state is accepted."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Ranking:
    """The hands that satisfy a rule, numbered in lexicographic order of their copies."""

    after: npt.NDArray[np.int16]  # state after 0 to 4 copies of a kind, shape (kinds, states, 5)
    # Number of hands with fewer copies of the kind, weighted, same shape.
    below: npt.NDArray[np.uint64]
    # Number of continuations for one choice of those copies, same shape.
    unit: npt.NDArray[np.uint64]
    total: int  # number of hands, weighted
    weights: tuple[int, ...]  # ``DISTINCT`` or ``DEALT``

    def hands(self, numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
        """Return the hands of these numbers, shape (N, kinds).

        Examples
        --------
        >>> from mjopt.hands.tiles import M0
        >>> ranking = rank_hands(M0, any_hand(14), weights=DISTINCT)
        >>> ranking.total
        21310147575
        >>> hands = ranking.hands(np.array([0, ranking.total - 1], np.uint64))
        >>> hands[0].nonzero()[0].tolist(), hands[1, :4].tolist()
        ([23, 24, 25, 26], [4, 4, 4, 2])
        """
        from mjopt.datasets._kernels import find_hands

        hands = np.empty((len(numbers), len(self.after)), np.uint8)
        find = in_python(find_hands) if is_few(len(hands), _FEW) else find_hands
        find(numbers, self.after, self.below, self.unit, self.weights != DISTINCT, hands)
        return hands

    def draw(self, number: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
        """Draw random hands, every number equally likely; shape (number, kinds)."""
        return self.hands(rng.integers(0, self.total, size=number, dtype=np.uint64))


def rank_hands(tiles: TileSet, rule: Rule[State], *, weights: tuple[int, ...]) -> Ranking:
    """Return the ranking of the hands that satisfy a rule, an automaton.

    The weights are ``DISTINCT`` or ``DEALT``. If no hand satisfies the rule, or a number needs more
    than 63 bits, `ArgumentError` is raised.
    """
    start, step, is_hand = rule
    layers: list[dict[State, int]] = [{start: 0}]
    steps: list[list[list[int]]] = []
    for kind in range(tiles.num_kinds):
        coming: dict[State, int] = {}
        rows = []
        for state in layers[-1]:
            following = [step(kind, state, held) for held in range(COPIES + 1)]
            rows.append([-1 if s is None else coming.setdefault(s, len(coming)) for s in following])
        layers.append(coming)
        steps.append(rows)
    most = max(len(layer) for layer in layers)
    shape = (tiles.num_kinds, most, COPIES + 1)
    after = np.zeros(shape, np.int16)
    below, unit = np.zeros(shape, np.uint64), np.ones(shape, np.uint64)
    ways = [int(is_hand(state)) for state in layers[-1]]
    for kind in range(tiles.num_kinds - 1, -1, -1):
        before = []
        for place, row in enumerate(steps[kind]):
            sums = [0]
            for held, target in enumerate(row):
                rest = 0 if target < 0 else ways[target]
                after[kind, place, held] = max(target, 0)
                unit[kind, place, held] = max(rest, 1)
                sums.append(sums[-1] + weights[held] * rest)
            if sums[-1] >= 1 << 63:
                raise ArgumentError(f"{tiles.name}: more than 2**63 ways, cannot be numbered")
            below[kind, place] = sums[:-1]
            before.append(sums[-1])
        ways = before
    if not ways[0]:
        raise ArgumentError(f"{tiles.name}: no hand fits that rule")
    return Ranking(after=after, below=below, unit=unit, total=ways[0], weights=weights)


def any_hand(num_tiles: int) -> Rule[int]:
    """Return the rule of all hands of a size; the state is the number of tiles left."""

    def step(_: int, left: int, held: int) -> int | None:
        return left - held if held <= left else None

    return num_tiles, step, lambda left: left == 0


def with_kongs(num_tiles: int, least: int) -> Rule[tuple[int, int]]:
    """Return the rule of hands with at least a given number of kinds held four times.

    The state is the tiles left and the kongs still to come.
    """
    if not 0 <= least <= num_tiles // COPIES:
        raise ArgumentError(
            f"{least} kongs", expected=f"0..{num_tiles // COPIES} in {num_tiles} tiles"
        )

    def step(_: int, state: tuple[int, int], held: int) -> tuple[int, int] | None:
        left, wanted = state
        if held > left:
            return None
        return left - held, max(0, wanted - (held == COPIES))

    return (num_tiles, least), step, lambda state: state == (0, 0)


def with_types(tiles: TileSet, num_tiles: int, num_types: int) -> Rule[tuple[int, int, bool]]:
    """Return the rule of hands with tiles of an exact number of suits (honours are one).

    The state is the tiles left, the suits still to come, and whether this suit is held.
    """
    if not 1 <= num_types <= len(tiles.suits):
        raise ArgumentError(f"{num_types} types", expected=f"1..{len(tiles.suits)} in {tiles.name}")
    first = {part.start for part in tiles.slices}

    def step(kind: int, state: tuple[int, int, bool], held: int) -> tuple[int, int, bool] | None:
        left, wanted, is_held = state
        if kind in first:
            is_held = False
        if held and not is_held:
            wanted, is_held = wanted - 1, True
        return None if held > left or wanted < 0 else (left - held, wanted, is_held)

    return (num_tiles, num_types, False), step, lambda state: state[:2] == (0, 0)
