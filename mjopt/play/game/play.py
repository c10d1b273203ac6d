"""Run one game between four agents and record it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.user_module import describe_failure, is_failure
from mjopt._internal.validation import expect, expect_all, is_number
from mjopt.errors import ArgumentError, GameError
from mjopt.play.game.engine import start
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.play.game.rules import NUM_SEATS, GameRules
from mjopt.play.game.state import Outcome
from mjopt.play.game.table import GameTable, HandInPlay

SHORTEST, LONGEST = 0.001, 86_400.0
"""Limits of the time for a decision, in seconds."""

MAX_MESSAGE = 200
"""Maximum length of an agent's messages."""


def check_time_limit(seconds: float) -> None:
    """Check the time limit of a decision: 0.001 seconds to one day, else an ArgumentError.

    Examples
    --------
    >>> check_time_limit(float("inf"))
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: time_limit inf, expected 0.001 to 86400 seconds
    """
    if not is_number(seconds):
        raise TypeError(f"time_limit: {short_repr(seconds)}, expected a number of seconds")
    if not SHORTEST <= seconds <= LONGEST:  # false for NaN
        raise ArgumentError(
            argument="time_limit",
            value=short_repr(seconds),
            expected=f"{SHORTEST:g} to {LONGEST:g} seconds",
        )


@runtime_checkable
class Agent(Protocol):
    """A player of a seat: a class with a name and one method.

    Examples
    --------
    >>> from mjopt.play.game.agents import L1
    >>> L1().name, callable(L1().choose)
    ('l1', True)
    """

    @property
    def name(self) -> str:
        """The name of the agent in records and tables."""

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return one of the moves.

        Parameters
        ----------
        view
            The observation of the seat.
        moves
            The legal moves; never empty. While a tile is on offer, the last one is a pass.
        rng
            The seat's random generator for this game.
        """


@runtime_checkable
class Onlooker(Protocol):
    """An agent that also observes the decisions of other seats."""

    def watch(self, view: View, seat_to_move: int) -> None:
        """Observe the state before another seat decides, or the end: ``seat_to_move`` is -1."""


def sees_all(agent: object) -> bool:
    """Return whether an agent or agent class sees all tiles, as its attribute ``sees_all`` states.

    Such an agent has a method ``show``, which receives the state before each decision.
    """
    return getattr(agent, "sees_all", None) is True


def reject_all_seeing(agent: object, name: str) -> None:
    """Raise a GameError if the agent sees all tiles."""
    if sees_all(agent):
        raise GameError(
            f"agent {short_repr(name)} sees all tiles",
            argument="perfect_information",
            expected="others without it",
        )


class PlayerLeft(SystemExit):
    """A human player leaves the game: no fault of an agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of an agent, which forfeits the game.

    Parameters
    ----------
    seat
        The seat of the agent; -1 if the table failed.
    reason
        ``crash``, ``illegal`` or ``slow``, or ``table``: the engine behind the table failed.
    text
        One line of detail, shortened if necessary.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, agent_stream, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> class Silent:
    ...     name = "silent"
    ...     def choose(self, view, moves, *, rng):
    ...         return None
    >>> rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    >>> wall = shuffle_wall(1, 0, M0_RULES.tiles)
    >>> result = run_game([Silent(), L1(), L1(), L1()], wall, rules=M0_RULES, rngs=rngs)
    >>> result.fault.seat, result.fault.reason
    (0, 'illegal')
    """

    seat: int
    reason: str
    text: str

    def __post_init__(self) -> None:
        """Reduce the text to one printable line."""
        expect(self.text, str, "text")
        object.__setattr__(self, "text", shorten(self.text, 2 * MAX_MESSAGE))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of a finished game.

    Parameters
    ----------
    outcome
        The ending and the points.
    dealer
        The seat that drew first.
    turn
        The turn of the win: one more than the number of discards of the first winner;
        0 without a win.
    calls
        Number of melds of each seat.
    line
        The record, as one line.
    fault
        The fault that ended the game, if any.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, agent_stream, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    >>> wall = shuffle_wall(1, 0, M0_RULES.tiles)
    >>> result = run_game([L1()] * 4, wall, rules=M0_RULES, rngs=rngs)
    >>> result.dealer, result.fault, sum(result.outcome.scores)
    (0, None, 0)
    """

    outcome: Outcome
    dealer: int
    turn: int
    calls: tuple[int, ...]
    line: str
    fault: Fault | None = None


