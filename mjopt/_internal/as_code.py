"""Short texts that read as code: what a record is shown as."""

from dataclasses import fields
from enum import Enum
from typing import Any


def call(name: str, /, *given: Any, **named: Any) -> str:
    """Write a call.

    Examples
    --------
    >>> call("Hand.parse", "11m", called=4)
    "Hand.parse('11m', called=4)"
    """
    words = [repr(one) for one in given] + [f"{key}={value!r}" for key, value in named.items()]
    return f"{name}({', '.join(words)})"


def unusual(record: Any) -> dict[str, Any]:
    """Return the fields of a record that are not their defaults."""
    values = {one.name: (getattr(record, one.name), one.default) for one in fields(record)}
    return {name: value for name, (value, usual) in values.items() if value != usual}


def member(self: Enum) -> str:
    """Write a member of an enumeration: the ``__repr__`` of those that records hold."""
    return f"{type(self).__name__}.{self.name}"
