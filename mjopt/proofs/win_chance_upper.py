"""Check the upper bounds of win chances: theorems T1 and T6, state by state, in integers."""

from typing import Final, NamedTuple

import numpy as np

from mjopt.errors import CertificateError
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_file import ONE, Integers, WinChanceFile
from mjopt.proofs.win_chance_states import States, Steps

# T1 and T6 of docs/reference/optimal-play.md, by induction over the draws left, for all states of
# the class at once. Every a is rounded up and every b down. T1 is computed first, since T6 falls
# back on it: where the numbers of T6 are too large, exceed T1, or belong to a state that cannot be
# reached yet, a is that of T1 and b is 0, which is a bound as well. So whatever the weights in the
# file are, the result holds.
#
# The moves are sorted by state and drawn kind (`Steps`): the discards after one draw are
# consecutive, and a maximum over them is one `reduceat`.

_SLIP: Final = 1 << 20  # T1 is used where T6 exceeds it by more
_SHARE: Final = 12  # bits of the fraction of a slope that is kept
_LEVELS: Final = range(9, -1, -1)


def check_upper(file: WinChanceFile, states: States, counter: StepCounter) -> bool:
    """Raise if an upper bound does not hold; return whether no other state can be reached."""
    for at, claim in enumerate(file.claims):
        if states.beyond[claim.state] > 0:
            raise CertificateError(f"claims[{at}].upper: the discard leaves the class")
    steps = states.steps(counter)
    last = _first_theorem(file, states, steps, counter)
    if file.weights is not None:
        charged = _sixth_theorem(file, states, steps, last, counter)
        least = np.minimum(last[-1], charged)
    else:
        least = last[-1]
    for at, claim in enumerate(file.claims):
        if claim.upper is not None and claim.upper < least[claim.state]:
            raise CertificateError(f"claims[{at}].upper: below the bound {least[claim.state]}")
    return steps.is_whole


