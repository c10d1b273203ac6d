"""A battle: every game of a plan, and what came of it."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import numpy as np

from mjopt._internal.as_code import call, unusual
from mjopt._internal.folder import replace_whole
from mjopt.errors import GameError
from mjopt.game.agents.registry import Alias, check_rules
from mjopt.game.play import Agent, refuse_seeing
from mjopt.studies.provenance import write_record
from mjopt.tournaments.makers import note_makers, without_changes
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.playing import as_agent, play_parts
from mjopt.tournaments.rows import Rows, empty_rows
from mjopt.tournaments.store import open_store

if TYPE_CHECKING:
    from mjopt.tournaments.summary import Summary


GAMES: Final = 1_000
"""Walls of a battle that is not told how many."""


@dataclass(frozen=True, slots=True, eq=False)
class Battle:
    """A battle that has been fought.

    Parameters
    ----------
    plan
        Its plan.
    rows
        One row a game and round, ``mjopt.tournaments.ROW``.
    faults
        How games were broken, one line each.
    names
        The entrants' names.
    """

    plan: Plan
    rows: Rows
    names: tuple[str, ...]
    faults: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        """Write the call that fights it again."""
        how = unusual(self.plan)
        return call("battle", list(how.pop("agents")), **how)

    @property
    def summary(self) -> "Summary":
        """What it shows, entrant by entrant; reckoned anew each time."""
        from mjopt.tournaments.summary import summarise

        return summarise(self)


def fight(
    plan: Plan,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    folder: Path | None = None,
    records: Path | None = None,
    agents: Sequence[Agent | str] | None = None,
    perfect_information: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> Battle:
    """Fight a battle.

    Parameters
    ----------
    plan
        Who, where, how often.
    jobs
        Processes; they change nothing but the time.
    scheduler
        The address of a Dask scheduler whose workers play instead: the same games.
    folder
        Keep the rows there. A battle that was stopped, however, goes on when the same
        one is begun again, and more games may be asked for later. If fewer are asked for
        than it holds, all of them stay and are the battle.
    records
        Write every game's record to this file, one line each, when all are played.
    agents
        The entrants themselves instead of the plan's texts. Several processes are each sent
        copies, for every few games anew.
    perfect_information
        Whether agents may play that see all tiles.
    advance
        Called with the number of games played, rounds counted, as they are done.
    say
        Told in a line what becomes of games that the folder held: they stand while the agents
        and the rules are the code that played them, and are played again if they are not.

    Examples
    --------
    >>> battle = fight(Plan(agents=("l1", "l3", "l1", "l2"), seed=1, games=50))
    >>> len(battle.rows), int(battle.rows["scores"].sum())
    (200, 0)
    """
    entrants = [as_agent(one) for one in agents or plan.make_agents()]
    check_rules(entrants, plan.rule_set)
    if not perfect_information:
        for agent in entrants:
            refuse_seeing(agent, agent.name)
    names = _names(entrants, plan if agents is None else None)
    wants_records = records is not None
    play = partial(
        play_parts,
        jobs=jobs,
        scheduler=scheduler,
        kept=folder is not None,
        records=wants_records,
        agents=agents,
    )
    with ExitStack() as stack:
        lines: IO[bytes] | None = None
        if records is not None:
            lines = stack.enter_context(replace_whole(records))
        if folder is not None:
            makers = note_makers(plan, entrants)
            store = stack.enter_context(
                open_store(folder, plan, records=wants_records, makers=makers, say=say)
            )
            advance(store.done * plan.rounds)
            # Closed here and now, whatever happens: workers and programs end with it.
            parts = stack.enter_context(closing(play(store.plan, done=store.done)))
            for part in parts:
                store.append(part)
                advance(len(part.rows))
            if lines is not None:
                store.copy_records(lines)
            battle = Battle(store.plan, store.rows(), names, store.faults())
            store.finish()
            write_record(folder, without_changes(store.makers, note_makers(plan, entrants)))
            return battle
        found, faults = [empty_rows(0, plan.rule_set)], []
        for part in stack.enter_context(closing(play(plan))):
            found.append(part.rows)
            faults += [text for _, text in part.faults]
            if lines is not None:
                lines.writelines(f"{line}\n".encode() for line in part.lines)
            advance(len(part.rows))
        return Battle(plan, np.concatenate(found), names, faults)


def _names(entrants: Sequence[Agent], plan: Plan | None) -> tuple[str, ...]:
    """Return the names; refuse two different agents of one name, that would count as one."""
    named: dict[str, tuple[Agent, str]] = {}
    for agent, text in zip(entrants, plan.agents if plan else (), strict=False):
        other, its = named.setdefault(agent.name, (agent, text))
        if its != text and (type(other) is not type(agent) or isinstance(agent, Alias)):
            raise GameError(f"{its} and {text} are both called {agent.name}: expected two aliases")
    return tuple(agent.name for agent in entrants)
