"""Reproducible walls: a function of a seed and a game number only."""

from typing import Final

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, expect
from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES, TileSet

WORDS: Final = 2**64
_SPARE: Final = 160  # words generated at once: enough for every wall unless many are rejected


def shuffle_wall(seed: int, game: int, tiles: TileSet) -> tuple[int, ...]:
    """Return a uniformly random order of the tiles for one game.

    The Philox generator with the key ``(seed, game)`` drives a Fisher-Yates shuffle from the
    last position down. Games are therefore independent of each other and can be generated in
    any order and in any process.

    Parameters
    ----------
    seed
        ``0..2**64 - 1``.
    game
        The game number, in the same range.
    tiles
        The tile set.

    Returns
    -------
    tuple of int
        Kinds, of length ``tiles.num_tiles``. The first thirteen are the dealer's hand, the
        next thirteen the next seat's, and so on. Draws start at index 52, replacement draws
        at the end.

    Raises
    ------
    GameError
        If the seed or the game number is out of range.

    References
    ----------
    .. [1] Salmon, Moraes, Dror, Shaw (2011), Parallel random numbers: as easy as 1, 2, 3.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> wall = shuffle_wall(2017, 0, FULL)
    >>> len(wall), wall[:5]
    (136, (15, 12, 32, 9, 9))
    """
    generator = np.random.Philox(key=_key(seed, game), counter=[0, 0, 0, 0])
    words = iter(generator.random_raw(_SPARE).tolist())
    expect(tiles, TileSet, "tiles")
    wall = [kind for kind in range(tiles.num_kinds) for _ in range(COPIES)]
    for last in range(len(wall) - 1, 0, -1):
        size = last + 1
        # Lemire: the upper half of word * size; biased words are rejected.
        while (product := next(words) * size) % WORDS < WORDS % size:
            pass
        index = product >> 64
        wall[last], wall[index] = wall[index], wall[last]
    return tuple(wall)


def check_key(seed: int, game: int) -> None:
    """Raise GameError if a seed or a game number is out of range."""
    for what, number in (("seed", seed), ("game number", game)):
        whole = as_whole(number)
        if whole is None or not 0 <= whole < WORDS:
            raise GameError(argument=what, value=short_repr(number), expected="0..2**64 - 1")


def _key(seed: int, game: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    check_key(seed, game)
    return np.array([seed, game], np.uint64)


def agent_stream(seed: int, game: int, seat: int, *, run: int = 0) -> np.random.Generator:
    """Return the random generator of a seat in a game.

    It uses the same key as the wall, with a separate counter range.

    Parameters
    ----------
    seed, game
        As for the wall.
    seat
        ``0..3``.
    run
        The run over the same wall (a duplicate battle plays each wall several times).

    Examples
    --------
    >>> int(agent_stream(1, 2, 3).integers(100)) == int(agent_stream(1, 2, 3).integers(100))
    True
    """
    key = _key(seed, game)
    for what, number in (("seat", seat), ("run", run)):
        whole = as_whole(number)
        if whole is None or not 0 <= whole < 2**63:
            raise GameError(argument=what, value=short_repr(number), expected="0 or more")
    return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, run, seat + 1]))
