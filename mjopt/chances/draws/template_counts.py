"""Count the draws that leave a hand incomplete, for the templates of any winning form.

Within a suit, a set of records says which parts of a template the tiles can make; it changes kind
by kind, as an automaton reads. After the suit only the numbers of parts count, and the suits add
up. Templates that ask the same of a suit share its sets.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product
from math import comb
from typing import Final

from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_set import WinningForm, templates_of
from mjopt.hands.template import Template, kind_options
from mjopt.hands.tiles import COPIES, TileSet

MOST_TEMPLATES: Final = 12
"""Most templates whose draws are counted together."""

MOST_CLASSES: Final = 20_000
"""Most classes of a group of suits; forms with more are refused."""

Counts = tuple[int, ...]
Parts = tuple[int, ...]  # melds, eyes, distinct, doubled, pairs
Front = frozenset[Parts]  # numbers of parts, none at most another in every place
Records = frozenset[tuple[Parts, int, int]]  # parts made, and chows begun one and two kinds back
State = tuple[Records, ...]  # for every demand on a suit
Use = tuple[int, int, Parts]  # copies taken, chows begun, and the parts that begin
Ways = dict[tuple[Front | None, ...], int]
"""Ways to draw, by the fronts of all templates, None for one that does not matter any more.

The numbers of ways to draw 0, 1, ... tiles are the digits of one integer.
"""

Demand = tuple[object, ...]  # all that a template says of one suit

_NUM_PARTS: Final = 5
_TOO_WIDE: Final = f"forms with more than {MOST_CLASSES:,} classes of hands: draws are not counted"


def count_incomplete_templates(query: HandQuery, hands: Sequence[Counts]) -> list[list[int]]:
    """Count the draws that leave each hand without any form of the query.

    Parameters
    ----------
    query
        The forms, the called melds and the wall, which are the unseen tiles.
    hands
        Copies held by each hand, per kind.

    Returns
    -------
    list of list of int
        One list per hand, by the number of draws, ``0..wall_size``.

    Raises
    ------
    HandError
        If a form has jokers, or too many classes to count.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("123m123p123s11z", rules="taiwan", called=2)
    >>> wall = (1, *[0] * 32, 2)
    >>> count_incomplete_templates(HandQuery(hand, unseen=wall, general=True), [hand.counts])
    [[0, 0, 0, 0]]
    """
    templates = [part for form in query.forms for part in query.templates(form)]
    if any(template.jokers for template in templates):
        raise HandError("draws are not counted with jokers")
    if not can_count_draws(query.forms, query.hand.tiles):
        forms = ", ".join(query.forms)
        raise HandError(
            f"{forms}: draws are not counted for more than {MOST_TEMPLATES} templates at once",
            hint="ask about fewer forms",
        )
    tiles, wall = query.hand.tiles, query.unseen
    size = sum(wall)
    digit = comb(size, size // 2).bit_length()
    slices = _in_order(templates, tiles)
    found = []
    for held in hands:
        ways: Ways = {tuple(_start(template, query.hand.called) for template in templates): 1}
        for number, part in enumerate(slices):
            suit = _suit_ways(tuple(templates), tiles, part.start, held[part], wall[part], digit)
            is_later = tuple(
                any(_demand(template, tiles, later) is not None for later in slices[number + 1 :])
                for template in templates
            )
            ways = _join(ways, suit, templates, is_later)
        total = sum(ways.values())
        found.append([total >> digit * i & (1 << digit) - 1 for i in range(size + 1)])
    return found


def can_count_draws(forms: tuple[str, ...], tiles: TileSet) -> bool:
    """Return whether draws, and with them win chances, are counted for these forms together.

    Examples
    --------
    >>> from mjopt.hands.rule_file import get_rules
    >>> [can_count_draws(rules.forms, rules.tiles) for rules in map(get_rules, ("taiwan", "mcr"))]
    [True, False]
    """
    if not any(isinstance(form, WinningForm) for form in forms):
        return True
    templates = [part for form in forms for part in templates_of(form, tiles)]
    return len(templates) <= MOST_TEMPLATES and not any(part.jokers for part in templates)


def _start(template: Template, called: int) -> Front:
    return frozenset([(min(called, template.melds), 0, 0, 0, 0)])


def _wanted(template: Template) -> Parts:
    return (*(template.melds, template.eyes, template.distinct, template.doubled, template.pairs),)


def _in_order(templates: Sequence[Template], tiles: TileSet) -> list[slice]:
    """Return the suits, first those that most templates use: the others are then settled soon."""
    users = {
        part.start: sum(_demand(template, tiles, part) is not None for template in templates)
        for part in tiles.slices
    }
    return sorted(tiles.slices, key=lambda part: -users[part.start])


def _demand(template: Template, tiles: TileSet, part: slice) -> Demand | None:
    """Return what a template says of one suit; None if it uses no tile of it."""
    kinds = range(tiles.num_kinds)[part]
    groups = tuple(k - part.start for k in kinds if k in template.kinds)
    distinct = tuple(k - part.start for k in kinds if k in template.of)
    fixed = template.fixed[part]
    if not groups and not distinct and not any(fixed):
        return None
    has_melds = template.has_chows, template.has_pongs, template.has_equal_pairs
    return groups, distinct, fixed, *has_melds, *_wanted(template)


@lru_cache(maxsize=256)
def _suit_ways(
    templates: tuple[Template, ...],
    tiles: TileSet,
    first: int,
    held: Counts,
    wall: Counts,
    digit: int,
) -> Ways:
    """Count the draws from one suit by the fronts of the templates."""
    part = slice(first, first + len(held))
    demands = [_demand(template, tiles, part) for template in templates]
    distinct = [demand for demand in dict.fromkeys(demands) if demand is not None]
    chosen = tuple(templates[demands.index(demand)] for demand in distinct)
    goals = [_wanted(template) for template in chosen]
    ways: dict[State, int] = {(frozenset([((0,) * _NUM_PARTS, 0, 0)]),) * len(chosen): 1}
    for kind, (own, left) in enumerate(zip(held, wall, strict=True), first):
        rules = [
            (_options(part, tiles, kind), goal) for part, goal in zip(chosen, goals, strict=True)
        ]
        after: dict[State, int] = {}
        for state, number in ways.items():
            for drawn in range(left + 1):
                then = tuple(
                    [
                        _use(records, *rule, own + drawn)
                        for records, rule in zip(state, rules, strict=True)
                    ]
                )
                more = number * comb(left, drawn) << digit * drawn
                after[then] = after.get(then, 0) + more
        if len(after) > MOST_CLASSES:
            raise HandError(_TOO_WIDE)
        ways = after
    places = [None if demand is None else distinct.index(demand) for demand in demands]
    found: Ways = {}
    for state, number in ways.items():
        fronts = [_front(records) for records in state]
        key = tuple(None if place is None else fronts[place] for place in places)
        found[key] = found.get(key, 0) + number
    return found


@lru_cache(maxsize=1 << 14)
def _options(template: Template, tiles: TileSet, kind: int) -> tuple[Use, ...]:
    """Return the uses of a kind; three equal chows are also three pongs, so two are enough."""
    most_chows = 2 if template.has_pongs else COPIES
    return tuple(
        (option.copies, option.chows, (option.chows + option.pongs, *option[4:8]))
        for option in kind_options(template, tiles, kind)
        if option.chows <= most_chows
    )


@lru_cache(maxsize=1 << 18)
def _use(records: Records, options: tuple[Use, ...], most: Parts, copies: int) -> Records:
    """Return what can be made after a kind of which some copies are there."""
    best: dict[tuple[int, int], set[Parts]] = {}
    for made, one_back, two_back in records:
        for taken, chows, more in options:
            if one_back + two_back + taken <= copies:
                then = tuple([a + b for a, b in zip(made, more, strict=True)])
                if all(a <= b for a, b in zip(then, most, strict=True)):
                    best.setdefault((chows, one_back), set()).add(then)
    return frozenset((parts, *back) for back, some in best.items() for parts in largest(some))


@cache
def _front(records: Records) -> Front:
    return largest({made for made, one_back, two_back in records if not one_back and not two_back})


def largest(vectors: Iterable[Parts]) -> Front:
    """Return the vectors that are not at most another one in every place.

    Examples
    --------
    >>> sorted(largest({(1, 0), (0, 1), (0, 0), (1, 1)}))
    [(1, 1)]
    """
    every = set(vectors)
    return frozenset(
        one
        for one in every
        if not any(
            other != one and all(a <= b for a, b in zip(one, other, strict=True)) for other in every
        )
    )


def _join(
    ways: Ways,
    suit: Ways,
    templates: Sequence[Template],
    is_later: Sequence[bool],
) -> Ways:
    """Add a suit; hands that complete a template are left out.

    A template that no later suit can add to, and that is not complete, cannot be completed.
    """
    joined: Ways = {}
    wanted = [_wanted(template) for template in templates]
    for (before, number), (here, more) in product(ways.items(), suit.items()):
        after: list[Front | None] = []
        for old, new, goal, later in zip(before, here, wanted, is_later, strict=True):
            front = _add(old, new, goal)
            if front is not None and goal in front:
                break
            after.append(front if later else None)
        else:
            key = tuple(after)
            joined[key] = joined.get(key, 0) + number * more
            if len(joined) > MOST_CLASSES:
                raise HandError(_TOO_WIDE)
    return joined


@lru_cache(maxsize=1 << 18)
def _add(one: Front | None, two: Front | None, most: Parts) -> Front | None:
    """Return the sums of two fronts, at most the parts wanted; None is a template without hope."""
    if one is None:
        return None
    if two is None:
        return one
    return largest(
        tuple(map(min, map(sum, zip(a, b, strict=True)), most)) for a, b in product(one, two)
    )
