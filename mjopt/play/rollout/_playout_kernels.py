"""Kernels: one playout, one random deal, and playouts of some moves on many deals."""

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.play.rollout._borrowed_arrays import borrowed
from mjopt.play.rollout._deal_kernels import Generator, Hidden, deal_hidden
from mjopt.play.rollout._game_kernels import Bytes, play_on
from mjopt.play.rollout._game_record import INT, SEATS, PlayoutRules, Record
from mjopt.play.rollout._hand_kernels import PlayoutTables, refresh

Integers = NDArray[np.int64]
Games = NDArray[np.void]


@inner
def _borrowed_tables(tables: PlayoutTables) -> PlayoutTables:
    return PlayoutTables(borrowed(tables.states), borrowed(tables.words), tables.begins)


@kernel
def play_one(
    game: Record,
    own: int,
    first: int,
    first_kind: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Record,
) -> None:
    """Play one game with all tiles known to its end; ``game`` is changed, ``result`` is written.

    The first move is as in :func:`play_on`. ``events`` is empty, or a buffer for the draws and
    moves without passes: seat, action, kind.
    """
    own_tables = _borrowed_tables(tables)
    for seat in range(SEATS):
        refresh(game.seats[seat], rules.seven_pairs, own_tables)
    kind = INT(first_kind)
    play_on(game, own, INT(first), kind, rules, own_tables, borrowed(events), result)


@kernel
def deal_one(
    game: Record,
    number: int,
    seed: int,
    own: int,
    hidden: Hidden,
    rules: PlayoutRules,
    tables: PlayoutTables,
    generator: Generator,
) -> None:
    """Deal the unseen tiles once; see :func:`deal_hidden`."""
    deal_hidden(game, number, seed, own, hidden, rules, tables, generator)


@kernel
def play_many(
    games: Games,
    own: int,
    hidden: Hidden,
    moves: Integers,
    seed: int,
    first: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    no_events: Bytes,
    generator: Generator,
    result: Record,
    scores: Integers,
) -> None:
    """Play some moves of a seat on the same random deals of the unseen tiles.

    The first of three ``games`` is the state as the own seat sees it; its wall are the unseen
    tiles. The others are memory, as are ``no_events``, which is empty, ``generator``, which has one
    item, and ``result``. ``own`` and ``hidden`` are as in :func:`deal_hidden`. ``moves`` are
    actions and kinds, shape ``(M, 2)``; ``seed`` is that of all deals, ``first`` the number of the
    first deal. ``scores``, shape ``(N, M)``, receives the points of the own seat for each deal and
    move.
    """
    own_tables, events, state = _borrowed_tables(tables), borrowed(no_events), borrowed(generator)
    for row in range(len(scores)):
        # games[0] never changes; games[1] is the deal of this row, games[2] is played to its end.
        games[1] = games[0]
        deal_hidden(games[1], first + row, seed, own, hidden, rules, own_tables, state)
        for column in range(len(moves)):
            games[2] = games[1]
            action, kind = moves[column, 0], moves[column, 1]
            play_on(games[2], own, action, kind, rules, own_tables, events, result)
            scores[row, column] = result.scores[own]
