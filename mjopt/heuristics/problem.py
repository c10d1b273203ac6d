"""The deficiency of a hand as a function of real numbers, for optimisers of other packages."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import in_python, is_few, kernel
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_floats, expect
from mjopt.errors import ArgumentError
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.predecomposition import Predecomposition
from mjopt.heuristics._candidates import MAX_POSITIONS, Ints, judge, list_elements, new_problem
from mjopt.heuristics._candidates import Problem as Words
from mjopt.heuristics._random_streams import STREAM_WORDS, Stream
from mjopt.heuristics.encoding import Encoding
from mjopt.heuristics.evaluation_count import count_evaluations
from mjopt.heuristics.population import chow_starts
from mjopt.heuristics.repair import REPAIRS, rule_code
from mjopt.heuristics.tree_search import TreeSearch

FEW = 20_000
"""Rows that are evaluated in Python if numba is not loaded yet."""


@kernel
def judge_rows(chosen: Ints, problem: Words, stream: Any, costs: Ints) -> None:
    """Repair the rows of `chosen` in place, and write their costs."""
    for row in range(len(chosen)):
        costs[row] = judge(chosen[row], problem, stream)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A function to minimise: numbers of pieces of a hand to tile changes.

    The function takes one real number for each position of an individual of the paper: after
    rounding, 0 is an empty position and e is the e-th element of the set S (`Encoding`). An
    individual that uses more tiles than the hand has is repaired, then its cost is that of
    equation 8. Equal numbers always have the same cost. The function is constant around whole
    numbers, so gradients are 0.

    Parameters
    ----------
    hand
        The hand.
    order
        Order of S; one of ``mjopt.heuristics.ORDERS``.
    repair
        One of ``mjopt.heuristics.REPAIRS`` without randomness.
    special_case_1, special_case_2
        As in :meth:`mjopt.Predecomposition.cost`.

    Raises
    ------
    ArgumentError
        If an order or a repair is unknown, or the repair is random.

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, section 3.2.

    Examples
    --------
    >>> from mjopt.heuristics import problem
    >>> hand = problem("1123m46p789s11225z")
    >>> hand.num_variables, hand.evaluate([0.0] * hand.num_variables), hand.optimum
    (5, 9, 2)
    """

    hand: Hand
    order: str = "by-kind"
    repair: str = "pmelds-first"
    special_case_1: bool = True
    special_case_2: bool = True
    _words: Words = field(init=False, repr=False, compare=False)
    _encoding: Encoding = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Validate the parameters and list S."""
        steady = [name for name in REPAIRS if REPAIRS[name][1] != "random"]
        if not isinstance(self.repair, str) or self.repair not in steady:
            raise ArgumentError(
                argument="repair", value=short_repr(self.repair), expected=tuple(steady)
            )
        for name in ("special_case_1", "special_case_2"):
            expect(getattr(self, name), bool, name)
        object.__setattr__(self, "hand", as_hand(self.hand))
        encoding = Encoding(self.hand, self.order)
        words = new_problem(
            called=self.hand.called,
            by_tile=self.order == "by-tile",
            rule=rule_code(self.repair),
            special_case_1=self.special_case_1,
            special_case_2=self.special_case_2,
        )
        list_elements(np.array(self.hand.counts, np.uint8), chow_starts(self.hand.tiles), words)
        object.__setattr__(self, "_encoding", encoding)
        object.__setattr__(self, "_words", words)

    @property
    def num_variables(self) -> int:
        """Length of an argument: five, less one for each called meld."""
        return self._encoding.num_positions

    @property
    def num_elements(self) -> int:
        """Size of S."""
        return self._encoding.num_elements

    @property
    def bounds(self) -> "tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]":
        """Lower and upper bounds, each of shape ``(num_variables,)``.

        All numbers from 0 to ``num_elements`` have the same share of the range.
        """
        least = np.full(self.num_variables, -0.5)
        return least, least + self.num_elements + 1

    @property
    def optimum(self) -> int:
        """The exact deficiency of the hand, found by tree search.

        It is the least cost of the function, except that the cost can be lower for three kongs and
        a pchow, where equation 8 is wrong.
        """
        return TreeSearch().deficiency(self.hand)

    def decode(self, x: "npt.ArrayLike") -> Predecomposition:
        """Return the predecomposition that an argument stands for, after the repair.

        Parameters
        ----------
        x
            Shape ``(num_variables,)``, finite.
        """
        chosen = self._chosen(as_floats(x, "argument", ArgumentError)[None])
        in_python(judge_rows)(chosen, self._words, _NO_STREAM, np.zeros(1, np.int64))
        return self._encoding.decode(chosen[0, : self.num_variables].tolist())

    def evaluate(self, x: "npt.ArrayLike") -> int:
        """Return the cost of an argument in tile changes.

        Parameters
        ----------
        x
            Shape ``(num_variables,)``, finite; numbers beyond the bounds count as the bound.

        Raises
        ------
        ArgumentError
            If the shape is another one, or a number is not finite.
        """
        return int(self.evaluate_batch(as_floats(x, "argument", ArgumentError)[None])[0])

    def evaluate_batch(self, xs: "npt.ArrayLike") -> "npt.NDArray[np.int64]":
        """Return the costs of many arguments, shape ``(N,)``.

        Parameters
        ----------
        xs
            Shape ``(N, num_variables)``, finite.

        Raises
        ------
        ArgumentError
            If the shape is another one, or a number is not finite.
        """
        costs = self._costs(as_floats(xs, "arguments", ArgumentError))
        count_evaluations(len(costs))
        return costs

    def _costs(self, xs: npt.NDArray[np.float64]) -> Ints:
        """Return the costs of many arguments, which the caller counts."""
        chosen = self._chosen(xs)
        costs = np.zeros(len(chosen), np.int64)
        judge_all = in_python(judge_rows) if is_few(len(chosen), FEW) else judge_rows
        judge_all(chosen, self._words, _NO_STREAM, costs)
        return costs

    def _chosen(self, xs: npt.NDArray[np.float64]) -> Ints:
        """Return individuals for kernels, shape ``(N, 5)``."""
        if xs.ndim != 2 or xs.shape[1] != self.num_variables:
            is_one = xs.ndim > 1 and len(xs) == 1
            got, expected = xs.shape[1:] if is_one else xs.shape, self.num_variables
            raise ArgumentError(f"argument of shape {got}", expected=f"{expected} numbers each")
        if not np.isfinite(xs).all():
            raise ArgumentError(
                argument="argument", value=short_repr(xs.tolist()), expected="finite numbers"
            )
        chosen = np.zeros((len(xs), MAX_POSITIONS), np.int64)
        chosen[:, : self.num_variables] = np.clip(np.rint(xs), 0, self.num_elements)
        return chosen


_NO_STREAM: Stream = np.zeros(STREAM_WORDS, np.uint64)  # repairs without randomness draw no numbers


def problem(
    hand: HandLike,
    *,
    order: str = "by-kind",
    repair: str = "pmelds-first",
    special_case_1: bool = True,
    special_case_2: bool = True,
) -> Problem:
    """Return the deficiency of a hand as a function to minimise.

    Parameters
    ----------
    hand
        The hand, as for :func:`mjopt.certify`.
    order, repair, special_case_1, special_case_2
        As for :class:`Problem`.

    Raises
    ------
    ArgumentError
        If an order or a repair is unknown, or the repair is random.

    Examples
    --------
    >>> hand = problem("1123m46p789s11225z")
    >>> hand.num_variables, hand.optimum
    (5, 2)
    >>> hand.evaluate([0, 0, 0, 0, 0])
    9
    >>> rng = np.random.default_rng(1)
    >>> int(hand.evaluate_batch(rng.uniform(*hand.bounds, size=(1000, 5))).min())
    3
    """
    return Problem(
        hand=as_hand(hand),
        order=order,
        repair=repair,
        special_case_1=special_case_1,
        special_case_2=special_case_2,
    )
