"""Kernels: random deals of the tiles that a seat cannot see."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner
from mjopt.play.rollout._game_record import INT, SEATS, SUITS, Number, PlayoutRules, Record
from mjopt.play.rollout._hand_kernels import PlayoutTables, U, best_discard, change, refresh
from mjopt.play.rollout._policy_kernels import seen_by

# The wall of the game holds all unseen tiles. A deal permutes it: the hidden hands come first, one
# after the other, and the true wall follows. Each random choice swaps a free tile to the place
# where it is needed, as in a Fisher-Yates shuffle, so the tiles after those placed so far are
# always the free ones (docs/reference/agents.md, "The rollout agent").

Integers = NDArray[np.int64]
Generator = NDArray[np.uint64]  # the state of SplitMix64, shape (1,)

# Limits of the growth of a hand that has declared ready.
MOST_GROWTH: Final = 40
MOST_RESTARTS: Final = 6


class Hidden(NamedTuple):
    """What a seat knows about the hands of the others, each of shape ``(4,)``."""

    sizes: Integers  # numbers of tiles
    draws: Integers  # draws by which the hand grows, see `_grow`; with 0 it is dealt uniformly
    passed: Integers  # kinds that the seat did not win on after its declaration


@inner(inline=True)
def _random(state: Generator, size: INT) -> INT:
    """Return a random number below ``size``, by the generator SplitMix64."""
    state[0] += U(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ word >> U(30)) * U(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U(27)) * U(0x94D049BB133111EB)
    word ^= word >> U(31)
    # 32 random bits as a fraction, times the size: no remainder is taken, which is slow, and for at
    # most 108 tiles a number is at most 2**-25 of its share too frequent or too rare.
    return INT((word >> U(32)) * U(size) >> U(32))


@inner(inline=True)
def _swap(wall: Integers, one: Number, two: Number) -> None:
    wall[one], wall[two] = wall[two], wall[one]


@inner
def _deal(game: Record, player: Record, start: INT, size: INT, state: Generator) -> None:
    """Move random free tiles, which begin at a place, to their front and into a hand."""
    held, codes = player.held, player.codes
    held.ones = held.twos = held.fours = 0
    for suit in range(SUITS):
        codes[suit] = 0
    for place in range(start, start + size):
        _swap(game.wall, place, place + _random(state, game.back - place))
        change(player, game.wall[place], 1)


@inner
def _grow(
    game: Record,
    player: Record,
    start: INT,
    end: INT,
    draws: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: Generator,
) -> None:
    """Let a hand draw at most ``draws`` of the free tiles and discard by the policy.

    A hand before a declaration stops before it waits; one after it draws until it waits. Its tiles
    are the places ``start`` to ``end`` of the wall; free tiles follow.
    """
    called = player.num_melds
    has_declared = player.has_declared != 0
    if end == game.back:  # no tile is left
        return
    for _ in range(draws):
        other = end + _random(state, game.back - end)
        drawn = game.wall[other]
        change(player, drawn, 1)
        seen = seen_by(game, player)
        kind, value, _ = best_discard(player, called, seen, rules.seven_pairs, tables)
        if value == 1 and rules.ready and not has_declared:
            change(player, drawn, -1)
            return
        change(player, kind, -1)
        # The discard is a free tile again: the true discards of the seat are not unseen.
        if kind != drawn:
            for place in range(start, end):
                if game.wall[place] == kind:
                    _swap(game.wall, place, other)
                    break
        if value == 1 and has_declared:
            return


@inner
def deal_hidden(
    game: Record,
    number: int,
    seed: int,
    own: int,
    hidden: Hidden,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: Generator,
) -> None:
    """Deal the unseen tiles, which are the wall, to the other seats and the wall.

    Each seat then has a part of the wall, so that a call changes only who draws, not what. This
    is as random as one wall, and lowers the variance of differences between moves by a quarter.

    ``game`` is the state as the own seat sees it, ``number`` that of the deal, ``seed`` that of all
    deals, and ``hidden`` what is known about the hands of the other seats.
    """
    sizes, draws, passed = hidden
    # A deal depends on its number and the seed alone, not on the deals before it. One step of the
    # generator scatters the numbers, which are consecutive, before the seed is mixed in.
    state[0] = U(number)
    _random(state, INT(1))
    state[0] = (state[0] ^ U(seed)) * U(0xD1342543DE82EF95)
    begin = INT(0)
    for turn in range(2):  # hands that wait come first, since they need certain tiles
        for place in range(1, SEATS):
            seat = INT((own + place) % SEATS)
            player = game.seats[seat]
            must_wait = player.has_declared != 0 and draws[seat] > 0
            if (turn == 0) != must_wait:
                continue
            end = begin + sizes[seat]
            # A hand that does not wait after its growth, or waits for a tile that it let pass, is
            # dealt again; the last one stays whatever it is, so that a deal always ends.
            for _ in range(MOST_RESTARTS if must_wait else 1):
                _deal(game, player, begin, sizes[seat], state)
                growth = INT(MOST_GROWTH) if must_wait else draws[seat]
                _grow(game, player, begin, end, growth, rules, tables, state)
                refresh(player, rules.seven_pairs, tables)
                if player.deficiency == 1 and not player.useful & passed[seat]:
                    break
            begin = end
    for place in range(begin, game.back):
        _swap(game.wall, place, place + _random(state, game.back - place))
    # Seat s draws places begin + s, begin + s + 4, ...
    game.stride = SEATS
    for part in range(SEATS):
        game.fronts[part] = begin + part
    refresh(game.seats[own], rules.seven_pairs, tables)
