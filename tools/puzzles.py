"""Find the shipped puzzles: ``python -m tools.puzzles [--seed N] [LOGS...]`` rewrites their file.

The puzzles of the file are proven again, and those that no longer are get lost. More are found
until there are 200: in logs of real games, of which only the tiles are taken, and in random hands
that a simple rule plays alone.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np

from mjopt.chances.advice.position import Position
from mjopt.errors import FileError
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.tiles import FULL
from mjopt.play.game.practice import Decision, deal, practise
from mjopt.play.puzzles import puzzle
from mjopt.play.puzzles.game_positions import positions_of
from mjopt.play.puzzles.puzzle import (
    Puzzle,
    find_puzzle,
    may_be_puzzle,
    shipped_puzzles,
)
from mjopt.play.review.detect_format import content_of, read_games
from mjopt.play.solitaire.discard_rules import by_useful_tiles
from mjopt.tables.useful import judge_discards

FILE: Final = Path(puzzle.__file__).with_name(puzzle.SHIPPED)
NUMBER: Final = 200
_FORMS: Final = check_forms(RIICHI, FULL)
LIKELY: Final = range(4, 8)  # own draws left with which most puzzles are found
EASY: Final = 1250  # least rating of a puzzle that is added
PROMISING: Final = (0.02, 0.15)  # lead that a hand without later changes would have
MAX_SEED: Final = 1 << 31


def dealt_positions(seed: int) -> list[Position]:
    """Return the positions of a random hand that a rule plays alone."""
    hand = deal(FULL, rng=np.random.default_rng(seed))
    thrown: list[int] = []
    while True:
        rng = np.random.default_rng(seed)
        played = practise(hand, thrown, wall=hand.unseen, draws=18, forms=_FORMS, rng=rng)
        if played.is_over:
            break
        thrown.append(rule_kind(position_of(played.decisions[-1])))
    return [position_of(now) for now in played.decisions]


def position_of(now: Decision) -> Position:
    """Return the position of a decision."""
    return Position(hand=now.hand, wall=now.wall, draws=now.draws, forms=_FORMS)


def logged_positions(paths: Iterable[Path]) -> Iterator[list[Position]]:
    """Yield the positions of one seat of one round after another."""
    for path in paths:
        for _, game in read_games(content_of(path)):
            if isinstance(game, FileError):
                continue
            for one in game.rounds:
                for seat in range(game.rules.seats):
                    yield list(positions_of(replace(game, rounds=(one,)), {seat}))


def find(rounds: Iterable[list[Position]]) -> Iterator[Puzzle]:
    """Yield puzzles that are not easy, at most one of each round."""
    for positions in rounds:
        near = (each for each in positions if each.draws in LIKELY and may_be_puzzle(each))
        puzzles = (find_puzzle(each) for each in near if is_promising(each))
        found = next((each for each in puzzles if each and each.rating >= EASY), None)
        if found is not None:
            print(found.to_text(), file=sys.stderr)
            yield found


def is_promising(position: Position) -> bool:
    """Return whether at least two discards make the hand ready, and none leads by very much."""
    hand, size = position.hand, sum(position.wall)
    deficiency, useful = judge_discards(
        hand.counts, position.wall, called=hand.called, forms=position.forms, tiles=hand.tiles
    )
    copies = sorted(useful[deficiency == 1].tolist(), reverse=True)
    if len(copies) < 2:
        return False
    first, second = (1 - (1 - n / size) ** position.draws for n in copies[:2])
    return PROMISING[0] < first - second < PROMISING[1]


def rule_kind(position: Position) -> int:
    """Return the discard of a simple rule."""
    counts, wall = np.array([position.hand.counts], np.uint8), np.array([position.wall], np.uint8)
    return int(by_useful_tiles(counts, wall, 0, tiles=position.hand.tiles)[0])


def main() -> None:
    """Write the file of puzzles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOGS", help="folders of logs")
    parser.add_argument("--seed", type=int, default=0, help="of the first random hand")
    arguments = parser.parse_args()
    paths = [path for log in arguments.logs for path in sorted(log.rglob("game-*"))]
    dealt = map(dealt_positions, range(arguments.seed, MAX_SEED))
    known = filter(None, (find_puzzle(Position.parse(text)) for text in shipped_puzzles()))
    lines: dict[str, str] = {}
    for found in chain(known, find(chain(logged_positions(paths), dealt))):
        lines[found.position] = found.to_text()
        if len(lines) == NUMBER:
            break
    FILE.write_text("".join(f"{line}\n" for line in sorted(lines.values())), encoding="utf-8")


if __name__ == "__main__":
    main()
