"""Who takes a tile that several seats want: win before kong and pong before chow."""

from collections.abc import Sequence
from typing import Final

from mjopt.game.moves import Action, Move

PRIORITY: Final[dict[Action, int]] = {
    Action.WIN: 3,
    Action.KONG: 2,
    Action.PONG: 2,
    Action.CHOW: 1,
}
"""The greater takes the tile. Kong and pong never meet: there are four copies."""

Claims = Sequence[tuple[int, Move]]


def settle(claims: Claims) -> tuple[tuple[int, Move], ...]:
    """Return the claims that are carried out: the first of the highest priority, or all wins.

    Parameters
    ----------
    claims
        Seats and what they want, in turn order after the seat that gave the tile. Under
        rules with a single winner at most one of them is a win.

    Examples
    --------
    >>> pong, chow = Move(Action.PONG, 4), Move(Action.CHOW, 3)
    >>> settle([(1, chow), (3, pong)])
    ((3, Move(action=<Action.PONG: 'P'>, kind=4)),)
    >>> settle([])
    ()
    """
    if not claims:
        return ()
    highest = max(PRIORITY[move.action] for _, move in claims)
    best = tuple(claim for claim in claims if PRIORITY[claim[1].action] == highest)
    return best if highest == PRIORITY[Action.WIN] else best[:1]
