"""`mjopt.battle`: four agents on the same walls, as a call."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from mjopt._internal.validation import told, whole
from mjopt.errors import GameError
from mjopt.game.play import Agent
from mjopt.tournaments.battle import GAMES, Battle, fight
from mjopt.tournaments.plan import Plan


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
    advance: Callable[[int], None] = lambda _: None,
) -> Battle:
    """Let four agents fight over the same walls with rotated seats, as ``mjopt battle`` does.

    The same seed gives the same rows for any number of processes, here and there.

    Parameters
    ----------
    agents
        The four, each as text (``"l3"``, ``"deficiency:method=ndde"``), as an agent, or as a
        class of agents. With ``jobs=2`` or a scheduler agents and classes are sent to the
        other processes: they must stand in a module that those can import, and no game may
        need what an agent remembers of another.
    games
        How many walls.
    rules, seed, rounds, dealer, time_limit
        As in :class:`mjopt.tournaments.Plan`.
    folder
        Keep the rows there, so that a battle that was stopped goes on; by default nowhere.
    records
        Write every game's record to this file.
    jobs, scheduler
        Processes, or the address of a Dask scheduler whose workers play instead.
    perfect_information
        Whether agents may play that see all tiles, as ``mcts:FILE`` does.
    advance
        Called with the number of games played, rounds counted, as they are done.

    Returns
    -------
    Battle
        ``battle.rows`` has one row a game and round, ``battle.summary`` says what they show.

    Raises
    ------
    GameError
        If it cannot be fought so, or an agent cannot be sent to another process.

    Examples
    --------
    >>> from mjopt.game.agents import L2
    >>> fought = battle(["l1", L2, "l1", L2()], seed=1, games=50)
    >>> len(fought.rows), [side.name for side in fought.summary.sides]
    (200, ['l1', 'l2'])
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise TypeError(f"agents: {told(repr(agents))}, expected a list of four agents")
    given = [one() if isinstance(one, type) else one for one in agents]
    for number, one in enumerate(given, 1):
        if not isinstance(one, str) and not callable(getattr(one, "choose", None)):
            raise GameError(f"agent {number}: {told(repr(one))} has no method 'choose'")
    plan = Plan(
        agents=tuple(map(_agent_text, given)),
        games=games,
        rules=rules,
        seed=seed,
        rounds=rounds,
        dealer=dealer,
        time_limit=time_limit,
    )
    are_texts = all(isinstance(one, str) for one in given)
    return fight(
        plan,
        jobs=whole(jobs, "jobs"),
        scheduler=scheduler,
        folder=None if folder is None else Path(folder),
        records=None if records is None else Path(records),
        agents=None if are_texts else given,
        perfect_information=perfect_information,
        advance=advance,
    )


def _agent_text(agent: Any) -> str:
    """Return what a plan calls an agent: its text, or its class and what it says of itself."""
    if isinstance(agent, str):
        return agent
    kind = type(agent)
    said = repr(agent) if "__repr__" in vars(kind) else kind.__qualname__
    return f"{kind.__module__}:{said}"
