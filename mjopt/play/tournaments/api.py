"""`mjopt.play.battle`: four agents on the same walls."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import IO, Final

from mjopt._internal.files import atomic_path
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import whole
from mjopt.errors import ArgumentError, GameError
from mjopt.play.game.agents.registry import Alias, check_rules
from mjopt.play.game.play import Agent, reject_all_seeing
from mjopt.play.game.rules import RIICHI_GAME
from mjopt.play.riichi.rules import engine_version
from mjopt.play.tournaments.checkpoint import (
    BattleFolder,
    describe_provenance,
    merge,
    open_battle_folder,
    write_records,
)
from mjopt.play.tournaments.config import BattleConfig
from mjopt.play.tournaments.results import Battle
from mjopt.play.tournaments.runner import PlayedGames, make_agents, play_units

GAMES: Final = 1_000
"""Default number of walls."""


def battle(
    agents: Sequence[str | Agent | type[Agent]],
    *,
    games: int = GAMES,
    rules: str = "gmjbg",
    seed: int = 0,
    rounds: int = 4,
    dealer: str = "turns",
    time_limit: float | None = None,
    folder: str | PathLike[str] | None = None,
    records: str | PathLike[str] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    perfect_information: bool = False,
    advance: Callable[[int], None] = ignore,
    log: Callable[[str], None] = ignore,
) -> Battle:
    """Let four agents play the same walls with rotated seats, as ``mjopt battle`` does.

    The same seed gives the same rows for any number of processes.

    Parameters
    ----------
    agents
        The four entrants: text (``"l3"``, ``"deficiency:method=ndde"``), agents, or classes of
        agents. With several processes each worker gets copies, so an agent must not rely on
        memories of earlier games.
    games
        Number of walls.
    rules, seed, rounds, dealer, time_limit
        As in :class:`mjopt.play.tournaments.BattleConfig`.
    folder
        Folder for the rows. The same call continues after an interruption, and can ask for more
        games later. If the folder holds more games than requested, all of them are returned.
        Games are played again if the code of an agent has changed.
    records
        File for the records of all games, one a line, written at the end.
    jobs, scheduler
        Worker processes, or the address of a Dask scheduler. A script that uses several processes
        must make its calls below ``if __name__ == "__main__":``.
    perfect_information
        Whether to allow agents that see all tiles, such as ``mcts:FILE``.
    advance
        Called with the number of games played, rounds counted.
    log
        Called with messages for the user, such as that games are played again.

    Returns
    -------
    Battle
        ``battle.rows`` has one row a game and round; :func:`mjopt.play.tournaments.summarise`
        gives its figures.

    Raises
    ------
    GameError
        If the battle is not valid, or an agent cannot be sent to another process.
    FileError
        If the folder holds something else, or a file cannot be written.

    Examples
    --------
    >>> from mjopt.play.game.agents import L2
    >>> result = battle(["l1", L2, "l1", L2()], seed=1, games=10)
    >>> len(result.rows), result.names
    (40, ('l1', 'l2', 'l1', 'l2'))
    """
    entries = _as_entries(agents)
    config = BattleConfig(
        agents=tuple(map(_describe_agent, entries)),
        games=games,
        rules=rules,
        seed=seed,
        rounds=rounds,
        dealer=dealer,
        time_limit=time_limit,
    )
    jobs = whole(jobs, "jobs")
    entrants = make_agents(entries)
    check_rules(entrants, config.rule_set)
    if not perfect_information:
        for agent in entrants:
            reject_all_seeing(agent, agent.name)
    names = _unique_names(entries, entrants)
    with ExitStack() as stack:
        store: BattleFolder | None = None
        if folder is not None:
            provenance = describe_provenance(config.agents, entrants)
            if config.rule_set == RIICHI_GAME:  # another engine plays other games
                provenance["engine of riichi"] = engine_version()
            opened = open_battle_folder(
                Path(folder), config, provenance=provenance, records=records is not None, log=log
            )
            store = stack.enter_context(opened)
            config = store.config
            advance(store.done * config.rounds)
        record_file: IO[bytes] | None = None
        if records is not None:  # after the folder, whose temporary files are removed
            path = stack.enter_context(atomic_path(Path(records)))
            record_file = stack.enter_context(path.open("wb"))
        first = store.done if store else 0
        units = play_units(
            config,
            entries,
            first=first,
            records=records is not None,
            jobs=jobs,
            scheduler=scheduler,
        )
        played: list[PlayedGames] = []
        for unit in stack.enter_context(closing(units)):
            if store is not None:
                store.append(unit)
            else:
                played.append(replace(unit, records=[]))
                if record_file is not None:
                    write_records(record_file, unit)
            advance(len(unit.rows))
        if store is not None:
            if record_file is not None:
                store.copy_records(record_file)
            store.complete()
        merged = merge(played, config) if store is None else store.merged()
        return Battle(config, merged.rows, names, [text for _, text in merged.faults])


def _as_entries(agents: object) -> list[Agent | str]:
    """Return the agents, classes instantiated; raise if one is neither text nor an agent."""
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise TypeError(f"agents: {short_repr(agents)}, expected a list of four agents")
    entries = [agent() if isinstance(agent, type) else agent for agent in agents]
    for number, agent in enumerate(entries, 1):
        if not isinstance(agent, str) and not callable(getattr(agent, "choose", None)):
            raise GameError(f"agent {number}: {short_repr(agent)} has no method 'choose'")
    return entries


def _unique_names(entries: Sequence[Agent | str], entrants: Sequence[Agent]) -> tuple[str, ...]:
    """Return the names; raise if two different agents share one, since they would be merged."""
    named: dict[str, tuple[Agent, str]] = {}
    for agent, text in zip(entrants, entries, strict=True):
        if isinstance(text, str):
            other, other_text = named.setdefault(agent.name, (agent, text))
            if other_text != text and (type(other) is not type(agent) or isinstance(agent, Alias)):
                raise ArgumentError(
                    f"{other_text} and {text} are both called {agent.name}", expected="two aliases"
                )
    return tuple(agent.name for agent in entrants)


def _describe_agent(agent: object) -> str:
    """Return the text of an agent in a configuration."""
    if isinstance(agent, str):
        return agent
    kind = type(agent)
    text = repr(agent) if "__repr__" in vars(kind) else kind.__qualname__
    return f"{kind.__module__}:{text}"
