"""The hands of a certificate of win chances, and the moves between them."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_file import Integers
from mjopt.proofs.win_chance_forms import Bytes, FormDistances

Indices = npt.NDArray[np.int32]

# T1 and T6 of docs/reference/optimal-play.md bound the best play of a class, so every hand of the
# class that a draw and a discard can lead to must be a state: the one that is missing could be the
# best. All moves from all states are made here, not read from the file, and each target is a state
# or proved to be outside.
#
# Hands are found by binary search. Counts in base five take 79 bits for 34 kinds, so a key has two
# parts: the first 18 kinds as their rank among those that occur (below 2**25), and the rest (below
# 5**16 < 2**38). A move is one number of 62 bits, 25 for each state and 6 for each kind, so sorting
# moves is sorting integers.

_MOVE: Final = 8  # steps charged for a move
_FAR: Final = 99  # by which no hand exceeds a class
_CHUNK: Final = 50_000  # hands checked at once
_ROWS: Final = 4_096  # states whose moves are found at once
_KIND_BITS: Final = 6
_STATE_BITS: Final = 25  # of a state in a packed move: source, drawn, thrown, target
_HALF: Final = 18  # kinds whose counts in base five are the first part of the key of a hand
_BITS: Final = 38  # of the second part, which is below 5**(MOST_KINDS - _HALF)


def _powers(number: int) -> Integers:
    return 5 ** np.arange(number, dtype=np.int64)


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

    ``hands`` are copies held, shape (S, K); ``hand`` and ``wall`` the initial hand and wall, shape
    (K,); ``num_tiles`` the tiles of a hand after a discard; ``forms`` the winning forms of the
    class.
    """

    def __init__(
        self,
        hands: Integers,
        hand: Integers,
        wall: Integers,
        num_tiles: int,
        forms: FormDistances,
    ) -> None:
        self.hands, self.hand, self._forms = hands, hand, forms
        new = np.maximum(hands - hand, 0)
        # Number of tiles that the initial hand did not hold, shape (S,).
        self.acquired = new.sum(axis=1)
        # Copies left in the wall if every drawn copy is still held, shape (S, K).
        self.room = wall - new
        for at in np.flatnonzero(hands.sum(axis=1) != num_tiles)[:1]:
            raise CertificateError(f"states[{at}]: not {num_tiles} tiles")
        for at in np.flatnonzero((self.room < 0).any(axis=1))[:1]:
            raise CertificateError(f"states[{at}]: more copies than the hand and the wall hold")
        num_kinds = hands.shape[1]
        self._powers = _powers(min(num_kinds, _HALF)), _powers(num_kinds - _HALF)
        low, high = hands[:, :_HALF] @ self._powers[0], hands[:, _HALF:] @ self._powers[1]
        self._parts = low, high
        self._lows = np.unique(low)
        keys = np.searchsorted(self._lows, low) << _BITS | high
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        for at in np.flatnonzero(self._keys[1:] == self._keys[:-1])[:1]:
            raise CertificateError(f"states[{self._order[at + 1]}]: given twice")
        # By how much each state exceeds the class if it acquired nothing, shape (S,).
        self.beyond, _ = forms.beyond(hands)
        # By how much a hand with one more tile of each kind exceeds the class, and where it wins.
        self._after = np.full(self.room.shape, _FAR, np.int8)
        # Whether drawing a kind is possible and completes the hand, shape (S, K).
        self.wins = np.zeros(self.room.shape, np.bool_)
        for first in range(0, len(hands), _ROWS):
            rows, drawn = np.nonzero(self.room[first : first + _ROWS])
            full = hands[first + rows]
            full[np.arange(len(rows)), drawn] += 1
            self._after[first + rows, drawn], self.wins[first + rows, drawn] = forms.beyond(full)

    def steps(self, counter: StepCounter) -> Steps:
        """Return every move from state to state; raise if a hand of the class is missing.

        ``counter`` bounds the number of moves, and so the memory: a move takes about 30 bytes.
        """
        nearest = 1 - max(self._forms.limits)  # by which a hand that is not complete exceeds
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
                least = np.maximum(self._after[lost[:, 0], drawn], nearest)
                self._check_outside(lost[self._acquired_by(lost) + least <= 0])
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
        # A search returns a place for any key, so both parts are compared.
        is_in = (self._lows[at] == low) & (self._keys[place] == keys)
        found: Integers = np.where(is_in, self._order[place], -1)
        return found

    def _check_outside(self, moves: Integers) -> None:
        """Raise if a move leads to a hand of the class."""
        for start in range(0, len(moves), _CHUNK):
            part = moves[start : start + _CHUNK]
            each = np.arange(len(part))
            hands = self.hands[part[:, 0]]
            hands[each, part[:, 1]] += 1
            hands[each, part[:, 2]] -= 1
            beyond, _ = self._forms.beyond(hands)
            for at in np.flatnonzero(self._acquired_by(part) + beyond <= 0)[:1]:
                hand = "".join(map(str, hands[at]))
                raise CertificateError(f"{hand} is in the class and missing", argument="states")
