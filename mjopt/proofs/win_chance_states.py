"""The hands of a certificate of win chances: their deficiencies and the moves between them.

The deficiency is computed by a dynamic program over the ranks of each suit, for all hands at
once, from the rules in `table_check`: the checker uses no table.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.tiles import TileSet
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.table_check import CARRIES, Bytes, moves
from mjopt.proofs.win_chance_file import Integers

Indices = npt.NDArray[np.int32]

_MOVE: Final = 8  # steps charged for a move
_FAR: Final = 60  # tiles; more than any hand misses, and twice it still fits an int8
_CHUNK: Final = 50_000  # hands whose deficiency is computed at once
_ROWS: Final = 4_096  # states whose moves are found at once
_KIND_BITS: Final = 6
_STATE_BITS: Final = 25  # of a state in a packed move: source, drawn, thrown, target
_HALF: Final = 18  # kinds whose counts in base five are the first part of the key of a hand
_BITS: Final = 38  # of the second part, which is below 5**16


def deficiencies(hands: Integers, tiles: TileSet, called: int) -> Integers:
    """Return the deficiency of each hand in the standard form.

    Parameters
    ----------
    hands
        Copies held, shape (N, K), of 14 - 3 * ``called`` tiles or one less.
    tiles
        The tile set.
    called
        Number of called melds; their tiles are unknown.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> hand = np.zeros((1, 27), np.int64)
    >>> hand[0, :5] = 3, 1, 1, 1, 1
    >>> deficiencies(hand, M0, called=2).tolist()
    [1]
    """
    total: Bytes | None = None
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        codes = hands[:, part] @ _powers(len(suit.ranks))
        each, where = np.unique(codes, return_inverse=True)
        costs = _suit_costs(each.tobytes(), len(suit.ranks), suit.has_chows)[where]
        total = costs if total is None else _joined(total, costs)
    assert total is not None
    return total[:, 4 - called, 1].astype(np.int64)


def _powers(number: int) -> Integers:
    return 5 ** np.arange(number, dtype=np.int64)


@lru_cache(maxsize=16)  # a check asks for about ten, some of them again
def _suit_costs(codes: bytes, num_ranks: int, has_chows: bool) -> Bytes:
    """Return the tiles missing for m melds and e eyes in one suit, shape (N, 5, 2).

    ``codes`` holds the copies of each rank in base five, as the bytes of an array.
    """
    held = np.frombuffer(codes, np.int64)[:, None] // _powers(num_ranks) % 5
    costs = np.full((len(CARRIES), len(held), 5, 2), _FAR, np.int8)
    costs[0, :, 0, 0] = 0
    for rank in range(num_ranks):
        after = np.full_like(costs, _FAR)
        for (carry, chows, pongs, eyes, then), use in moves(has_chows and rank + 2 < num_ranks):
            melds = chows + pongs  # at most four: no rank has more copies
            missing = np.maximum(use - held[:, rank], 0).astype(np.int8)[:, None, None]
            into = after[then, :, melds:, eyes:]
            np.minimum(into, costs[carry, :, : 5 - melds, : 2 - eyes] + missing, out=into)
        costs = after
    found: Bytes = costs[0]
    return found


def _joined(one: Bytes, two: Bytes) -> Bytes:
    """Return the tiles that two suits miss together for m melds and e eyes."""
    found = np.full_like(one, _FAR)
    for melds in range(5):
        for eyes in range(2):
            into = found[:, melds:, eyes:]
            part = one[:, melds, eyes][:, None, None]
            np.minimum(into, part + two[:, : 5 - melds, : 2 - eyes], out=into)
    return found


def _pack(moves: Integers) -> Integers:
    """Return each move as one number, which sorts by state, kind drawn and kind thrown."""
    source, drawn, thrown, target = moves.T
    kinds: Integers = (source << _KIND_BITS | drawn) << _KIND_BITS | thrown
    packed: Integers = kinds << _STATE_BITS | target
    return packed


class Steps(NamedTuple):
    """The moves between states, sorted by state and kind drawn.

    ``sources``, ``drawn``, ``thrown`` and ``targets`` hold one entry for each move. ``is_whole``
    is True if no legal move leads out of the states, in the class or not. There may be millions.
    """

    sources: Indices
    drawn: Bytes
    thrown: Bytes
    targets: Indices
    is_whole: bool


class States:
    """The states: distinct hands after a discard that can be reached.

    Parameters
    ----------
    hands
        Copies held, shape (S, K).
    hand, wall
        The initial hand and wall, shape (K,).
    tiles, called
        The tile set and the number of called melds.

    Attributes
    ----------
    room
        Copies left in the wall if every drawn copy is still held, shape (S, K).
    acquired
        Number of tiles that the initial hand did not hold, shape (S,).
    deficiencies
        Deficiency of each state, shape (S,).
    wins
        Whether drawing a kind is possible and completes the hand, shape (S, K).
    """

    def __init__(
        self, hands: Integers, hand: Integers, wall: Integers, tiles: TileSet, called: int
    ) -> None:
        self.hands, self.hand, self._tiles, self._called = hands, hand, tiles, called
        new = np.maximum(hands - hand, 0)
        self.acquired = new.sum(axis=1)
        self.room = wall - new
        for at in np.flatnonzero(hands.sum(axis=1) != 13 - 3 * called)[:1]:
            raise CertificateError(f"states[{at}]: not {13 - 3 * called} tiles")
        for at in np.flatnonzero((self.room < 0).any(axis=1))[:1]:
            raise CertificateError(f"states[{at}]: more copies than the hand and the wall hold")
        self._powers = _powers(_HALF), _powers(hands.shape[1] - _HALF)
        low, high = hands[:, :_HALF] @ self._powers[0], hands[:, _HALF:] @ self._powers[1]
        self._parts = low, high
        self._lows = np.unique(low)
        keys = np.searchsorted(self._lows, low) << _BITS | high
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        for at in np.flatnonzero(self._keys[1:] == self._keys[:-1])[:1]:
            raise CertificateError(f"states[{self._order[at + 1]}]: given twice")
        self.deficiencies = deficiencies(hands, tiles, called)
        self._after = self._with_one_more()
        self.wins = self._after == 0

    def _with_one_more(self) -> Bytes:
        """Return the deficiency of each state with one more tile of each kind, shape (S, K)."""
        found = np.full(self.room.shape, _FAR, np.int8)
        for first in range(0, len(found), _ROWS):
            rows, drawn = np.nonzero(self.room[first : first + _ROWS])
            hands = self.hands[first + rows]
            hands[np.arange(len(rows)), drawn] += 1
            found[first + rows, drawn] = deficiencies(hands, self._tiles, self._called)
        return found

    def steps(self, most: int, counter: StepCounter) -> Steps:
        """Return every move from state to state; raise if a hand of the class is missing.

        Parameters
        ----------
        most
            The class: hands with at most this number of tiles acquired and missing together.
        counter
            Bounds the number of moves, and so the memory: a move takes about 30 bytes.
        """
        assert len(self.hands) < 1 << _STATE_BITS
        found, is_whole = [], True
        for first in range(0, len(self.hands), _ROWS):
            rows = slice(first, first + _ROWS)
            packed = []
            for drawn in range(len(self.hand)):
                can_draw = (self.room[rows, drawn] > 0) & ~self.wins[rows, drawn]
                can = (self.hands[rows] > 0) & can_draw[:, None]
                can[:, drawn] = False  # discarding the drawn tile changes nothing
                sources, thrown = np.nonzero(can)
                sources += first
                targets = self._find(sources, drawn, thrown)
                moves = np.column_stack([sources, np.full_like(sources, drawn), thrown, targets])
                lost = moves[targets < 0]
                is_whole &= not len(lost)
                # A discard never lowers the deficiency, and no hand after it is complete.
                least = np.maximum(self._after[lost[:, 0], drawn], 1)
                self._check_outside(lost[self._acquired_by(lost) + least <= most], most)
                packed.append(_pack(moves[targets >= 0]))
                counter.spend(_MOVE * len(packed[-1]))
            found.append(np.sort(np.concatenate(packed)))
        edges = np.concatenate(found)
        del found
        kind, state = (1 << _KIND_BITS) - 1, (1 << _STATE_BITS) - 1
        return Steps(
            sources=(edges >> _STATE_BITS + 2 * _KIND_BITS).astype(np.int32),
            drawn=(edges >> _STATE_BITS + _KIND_BITS & kind).astype(np.int8),
            thrown=(edges >> _STATE_BITS & kind).astype(np.int8),
            targets=(edges & state).astype(np.int32),
            is_whole=is_whole,
        )

    def full_keys(self, sources: Integers, drawn: Integers) -> Integers:
        """Return a distinct number for each distinct hand with one more tile."""
        change = np.concatenate([self._powers[0], np.zeros_like(self._powers[1])])
        low = self._parts[0][sources] + change[drawn]
        change = np.concatenate([np.zeros_like(self._powers[0]), self._powers[1]])
        high = self._parts[1][sources] + change[drawn]
        lows, place = np.unique(low, return_inverse=True)
        found: Integers = place.reshape(low.shape) << _BITS | high
        assert len(lows) < 1 << (63 - _BITS)
        return found

    def _acquired_by(self, moves: Integers) -> Integers:
        source, drawn, thrown, _ = moves.T
        found: Integers = self.acquired[source] + (self.hands[source, drawn] >= self.hand[drawn])
        found -= self.hands[source, thrown] > self.hand[thrown]
        return found

    def _find(self, sources: Integers, drawn: int, thrown: Integers) -> Integers:
        """Return the states that moves lead to, or -1 for a hand that is not a state."""
        tiles = np.arange(len(self.hand))
        parts = []
        for powers, part, own in (
            (self._powers[0], self._parts[0], tiles < _HALF),
            (self._powers[1], self._parts[1], tiles >= _HALF),
        ):
            change = np.zeros(len(tiles), np.int64)
            change[own] = powers
            parts.append(part[sources] + change[drawn] - change[thrown])
        low, high = parts
        at = np.minimum(np.searchsorted(self._lows, low), len(self._lows) - 1)
        keys = at << _BITS | high
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        is_in = (self._lows[at] == low) & (self._keys[place] == keys)
        found: Integers = np.where(is_in, self._order[place], -1)
        return found

    def _check_outside(self, moves: Integers, most: int) -> None:
        """Raise if a move leads to a hand of the class."""
        for start in range(0, len(moves), _CHUNK):
            part = moves[start : start + _CHUNK]
            each = np.arange(len(part))
            hands = self.hands[part[:, 0]]
            hands[each, part[:, 1]] += 1
            hands[each, part[:, 2]] -= 1
            needed = self._acquired_by(part) + deficiencies(hands, self._tiles, self._called)
            for at in np.flatnonzero(needed <= most)[:1]:
                hand = "".join(map(str, hands[at]))
                raise CertificateError(f"{hand} is in the class and missing", argument="states")
