"""Replay buffer: planes, policies, actions and results of played decisions."""

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import ArgumentError
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.learning.actions import NUM_CHANNELS, NUM_TYPES, small_of_full
from mjopt.play.learning.mcts_config import Bools, Floats, Integers

DATE: Final = (1980, 1, 1, 0, 0, 0)  # of the arrays in a file: equal samples give equal bytes
PLAIN: Final = {
    "planes",
    "masks",
}  # no compression: the bits are packed, and it would cost more time than it saves

Array = NDArray[np.generic]
Bytes = NDArray[np.uint8]


class Unrolled(NamedTuple):
    """Training batch of the perfect agent: positions with the positions that followed."""

    planes: Bytes  # of the first position, shape `(B, P, kinds)`
    # full numbers of the moves played, shape `(B, steps)`; 0 after the end of a game
    actions: NDArray[np.int32]
    policies: Floats  # of the search, shape `(B, steps + 1, 55 kinds)`; each sums to 1
    # signs of all points, in turn order from the current player, shape `(B, steps + 1, 4)`
    values: Floats
    weights: Floats  # 1 for a position, 0 after the end, shape `(B, steps + 1)`


@dataclass(frozen=True, eq=False, kw_only=True)
class Samples:
    """N decisions, grouped by game and in order."""

    kinds: int  # number of tile kinds
    # length of a policy: `55 * kinds` from a search, `10 * kinds` from a teacher
    width: int
    planes: Bytes  # with hidden tiles, as packed bits, shape `(N, ceil(P * kinds / 8))`
    masks: Bytes  # legal small numbers, as packed bits
    starts: Integers  # offsets of each decision in `places`, shape `(N + 1,)`
    # `places`, `shares`: numbers with a positive probability in the policy, and the probabilities
    places: NDArray[np.uint16]
    shares: Floats
    actions: NDArray[np.int32]  # number of the move played, shape `(N,)`
    # signs of all points, in turn order from the current player, shape `(N, 4)`
    values: NDArray[np.int8]
    games: Integers  # number of each decision's game, shape `(N,)`

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.actions)

    @cached_property
    def num_following(self) -> Integers:
        """Number of later decisions of the same game, shape ``(N,)``."""
        ends = np.flatnonzero(np.append(np.diff(self.games) != 0, len(self) > 0))
        each = np.diff(ends, prepend=-1)
        return np.asarray(np.repeat(ends, each) - np.arange(len(self)))

    def planes_of(self, rows: Integers) -> Bytes:
        """Return the planes of some decisions, shape ``(B, P, kinds)``."""
        size = self.planes.shape[1] * 8 // self.kinds * self.kinds
        bits = np.unpackbits(self.planes[rows], axis=1, count=size)
        return bits.reshape(len(rows), -1, self.kinds)

    def masks_of(self, rows: Integers) -> Bools:
        """Return masks of legal small numbers, shape ``(B, 10 kinds)``."""
        bits = np.unpackbits(self.masks[rows], axis=1, count=NUM_TYPES * self.kinds)
        return bits.astype(np.bool_)

    def policies_of(self, rows: Integers, *, small: bool = False) -> Floats:
        """Return the policies of some decisions, shape ``(B, width)``.

        With ``small`` the channels of each action are summed: shape ``(B, 10 * kinds)``.
        """
        sizes = self.starts[rows + 1] - self.starts[rows]
        first = np.cumsum(sizes) - sizes
        where = np.repeat(self.starts[rows] - first, sizes) + np.arange(sizes.sum())
        numbers = self.places[where].astype(np.int64)
        width = self.width
        if small and width != NUM_TYPES * self.kinds:
            numbers, width = _small_numbers(self.kinds)[numbers], NUM_TYPES * self.kinds
        policies = np.zeros((len(rows), width), np.float32)
        np.add.at(policies, (np.repeat(np.arange(len(rows)), sizes), numbers), self.shares[where])
        return policies

    def unroll(self, rows: Integers, steps: int) -> Unrolled:
        """Return some decisions with those that followed; see :class:`Unrolled`."""
        at = rows[:, None] + np.arange(steps + 1)
        is_there = np.arange(steps + 1) <= self.num_following[rows][:, None]
        at = np.where(is_there, at, rows[:, None])
        policies = self.policies_of(at.reshape(-1)).reshape(*at.shape, self.width)
        return Unrolled(
            planes=self.planes_of(rows),
            actions=np.where(is_there, self.actions[at], 0)[:, :-1].astype(np.int32),
            policies=policies,
            values=self.values[at].astype(np.float32),
            weights=is_there.astype(np.float32),
        )

    def to_bytes(self) -> bytes:
        """Return the samples as the content of an ``.npz``; equal samples give equal bytes."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for field in fields(self):
                how = zipfile.ZIP_STORED if field.name in PLAIN else zipfile.ZIP_DEFLATED
                content = io.BytesIO()
                np.save(content, np.asarray(getattr(self, field.name)), allow_pickle=False)
                info = zipfile.ZipInfo(f"{field.name}.npy", DATE)
                info.compress_type = how
                archive.writestr(info, content.getvalue(), compresslevel=1)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Samples":
        """Return the samples of :meth:`to_bytes`."""
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {field.name: archive[field.name] for field in fields(cls)}
        sizes = {name: int(arrays.pop(name)) for name in ("kinds", "width")}
        return cls(kinds=sizes["kinds"], width=sizes["width"], **arrays)

    @classmethod
    def join(cls, parts: Sequence["Samples"]) -> "Samples":
        """Concatenate samples; games of different parts stay distinct."""
        first, *rest = parts
        if not rest:
            return first
        together = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("planes", "masks", "places", "shares", "actions", "values")
        }
        offsets = np.cumsum([0] + [len(part.places) for part in parts])
        starts = [part.starts[:-1] + begin for part, begin in zip(parts, offsets, strict=False)]
        # Parts of two versions may hold games of the same number.
        games = [part.games.astype(np.int64) + (i << 40) for i, part in enumerate(parts)]
        return cls(
            kinds=first.kinds,
            width=first.width,
            starts=np.concatenate([*starts, offsets[-1:]]),
            games=np.concatenate(games),
            **together,
        )


def _small_numbers(kinds: int) -> Integers:
    """Return the small number of every full number."""
    return np.array([small_of_full(full, kinds) for full in range(NUM_CHANNELS * kinds)])


class SearchedDecision(NamedTuple):
    """One decision before it is packed."""

    planes: Bytes  # (P, kinds)
    mask: Bools  # (10 kinds,)
    places: Integers  # numbers
    shares: NDArray[np.floating]  # of each of them, sum 1
    action: int
    seat: int


def collect(
    games: Iterable[tuple[int, Sequence[SearchedDecision], Sequence[int]]],
    *,
    kinds: int,
    width: int,
) -> Samples:
    """Pack the decisions of finished games.

    Each game has a number, its decisions in order, and the points of the four seats.

    ArgumentError if no game has a decision.
    """
    rows: list[SearchedDecision] = []
    values, numbers = [], []
    for number, decisions, scores in games:
        signs = np.sign(np.asarray(scores)).astype(np.int8)
        rows += decisions
        values += [np.roll(signs, -decision.seat) for decision in decisions]
        numbers += [number] * len(decisions)
    if not rows:
        raise ArgumentError("no decision", argument="games", expected="at least one")
    sizes = [len(row.places) for row in rows]
    return Samples(
        kinds=kinds,
        width=width,
        planes=np.packbits(np.stack([row.planes.reshape(-1) for row in rows]), axis=1),
        masks=np.packbits(np.stack([row.mask for row in rows]), axis=1),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        places=np.concatenate([row.places for row in rows]).astype(np.uint16),
        shares=np.concatenate([row.shares for row in rows]).astype(np.float32),
        actions=np.array([row.action for row in rows], np.int32),
        values=np.stack(values).reshape(-1, NUM_SEATS),
        games=np.array(numbers, np.int64),
    )


def cut(count: int, parts: int) -> Iterator[range]:
    """Split a count into consecutive ranges of nearly equal length.

    Examples
    --------
    >>> list(cut(5, 2))
    [range(0, 2), range(2, 5)]
    """
    for start, stop in pairwise(count * part // parts for part in range(parts + 1)):
        yield range(start, stop)
