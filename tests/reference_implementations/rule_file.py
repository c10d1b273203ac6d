"""Deficiencies under a file of rules: a recursion over the parts of a hand, from the file alone.

It reads the TOML by itself and knows nothing of mjopt. A template asks for numbers of parts. The
concrete parts (each chow, each pong, each pair, ...) are taken in the order of their first kind,
each as often as there are copies. A state holds the copies used of the kind and of the two after
it, how many of these may be jokers, the parts that are left and the jokers that stand for tiles;
its value is the number of natural tiles missing so far, for many hands at once.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np

NEVER = 100
"""The deficiency of a hand that the tiles left cannot complete."""

MOST_ROWS = 2048
"""Hands of one recursion, whose values stay in the CPU cache."""

PARTS = ("melds", "eyes", "pairs", "distinct", "doubled")
SIZES = {"melds": 3, "eyes": 2, "pairs": 2, "distinct": 1}
TILES: dict[str, dict[str, Any]] = {
    "m0": {},
    "136": {"honours": 7},
    "sanma": {"honours": 7, "without": "2345678m"},
}

Kind = tuple[int, str]
Use = tuple[int, int]  # copies of a kind, and those of them that jokers may be
State = tuple[Use, Use, Use, tuple[int, ...], int]
States = dict[State, np.ndarray]


@dataclass
class Template:
    """The parts of one shape; kinds are numbers and letters of suits."""

    left: tuple[int, ...]  # how many of each of PARTS
    fixed: dict[Kind, Use]
    kinds: frozenset[Kind]
    of: frozenset[Kind]
    chows: bool
    pongs: bool
    alike: bool


@dataclass
class RuleFile:
    """A file of rules."""

    kinds: list[Kind]
    size: int
    suits: str
    jokers: frozenset[Kind] = frozenset()
    able: frozenset[str] = frozenset()  # parts, not the fixed ones, that jokers may be
    fifth: bool = False
    templates: list[Template] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The kinds as text."""
        return [f"{number}{letter}" for number, letter in self.kinds]

    @property
    def most_called(self) -> int:
        """Most melds on the table."""
        return max(template.left[0] for template in self.templates)


def read_runs(text: str) -> Iterator[tuple[Kind, int]]:
    """Yield each run of equal tiles, such as 222m, with its length."""
    for word in re.finditer(r"(\d+)([a-z])", text):
        for run in re.finditer(r"(\d)\1*", word[1]):
            yield (int(run[1]), word[2]), len(run[0])


def read_kinds(text: str) -> set[Kind]:
    """Return the kinds of a text."""
    return {kind for kind, _ in read_runs(text)}


def read(path: Path) -> RuleFile:
    """Read a file of rules."""
    document = tomllib.loads(path.read_text("utf-8"))
    tiles = document["tiles"]
    tiles = TILES[tiles] if isinstance(tiles, str) else tiles
    parts = [(letter, 9) for letter in tiles.get("suits", "mps")]
    parts += [("z", tiles.get("honours", 0)), ("j", tiles.get("jokers", 0))]
    without = read_kinds(tiles.get("without", ""))
    kinds = [(n, letter) for letter, most in parts for n in range(1, most + 1)]
    kinds = [kind for kind in kinds if kind not in without]
    suits = "".join(dict.fromkeys(letter for _, letter in kinds if letter not in "zj"))
    rules = RuleFile(kinds=kinds, size=document.get("size", 14), suits=suits)
    jokers = document.get("jokers", {})
    named = jokers.get("parts", ["fixed", *SIZES])
    least = jokers.get("least", 1)
    if jokers:
        rules.jokers = frozenset(read_kinds(jokers["kinds"]))
        rules.able = frozenset(part for part in named if SIZES.get(part, 0) >= least)
        rules.fifth = jokers.get("fifth", False)
    least_fixed = least if jokers and "fixed" in named else NEVER
    for form in document["form"]:
        for template in read_form(form, rules, least_fixed):
            rules.templates += [template] if template not in rules.templates else []
    return rules


