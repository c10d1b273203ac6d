"""The end of a game by a win, or by a fault."""

from dataclasses import replace

from mjopt.game.moves import Action
from mjopt.game.rules import SEATS, RuleSet
from mjopt.game.scoring import multiplier, payments
from mjopt.game.state import Ending, Outcome, State
from mjopt.game.table import Event, Phase


def own_win(state: State, seat: int) -> State:
    """Return the end of a game that a seat wins with the tile it drew."""
    table = state.table
    ending = Ending.REPLACEMENT if table.on_replacement else Ending.OWN_DRAW
    return _won(state, (seat,), state.drawn, -1, ending)


def win_on_offer(state: State, winners: tuple[int, ...]) -> State:
    """Return the end of a game won with the tile on offer, which stays where it lies.

    A kong that is robbed stays as it was shown.
    """
    table = state.table
    ending = Ending.ROBBED_KONG if table.phase is Phase.ROB else Ending.DISCARD
    return _won(state, winners, table.tile, table.turn, ending)


def _won(state: State, winners: tuple[int, ...], kind: int, payer: int, ending: Ending) -> State:
    table = state.table
    worth = []
    for seat in winners:
        held = state.hands[seat]
        if payer >= 0:
            held = tuple(copies + (k == kind) for k, copies in enumerate(held))
        worth.append(multiplier(held, table.melds[seat], table.rules, declared=table.ready[seat]))
    outcome = Outcome(
        ending=ending,
        winners=winners,
        payer=payer,
        kind=kind,
        multipliers=tuple(worth),
        scores=payments(winners, worth, payer if payer >= 0 else None, table.rules),
    )
    events = tuple(Event(seat, Action.WIN, kind) for seat in winners)
    table = replace(table, phase=Phase.OVER, events=table.events + events)
    return replace(state, table=table, asked=(), claims=(), outcome=outcome)


def forfeit_outcome(seat: int, rules: RuleSet) -> Outcome:
    """Return the end of a game that a seat has broken.

    Examples
    --------
    >>> from mjopt.game.rules import GMJBG
    >>> forfeit_outcome(1, GMJBG).scores
    (1, -3, 1, 1)
    """
    points = rules.forfeit * rules.basic_score
    scores = tuple(-3 * points if other == seat else points for other in SEATS)
    return Outcome(ending=Ending.FAULT, payer=seat, scores=scores)
