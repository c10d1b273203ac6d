"""Registries of plugins by name, and options after a name."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from mjopt._internal.sanitize import one_line
from mjopt._internal.user_module import load_class

ALIAS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
"""Allowed aliases; they occur in file names."""

OWN: Final = re.compile(r"(.+\.py)(?::([^:]*)(?::(.*))?)?", re.DOTALL)
"""A class in a user's file, perhaps with options: ``sa.py:SA:tries=3``."""

YES_OR_NO: Final[Mapping[str, Any]] = {"true": True, "false": False}


def split_options(text: str) -> list[str]:
    """Split options such as ``a=1, b=2``; blank ones are dropped.

    Examples
    --------
    >>> split_options("a=1, b=2,")
    ['a=1', 'b=2']
    """
    return [part for part in (word.strip() for word in text.split(",")) if part]


def read_options(
    options: Iterable[str],
    *,
    what: str,
    error: type[Exception],
    meanings: Mapping[str, Any] = YES_OR_NO,
) -> list[tuple[str, Any]]:
    """Parse options of the form ``NAME=VALUE``.

    Parameters
    ----------
    options
        The texts.
    what
        Subject of error messages.
    error
        Exception class for malformed options.
    meanings
        Values of special words, in lower case. Other values are numbers if possible, else texts.

    Examples
    --------
    >>> read_options(["a=1", "b = x", "c=True"], what="it", error=ValueError)
    [('a', 1), ('b', 'x'), ('c', True)]
    >>> read_options(["a"], what="it", error=ValueError)
    Traceback (most recent call last):
    ValueError: it: 'a', expected NAME=VALUE
    """
    found = []
    for option in options:
        name, equals, value = (word.strip() for word in option.partition("="))
        if not (equals and name and value):
            raise error(f"{what}: {option!r}, expected NAME=VALUE")
        is_word = value.lower() in meanings
        found.append((name, meanings[value.lower()] if is_word else _number_or_text(value)))
    return found


def _number_or_text(value: str) -> Any:
    for read in (int, float):
        try:
            return read(value)
        except ValueError:
            continue
    return value


class Parameter(NamedTuple):
    """An option ``NAME=VALUE``."""

    name: str
    default: Any = None
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    is_needed: bool = False  # whether there is no default

    @property
    def expected(self) -> str:
        """Describe the allowed values; empty if they are not known."""
        words = ", ".join(map(written, self.choices))
        if self.low is not None or self.high is not None:
            words = f"{written(self.low, '')}..{written(self.high, '')}"
        return f"{words}, or none" if words and self.default is None else words

    def document(self) -> dict[str, Any]:
        """Return the parameter as JSON-compatible data."""
        is_plain = self.default is None or isinstance(self.default, bool | int | float | str)
        default = self.default if is_plain else str(self.default)
        return self._asdict() | {"default": default, "choices": list(self.choices)}


