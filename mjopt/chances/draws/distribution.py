"""The exact distribution of the number of draws that complete a hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, inf, isinf, lcm
from typing import Any

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.errors import ArgumentError, HandError, ModelError, TileError
from mjopt.hands.coerce import HandLike, as_copies
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.winning_form import WinningForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """The result of a limited number of draws.

    Parameters
    ----------
    limit
        Most draws allowed.
    probability
        Probability that the hand is complete by then.
    conditional_mean
        Expected draws in those cases; None if the probability is 0.
    mean
        Expected number of draws made, ``limit`` if the hand stays incomplete.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("113399s", called=2, tiles="136", partial=True)
    >>> within = mjopt.expected_draws(hand, wall="1223s2z").within(3)
    >>> within.probability, within.conditional_mean, within.mean
    (Fraction(3, 5), Fraction(8, 3), Fraction(14, 5))
    """

    limit: int
    probability: Fraction
    conditional_mean: Fraction | None
    mean: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Distribution of the number of draws K until a hand is complete.

    Every drawn tile is kept. K is the least number of draws after which hand and draws
    contain a complete hand; it is infinite if the whole wall does not complete the hand.

    Parameters
    ----------
    ways
        For 0, 1, ... draws up to the whole wall, the number of sets of physical tiles that
        leave the hand incomplete.

    Examples
    --------
    >>> waiting = Waiting(ways=(1, 5, 8, 4, 0, 0))
    >>> waiting.mean, waiting.quantile(0.5), [str(p) for p in waiting.curve]
    (Fraction(16, 5), 3, ['0', '0', '1/5', '3/5', '1', '1'])
    """

    ways: tuple[int, ...]

    def __post_init__(self) -> None:
        """Validate the counts: the share of incomplete sets cannot grow."""
        expect(self.ways, tuple, "ways")
        for ways in self.ways:
            whole(ways, "ways")
        if not self.ways or self.ways[0] not in (0, 1):
            raise ModelError(
                f"ways begin with {short_repr(self.ways[0])}" if self.ways else "no ways",
                expected="0 or 1, the ways to draw nothing",
            )
        # ways[i + 1] / C(n, i + 1) <= ways[i] / C(n, i), multiplied out: a hand that is complete
        # stays complete.
        size = self.wall_size
        for draws, ways in enumerate(self.ways[:-1]):
            if not 0 <= self.ways[draws + 1] * (draws + 1) <= ways * (size - draws):
                raise ModelError(
                    f"{self.ways[draws + 1]} ways with {draws + 1} draws after {ways} with {draws}",
                    expected=f"at most {ways * (size - draws) // (draws + 1)}",
                )

    @property
    def wall_size(self) -> int:
        """Tiles in the wall."""
        return len(self.ways) - 1

    @property
    def is_certain(self) -> bool:
        """Whether the whole wall completes the hand, so that K is finite."""
        return self.ways[-1] == 0

    @property
    def probability(self) -> Fraction:
        """The probability that the whole wall completes the hand: 0 or 1."""
        return 1 - Fraction(self.ways[-1])

    @property
    def mean(self) -> Fraction | float:
        """The expected number of draws, E[K]; infinite if the wall cannot complete the hand."""
        if not self.is_certain:
            return inf
        # E[K] is the sum of P(K > i) over all i >= 0, over a common denominator.
        denominator, multipliers = _shares(self.wall_size)
        total = sum(ways * times for ways, times in zip(self.ways, multipliers, strict=True))
        return Fraction(total, denominator)

    @property
    def variance(self) -> Fraction | float:
        """The variance of K; infinite if the mean is."""
        mean = self.mean
        if not isinstance(mean, Fraction):
            return inf
        denominator, multipliers = _shares(self.wall_size)
        # E[K**2] is the sum of (2 i + 1) P(K > i).
        pairs = enumerate(zip(self.ways, multipliers, strict=True))
        square = sum((2 * draws + 1) * ways * times for draws, (ways, times) in pairs)
        return Fraction(square, denominator) - mean * mean

    @property
    def least(self) -> int | None:
        """The deficiency: the fewest draws that can complete the hand; None if none can."""
        return next((i for i, ways in enumerate(self.ways) if ways < comb(self.wall_size, i)), None)

    @property
    def most(self) -> int | None:
        """The number of draws after which the hand is always complete; None if it may never be."""
        return next((i for i, ways in enumerate(self.ways) if ways == 0), None)

    @property
    def curve(self) -> tuple[Fraction, ...]:
        """P(K <= i) for i = 0, 1, ... up to the whole wall."""
        return tuple(self._complete_by(draws) for draws in range(len(self.ways)))

    @property
    def curve_floats(self) -> tuple[float, ...]:
        """The curve in floating point, each number rounded once."""
        size = self.wall_size
        return tuple((comb(size, i) - ways) / comb(size, i) for i, ways in enumerate(self.ways))

    def _complete_by(self, draws: int) -> Fraction:
        return 1 - Fraction(self.ways[draws], comb(self.wall_size, draws))

    def quantile(self, share: float | Fraction) -> int | None:
        """Return the least number of draws that completes the hand with a given probability.

        Parameters
        ----------
        share
            A probability, ``0..1``.

        Returns
        -------
        int or None
            None if the probability is never reached.

        Examples
        --------
        >>> [Waiting(ways=(1, 5, 8, 4, 0, 0)).quantile(q) for q in (0, 0.2, 0.21, 1)]
        [0, 2, 3, 4]
        """
        if not 0 <= share <= 1:
            raise ArgumentError(
                argument="quantile", value=str(share), expected="a probability from 0 to 1"
            )
        wanted = Fraction(share).limit_denominator(10**9)  # 0.2 means a fifth
        return next((i for i in range(len(self.ways)) if self._complete_by(i) >= wanted), None)

    def within(self, limit: int) -> Within:
        """Return the result of at most ``limit`` draws.

        Examples
        --------
        >>> found = Waiting(ways=(1, 5, 8, 4, 0, 0)).within(3)
        >>> str(found.probability), str(found.conditional_mean), str(found.mean)
        ('3/5', '8/3', '14/5')
        """
        if limit < 0:
            raise ArgumentError(argument="limit", value=str(limit), expected="0 or more draws")
        last = min(limit, self.wall_size)
        misses = [1 - self._complete_by(draws) for draws in range(last + 1)]
        # E[min(K, limit)] is the sum of P(K > i) over i < limit; after the whole wall P(K > i)
        # stays the same.
        made = sum(misses[:last], Fraction(0)) + (limit - last) * misses[last]
        probability = 1 - misses[last]
        conditional = (made - limit * misses[last]) / probability if probability else None
        return Within(limit=limit, probability=probability, conditional_mean=conditional, mean=made)

    def to_document(self, within: int | None = None) -> dict[str, Any]:
        """Return a JSON-ready document, exact numbers as text.

        Parameters
        ----------
        within
            Also include the result of that many draws.
        """
        document: dict[str, Any] = {
            "mean": str(self.mean) if self.is_certain else None,
            "mean_float": as_float(self.mean),
            "variance": as_float(self.variance),
            "is_certain": self.is_certain,
            "deficiency": self.least,
            "most": self.most,
            "quantiles": {str(q): self.quantile(q) for q in (0.1, 0.5, 0.9)},
            "curve": list(self.curve_floats),
            "ways": [str(ways) for ways in self.ways],  # too large for many JSON readers
        }
        if within is not None:
            found = self.within(within)
            mean = found.conditional_mean
            document["within"] = {
                "limit": within,
                "probability": str(found.probability),
                "conditional_mean": None if mean is None else str(mean),
                "mean": str(found.mean),
            }
        return document

    def mean_modulo(self, prime: int) -> int:
        """Return the mean modulo a prime, as programming contests print fractions.

        Examples
        --------
        >>> Waiting(ways=(1, 5, 8, 4, 0, 0)).mean_modulo(998244353)
        598946615
        """
        mean = self.mean
        if not isinstance(mean, Fraction):
            raise HandError("the wall cannot complete the hand: the mean is infinite")
        if mean.denominator % prime == 0:
            raise HandError(f"the denominator {mean.denominator} is a multiple of {prime}")
        return mean.numerator * pow(mean.denominator, -1, prime) % prime


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draws(Waiting):
    """Distribution of the draws that complete one hand from one wall.

    Parameters
    ----------
    ways
        For each number of draws, the choices from the wall that leave the hand
        incomplete; see :class:`Waiting`.
    hand
        The hand.
    wall
        Copies of each kind in the wall.
    forms
        The winning forms.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("113399s", called=2, tiles="136", partial=True)
    >>> draws = mjopt.expected_draws(hand, wall="1223s2z")
    >>> draws.mean, sum(draws.wall)
    (Fraction(16, 5), 5)
    """

    hand: Hand
    wall: tuple[int, ...]
    forms: tuple[WinningForm, ...]

    @classmethod
    def of(cls, query: HandQuery, ways: Iterable[int]) -> "Draws":
        """Make the distribution for a query, whose unseen tiles are the wall."""
        return cls(ways=tuple(ways), hand=query.hand, wall=query.unseen, forms=query.forms)

    def __repr__(self) -> str:
        """Show the hand and the mean."""
        return (
            f"Draws({self.hand.to_text()!r}, {self.wall_size} tiles in the wall: "
            f"mean {float(self.mean):.4f})"
        )