def _first_theorem(
    file: WinChanceFile, states: States, steps: Steps, counter: StepCounter
) -> list[Integers]:
    """Return the bounds of T1 for each number of draws left, or those in the file."""
    room, in_wall, num_kinds = states.room, sum(file.wall), len(file.hand)
    given = file.upper if file.weights is None else None
    group = steps.sources * num_kinds + steps.drawn
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    groups = group[starts]
    upper = np.zeros(len(room), np.int64) if given is None else given[0]
    found = [upper]
    for left in range(1, file.draws + 1):
        counter.spend(len(group) + len(room))
        now = in_wall - (file.draws - left)
        # best[h, x]: the best value after drawing x; that of h itself if x is refused, 1 for a win.
        best = np.repeat(upper, num_kinds)
        best[groups] = np.maximum.reduceat(upper[steps.targets], starts)
        best = best.reshape(room.shape)
        best[states.wins] = ONE
        best -= upper[:, None]
        gain = np.einsum("sk,sk->s", room, np.maximum(best, 0, out=best))
        least = np.minimum(ONE, upper - (-gain // now))  # rounded up
        upper = least if given is None else given[left]
        for at in np.flatnonzero(upper < least)[:1]:
            raise CertificateError(f"upper[{at}][{left}]: {upper[at]}, but T1 gives {least[at]}")
        found.append(upper)
    return found


class _Fulls(NamedTuple):
    """Full hands (one tile more than a state), and the states that their discards lead to.

    ``states``, ``thrown`` and ``fulls`` hold one entry for each discard: the state after it, the
    kind discarded and the full hand. ``starts`` is where the discards of each full hand begin.
    ``room`` and ``acquired`` belong to the full hands. ``sources`` and ``drawn`` are the draws
    that lead to a full hand, and ``made`` is the number of that hand.
    """

    states: Integers
    thrown: Integers
    fulls: Integers
    starts: Integers
    room: Integers
    acquired: Integers
    sources: Integers
    drawn: Integers
    made: Integers


def _full_hands(file: WinChanceFile, states: States, steps: Steps) -> _Fulls:
    group = steps.sources * len(states.hand) + steps.drawn
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    sources = steps.sources[begins].astype(np.int64)
    drawn = steps.drawn[begins].astype(np.int64)
    _, first, made = np.unique(
        states.full_keys(sources, drawn), return_index=True, return_inverse=True
    )
    made = made.reshape(sources.shape)
    # Several draws may lead to the same full hand; the first one represents them.
    number = np.full(len(begins), -1)
    number[first] = np.arange(len(first))
    of_step = np.repeat(number, np.diff(begins, append=len(group)))
    chosen = of_step >= 0
    in_states = np.concatenate([steps.targets[chosen], sources[first]])
    thrown = np.concatenate([steps.thrown[chosen], drawn[first]])
    fulls = np.concatenate([of_step[chosen], np.arange(len(first))])
    order = np.lexsort((in_states, fulls))
    hands = states.hands[sources[first]]
    hands[np.arange(len(first)), drawn[first]] += 1
    new = np.maximum(hands - states.hand, 0)
    return _Fulls(
        states=in_states[order],
        thrown=thrown[order],
        fulls=fulls[order],
        starts=np.flatnonzero(np.diff(fulls[order], prepend=-1)),
        room=np.array(file.wall) - new,
        acquired=new.sum(axis=1),
        sources=sources,
        drawn=drawn,
        made=made,
    )


def _sixth_theorem(
    file: WinChanceFile, states: States, steps: Steps, upper: list[Integers], counter: StepCounter
) -> Integers:
    """Return the bounds of T6 with all draws left and no copy gone."""
    assert file.weights is not None
    fulls = _full_hands(file, states, steps)
    base, loss = np.zeros(len(states.hands), np.int64), np.zeros_like(states.hands)
    if file.upper is not None and file.charges is not None:
        base, loss = file.upper[0], _charges(file, 0, states)
        if (base < 0).any() or (loss > 0).any():
            raise CertificateError("below 0 where no draw is left", argument="upper")
    for left in range(1, file.draws + 1):
        counter.spend(len(fulls.states) + len(fulls.sources) + len(base))
        t = file.draws - left
        best = _after_draw(file, states, fulls, base, loss, t)
        least, most = _before_draw(file, states, fulls, best, base, loss, t)
        # A kind of weight 0 is not charged, which makes the tables three times smaller.
        most = np.where(file.weights > 0, most, np.minimum(most, 0))
        lost = (least > upper[left] + _SLIP) | (least < -ONE) | (t < states.acquired)
        lost |= np.abs(most).max(axis=1) > ONE
        least[lost], most[lost] = upper[left][lost], 0
        base, loss = least, most
        if file.upper is not None and file.charges is not None:
            base, loss = file.upper[left], _charges(file, left, states)
            for at in np.flatnonzero((base < least) | (loss > most).any(axis=1))[:1]:
                raise CertificateError(f"T6 does not give a and b [{at}][{left}]", argument="upper")
    return base


def _charges(file: WinChanceFile, left: int, states: States) -> Integers:
    assert file.charges is not None
    charges, rows = np.zeros_like(states.hands), file.charges[left]
    charges[rows[:, 0], rows[:, 1]] = rows[:, 2]
    return charges


def _after_draw(
    file: WinChanceFile, states: States, fulls: _Fulls, base: Integers, loss: Integers, t: int
) -> tuple[Integers, Integers]:
    """Return a and b of one bound on all discards of each full hand."""
    assert file.weights is not None
    of, starts, throw = fulls.states, fulls.starts, fulls.thrown
    is_new = states.hands[of, throw] + 1 > states.hand[throw]
    worth = base[of] - np.where(is_new, loss[of, throw], 0)
    highest = np.maximum.reduceat(worth, starts)
    # The first of the discards that attain the maximum: its slopes are those of the bound.
    at = np.where(worth == highest[fulls.fulls], np.arange(len(of)), len(of))
    top = of[np.minimum.reduceat(at, starts)]
    slopes = loss[top]
    gone = t + 1 - fulls.acquired  # if it is below 0, every slope is kept
    cap = np.minimum(fulls.room, gone[:, None])
    # The bound must stay above that of every other discard, for any copies that can be gone.
    steeper = np.maximum(slopes[fulls.fulls] - loss[of], 0)
    slack = highest[fulls.fulls] - worth
    least = np.minimum(
        (steeper * cap[fulls.fulls]).sum(axis=1), gone[fulls.fulls] * steeper.max(axis=1)
    )
    rows = np.flatnonzero(least > slack)
    if not len(rows):
        return highest, slopes
    # Where the slopes would lower the bound below another discard's, they are cut, those of low
    # weight first. Of each level the part is kept that the slack allows, rounded down: a smaller b
    # is always valid.
    of_full, slack, steeper = fulls.fulls[rows], slack[rows], steeper[rows]
    levels, kept = file.weights[top[of_full]], np.zeros_like(steeper)
    for level in _LEVELS:
        here = np.where(levels == level, steeper, 0)
        cost = (here * cap[of_full]).sum(axis=1)
        part = (slack << _SHARE) // np.maximum(cost, 1)
        kept += np.where((cost <= slack)[:, None], here, here * part[:, None] >> _SHARE)
        slack = np.maximum(slack - cost, 0)
    begins = np.flatnonzero(np.diff(of_full, prepend=-1))
    into = of_full[begins]
    flat = np.minimum.reduceat(slopes[of_full] - steeper + kept, begins)
    slopes[into] = np.minimum(slopes[into], flat)
    return highest, slopes


def _before_draw(
    file: WinChanceFile,
    states: States,
    fulls: _Fulls,
    best: tuple[Integers, Integers],
    base: Integers,
    loss: Integers,
    t: int,
) -> tuple[Integers, Integers]:
    """Return the least a and the greatest b that T6 gives with one more draw left."""
    (highest, slopes), now = best, sum(file.wall) - t
    gone, room = t - states.acquired, states.room

    def heaviest(rows: Integers, slope: Integers) -> Integers:
        rise = np.maximum(slope, 0)
        weight: Integers = np.minimum(
            (rise * room[rows]).sum(axis=1), gone[rows] * rise.max(axis=1)
        )
        return weight

    gains = -loss
    lowest, slope = -loss, np.zeros_like(loss)
    source, drawn, made = fulls.sources, fulls.drawn, fulls.made
    bought_back = states.hands[source, drawn] < states.hand[drawn]
    gain = highest[made] - base[source] - np.where(bought_back, slopes[made, drawn], 0)
    drop = slopes[made] - loss[source]
    # A tile x that is kept changes b by `drop`, and is worth at least `lowest` whatever is
    # depleted: l_x of the page.
    gains[source, drawn] = gain
    lowest[source, drawn] = gain - heaviest(source, drop)
    starts = np.flatnonzero(np.diff(source, prepend=-1))
    slope[source[starts]] = np.add.reduceat(room[source, drawn][:, None] * drop, starts)
    wins, kind = np.nonzero(states.wins)
    gains[wins, kind] = ONE - base[wins]
    lowest[wins, kind] = gains[wins, kind] - heaviest(wins, -loss[wins])
    slope -= np.where(states.wins, room, 0).sum(axis=1)[:, None] * loss
    bases = base - -(room * gains).sum(axis=1) // now
    return bases, loss + (lowest + slope) // now
