"""How the source of the weights is read where it is open: every choice named.

The source is the report on The Genius of Mahjong Boys and Girls (Tamkang University,
2017), sections 3.3 and 3.4.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mjopt.errors import GameError
from mjopt.hands.hand import MAX_CALLED


class Ties(StrEnum):
    """Which of several tiles of least weight is discarded."""

    FIRST = "first"  # in the order of the kinds, honours last
    LAST = "last"


class CallTest(StrEnum):
    """What is weighed to judge a call."""

    MELD_OUT = "meld out"  # the hand without the meld that the call would lay down
    TILE_IN = "tile in"  # the hand with the tile: the total falls if a chow becomes whole


class ChowChoice(StrEnum):
    """Which of several chows that lower the total is called."""

    LOWEST = "lowest"  # the one that begins lowest
    LEAST_TOTAL = "least total"  # the one that leaves the least; the lowest of equals


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How what the source leaves open is read.

    Parameters
    ----------
    most_locked
        How many chows are locked at once, ``1..4``: the lowest, then the lowest of the
        tiles that are left, and so on. The printed code looks for one.
    locked_support
        Whether locked tiles still count as neighbours and equals of the others;
        otherwise the rest of the hand is weighed as if they were not there.
    locked_choosable
        Take the source's -1 as a basic weight: a locked tile then stays in the choice
        and in the total, additions and all. Otherwise it is left out of both.
    four_alike
        What four of a kind add; the source tells of two (2) and three (4).
    ties
        Which tile of least weight is discarded.
    chow_test, pong_test
        What is weighed before and after a call.
    chow_choice
        Which chow is called.
    called_weight
        What each tile of a called meld weighs in the total afterwards: 0, or -1 as if
        it were locked.
    orphan_total
        A hand of fourteen tiles whose total, nothing locked, is at most this is on its
        way to thirteen orphans: the first
        tile of *greatest* weight is discarded. -1 never does so. (One tile away from
        them, beside a stray of weight 2, a hand with its pair has a total of 6.)
    kongs
        Whether L3 makes kongs, as section 4.2 has it: of a discard, closed, or added to a
        pong, if the total of the tiles that stay in the hand falls. Section 3.3.5 leaves
        them out, and so does the default. Such games are played one by one.

    Examples
    --------
    >>> Reading(most_locked=4).most_locked
    4
    """

    most_locked: int = 1
    locked_support: bool = False
    locked_choosable: bool = False
    four_alike: int = 4
    ties: Ties = Ties.FIRST
    chow_test: CallTest = CallTest.MELD_OUT
    pong_test: CallTest = CallTest.MELD_OUT
    chow_choice: ChowChoice = ChowChoice.LOWEST
    called_weight: int = 0
    orphan_total: int = 6
    kongs: bool = False

    def __post_init__(self) -> None:
        """Refuse what no reading can mean."""
        if not 1 <= self.most_locked <= MAX_CALLED:
            raise GameError(f"{self.most_locked} chows locked, expected 1..{MAX_CALLED}")
        if self.called_weight not in (0, -1):
            raise GameError(f"called weight {self.called_weight}, expected 0 or -1")
        if not 0 <= self.four_alike <= 16 or not -1 <= self.orphan_total <= 99:
            raise GameError(f"impossible reading: {self}")


DEFAULT_READING: Final = Reading()
"""The text taken at its word: one chow locked and out of the weighing, as if it lay on
the table; a call is judged by what it leaves in the hand."""

READINGS: Final[dict[str, Reading]] = {
    "default": DEFAULT_READING,
    # The nearest to the published percentages of all that were measured.
    "nearest": Reading(most_locked=2, chow_test=CallTest.TILE_IN, pong_test=CallTest.TILE_IN),
    "two-chows": Reading(most_locked=2),
    "all-chows": Reading(most_locked=4),
    "tile-in": Reading(chow_test=CallTest.TILE_IN, pong_test=CallTest.TILE_IN),
    "supporting": Reading(locked_support=True),
    "minus-one": Reading(locked_choosable=True),
    "last-tie": Reading(ties=Ties.LAST),
    "least-total": Reading(chow_choice=ChowChoice.LEAST_TOTAL),
    "called-minus-one": Reading(called_weight=-1),
    "no-orphans": Reading(orphan_total=-1),
    "kongs": Reading(kongs=True),
}
"""Readings by name: the default, the nearest to the figures, and one change each."""
