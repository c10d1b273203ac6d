"""The horizon of agents that maximise the chance to win: draws to come, and calls worth rating."""

from mjopt.play.game.moves import PASS, Move, after_call
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS
from mjopt.tables.lookup import label_one


def draws_to_come(view: View, *, is_passing: bool, is_full: bool) -> int:
    """Return the number of draws of a seat if all seats draw in turn until the wall ends.

    If ``is_passing``, the seat passes on a tile on offer, so that others draw first. If
    ``is_full``, it discards next; otherwise, unless it passes, it draws a replacement tile.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, shuffle_wall, start, view_of
    >>> view = view_of(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), 0)
    >>> view.table.live, draws_to_come(view, is_passing=True, is_full=True)
    (69, 17)
    """
    live = view.table.live
    if is_full:
        return live // NUM_SEATS
    if not is_passing or view.phase is not Phase.CLAIM:
        return (live + NUM_SEATS - 1) // NUM_SEATS
    others = (view.seat - view.table.turn) % NUM_SEATS - 1
    return (live - others + NUM_SEATS - 1) // NUM_SEATS


def calls_without_setback(view: View, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the answers to a discard that do not increase the deficiency."""
    forms, before = view.rules.forms, label_one(view.hand, view.called, forms=view.rules.forms)
    kept = []
    for move in moves:
        after = view.hand if move == PASS else after_call(view.hand, move, view.tile)
        called = view.called + (move != PASS)
        if label_one(after, called, forms=forms) <= before:
            kept.append(move)
    return tuple(kept)
