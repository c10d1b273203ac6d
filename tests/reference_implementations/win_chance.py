"""Brute-force play over (hand, wall) and its certificates, for tiny worlds.

One suit, few tiles, few draws; only the deficiency comes from mjopt.
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
    """A hand of 14 - 3 * called tiles or one fewer, a wall, a number of draws and a waste."""

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


def best_play(world: World, *, in_class: bool) -> Callable[[Counts, Counts, int], Fraction]:
    """Return the win probability by hand, wall and draws left, in the class or overall."""

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

    return value


def chance(world: World, discard: int, *, in_class: bool) -> Fraction:
    """Return the win probability after a discard, with the best play in the class or overall."""
    value = best_play(world, in_class=in_class)
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
    weigh: Callable[[], int] | None = None,
    order: list[Counts] | None = None,
) -> dict[str, Any]:
    """Return a certificate computed directly from the theorems.

    ``pick`` chooses the policy's move (discard, state) among all moves, or None to decline;
    the default is the move with the best upper bound. To forge a certificate, hide a part of
    every loss, or start with a bound above 0 at zero draws. ``weigh`` returns random digits
    and gives a certificate of version 2, with kinds spared by T3 and charges by T6. ``order`` is
    that of the hands, the first of which counts where several are equally good.
    """
    roots = {
        thrown: changed(world.hand, thrown=thrown)
        for thrown in (kinds(world.hand) if sum(world.hand) % 3 == 2 else (None,))
        if is_in_class(world, changed(world.hand, thrown=thrown))
    }
    steps = _steps(world, list(roots.values()))
    states = order or list(steps)
    steps = {hand: steps[hand] for hand in states}
    number = {hand: at for at, hand in enumerate(states)}
    upper = _upper(world, steps)
    policy = {
        hand: [_moves(world, steps[hand], upper, t, hand, pick) for t in range(world.draws)]
        for hand in states
    }
    gone = copies_gone(world, policy, list(roots.values()))
    weights = {hand: [weigh() if weigh else 0 for _ in hand] for hand in states}
    base, loss = _lower(world, states, policy, gone, hidden, given, weights)
    spare = range(len(world.hand))
    high, charge = _charged(world, steps, upper, weights, hidden) if weigh else (upper, None)

    def sparse(numbers: Any) -> Any:
        return [[{str(z): one[z] for z in spare if one[z]} for one in numbers[h]] for h in states]

    return {
        "format": "mjopt-play", "version": 2 if weigh else 1,
        "tiles": "M0" if len(world.hand) == 27 else "FULL",
        "hand": list(world.hand), "called": world.called, "forms": ["standard"],
        "wall": list(world.wall), "draws": world.draws, "waste": world.waste,
        "deficiency": distance(world.hand, world.called), "scale": 48,
        "states": ["".join(map(str, hand)) for hand in states],
        **({"weights": ["".join(map(str, weights[hand])) for hand in states]} if weigh else {}),
        "upper": {"a": [high[hand] for hand in states], "b": sparse(charge)} if weigh
                 else [upper[hand] for hand in states],
        "policy": [
            [[[x, -1, -1] if y is None else [x, y, number[after]]
              for x, (y, after) in moves.items()] for moves in policy[hand]]
            for hand in states
        ],
        "lower": {
            "a": [base[hand] for hand in states],
            "b": sparse(loss),
        },
        "claims": [
            {"discard": -1 if thrown is None else thrown, "state": number[hand],
             "lower": min(ONE, max(0, base[hand][-1])),
             "upper": max(0, min(upper[hand][-1], high[hand][-1]))}
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


def copies_gone(world, policy, roots):  # type: ignore[no-untyped-def]
    """Return per draw, for each reachable hand, the maximal number of copies gone."""
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
                    alone = t + 1 - acquired(world, after)
                    reached = then.setdefault(after, [0] * len(hand))
                    for z, extra in enumerate(shift):
                        reached[z] = max(reached[z], min(limit[z], most[z] + extra, alone))
        gone.append(then)
    return gone


def heaviest(rise, cap, gone):  # type: ignore[no-untyped-def]
    """Return the maximal weight of ``gone`` copies, at most ``cap`` of each kind."""
    rise = [max(one, 0) for one in rise]
    return min(sum(c * one for c, one in zip(cap, rise, strict=True)), gone * max(rise))


def flatter(slope, other, slack, cap, gone, weights):  # type: ignore[no-untyped-def]
    """Return a slope that stays above another bound, which starts lower by ``slack``."""
    rise = [max(one - two, 0) for one, two in zip(slope, other, strict=True)]
    cap = [min(copies, gone) for copies in cap]
    if heaviest(rise, cap, gone) <= slack:
        return slope
    kept = [0] * len(rise)
    for level in range(9, -1, -1):
        kinds_here = [z for z, weight in enumerate(weights) if weight == level]
        cost = sum(cap[z] * rise[z] for z in kinds_here)
        for z in kinds_here:
            kept[z] = rise[z] if cost <= slack else rise[z] * ((slack << 12) // cost) >> 12
        slack = max(0, slack - cost)
    return [one - up + keep for one, up, keep in zip(slope, rise, kept, strict=True)]


def _charged(world, steps, upper, weights, hidden):  # type: ignore[no-untyped-def]
    """T6: a and b of V <= a - b . delta. ``hidden`` forges the charges."""
    high = {hand: [0] for hand in steps}
    charge = {hand: [[0] * len(hand)] for hand in steps}
    every, states = range(len(world.hand)), sorted(steps, key=list(steps).index)
    place = {hand: at for at, hand in enumerate(states)}

    def best(full, left):  # type: ignore[no-untyped-def]
        """Return the bound after a draw and before the discard, and its slope."""
        gone = max(0, world.draws - left + 1 - acquired(world, full))
        found = []
        for thrown in kinds(full):
            after = changed(full, thrown=thrown)
            if after in place:
                b = charge[after][left - 1]
                paid = b[thrown] if full[thrown] > world.hand[thrown] else 0
                found.append((high[after][left - 1] - paid, -place[after], after))
        top, _, chosen = max(found)
        slope = steepest = charge[chosen][left - 1]
        for worth, _, after in found:
            flat = flatter(
                steepest, charge[after][left - 1], top - worth, room(world, full), gone,
                weights[chosen],
            )  # fmt: skip
            slope = [min(one, two) for one, two in zip(slope, flat, strict=True)]
        return top, slope

    for left in range(1, world.draws + 1):
        t, new = world.draws - left, {}
        for hand, by_drawn in steps.items():
            a, b, copies = high[hand][left - 1], charge[hand][left - 1], room(world, hand)
            gone = t - acquired(world, hand)
            if gone < 0:
                new[hand] = upper[hand][left], [0] * len(hand)
                continue
            gains = lowest = [-one for one in b]
            gains, lowest, slope = [*gains], [*lowest], [0] * len(b)
            for drawn, after in by_drawn.items():
                if None in after:
                    gains[drawn], drop = ONE - a, [-one for one in b]
                elif after:
                    top, steep = best(changed(hand, drawn), left)
                    back = steep[drawn] if hand[drawn] < world.hand[drawn] else 0
                    gains[drawn] = top - back - a
                    drop = [one - two for one, two in zip(steep, b, strict=True)]
                else:
                    continue
                lowest[drawn] = gains[drawn] - heaviest(drop, copies, gone)
                slope = [one + copies[drawn] * two for one, two in zip(slope, drop, strict=True)]
            now = sum(world.wall) - t
            most = a - -sum(copies[x] * gains[x] for x in every) // now
            less = [b[z] + (lowest[z] + slope[z]) // now for z in every]
            less = [one if weights[hand][z] else min(one, 0) for z, one in enumerate(less)]
            if most > upper[hand][left] + (1 << 20) or most < -ONE or max(map(abs, less)) > ONE:
                most, less = upper[hand][left], [0] * len(hand)
            new[hand] = most, [one + int(max(0, one) * hidden) for one in less]
        for hand, (most, less) in new.items():
            high[hand].append(most)
            charge[hand].append(less)
    return high, charge


def _lower(world, states, policy, gone, hidden, given, weights):  # type: ignore[no-untyped-def]
    base = {hand: [given] for hand in states}
    loss = {hand: [[0] * len(hand)] for hand in states}
    every = range(len(world.hand))
    for left in range(1, world.draws + 1):
        t = world.draws - left
        now = sum(world.wall) - t
        for hand in states:
            a, b, copies = base[hand][left - 1], loss[hand][left - 1], room(world, hand)
            alone = max(0, t - acquired(world, hand))
            if hand not in gone[t]:  # the policy never reaches this hand
                base[hand].append(0)
                loss[hand].append([0] * len(hand))
                continue
            most = gone[t][hand]
            weight = [1 << digit if digit else 0 for digit in weights[hand]]

            def spares(x: int, z: int, most: Any = most, weight: Any = weight) -> bool:
                return bool(weight[x] * most[z] < weight[z] * most[x])

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
                rises = {x: max(drop[z], 0) for x, drop in drops.items() if not spares(x, z)}
                quadratic = min(
                    sum(most[x] * rise for x, rise in rises.items()),
                    alone * max(rises.values(), default=0),
                )
                if z in drops:
                    own = [max(drops[z][y], 0) if spares(z, y) else 0 for y in every]
                    quadratic += min(
                        sum(most[y] * one for y, one in enumerate(own)), alone * max(own)
                    )
                slope = sum(copies[x] * drop[z] for x, drop in drops.items())
                least = b[z] - -(gains[z] - slope + quadratic) // now
                new.append(least - int(max(0, least) * hidden))
            loss[hand].append(new)
    return base, loss


def tiny_worlds(rng: random.Random, draws: int = 4) -> Iterator[World]:
    """Yield random small worlds forever: one suit of M0, four to eight tiles, a small wall."""
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
