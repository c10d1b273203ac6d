"""The hands of the instance set, chosen by recipe and deficiency."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from typing import Final, NotRequired, TypedDict

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import whole
from mjopt.analysis.deficiency import deficiency
from mjopt.datasets.planner import make_plan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.hands.tiles import COPIES, FULL, M0, TILE_SETS, TileSet
from mjopt.models.solve import optimal_value, solve

GROUPS: Final[dict[str, int]] = {
    "one-type": 150,
    "two-type": 150,
    "three-type": 150,
    "honours": 200,
    "called": 100,
    "limited": 150,
    "cost-too-low": 100,
}
"""Number of hands of each group; in the last one the cost of Eq. 8 is below the deficiency."""

MAX_HANDS: Final = 10_000  # more rarely have the deficiencies that few hands have
POOL: Final = 40  # candidates for each hand of a group that is balanced by deficiency


@dataclass(frozen=True, kw_only=True)
class InstanceHand:
    """A hand of the instance set.

    Parameters
    ----------
    name
        Group and number, such as ``limited-007``.
    group
        One of `GROUPS`.
    tiles
        Key of the tile set, ``m0`` or ``136``.
    counts
        Copies of each kind in the hand.
    called
        Number of called melds.
    unseen
        Copies of each kind that can still arrive; None for all that the hand does not hold.

    Examples
    --------
    >>> from mjopt.instances import choose_hands
    >>> chosen = choose_hands(7, seed=1)[0]
    >>> chosen.group, chosen.hand.num_tiles
    ('one-type', 14)
    """

    name: str
    group: str
    tiles: str
    counts: tuple[int, ...]
    called: int = 0
    unseen: tuple[int, ...] | None = None

    @cached_property
    def hand(self) -> Hand:
        """The hand."""
        return Hand.from_counts(self.counts, tiles=TILE_SETS[self.tiles], called=self.called)

    @cached_property
    def query(self) -> HandQuery:
        """The query about its deficiency in the standard form."""
        return HandQuery(self.hand, DEFAULT_FORM, self.unseen)


class _Chosen(TypedDict):
    """The fields of an `InstanceHand` besides its name and its group."""

    tiles: str
    counts: tuple[int, ...]
    called: int
    unseen: NotRequired[tuple[int, ...]]


Maker = Callable[[int, np.random.Generator], Iterable[_Chosen]]


def check_choice(number: int, seed: int) -> tuple[int, int]:
    """Return the number of hands and the seed; raise an error if one is out of range."""
    number, seed = whole(number, "number"), whole(seed, "seed")
    if seed < 0:
        raise ArgumentError(argument="seed", value=short_repr(seed), expected="0, 1, 2, ...")
    if not len(GROUPS) <= number <= MAX_HANDS:
        raise ArgumentError(
            f"{short_repr(number)} hands",
            expected=f"at least {len(GROUPS)}, one for each group, and at most {MAX_HANDS:,}",
        )
    return number, seed


def choose_hands(number: int = 1000, *, seed: int = 0) -> list[InstanceHand]:
    """Choose hands by group; within a group each deficiency occurs as often as possible.

    Parameters
    ----------
    number
        Number of hands; the groups share it as in `GROUPS`.
    seed
        Seed of the choice.

    Raises
    ------
    ArgumentError
        If the number is smaller than the number of groups, or more than `MAX_HANDS`.

    Examples
    --------
    >>> hands = choose_hands(20, seed=1)
    >>> [hand.name for hand in hands][:3], len(hands)
    (['one-type-001', 'one-type-002', 'one-type-003'], 20)
    """
    number, seed = check_choice(number, seed)
    total, begun = sum(GROUPS.values()), 0
    chosen: list[InstanceHand] = []
    for place, (group, share) in enumerate(GROUPS.items()):
        begun += share
        last = number * begun // total if place + 1 < len(GROUPS) else number
        size = max(last - len(chosen), 1)
        rng = np.random.default_rng([seed, place])
        for at, hand in enumerate(_MAKERS[group](size, rng), start=1):
            chosen.append(InstanceHand(name=f"{group}-{at:03}", group=group, **hand))
    return chosen


def _dealt(
    recipe: str, size: int, rng: np.random.Generator, *, tiles: TileSet, called: int = 0
) -> list[tuple[int, ...]]:
    """Return rows of counts of a recipe that draws."""
    plan = make_plan(f"{recipe}:{size}", tiles=tiles, called=called)
    rows = plan.hand_recipe.counts(seed=int(rng.integers(2**31)))
    return [tuple(row) for row in rows.tolist()]


def _balanced(rows: list[_Chosen], size: int) -> list[_Chosen]:
    """Return rows with each deficiency as often as possible, the order of rows kept within one."""
    by_value: dict[int, list[_Chosen]] = {}
    for row in rows:
        hand = Hand.from_counts(row["counts"], tiles=TILE_SETS[row["tiles"]], called=row["called"])
        value = deficiency(hand, unseen=row.get("unseen"))
        by_value.setdefault(value, []).append(row)
    columns = [by_value[value] for value in sorted(by_value)]
    turns = chain.from_iterable(zip_longest(*columns))
    return [row for row in turns if row is not None][:size]


def _of_types(types: int) -> Maker:
    names = {2: "two-type", 3: "three-type"}

    def make(size: int, rng: np.random.Generator) -> list[_Chosen]:
        if types == 1:
            recipe = make_plan("one-type", tiles=M0).hand_recipe
            picked = rng.integers(min(BLOCK_ROWS, recipe.num_hands), size=POOL * size)
            rows = recipe.block(0)[picked]
            counts = [tuple(row) for row in rows.tolist()]
        else:
            counts = _dealt(names[types], POOL * size, rng, tiles=M0)
        found: list[_Chosen] = [
            {"tiles": M0.key, "counts": row, "called": 0} for row in dict.fromkeys(counts)
        ]
        return _balanced(found, size)

    return make


def _honours(size: int, rng: np.random.Generator) -> list[_Chosen]:
    rows = _dealt("stratified", 2 * size, rng, tiles=FULL)
    rows = [row for row in dict.fromkeys(rows) if any(row[M0.num_kinds :])]
    found = [{"tiles": FULL.key, "counts": row, "called": 0} for row in rows]
    return _balanced([found[i] for i in rng.permutation(len(found))], size)


def _called(size: int, rng: np.random.Generator) -> list[_Chosen]:
    found = []
    for called in range(1, 5):
        for tiles in (M0, FULL):
            rows = _dealt("stratified", 2 * size, rng, tiles=tiles, called=called)
            found += [
                {"tiles": tiles.key, "counts": row, "called": called} for row in dict.fromkeys(rows)
            ]
    return _balanced([found[i] for i in rng.permutation(len(found))], size)


def _limited(size: int, rng: np.random.Generator) -> list[_Chosen]:
    """Return hands for which each unseen copy is left with a chance drawn for the hand."""
    found = []
    for tiles in (M0, FULL):
        for row in _dealt("deals", POOL * size // 2, rng, tiles=tiles):
            hidden = COPIES - np.array(row)
            unseen = rng.binomial(hidden, rng.uniform(0, 0.5))
            found.append(
                {"tiles": tiles.key, "counts": row, "called": 0, "unseen": tuple(unseen.tolist())}
            )
    return _balanced([found[i] for i in rng.permutation(len(found))], size)


def _cost_too_low(size: int, rng: np.random.Generator) -> Iterator[_Chosen]:
    """Yield hands with three kongs whose least cost of Eq. 8 is below the deficiency."""
    known: set[tuple[int, ...]] = set()
    while len(known) < size:
        for row in _dealt("kongs", POOL * size, rng, tiles=M0):
            hand = Hand.from_counts(row, tiles=M0)
            if row in known or not _may_cost_too_little(row):
                continue
            if optimal_value(solve(hand, model="predecomposition")) < deficiency(hand):
                known.add(row)
                yield {"tiles": M0.key, "counts": row, "called": 0}
                if len(known) == size:
                    return


def _may_cost_too_little(row: tuple[int, ...]) -> bool:
    """Return whether a hand consists of three kongs and two single tiles, as all such hands do."""
    return row.count(COPIES) == 3 and row.count(1) == 2


_MAKERS: Final[dict[str, Maker]] = {
    "one-type": _of_types(1),
    "two-type": _of_types(2),
    "three-type": _of_types(3),
    "honours": _honours,
    "called": _called,
    "limited": _limited,
    "cost-too-low": _cost_too_low,
}
