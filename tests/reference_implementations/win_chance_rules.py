"""Win chances in small worlds of any winning forms, by trying every play."""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from helpers.small_forms import SMALL_FORMS, literal_deficiency, small_rules

from mjopt.hands.hand import Hand
from mjopt.hands.rules.rule_set import RuleSet

Counts = tuple[int, ...]

RULES = ("knitted", "one-suit", "laizi")
FORMS = (
    ("two_eyes",),
    ("equal_pairs",),
    ("laizi_all",),
    ("distinct_and_groups",),
    ("knitted",),
    ("missing_suit", "pongs_only"),
    ("laizi", "laizi_pairs"),
)


def rule_sets() -> dict[str, RuleSet]:
    """Return ten rule sets by name: those of files, and those of small forms."""
    found = {f"file {name}": small_rules(name) for name in RULES}
    for names in FORMS:
        forms = tuple(SMALL_FORMS[name] for name in names)
        name = " ".join(names)
        tiles, size = forms[0].tiles, forms[0].size
        found[name] = RuleSet(name=name, title=name, tiles=tiles, size=size, forms=forms)
    return found


class RuleWorld(NamedTuple):
    """A hand, a wall, a number of draws and a waste."""

    hand: Hand
    wall: Counts
    draws: int
    waste: int


def small_worlds(rules: RuleSet, rng: random.Random) -> Iterator[RuleWorld]:
    """Yield small worlds forever; hands are often near a win."""
    num_kinds = rules.tiles.num_kinds
    while True:
        called = rng.randint(0, max(0, rules.most_called - 1))
        size = rules.size - 3 * called - rng.choice((0, 0, 1))
        tiles = [kind for kind in range(num_kinds) for _ in range(4)]
        rng.shuffle(tiles)
        held, rest = tiles[:size], tiles[size:]
        wall = rest[: rng.randint(3, 6)]
        if size < 2 or len(wall) < 2:
            continue
        counts = [held.count(kind) for kind in range(num_kinds)]
        hand = Hand.from_counts(counts, tiles=rules.tiles, called=called, rules=rules)
        copies = tuple(wall.count(kind) for kind in range(num_kinds))
        yield RuleWorld(hand, copies, rng.randint(1, min(len(wall), 3)), rng.randint(0, 2))


def changed(counts: Counts, kind: int, by: int) -> Counts:
    """Return counts with more or fewer copies of a kind."""
    return (*counts[:kind], counts[kind] + by, *counts[kind + 1 :])


def kinds(counts: Counts) -> list[int]:
    """Return the kinds that are held."""
    return [kind for kind, copies in enumerate(counts) if copies]


class Reference:
    """The chances of one world, over all plays or those of a class.

    Parameters
    ----------
    world
        The world.
    limits
        For each form the most tiles acquired and missing together of a hand of the class; None
        for all plays.
    """

    def __init__(self, world: RuleWorld, limits: Counts | None = None) -> None:
        self.world, self.limits = world, limits
        self.deficiencies = cache(self._deficiencies)
        self.value = cache(self._value)

    def _deficiencies(self, counts: Counts) -> Counts:
        hand = self.world.hand
        assert hand.rules is not None
        left = [4 - copies for copies in counts]
        return tuple(
            literal_deficiency(form.templates, hand.tiles, counts, left, hand.called)
            for form in hand.rules.forms
        )

    def is_allowed(self, counts: Counts) -> bool:
        """Return whether a hand after a discard is in the class."""
        if self.limits is None:
            return True
        first = self.world.hand.counts
        acquired = sum(max(0, now - then) for now, then in zip(counts, first, strict=True))
        missing = self.deficiencies(counts)
        return any(acquired + d <= limit for d, limit in zip(missing, self.limits, strict=True))

    def _value(self, counts: Counts, wall: Counts, draws: int) -> Fraction:
        total = Fraction(0)
        for drawn in kinds(wall) if draws else ():
            full, rest = changed(counts, drawn, 1), changed(wall, drawn, -1)
            if 0 in self.deficiencies(full):
                total += wall[drawn]
                continue
            after = [changed(full, thrown, -1) for thrown in kinds(full)]
            values = [self.value(one, rest, draws - 1) for one in after if self.is_allowed(one)]
            total += wall[drawn] * max(values)
        return total / sum(wall) if draws else total

    def chance(self, discard: int | None) -> Fraction | None:
        """Return the chance after a discard; None if it is not in the class."""
        world = self.world
        counts = world.hand.counts
        if discard is not None:
            counts = changed(counts, discard, -1)
        if not self.is_allowed(counts):
            return None
        return self.value(counts, world.wall, world.draws)
