"""Tables of a TOML file, whose mistakes are named with their line and key."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeVar

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.hands.rules.words import Runs, read_runs

T = TypeVar("T")

_HEADER: Final = re.compile(r"\s*\[\[?\s*([A-Za-z0-9_\"'.-]+)\s*\]\]?")
_TYPES: Final[dict[type, str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "tables",
}


@dataclass(frozen=True)
class RuleTable:
    """One table of a file of rules, and where it stands."""

    data: dict[str, Any]
    text: str = field(repr=False)  # of the file
    file: str  # its name
    name: str = ""  # empty for the top of the file
    number: int = 0  # its place among the tables of that name, from 0

    def table(self, name: str, data: dict[str, Any], number: int = 0) -> "RuleTable":
        """Return a table of the same file."""
        return RuleTable(data, self.text, self.file, name, number)

    def fail(
        self, message: str, key: str = "", *, expected: str | tuple[str, ...] = ""
    ) -> NoReturn:
        """Raise an error with the line of a key; without one, with that of the table."""
        raise FileError(
            message, argument=self.file, position=self._line(key), unit="line", expected=expected
        )

    def _line(self, key: str) -> int:
        # TOML libraries do not say where a value stands, so that its line is searched.
        found, is_inside, seen = 1, not self.name, -1
        of_key = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        of_table = re.compile(rf"\s*{re.escape(self.name)}\s*[=.]")
        for place, line in enumerate(self.text.splitlines(), 1):
            if not line:
                continue
            if match := _HEADER.match(line):
                seen += match[1] == self.name
                is_inside = match[1] == self.name and seen == self.number
                found = place if is_inside else found
            elif is_inside and key and of_key.match(line):
                return place
            elif self.name and seen < 0 and of_table.match(line):
                found = place  # an inline table
        return found

    def check_keys(self, known: Iterable[str]) -> None:
        """Raise if there is an unknown key."""
        for key in self.data:
            if key not in known:
                self.fail(f"unknown key {short_repr(key)}", key, expected=tuple(known))

    def get(self, key: str, kind: type[T], default: T) -> T:
        """Return the value of a key, of one type; the default if it is absent."""
        value = self.data.get(key, default)
        if type(value) is not kind:
            self.fail(f"{key} {short_repr(value)}", key, expected=_TYPES[kind])
        return value

    def whole(self, key: str, *, default: int = 0, low: int = 0, high: int) -> int:
        """Return a whole number within limits."""
        value = self.get(key, int, default)
        if not low <= value <= high:
            self.fail(f"{key} {short_repr(value)}", key, expected=f"{low}..{high}")
        return value

    def runs(self, key: str) -> Runs:
        """Return tiles; none if the key is absent."""
        text = self.get(key, str, "")
        runs = read_runs(text)
        if runs is None:
            self.fail(f"{key} {short_repr(text)}", key, expected="tiles such as 147a11z")
        return runs
