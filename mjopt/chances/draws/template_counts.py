"""Count the draws that leave a hand incomplete, for the templates of any winning form.

Within a suit, a set of records says which parts of a template the tiles can make; it changes kind
by kind, as an automaton reads. After the suit only the numbers of parts count: the fronts of all
templates are the class of the suit. Two suits make a half, and templates that ask the same of the
other half become one there. A left half and a right half are incomplete if no template is complete.

Classes that are incomplete beside the same others are equal for the count (Myhill and Nerode). They
are merged before any numbers of ways are multiplied: of millions of pairs of classes some ten
thousand products are left.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, product
from math import comb
from operator import ge, mul
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.template import Template, kind_options
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.hands.winning_forms import names_of

MOST_TEMPLATES: Final = 24
"""Most templates whose draws are counted together."""

MOST_CLASSES: Final = 20_000
"""Most classes of a suit; forms with more are refused."""

MOST_PAIRS: Final = 20_000_000
"""Most pairs of classes of two suits."""

MOST_HALVES: Final = 250_000_000
"""Most pairs of classes of two halves."""

Value = TypeVar("Value")
Counts = tuple[int, ...]
Parts = tuple[int, ...]  # melds, eyes, distinct, doubled, pairs
Front = frozenset[Parts]  # numbers of parts, none at most another in every place
Fronts = tuple[Front, ...]  # for every template: a class of suits; an empty front is without hope
Records = frozenset[tuple[Parts, int, int]]  # parts made, and chows begun one and two kinds back
State = tuple[Records, ...]  # for every demand on a suit
Use = tuple[int, int, Parts]  # copies taken, chows begun, and the parts that begin
Ways = dict[Fronts, int]
"""Ways to draw, by class; the numbers of ways to draw 0, 1, ... tiles are digits of an integer."""

Demand = tuple[object, ...]  # all that a template says of one suit
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]

_NUM_PARTS: Final = 5
_NO_PARTS: Final[Front] = frozenset([(0,) * _NUM_PARTS])
_NUM_SUITS: Final = 4  # two in each half
_ROWS: Final = 1024  # of a matrix at a time
_FEWER: Final = "ask about fewer forms (forms=, --forms)"


def count_incomplete_templates(query: HandQuery, hands: Sequence[Counts]) -> list[list[int]]:
    """Count the draws that leave each hand without any form of the query.

    Parameters
    ----------
    query
        The forms, the called melds and the wall, which are the unseen tiles.
    hands
        Copies held by each hand, per kind. They differ from the first in at most one suit each.

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
    templates = check_templates(query)
    tiles, wall = query.hand.tiles, query.unseen
    size = sum(wall)
    digit = comb(size, size // 2).bit_length()
    parts = _parts(tiles)
    suits = [_suit(templates, tiles, part.start, part.stop) for part in parts]

    def ways(place: int, held: Counts) -> Ways:
        return suits[place].ways(held[parts[place]], wall[parts[place]], digit)

    changed = [_changed(held, hands[0], parts) for held in hands]
    found = [[0]] * len(hands)
    for place in {*changed}:
        variants = {
            number: ways(place, held)
            for number, held in enumerate(hands)
            if changed[number] == place
        }
        suit_ways = [ways(other, hands[0]) for other in range(_NUM_SUITS)]
        classes = [[*each] for each in suit_ways]
        classes[place] = [*dict.fromkeys(chain(*variants.values()))]
        joined = _Joined(templates, tiles, parts, classes)
        weights = [
            [] if other == place else joined.weights(other, each)
            for other, each in enumerate(suit_ways)
        ]
        beside = joined.incomplete_beside(place, weights)
        for number, own in variants.items():
            total = sum(map(mul, joined.weights(place, own), beside))
            found[number] = [total >> digit * i & (1 << digit) - 1 for i in range(size + 1)]
    return found


def _changed(held: Counts, first: Counts, parts: Sequence[slice]) -> int:
    """Return the suit in which a hand differs from the first one; 0 if it is the same."""
    return next((i for i, part in enumerate(parts) if held[part] != first[part]), 0)


def check_templates(query: HandQuery) -> tuple[Template, ...]:
    """Return the templates of a query that the called melds allow, less those melds.

    Raises
    ------
    HandError
        If draws, and with them win chances, are not counted for these templates together.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> whole, called = "147m258p369s1122z", Hand.parse("1123z", rules="mcr", called=3)
    >>> hands = [Hand.parse(whole, rules="mcr"), called]
    >>> [len(check_templates(HandQuery(hand, general=True))) for hand in hands]
    [15, 1]
    """
    every = [part for form in query.forms for part in query.templates(form)]
    forms = ", ".join(names_of(query.forms))
    if any(template.jokers for template in every):
        raise HandError(
            f"{forms}: draws and win chances are not counted with jokers",
            hint="ask about forms without them (forms=, --forms)",
        )
    if len(every) > MOST_TEMPLATES:
        raise HandError(
            f"{forms}: draws and win chances are not counted for {len(every):,} templates at once",
            expected=f"at most {MOST_TEMPLATES}",
            hint=_FEWER,
        )
    called = query.hand.called
    return tuple(replace(template, melds=template.melds - called) for template in every)


def _parts(tiles: TileSet) -> list[slice]:
    """Return four suits: the last ones together count as one, and missing ones are empty."""
    parts = list(tiles.slices[: _NUM_SUITS - 1])
    while len(parts) < _NUM_SUITS:
        parts.append(slice(parts[-1].stop, tiles.num_kinds))
    return parts


def _wanted(template: Template) -> Parts:
    return (*(template.melds, template.eyes, template.distinct, template.doubled, template.pairs),)


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


def _least(template: Template, tiles: TileSet, part: slice) -> Parts:
    """Return the parts that a suit must make because the other suits cannot."""
    outside = [k for k in range(tiles.num_kinds) if not part.start <= k < part.stop]
    has_groups, singles = (
        any(k in template.kinds for k in outside),
        len({*outside} & {*template.of}),
    )
    melds, eyes, distinct, doubled, pairs = _wanted(template)
    least = (0, 0) if has_groups else (melds, eyes)
    return (
        *least,
        max(0, distinct - singles),
        max(0, doubled - singles),
        0 if has_groups else pairs,
    )


class _Suit:
    """The automaton of a suit for all templates, whose states are found as hands lead to them."""

    def __init__(
        self, templates: tuple[Template, ...], tiles: TileSet, first: int, stop: int
    ) -> None:
        part = slice(first, stop)
        demands = [_demand(template, tiles, part) for template in templates]
        distinct = [demand for demand in dict.fromkeys(demands) if demand is not None]
        chosen = [templates[demands.index(demand)] for demand in distinct]
        self._places = [None if demand is None else distinct.index(demand) for demand in demands]
        self._least = [_least(template, tiles, part) for template in templates]
        self._rules = [
            [(_options(template, tiles, kind), _wanted(template)) for template in chosen]
            for kind in range(tiles.num_kinds)[part]
        ]
        start: State = (frozenset([((0,) * _NUM_PARTS, 0, 0)]),) * len(chosen)
        self._states = [start]
        self._numbers = {start: 0}
        self._steps: list[dict[tuple[int, int], int]] = [{} for _ in self._rules]
        self._classes: dict[int, Fronts] = {}
        self.ways = lru_cache(maxsize=64)(self._ways)

    def _ways(self, held: Counts, wall: Counts, digit: int) -> Ways:
        """Count the draws from the suit by the class that they lead to."""
        ways = {0: 1}
        for kind, (own, left) in enumerate(zip(held, wall, strict=True)):
            steps = self._steps[kind]
            choices = [(own + drawn, comb(left, drawn), digit * drawn) for drawn in range(left + 1)]
            after: dict[int, int] = {}
            for state, number in ways.items():
                for copies, times, shift in choices:
                    then = steps.get((state, copies))
                    if then is None:
                        then = steps[state, copies] = self._step(kind, state, copies)
                    after[then] = after.get(then, 0) + (number * times << shift)
            _check(len(after), MOST_CLASSES, "classes of a suit")
            ways = after
        found: Ways = {}
        for state, number in ways.items():
            if state not in self._classes:
                self._classes[state] = self._class_of(self._states[state])
            key = self._classes[state]
            found[key] = found.get(key, 0) + number
        return found

    def _step(self, kind: int, state: int, copies: int) -> int:
        then = tuple(
            [
                _use(records, *rule, copies)
                for records, rule in zip(self._states[state], self._rules[kind], strict=True)
            ]
        )
        if then not in self._numbers:
            self._numbers[then] = len(self._states)
            self._states.append(then)
        return self._numbers[then]

    def _class_of(self, state: State) -> Fronts:
        """Return the fronts, without what the other suits cannot complete."""
        fronts = [_front(records) for records in state]
        return tuple(
            [
                frozenset(
                    one
                    for one in (_NO_PARTS if place is None else fronts[place])
                    if all(map(ge, one, least))
                )
                for place, least in zip(self._places, self._least, strict=True)
            ]
        )


_suit = lru_cache(maxsize=32)(_Suit)


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


@lru_cache(maxsize=1 << 18)
def _add(one: Front, two: Front, most: Parts) -> Front:
    """Return the sums of two fronts, at most the parts wanted."""
    return largest(
        [tuple(map(min, map(sum, zip(a, b, strict=True)), most)) for a, b in product(one, two)]
    )


class _Joined:
    """The classes of four suits, merged where they are equal for the count.

    Suits 0 and 1 are the left half, 2 and 3 the right one.
    """

    def __init__(
        self,
        templates: tuple[Template, ...],
        tiles: TileSet,
        parts: Sequence[slice],
        classes: Sequence[Sequence[Fronts]],
    ) -> None:
        groups: dict[object, list[int]] = {}  # templates that ask the same of the right half
        for number, template in enumerate(templates):
            demands = [_demand(template, tiles, part) for part in parts[2:]]
            groups.setdefault((_wanted(template), *demands), []).append(number)
        members = [*groups.values()]
        goals = [_wanted(templates[numbers[0]]) for numbers in members]
        left, left_fronts = _join(classes[0], classes[1], members, goals)
        one_each = [numbers[:1] for numbers in members]
        right, right_fronts = _join(classes[2], classes[3], one_each, goals)
        is_won = _complete(left_fronts, right_fronts, goals)
        rows, left_places = _merge(is_won)
        columns, right_places = _merge(is_won[rows].T)
        self._is_won = is_won[np.ix_(rows, columns)]
        self._codes: list[Codes] = []  # for each half, its class by those of its suits
        self._places: list[dict[Fronts, int]] = []  # for each suit
        for half, codes in enumerate((left_places[left], right_places[right])):
            rows, one = _merge(codes)
            columns, two = _merge(codes[rows].T)
            self._codes.append(codes[np.ix_(rows, columns)])
            for some, places in zip(classes[2 * half :], (one, two), strict=False):
                self._places.append(dict(zip(some, places.tolist(), strict=True)))

    def weights(self, suit: int, ways: Ways) -> list[int]:
        """Return the ways of one suit by merged class."""
        weights = [0] * self._codes[suit // 2].shape[suit % 2]
        for fronts, number in ways.items():
            weights[self._places[suit][fronts]] += number
        return weights

    def incomplete_beside(self, suit: int, weights: Sequence[Sequence[int]]) -> list[int]:
        """Return for each class of a suit the ways of the others that leave the hand incomplete."""
        half, other = suit // 2, 1 - suit // 2
        ways = [0] * self._is_won.shape[other]
        for row, number in zip(self._codes[other], weights[2 * other], strict=True):
            for code, more in _sums(row, weights[2 * other + 1] if number else []):
                ways[code] += number * more
        is_won = self._is_won.T if half else self._is_won
        beside = [sum([ways[code] for code in np.flatnonzero(~row).tolist()]) for row in is_won]
        rows = self._codes[half].T if suit % 2 else self._codes[half]
        return [
            sum([more * beside[code] for code, more in _sums(row, weights[suit ^ 1])])
            for row in rows
        ]


def _sums(codes: Codes, weights: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Return the sums of weights by code."""
    sums: dict[int, int] = {}
    for code, number in zip(codes.tolist(), weights, strict=False):
        sums[code] = sums.get(code, 0) + number
    return sums.items()


def _join(
    one: Sequence[Fronts],
    two: Sequence[Fronts],
    members: Sequence[Sequence[int]],
    goals: Sequence[Parts],
) -> tuple[Codes, list[Fronts]]:
    """Return the class of each pair of classes, and the fronts of the groups of templates."""
    _check(len(one) * len(two), MOST_PAIRS, "pairs of classes of two suits")
    codes = np.zeros((len(one), len(two)), np.int32)
    classes: list[Fronts] = [()]
    for numbers, goal in zip(members, goals, strict=True):
        (lines, firsts), (columns, seconds) = (
            _number([tuple([fronts[i] for i in numbers]) for fronts in some]) for some in (one, two)
        )
        table, fronts = _number(
            [
                largest([*chain(*[_add(a, b, goal) for a, b in zip(x, y, strict=True)])])
                for x, y in product(firsts, seconds)
            ]
        )
        codes *= len(fronts)
        codes += table.reshape(len(firsts), -1)[lines][:, columns]
        is_used = np.zeros(len(classes) * len(fronts), np.bool_)
        is_used[codes] = True
        codes = (np.cumsum(is_used, dtype=np.int32) - 1)[codes]
        used = [divmod(code, len(fronts)) for code in np.flatnonzero(is_used).tolist()]
        classes = [(*classes[before], fronts[front]) for before, front in used]
    return codes, classes


def _check(number: int, most: int, said: str) -> None:
    if number > most:
        raise HandError(
            f"draws are not counted with {number:,} {said}",
            expected=f"at most {most:,}",
            hint=_FEWER,
        )


def _number(values: Sequence[Value]) -> tuple[Codes, list[Value]]:
    """Return the number of each value, and the different values by number."""
    numbers: dict[Value, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(codes, np.int32), [*numbers]


def _merge(rows: NDArray[Any]) -> tuple[NDArray[np.intp], Codes]:
    """Return the first of every set of equal rows, and for each row the number of its set."""
    numbers, _ = _number([row.tobytes() for row in rows])
    return np.unique(numbers, return_index=True)[1], numbers


def _complete(left: Sequence[Fronts], right: Sequence[Fronts], goals: Sequence[Parts]) -> Flags:
    """Return whether two halves complete a template, shape ``(left, right)``."""
    _check(len(left) * len(right), MOST_HALVES, "pairs of halves")
    wins = [np.zeros((len(left), 1), np.float32)]
    places = [np.zeros((len(right), 1), np.float32)]
    for number, goal in enumerate(goals):
        lines, firsts = _number([fronts[number] for fronts in left])
        columns, seconds = _number([fronts[number] for fronts in right])
        table = [[goal in _add(x, y, goal) for y in seconds] for x in firsts]
        wins.append(np.array(table, np.float32)[lines])
        places.append(np.eye(len(seconds), dtype=np.float32)[columns])
    # A product of matrices counts the templates that are complete, many times faster than look-ups.
    of_left, of_right = np.hstack(wins), np.hstack(places).T
    is_won = np.empty((len(left), len(right)), np.bool_)
    for first in range(0, len(left), _ROWS):
        is_won[first : first + _ROWS] = of_left[first : first + _ROWS] @ of_right > 0
    return is_won
