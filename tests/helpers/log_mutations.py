"""Logs with one damaged event, in each format: one that no decision needs, or one that is."""

import json
import random
import re
from collections.abc import Callable
from typing import Any, Final

Mutant = tuple[str, int, str]
"""Text of the log, the position where it differs (-1 in a format without order), and how."""

XML: Final = re.compile(r"<(\w+?)(\d*)(\s[^>]*)?/>")
XML_TILES: Final = re.compile(r"<(?:[TUVWDEFG]\d+|N\s)")
XML_OPTIONAL: Final = re.compile(r"<(?:REACH|DORA|AGARI|RYUUKYOKU|UN|TAIKYOKU|SHUFFLE|BYE)\b")
MJAI_TILES: Final = frozenset(("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan"))
MJAI_OPTIONAL: Final = frozenset(
    ("start_game", "reach", "reach_accepted", "dora", "hora", "ryukyoku", "end_kyoku", "end_game")
)


def altered_number(text: str, rng: random.Random) -> str:
    """Replace one number of a text."""
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text
    at = rng.choice(numbers)
    return f"{text[: at.start()]}{rng.choice((0, 1, 2, 3, 7, 50, 135, 999))}{text[at.end() :]}"


def _of_unit(
    unit: str, rng: random.Random, alter: Callable[[str, random.Random], str]
) -> tuple[str, str]:
    way = rng.choice(("drop", "repeat", "alter"))
    changed = {"drop": "", "repeat": unit * 2, "alter": alter(unit, rng)}[way]
    return changed, f"{way} {unit.strip()[:60]} -> {changed.strip()[:60]}"


def _alter_xml(unit: str, rng: random.Random) -> str:
    way = rng.randrange(4)
    if way == 0:  # an attribute less
        attributes = re.findall(r'\s\w+="[^"]*"', unit)
        return unit.replace(rng.choice(attributes), "", 1) if attributes else unit
    if way == 1:
        return unit.replace("/>", ' more="1"/>')
    if way == 2:
        attributes = re.findall(r'\s\w+="[^"]*"', unit)
        return unit.replace("/>", f"{rng.choice(attributes)}/>") if attributes else unit
    return altered_number(unit, rng)


def _alter_mjai(unit: str, rng: random.Random) -> str:
    message = json.loads(unit)
    key = rng.choice([*message])
    way = rng.randrange(3)
    if way == 0 and key != "type":
        del message[key]
    elif way == 1:
        message["more"] = 1
    elif key != "type":
        message[key] = rng.choice((None, -1, 2, "5s", "?", [], [1], "x"))
    return json.dumps(message) + "\n"


def mutate_xml(text: str, rng: random.Random, *, tiles: bool) -> Mutant:
    """Damage one element."""
    pattern = XML_TILES if tiles else XML_OPTIONAL
    units = [match for match in XML.finditer(text) if pattern.match(match[0])]
    at = rng.choice(units)
    changed, about = _of_unit(at[0], rng, altered_number if tiles else _alter_xml)
    return text[: at.start()] + changed + text[at.end() :], at.start(), about


def mutate_mjai(text: str, rng: random.Random, *, tiles: bool) -> Mutant:
    """Damage one message."""
    lines = text.splitlines(keepends=True)
    kinds = MJAI_TILES if tiles else MJAI_OPTIONAL
    at = rng.choice([at for at, line in enumerate(lines) if json.loads(line)["type"] in kinds])
    lines[at], about = _of_unit(lines[at], rng, _alter_mjai)
    return "".join(lines), sum(map(len, lines[:at])), about


def mutate_json(text: str, rng: random.Random, *, tiles: bool) -> Mutant:
    """Damage one part of a round."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    document = json.loads(lines[at])
    [deal] = document["log"]
    if tiles:
        seat = rng.randrange(4)
        track: list[Any] = deal[5 + 3 * seat + rng.randrange(2)]
        if not track:
            return text, -1, "nothing"
        place = rng.randrange(len(track))
        before = track[place]
        way = rng.choice(("drop", "repeat", "alter"))
        if way == "drop":
            del track[place]
        elif way == "repeat":
            track.insert(place, before)
        else:
            track[place] = rng.choice((11, 25, 47, 60, 99, "x", None, "c111213"))
        about = f"{way} {before} in round {at}, seat {seat}, entry {place}"
    else:
        place = rng.choice((1, 2, 3, -1, "honba", "sticks", "title", "name"))
        wrong = rng.choice((None, [], [1], "x", 7, [-1] * 4, ["x"], [11, 11], ["流局"], ["和了"]))
        if place in ("title", "name"):
            document[place] = wrong
        elif place in ("honba", "sticks"):
            deal[0][1 + (place == "sticks")] = wrong
        else:
            deal[place] = wrong
        about = f"{place} of round {at}: {wrong}"
    lines[at] = json.dumps(document, ensure_ascii=False)
    return "\n".join(lines), -1, about


MUTATIONS: Final = {
    "tenhou-mjlog": mutate_xml,
    "tenhou-json": mutate_json,
    "mjai": mutate_mjai,
}
"""A function for each folder of logs."""
