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

from mjopt.chances.advice.advise import advise
from mjopt.chances.advice.options import DISCARD
from mjopt.chances.advice.position import Position
from mjopt.errors import FileError
from mjopt.hands.tiles import FULL
from mjopt.hands.winning_forms import RIICHI
from mjopt.play.game.practice import Decision, deal, practise
from mjopt.play.puzzles import puzzle
from mjopt.play.puzzles.game_positions import positions_of
from mjopt.play.puzzles.puzzle import DRAWS, LEAD, Puzzle, find_puzzle, may_be_puzzle
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
        thrown.append(rule_kind(position_of(played.decisions[-1])))
    return [position_of(now) for now in played.decisions]


def position_of(now: Decision) -> Position:
    """Return the position of a decision."""
    return Position(hand=now.hand, wall=now.wall, draws=now.draws, forms=RIICHI)


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
    seen: set[str] = set()  # a game may be there in several formats
    for positions in rounds:
        for position in filter(may_be_puzzle, positions):
            text, has_easy = position.to_text(), 5 * num_easy >= number
            if text in seen or not is_promising(position, is_hard=has_easy):
                continue
            seen.add(text)
            found = find_puzzle(position)
            if found is None or (found.rating < EASY and has_easy):
                continue
            num_easy += found.rating < EASY
            num_found += 1
            print(num_found, found.to_text(), file=sys.stderr)
            yield found
            break
        if num_found == number:
            return


def is_promising(position: Position, *, is_hard: bool) -> bool:
    """Return whether a quick search allows a lead, against the choice of a simple rule."""
    advice = advise(position, effort="quick")
    ranked = sorted(advice.options, key=lambda row: row.at_most or 0, reverse=True)
    first, second = ranked[:2]
    if first.at_most is None or second.at_most is None or first.action != DISCARD:
        return False
    is_open = position.draws > max(DRAWS[2])  # else a search of every play may lower bounds
    if is_open and first.at_most - second.at_most < LEAD:
        return False
    if not is_hard:
        return True
    return first.kind != rule_kind(position)


def rule_kind(position: Position) -> int:
    """Return the discard of a simple rule."""
    counts, wall = np.array([position.hand.counts], np.uint8), np.array([position.wall], np.uint8)
    return int(by_useful_tiles(counts, wall, 0, tiles=position.hand.tiles)[0])


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
