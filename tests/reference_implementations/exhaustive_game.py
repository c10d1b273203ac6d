"""Exhaustive max^n search of games with open tiles: the value of each move for every seat.

Every player takes a move that maximises his value. With more than two players, the choice
among equal moves affects the others, so a state has a set of possible value vectors. The value
of a game is the sign of each seat's points.
"""

from mjopt.play.game.engine import legal_moves, step
from mjopt.play.game.moves import Move
from mjopt.play.game.state import State

Worth = tuple[int, ...]  # by seat


class Solver:
    """Max^n search with memoisation."""

    def __init__(self) -> None:
        self.known: dict[object, frozenset[Worth]] = {}

    def worths(self, state: State) -> frozenset[Worth]:
        """Return all possible value vectors of a state."""
        if state.outcome is not None:
            return frozenset([tuple((p > 0) - (p < 0) for p in state.outcome.scores)])
        key = _key(state)
        if key not in self.known:
            seat = state.pending[0][0]
            found = [self.worths(step(state, move)) for move in legal_moves(state)]
            sure = max(min(one[seat] for one in worths) for worths in found)
            self.known[key] = frozenset(
                one for worths in found for one in worths if one[seat] >= sure
            )
        return self.known[key]

    def worth(self, state: State) -> Worth:
        """Return one possible value vector."""
        return min(self.worths(state))

    def moves(self, state: State) -> dict[Move, tuple[int, int]]:
        """Return the least and greatest value of each move for the seat to act."""
        seat = state.pending[0][0]
        found = {}
        for move in legal_moves(state):
            own = [one[seat] for one in self.worths(step(state, move))]
            found[move] = (min(own), max(own))
        return found

    def best(self, state: State) -> set[Move] | None:
        """Return the moves that are best for any tie-breaking; None unless all others are worse."""
        worth = self.moves(state)
        sure = max(least for least, _ in worth.values())
        best = {move for move, (least, _) in worth.items() if least == sure}
        others = [most for move, (_, most) in worth.items() if move not in best]
        return best if others and max(others) < sure else None


def _key(state: State) -> object:
    """Return everything that the rest of a game depends on."""
    table = state.table
    return (
        state.hands,
        tuple(tuple(meld.block for meld in melds) for melds in table.melds),
        (state.front, state.back, table.live, table.turn, table.phase, table.tile, state.drawn),
        state.pending,
        state.claims,
    )
