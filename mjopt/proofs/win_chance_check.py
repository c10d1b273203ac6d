"""Check certificates of win chances: bounds on the chance to win within some draws.

The theorems T1, T3, T5 and T6 are in docs/reference/optimal-play.md. Chances are whole
numbers of 2**-48. Upper bounds are rounded up and lower bounds down, so every accepted bound holds.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.tiles import COPIES
from mjopt.proofs.limits import LIMITS, Limits, StepCounter
from mjopt.proofs.win_chance_file import MOST, ONE, Integers, WinChanceFile, read_win_chance_file
from mjopt.proofs.win_chance_forms import FormDistances
from mjopt.proofs.win_chance_states import States
from mjopt.proofs.win_chance_upper import check_upper

# T3 of docs/reference/optimal-play.md, state by state: V >= a(h) - b(h) . delta, by induction over
# the draws left. The policy in the file only has to be possible, not good: the bound is that of
# this policy, so it holds for best play. Numbers may be given or left out; given ones are compared
# with those that T3 gives, and the next step of the induction uses them, so each step needs only
# that the one before was accepted.
#
# The arrays `bases` (a) and `losses` (b) have a row for each state; `gone` are the caps on depleted
# copies. Every a is rounded down and every b up, so a certificate never proves more than exact
# fractions would.

_CHUNK: Final = 512  # states whose losses are checked together
_MOVES: Final = 20_000  # moves that are checked together
_Reachable = tuple[Integers, npt.NDArray[np.int8]]  # states, most copies of each kind gone


class VerifiedWinChance(NamedTuple):
    """An accepted certificate of win chances.

    The lower bounds are those of its policy and hold without conditions. The upper bounds hold
    within the class of its waste, or for every way to play if ``is_unconditional``.
    """

    file: WinChanceFile
    is_unconditional: bool


def verify_win_chance(text: str, limits: Limits = LIMITS) -> VerifiedWinChance:
    """Check a certificate of win chances.

    Raises
    ------
    CertificateError
        With the condition that fails, or the limit that was exceeded.

    Examples
    --------
    >>> import json
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("1466m", called=3)
    >>> play = mjopt.optimal_play(hand, wall="1116m", draws=3, waste=0)
    >>> verified = verify_win_chance(json.dumps(play.to_certificate()))
    >>> verified.file.draws, verified.is_unconditional
    (3, False)
    """
    file = read_win_chance_file(text, limits)
    counter = StepCounter(limits, "win chance")
    hand = np.array(file.hand)
    counter.spend(5 * len(file.states) * len(hand))
    forms = FormDistances(file.templates, file.limits, file.tiles, file.called, counter)
    states = States(file.states, hand, np.array(file.wall), file.size - 1, forms)
    deficiency = forms.of(hand[None]).min()
    if deficiency != file.deficiency:
        raise CertificateError(
            f"{file.deficiency}, but the hand's is {deficiency}", argument="deficiency"
        )
    _check_roots(file, states)
    is_unconditional = False
    if file.has_upper:
        is_whole = check_upper(file, states, counter)
        # T5: with no more draws than the least limit, the class contains all plays.
        is_unconditional = is_whole or file.draws <= min(file.limits)
    if file.has_lower:
        _check_lower(file, states, counter)
    return VerifiedWinChance(file, is_unconditional)


def _check_roots(file: WinChanceFile, states: States) -> None:
    """Raise if the state of a claim is not the hand after its discard."""
    has_spare = sum(file.hand) == file.size
    for at, claim in enumerate(file.claims):
        after = states.hand.copy()
        if has_spare != (claim.discard >= 0):
            raise CertificateError(
                f"claims[{at}].discard: {claim.discard} of a hand of {sum(after)} tiles",
                expected="a kind" if has_spare else "-1, no discard before the draw",
            )
        if has_spare:
            after[claim.discard] -= 1
        if (after != states.hands[claim.state]).any():
            raise CertificateError(f"claims[{at}].state: not the hand after the discard")


def _check_lower(file: WinChanceFile, states: States, counter: StepCounter) -> None:
    """Raise if T3 does not give the lower bounds for the policy."""
    for t, moves in enumerate(file.moves):
        if not t or moves is not file.moves[t - 1]:
            for start in range(0, len(moves), _MOVES):
                _check_moves(moves[start : start + _MOVES], states, t)
    reachable = _reachable_states(file, states, counter)
    given = _given_bounds(file, 0, states)
    base, loss = given or (np.zeros(len(states.hands), np.int64), np.zeros_like(states.hands))
    # The start of the induction: with no draw left the chance is 0, so a - b . delta must not
    # exceed 0.
    if (base > 0).any() or (loss < 0).any():
        raise CertificateError("above 0 where no draw is left", argument="lower")
    for left in range(1, file.draws + 1):
        t = file.draws - left
        rows, gone = reachable[t]
        counter.spend(len(rows) + len(file.moves[t]))
        given = _given_bounds(file, left, states)
        bases, losses = given or (np.zeros_like(base), np.zeros_like(loss))
        for start in range(0, len(rows), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            here = rows[chunk]
            most, least = _bounds(here, gone[chunk], file, t, base, loss, states)
            if given is None:
                bases[here], losses[here] = most, least
            for bad in here[(bases[here] > most) | (losses[here] < least).any(axis=1)][:1]:
                raise CertificateError(
                    f"T3 does not give a and b [{bad}][{left}]", argument="lower"
                )
        base, loss = bases, losses
    for at, claim in enumerate(file.claims):
        if claim.lower is not None and claim.lower > max(0, base[claim.state]):
            raise CertificateError(f"claims[{at}].lower: above the bound {base[claim.state]}")


def _given_bounds(
    file: WinChanceFile, left: int, states: States
) -> tuple[Integers, Integers] | None:
    """Return the lower bounds in the certificate; None if it leaves them out."""
    if file.bases is None or file.losses is None:
        return None
    losses, rows = np.zeros_like(states.hands), file.losses[left]
    losses[rows[:, 0], rows[:, 1]] = rows[:, 2]
    return file.bases[left], losses


def _check_moves(moves: Integers, states: States, t: int) -> None:
    """Raise if a move is impossible, leads to another state, or claims a win that is not one."""
    source, drawn, thrown, target = moves.T
    hands = states.hands[source]
    each = np.arange(len(moves))
    hands[each, drawn] += 1
    # A move to another hand could end in one with a better chance; a drawn kind must have a copy in
    # the wall; a win must be complete.
    hands[each, thrown] -= 1  # -1 if it is not held, as in no state
    is_win = target < 0
    is_legal = is_win | (hands == states.hands[target]).all(axis=1)
    is_legal &= states.room[source, drawn] > 0
    is_legal &= ~is_win | states.wins[source, drawn]
    for at in np.flatnonzero(~is_legal)[:1]:
        raise CertificateError(
            f"policy[{source[at]}][{t}]: {moves[at, 1:].tolist()}",
            expected="[drawn, discarded, next state] of this hand, or [drawn, -1, -1] for a win",
        )


def _reachable_states(
    file: WinChanceFile, states: States, counter: StepCounter
) -> list[_Reachable]:
    """Return the states the policy reaches at each draw, and the most copies gone there."""
    room, hands = states.room, states.hands
    # Invariant: after t draws, gone[h] is at least the copies of each kind that the policy can have
    # depleted on any way to h. A cap too low would let T3 charge too little, so every way counts,
    # also a drawn tile that is thrown at once (`refused`).
    most = room.astype(np.int8)
    is_in = np.zeros(len(room), bool)
    is_in[[claim.state for claim in file.claims]] = True
    gone = np.zeros(room.shape, np.int8)
    reachable: list[_Reachable] = []
    for t, moves in enumerate(file.moves):
        rows = np.flatnonzero(is_in)
        counter.spend(len(rows) * states.hands.shape[1])
        reachable.append((rows, gone[rows]))
        refused = is_in[:, None] & (room > 0)
        refused[moves[:, 0], moves[:, 1]] = False
        kept = moves[is_in[moves[:, 0]] & (moves[:, 3] >= 0)]
        kept = kept[np.argsort(kept[:, 3], kind="stable")]
        is_in = refused.any(axis=1)
        after = np.where(refused, np.minimum(gone + 1, most), gone) * is_in[:, None]
        for start in range(0, len(kept), _MOVES):
            source, drawn, thrown, target = kept[start : start + _MOVES].T
            each = np.arange(len(source))
            made = gone[source]
            made[each, drawn] += hands[source, drawn] < states.hand[drawn]
            made[each, thrown] += hands[source, thrown] + (drawn == thrown) > states.hand[thrown]
            starts = np.flatnonzero(np.diff(target, prepend=-1))
            into = target[starts]
            high = np.maximum.reduceat(np.minimum(made, most[target]), starts)
            after[into] = np.maximum(after[into], high)
            is_in[into] = True
        # All depleted copies together are t + 1 minus the new tiles of the hand (refinement 1 of
        # the page).
        gone = np.minimum(after, np.clip(t + 1 - states.acquired, 0, COPIES)[:, None])
        gone = gone.astype(np.int8)
    return reachable


def _bounds(
    rows: Integers,
    gone: npt.NDArray[np.int8],
    file: WinChanceFile,
    t: int,
    base: Integers,
    loss: Integers,
    states: States,
) -> tuple[Integers, Integers]:
    """Return the highest base and the least losses that T3 gives for some states after t draws.

    ``rows`` are the states in ascending order, ``gone`` the most copies of each kind gone there.
    ``base`` and ``loss`` are the bounds with one draw less left, shapes (S,) and (S, K); ``states``
    are all states.
    """
    moves, now = file.moves[t], sum(file.wall) - t
    first, last = np.searchsorted(moves[:, 0], [rows[0], rows[-1] + 1])
    moves = moves[first:last]
    place = np.searchsorted(rows, moves[:, 0])
    is_here = rows[place] == moves[:, 0]
    moves, place = moves[is_here], place[is_here]
    source, drawn, thrown, target = moves.T
    room, own = states.room[rows], loss[rows]
    # G_x and D_x of the page: first those of kinds that the policy refuses, then those of its
    # moves.
    gains = -own
    slopes, spread, widest = np.zeros_like(own), np.zeros_like(own), np.zeros_like(own)
    products = np.zeros_like(own)
    left = np.maximum(t - states.acquired[rows], 0)[:, None]
    if len(moves):
        is_win, each = target < 0, np.arange(len(moves))
        then = np.where(is_win[:, None], 0, loss[target])
        held = states.hands[source]
        back = np.where(held[each, drawn] < states.hand[drawn], then[each, drawn], 0)
        again = held[each, thrown] + (drawn == thrown) > states.hand[thrown]
        back += np.where(again, then[each, thrown], 0)
        gains[place, drawn] = np.where(is_win, ONE, base[target] - back) - base[source]
        drop = own[place] - then
        rise = np.maximum(drop, 0)
        if file.weights is not None:  # if two kinds are gone, only one is charged
            weight = np.where(file.weights > 0, 1 << file.weights, 0)[rows[place]]
            most, here = gone[place].astype(np.int64), weight[each, drawn][:, None]
            is_spared = here * most < weight * most[each, drawn][:, None]
            spared = np.where(is_spared, rise, 0)
            rise = rise - spared
            both = np.minimum((spared * most).sum(axis=1), left[place, 0] * spared.max(axis=1))
            products[place, drawn] = both
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        into = place[starts]
        slopes[into] = np.add.reduceat(room[place, drawn][:, None] * drop, starts)
        spread[into] = np.add.reduceat(gone[place, drawn][:, None] * rise, starts)
        widest[into] = np.maximum.reduceat(rise, starts)
    bases = base[rows] + (room * gains).sum(axis=1) // now
    # The product delta_x delta_z, bounded by the caps of the kinds or by the number of all depleted
    # copies.
    products += np.minimum(spread, left * widest)
    # -(-n // d) rounds up, n // d down.
    losses = own - -(gains - slopes + products) // now
    return _limited(bases, losses)


def _limited(bases: Integers, losses: Integers) -> tuple[Integers, Integers]:
    """Return valid bounds within MOST: clip losses where that suffices, else use 0."""
    clipped = np.clip(losses, -MOST, MOST)
    is_large = (abs(bases) > MOST) | (losses != clipped).any(axis=1)
    # With one copy of a clipped kind gone, the bound is then at most 0, which no chance is below.
    is_low = bases - COPIES * np.minimum(clipped, 0).sum(axis=1) <= MOST
    is_zero = is_large & ~(is_low & (abs(bases) <= MOST))
    return np.where(is_zero, 0, bases), np.where(is_zero[:, None], 0, clipped)
