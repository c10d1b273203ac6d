"""Suit classes: suits that are equivalent for the rest of the hand."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.draws.automaton import MOST_PAIRS, Automaton, derive_automaton, merge_states

WON = -1
"""Class number of a complete hand."""

Label = tuple[int, int, int]  # most melds without an eye, with one (-1: none), pairs


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SuitClasses:
    """Classes of suits and their joins.

    After a gap in the ranks no chow is open, and few states of the automaton remain: the
    classes. Chows do not span suits, so two classes join to a class in any order.

    Parameters
    ----------
    automaton
        The smallest automaton of the forms.
    after_gap
        Shape ``(S,)``: the class of each state once a gap follows; :data:`WON` if it
        is complete.
    labels
        For each class, the most melds without an eye, with an eye (-1: no eye possible),
        and the pairs; class 0 is the empty suit.
    joins
        Shape ``(C, C)``: the class of two classes together, or :data:`WON`.
    """

    automaton: Automaton
    after_gap: NDArray[np.int32]
    labels: tuple[Label, ...]
    joins: NDArray[np.int32]

    @property
    def num_classes(self) -> int:
        """Number of classes, not counting the complete one."""
        return len(self.labels)


@cache
def suit_classes(melds: int | None, *, pairs: bool) -> SuitClasses:
    """Find the classes for melds and an eye, seven pairs or both.

    Parameters
    ----------
    melds
        Melds that a complete hand of melds and an eye still needs, ``0..4``; None if only seven
        pairs count.
    pairs
        Whether seven pairs count.

    Examples
    --------
    >>> suit_classes(4, pairs=False).num_classes
    16
    >>> suit_classes(4, pairs=True).num_classes
    46
    """
    every = derive_automaton(melds, pairs=pairs)
    automaton, merged = merge_states(every)
    gapped = automaton.steps[automaton.steps[:, 0], 0]
    states = [0, *sorted(set(gapped.tolist()) - {0})]
    class_of = {
        state: number for number, state in enumerate(s for s in states if not automaton.wins[s])
    }
    labels = tuple(_label(automaton, state) for state in class_of)
    # For every label, some state of the larger automaton determines the class.
    label_class: dict[Label | None, int] = {None: WON} | {
        _label(every, state): class_of[merged[state]]
        for state in set(every.steps[every.steps[:, 0], 0].tolist())
        if not every.wins[state]
    }
    joins = np.array(
        [[label_class[_join(one, two, every)] for two in labels] for one in labels], np.int32
    )
    after_gap = np.array([class_of.get(state, WON) for state in gapped.tolist()], np.int32)
    for array in (joins, after_gap):
        array.setflags(write=False)
    return SuitClasses(automaton=automaton, after_gap=after_gap, labels=labels, joins=joins)


def _label(automaton: Automaton, state: int) -> Label:
    row = automaton.rows[state].tolist()
    return row[0], row[9], row[18]


def _join(one: Label, two: Label, automaton: Automaton) -> Label | None:
    """Return the label of two suits together; None for a complete hand."""
    melds, pairs = one[0] + two[0], one[2] + two[2]
    with_eye = max(
        one[1] + two[0] if one[1] >= 0 else -1,
        one[0] + two[1] if two[1] >= 0 else -1,
    )
    needed = automaton.melds
    if automaton.pairs and pairs >= MOST_PAIRS:
        return None
    if needed is not None:
        if with_eye >= needed:
            return None
        melds = min(melds, needed)
    return melds, with_eye, pairs
