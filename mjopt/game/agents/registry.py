"""Every agent by name: ours, and those of installed packages.

A newcomer is one class and one line in ``AGENTS``, or in another package an entry point
of the group ``mjopt.agents``; it is then on the command line and in the tests.
"""

from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from mjopt.errors import GameError, MjoptError
from mjopt.game.agents.deficiency import DeficiencyAgent
from mjopt.game.agents.expected_draws import DrawsAgent
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.process import ProcessAgent
from mjopt.game.agents.simple import FirstLegal, RandomAgent
from mjopt.game.play import Agent

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


@cache
def _plug_ins() -> dict[str, Any]:
    return {point.name: point for point in entry_points(group=GROUP)}


def known_agents() -> tuple[str, ...]:
    """Return every name that ``read_agent`` knows, plug-ins last."""
    return (*AGENTS, *(name for name in _plug_ins() if name not in AGENTS))


def agent_class(name: str) -> Any:
    """Return an agent's class by name; a plug-in loads only when it is asked for.

    Raises
    ------
    GameError
        If the name is unknown, or the plug-in behind it does not load or is no agent.
    """
    if name in AGENTS:
        return AGENTS[name]
    if name not in _plug_ins():
        raise GameError(f"unknown agent {name!r}, expected one of {', '.join(known_agents())}")
    point = _plug_ins()[name]
    try:
        found = point.load()
    except Exception as error:
        raise GameError(f"agent {name!r} from {point.value} fails: {error}") from error
    if not callable(getattr(found, "choose", None)):
        raise GameError(f"{point.value} is no agent: it has no method 'choose'")
    return found


def read_agent(text: str) -> Agent:
    """Make an agent from its text: a name, then perhaps a colon and options.

    ``process:`` takes a whole command. A class with ``from_options`` reads its options
    itself, any other dataclass takes them as fields.

    Raises
    ------
    GameError
        If there is no such agent or option.

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
    found = agent_class(name.strip())
    if hasattr(found, "from_text"):
        agent: Agent = found.from_text(rest)
        return agent
    options = _options(text, rest)
    if hasattr(found, "from_options"):
        try:
            agent = found.from_options(options)
        except GameError as error:
            raise GameError(f"agent {text!r}: {error}") from None
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


def _options(text: str, rest: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in filter(None, (word.strip() for word in rest.split(","))):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (equals and key and value):
            raise GameError(f"agent {text!r}: {part!r}, expected NAME=VALUE")
        options[key] = _value(value)
    return options


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
