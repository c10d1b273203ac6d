"""Every agent by name: ours, and those of installed packages.

A newcomer is one class and one line in ``AGENTS``, or in another package an entry point
of the group ``mjopt.agents``; it is then on the command line and in the tests. A class of
a file is named ``bot.py:Bot`` wherever an agent is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import (
    Parameter,
    PluginRegistry,
    parameters_of,
    read_options,
    split_options,
)
from mjopt._internal.user_module import code_version
from mjopt.errors import GameError, MjoptError
from mjopt.game.agents.baselines import FirstLegal, RandomAgent
from mjopt.game.agents.deficiency import DeficiencyAgent
from mjopt.game.agents.deficiency_backends import HeuristicMethod
from mjopt.game.agents.expected_draws import DrawsAgent
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.subprocess_agent import ProcessAgent
from mjopt.game.agents.win_chance import WinChanceAgent
from mjopt.game.moves import Move
from mjopt.game.observation import View
from mjopt.game.play import Agent, Onlooker, refuse_seeing, sees_all
from mjopt.game.rules import RuleSet
from mjopt.game.state import State

GROUP: Final = "mjopt.agents"

AGENTS: Final[dict[str, Any]] = {
    "l1": L1,
    "l2": L2,
    "l3": L3,
    "deficiency": DeficiencyAgent,
    "draws": DrawsAgent,
    "win-chance": WinChanceAgent,
    "random": RandomAgent,
    "first": FirstLegal,
    "process": ProcessAgent,
    "normal": "mjopt.learning.agents:NormalAgent",
    "mcts": "mjopt.learning.mcts_agent:TreeSearchAgent",
}
"""Our agents by name, a class each; that of a room above as text, imported when asked for."""


_REGISTRY: Final = PluginRegistry("agent", GROUP, AGENTS, GameError)


def known_agents() -> tuple[str, ...]:
    """Return every name that ``read_agent`` knows, plug-ins last."""
    return _REGISTRY.names


def describe_agents() -> dict[str, list[Parameter] | GameError]:
    """Return the parameters of every agent by name, or why a plug-in is none."""
    return _REGISTRY.describe(_lacking)


@dataclass(frozen=True, slots=True)
class Alias:
    """An agent under another name."""

    agent: Agent
    name: str

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the agent's move."""
        return self.agent.choose(view, moves, rng=rng)

    def watch(self, view: View, asked: int) -> None:
        """Let the agent look on, if it does."""
        if isinstance(self.agent, Onlooker):
            self.agent.watch(view, asked)

    @property
    def sees_all(self) -> bool:
        """Whether the agent must be shown all tiles."""
        return sees_all(self.agent)

    def show(self, state: State) -> None:
        """Show them."""
        self.agent.show(state)  # type: ignore[attr-defined]  # it sees all

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        if close := getattr(self.agent, "close", None):
            close()


def agents_at_hand() -> tuple[str, ...]:
    """Return our own agents as texts that read no other file and start no program.

    Of a class that plays by a file, those of its files that come with the package: its
    ``shipped``. None of them sees all tiles.

    Examples
    --------
    >>> agents_at_hand()[:2], "normal:taught" in agents_at_hand()
    (('l1', 'l2'), True)
    """
    texts: list[str] = []
    for name in AGENTS:
        found = _REGISTRY.find(name, _lacking)
        if not sees_all(found):
            needs = any(parameter.is_needed for parameter in parameters_of(found))
            texts += [f"{name}:{file}" for file in getattr(found, "shipped", ())]
            texts += [] if needs else [name]
    return tuple(texts)


def without_alias(agent: Agent) -> Agent:
    """Return the agent itself."""
    return agent.agent if isinstance(agent, Alias) else agent


def code_of(agent: Agent) -> list[str]:
    """Return what identifies the code of an agent, to see whether stored games are current.

    These are the version of its class (see :func:`mjopt._internal.user_module.code_version`), the
    digest of its weights (``weights_digest``) and the version of its heuristic, where it has them.
    For a program the digests of the files that its command names.
    """
    inner = without_alias(agent)
    if isinstance(inner, ProcessAgent):
        return [sha256_of(Path(word)) for word in inner.command if Path(word).is_file()]
    versions = [code_version(type(inner))]
    if (weights := getattr(inner, "weights_digest", None)) is not None:
        versions.append(weights)
    if isinstance(method := getattr(inner, "method", None), HeuristicMethod):
        versions.append(code_version(type(method.heuristic)))
    return versions


def _lacking(found: Any) -> str | None:
    return None if callable(getattr(found, "choose", None)) else "it has no method 'choose'"


def read_agent(text: str, *, perfect_information: bool = False) -> Agent:
    """Make an agent from its text: a name, then perhaps a colon and options.

    ``process:`` takes a whole command. A class with ``from_options`` reads its options
    itself, any other takes them as its arguments. ``FILE.py:CLASS`` names a class of a file,
    and ``ALIAS=`` before all of it is what the agent is called in tables and records.

    Parameters
    ----------
    text
        The text.
    perfect_information
        Whether it may be an agent that sees all tiles.

    Raises
    ------
    GameError
        If there is no such agent or option, the plug-in behind a name does not load
        or is no agent, or it sees all tiles.

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
    mjopt.errors.GameError: unknown agent 'l4', expected one of l1, l2, l3, ...
    """
    alias, name, rest = _REGISTRY.parse_spec(text)
    found = _REGISTRY.find(name, _lacking)
    if alias in _REGISTRY.names and _REGISTRY.own(alias) is not found:  # its file may register it
        raise GameError(f"agent {text!r}: {alias} is an agent of its own, expected another alias")
    if not perfect_information:
        refuse_seeing(found, text)
    if hasattr(found, "from_text"):
        agent: Agent = found.from_text(rest)
    else:
        options = dict(read_options(split_options(rest), what=f"agent {text!r}", error=GameError))
        agent = _make(text, name, found, options)
    if not isinstance(getattr(agent, "name", None), str):
        raise GameError(f"{name} is no agent: it has no 'name', a text")
    if not alias:
        _REGISTRY.check_name_clash(name, agent.name, found)
    return Alias(agent, alias) if alias else agent


def _make(text: str, name: str, found: Any, options: Mapping[str, Any]) -> Agent:
    if hasattr(found, "from_options"):
        try:
            own: Agent = found.from_options(options)
        except MjoptError as error:
            raise type(error)(f"agent {text!r}: {error}") from None
        return own
    known = [one.name for one in parameters_of(found)]
    for option in options:
        if option not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            raise GameError(f"agent {text!r} has no option {option!r}, expected {expected}")
    made: Agent = _REGISTRY.make(name, found, options)
    return made


def check_agents(
    texts: Iterable[str], *, rules: RuleSet, here: bool = True, perfect_information: bool = False
) -> None:
    """Refuse what is no agent, does not play these rules, or sees all tiles where it may not.

    Where they play on this machine, a program that is not there is refused too.

    Raises
    ------
    GameError, LearningError
        About the first of them.
    """
    for text in texts:
        agent = read_agent(text, perfect_information=perfect_information)
        if here and isinstance(agent, ProcessAgent):
            agent.check_program()
        check_rules([agent], rules)


def check_rules(agents: Iterable[Agent], rules: RuleSet) -> None:
    """Refuse an agent that does not play these rules: one may have a method ``check_rules``."""
    for agent in agents:
        if callable(check := getattr(without_alias(agent), "check_rules", None)):
            check(rules)
