"""Find the shipped puzzles: ``python -m tools.puzzles [--number N] [LOGS...]`` writes their file.

A third of the puzzles comes from logs of real games, of which only the tiles are taken, the others
from random hands that a simple rule plays alone. Few draws are left, so that bounds are tight. The
result depends on the arguments only.
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
from mjopt.hands.tiles import FULL
from mjopt.hands.winning_forms import RIICHI
from mjopt.play.game.practice import deal, practise
from mjopt.play.puzzles import puzzle
from mjopt.play.puzzles.game_positions import positions_of
from mjopt.play.puzzles.puzzle import Puzzle, find_puzzle, may_be_puzzle
from mjopt.play.review.detect_format import content_of, read_games
from mjopt.play.solitaire.discard_rules import by_useful_tiles

FILE: Final = Path(puzzle.__file__).with_name(puzzle.SHIPPED)
NUMBER: Final = 200
EASY: Final = 1400  # at most a fifth of the puzzles is easier
MAX_SEED: Final = 1 << 31


def dealt_positions(seed: int) -> list[Position]:
    """Return the positions of a random hand that a rule plays alone."""
    hand = deal(FULL, rng=np.random.default_rng(seed))
    thrown: list[int] = []
    while True:
        rng = np.random.default_rng(seed)
        played = practise(hand, thrown, wall=hand.unseen, draws=18, forms=RIICHI, rng=rng)
        if played.is_over:
            break
        now = played.decisions[-1]
        counts, wall = np.array([now.hand.counts], np.uint8), np.array([now.wall], np.uint8)
        thrown.append(int(by_useful_tiles(counts, wall, now.draws, tiles=FULL)[0]))
    return [
        Position(hand=now.hand, wall=now.wall, draws=now.draws, forms=RIICHI)
        for now in played.decisions
    ]


def logged_positions(paths: Iterable[Path]) -> Iterator[list[Position]]:
    """Yield the positions of one seat of one round after another."""
    for path in paths:
        for _, game in read_games(content_of(path)):
            if isinstance(game, FileError):
                continue
            for one in game.rounds:
                for seat in range(game.rules.seats):
                    yield list(positions_of(replace(game, rounds=(one,)), {seat}))


def find(rounds: Iterable[list[Position]], number: int) -> Iterator[Puzzle]:
    """Yield puzzles, at most one of each round, and not too many easy ones."""
    num_easy = num_found = 0
    for positions in rounds:
        for position in filter(may_be_puzzle, positions):
            found = find_puzzle(position)
            if found is None or (found.rating < EASY and 5 * num_easy >= number):
                continue
            num_easy += found.rating < EASY
            num_found += 1
            print(num_found, found.to_text(), file=sys.stderr)
            yield found
            break
        if num_found == number:
            return


def main() -> None:
    """Write the file of puzzles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOGS", help="folders of logs")
    parser.add_argument("--number", type=int, default=NUMBER)
    arguments = parser.parse_args()
    paths = [path for log in arguments.logs for path in sorted(log.rglob("game-*"))]
    num_logged = arguments.number // 3 if paths else 0
    logged = list(find(logged_positions(paths), num_logged))
    dealt = find(map(dealt_positions, range(MAX_SEED)), arguments.number - len(logged))
    lines = {each.position: each.to_text() for each in chain(logged, dealt)}
    FILE.write_text("".join(f"{line}\n" for line in sorted(lines.values())), encoding="utf-8")


if __name__ == "__main__":
    main()
