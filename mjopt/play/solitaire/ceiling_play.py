"""Play random deals alone, with a rule that chooses each discard."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.validation import expect, whole
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.suits import honour_classes, honour_moves, suit_classes, suit_moves
from mjopt.chances.ceiling.table import CeilingTable
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.hand import check_called
from mjopt.hands.tiles import COPIES, M0, TileSet
from mjopt.play.solitaire._play_kernels import Lookup, look_ahead
from mjopt.tables.labels.batch import label
from mjopt.tables.rows._array_input import check_threads

Counts = NDArray[np.uint8]
Kinds = NDArray[np.int64]

Rule = Callable[[Counts, Counts, int], Kinds]
"""A function of hands with a drawn tile, shape (N, K), the tiles left in each wall, shape (N, K),
and the number of draws to come; it returns the kind that each hand discards, shape (N,)."""

CHUNK: Final = 20_000  # deals that are played at the same time
MARGIN: Final = 0.02
"""A lookahead compares discards whose ceiling is at most this much below the greatest."""

LOOKAHEAD_DISCARDS: Final = 6  # at most
PERSISTENCE: Final = 0.25
"""A lookahead assumes that the loss of the next draw recurs at this share of the draws to come.
Of 0, 1/draws (once), 1/4 and 1/3, a quarter won most; docs/results/ceiling.md has the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDeals:
    """The wins of a rule on random deals, by number of draws."""

    deals: int
    wins: tuple[int, ...]  # deals won within 0, 1, ... draws

    @property
    def curve(self) -> list[float]:
        """Share of deals won within 0, 1, ... draws."""
        return [wins / self.deals for wins in self.wins]

    def share(self, draws: int) -> float:
        """Share of deals won within a number of draws."""
        return self.wins[draws] / self.deals


