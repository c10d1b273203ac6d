"""Walls: a function of a seed and a game number, the same in every process."""

from typing import Final

import numpy as np

from mjopt._internal.validation import as_whole, expect, told
from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES, TileSet

WORDS: Final = 2**64
_SPARE: Final = 160  # words taken at once: more than any wall needs, save for rejections


def shuffle_wall(seed: int, game: int, tiles: TileSet) -> tuple[int, ...]:
    """Return the tiles of one game in order, every order as likely as any other.

    The words of the Philox generator with the key ``(seed, game)`` drive a
    Fisher-Yates shuffle from the last place down. So games of different numbers are
    independent, none needs the one before it, and no state is shared by processes.

    Parameters
    ----------
    seed
        ``0..2**64 - 1``.
    game
        The number of the game, in the same range.
    tiles
        The tile set.

    Returns
    -------
    tuple of int
        Kinds, ``tiles.num_tiles`` of them. The first thirteen are the dealer's hand,
        the next thirteen the next seat's, and so on; draws follow from place 52 on,
        replacement draws from the end.

    Raises
    ------
    GameError
        If the seed or the number is out of range.

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
        places = last + 1
        # The upper half of word x places, without the words that would favour some.
        while (product := next(words) * places) % WORDS < WORDS % places:
            pass
        place = product >> 64
        wall[last], wall[place] = wall[place], wall[last]
    return tuple(wall)


def _key(seed: int, game: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    for what, number in (("seed", seed), ("game number", game)):
        whole = as_whole(number)
        if whole is None or not 0 <= whole < WORDS:
            raise GameError(f"{what} {told(number)}, expected 0..2**64 - 1")
    return np.array([seed, game], np.uint64)


def agent_stream(seed: int, game: int, seat: int, *, run: int = 0) -> np.random.Generator:
    """Return the random numbers of one seat in one game.

    Another stream of the same key as the wall: they never meet.

    Parameters
    ----------
    seed, game
        As for the wall.
    seat
        ``0..3``.
    run
        Which run over the same wall (a duplicate battle plays it several times).

    Examples
    --------
    >>> int(agent_stream(1, 2, 3).integers(100)) == int(agent_stream(1, 2, 3).integers(100))
    True
    """
    key = _key(seed, game)
    return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, run, seat + 1]))
