"""Every agent by name: ours, and those of installed packages.

A newcomer is one class and one line in ``AGENTS``, or in another package an entry point
of the group ``mjopt.agents``; it is then on the command line and in the tests.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, Final

from mjopt.errors import GameError, MjoptError
from mjopt.game.agents.deficiency import DeficiencyAgent
from mjopt.game.agents.expected_draws import DrawsAgent
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.process import ProcessAgent
from mjopt.game.agents.simple import FirstLegal, RandomAgent
from mjopt.game.play import Agent
from mjopt.runtime.named import Named, read_options, split_options

GROUP: Final = "mjopt.agents"

AGENTS: Final[dict[str, Any]] = {
    "l1": L1,
    "l2": L2,
    "l3": L3,
    "deficiency": DeficiencyAgent,
    "draws": DrawsAgent,
    "random": RandomAgent,
    "first": FirstLegal,
    "process": ProcessAgent,
}
"""Our agents by name, a class each."""


_NAMED: Final = Named("agent", GROUP, AGENTS, GameError)


def known_agents() -> tuple[str, ...]:
    """Return every name that ``read_agent`` knows, plug-ins last."""
    return _NAMED.names


def _lacking(found: Any) -> str | None:
    return None if callable(getattr(found, "choose", None)) else "it has no method 'choose'"


def read_agent(text: str) -> Agent:
    """Make an agent from its text: a name, then perhaps a colon and options.

    ``process:`` takes a whole command. A class with ``from_options`` reads its options
    itself, any other dataclass takes them as fields.

    Raises
    ------
    GameError
        If there is no such agent or option, or the plug-in behind a name does not load
        or is no agent.

    Examples
    --------
    >>> read_agent("l3").name
    'l3'
    >>> read_agent("deficiency:method=ndde,population=50,generations=500").name
    'deficiency-ndde-50-500'
    >>> read_agent("l4")
    Traceback (most recent call last):
    mjopt.errors.GameError: unknown agent 'l4', expected one of l1, l2, l3, ...
    """
    name, _, rest = text.strip().partition(":")
    found = _NAMED.find(name.strip(), _lacking)
    if hasattr(found, "from_text"):
        agent: Agent = found.from_text(rest)
        return agent
    options = dict(read_options(split_options(rest), what=f"agent {text!r}", error=GameError))
    if hasattr(found, "from_options"):
        try:
            agent = found.from_options(options)
        except MjoptError as error:
            raise type(error)(f"agent {text!r}: {error}") from None
        return agent
    known = [field.name for field in fields(found) if field.init] if is_dataclass(found) else []
    known = [option for option in known if option != "name"]
    for option in options:
        if option not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            raise GameError(f"agent {text!r} has no option {option!r}, expected {expected}")
    made: Agent = found(**options)
    return made


def check_agents(texts: Iterable[str], *, here: bool = True) -> None:
    """Refuse what is no agent; where they play on this machine, a program that is not there too.

    Raises
    ------
    GameError
        About the first of them.
    """
    for text in texts:
        agent = read_agent(text)
        if here and isinstance(agent, ProcessAgent):
            agent.check_program()