def play_deals(
    rule: Rule,
    *,
    deals: int,
    draws: int = 18,
    tiles: TileSet = M0,
    called: int = 0,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> PlayedDeals:
    """Play random deals alone, without calls: discard, draw, and so on, ``draws`` times.

    The same seed gives the same deals to every rule, for any number of threads. With more deals,
    the first ones stay the same. The tiles of called melds are unknown: a deal has 14 - 3 * called
    tiles. ``progress`` receives progress reports, in deals.

    Examples
    --------
    >>> def throw_first(hands, walls, draws):
    ...     return hands.argmax(axis=1)
    >>> play_deals(throw_first, deals=100, draws=3).deals
    100
    """
    if whole(deals, "deals") < 1:
        raise ArgumentError(argument="deals", value=str(deals), expected="1 or more")
    expect(tiles, TileSet, "tiles")
    size = 14 - 3 * check_called(called)
    if not 0 <= whole(draws, "draws") <= tiles.num_tiles - size:
        raise ArgumentError(
            argument="draws", value=str(draws), expected=f"0..{tiles.num_tiles - size}"
        )
    progress = progress or NoProgress()
    progress.begin(deals, "deals")
    starts = range(0, deals, CHUNK)
    wins = np.zeros(draws + 1, np.int64)

    def play(start: int) -> NDArray[np.int64]:
        decks = deal_walls(tiles, CHUNK, size + draws, (seed, start // CHUNK))
        won = play_decks(rule, decks[: deals - start], tiles=tiles, called=called)
        return np.bincount(won[won >= 0], minlength=draws + 1)

    with ThreadPoolExecutor(check_threads(threads), thread_name_prefix="mjopt-play") as pool:
        try:
            for start, part in zip(starts, pool.map(play, starts), strict=True):
                wins += part
                progress.advance(min(CHUNK, deals - start))
        finally:
            pool.shutdown(cancel_futures=True)
    return PlayedDeals(deals=deals, wins=tuple(np.cumsum(wins).tolist()))


def deal_walls(tiles: TileSet, deals: int, length: int, seed: tuple[int, int]) -> Counts:
    """Return the first tiles of shuffled sets, as kinds, shape ``(deals, length)``."""
    rng = np.random.default_rng(seed)
    physical = np.repeat(np.arange(tiles.num_kinds, dtype=np.uint8), COPIES)
    deck = np.broadcast_to(physical, (deals, len(physical))).copy()
    for place in range(length):  # Fisher and Yates, all deals at once
        other = rng.integers(place, len(physical), deals)
        rows = np.arange(deals)
        deck[rows, place], deck[rows, other] = deck[rows, other], deck[rows, place].copy()
    return deck[:, :length]


def play_decks(rule: Rule, decks: Counts, *, tiles: TileSet, called: int = 0) -> NDArray[np.int8]:
    """Return after how many draws each of some given deals is won, or -1, shape ``(N,)``.

    ``decks`` has shape ``(N, 14 - 3 * called + draws)``: kinds, first those of the hand, then the
    draws. Tiles and called melds are as for :func:`play_deals`.
    """
    size = 14 - 3 * called
    draws = decks.shape[1] - size
    hands = np.zeros((len(decks), tiles.num_kinds), np.uint8)
    rows = np.arange(len(decks))
    for place in range(size):
        hands[rows, decks[:, place]] += 1
    walls = (COPIES - hands).astype(np.uint8)
    won_after = np.full(len(decks), -1, np.int8)
    deal = rows  # the number of each deal that is not won yet
    for drawn in range(draws + 1):
        won = label(hands, tiles=tiles, called=called) == 0
        won_after[deal[won]] = drawn
        keep = ~won
        hands, walls, decks, deal = hands[keep], walls[keep], decks[keep], deal[keep]
        if drawn == draws or not len(hands):
            break
        rows = np.arange(len(hands))
        hands[rows, rule(hands, walls, draws - drawn)] -= 1
        tile = decks[:, size + drawn]
        hands[rows, tile] += 1
        walls[rows, tile] -= 1
    return won_after


def ceiling_rule(table: CeilingTable) -> Rule:
    """Return the rule that discards for the greatest ceiling, by a table with all layers.

    FileError if the table has one layer for several draws.
    """
    return partial(_by_ceiling, _with_all_layers(table))


def lookahead_rule(table: CeilingTable, margin: float = MARGIN) -> Rule:
    """Return the rule that looks one draw ahead, with the tiles that are really left.

    The ceiling of a discard minus the mean ceiling after the next draw is the loss by tiles that
    have left the wall. Wanted tiles that are gone are missed at later draws too, so the rule
    discards for the ceiling minus several times this loss. It compares discards whose ceiling is at
    most ``margin`` below the greatest. FileError if the table has one layer for several draws.
    """
    return partial(_by_lookahead, _with_all_layers(table), margin)


def _with_all_layers(table: CeilingTable) -> CeilingTable:
    """Return a table that holds a layer for each number of draws, or refuse it."""
    expect(table, CeilingTable, "table")
    if 1 not in table.key.layers:
        raise FileError(f"{table.path}: one layer", expected="a table with all layers")
    return table


def discard_values(table: CeilingTable, hands: Counts, draws: int) -> NDArray[np.int64]:
    """Return the stored ceiling of every discard, shape (N, K); -1 for kinds not held."""
    values = np.full(hands.shape, -1, np.int64)
    which, kinds = np.nonzero(hands)
    after = hands[which]
    after[np.arange(len(after)), kinds] -= 1
    values[which, kinds] = table.layer(draws)[table.layout.numbers(after)]
    return values


def _by_ceiling(table: CeilingTable, hands: Counts, _walls: Counts, draws: int) -> Kinds:
    best: Kinds = discard_values(table, hands, draws).argmax(axis=1)
    return best


def _by_lookahead(
    table: CeilingTable, margin: float, hands: Counts, walls: Counts, draws: int
) -> Kinds:
    values = discard_values(table, hands, draws)
    ranked = np.argsort(-values, axis=1, kind="stable")[:, :LOOKAHEAD_DISCARDS]
    top = np.take_along_axis(values, ranked, axis=1)
    ranked[top < np.maximum(top[:, :1] - margin * STORED_ONE, 0)] = -1
    best: Kinds = ranked[:, 0].copy()
    rows = np.flatnonzero(ranked[:, 1] >= 0)
    ahead = look_ahead_values(table, hands[rows], walls[rows], ranked[rows], draws)
    score = top[rows] - max(1, PERSISTENCE * draws) * (top[rows] - ahead)
    score[ranked[rows] < 0] = -np.inf
    best[rows] = ranked[rows, score.argmax(axis=1)]
    return best


def look_ahead_values(
    table: CeilingTable, hands: Counts, walls: Counts, chosen: Kinds, draws: int
) -> NDArray[np.float64]:
    """Return the mean ceiling after one draw from the wall, for some discards of each hand.

    ``hands`` and ``walls`` have shape ``(N, K)``: hands with a drawn tile, and the tiles left in
    the wall. ``chosen`` has shape ``(N, C)``: kinds to discard, or -1. The table has all layers,
    and 1 draw or more is to come. Values have shape ``(N, C)``, in units of 1/65535; -1 for no
    discard.
    """
    values = np.full(chosen.shape, -1.0)
    layer = np.asarray(table.layer(max(draws - 1, 1)))
    look_ahead(hands, walls, chosen, values, layer, draws == 1, lookup_arrays(table))
    return values


def lookup_arrays(table: CeilingTable) -> Lookup:
    """Return the arrays with which kernels find hands in a table."""
    layout, suits, honours = table.layout, suit_classes(), honour_classes()
    return Lookup(
        suit_class=suits.class_of,
        honour_class=honours.class_of,
        block_of=layout.block_of,
        blocks=layout.blocks,
        suit_shape=suit_moves().shape,
        honour_shape=honour_moves().shape,
        suit_starts=suits.starts,
        honour_starts=honours.starts,
    )