def draws_query(
    hand: HandLike,
    wall: Iterable[int] | str | None,
    forms: FormsLike,
) -> HandQuery:
    """Return the query of a hand and a wall, after validating the wall."""
    query = HandQuery(hand, forms, general=True)
    if wall is None:
        return query
    return HandQuery.of_checked(query.hand, query.forms, check_wall(query.hand, wall))


def check_wall(hand: Hand, wall: Iterable[int] | str | None) -> tuple[int, ...]:
    """Validate the wall and return it as a tuple; by default all copies not shown.

    The wall is copies of each kind, each in ``0..4``, or text. TileError if it holds a copy that
    the hand or a called meld holds.

    Examples
    --------
    >>> check_wall(Hand.parse("1112345678999m"), [1, 4] + [0] * 25)
    Traceback (most recent call last):
    mjopt.errors.TileError: wall: 4 copies of 2m, but the hand leaves 3
    """
    if wall is None:
        return hand.unseen
    copies = as_copies(wall, hand.tiles, what="wall")
    for kind, (there, left) in enumerate(zip(copies, hand.unseen, strict=True)):
        if there > left:
            raise TileError(
                f"{there} copies of {hand.tiles.names[kind]}, but the hand leaves {left}",
                argument="wall",
            )
    return copies


def as_float(number: Fraction | float) -> float | None:
    """Return a float for JSON; None for infinity."""
    return None if isinf(number) else float(number)


@lru_cache(maxsize=256)
def _shares(size: int) -> tuple[int, tuple[int, ...]]:
    """Return a common multiple of the binomials C(size, i), and the cofactor of each."""
    multiple = lcm(*range(1, size + 2)) // (size + 1)  # the least common multiple, for any size
    return multiple, tuple(multiple // comb(size, draws) for draws in range(size + 1))