def read_form(form: dict[str, Any], rules: RuleFile, least_fixed: int) -> Iterator[Template]:
    """Yield the templates of a form: its letters, mirrors and shifts."""
    texts = {key: list(read_runs(form.get(key, ""))) for key in ("fixed", "kinds", "of")}
    every = [kind for runs in texts.values() for kind, _ in runs]
    letters = sorted({letter for _, letter in every} & set("abc"))
    numbers = [number for number, letter in every if letter in "abc" or letter in rules.suits]
    for chosen in permutations(rules.suits, len(letters)):
        suit_of = dict(zip(letters, chosen, strict=True))
        for mirrored in (False, True) if form.get("mirror") else (False,):
            for step in range(-8, 9) if form.get("shift") else (0,):
                there = {n: (10 - n if mirrored else n) + step for n in numbers}
                if not all(1 <= n <= 9 for n in there.values()):
                    continue

                def place(kind: Kind, suit_of: Any = suit_of, there: Any = there) -> Kind:
                    letter = suit_of.get(kind[1], kind[1])
                    return (there[kind[0]] if letter in rules.suits else kind[0], letter)

                fixed: dict[Kind, Use] = {}
                for kind, copies in texts["fixed"]:
                    before = fixed.get(place(kind), (0, 0))
                    able = copies if copies >= least_fixed else 0
                    fixed[place(kind)] = (before[0] + copies, before[1] + able)
                inside = {place(kind) for kind, _ in texts["kinds"]}
                yield Template(
                    left=tuple(form.get(part, 0) for part in PARTS),
                    fixed=fixed,
                    kinds=frozenset(inside or rules.kinds),
                    of=frozenset(place(kind) for kind, _ in texts["of"]),
                    chows=form.get("chows", True),
                    pongs=form.get("pongs", True),
                    alike=form.get("alike", False),
                )


def deficiencies(
    rules: RuleFile,
    held: np.ndarray,
    left: np.ndarray | None = None,
    called: int = 0,
    melds: Sequence[Sequence[Kind]] = (),
) -> np.ndarray:
    """Return the least number of tiles missing, one for each row of copies held.

    ``left`` are the copies that can arrive, by default all that are not held. ``melds`` are those
    called melds whose tiles are known; none of their tiles is held.
    """
    left = 4 - held if left is None else left
    if len(held) > MOST_ROWS:
        starts = range(0, len(held), MOST_ROWS)
        parts = [(held[n : n + MOST_ROWS], left[n : n + MOST_ROWS]) for n in starts]
        return np.concatenate([deficiencies(rules, *part, called, melds) for part in parts])
    values = [
        of_template(rules, part, held, left, called)
        for template in rules.templates
        for part in beside(rules, template, melds)
        if part.left[0] >= called
    ]
    return np.min([np.full(len(held), NEVER), *values], axis=0)


def beside(
    rules: RuleFile, template: Template, melds: Sequence[Sequence[Kind]]
) -> Iterator[Template]:
    """Yield the template for each choice of the called melds that are a part of its fixed tiles.

    These are as many melds as can be cut from the fixed tiles, and the rest gives the others.
    """
    fixed = Counter({kind: copies for kind, (copies, _) in template.fixed.items()})
    for chosen in product((False, True), repeat=len(melds)):
        inside = [meld[:3] for meld, is_in in zip(melds, chosen, strict=True) if is_in]
        others = [meld for meld, is_in in zip(melds, chosen, strict=True) if not is_in]
        rest = Counter(fixed)
        rest.subtract(kind for meld in inside for kind in meld)
        if (
            min(rest.values(), default=0) >= 0
            and all(allows(template, meld) for meld in others)
            and most_melds(rules, rest) + len(inside) == most_melds(rules, fixed)
        ):
            uses = {kind: (n, min(n, template.fixed[kind][1])) for kind, n in rest.items()}
            parts = (template.left[0] + len(inside), *template.left[1:])
            yield replace(template, left=parts, fixed=uses)


def most_melds(rules: RuleFile, tiles: Counter[Kind]) -> int:
    """Return the most melds that can be cut from some tiles, by trying each as the next one."""
    best = 0
    for number, letter in rules.kinds:
        melds = [[(number, letter)] * 3]
        if letter in rules.suits:
            melds.append([(number + step, letter) for step in range(3)])
        for meld in melds:
            if Counter(meld) <= tiles:
                left = Counter(tiles)
                left.subtract(meld)
                best = max(best, 1 + most_melds(rules, left))
    return best


def allows(template: Template, meld: Sequence[Kind]) -> bool:
    """Return whether a called meld can be one of the template."""
    is_pong = len(set(meld)) == 1
    return set(meld) <= template.kinds and (template.pongs if is_pong else template.chows)