def run_game(
    agents: Sequence[Agent],
    wall: tuple[int, ...],
    *,
    rules: GameRules,
    rngs: Sequence[np.random.Generator],
    dealer: int = 0,
    seed: int | None = None,
    game: int | None = None,
    time_limit: float | None = None,
    perfect_information: bool = False,
) -> GameResult:
    """Play one game.

    If an agent raises an exception, returns an illegal move or exceeds the time limit, the
    game ends and its seat pays the forfeit.

    Parameters
    ----------
    agents
        The players of seats 0, 1, 2 and 3.
    wall
        All tiles in order; see :func:`mjopt.play.game.shuffle_wall`.
    rules
        The rules.
    rngs
        The random generator of each seat; see :func:`mjopt.play.game.agent_stream`.
    dealer
        The seat that draws first.
    seed, game
        The seed and game number of the wall, for the record.
    time_limit
        Maximum seconds for a decision, or None. The limit is checked after the answer: run an
        agent that may hang in a separate process.
    perfect_information
        Whether agents that see all tiles may play; see :func:`sees_all`.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, agent_stream, run_game, shuffle_wall
    >>> class First:
    ...     name = "first"
    ...     def choose(self, view, moves, *, rng):
    ...         return moves[0]
    >>> result = run_game(
    ...     [First()] * 4,
    ...     shuffle_wall(1, 0, GMJBG.tiles),
    ...     rules=GMJBG,
    ...     rngs=[agent_stream(1, 0, seat) for seat in range(4)],
    ... )
    >>> result.outcome.ending.value, result.fault
    ('own draw', None)
    """
    return run_table(
        agents,
        GameTable(start(rules, wall, dealer=dealer)),
        rngs=rngs,
        seed=seed,
        game=game,
        time_limit=time_limit,
        perfect_information=perfect_information,
    )


def run_table(
    agents: Sequence[Agent],
    table: HandInPlay,
    *,
    rngs: Sequence[np.random.Generator],
    seed: int | None = None,
    game: int | None = None,
    time_limit: float | None = None,
    perfect_information: bool = False,
) -> GameResult:
    """Play a hand that is dealt, as :func:`run_game` does; the table may be of any rules.

    If the engine behind the table fails, the hand ends without points.
    """
    expect_all(agents, Agent, "agents")  # type: ignore[type-abstract]
    expect_all(rngs, np.random.Generator, "rngs")
    if len(agents) != NUM_SEATS or len(rngs) != NUM_SEATS:
        raise GameError(f"{len(agents)} agents and {len(rngs)} generators", expected="4 of each")
    if time_limit is not None:
        check_time_limit(time_limit)
    if not perfect_information:
        for agent in agents:
            reject_all_seeing(agent, agent.name)
    onlookers = [(seat, agent) for seat, agent in enumerate(agents) if isinstance(agent, Onlooker)]
    dealer = table.state.table.dealer
    fault: Fault | None = None
    while (seat := table.to_move) is not None:
        answer = _show(onlookers, table, seat) or decide(
            agents[seat], table, seat, rngs[seat], time_limit
        )
        if isinstance(answer, Fault):
            fault = answer
            table.forfeit(answer.seat)
        else:
            table.play(answer)
    _show(onlookers, table, -1)
    if table.outcome is None:
        raise GameError("the game stopped without an end")
    if table.failure:
        fault = Fault(seat=-1, reason="table", text=table.failure)
    return GameResult(
        outcome=table.outcome,
        dealer=dealer,
        turn=_turn_of_win(table),
        calls=tuple(len(melds) for melds in table.state.table.melds),
        line=table.record(
            [agent.name for agent in agents],
            seed=seed,
            game=game,
            fault=f"{fault.reason}: {fault.text}" if fault else "",
        ),
        fault=fault,
    )


def decide(
    agent: Agent,
    table: HandInPlay,
    seat: int,
    rng: np.random.Generator,
    time_limit: float | None = None,
) -> Move | Fault:
    """Return the decision of an agent: a legal move, or a fault."""
    moves, view = table.options(), table.view(seat)
    begin = time.perf_counter()
    try:
        if sees_all(agent):
            agent.show(table.state)  # type: ignore[attr-defined]
        move = agent.choose(view, moves, rng=rng)
    except BaseException as error:  # an agent's failure must not stop the battle
        if not is_failure(error):
            raise
        return _fault_of(error, seat)
    taken = time.perf_counter() - begin
    if time_limit is not None and taken > time_limit:
        text = f"more than {time_limit:g} s for a decision"
        return Fault(seat=seat, reason="slow", text=text)
    if not isinstance(move, Move) or move not in moves:
        shown = move.text(view.tiles.names) if isinstance(move, Move) else repr(move)
        return Fault(seat=seat, reason="illegal", text=f"{shown} is not a legal move")
    return move


def _fault_of(error: BaseException, seat: int) -> Fault:
    if isinstance(error, TimeoutError):  # the agent enforces its own time limit
        return Fault(seat=seat, reason="slow", text=str(error))
    return Fault(seat=seat, reason="crash", text=describe_failure(error))


def _show(
    onlookers: Sequence[tuple[int, Onlooker]], table: HandInPlay, seat_to_move: int
) -> Fault | None:
    """Show the table to the onlookers that are not to move; return the first fault."""
    for seat, agent in onlookers:
        if seat != seat_to_move:
            try:
                agent.watch(table.view(seat), seat_to_move)
            except BaseException as error:  # an agent's failure must not stop the battle
                if not is_failure(error):
                    raise
                return _fault_of(error, seat)
    return None


def _turn_of_win(table: HandInPlay) -> int:
    """Return one more than the number of discards of the first winner; 0 without a win."""
    if table.outcome is None or not table.outcome.winners:
        return 0
    winner = table.outcome.winners[0]
    return 1 + table.state.table.num_discards(winner)
