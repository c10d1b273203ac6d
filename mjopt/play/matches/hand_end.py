"""How near a seat was to a win when its hand ended."""

from operator import add
from typing import NamedTuple

from mjopt.hands.tiles import COPIES
from mjopt.play.game.moves import with_copies
from mjopt.play.game.rule_reading import away_with_melds, copies_in
from mjopt.play.game.state import RoundState


class HandEnd(NamedTuple):
    """The hand of a seat at the end."""

    missing: int  # tiles missing to a win
    waits: tuple[int, ...]  # if one is missing, the kinds that would have won
    left: int  # copies of these kinds that were still in the wall, indicators not counted


def hand_end(state: RoundState, seat: int) -> HandEnd:
    """Return how near a seat was to a win in a game that it did not win.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> hand_end(state, 0).missing
    3
    """
    hand, melds, rules = state.hands[seat], state.table.melds[seat], state.table.rules
    missing = away_with_melds(hand, melds, rules)
    laid = copies_in(melds, rules.tiles)
    waits = tuple(
        kind
        for kind, copies in enumerate(map(add, hand, laid))
        if missing == 1
        and copies < COPIES
        and away_with_melds(with_copies(hand, kind, 1), melds, rules) == 0
    )
    held = [sum(copies) for copies in zip(*state.hands, state.table.shown, strict=True)]
    return HandEnd(missing, waits, sum(COPIES - held[kind] for kind in waits))
