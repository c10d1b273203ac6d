"""Reconstruct integers from remainders: primes, evaluation points, Chinese remainder theorem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt, prod
from operator import mul
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import ModelError

# A count may exceed 2**119 (sets of 61 of 123 tiles), too much for the 64 bits of a kernel. So it
# is computed modulo primes whose product exceeds every possible count, C(n, n / 2) at most, and the
# Chinese remainder theorem gives the integer: docs/reference/expected-draws.md, "Exact arithmetic".
# Five primes suffice for a wall of 136 tiles.
# Polynomials are multiplied by their values at Q points. Every prime is 1 modulo ROOTS, so that for
# each Q which divides ROOTS there is a root of unity w of order Q: with the powers of w as points,
# the inverse of the matrix (w**(r q)) is (w**(-r q)) / Q, and no system of equations is solved.

ROOTS: Final = 2**10 * 3**2 * 5 * 7
"""Every number of points divides this, so that roots of unity exist."""

NUM_POWERS: Final = 64
"""Draws from one part, or of jokers: at most one less."""

TOP: Final = 1 << 29  # see _kernels: sixty-three products and a remainder fit a word


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Points:
    """Evaluation points: powers of a root of unity modulo a prime."""

    prime: int
    table: NDArray[np.uint32]  # shape (1, 64, Q): the powers 0..63 of each point
    # Shape (Q, Q): from the values of a polynomial of degree below Q at all points to its
    # coefficients.
    back: NDArray[np.uint32]


def _is_prime(number: int) -> bool:
    return all(number % factor for factor in range(3, isqrt(number) + 1, 2)) and number % 2 == 1


@cache
def _prime(place: int) -> int:
    """Return the prime number ``place`` below ``TOP`` that is 1 modulo ``ROOTS``, descending."""
    number = (_prime(place - 1) if place else TOP // ROOTS * ROOTS + ROOTS + 1) - ROOTS
    while number >= TOP or not _is_prime(number):
        number -= ROOTS
    return number


def primes_for(most: int) -> tuple[int, ...]:
    """Return primes whose product exceeds a number.

    Remainders then identify every integer from 0 to ``most``.

    Examples
    --------
    >>> primes = primes_for(2**119)
    >>> len(primes), prod(primes) > 2**119, {prime % ROOTS for prime in primes}
    (5, True, {1})
    """
    primes: list[int] = []
    while prod(primes) <= most:
        primes.append(_prime(len(primes)))
    return tuple(primes)


@cache
def num_points(degree: int) -> int:
    """Return a number of points for polynomials of a degree, a multiple of eight.

    ModelError if there are more coefficients than roots of unity.

    Examples
    --------
    >>> num_points(0), num_points(39), num_points(40)
    (8, 40, 48)
    """
    if degree >= ROOTS:
        raise ModelError(f"polynomials of degree {degree}", expected=f"less than {ROOTS}")
    return next(n for n in range(8, ROOTS + 1, 8) if n > degree and ROOTS % n == 0)


@cache
def points(prime: int, number: int) -> Points:
    """Return evaluation points modulo a prime; ``number`` comes from :func:`num_points`.

    Examples
    --------
    >>> where = points(primes_for(1)[0], 4)
    >>> polynomial = np.array([5, 7, 0, 1], np.uint64)
    >>> values = polynomial @ where.table[0, :4].astype(np.uint64) % np.uint64(where.prime)
    >>> (where.back.astype(object) @ values.astype(object) % where.prime).tolist()
    [5, 7, 0, 1]
    """
    # A number to the power (p - 1) / Q has an order that divides Q; the order is Q if no Q / q for
    # a prime q is a multiple of it.
    root = next(
        candidate
        for candidate in (pow(base, (prime - 1) // number, prime) for base in range(2, prime))
        if all(pow(candidate, number // q, prime) != 1 for q in (2, 3, 5, 7) if number % q == 0)
    )
    powers = np.array([pow(root, q, prime) for q in range(number)], np.uint32)
    share = pow(number, -1, prime)
    backwards = np.array([pow(root, -q, prime) * share % prime for q in range(number)], np.uint32)
    exponents = np.arange(NUM_POWERS)[:, None] * np.arange(number) % number
    table = powers[exponents][None]
    back = backwards[np.arange(number)[:, None] * np.arange(number) % number]
    table.setflags(write=False)
    back.setflags(write=False)
    return Points(prime=prime, table=table, back=back)


@cache
def _multipliers(primes: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    modulus = prod(primes)
    parts = (modulus // prime for prime in primes)
    return modulus, tuple(
        part * pow(part, -1, prime) for part, prime in zip(parts, primes, strict=True)
    )


def from_remainders(primes: tuple[int, ...], remainders: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the integers below the product of the primes with given remainders.

    The primes differ; ``remainders`` has, for each prime, those of all the numbers.

    Examples
    --------
    >>> list(from_remainders((5, 7), [[3, 2], [1, 6]]))
    [8, 27]
    """
    modulus, multipliers = _multipliers(primes)
    for column in zip(*remainders, strict=True):
        # Each multiplier is 1 modulo its own prime and 0 modulo all others.
        yield sum(map(mul, column, multipliers)) % modulus
