"""Real logs with one damaged event: flaws outside of tiles and turns lose no decision."""

import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from adversarial.attack import Attack
from helpers.log_mutations import MUTATIONS

from mjopt.errors import FileError
from mjopt.play.review.collector import DecisionCollector
from mjopt.play.review.detect_format import read_games

LOGS = Path(__file__).parents[1] / "data" / "logs"
Decision = tuple[int, int, bool, bytes]


def decisions(text: str) -> tuple[list[Decision], list[str]]:
    """Return the discards of a log, and the lines about it."""
    collector, lines = DecisionCollector(), list[str]()
    for _, game in read_games(text.encode()):
        try:
            if isinstance(game, FileError):
                raise game
            lines += collector.add(game)
        except FileError as error:
            lines.append(str(error))
    rows = collector.discards
    return [(row.seat, row.tile, row.declared, row.before.held) for row in rows], lines


@cache
def whole(path: Path) -> list[Decision]:
    return decisions(path.read_text())[0]


def damage(form: str, tiles: bool, rng: random.Random, folder: Path) -> str | None:
    path = rng.choice(sorted((LOGS / form).glob("game-*")))
    text, _, about = MUTATIONS[form](path.read_text(), rng, tiles=tiles)
    found, lines = decisions(text)
    if any("\n" in line for line in lines):
        return f"{about}: not one line: {lines}"
    if found == whole(path):
        return None
    if not tiles:
        return f"{about}: decisions lost or changed: {lines}"
    return None if lines or len(found) == len(whole(path)) else f"{about}: lost without a line"


KINDS: dict[str, Callable[[random.Random, Path], str | None]] = {
    f"{name} of {form}": partial(damage, form, tiles)
    for form in MUTATIONS
    for name, tiles in (("tiles", True), ("other events", False))
}
ATTACK = Attack("logs", "real logs with one damaged event", KINDS)
