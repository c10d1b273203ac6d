"""Strange files of rules, hands near and far from winning under them, and the expected answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from reference_implementations.rule_file import (
    Kind,
    RuleFile,
    Template,
    deficiencies,
    parts_from,
    read,
)

FOLDER = Path(__file__).parents[1] / "data" / "strange_rules"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def strange_rules(name: str) -> tuple[Path, RuleFile]:
    """Return a file of rules and the reference's reading of it."""
    return FOLDER / f"{name}.toml", read(FOLDER / f"{name}.toml")


def deal_rows(rules: RuleFile, called: int, number: int, rng: np.random.Generator) -> np.ndarray:
    """Return hands after their draw: every other one near a complete hand, the others at random."""
    width, size = len(rules.kinds), rules.size - 3 * called
    able = [template for template in rules.templates if template.left[0] >= called]
    rows = np.zeros((number, width), np.int64)
    for place in range(number):
        near = None
        if place % 2:
            near = complete_hand(rules, able[int(rng.integers(len(able)))], called, rng)
        row = np.zeros(width, np.int64) if near is None else near
        held = np.repeat(np.arange(width), row)
        np.subtract.at(row, rng.permutation(held)[: rng.integers(5)], 1)
        pool = np.repeat(np.arange(width), 4 - row)
        np.add.at(row, rng.permutation(pool)[: size - row.sum()], 1)
        rows[place] = row
    return rows


def deal_called(
    rules: RuleFile, number: int, rng: np.random.Generator
) -> Iterator[tuple[list[list[Kind]], np.ndarray, np.ndarray]]:
    """Yield called melds of known tiles, the copies held with them and those that can arrive."""
    every = Template((1, *(0,) * 4), {}, frozenset(rules.kinds), frozenset(), True, True, False)
    known = [
        [(kind[0] + step, kind[1]) for step, (copies, _) in enumerate(uses) for _ in range(copies)]
        for kind in rules.kinds
        if kind not in rules.jokers
        for part, uses, *_ in parts_from(rules, every, kind)
        if part == "melds"
    ]
    known = [meld for meld in known if not set(meld) & rules.jokers]
    for _ in range(number if rules.most_called and known else 0):
        left = np.full(len(rules.kinds), 4)
        melds = []
        for _ in range(int(rng.integers(1, min(rules.most_called, (rules.size - 2) // 3) + 1))):
            meld = known[int(rng.integers(len(known)))]
            after = left.copy()
            np.subtract.at(after, [rules.kinds.index(kind) for kind in meld], 1)
            if after.min() >= 0:
                melds.append(meld)
                left = after
        pool = np.repeat(np.arange(len(left)), left)
        taken = rng.permutation(pool)[: rules.size - 3 * len(melds)]
        counts = np.bincount(taken, minlength=len(left))
        yield melds, counts, left - counts


def complete_hand(
    rules: RuleFile, template: Template, called: int, rng: np.random.Generator
) -> np.ndarray | None:
    """Return a hand with the parts of a template, some by jokers; None if none is found soon."""
    natural = [kind for kind in rules.kinds if kind not in rules.jokers]
    width = len(rules.kinds)
    at = {kind: place for place, kind in enumerate(rules.kinds)}
    parts: dict[str, list[np.ndarray]] = {}
    able = np.zeros(width, np.int64)
    for kind in natural:
        for part, uses, *_ in parts_from(rules, template, kind):
            copies = np.zeros(width, np.int64)
            for step, (number, _) in enumerate(uses):
                copies[at[kind] + step : at[kind] + step + 1] += number
            able[at[kind]] |= uses[0][1] > 0
            parts.setdefault(part, []).append(copies)
    melds, eyes, pairs, distinct, doubled = template.left
    for _ in range(300):
        row = np.array([template.fixed.get(kind, (0, 0))[0] for kind in rules.kinds])
        for part, number in (("melds", melds - called), ("eyes", eyes)):
            for _ in range(number):
                fit = [copies for copies in parts[part] if (row + copies).max() <= 4]
                if not fit:
                    break
                row += fit[int(rng.integers(len(fit)))]
        for part, number in (("pairs", pairs), ("distinct", distinct)):
            for place in rng.permutation(len(parts.get(part, [])))[:number]:
                row += parts[part][place]
        singles = [np.flatnonzero(copies)[0] for copies in parts.get("distinct", [])]
        row[[place for place in singles if 0 < row[place] < 4][:doubled]] += 1
        jokers = [at[kind] for kind in rules.jokers]
        for place in np.flatnonzero(able) if jokers else ():
            joker = jokers[int(rng.integers(len(jokers)))]
            if row[place] and row[joker] < 4 and rng.random() < 0.2:
                row[place] -= 1
                row[joker] += 1
        if row.max() <= 4 and row.sum() == rules.size - 3 * called:
            return row
    return None


@dataclass
class Answers:
    """The answers of the reference about some hands; all of them hold as many tiles."""

    rows: np.ndarray  # copies held, shape (N, K)
    left: np.ndarray  # copies that can arrive, shape (N, K)
    deficiency: np.ndarray  # shape (N,)
    useful: np.ndarray  # kinds whose arrival lowers it, shape (N, K)

    @property
    def num_copies(self) -> np.ndarray:
        """Copies of useful kinds that can arrive, shape (N,)."""
        return (self.useful * self.left).sum(axis=1)


def ask(rules: RuleFile, rows: np.ndarray, left: np.ndarray, called: int) -> Answers:
    """Ask the reference about hands before their draw."""
    least = deficiencies(rules, rows, left, called)
    row, kind = np.nonzero(left > 0)
    with_one, rest = rows[row], left[row]
    with_one[np.arange(len(row)), kind] += 1
    rest[np.arange(len(row)), kind] -= 1
    useful = np.zeros(rows.shape, bool)
    useful[row, kind] = deficiencies(rules, with_one, rest, called) < least[row]
    return Answers(rows=rows, left=left, deficiency=least, useful=useful)


@dataclass
class Case:
    """Hands of one number of called melds after their draw, without one tile, after discards."""

    called: int
    full: np.ndarray  # shape (N, K)
    deficiency: np.ndarray  # of the hands after their draw, shape (N,)
    before: Answers  # without one tile of each
    row: np.ndarray  # of each discard, shape (M,)
    kind: np.ndarray  # shape (M,)
    thrown: Answers  # after the discards, whose tiles cannot arrive


@cache
def deal_cases(name: str, number: int) -> tuple[Case, ...]:
    """Return a number of hands of a file with their answers, by called melds."""
    return tuple(_deal_cases(strange_rules(name)[1], number))


def _deal_cases(rules: RuleFile, number: int) -> Iterator[Case]:
    rng = np.random.default_rng(number)
    for called, some in shares(rules, number):
        full = deal_rows(rules, called, some, rng)
        before = full.copy()
        for hand in before:
            hand[rng.choice(np.repeat(np.arange(len(hand)), hand))] -= 1
        row, kind = np.nonzero(full)
        after = full[row]
        after[np.arange(len(row)), kind] -= 1
        yield Case(
            called=called,
            full=full,
            deficiency=deficiencies(rules, full, None, called),
            before=ask(rules, before, 4 - before, called),
            row=row,
            kind=kind,
            thrown=ask(rules, after, 4 - full[row], called),
        )


def shares(rules: RuleFile, number: int) -> Iterator[tuple[int, int]]:
    """Yield each number of called melds with its number of hands: half of all hands have none."""
    most = min(rules.most_called, (rules.size - 2) // 3)
    each = number // 2 // most if most else 0
    yield 0, number - most * each
    yield from ((called, each) for called in range(1, most + 1) if each)
