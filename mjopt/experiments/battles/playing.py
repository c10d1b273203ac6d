"""Playing the games of a plan: compiled where it can be, one by one where not."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

import numpy as np

from mjopt.errors import GameError
from mjopt.experiments.battles.plan import Plan
from mjopt.experiments.battles.rows import Rows, empty_rows, fill_row, rows_of
from mjopt.game.agents.alarm import with_alarm
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.process import ProcessAgent
from mjopt.game.agents.registry import without_alias
from mjopt.game.fast.games import play_games
from mjopt.game.play import Agent, run_game
from mjopt.game.rules import NUM_SEATS, SEATS, Multipliers
from mjopt.game.wall import agent_stream, shuffle_wall
from mjopt.runtime.plain import plain
from mjopt.runtime.pool import in_order

FAST_PART: Final = 4_096  # games to a part
SLOW_PART: Final = 4
FAR_PART: Final = 40  # the same for a worker of a cluster: half a second of work

LEVELS: Final[tuple[type[Any], ...]] = (L1, L2, L3)


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


def are_compiled(agents: Sequence[Agent], plan: Plan) -> bool:
    """Whether the kernel plays these agents under these rules, the same games move by move."""
    rules = plan.rule_set
    return (
        # Not a class derived from them: it may do anything.
        all(type(without_alias(agent)) in LEVELS for agent in agents)
        and len({cast("L1", without_alias(agent)).reading for agent in agents}) == 1
        and not rules.ready
        and rules.multipliers == Multipliers()
        and plan.time_limit is None
    )


def play_part(
    span: tuple[int, int],
    *,
    plan: Plan,
    records: bool = False,
    agents: Sequence[Agent] | None = None,
    engine: str = "auto",
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
        The entrants themselves; by default they are made from the plan's texts.
    engine
        ``auto``, or ``python`` to play one by one whoever plays.
    """
    entrants = plan.make_agents() if agents is None else list(agents)
    if len(entrants) != NUM_SEATS:
        raise GameError(f"{len(entrants)} agents, expected {NUM_SEATS}")
    try:
        if engine == "auto" and are_compiled(entrants, plan):
            return _play_compiled(span, plan, records, entrants)
        return _play_one_by_one(span, plan, records, entrants)
    finally:
        if agents is None:
            _close(entrants)


def _close(entrants: Sequence[Agent]) -> None:
    """Close all agents that can be closed, also if one of them cannot or is too slow for us."""
    with ExitStack() as stack:
        for agent in entrants:
            if close := getattr(agent, "close", None):
                stack.callback(close)


def _play_compiled(
    span: tuple[int, int], plan: Plan, records: bool, entrants: Sequence[Agent]
) -> Part:
    first, count = span
    players = [cast("L1", without_alias(agent)) for agent in entrants]
    dealers = np.array([plan.dealer_of(game) for game in range(first, first + count)], np.uint8)
    seated = [[plan.entrant_in(seat, round_) for seat in SEATS] for round_ in range(plan.rounds)]
    batches = [
        play_games(
            [players[entrant].level for entrant in four],
            seed=plan.seed,
            first=first,
            count=count,
            dealer=dealers,
            rules=plan.rule_set,
            reading=players[0].reading,
            record=records,
        )
        for four in seated
    ]
    lines: list[str] = []
    if records:
        named = [
            batch.lines([entrants[entrant].name for entrant in four])
            for batch, four in zip(batches, seated, strict=True)
        ]
        lines = [line for together in zip(*named, strict=True) for line in together]
    return Part(first, count, rows_of(batches), lines)


def _play_one_by_one(
    span: tuple[int, int], plan: Plan, records: bool, entrants: Sequence[Agent]
) -> Part:
    first, count = span
    rules, rows = plan.rule_set, empty_rows(count * plan.rounds)
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
        return with_alarm(agent, seconds)
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
    agents: Sequence[Agent] | None = None,
    engine: str = "auto",
) -> Generator[Part]:
    """Play the games of a plan in parts, in order, over several processes.

    A game depends on the plan and its number alone, so neither the parts nor the number
    of processes change anything.

    Parameters
    ----------
    plan, jobs, scheduler
        As for :func:`mjopt.experiments.battles.fight`.
    done
        Games that need not be played again.
    kept
        Whether the parts are kept; the message about a killed worker then says so.
    records, agents, engine
        As for :func:`play_part`; given agents play in this process only.

    Raises
    ------
    WorkerError
        If a worker is killed, or there is no such cluster.
    """
    if agents is not None and jobs != 1:
        raise GameError(f"{jobs} jobs with agents that are objects, expected 1")
    if agents is not None and scheduler is not None:
        raise GameError(f"--scheduler {scheduler} with agents that are objects, expected texts")
    entrants = plan.make_agents() if agents is None else agents
    compiled = engine == "auto" and are_compiled(entrants, plan)
    size = FAST_PART if compiled else FAR_PART if scheduler else SLOW_PART
    left = plan.games - done
    jobs = max(1, min(jobs, -(-left // size)))
    spans = ((first, min(size, plan.games - first)) for first in range(done, plan.games, size))
    work = partial(
        play_part,
        plan=plan,
        records=records,
        agents=entrants if jobs == 1 and scheduler is None else None,
        engine=engine,
    )
    try:
        yield from in_order(
            work, spans, jobs=jobs, scheduler=scheduler, warm=partial(work, (0, 1)), kept=kept
        )
    finally:
        if agents is None:
            _close(entrants)
