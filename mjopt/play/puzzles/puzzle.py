"""Puzzles: positions in which one discard is proven to win more often than every other option."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil, floor
from typing import Final

import numpy as np

from mjopt.chances.advice.advise import advise
from mjopt.chances.advice.options import DISCARD, Advice
from mjopt.chances.advice.position import Position
from mjopt.errors import FileError
from mjopt.play.solitaire.discard_rules import by_deficiency, by_useful_tiles
from mjopt.tables.lookup import label_one

SHIPPED: Final = "puzzles.txt"
LEAD: Final = Fraction(3, 100)
"""Least lead of the best discard: its chance at least, less the chance at most of any other."""

WORTHWHILE: Final = Fraction(1, 20)  # least chance to win of the best discard
DRAWS: Final = {1: range(3, 9), 2: range(3, 5), 3: range(3, 5)}
"""Own draws left by the number of missing tiles: with more, few leads are proven."""

_SCALE: Final = 10_000  # chances are stored with four digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position with one best discard.

    Examples
    --------
    >>> puzzle = Puzzle.parse("1500 3z 0.3012 0.2504 22557m234p34789s3z draws=6")
    >>> puzzle.best, puzzle.lead
    ('3z', Fraction(127, 2500))
    >>> puzzle.to_text()
    '1500 3z 0.3012 0.2504 22557m234p34789s3z draws=6'
    """

    position: str  # as text
    best: str  # the tile to discard
    at_least: Fraction  # proven: the best discard wins at least with this chance
    at_most: Fraction  # proven: no play after another option wins with a greater chance
    rating: int  # the estimated difficulty, as an initial rating

    @property
    def lead(self) -> Fraction:
        """The proven lead of the best discard."""
        return self.at_least - self.at_most

    @classmethod
    def parse(cls, line: str) -> "Puzzle":
        """Read a line of the file of puzzles."""
        try:
            rating, best, least, most, position = line.split(" ", 4)
            return cls(
                position=position,
                best=best,
                at_least=Fraction(least),
                at_most=Fraction(most),
                rating=int(rating),
            )
        except ValueError as error:
            raise FileError(f"no puzzle: {error}") from None

    def to_text(self) -> str:
        """Write the puzzle as a line, chances rounded so that they stay proven."""
        least, most = floor(self.at_least * _SCALE), ceil(self.at_most * _SCALE)
        numbers = f"{least / _SCALE:.4f} {most / _SCALE:.4f}"
        return f"{self.rating} {self.best} {numbers} {self.position}"


@cache
def shipped_puzzles() -> Mapping[str, Puzzle]:
    """Return the puzzles of the package by position."""
    text = files("mjopt.play.puzzles").joinpath(SHIPPED).read_text(encoding="utf-8")
    puzzles = map(Puzzle.parse, text.splitlines())
    return {puzzle.position: puzzle for puzzle in puzzles}


def initial_ratings() -> dict[str, float]:
    """Return the estimated difficulty of the shipped puzzles by position."""
    return {text: float(puzzle.rating) for text, puzzle in shipped_puzzles().items()}


def may_be_puzzle(position: Position) -> bool:
    """Return whether a position is worth a search: few draws are left for few missing tiles.

    Examples
    --------
    >>> [may_be_puzzle(Position.parse(f"22557m234p34789s3z draws={n}")) for n in (2, 4, 9)]
    [False, True, False]
    """
    hand = position.hand
    if not hand.is_full:
        return False
    missing = label_one(hand.counts, hand.called, forms=position.forms, tiles=hand.tiles)
    return position.draws in DRAWS.get(missing, ())


def find_puzzle(position: Position, *, effort: str = "normal") -> Puzzle | None:
    """Return the puzzle of a position, or None if no discard is proven to lead by enough.

    Examples
    --------
    >>> find_puzzle(Position.parse("22557m234p34789s3z draws=1"))
    """
    advice = advise(position, effort=effort)
    return puzzle_of(advice)


def puzzle_of(advice: Advice) -> Puzzle | None:
    """Return the puzzle of a position that has been judged, or None."""
    best, position = advice.best, advice.position
    if best is None or best.action != DISCARD or best.kind is None or best.at_least is None:
        return None
    if best.at_least < WORTHWHILE:
        return None
    bounds = [option.at_most for option in advice.options if option is not best]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or not known:
        return None
    text, name = position.to_text(), position.hand.tiles.names[best.kind]
    puzzle = Puzzle(position=text, best=name, at_least=best.at_least, at_most=max(known), rating=0)
    rounded = Puzzle.parse(puzzle.to_text())
    if rounded.lead < LEAD:
        return None
    return Puzzle.parse(f"{_difficulty(advice, rounded)} {rounded.to_text().split(' ', 1)[1]}")


def _difficulty(advice: Advice, puzzle: Puzzle) -> int:
    """Estimate the rating: simple rules err, many candidates, a small lead, more than one away."""
    position, best = advice.position, advice.options[0]
    hands = np.array([position.hand.counts], np.uint8)
    walls = np.array([position.wall], np.uint8)
    tiles = position.hand.tiles
    kinds = [
        int(rule(hands, walls, 0, tiles=tiles)[0]) for rule in (by_deficiency, by_useful_tiles)
    ]
    missed = sum(tiles.names[kind] != puzzle.best for kind in kinds)
    as_near = sum(option.deficiency == best.deficiency for option in advice.options[1:])
    small = max(0, 150 - round(3_000 * float(puzzle.lead - LEAD)))
    return 1150 + 200 * missed + 40 * min(as_near, 5) + small + 100 * (best.deficiency - 1)
