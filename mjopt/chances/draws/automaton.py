"""Automaton over kinds that recognises tiles containing a complete hand.

It reads the number of copies of one kind after another. Its states are those of the solutions to
ZJOI2019 "Mahjong". They are found by reading every number of copies from every state until no
new state appears; equivalent states are then merged.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.errors import HandError
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.tiles import COPIES

# A chow that begins on a kind takes a copy of each of the next two kinds. So after each kind a
# state need only know, for every number of chows begun one kind back and two kinds back, the most
# melds made, with and without an eye: more melds are never worse. Reading a kind decides how its
# copies are used, and the maximum over all decisions is the next state.

MOST_CHOWS: Final = 2
"""Most chows that begin on one kind; three equal chows are also three pongs."""

MOST_PAIRS: Final = 7
_PAIRS: Final = 18  # where a row keeps its pairs, after 2 x 3 x 3 numbers of melds

States = NDArray[np.int8]
Steps = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Automaton:
    """States and steps; state 0 is the start.

    Parameters
    ----------
    melds
        Melds that the standard form needs, ``0..4``; None if that form does not count.
    pairs
        Whether seven pairs of different kinds count.
    steps
        Shape ``(S, 5)``: the state after reading 0..4 copies of the next kind.
    wins
        Shape ``(S,)``: whether a complete hand has been read. These states are absorbing.
    rows
        Shape ``(S, 19)``: the possible blocks of one word that leads to the state. The first
        eighteen numbers are the most melds (-1 if impossible) by eye (0 or 1), chows
        that began two kinds back and chows that began one kind back; the last is the
        number of pairs.

    Examples
    --------
    >>> from mjopt.chances.draws import derive_automaton
    >>> derive_automaton().num_states
    806
    """

    melds: int | None
    pairs: bool
    steps: "Steps"
    wins: "NDArray[np.bool_]"
    rows: "States"

    @property
    def num_states(self) -> int:
        """Number of states; all winning ones count as one."""
        return len(self.steps)


def derive_automaton(melds: int | None = MAX_CALLED, *, pairs: bool = False) -> Automaton:
    """Find all reachable states.

    Parameters
    ----------
    melds
        Melds needed beside the eye; None if only pairs count.
    pairs
        Whether seven pairs of different kinds are complete too.

    Examples
    --------
    >>> derive_automaton().num_states, derive_automaton(pairs=True).num_states
    (806, 2092)
    """
    if melds is not None and whole(melds, "melds") not in range(MAX_CALLED + 1):
        raise HandError(f"{short_repr(melds)} melds needed", expected=f"0..{MAX_CALLED}")
    expect(pairs, bool, "pairs")
    return _derive(melds, pairs)


@cache
def _derive(melds: int | None, pairs: bool) -> Automaton:
    start = np.full((1, _PAIRS + 1), -1, np.int8)
    start[0, 0] = start[0, _PAIRS] = 0
    number = {start[0].tobytes(): 0}
    steps: list[list[int]] = []
    fresh = start
    while len(fresh):
        read = np.stack([_read(fresh, copies, melds, pairs) for copies in range(COPIES + 1)], 1)
        found: list[States] = []
        for followers in read:
            line = []
            for row in followers:
                key = row.tobytes()
                if key not in number:
                    number[key] = len(number)
                    found.append(row)
                line.append(number[key])
            steps.append(line)
        fresh = np.array(found, np.int8).reshape(-1, _PAIRS + 1)
    rows = np.frombuffer(b"".join(number), np.int8).reshape(-1, _PAIRS + 1)
    return Automaton(
        melds=melds,
        pairs=pairs,
        steps=np.array(steps, np.int32),
        wins=_is_win(rows, melds, pairs),
        rows=rows,
    )


def _is_win(rows: States, melds: int | None, pairs: bool) -> NDArray[np.bool_]:
    complete = np.zeros(len(rows), bool)
    if melds is not None:
        complete |= (rows[:, _PAIRS // 2 : _PAIRS] >= melds).any(axis=1)
    if pairs:
        complete |= rows[:, _PAIRS] >= MOST_PAIRS
    return complete


def _read(rows: States, copies: int, melds: int | None, pairs: bool) -> States:
    """Return the rows after reading ``copies`` of the next kind."""
    before = rows[:, :_PAIRS].reshape(-1, 2, 3, 3)
    after = np.full_like(before, -1)
    if melds is None:
        after[:, 0, 0, 0] = 0
    else:
        for eye in (0, 1):
            _use_copies(before, after, copies - 2 * eye, eye, melds)
    result = np.empty_like(rows)
    result[:, :_PAIRS] = after.reshape(-1, _PAIRS)
    result[:, _PAIRS] = np.minimum(rows[:, _PAIRS] + (copies >= 2), MOST_PAIRS) if pairs else 0
    won = _is_win(rows, melds, pairs) | _is_win(result, melds, pairs)
    # One row represents every complete hand.
    result[won] = MAX_CALLED
    result[won, _PAIRS] = MOST_PAIRS
    return result


def _use_copies(before: States, after: States, copies: int, eye: int, melds: int) -> None:
    """Use the copies for open chows, new chows and pongs; with ``eye`` two more make the eye."""
    chows = range(MOST_CHOWS + 1)
    for ending in chows:
        for middle in chows:
            for begun in chows:
                left = copies - ending - middle - begun
                if left < 0:
                    continue
                # A chow counts as a meld when its last kind is read; what no chow and no eye takes
                # makes pongs, as many as fit.
                made = ending + left // 3
                old = before[:, : 2 - eye, ending, middle]
                grown = np.where(old < 0, old, np.minimum(old + made, melds)).astype(np.int8)
                best = after[:, eye:, middle, begun]
                np.maximum(best, grown, out=best)


def minimise(automaton: Automaton) -> Automaton:
    """Merge equivalent states (Moore's partition refinement).

    Examples
    --------
    >>> minimise(derive_automaton()).num_states
    229
    >>> minimise(derive_automaton(pairs=True)).num_states
    567
    """
    expect(automaton, Automaton, "automaton")
    return merge_states(automaton)[0]


@cache
def merge_states(automaton: Automaton) -> tuple[Automaton, NDArray[np.int64]]:
    """Return the minimal automaton, and its state for each state of the larger one."""
    # From two states in different blocks some tiles lead one to a win and the other not. A block is
    # split where steps lead to different blocks; if none is split, the states of a block are equal.
    block = automaton.wins.astype(np.int64)
    while True:
        seen = np.column_stack([block, block[automaton.steps]])
        _, refined = np.unique(seen, axis=0, return_inverse=True)
        refined = refined.reshape(-1)
        if refined.max() == block.max():
            break
        block = refined
    # Numbered by first appearance, so that the start stays state 0.
    _, first, of_state = np.unique(block, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kept, merged = first[order], rank[of_state.reshape(-1)]
    smallest = replace(
        automaton,
        steps=merged[automaton.steps[kept]].astype(np.int32),
        wins=automaton.wins[kept],
        rows=automaton.rows[kept],
    )
    return smallest, merged
