"""Registry of agents: built-in agents, plug-ins, and classes in user files.

To add an agent, write a class and one line in ``AGENTS``, or register an entry point of the
group ``mjopt.agents`` in another package; the command line and the tests then include it.
``bot.py:Bot`` names a class in a file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import (
    PluginRegistry,
    parameters_of,
    read_options,
    split_options,
)
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode, code_version
from mjopt._internal.validation import expect
from mjopt.errors import GameError, MjoptError
from mjopt.play.game.agents.deficiency_backends import HeuristicMethod
from mjopt.play.game.agents.program import ProgramAgent
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import Agent, Onlooker, reject_all_seeing, sees_all
from mjopt.play.game.rules import GameRules
from mjopt.play.game.state import State


def _missing_method(agent_class: object) -> str | None:
    return None if callable(getattr(agent_class, "choose", None)) else "it has no method 'choose'"


AGENTS: Final = PluginRegistry[type[Agent]](
    "agent",
    "mjopt.agents",
    {
        "l1": "mjopt.play.game.agents.gmjbg:L1",
        "l2": "mjopt.play.game.agents.gmjbg:L2",
        "l3": "mjopt.play.game.agents.gmjbg:L3",
        "deficiency": "mjopt.play.game.agents.deficiency:DeficiencyAgent",
        "draws": "mjopt.play.game.agents.expected_draws:DrawsAgent",
        "win-chance": "mjopt.play.game.agents.win_chance:WinChanceAgent",
        "ceiling": "mjopt.play.game.agents.ceiling:CeilingAgent",
        "rollout": "mjopt.play.rollout.agent:RolloutAgent",
        "random": "mjopt.play.game.agents.baselines:RandomAgent",
        "first": "mjopt.play.game.agents.baselines:FirstLegal",
        "process": "mjopt.play.game.agents.subprocess_agent:ProcessAgent",
        "mjai": "mjopt.play.game.agents.mjai_agent:MjaiAgent",
        "normal": "mjopt.play.learning.agents:NormalAgent",
        "mcts": "mjopt.play.learning.mcts_agent:TreeSearchAgent",
    },
    GameError,
    _missing_method,
)
"""The class of every built-in agent by name."""


def known_agents() -> tuple[str, ...]:
    """Return all agent names, plug-ins last.

    Examples
    --------
    >>> "deficiency" in known_agents(), known_agents()[:3]
    (True, ('l1', 'l2', 'l3'))
    """
    return AGENTS.names


@dataclass(frozen=True, slots=True)
class Alias:
    """An agent under another name."""

    agent: Agent
    name: str

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the agent's move."""
        return self.agent.choose(view, moves, rng=rng)

    def watch(self, view: View, seat_to_move: int) -> None:
        """Pass the observation to the agent if it is an onlooker."""
        if isinstance(self.agent, Onlooker):
            self.agent.watch(view, seat_to_move)

    @property
    def sees_all(self) -> bool:
        """Whether the agent sees all tiles."""
        return sees_all(self.agent)

    def show(self, state: State) -> None:
        """Show the agent all tiles."""
        self.agent.show(state)  # type: ignore[attr-defined]  # it sees all

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        close_agent(self.agent)


def agents_at_hand() -> tuple[str, ...]:
    """Return the specs of built-in agents that need no user file and no program.

    For a class that needs a file, these are the files that come with the package (its
    attribute ``shipped``). Agents that see all tiles are excluded.

    Examples
    --------
    >>> agents_at_hand()[:2], "normal:taught" in agents_at_hand()
    (('l1', 'l2'), True)
    """
    texts: list[str] = []
    for name in AGENTS:
        agent_class = AGENTS.find(name)
        if not sees_all(agent_class):
            needs_options = any(parameter.is_needed for parameter in parameters_of(agent_class))
            texts += [f"{name}:{file}" for file in getattr(agent_class, "shipped", ())]
            texts += [] if needs_options else [name]
    return tuple(texts)


def close_agent(agent: Agent) -> None:
    """Close an agent, if it can be closed."""
    if close := getattr(agent, "close", None):
        with UserCode(type(agent), f"agent {agent.name} fails", GameError):
            close()


def without_alias(agent: Agent) -> Agent:
    """Return the agent without its alias."""
    return agent.agent if isinstance(agent, Alias) else agent


