"""Input planes of the networks: states, views and actions.

Counts are unary: with n copies of a kind, the first n of four planes are 1. Players are in
turn order from the observer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect, expect_all
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.moves import Action, Move, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import OpenTable
from mjopt.play.game.rules import NUM_SEATS, check_seat
from mjopt.play.game.state import State
from mjopt.play.learning.actions import (
    NUM_CHANNELS,
    change_of,
    check_kinds,
    small_of_full,
    state_of,
    type_of,
)
from mjopt.play.learning.config import ACTION_PLANES, BASE_PLANES, Configuration

Planes = NDArray[np.uint8]

HANDS: Final = 0
DISCARDS: Final = 16
RECENT: Final = 32
"""The last four discards of each player, one-hot, the last one first."""
MELDS: Final = 48
WALL: Final = 64
"""The next ten tiles of the wall, one-hot, the next one first."""
SCORES: Final = 74
EVENT: Final = BASE_PLANES
"""With ``last_event``: the last tile one-hot, then the type of the last action."""

NUM_RECENT: Final = 4
NUM_WALL: Final = 10
NUM_INTERVALS: Final = 11
NO_SCORES: Final = (0,) * NUM_SEATS


def encode(
    state: State, seat: int, config: Configuration, *, scores: Sequence[int] = NO_SCORES
) -> "Planes":
    """Return the planes of a state with all tiles, as the perfect agent sees it from a seat.

    Parameters
    ----------
    state
        The state. An unordered wall has no planes.
    seat
        The observer.
    config
        The configuration of the planes.
    scores
        Points of the match so far, by seat (a state knows only its own game).

    Returns
    -------
    ndarray
        0 or 1, shape ``(118, K)``, or ``(129, K)`` with ``last_event``; a fresh array.

    Examples
    --------
    >>> from mjopt.play.game import JJ, shuffle_wall, start
    >>> state = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    >>> planes = encode(state, 0, Configuration())
    >>> planes.shape, int(planes[:16].sum()), int(planes[WALL].argmax()) == state.wall[53]
    ((118, 27), 53, True)
    """
    expect(state, State, "state")
    expect(config, Configuration, "config")
    check_seat(seat)
    planes, kinds = bytearray(config.num_planes * config.kinds), config.kinds
    _put_open(planes, state.table, seat, config, scores, with_recent=True)
    for place in range(NUM_SEATS):
        _put_counts(planes, HANDS + 4 * place, state.hands[(seat + place) % NUM_SEATS])
    if not state.unordered:
        visible = min(NUM_WALL, state.table.live)
        for place, kind in enumerate(state.undrawn[:visible], WALL):
            planes[place * kinds + kind] = 1
    return _as_planes(planes, kinds)


def encode_view(
    view: View, config: Configuration, *, scores: Sequence[int] = NO_SCORES
) -> "Planes":
    """Return the planes of a view, as the normal agent sees it; hidden planes are 0.

    Parameters
    ----------
    view
        The view.
    config
        The configuration of the planes, and whether the last discards are public.
    scores
        Points of the match so far, by seat (a view has none).

    Examples
    --------
    >>> from mjopt.play.game import JJ, shuffle_wall, start, view_of
    >>> state = start(JJ, shuffle_wall(1, 0, JJ.tiles))
    >>> config = Configuration()
    >>> planes = encode_view(view_of(state, 0), config)
    >>> (planes == encode(state, 0, config) * public_planes(config)[:, None]).all()
    np.True_
    """
    expect(view, View, "view")
    expect(config, Configuration, "config")
    planes = bytearray(config.num_planes * config.kinds)
    with_recent = config.recent == "public"
    _put_open(planes, view.table, view.seat, config, scores, with_recent=with_recent)
    _put_counts(planes, HANDS, view.hand)
    return _as_planes(planes, config.kinds)


def encode_masked(
    state: State, seat: int, config: Configuration, rng: np.random.Generator
) -> Planes:
    """Return the planes of a state from a seat, with hidden planes as in ``config.hidden``.

    Random numbers are drawn only for ``random``.
    """
    if config.hidden == "random":
        state = redeal_hidden(state, seat, rng)
    planes = encode(state, seat, config)
    return planes * public_planes(config)[:, None] if config.hidden == "none" else planes


def redeal_hidden(state: State, seat: int, rng: np.random.Generator) -> State:
    """Return a state in which all tiles hidden from a seat are dealt again."""
    hidden = list(state.undrawn)
    others = [other for other in range(NUM_SEATS) if other != seat]
    for other in others:
        hidden += np.repeat(range(len(state.hands[other])), state.hands[other]).tolist()
    tiles = [hidden[i] for i in rng.permutation(len(hidden))]
    hands = list(state.hands)
    for other in others:
        counts = (0,) * len(hands[other])
        for _ in range(sum(hands[other])):
            counts = with_copies(counts, tiles.pop(), 1)
        hands[other] = counts
    wall = list(state.wall)
    for place, kind in zip(state.undrawn_places, tiles, strict=True):
        wall[place] = kind
    return replace(state, wall=tuple(wall), hands=tuple(hands))


def public_planes(config: Configuration) -> "NDArray[np.bool_]":
    """Return a mask of the public planes, shape ``(118,)`` or ``(129,)``.

    Examples
    --------
    >>> int(public_planes(Configuration()).sum()), int(public_planes(Configuration())[:16].sum())
    (96, 4)
    """
    expect(config, Configuration, "config")
    public = np.ones(config.num_planes, dtype=bool)
    public[HANDS + COPIES : DISCARDS] = False
    public[WALL:SCORES] = False
    public[RECENT:MELDS] = config.recent == "public"
    return public


def action_planes(numbers: "NDArray[np.integer]", kinds: int) -> "NDArray[np.float32]":
    """Return the 19 planes of Table 2 that encode actions for the dynamics.

    Parameters
    ----------
    numbers
        Full numbers, shape ``(B,)``.
    kinds
        Number of tile kinds, K.

    Returns
    -------
    ndarray
        Shape ``(B, 19, K)``: the tile one-hot, then constant over kinds the type (10), the
        change of position (4) and the next player's state (4), both 0 if not encoded.

    Examples
    --------
    >>> planes = action_planes(np.array([27 * 3 + 5]), 27)
    >>> planes.shape, planes[0, :, 5].nonzero()[0].tolist(), int(planes[0, 0].argmax())
    ((1, 19, 27), [0, 1, 11, 18], 5)
    """
    try:
        numbers = np.asarray(numbers)
    except ValueError as error:
        raise ArgumentError(str(error), argument="numbers") from None
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ArgumentError(
            f"{numbers.dtype} of shape {numbers.shape}",
            argument="numbers",
            expected="integers of shape (B,)",
        )
    if ((numbers < 0) | (numbers >= NUM_CHANNELS * check_kinds(kinds))).any():
        raise ArgumentError(f"numbers outside 0..{NUM_CHANNELS * kinds - 1}")
    rows = np.arange(len(numbers))
    planes = np.zeros((len(numbers), ACTION_PLANES, kinds), dtype=np.float32)
    planes[rows, 0, numbers % kinds] = 1
    planes[rows, 1 + small_of_full(numbers, kinds) // kinds] = 1
    change = change_of(numbers, kinds)
    encoded = rows[change > 0]
    planes[encoded, 10 + change[encoded]] = 1
    planes[encoded, 15 + state_of(numbers, kinds)[encoded]] = 1
    return planes


def score_interval(score: int, config: Configuration) -> int:
    """Return the index of a score's interval, 0 to 10; the outer ones are unbounded.

    Examples
    --------
    >>> [score_interval(score, Configuration()) for score in (-60, -50, -1, 0, 5, 49, 50)]
    [0, 0, 5, 5, 6, 10, 10]
    """
    half = config.score_range * config.rule_set.basic_score
    place = (score + half) * NUM_INTERVALS // (2 * half)
    return min(max(place, 0), NUM_INTERVALS - 1)


def _put_open(
    planes: bytearray,
    table: OpenTable,
    seat: int,
    config: Configuration,
    scores: Sequence[int],
    *,
    with_recent: bool,
) -> None:
    kinds = config.kinds
    if len(expect_all(scores, int, "scores")) != NUM_SEATS:
        raise ArgumentError(str(len(scores)), argument="scores", expected=str(NUM_SEATS))
    if len(table.shown) != kinds:
        raise ArgumentError(
            f"a game of {table.rules.name} has {len(table.shown)} kinds",
            expected=f"{kinds}, those of {config.rules}",
        )
    for place in range(NUM_SEATS):
        player = (seat + place) % NUM_SEATS
        river = table.rivers[player]
        _put_tiles(planes, DISCARDS + 4 * place, river, kinds)
        if with_recent:
            for at, kind in enumerate(river[: -NUM_RECENT - 1 : -1], RECENT + 4 * place):
                planes[at * kinds + kind] = 1
        for meld in table.melds[player]:
            _put_tiles(planes, MELDS + 4 * place, meld.block.kinds, kinds)
        first = SCORES + NUM_INTERVALS * place + score_interval(scores[player], config)
        planes[first * kinds : (first + 1) * kinds] = b"\1" * kinds
    if config.last_event:
        _put_last_event(planes, table, kinds)


def _put_counts(planes: bytearray, first: int, counts: Sequence[int]) -> None:
    kinds = len(counts)
    for kind, held in enumerate(counts):
        for place in range(first, first + held):
            planes[place * kinds + kind] = 1


def _put_tiles(planes: bytearray, first: int, tiles: Iterable[int], kinds: int) -> None:
    """Add tiles in order, each to the first plane where its kind is still 0."""
    for kind in tiles:
        at = first * kinds + kind
        while planes[at]:
            at += kinds
        planes[at] = 1


def _put_last_event(planes: bytearray, table: OpenTable, kinds: int) -> None:
    for event in reversed(table.events):
        if event.action in (Action.DRAW, Action.FAULT):
            continue
        planes[EVENT * kinds + event.tile] = 1
        first = EVENT + 1 + type_of(Move(event.action, event.kind), event.tile)
        planes[first * kinds : (first + 1) * kinds] = b"\1" * kinds
        return


def _as_planes(planes: bytearray, kinds: int) -> Planes:
    return np.frombuffer(planes, dtype=np.uint8).reshape(-1, kinds)