def of_template(
    rules: RuleFile, template: Template, held: np.ndarray, left: np.ndarray, called: int
) -> np.ndarray:
    """Return the least number of tiles missing for one template."""
    is_joker = np.array([kind in rules.jokers for kind in rules.kinds])
    own, arriving = held[:, is_joker].sum(axis=1), left[:, is_joker].sum(axis=1)
    most_jokers = int((own + arriving).max(initial=0))
    parts = (template.left[0] - called, *template.left[1:])
    states: States = {((0, 0),) * 3 + (parts, 0): np.zeros(len(held), np.int16)}
    for place, kind in enumerate(rules.kinds):
        for part in parts_from(rules, template, kind):
            states = take(rules, states, *part)
        have = np.zeros(len(held), np.int16) if is_joker[place] else held[:, place].astype(np.int16)
        able = have + (0 if is_joker[place] else left[:, place].astype(np.int16))
        after: States = {}
        for (use, second, third, rest, jokers), missing in states.items():
            for number in range(min(use[1], most_jokers - jokers) + 1):
                natural = use[0] - number
                value = missing + np.maximum(natural - have, 0)
                value[natural > able] = NEVER
                merge(after, (second, third, (0, 0), rest, jokers + number), value)
        states = after
    found = np.full(len(held), NEVER, np.int16)
    for (*uses, rest, jokers), missing in states.items():
        if not any(rest) and uses == [(0, 0)] * 3:
            value = missing + np.maximum(jokers - own, 0)
            value[jokers > own + arriving] = NEVER
            np.minimum(found, value, out=found)
    return found


def parts_from(
    rules: RuleFile, template: Template, kind: Kind
) -> Iterator[tuple[str, tuple[Use, Use, Use], bool, bool]]:
    """Yield the concrete parts that begin at a kind.

    Each has its copies of three kinds, and whether it may be taken again and must be taken.
    """
    number, letter = kind
    if kind in template.fixed:
        yield "fixed", (template.fixed[kind], (0, 0), (0, 0)), False, True

    def some(part: str, copies: int) -> Use:
        return copies, copies if part in rules.able else 0

    if kind in template.kinds:
        if template.pongs:
            yield "melds", (some("melds", 3), (0, 0), (0, 0)), True, False
        next_two = {(number + 1, letter), (number + 2, letter)}
        if template.chows and letter in rules.suits and next_two <= template.kinds:
            yield "melds", (some("melds", 1),) * 3, True, False
        yield "eyes", (some("eyes", 2), (0, 0), (0, 0)), True, False
        yield "pairs", (some("pairs", 2), (0, 0), (0, 0)), template.alike, False
    if kind in template.of:
        yield "distinct", (some("distinct", 1), (0, 0), (0, 0)), False, False


def take(
    rules: RuleFile,
    states: States,
    part: str,
    uses: tuple[Use, Use, Use],
    again: bool,
    must: bool,
) -> States:
    """Return the states in which a concrete part is taken as often as it can be."""
    total: States = {} if must else dict(states)
    while states:
        more: States = {}
        for (*before, left, jokers), value in states.items():
            for taken in ("distinct", "doubled") if part == "distinct" else (part,):
                rest = spend(left, taken)
                copies = 2 if taken == "doubled" else 1
                after = tuple(
                    (a[0] + copies * b[0], a[1] + copies * b[1])
                    for a, b in zip(before, uses, strict=True)
                )
                most = 4 + 4 * len(rules.jokers) if rules.fifth else 4
                if rest is not None and all(use[0] <= most for use in after):
                    merge(more, (*after, rest, jokers), value)
        for state, value in more.items():
            merge(total, state, value)
        states = more if again else {}
    return total


def spend(left: tuple[int, ...], part: str) -> tuple[int, ...] | None:
    """Return the parts that are left without one; None if none is left of it."""
    used = ("distinct", "doubled") if part == "doubled" else (part,)
    rest = tuple(number - (name in used) for name, number in zip(PARTS, left, strict=True))
    return None if min(rest) < 0 else rest


def merge(states: States, state: State, value: np.ndarray) -> None:
    """Keep the lesser value of a state."""
    known = states.get(state)
    states[state] = value if known is None else np.minimum(known, value)