def code_of(agent: Agent) -> list[str]:
    """Return digests that identify the code of an agent, to detect outdated stored games.

    These are the version of its class (see :func:`mjopt._internal.user_module.code_version`), and,
    if present, the digest of its weights (``weights_digest``) and the version of its heuristic.
    For a program they are the digests of the files that its command names.
    """
    inner = without_alias(agent)
    if isinstance(inner, ProgramAgent):
        return [sha256_of(Path(word)) for word in inner.command if Path(word).is_file()]
    versions = [code_version(type(inner))]
    if (weights := getattr(inner, "weights_digest", None)) is not None:
        versions.append(weights)
    if isinstance(method := getattr(inner, "method", None), HeuristicMethod):
        versions.append(code_version(type(method.heuristic)))
    return versions


def read_agent(text: str, *, perfect_information: bool = False) -> Agent:
    """Create an agent from its spec: a name, optionally followed by a colon and options.

    ``process:`` and ``mjai:`` take a complete command. Options go to the class method
    ``from_options`` if the class has one, otherwise to its constructor. ``FILE.py:CLASS`` names
    a class in a file. A prefix ``ALIAS=`` sets the name of the agent in tables and records.

    Parameters
    ----------
    text
        The spec.
    perfect_information
        Whether the agent may see all tiles.

    Raises
    ------
    GameError
        If the agent or an option is unknown, a plug-in does not load or is no agent, or the
        agent sees all tiles although it may not.

    Examples
    --------
    >>> read_agent("l3").name
    'l3'
    >>> read_agent("deficiency:method=ndde,population=50,generations=500").name
    'deficiency-ndde-50-500'
    >>> read_agent("mine=process:python3 bot.py --level 3").name
    'mine'
    >>> read_agent("l4")
    Traceback (most recent call last):
    mjopt.errors.GameError: agent 'l4': unknown, expected one of l1, l2, l3, deficiency ...
    """
    expect(text, str, "text")
    alias, name, rest = AGENTS.parse_spec(text)
    agent_class = AGENTS.find(name)
    # The file of the class may register it under the alias.
    if alias in AGENTS.names and AGENTS.get(alias) is not agent_class:
        raise GameError(
            f"agent {short_repr(text)}: {alias} is the name of another agent",
            expected="another alias",
        )
    expect(perfect_information, bool, "perfect_information")
    if not perfect_information:
        reject_all_seeing(agent_class, text)
    with UserCode(agent_class, f"agent {name} cannot be made", GameError):
        if hasattr(agent_class, "from_text"):
            agent: Agent = agent_class.from_text(rest)
        else:
            options = dict(
                read_options(split_options(rest), what=f"agent {short_repr(text)}", error=GameError)
            )
            agent = _make(text, name, agent_class, options)
        if not isinstance(getattr(agent, "name", None), str):
            raise GameError(f"{name} is not an agent: it has no attribute 'name' with a text")
        if _missing_method(agent):
            raise GameError(f"agent {name} cannot be made: {short_repr(agent)} has no 'choose'")
    if not alias:
        AGENTS.check_name_clash(name, agent.name, agent_class)
    return Alias(agent, alias) if alias else agent


def _make(text: str, name: str, agent_class: type[Agent], options: Mapping[str, object]) -> Agent:
    if hasattr(agent_class, "from_options"):
        try:
            agent: Agent = agent_class.from_options(options)
        except MjoptError as error:
            error.locate("agent", value=short_repr(text))
            raise
        return agent
    known = [parameter.name for parameter in parameters_of(agent_class)]
    for option in options:
        if option not in known:
            raise GameError(
                f"agent {short_repr(text)} has no option {short_repr(option)}",
                expected=tuple(known) or "none",
            )
    made: Agent = AGENTS.create(name, agent_class, options)
    return made


def check_agents(
    texts: Iterable[str], *, rules: GameRules, here: bool = True, perfect_information: bool = False
) -> None:
    """Check that all specs are valid agents for the rules.

    If the games run on this machine (``here``), also check that programs exist. The first invalid
    spec raises a GameError or an ArgumentError.
    """
    for text in texts:
        agent = read_agent(text, perfect_information=perfect_information)
        if here and isinstance(program := without_alias(agent), ProgramAgent):
            program.check_program()
        check_rules([agent], rules)


def check_rules(agents: Iterable[Agent], rules: GameRules) -> None:
    """Reject agents that do not support the rules, by their method ``check_rules`` if present."""
    for agent in agents:
        if callable(check := getattr(without_alias(agent), "check_rules", None)):
            with UserCode(type(without_alias(agent)), f"agent {agent.name} fails", GameError):
                check(rules)
