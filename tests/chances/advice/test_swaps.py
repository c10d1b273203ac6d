"""Positions under rules without swap calls: the discard after a call, against brute force."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice

import numpy as np
import pytest
from reference_implementations.win_chance import World, best_play, changed, kinds

from mjopt import FULL, M0, SANMA, Hand, MjoptError, Position, TileSet, advise, judge_calls
from mjopt.chances.advice.calls import after_call
from mjopt.chances.advice.why import say_why
from mjopt.hands.blocks import Block, Shape, barred_kinds, chow, kong, pong

KINDS = 6
ROUNDING = Fraction(1, 10_000)  # chances are compared in four digits


def completing(meld: Block, called: int, tiles: TileSet) -> set[int]:
    """Return the kinds that complete the tiles from the hand to a meld of the same shape."""
    own = list(meld.kinds)
    own.remove(called)
    melds = [chow(first) for first in tiles.chow_starts]
    melds += [pong(kind) for kind in range(tiles.num_kinds)]
    return {
        kind
        for kind in range(tiles.num_kinds)
        for other in melds
        if other.shape is meld.shape and sorted([*own, kind]) == [*other.kinds]
    }


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
def test_barred_kinds_complete_the_two_tiles_from_the_hand(tiles: TileSet) -> None:
    melds = [*map(chow, tiles.chow_starts), *map(pong, range(tiles.num_kinds))]
    sizes = {1: 0, 2: 0}
    for meld in melds:
        for called in {*meld.kinds}:
            barred = barred_kinds(meld, called, tiles)
            assert {*barred} == completing(meld, called, tiles)
            assert barred == tuple(sorted(barred))
            sizes[len(barred)] += 1
    assert all(sizes.values())
    assert {barred_kinds(kong(kind), kind, tiles) for kind in range(tiles.num_kinds)} == {()}


def offers(seed: int, called: int) -> Iterator[Position]:
    """Yield positions with a call after which a barred kind is held."""
    rng = np.random.default_rng([called, seed])
    while True:
        position = random_offer(rng, called)
        melds = [call.meld for call in replace(position, swaps=True, calls=None).calls or ()]
        if any(
            after_call(position.hand, meld, position.offered).counts[kind]
            for meld in melds
            for kind in position.barred_after(meld)
        ):
            yield position


def random_offer(rng: np.random.Generator, called: int) -> Position:
    """Return a hand of one suit with a tile on offer, a small wall and few draws."""
    tiles = rng.permutation(np.repeat(np.arange(KINDS), 4))
    size, wall_size = 13 - 3 * called, int(rng.integers(3, 7))
    rest = tiles[size + wall_size :]
    return Position(
        hand=Hand.from_counts(np.bincount(tiles[:size], minlength=27).tolist(), called=called),
        wall=tuple(np.bincount(tiles[size : size + wall_size], minlength=27).tolist()),
        draws=int(rng.integers(2, 4)),
        forms=("standard",),
        offered=int(rng.choice(rest)),
        swaps=False,
    )


def chances_after(position: Position, meld: Block, draws: int) -> dict[int, Fraction]:
    """Return the chance to win of every discard after a call, barred or not, by brute force."""
    hand = position.hand
    held = changed(hand.counts, gained=position.offered)
    for kind in meld.kinds:
        held = changed(held, thrown=kind)
    world = World(held, hand.called + 1, position.wall, draws, 0)
    value = best_play(world, in_class=False)
    return {kind: value(changed(held, thrown=kind), position.wall, draws) for kind in kinds(held)}


@pytest.mark.parametrize(("called", "number"), [(3, 6), (2, 2)])
def test_call_is_worth_its_best_allowed_discard(called: int, number: int) -> None:
    lower = impossible = 0
    for position in islice(offers(2, called), number):
        free = replace(position, swaps=True, calls=None)
        with_swaps = {row.meld: row for row in advise(free).options if row.meld}
        found = {row.meld: row for row in advise(position).options if row.meld}
        for call in free.calls or ():
            meld = call.meld
            if meld.shape is Shape.KONG:
                assert found[meld].at_least == with_swaps[meld].at_least
                continue
            values = chances_after(position, meld, call.draws)
            barred = completing(meld, position.offered, position.hand.tiles)
            allowed = {kind: values[kind] for kind in values if kind not in barred}
            if not allowed:
                impossible += 1
                assert meld not in found
                assert call not in position.calls
                continue
            row, shown = found[meld], (position.to_text(), meld.text(M0))
            best = max(allowed.values())
            assert row.kind in allowed, shown
            assert row.at_least <= allowed[row.kind] <= row.at_most, shown
            assert best - row.at_least < ROUNDING, shown
            assert best <= max(values.values()) < with_swaps[meld].at_least + ROUNDING, shown
            lower += best < max(values.values())
            after = Position(
                hand=position.after(call),
                wall=position.wall,
                draws=call.draws,
                forms=position.forms,
                barred=position.barred_after(meld),
            )
            advice = advise(after)
            assert {row.name for row in advice.options} == {
                f"discard {M0.names[kind]}" for kind in allowed
            }
            assert best - advice.options[0].at_least < ROUNDING
    assert lower or called < 3
    assert impossible or called < 3


def test_hand_that_has_just_called_has_neither_a_win_nor_a_kong() -> None:
    text = "11m123p melds=345m,789s,444z draws=3"
    assert advise(text).best.action == "win"
    called = advise(f"{text} barred=36m")
    assert {row.action for row in called.options} == {"discard"}
    assert say_why(called, called.options[0]).startswith("useful tiles left: ")
    with_kong = "3333p1m melds=345m,789s,444z draws=3"
    assert [call.meld for call in Position.parse(with_kong).calls] == [kong(11)]
    assert Position.parse(f"{with_kong} barred=36m").calls == ()
    with pytest.raises(MjoptError, match="calls: 3333p: no call of this position, expected none"):
        Position.parse(f"{with_kong} barred=36m calls=3333p:3")


@pytest.mark.parametrize("effort", ["quick", pytest.param("normal", marks=pytest.mark.slow)])
def test_no_barred_discard_far_from_a_win(effort: str) -> None:
    """The first guess by draws and the estimate know the rule as well."""
    text = "1479m147p1479s melds=234m draws=7"
    free = advise(text, effort=effort)
    barred = {free.options[0].kind, 0, 3} & {0, 3}
    assert barred
    found = advise(f"{text} barred=1m4m", effort=effort)
    assert found.measure == free.measure != "chance"
    assert {row.kind for row in free.options} - {row.kind for row in found.options} == {0, 3}


def test_value_of_a_call_falls_by_its_swap() -> None:
    hand = "123456m67p11678s"
    rows = {
        swaps: {
            row.meld: row for row in judge_calls(hand, "4m", draws=4, swaps=swaps, effort="quick")
        }
        for swaps in (True, False)
    }
    free, forbidden = rows[True][chow(1)], rows[False][chow(1)]
    assert (free.name, forbidden.name) == ("chow 234m, discard 1m", "chow 234m, discard 6p")
    assert free.at_least - forbidden.at_least > Fraction(15, 100)
    assert forbidden.at_most < free.at_least
    assert rows[True][chow(3)].at_least == rows[False][chow(3)].at_least
    assert rows[True][None].at_least == rows[False][None].at_least


def test_only_calls_that_leave_a_discard_are_options() -> None:
    """Four tiles, of which a call uses two: the others are barred in all combinations."""
    seen = 0
    for counts in combinations_with_replacement(range(5), 4):
        hand = Hand.from_counts([counts.count(kind) for kind in range(27)], called=3)
        for offered in range(5):
            if not hand.unseen[offered]:
                continue
            position = Position(hand=hand, offered=offered, swaps=False, forms=("standard",))
            every = Position(hand=hand, offered=offered, forms=("standard",)).calls
            for call in every:
                rest = kinds(position.after(call).counts)
                barred = completing(call.meld, offered, M0) if len(call.meld.kinds) == 3 else set()
                assert (call in position.calls) == bool({*rest} - barred)
                seen += call not in position.calls
    assert seen
