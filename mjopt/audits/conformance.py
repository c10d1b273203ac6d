"""The conformance suite: chosen hands of each rule set with exact answers to seven questions.

The hands are chosen such that each of many known kinds of faults of engines is found by several of
them; see `docs/results/conformance.md`.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from mjopt._internal.files import atomic_write, lock_folder, sha256_of
from mjopt._internal.progress import ignore
from mjopt._internal.validation import pick
from mjopt.analysis.certify import certify_many
from mjopt.audits.exact_answers import kinds_in
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import FLAG, NUMBER, QUESTIONS
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.base import held_tiles
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.tiles import TileSet

VERSION: Final = 1
"""Version of the suite; it increases when hands or columns change."""

RECIPE: Final = "conformance:"
"""The beginning of the recipes of `mjopt dataset build`; the name of a rule set follows."""

HANDS: Final = Path(__file__).with_name("conformance_hands")

COLUMNS: Final = (
    *("hand", "called", "win", "shanten", "deficiency", "useful", "ukeire", "discard"),
    "decompositions",
)
"""Columns of the files: a hand, the number of melds on the table, and the answers.

``useful`` holds the tiles that lower the deficiency, ``ukeire`` their unseen copies; ``discard``
all equally good discards, none before the draw or of a win; ``decompositions`` the number of ways
to split a win.
"""

Answer = bool | int | str


def read_hands(rules: str) -> list[Hand]:
    """Return the hands of the suite of a rule set.

    Examples
    --------
    >>> hands = read_hands("riichi")
    >>> len(hands), {hand.called for hand in hands}
    (2000, {0, 1, 2, 3, 4})
    """
    name = pick(rules, {name: name for name in RULE_SETS}, "rules", ArgumentError)
    found = []
    for line in (HANDS / f"{name}.txt").read_text(encoding="ascii").splitlines():
        text, _, called = line.partition(" ")
        found.append(Hand.parse(text, called=int(called or 0), rules=name))
    return found


def answers(hands: list[Hand]) -> Iterator[dict[str, Answer]]:
    """Yield the exact answers for hands of one rule set, in the order of ``COLUMNS``."""
    batch, rules = HandBatch.of(hands), hands[0].rules
    assert rules is not None
    exact = {
        name: QUESTIONS[name].exact(batch, rules.forms).tolist()
        for name in COLUMNS
        if name in QUESTIONS
    }
    for row in range(len(hands)):
        yield {name: _value(name, given[row], rules.tiles) for name, given in exact.items()}


def _value(name: str, answer: int, tiles: TileSet) -> Answer:
    """Return an answer as it is written, sets of kinds as mpsz text."""
    if QUESTIONS[name].scale in (FLAG, NUMBER):
        return bool(answer) if QUESTIONS[name].scale == FLAG else answer
    chosen = set(kinds_in(answer))
    counts = tuple(int(kind in chosen) for kind in range(tiles.num_kinds))
    return get_notation("mpsz").spell(held_tiles(counts, (0,) * len(counts), tiles))


def suite_files(rules: str) -> dict[str, bytes]:
    """Return the answers of the suite of a rule set as CSV and JSON lines, by file name."""
    hands = read_hands(rules)
    rows = [
        {"hand": hand.to_text(), "called": hand.called, **row}
        for hand, row in zip(hands, answers(hands), strict=True)
    ]
    return {
        f"{rules}.csv": _lines([",".join(COLUMNS), *map(_csv_row, rows)]),
        f"{rules}.jsonl": _lines(json.dumps(row, separators=(",", ":")) for row in rows),
    }


def build_suite(
    rules: str, folder: Path, *, jobs: int = 1, advance: Callable[[int], object] = ignore
) -> int:
    """Write the suite of a rule set, one of ``RULE_SETS``, and return its number of hands.

    The folder, created unless it exists, also gets certificates, the version and SHA-256 sums.
    Worker processes make the certificates; ``advance`` is called with the number of hands
    certified.
    """
    hands, files = read_hands(rules), suite_files(rules)
    certificates = []
    for certificate in certify_many(hands, jobs=jobs, forms=get_rules(rules)):
        certificates.append(certificate.to_json())
        advance(1)
    files[f"{rules}.certificates.jsonl"] = _lines(certificates)
    files["SHA256SUMS"] = _lines(f"{sha256_of(data)}  {name}" for name, data in files.items())
    files["VERSION"] = _lines([str(VERSION)])
    with lock_folder(folder):
        for name, data in files.items():
            atomic_write(folder / name, data)
    return len(hands)


def _csv_row(row: dict[str, Answer]) -> str:
    """Return a row; truth values are written as in JSON, and no text holds a comma."""
    return ",".join(
        value if isinstance(value, str) else json.dumps(value) for value in row.values()
    )


def _lines(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()
