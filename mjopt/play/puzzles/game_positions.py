"""Positions of games: every discard of some seats, as the seat saw it."""

from collections.abc import Collection, Iterator

from mjopt.chances.advice.calls import own_draws
from mjopt.chances.advice.position import Position
from mjopt.errors import MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES
from mjopt.play.game.log import LogGame
from mjopt.play.game.log_repair import readable_steps
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import NUM_SEATS, SEATS


def positions_of(game: LogGame, seats: Collection[int] = SEATS) -> Iterator[Position]:
    """Yield the positions in which one of some seats of a game discards freely.

    Rounds end where they cannot be replayed. Games of three players have none, and neither have
    seats that have declared ready or whose hand is hidden.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, agent_stream, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> from mjopt.play.review.mjopt_log import read
    >>> wall, rngs = shuffle_wall(1, 0, GMJBG.tiles), [agent_stream(1, 0, n) for n in range(4)]
    >>> line = run_game([L1()] * 4, wall, rules=GMJBG, rngs=rngs).line
    >>> [position.draws for position in positions_of(read(line), {0})][:3]
    [17, 16, 15]
    """
    if game.rules.seats != NUM_SEATS:
        return
    for state, event in readable_steps(game):
        if event.action is Action.DISCARD and event.seat in seats:
            yield from _position(state, event.seat)


def _position(state: LogState, seat: int) -> Iterator[Position]:
    table, rules = state.table, state.rules.rule_set
    if state.hidden[seat] or table.ready[seat] or state.declares:
        return
    melds = [meld.block for meld in table.melds[seat]]
    wall = [
        COPIES - held - shown for held, shown in zip(state.hands[seat], table.shown, strict=True)
    ]
    draws = own_draws(table.live, (seat + 1) % NUM_SEATS, seat, NUM_SEATS)
    try:
        hand = Hand.from_counts(list(state.hands[seat]), tiles=rules.tiles, melds=melds)
        yield Position(hand=hand, wall=tuple(wall), draws=draws, forms=rules.forms)
    except MjoptError:  # a game with other copies than four of each tile
        return
