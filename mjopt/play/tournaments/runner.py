"""Play the games of a battle in units, in this process, in others, or on a cluster."""

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import cloudpickle

from mjopt._internal.executor import open_executor
from mjopt._internal.sanitize import plain
from mjopt._internal.user_module import describe_failure, is_failure
from mjopt.errors import GameError
from mjopt.play.game.agents.program import ProgramAgent
from mjopt.play.game.agents.registry import close_agent, read_agent, without_alias
from mjopt.play.game.agents.timeout import with_time_limit
from mjopt.play.game.play import Agent, run_table
from mjopt.play.game.rules import SEATS
from mjopt.play.game.wall import agent_stream
from mjopt.play.riichi.table import deal_table
from mjopt.play.tournaments.config import BattleConfig
from mjopt.play.tournaments.results import Rows, empty_rows, fill_row

UNIT_GAMES: Final = 4
CLUSTER_UNIT_GAMES: Final = 40  # about half a second of work


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Some consecutive games of a battle in all their rounds."""

    first: int  # number of the first game
    games: int
    rows: Rows  # one a game and round, the rounds of a game together
    # broken games: the index of the row in this unit, and one line of text
    faults: list[tuple[int, str]] = field(default_factory=list)
    records: list[str] = field(default_factory=list)  # one a row, or none


def play_units(
    config: BattleConfig,
    agents: Sequence[Agent | str],
    *,
    first: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    records: bool = False,
) -> Generator[PlayedGames]:
    """Yield units of games in order, starting at a game number.

    A game depends only on the configuration and its number, so the units and the number of workers
    do not matter. One process plays with the same agents throughout; workers get copies for each
    unit. The agents are the entrants: objects, or text from which they are made. ``scheduler`` is
    the address of a Dask scheduler; ``records`` keeps the record of each game. GameError if an
    agent cannot be sent to a worker; WorkerError if a worker is killed, or the cluster fails.
    """
    size = CLUSTER_UNIT_GAMES if scheduler else UNIT_GAMES
    num_units = -(-(config.games - first) // size)
    if num_units < 1:
        return
    jobs = min(jobs, num_units)
    spans = [(start, min(size, config.games - start)) for start in range(first, config.games, size)]
    with ExitStack() as stack:
        entrants: Sequence[Agent | str]
        if jobs == 1 and scheduler is None:
            entrants = make_agents(agents)
            for agent, entry in zip(entrants, agents, strict=True):
                if isinstance(entry, str):  # the caller closes agents given as objects
                    stack.callback(close_agent, agent)
        else:
            entrants = [_check_sendable(i, agent) for i, agent in enumerate(agents, 1)]
        workers = stack.enter_context(open_executor(jobs, scheduler=scheduler))
        play = partial(play_unit, config=config, agents=entrants, records=records)
        yield from workers.map(play, spans)


def make_agents(agents: Sequence[Agent | str]) -> list[Agent]:
    """Make the agents that are given as text."""
    return [
        read_agent(agent, perfect_information=True) if isinstance(agent, str) else agent
        for agent in agents
    ]


def _check_sendable(number: int, agent: Agent | str) -> Agent | str:
    """Return an agent as workers get it: an instance if its class is in a user's file."""
    if isinstance(agent, str):
        instance = read_agent(agent, perfect_information=True)
        if type(without_alias(instance)).__module__.partition(".")[0] == "mjopt":
            return agent
        agent = instance
    try:
        cloudpickle.dumps(agent)
    except BaseException as error:  # any failure inside a user's object
        if not is_failure(error):
            raise
        kind, reason = type(agent).__qualname__, describe_failure(error)
        raise GameError(
            f"agent {number} ({kind}) cannot be sent to other processes ({reason}): "
            "name it as text, FILE.py:CLASS, or use jobs=1"
        ) from None
    return agent


def play_unit(
    span: tuple[int, int],
    *,
    config: BattleConfig,
    agents: Sequence[Agent | str],
    records: bool = False,
) -> PlayedGames:
    """Play the games of a span: the number of the first game, and their count."""
    entrants = make_agents(agents)
    with ExitStack() as stack:
        for agent, entry in zip(entrants, agents, strict=True):
            if isinstance(entry, str):
                stack.callback(close_agent, agent)
        return _play(span, config, entrants, records)


def _play(
    span: tuple[int, int], config: BattleConfig, entrants: Sequence[Agent], records: bool
) -> PlayedGames:
    first, count = span
    rules = config.rule_set
    unit = PlayedGames(first, count, empty_rows(count * config.rounds, rules))
    if config.time_limit is not None:
        entrants = [_with_time_limit(agent, config.time_limit) for agent in entrants]
    for game in range(first, first + count):
        for round_ in range(config.rounds):
            result = run_table(
                [entrants[config.entrant_in(seat, round_)] for seat in SEATS],
                deal_table(rules, config.seed, game, dealer=config.dealer_of(game)),
                rngs=[agent_stream(config.seed, game, seat, run=round_) for seat in SEATS],
                seed=config.seed,
                game=game,
                time_limit=config.time_limit,
                perfect_information=True,  # battle() checks whether it is allowed
            )
            index = (game - first) * config.rounds + round_
            fill_row(unit.rows[index], game, round_, result)
            if records:
                unit.records.append(result.line)
            if fault := result.fault:
                who = "the table"
                if fault.seat >= 0:
                    entrant = config.entrant_in(fault.seat, round_)
                    who = f"agent {entrant + 1} ({entrants[entrant].name})"
                text = f"game {game}, round {round_ + 1}, {who}: {fault.reason}: {fault.text}"
                unit.faults.append((index, plain(text)))  # one line, even if a name has line breaks
    return unit


def _with_time_limit(agent: Agent, seconds: float) -> Agent:
    own = without_alias(agent)
    if not isinstance(own, ProgramAgent):
        return with_time_limit(agent, seconds)
    # The agent measures its own time: an alarm could fire while its program is stopped.
    own.time_limit = seconds
    return agent
