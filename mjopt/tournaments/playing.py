"""Play the games of a plan, in parts and over several processes."""

import pickle
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, cast

from mjopt._internal.pool import in_order
from mjopt._internal.sanitize import plain
from mjopt._internal.validation import told
from mjopt.errors import GameError
from mjopt.game.agents.registry import read_agent, without_alias
from mjopt.game.agents.subprocess_agent import ProcessAgent
from mjopt.game.agents.timeout import with_time_limit
from mjopt.game.play import Agent, run_game
from mjopt.game.rules import NUM_SEATS, SEATS
from mjopt.game.wall import agent_stream, shuffle_wall
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.rows import Rows, empty_rows, fill_row

PART: Final = 4  # games to a part
FAR_PART: Final = 40  # the same for a worker of a cluster: half a second of work


@dataclass(frozen=True, slots=True)
class Part:
    """Some games of a battle, in all their rounds.

    Parameters
    ----------
    first, count
        Which games.
    rows
        One row a game and round, the rounds of a game together.
    lines
        As many records, or none if they were not asked for.
    faults
        How games were broken: the place of the row in this part, and a text.
    """

    first: int
    count: int
    rows: Rows
    lines: list[str] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def play_part(
    span: tuple[int, int],
    *,
    plan: Plan,
    records: bool = False,
    agents: Sequence[Agent | str] | bytes | None = None,
) -> Part:
    """Play some games.

    Parameters
    ----------
    span
        The first game and how many.
    plan
        The battle.
    records
        Keep the record of each game.
    agents
        The entrants themselves, or texts, or what was packed of them for this process; by
        default those of the plan.
    """
    given = _unpacked(agents) if isinstance(agents, bytes) else agents or plan.agents
    if len(given) != NUM_SEATS:
        raise GameError(f"{len(given)} agents, expected {NUM_SEATS}")
    entrants = [as_agent(one) for one in given]
    try:
        return _play(span, plan, records, entrants)
    finally:
        _close_made(entrants, given)


def as_agent(given: Agent | str) -> Agent:
    """Return an agent, made anew if it is a text."""
    return read_agent(given, perfect_information=True) if isinstance(given, str) else given


def _packed(agents: Sequence[Agent | str], scheduler: str | None) -> bytes:
    """Return agents as other processes are sent them; refuse what cannot be, before it is tried."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    for number, agent in enumerate(agents, 1):
        reason = ""
        try:
            pickle.dumps(agent)
        except Exception as error:  # whatever somebody's object does
            reason = f"{type(error).__name__}: {error}"
        if type(agent).__module__ == "__main__":
            if not (main and Path(main).is_file()):
                reason = "its class is made here, in no file"
            elif scheduler is not None:
                reason = "its class is in the script that runs"
        if reason:
            raise GameError(
                f"agent {number} ({type(agent).__qualname__}) cannot be sent to other processes "
                f"({told(reason)}): put its class in a module that can be imported, or "
                + ("name it as text, FILE.py:CLASS" if scheduler else "jobs=1")
            )
    return pickle.dumps(tuple(agents))


def _unpacked(agents: bytes) -> Sequence[Agent | str]:
    """Return the agents that this process was sent."""
    try:
        return cast("Sequence[Agent | str]", pickle.loads(agents))
    except Exception as error:
        raise GameError(
            f"agents cannot be unpacked by a worker ({told(f'{type(error).__name__}: {error}')}): "
            "put their classes in a module that it can import, or name them as text, FILE.py:CLASS"
        ) from None


def _close_made(entrants: Sequence[Agent], given: Sequence[Agent | str]) -> None:
    """Close the agents that were made of texts: who gave others closes them."""
    _close([agent for agent, one in zip(entrants, given, strict=True) if isinstance(one, str)])


def _close(entrants: Sequence[Agent]) -> None:
    """Close all agents that can be closed, also if one of them cannot or is too slow for us."""
    with ExitStack() as stack:
        for agent in entrants:
            if close := getattr(agent, "close", None):
                stack.callback(close)


def _play(span: tuple[int, int], plan: Plan, records: bool, entrants: Sequence[Agent]) -> Part:
    first, count = span
    rules, rows = plan.rule_set, empty_rows(count * plan.rounds, plan.rule_set)
    part = Part(first, count, rows)
    if plan.time_limit is not None:
        entrants = [_timed(agent, plan.time_limit) for agent in entrants]
    for game in range(first, first + count):
        wall = shuffle_wall(plan.seed, game, rules.tiles)
        for round_ in range(plan.rounds):
            result = run_game(
                [entrants[plan.entrant_in(seat, round_)] for seat in SEATS],
                wall,
                rules=rules,
                rngs=[agent_stream(plan.seed, game, seat, run=round_) for seat in SEATS],
                dealer=plan.dealer_of(game),
                seed=plan.seed,
                game=game,
                time_limit=plan.time_limit,
                perfect_information=True,  # refused by fight, unless it was allowed
            )
            place = (game - first) * plan.rounds + round_
            fill_row(rows[place], game, round_, result)
            if records:
                part.lines.append(result.line)
            if fault := result.fault:
                entrant = plan.entrant_in(fault.seat, round_)
                who = f"agent {entrant + 1} ({entrants[entrant].name})"
                told = f"game {game}, round {round_ + 1}, {who}: {fault.reason}: {fault.text}"
                part.faults.append((place, plain(told)))  # one line, whatever a name holds
    return part


def _timed(agent: Agent, seconds: float) -> Agent:
    """Return an agent that is held to a time limit."""
    own = without_alias(agent)
    if not isinstance(own, ProcessAgent):
        return with_time_limit(agent, seconds)
    own.time_limit = seconds  # by its own clock: an alarm could ring as it stops a program
    return agent


def play_parts(
    plan: Plan,
    *,
    done: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    kept: bool = False,
    records: bool = False,
    agents: Sequence[Agent | str] | None = None,
) -> Generator[Part]:
    """Play the games of a plan in parts, in order, over several processes.

    A game depends on the plan and its number alone, so neither the parts nor the number
    of processes change anything.

    Parameters
    ----------
    plan, jobs, scheduler
        As for :func:`mjopt.tournaments.fight`.
    done
        Games that need not be played again.
    kept
        Whether the parts are kept; the message about a killed worker then says so.
    records, agents
        As for :func:`play_part`.

    Raises
    ------
    WorkerError
        If a worker is killed, or there is no such cluster.
    """
    given = plan.agents if agents is None else agents
    entrants = [as_agent(one) for one in given]
    size = FAR_PART if scheduler else PART
    left = plan.games - done
    jobs = max(1, min(jobs, -(-left // size)))
    spans = ((first, min(size, plan.games - first)) for first in range(done, plan.games, size))
    how = partial(play_part, plan=plan, records=records)
    try:
        if jobs == 1 and scheduler is None:
            sent: Sequence[Agent | str] | bytes = entrants
        else:
            sent = given if agents is None else _packed(given, scheduler)
        work = partial(how, agents=sent)
        yield from in_order(
            work, spans, jobs=jobs, scheduler=scheduler, warm=partial(work, (0, 1)), kept=kept
        )
    finally:
        _close_made(entrants, given)