def written(value: Any, none: str = "none") -> str:
    """Format a value as it is typed after ``NAME=``."""
    return none if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def parameters_of(kind: Any) -> list[Parameter]:
    """Return the parameters of a class: from ``list_options``, its fields or its signature.

    Examples
    --------
    >>> class Patient:
    ...     def __init__(self, turns=3): ...
    >>> parameters_of(Patient)
    [Parameter(name='turns', default=3, choices=(), low=None, high=None, is_needed=False)]
    """
    if callable(own := getattr(kind, "list_options", None)):
        return list(own())
    if is_dataclass(kind):
        return [_of_field(one) for one in fields(kind) if one.init and one.name != "name"]
    try:
        taken = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return []
    named = [one for one in taken if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    none = inspect.Parameter.empty
    return [
        Parameter(one.name, is_needed=True)
        if one.default is none
        else Parameter(one.name, one.default)
        for one in named
    ]


def _of_field(one: Any) -> Parameter:
    """Return a field of a dataclass; its metadata may hold ``choices`` or a ``range``."""
    default = one.default
    if default is MISSING and one.default_factory is not MISSING:
        default = one.default_factory()
    low, high = one.metadata.get("range", (None, None))
    choices = tuple(one.metadata.get("choices", ()))
    if default is MISSING:
        return Parameter(one.name, None, choices, low, high, is_needed=True)
    return Parameter(one.name, default, choices, low, high)


@cache
def plug_ins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of installed packages by name, without loading them."""
    return {point.name: point for point in entry_points(group=group)}


@dataclass(frozen=True)
class PluginRegistry:
    """Built-in classes by name, then those of installed packages.

    Parameters
    ----------
    what
        Noun for error messages.
    group
        Group of entry points for plugins.
    ours
        Built-in classes by name; a text such as ``package.module:Class`` is imported on first use,
        so a higher layer may define it.
    error
        Exception class for unknown names and plugins that fail to load.
    """

    what: str
    group: str
    ours: dict[str, Any]
    error: type[Exception]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, plugins last."""
        return tuple(self.ours | plug_ins(self.group))

    def parse_spec(self, text: str) -> tuple[str, str, str]:
        """Split a text such as ``mine=sa.py:SA:tries=3`` into alias, name and options.

        Built-in names come before files: ``process:bot.py`` is not a user file.
        """
        alias, equals, rest = text.strip().partition("=")
        if not equals or ":" in alias:
            alias, rest = "", text.strip()
        elif not ALIAS.fullmatch(alias := alias.strip()):
            what = "expected letters, digits, '.', '_' and '-'"
            raise self.error(f"{self.what} {text!r}: alias {alias!r}, {what}")
        name, _, options = rest.strip().partition(":")
        if ".py" in rest and name.strip() not in self.names and (own := OWN.fullmatch(rest)):
            name, options = f"{own[1].strip()}:{(own[2] or '').strip()}", own[3] or ""
        return alias, name.strip(), options

    def find(self, name: str, fault: Callable[[Any], str | None]) -> Any:
        """Return the class with a name; a plugin or a file is loaded on demand.

        Parameters
        ----------
        name
            The name, or ``FILE.py:CLASS``.
        Returns the defect of a plugin, or None.
            Returns what a plugin lacks, or None.
        """
        if name in self.ours:
            return self.own(name)
        if (point := plug_ins(self.group).get(name)) is not None:
            where = point.value
            try:
                found = point.load()
            except Exception as error:
                raise self.error(f"{self.what} {name!r} from {where} fails: {error}") from error
        elif own := OWN.fullmatch(name):
            where = name
            if not own[2]:
                raise self.error(f"{self.what} {name.rstrip(':')!r}: expected FILE.py:CLASS")
            found = load_class(f"{own[1]}:{own[2]}")
        else:
            known = ", ".join(self.names)
            raise self.error(f"unknown {self.what} {name!r}, expected one of {known}")
        if lacking := fault(found):
            raise self.error(f"{where} is no {self.what}: {lacking}")
        return found

    def own(self, name: str) -> Any:
        """Return a built-in class, or None for an unknown name."""
        found = self.ours.get(name)
        return EntryPoint(name, found, self.group).load() if isinstance(found, str) else found

    def make(self, name: str, kind: Any, options: Mapping[str, Any]) -> Any:
        """Create an object; errors of plugins are reported in one line."""
        try:
            return kind(**options)
        except self.error:
            raise
        except Exception as error:
            if name in self.ours:
                raise
            told = one_line(f"{type(error).__name__}: {error}")
            raise self.error(f"{self.what} {name} cannot be made: {told}") from error

    def check_name_clash(self, name: str, called: str, kind: Any) -> None:
        """Raise an error if a class from a file has the name of a built-in class."""
        held = self.own(called)
        if ":" not in name or held is None or held is kind:
            return
        whose, module = "one of ours", str(held.__module__)
        if not module.startswith(f"{__name__.partition('.')[0]}."):
            file = getattr(sys.modules.get(module), "__file__", None)
            whose = f"{held.__qualname__} of {file or module}"
        raise self.error(f"{name} is called {called} as {whose} is: ALIAS={name}")

    def describe(self, fault: Callable[[Any], str | None]) -> dict[str, Any]:
        """Return the parameters of all classes by name, or the error of a plugin that fails."""
        found: dict[str, Any] = {}
        for name in self.names:
            try:
                found[name] = parameters_of(self.find(name, fault))
            except self.error as error:
                found[name] = error
        return found
