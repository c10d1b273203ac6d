"""Parsers on inputs of doubling size: the time may double too, but not more."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from adversarial.attack import Attack, Judge

import mjopt
from mjopt.analysis.formats import verify_files
from mjopt.errors import MjoptError
from mjopt.proofs.win_chance_check import verify_win_chance

LEAST = 0.1  # seconds of processor time from which times are compared
LARGEST = 8_000_000  # characters; an input refused by its size takes no time
MOST = 3.0  # times the time of half the input: 2 is linear, 4 quadratic
TRIES = 4  # other processes disturb the times

SHAPES: dict[str, Callable[[int], str]] = {
    "keys": lambda n: "{" + ",".join(f'"k{i}":0' for i in range(n // 9)) + ',"k1":0}',
    "objects": lambda n: '{"a":[' + ",".join(["{}"] * (n // 3)) + "]}",
    "numbers": lambda n: '{"log":[' + ",".join(["11"] * (n // 3)) + "]}",
    "strings": lambda n: '{"name":["' + "\\u0041" * (n // 6) + '"]}',
    "brackets": lambda n: "[" * n,
    "quotes": lambda n: '"\\' * (n // 2),
    "digits": lambda n: "1" * n,
    "blanks": lambda n: " " * n + "x",
    "lines": lambda n: '{"type":"none"}\n' * (n // 16),
    "tags": lambda n: '<mjloggm ver="2.3">' + "<T1/>" * (n // 5),
    "attributes": lambda n: "<mjloggm " + " ".join(f'a{i}=""' for i in range(n // 9)) + "/>",
    "actions": lambda n: "".join(f"{s}({s})0:" + "01" * 13 + ";" for s in range(4)) + "0D01" * n,
    "tiles": lambda n: "123m" * (n // 4),
}


def from_file(read: Callable[[Path], object], name: str) -> Callable[[str, Path], object]:
    def parse(text: str, folder: Path) -> object:
        (folder / name).write_text(text)
        return read(folder / name)

    return parse


PARSERS: dict[str, Callable[[str, Path], object]] = {
    "hand": lambda text, _: mjopt.Hand.parse(text),
    "certificate": lambda text, _: mjopt.Certificate.from_json(text),
    "win-chance certificate": lambda text, _: verify_win_chance(text),
    "VIPR": from_file(lambda path: verify_files([path]), "one.vipr"),
    "JSON lines": from_file(lambda path: verify_files([path]), "one.jsonl"),
    "log": from_file(mjopt.play.review, "one.log"),
}


def seconds(parse: Callable[[str, Path], object], text: str, folder: Path) -> float:
    """Return the least processor time of two tries."""
    times = []
    for _ in range(2):
        begun = time.process_time()
        with suppress(MjoptError):
            parse(text, folder)
        times.append(time.process_time() - begun)
    return min(times)


def growing(parse: Callable[[str, Path], object], write: Callable[[int], str]) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        size = rng.randrange(4_000, 8_000)
        while (before := seconds(parse, write(size), folder)) < LEAST and size < LARGEST:
            size *= 2
        if before < LEAST:
            return None
        ratios = []
        for _ in range(TRIES):
            ratios.append(seconds(parse, write(2 * size), folder) / before)
            if ratios[-1] <= MOST:
                return None
            before = seconds(parse, write(size), folder)
        return f"{size} to {2 * size} characters take {min(ratios):.1f} times as long"

    return case


ATTACK = Attack(
    "growth",
    "parsers on inputs of doubling size",
    {
        f"{parser} < {shape}": growing(parse, write)
        for parser, parse in PARSERS.items()
        for shape, write in SHAPES.items()
    },
)
