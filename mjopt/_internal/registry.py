"""Registries of plugins by name, and options after a name."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple, TypeVar, cast

from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode, load_class
from mjopt._internal.validation import expect
from mjopt.errors import MjoptError

T = TypeVar("T")
U = TypeVar("U")

ALIAS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
"""Allowed aliases; they occur in file names."""

USER_CLASS: Final = re.compile(r"(.+\.py)(?::([^:]*)(?::(.*))?)?", re.DOTALL)
"""A class in a user's file, perhaps with options: ``sa.py:SA:tries=3``."""

TRUE_OR_FALSE: Final[Mapping[str, object]] = {"true": True, "false": False}


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
    error: type[MjoptError],
    meanings: Mapping[str, object] = TRUE_OR_FALSE,
) -> list[tuple[str, object]]:
    """Parse options of the form ``NAME=VALUE``; malformed ones raise ``error``, about ``what``.

    ``meanings`` has the values of special words, in lower case. Other values are numbers if
    possible, else texts.

    Examples
    --------
    >>> read_options(["a=1", "b = x", "c=True"], what="it", error=MjoptError)
    [('a', 1), ('b', 'x'), ('c', True)]
    >>> read_options(["a"], what="it", error=MjoptError)
    Traceback (most recent call last):
    mjopt.errors.MjoptError: it: 'a', expected NAME=VALUE
    """
    pairs = []
    for option in options:
        name, equals, value = (word.strip() for word in option.partition("="))
        if not (equals and name and value):
            raise error(short_repr(option), argument=what, expected="NAME=VALUE")
        is_word = value.lower() in meanings
        pairs.append((name, meanings[value.lower()] if is_word else _number_or_text(value)))
    return pairs


def _number_or_text(value: str) -> float | str:
    for number in (int, float):
        with suppress(ValueError):
            return number(value)
    return value


class Parameter(NamedTuple):
    """An option ``NAME=VALUE``."""

    name: str
    default: object = None
    choices: tuple[object, ...] = ()
    low: float | None = None
    high: float | None = None
    is_needed: bool = False  # whether there is no default

    @property
    def expected(self) -> str:
        """Describe the allowed values; empty if they are not known."""
        words = ", ".join(map(format_value, self.choices))
        if self.low is not None or self.high is not None:
            words = f"{format_value(self.low, '')}..{format_value(self.high, '')}"
        return f"{words}, or none" if words and self.default is None else words

    def document(self) -> dict[str, object]:
        """Return the parameter as JSON-compatible data."""
        is_plain = self.default is None or isinstance(self.default, bool | int | float | str)
        default = self.default if is_plain else str(self.default)
        return self._asdict() | {"default": default, "choices": list(self.choices)}


def format_value(value: object, none: str = "none") -> str:
    """Format a value as on the command line, after ``NAME=``."""
    return none if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def parameters_of(kind: Callable[..., object]) -> list[Parameter]:
    """Return the parameters of a class: from ``list_options``, its fields or its signature.

    Examples
    --------
    >>> class Patient:
    ...     def __init__(self, turns=3): ...
    >>> parameters_of(Patient)
    [Parameter(name='turns', default=3, choices=(), low=None, high=None, is_needed=False)]
    """
    if callable(list_options := getattr(kind, "list_options", None)):
        return list(list_options())
    if is_dataclass(kind):
        return [_of_field(field) for field in fields(kind) if field.init and field.name != "name"]
    try:
        arguments = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        Parameter(argument.name, is_needed=True)
        if argument.default is argument.empty
        else Parameter(argument.name, argument.default)
        for argument in arguments
        if argument.kind in (argument.POSITIONAL_OR_KEYWORD, argument.KEYWORD_ONLY)
    ]


def _of_field(field: Field[object]) -> Parameter:
    """Return a field of a dataclass; its metadata may hold ``choices`` or a ``range``."""
    default = field.default
    if default is MISSING and field.default_factory is not MISSING:
        default = field.default_factory()
    is_needed = default is MISSING
    choices = tuple(field.metadata.get("choices", ()))
    low, high = field.metadata.get("range", (None, None))
    return Parameter(field.name, None if is_needed else default, choices, low, high, is_needed)


