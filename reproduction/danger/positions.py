"""Positions of real games with a player in riichi: from a table in Parquet, or from logs."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt import FULL, get_rules
from mjopt.chances.danger.fit import SeenWaits, count_seen
from mjopt.chances.danger.ready_counts import WAITS, count_ready
from mjopt.errors import FileError
from mjopt.hands.rules.winning_form import templates_of
from mjopt.play.game.log import LogGame
from mjopt.play.review.api import read_source
from mjopt.play.review.riichi_positions import RiichiPosition, riichi_positions

RIICHI = get_rules("riichi")
KINDS = FULL.num_kinds
LISTS = ("hand", "unseen", "cannot_win_on", "true_waits")
NUMBERS = ("game", "num_riichi", "num_melds")

Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]


class Positions(NamedTuple):
    """Discards and an opponent in riichi, one row for each pair."""

    game: Counts  # shape (N,)
    num_riichi: Counts  # opponents in riichi
    num_melds: Counts  # concealed kongs of this one
    hand: Counts  # shape (N, 34): copies of the player who discards
    unseen: Counts  # shape (N, 34): copies that this player does not see
    cannot_win_on: Bools  # shape (N, 34): discarded, or let pass since the riichi
    true_waits: Bools  # shape (N, 34)

    def take(self, rows: Bools | Counts) -> "Positions":
        """Return some rows."""
        return Positions(*(column[rows] for column in self))

    def seen(self) -> Iterator[SeenWaits]:
        """Yield the rows as positions with known waits."""
        for row in range(len(self.game)):
            yield SeenWaits(
                left=tuple(self.unseen[row].tolist()),
                cannot_win_on=np.flatnonzero(self.cannot_win_on[row]).tolist(),
                waits=np.flatnonzero(self.true_waits[row]).tolist(),
                called=int(self.num_melds[row]),
            )


class ReadyHands(NamedTuple):
    """Numbers of ready hands by kind of wait, in floating point."""

    ready: NDArray[np.float64]  # shape (N, W)
    explained: NDArray[np.float64]  # shape (N, W): those with the true waits
    by_kind: NDArray[np.float64]  # shape (N, W, 34): those that win on each kind


def read_table(path: Path) -> Positions:
    """Read positions from Parquet; counts are lists of 34, kinds are lists of numbers."""
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path).combine_chunks()
    except (OSError, ValueError) as error:
        raise FileError(" ".join(str(error).split()), argument=str(path)) from None
    if missing := [name for name in (*LISTS, *NUMBERS) if name not in table.column_names]:
        raise FileError(f"no column {missing[0]}", argument=str(path))
    columns = {name: table[name].to_numpy().astype(np.int64) for name in NUMBERS}
    for name in LISTS:
        lists = table[name].to_numpy()
        counts = name in LISTS[:2]
        columns[name] = np.stack(lists).astype(np.int64) if counts else _flags(lists)
    return Positions(**columns)


def _flags(sets: Sequence[Iterable[int]]) -> Bools:
    flags = np.zeros((len(sets), KINDS), np.bool_)
    for flag, kinds in zip(flags, sets, strict=True):
        flag[list(kinds)] = True
    return flags


def _positions(rows: Sequence[RiichiPosition]) -> Positions:
    if not rows:
        raise FileError("no position with a player in riichi")
    numbers = {name: np.array([getattr(row, name) for row in rows], np.int64) for name in NUMBERS}
    counts = {name: np.array([getattr(row, name) for row in rows], np.int64) for name in LISTS[:2]}
    sets = {name: _flags([getattr(row, name) for row in rows]) for name in LISTS[2:]}
    return Positions(**numbers, **counts, **sets)


def read_logs(sources: Iterable[Path | str]) -> Positions:
    """Return the positions of all games of some logs; those that cannot be read are left out."""
    rows: list[RiichiPosition] = []
    games = 0
    for source in sources:
        for _, _, game in read_source(source, is_alone=False):
            if isinstance(game, LogGame) and game.rules.seats == 4:
                found = riichi_positions(game, games)
                rows += (row for row in found if row.true_waits is not None)
                games += 1
    return _positions(rows)


def count_hands(positions: Positions) -> ReadyHands:
    """Count the ready hands of each position."""
    ready, explained, by_kind = [], [], []
    for seen in positions.seen():
        templates = tuple(t for t in templates_of(RIICHI.forms) if t.melds >= seen.called)
        found = count_ready(
            templates, FULL, seen.left, seen.called, (0,) * KINDS, seen.cannot_win_on
        )
        ready.append(found.by_wait)
        by_kind.append(found.by_kind)
        explained.append(count_seen(seen, RIICHI)[1])
    shape = len(ready), len(WAITS)
    return ReadyHands(
        np.array(ready, np.float64).reshape(shape),
        np.array(explained, np.float64).reshape(shape),
        np.array(by_kind, np.float64).reshape(*shape, KINDS),
    )
