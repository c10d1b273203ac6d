"""Layout of gain tables: the kinds that lower the deficiency of a hand, for any winning forms.

In each bundle, the classes of the other three groups make the *rest* of a group: rests that give
the same answer with every class of the group are one number. One more tile leads from a class to
another, and is useful if the answer with the rest falls. For a class, rests with the same useful
steps are one *set*; so the useful kinds of a state are a look-up by its set, and a *way* is the
answer and the number of the set, by rest and class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

# A kind x is useful to a hand h if D(h + x) < D(h) (`useful` in docs/reference/engines.md). With
# one group's class i, its rest r and the class j after one more tile of the group, that is
# answer(j, r) < answer(i, r): it depends on the step i -> j and on r alone. Rests are many and
# sets of useful kinds few, so the kinds of a group take four look-ups:
#
#     states[state] = place of kinds << 9 | class
#     rest = words[rests of (class of the partner, class of the other half)]
#     answer << 6 | set = words[ways of (rest, class)]
#     kinds = words[place of kinds + set]
#
# A limit in bits (512 classes, 64 sets) that does not suffice means no tables: labels then answer.

CLASS_BITS: Final = 9
"""Bits of a class in an entry of a state; the place of its kinds stands above."""

SET_BITS: Final = 6
"""Bits of the number of a set in a way; the answer stands above."""

States = NDArray[np.uint32]
Words = NDArray[np.uint16]
Places = NDArray[np.uint64]


class GainPlaces(NamedTuple):
    """Where the tables of a bundle begin; a number for each of four groups or two halves.

    The class of a half stands at ``join + first * join_row + second``. The rest of a group is at
    ``rest + partner * rest_row + half``: by the class of the other group of its half, and of the
    other half. Its way is at ``way + rest * way_row + own``. Playouts index joins in the same way.
    """

    state: tuple[int, ...]  # where the states of each group begin
    join: tuple[int, ...]  # of the two halves
    join_row: tuple[int, ...]
    rest: tuple[int, ...]
    rest_row: tuple[int, ...]
    way: tuple[int, ...]
    way_row: tuple[int, ...]
    deep: tuple[int, ...]  # where the deep states of each group begin
    deep_end: tuple[int, ...]

    @classmethod
    def of(cls, row: Sequence[int]) -> "GainPlaces":
        """Return the places of a row of :class:`GainTables`."""
        ends = list(accumulate(_LENGTHS))
        return cls(*(tuple(row[end - n : end]) for end, n in zip(ends, _LENGTHS, strict=True)))


_LENGTHS: Final = (4, 2, 2, 4, 4, 4, 4, 4, 4)
JOKERS: Final = sum(_LENGTHS)
"""The column of the places that says whether jokers are subtracted from the answers."""


@dataclass(frozen=True, slots=True, eq=False)
class GainTables:
    """The gain tables of some bundles, for a number of called melds."""

    # For every state of a group, its class, and from bit ``CLASS_BITS`` on where its useful kinds
    # begin in ``words``.
    states: States
    # All other tables, one after the other: joins, rests, ways, and useful kinds, one bit each.
    words: Words
    deep: States  # the deep states of the groups, see `deep_states`
    # Where they begin: for each bundle the numbers of :class:`GainPlaces`, one after the other, and
    # 1 in column ``JOKERS`` if jokers are subtracted.
    places: Places
    # Fewest tiles of a kind, before one is discarded, after which the state can be deep.
    least_deep: int
