"""Things by name: options after a name, and what installed packages add to ours."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

YES_OR_NO: Final[Mapping[str, Any]] = {"true": True, "false": False}


def split_options(text: str) -> list[str]:
    """Return the options of a text such as ``a=1, b=2``; what is blank is none.

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
    """Read options, each ``NAME=VALUE``.

    Parameters
    ----------
    options
        The texts.
    what
        What they belong to, for the message.
    error
        What is raised for an option that does not read so.
    meanings
        Values that are words, in small letters; all others are numbers if they can be,
        else texts.

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


@cache
def plug_ins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of installed packages, by name; none is loaded."""
    return {point.name: point for point in entry_points(group=group)}


@dataclass(frozen=True)
class Named:
    """What can be asked for by name: ours first, then that of installed packages.

    Parameters
    ----------
    what
        What it is, in a word.
    group
        The group of entry points in which other packages announce theirs.
    ours
        Our own, by name.
    error
        What is raised for an unknown name, and for a plug-in that does not load.
    """

    what: str
    group: str
    ours: dict[str, Any]
    error: type[Exception]

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, plug-ins last."""
        return tuple(self.ours | plug_ins(self.group))

    def find(self, name: str, fault: Callable[[Any], str | None]) -> Any:
        """Return what has a name; a plug-in loads only when it is asked for.

        Parameters
        ----------
        name
            The name.
        fault
            Says what a plug-in lacks, or None.
        """
        if name in self.ours:
            return self.ours[name]
        point = plug_ins(self.group).get(name)
        if point is None:
            known = ", ".join(self.names)
            raise self.error(f"unknown {self.what} {name!r}, expected one of {known}")
        try:
            found = point.load()
        except Exception as error:
            raise self.error(f"{self.what} {name!r} from {point.value} fails: {error}") from error
        if lacking := fault(found):
            raise self.error(f"{point.value} is no {self.what}: {lacking}")
        return found