@cache
def plug_ins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of installed packages by name, without loading them."""
    return {point.name: point for point in entry_points(group=group)}


class PluginDescription(NamedTuple):
    """Summary and parameters of a class, for lists of plugins."""

    summary: str  # first line of its docstring; empty without one
    parameters: list[Parameter]


def _describe_class(cls: type) -> PluginDescription:
    doc = inspect.getdoc(cls) or ""
    is_signature = doc.startswith(f"{cls.__name__}(")  # a dataclass without a docstring
    return PluginDescription("" if is_signature else doc.partition("\n")[0], parameters_of(cls))


class PluginRegistry(MutableMapping[str, T]):
    """Built-in members by name, then those of installed packages, then those of a user's files.

    As a mapping it holds the built-in ones and those that are registered in this process:
    ``registry["name"] = Class``.

    ``what`` is a noun for error messages, and ``error`` the class of those for unknown names and
    plugins that fail to load. ``group`` is the group of entry points for plugins. A built-in member
    is a text ``package.module:Name`` that is imported on first use, so a higher layer may define
    it. ``defect_of`` returns the reason why a plugin is invalid, or None; ``load`` loads
    ``FILE.py:NAME``.
    """

    def __init__(
        self,
        what: str,
        group: str,
        builtin: Mapping[str, str],
        error: type[MjoptError],
        defect_of: Callable[[object], str | None],
        load: Callable[[str], Any] = load_class,
    ) -> None:
        self.what, self.group, self.error = what, group, error
        self._members: dict[str, T | str] = {**builtin}
        self._defect_of, self._load = defect_of, load

    def __getitem__(self, name: str) -> T:
        member = self._members[name]
        if isinstance(member, str):
            member = self._members[name] = EntryPoint(name, member, self.group).load()
        return cast("T", member)

    def __setitem__(self, name: str, member: T) -> None:
        """Register a member; the error class of the registry if the name is another one's."""
        if not (isinstance(name, str) and name.strip()):
            raise self.error(f"name of a {self.what}: {short_repr(name)}", expected="text")
        if defect := self._defect_of(member):
            raise self.error(f"{short_repr(member)} is no {self.what}: {defect}")
        if self.get(name, member) is not member:
            raise self.error(f"{self.what} {short_repr(name)} exists already")
        self._members[name] = member

    def __delitem__(self, name: str) -> None:
        del self._members[name]

    def __contains__(self, name: object) -> bool:
        return name in self._members  # without an import

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, plugins last."""
        return (*self, *(name for name in plug_ins(self.group) if name not in self))

    def is_known(self, name: str) -> bool:
        """Return whether a name is that of a member or of ``FILE.py:NAME``."""
        return name in self.names or USER_CLASS.fullmatch(name) is not None

    def parse_spec(self, text: str) -> tuple[str, str, str]:
        """Split a text such as ``mine=sa.py:SA:tries=3`` into alias, name and options.

        Built-in names come before files: ``process:bot.py`` is not a user file.
        """
        alias, equals, rest = text.strip().partition("=")
        if not equals or ":" in alias:
            alias, rest = "", text.strip()
        elif not ALIAS.fullmatch(alias := alias.strip()):
            expected = "expected letters, digits, '.', '_' and '-'"
            raise self.error(
                f"{self.what} {short_repr(text)}: alias {short_repr(alias)}, {expected}"
            )
        name, _, options = rest.strip().partition(":")
        if (spec := USER_CLASS.fullmatch(rest)) and name.strip() not in self.names:
            name, options = f"{spec[1].strip()}:{(spec[2] or '').strip()}", spec[3] or ""
        return alias, name.strip(), options

    def find(self, name: str) -> T:
        """Return the member of a name or of ``FILE.py:NAME``; plugins are loaded on demand."""
        expect(name, str, self.what)
        if name in self:
            return self[name]
        if (point := plug_ins(self.group).get(name)) is not None:
            source = point.value
            with UserCode(point, f"{self.what} {short_repr(name)} from {source} fails", self.error):
                plugin: T = point.load()
        elif spec := USER_CLASS.fullmatch(name):
            source = name
            if not spec[2]:
                raise self.error(
                    argument=self.what, value=short_repr(name.rstrip(":")), expected="FILE.py:CLASS"
                )
            plugin = self._load(f"{spec[1]}:{spec[2]}")
        else:
            raise self.error(
                "unknown",
                argument=self.what,
                value=short_repr(name),
                expected=tuple(self.names),
            )
        if defect := self._defect_of(plugin):
            raise self.error(f"{source} is no {self.what}: {defect}")
        return plugin

    def create(self, name: str, kind: Callable[..., U], options: Mapping[str, object]) -> U:
        """Create an object; errors of plugins are reported in one line."""
        with UserCode(kind, f"{self.what} {name} cannot be made", self.error):
            return kind(**options)

    def check_name_clash(
        self: "PluginRegistry[type[U]]", spec: str, name: str, kind: type[U]
    ) -> None:
        """Raise an error if a class from a file has the name of a registered class."""
        registered = self.get(name)
        if ":" not in spec or registered is None or registered is kind:
            return
        owner, module = "one of ours", str(registered.__module__)
        if not module.startswith(f"{__name__.partition('.')[0]}."):
            file = getattr(sys.modules.get(module), "__file__", None)
            owner = f"{registered.__qualname__} of {file or module}"
        raise self.error(f"{spec} is called {name} as {owner} is: ALIAS={spec}")

    def describe(self: "PluginRegistry[type[U]]") -> dict[str, PluginDescription | Exception]:
        """Return a :class:`PluginDescription` of all classes by name, or the error of a plugin."""
        described: dict[str, PluginDescription | Exception] = {}
        for name in self.names:
            try:
                described[name] = _describe_class(self.find(name))
            except self.error as error:
                described[name] = error
        return described
