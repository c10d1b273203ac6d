"""Play by brute force over (hand, wall), and certificates of it, for tiny worlds.

One suit, few tiles, few draws; nothing of mjopt but the deficiency.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import mjopt

ONE = 1 << 48
Counts = tuple[int, ...]


class World(NamedTuple):
    """A hand of 14 - 3 * called tiles or one less, a wall, so many draws and a waste."""

    hand: Counts
    called: int
    wall: Counts
    draws: int
    waste: int


@cache
def distance(hand: Counts, called: int) -> int:
    return mjopt.deficiency(mjopt.Hand.from_counts(hand, called=called))


def changed(hand: Counts, gained: int | None = None, thrown: int | None = None) -> Counts:
    counts = list(hand)
    if gained is not None:
        counts[gained] += 1
    if thrown is not None:
        counts[thrown] -= 1
    return tuple(counts)


def kinds(hand: Counts) -> list[int]:
    return [kind for kind, copies in enumerate(hand) if copies]


def acquired(world: World, hand: Counts) -> int:
    return sum(max(0, h - first) for h, first in zip(hand, world.hand, strict=True))


def is_in_class(world: World, hand: Counts) -> bool:
    most = distance(world.hand, world.called) + world.waste
    return acquired(world, hand) + distance(hand, world.called) <= most


def chance(world: World, discard: int, *, in_class: bool) -> Fraction:
    """The chance to win after a discard, with the best play of the class, or of all."""

    @cache
    def value(hand: Counts, wall: Counts, left: int) -> Fraction:
        total = Fraction(0)
        for drawn in kinds(wall) if left else ():
            held, rest = changed(hand, drawn), changed(wall, thrown=drawn)
            if distance(held, world.called) == 0:
                total += wall[drawn]
                continue
            after = [changed(held, thrown=thrown) for thrown in kinds(held)]
            allowed = [one for one in after if not in_class or is_in_class(world, one)]
            total += wall[drawn] * max(value(one, rest, left - 1) for one in allowed)
        return total / sum(wall) if left else total

    thrown = None if discard < 0 else discard
    return value(changed(world.hand, thrown=thrown), world.wall, world.draws)


def room(world: World, hand: Counts) -> list[int]:
    return [
        w - max(0, h - first)
        for w, h, first in zip(world.wall, hand, world.hand, strict=True)
    ]  # fmt: skip


def certificate(
    world: World,
    pick: Callable[[list[Any]], Any] | None = None,
    *,
    hidden: float = 0,
    given: int = 0,
) -> dict[str, Any]:
    """Make a certificate as the theorems say, number by number.

    ``pick`` chooses the policy's move (thrown, state), or None to refuse, among all that
    there are; the best by the bound from above if it is left out. A forger hides a part of
    every loss, or begins with a bound above 0 where no draw is left: all else follows.
    """
    roots = {
        thrown: changed(world.hand, thrown=thrown)
        for thrown in (kinds(world.hand) if sum(world.hand) % 3 == 2 else (None,))
        if is_in_class(world, changed(world.hand, thrown=thrown))
    }
    steps = _steps(world, list(roots.values()))
    states = list(steps)
    number = {hand: at for at, hand in enumerate(states)}
    upper = _upper(world, steps)
    policy = {
        hand: [_moves(world, steps[hand], upper, t, hand, pick) for t in range(world.draws)]
        for hand in states
    }
    gone = _gone(world, policy, list(roots.values()))
    base, loss = _lower(world, states, policy, gone, hidden, given)
    spare = range(len(world.hand))
    return {
        "format": "mjopt-play", "version": 1, "tiles": "M0" if len(world.hand) == 27 else "FULL",
        "hand": list(world.hand), "called": world.called, "forms": ["standard"],
        "wall": list(world.wall), "draws": world.draws, "waste": world.waste,
        "deficiency": distance(world.hand, world.called), "scale": 48,
        "states": ["".join(map(str, hand)) for hand in states],
        "upper": [upper[hand] for hand in states],
        "policy": [
            [[[x, -1, -1] if y is None else [x, y, number[after]]
              for x, (y, after) in moves.items()] for moves in policy[hand]]
            for hand in states
        ],
        "lower": {
            "a": [base[hand] for hand in states],
            "b": [[{str(z): one[z] for z in spare if one[z]} for one in loss[hand]]
                  for hand in states],
        },
        "claims": [
            {"discard": -1 if thrown is None else thrown, "state": number[hand],
             "lower": min(ONE, max(0, base[hand][-1])), "upper": upper[hand][-1]}
            for thrown, hand in roots.items()
        ],
    }  # fmt: skip


Steps = dict[Counts, dict[int, dict[int | None, Counts]]]
"""For each hand, kind drawn and kind thrown (None for a win) the hand reached."""


def _steps(world: World, roots: list[Counts]) -> Steps:
    steps: Steps = {}
    waiting = list(roots)
    while waiting:
        hand = waiting.pop()
        if hand in steps:
            continue
        steps[hand] = {}
        for drawn, copies in enumerate(room(world, hand)):
            if copies:
                held = changed(hand, drawn)
                if distance(held, world.called) == 0:
                    steps[hand][drawn] = {None: held}
                    continue
                steps[hand][drawn] = {
                    thrown: after
                    for thrown in kinds(held)
                    if thrown != drawn and is_in_class(world, after := changed(held, thrown=thrown))
                }
                waiting += steps[hand][drawn].values()
    return steps


def _upper(world: World, steps: Steps) -> dict[Counts, list[int]]:
    upper = {hand: [0] for hand in steps}
    for left in range(1, world.draws + 1):
        now = sum(world.wall) - (world.draws - left)
        for hand, by_drawn in steps.items():
            own = upper[hand][left - 1]
            gain = 0
            for drawn, after in by_drawn.items():
                values = [ONE if y is None else upper[to][left - 1] for y, to in after.items()]
                gain += room(world, hand)[drawn] * max(0, max(values, default=0) - own)
            upper[hand].append(min(ONE, own + -(-gain // now)))
    return upper


def _moves(world, steps, upper, t, hand, pick):  # type: ignore[no-untyped-def]
    left, moves = world.draws - t, {}
    for drawn, after in steps.items():
        if None in after:
            moves[drawn] = (None, after[None])
        elif pick is not None:
            chosen = pick([None, *after.items()])
            if chosen is not None:
                moves[drawn] = chosen
        elif after:
            best = max(after, key=lambda thrown: upper[after[thrown]][left - 1])
            if upper[after[best]][left - 1] > upper[hand][left - 1]:
                moves[drawn] = (best, after[best])
    return moves


def _shift(world: World, hand: Counts, drawn: int, thrown: int) -> list[int]:
    shift = [0] * len(hand)
    shift[drawn] += hand[drawn] < world.hand[drawn]
    shift[thrown] += changed(hand, drawn)[thrown] > world.hand[thrown]
    return shift


def _gone(world, policy, roots):  # type: ignore[no-untyped-def]
    """For each draw the most copies that can be gone in each hand that the policy reaches."""
    gone = [{hand: [0] * len(hand) for hand in roots}]
    for t in range(world.draws):
        then: dict[Counts, list[int]] = {}
        for hand, most in gone[t].items():
            for drawn, copies in enumerate(room(world, hand)):
                if not copies:
                    continue
                thrown, after = policy[hand][t].get(drawn, (drawn, hand))
                if thrown is not None:
                    shift = _shift(world, hand, drawn, thrown)
                    limit = room(world, after)
                    reached = then.setdefault(after, [0] * len(hand))
                    for z, extra in enumerate(shift):
                        reached[z] = max(reached[z], min(limit[z], most[z] + extra))
        gone.append(then)
    return gone


def _lower(world, states, policy, gone, hidden, given):  # type: ignore[no-untyped-def]
    base = {hand: [given] for hand in states}
    loss = {hand: [[0] * len(hand)] for hand in states}
    every = range(len(world.hand))
    for left in range(1, world.draws + 1):
        t = world.draws - left
        now = sum(world.wall) - t
        for hand in states:
            a, b, copies = base[hand][left - 1], loss[hand][left - 1], room(world, hand)
            most = gone[t].get(hand, copies)
            gains, drops = [-one for one in b], {}
            for drawn, (thrown, after) in policy[hand][t].items():
                if thrown is None:
                    drops[drawn], gains[drawn] = list(b), ONE - a
                else:
                    then, shift = loss[after][left - 1], _shift(world, hand, drawn, thrown)
                    drops[drawn] = [b[z] - then[z] for z in every]
                    paid = sum(then[z] * shift[z] for z in every)
                    gains[drawn] = base[after][left - 1] - paid - a
            base[hand].append(a + sum(copies[x] * gains[x] for x in every) // now)
            new = []
            for z in every:
                rises = {x: max(drop[z], 0) for x, drop in drops.items()}
                quadratic = min(
                    sum(most[x] * rise for x, rise in rises.items()),
                    t * max(rises.values(), default=0),
                )
                slope = sum(copies[x] * drop[z] for x, drop in drops.items())
                least = b[z] - -(gains[z] - slope + quadratic) // now
                new.append(least - int(max(0, least) * hidden))
            loss[hand].append(new)
    return base, loss


def tiny_worlds(rng: random.Random, draws: int = 4) -> Iterator[World]:
    """Draw small worlds without end: one suit of M0, four to eight tiles, a small wall."""
    while True:
        called = rng.choice((3, 3, 3, 2))
        ranks = rng.choice((4, 5, 6))
        tiles = [rank for rank in range(ranks) for _ in range(4)]
        rng.shuffle(tiles)
        size = rng.choice((13, 14, 14, 14)) - 3 * called
        hand, rest = tiles[:size], tiles[size:]
        wall = rest[: rng.randint(3, 7)]
        world = World(
            tuple(hand.count(kind) for kind in range(27)),
            called,
            tuple(wall.count(kind) for kind in range(27)),
            rng.randint(1, min(len(wall), draws)),
            rng.randint(0, 2),
        )
        if distance(world.hand, called):
            yield world
