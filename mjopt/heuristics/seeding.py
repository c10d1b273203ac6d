"""An independent random stream for every (seed, method, hand, run)."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import expect, whole
from mjopt.errors import ArgumentError

MAX_HAND = 2**40
MAX_RUN = 2**24
WARM_UP = 12  # words discarded after seeding, as in NumPy


class Rng(Protocol):
    """A source of uniform random numbers, such as a NumPy generator."""

    def random(self) -> float:
        """Draw a number in ``[0, 1)``."""


def stream_keys(
    seed: int, method: str, hand_numbers: npt.ArrayLike, run: int
) -> npt.NDArray[np.uint64]:
    """Return the key of every hand's random stream, shape ``(N, 3)``.

    It is two words from the seed and the method, and one word from the hand and the run. Within one
    seed and method, keys differ for every pair of hand and run. The seed is at least 0; the method
    is any text, such as its label in a study. Hand numbers, shape ``(N,)``, are below ``2**40``,
    and the run is below ``2**24``.

    Examples
    --------
    >>> stream_keys(1, "ndde", [0, 7], 3)[:, 2].tolist()
    [3298534883328, 3298534883335]
    """
    expect(method, str, "method")
    seed, run = whole(seed, "seed"), whole(run, "run")
    try:
        numbers = np.asarray(hand_numbers, dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise ArgumentError(f"hand numbers: {shorten(str(error))}") from None
    if seed < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="at least 0")
    if not 0 <= run < MAX_RUN:
        raise ArgumentError(argument="run", value=short_repr(run), expected=f"0..{MAX_RUN - 1}")
    if numbers.ndim != 1 or ((numbers < 0) | (numbers >= MAX_HAND)).any():
        raise ArgumentError(
            f"hand numbers {short_repr(numbers)}", expected=f"a list of numbers 0..{MAX_HAND - 1}"
        )
    # Lengths are hashed too, so that ("a", 1) and ("b", 2) differ whatever the words are.
    words = [len(method), *method.encode(errors="surrogateescape"), seed]
    keys = np.empty((len(numbers), 3), np.uint64)
    keys[:, :2] = np.random.SeedSequence(words).generate_state(2, np.uint64)
    keys[:, 2] = np.uint64(run * MAX_HAND) + numbers.astype(np.uint64)
    return keys


def stream(seed: int, method: str, hand_number: int, run: int) -> np.random.Generator:
    """Return the random stream of one (seed, method, hand, run).

    Parameters
    ----------
    seed, method, hand_number, run
        As in :func:`stream_keys`.

    Notes
    -----
    The generator is NumPy's SFC64 with that key, counter 1 and twelve words discarded. Its state
    has four words, so that a kernel can start a stream for each hand in nanoseconds. Streams with
    different keys do not overlap for 2**64 words.

    References
    ----------
    .. [1] C. Doty-Humphrey, PractRand, "sfc", as described in NumPy's SFC64.

    Examples
    --------
    >>> a, b = stream(1, "ndde", 0, 0), stream(1, "ndde", 0, 0)
    >>> a.random() == b.random() != stream(1, "ndde", 0, 1).random()
    True
    """
    return generator(stream_keys(seed, method, [hand_number], run)[0])


def generator(key: npt.NDArray[np.uint64]) -> np.random.Generator:
    """Return the generator with a key."""
    bits = np.random.SFC64(0)
    bits.state = {
        "bit_generator": "SFC64",
        "state": {"state": np.array([*key, 1], dtype=np.uint64)},
        "has_uint32": 0,
        "uinteger": 0,
    }
    bits.random_raw(WARM_UP, output=False)
    return np.random.Generator(bits)


def words_of(rng: np.random.Generator) -> npt.NDArray[np.uint64] | None:
    """Return the state of a generator for kernels; None if they have no generator of its kind.

    They have SFC64, as in :func:`stream`, and PCG64, NumPy's default.
    """
    bits = rng.bit_generator
    if type(rng) is not np.random.Generator:
        return None
    if type(bits) is np.random.SFC64:
        return np.array([*bits.state["state"]["state"], 0], np.uint64)
    if type(bits) is np.random.PCG64:
        numbers = bits.state["state"]
        words = [divmod(numbers[name], 1 << 64) for name in ("state", "inc")]
        return np.array([*words[0], *words[1], 1], np.uint64)
    return None


def set_words(rng: np.random.Generator, words: npt.NDArray[np.uint64]) -> None:
    """Set the state of a generator to that of :func:`words_of`, after a kernel has advanced it."""
    state = dict(rng.bit_generator.state)
    if words[4]:
        number = int(words[0]) << 64 | int(words[1])
        state["state"] = {**state["state"], "state": number}
    else:
        state["state"] = {"state": words[:4].copy()}
    rng.bit_generator.state = state


def stream_states(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the states of the generators with given keys, shape ``(N, 4)``."""
    a, b, c = keys.T.copy()
    counter = np.ones(len(keys), np.uint64)
    for _ in range(WARM_UP):
        word = a + b + counter
        counter += np.uint64(1)
        a, b = b ^ (b >> np.uint64(11)), c + (c << np.uint64(3))
        c = ((c << np.uint64(24)) | (c >> np.uint64(40))) + word
    return np.stack([a, b, c, counter], axis=1)
