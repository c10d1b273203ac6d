"""Small hands for the faults of an engine: for each cause the simplest hand found to be wrong."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.comparison import Audit
from mjopt.audits.engines import Engine
from mjopt.audits.findings import Disagreement
from mjopt.audits.hand_batch import HandBatch
from mjopt.hands.tiles import COPIES, TileSet

MOST_GROUPS: Final = 10
_TRIED: Final = 100  # simpler hands of a group, in each round
_ROUNDS: Final = 30

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """Wrong answers that share a column and a cause."""

    num_rows: int  # wrong answers
    simplest: Disagreement  # a wrong answer about the simplest hand found


def simplicity(counts: Counts, tiles: TileSet) -> tuple[int, ...]:
    """Return the order of hands: fewer suits, then fewer tiles alike, then lower ranks.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.hands.hand import Hand
    >>> texts = ["123m456p", "123456m", "123m123p", "112233m"]
    >>> sorted(texts, key=lambda t: simplicity(Hand.parse(t, partial=True).counts, M0))
    ['123456m', '112233m', '123m123p', '123m456p']
    """
    suits = [any(counts[part]) for part in tiles.slices]
    places = (place for part in tiles.slices for place in range(part.stop - part.start))
    ranks = sum(held * place for held, place in zip(counts, places, strict=True))
    alike = sum(held - 1 for held in counts if held)
    kind = sum(held * number for number, held in enumerate(counts))
    return sum(suits), alike, ranks, kind


def simpler_hands(counts: Counts, tiles: TileSet) -> list[Counts]:
    """Return simpler hands near a hand, the simplest first.

    A suit becomes another one or moves down, or one tile, or all tiles of a kind, become another.
    """
    now, held = np.array(counts), np.flatnonzero(counts).tolist()
    found: set[Counts] = set()

    def add(other: np.ndarray) -> None:
        if other.min() >= 0 and other.max() <= COPIES:
            found.add(tuple(other.tolist()))

    for part in tiles.slices:
        for other in tiles.slices:
            width = min(part.stop - part.start, other.stop - other.start)
            if part != other and not now[part][width:].any():
                moved = now.copy()
                moved[part] = 0
                moved[other.start : other.start + width] += now[part][:width]
                add(moved)
        if not now[part.start]:
            down = now.copy()
            down[part] = np.roll(now[part], -1)
            add(down)
    for kind in held:
        for to in range(len(counts)):
            for number in {1, counts[kind]} if to != kind else ():
                moved = now.copy()
                moved[kind] -= number
                moved[to] += number
                add(moved)
    order = sorted((simplicity(other, tiles), other) for other in found)
    return [other for rank, other in order if rank < simplicity(counts, tiles)]


def small_groups(audit: Audit, engine: Engine) -> list[FaultGroup]:
    """Return the most frequent groups of wrong answers, each with a hand made simple.

    Every round asks the engine about simpler hands near that of each group, and takes the simplest
    that is wrong for the same cause. A named cause that no simpler hand has fitted a wrong answer
    by chance: it joins the most frequent group without a named cause.
    """
    numbers: dict[tuple[str, str], int] = {}
    first: dict[tuple[str, str], Disagreement] = {}
    for row in audit.wrong():
        key = _key(row)
        numbers[key] = numbers.get(key, 0) + 1
        best = first.setdefault(key, row)
        if _rank(row, audit.tiles) < _rank(best, audit.tiles):
            first[key] = row
    # Causes with a name come first: they say more than the size of an error.
    order = sorted(numbers, key=lambda key: (not first[key].has_known_cause, -numbers[key]))
    chosen = order[:MOST_GROUPS]
    simplest = {key: first[key] for key in chosen}
    open_keys, seen = list(chosen), set[tuple[str, str]]()
    for _ in range(_ROUNDS):
        tried = [hand for key in open_keys for hand in _variants(simplest[key], audit.tiles)]
        if not tried:
            break
        improved = dict.fromkeys(open_keys, False)
        for row in _wrong(engine, audit, tried):
            key = _key(row)
            seen.add(key)
            if key in improved and _rank(row, audit.tiles) < _rank(simplest[key], audit.tiles):
                simplest[key], improved[key] = row, True
        open_keys = [key for key in open_keys if improved[key]]
    unnamed = [key for key in chosen if not first[key].has_known_cause]
    groups = []
    for key in chosen:
        others = [other for other in unnamed if other[0] == key[0] and other in seen]
        if key in seen or not others or not first[key].has_known_cause:
            groups.append(key)
        else:
            numbers[others[0]] += numbers[key]
    return [FaultGroup(num_rows=numbers[key], simplest=simplest[key]) for key in groups]


def _key(row: Disagreement) -> tuple[str, str]:
    return row.column, row.cause or row.kind


def _rank(row: Disagreement, tiles: TileSet) -> tuple[int, ...]:
    return (row.left is not None, *simplicity(row.counts, tiles), row.called)


def _variants(row: Disagreement, tiles: TileSet) -> list[tuple[Counts, int]]:
    """Return simpler hands near a hand, with as many called melds: some of all if many."""
    hands = simpler_hands(row.counts, tiles)
    return [(counts, row.called) for counts in hands[:: len(hands) // _TRIED + 1]]


def _wrong(engine: Engine, audit: Audit, hands: list[tuple[Counts, int]]) -> list[Disagreement]:
    """Return the wrong answers of an engine to some hands."""
    batch = HandBatch(
        counts=np.array([counts for counts, _ in hands], np.uint8),
        called=np.array([called for _, called in hands], np.int16),
        tiles=audit.tiles,
        rules=audit.rules,
    )
    columns = {name: findings.question.name for name, findings in audit.columns.items()}
    with Audit(columns, tiles=audit.tiles, forms=audit.forms, rules=audit.rules) as judged:
        asked = replace(engine, questions=tuple(columns))
        for block in asked.blocks([AnswerBlock.of(batch)]):
            judged.add(block)
        return list(judged.wrong())
