"""Tiles in files of rules: numbers with the letter of a suit, or a letter for every suit."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from mjopt.hands.tiles import TileSet

SUIT_VARIABLES: Final = "abc"
"""Letters that stand for any suit with chows, different letters for different suits."""

# Without the first part, digits that no letter ends would take quadratic time.
_WORD: Final = re.compile(r"(?<![0-9])([0-9]+)([a-z])")


class TileRun(NamedTuple):
    """Equal tiles that are written together, such as ``222m``."""

    rank: int
    letter: str
    copies: int


Runs = tuple[TileRun, ...]


def read_runs(text: str) -> Runs | None:
    """Return the runs of equal tiles in a text; None if it is not tiles.

    Examples
    --------
    >>> [(run.rank, run.letter, run.copies) for run in read_runs("147a 22z")]
    [(1, 'a', 1), (4, 'a', 1), (7, 'a', 1), (2, 'z', 2)]
    >>> read_runs("1m x") is None
    True
    """
    if _WORD.sub("", text).strip():
        return None
    return tuple(
        TileRun(int(run[0][0]), match[2], len(run[0]))
        for match in _WORD.finditer(text)
        for run in re.finditer(r"(\d)\1*", match[1])
    )


class AbsentKindError(LookupError):
    """A run of tiles whose kind the tile set lacks."""

    def __init__(self, run: TileRun, tiles: TileSet) -> None:
        super().__init__(f"{tiles.name} has no {run.rank}{run.letter}")
        self.run = run


@dataclass(frozen=True)
class Assignment:
    """Suits for the letters, and a change of the numbers of suits with chows."""

    tiles: TileSet
    suits: dict[str, str]  # the letter of the suit for each letter of ``SUIT_VARIABLES``
    is_mirrored: bool = False  # whether 1 and 9, 2 and 8, ... change places
    step: int = 0  # added to every number, after that

    @cached_property
    def _places(self) -> tuple[dict[tuple[int, str], int], frozenset[str]]:
        return _kinds(self.tiles)

    def kind(self, run: TileRun) -> int:
        """Return the kind of a run; `AbsentKindError` if the tile set lacks it."""
        letter = self.suits.get(run.letter, run.letter)
        kinds, with_chows = self._places
        rank = run.rank
        if letter in with_chows:
            rank = (10 - rank if self.is_mirrored else rank) + self.step
        kind = kinds.get((rank, letter))
        if kind is None:
            raise AbsentKindError(run, self.tiles)
        return kind

    def kinds(self, runs: Runs) -> tuple[int, ...]:
        """Return the kinds of several runs, ascending."""
        return tuple(sorted({self.kind(run) for run in runs}))


@lru_cache(maxsize=32)
def _kinds(tiles: TileSet) -> tuple[dict[tuple[int, str], int], frozenset[str]]:
    """Return the kinds of a tile set by rank and letter, and the letters of suits with chows."""
    kinds = {(tiles.rank(k), tiles.letter(k)): k for k in range(tiles.num_kinds)}
    return kinds, frozenset(suit.letter for suit in tiles.suits if suit.has_chows)


def assignments(
    runs: Runs, tiles: TileSet, *, may_mirror: bool, may_shift: bool
) -> Iterator[Assignment]:
    """Yield every way to put suits for letters, to mirror the numbers and to shift them.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> runs = read_runs("123a 456b")
    >>> len(list(assignments(runs, M0, may_mirror=False, may_shift=True)))
    24
    """
    letters = sorted({run.letter for run in runs if run.letter in SUIT_VARIABLES})
    with_chows = [suit.letter for suit in tiles.suits if suit.has_chows]
    numbered = [run.rank for run in runs if run.letter in (*SUIT_VARIABLES, *with_chows)]
    for chosen in permutations(with_chows, len(letters)):
        names = dict(zip(letters, chosen, strict=True))
        for is_mirrored in (False, True) if may_mirror else (False,):
            ranks = [10 - rank if is_mirrored else rank for rank in numbered]
            steps = range(1 - min(ranks), 10 - max(ranks)) if may_shift and ranks else range(1)
            for step in steps:
                yield Assignment(tiles, names, is_mirrored, step)
