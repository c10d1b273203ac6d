"""Decide whether some hand of a tile set has the parts of a template.

The kinds are visited in order. A state says how many parts of each sort are made and how many
jokers are used. All states with the same unfinished chows are one integer with a bit for each
state: the state is a number of mixed radix, whose highest digit counts the jokers. To make a part
is to shift all of them at once, and a mask drops the states with too many parts. Every digit has
room for one more than is allowed, so no shift carries into the next digit.

Three facts keep the states few. With `cap` real copies of a kind, T tiles of it need T - cap
jokers, and can have them if at most `cap` tiles are of parts for which no joker may stand. Three
equal chows are three pongs. And where jokers may stand for a fifth copy, a pong, an eye or a pair
made of jokers alone fits everywhere at the same price, so these are bought at the end.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Final

from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet

_Kind = tuple[int, int, int, bool, bool]
"""Real copies of a kind, the fixed ones, those of them for which no joker may stand, whether melds,
eyes and pairs may have it, and whether it is one of the distinct kinds."""

_Run = tuple[_Kind, ...]
"""Kinds that chows connect, in order; any three neighbours are a chow."""

_Room = dict[tuple[int, int], int]
"""States by the copies of a kind that are taken, and by those for which no joker may stand."""

_MOST_EQUAL_CHOWS: Final = 2
_BITS: Final = 1 << 13  # states that one step handles
_NUMBERS: Final = ("melds", "eyes", "distinct", "doubled", "pairs")
_FLAGS: Final = ("has_chows", "has_pongs", "has_equal_pairs", "has_fifth")


class TooManyStepsError(Exception):
    """A search took more steps than it may."""


class PartsSearch:
    """Search for hands with the parts of templates, with a limit on the steps for all of them.

    Templates that differ by the order and the direction of their suits are searched once.
    """

    def __init__(self, most_steps: int | None = None) -> None:
        self.most_steps = most_steps
        self.steps = 0
        self._known: dict[tuple[object, ...], bool] = {}

    def is_possible(self, template: Template, tiles: TileSet) -> bool:
        """Return whether some hand of the tile set has the parts of a template.

        A search beyond the limit raises `TooManyStepsError`.
        """
        inside, of, jokers = set(template.kinds), set(template.of), set(template.jokers)
        eligible = template.joker_fixed or template.fixed
        has_eligible = bool(template.joker_fixed)
        starts: set[int] = set()
        if template.melds and template.has_chows:
            starts = {k for k in tiles.chow_starts if k in inside and {k + 1, k + 2} <= inside}
        left = template.most_jokers
        runs: list[list[_Kind]] = []
        for k, fixed in enumerate(template.fixed):
            if fixed or k in inside or k in of:
                cap = 0 if k in jokers else COPIES
                own = fixed - eligible[k] if has_eligible else fixed
                left -= max(0, fixed - cap)
                if own > cap or left < 0 or (fixed > COPIES and not template.has_fifth):
                    return False
                kind = (cap, fixed, own, k in inside, k in of)
                if k - 1 in starts or k - 2 in starts:
                    runs[-1].append(kind)
                elif k in inside or k in of:
                    runs.append([kind])
        self.spend(tiles.num_kinds)
        unordered = tuple(sorted([tuple(min(run, run[::-1])) for run in runs]))
        numbers = [getattr(template, name) for name in _NUMBERS]
        flags = (bool(template.kinds), *(getattr(template, name) for name in _FLAGS))
        key = (*numbers, *flags, template.joker_parts, left, unordered)
        if key not in self._known:
            self._known[key] = _Search(self, template, left).find(unordered)
        return self._known[key]

    def spend(self, steps: int) -> None:
        """Count steps; raise if there are too many."""
        self.steps += steps
        if self.most_steps is not None and self.steps > self.most_steps:
            raise TooManyStepsError


class _Search:
    """The search for one template; ``jokers`` are those that the fixed tiles leave."""

    def __init__(self, meter: PartsSearch, template: Template, jokers: int) -> None:
        self.meter = meter
        self.template = template
        self.jokers = jokers
        numbers = [getattr(template, name) for name in _NUMBERS]
        self.strides = [1]
        for number in numbers:
            self.strides.append(self.strides[-1] * (number + 2))
        self.mask = 1
        for number, stride in zip([*numbers, jokers], self.strides, strict=True):
            self.mask = reduce(or_, [self.mask << stride * i for i in range(number + 1)])
        self.weight = 3 + self.mask.bit_length() // _BITS
        self.meld, self.eye, self.distinct, self.doubled, self.pair, self.joker = self.strides
        self.goal = self._goal(numbers)

    def _goal(self, numbers: list[int]) -> int:
        """Return the states from which the jokers that are left buy all missing parts."""
        t = self.template
        full = sum(n * stride for n, stride in zip(numbers, self.strides, strict=False))
        buys = t.has_fifth and t.kinds
        most_melds = t.melds if buys and t.has_pongs and "melds" in t.joker_parts else 0
        most_eyes = t.eyes if buys and "eyes" in t.joker_parts else 0
        most_pairs = t.pairs if buys and t.has_equal_pairs and "pairs" in t.joker_parts else 0
        goal = 0
        for melds in range(most_melds + 1):
            for eyes in range(most_eyes + 1):
                for pairs in range(most_pairs + 1):
                    state = full - melds * self.meld - eyes * self.eye - pairs * self.pair
                    for used in range(self.jokers - 3 * melds - 2 * eyes - 2 * pairs + 1):
                        goal |= 1 << state + used * self.joker
        return goal

    def find(self, runs: Iterable[_Run]) -> bool:
        """Return whether the kinds of some runs have room for all parts."""
        done = 1
        for run in runs:
            states = {(0, 0): done}
            for number, kind in enumerate(run):
                states = self._visit(states, kind, begins=number + 2 < len(run))
            done = states.get((0, 0), 0)
            if done & self.goal:
                return True
        return bool(done & self.goal)

    def _visit(
        self, states: dict[tuple[int, int], int], kind: _Kind, *, begins: bool
    ) -> dict[tuple[int, int], int]:
        """Return the states after a kind.

        States are by the number of chows that need a second tile, and of those that need a third.
        """
        t = self.template
        cap, fixed, fixed_own, is_inside, is_distinct = kind
        most_pairs = t.pairs if t.has_equal_pairs else 1
        most_chows = (_MOST_EQUAL_CHOWS if t.has_pongs else t.melds) if begins else 0
        after: dict[tuple[int, int], int] = {}
        for second in {second for second, _ in states}:
            room: _Room = {}
            for (one, two), bits in states.items():
                if one == second:
                    empty = {(fixed, fixed_own): bits}
                    _merge(room, self._add(empty, cap, one + two, "melds"))
            if is_inside:
                if t.has_pongs:
                    room = self._add_several(room, cap, 3, "melds", self.meld, t.melds)
                room = self._add_several(room, cap, 2, "eyes", self.eye, t.eyes)
                room = self._add_several(room, cap, 2, "pairs", self.pair, most_pairs)
            if is_distinct and t.distinct:
                once = self._add(room, cap, 1, "distinct", self.distinct)
                twice = self._add(room, cap, 2, "distinct", self.distinct + self.doubled)
                room = _merge(_merge({**room}, once), twice)
            for first in range(most_chows + 1):
                for bits in room.values():
                    after[first, second] = after.get((first, second), 0) | bits
                room = self._add(room, cap, 1, "melds", self.meld)
        return after

    def _add(self, room: _Room, cap: int, copies: int, part: str, stride: int = 0) -> _Room:
        """Return the states with one more part."""
        self.meter.spend(len(room) * self.weight)
        after: _Room = {}
        own_copies = 0 if part in self.template.joker_parts else copies
        for (taken, own), bits in room.items():
            now, now_own = taken + copies, own + own_copies
            if now_own <= cap and (now <= COPIES or self.template.has_fifth):
                price = max(0, now - cap) - max(0, taken - cap)
                moved = bits << stride + price * self.joker & self.mask
                if moved:
                    _merge(after, {(now, now_own): moved})
        return after

    def _add_several(
        self, room: _Room, cap: int, copies: int, part: str, stride: int, most: int
    ) -> _Room:
        """Return the states with any number of equal parts, except those of jokers alone."""
        t = self.template
        is_bought = t.has_fifth and part in t.joker_parts and (part != "pairs" or t.has_equal_pairs)
        total, last = {**room}, room
        for _ in range(most):
            if is_bought:
                last = {key: bits for key, bits in last.items() if key[0] < cap}
            last = self._add(last, cap, copies, part, stride)
            if not last:
                break
            _merge(total, last)
        return total


def _merge(room: _Room, other: _Room) -> _Room:
    """Add states to a room."""
    for key, bits in other.items():
        room[key] = room.get(key, 0) | bits
    return room
