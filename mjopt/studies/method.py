"""A heuristic with its parameters, as a study names and runs it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import code_version
from mjopt._internal.validation import expect, expect_all
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import (
    HEURISTICS,
    as_heuristic,
    cut_method,
    get_heuristic,
    label_of,
    read_method,
)

FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
BUDGET: Final = ("generations", "strict_generations", "max_evaluations")
PLAIN_TYPES: Final = (bool, int, float, str, type(None))


def check_name(name: str, what: str) -> None:
    """Raise unless a name can be part of a file name."""
    expect(name, str, what)
    if not FILE_NAME.fullmatch(name):
        raise ArgumentError(
            argument=what,
            value=short_repr(name),
            expected="letters, digits, '.', '_' and '-', at most 120",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A heuristic with its parameters, as a study runs it.

    Parameters
    ----------
    label
        Its name in this study, such as ``ndde-20-50``.
    name
        In the registry of heuristics, or ``FILE.py:CLASS``.
    parameters
        Every parameter, defaults included: numbers, text, booleans and None.
    is_random
        Whether a run draws random numbers; if not, it runs once.
    stream
        Names the random streams, after the hand set. All parameters except the budget, so that
        a run with a smaller budget is the beginning of a run with a larger one.
    code
        Version of the code: ``mjopt VERSION``, or the SHA-256 of a user's file.
    kind
        The class, as loaded by :func:`parse_method`; None in a study that was read from a folder,
        whose names are never imported.
    """

    label: str
    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    is_random: bool = True
    stream: str = ""
    code: str = ""
    kind: type[Heuristic] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Validate the values."""
        check_name(self.label, "method label")
        for name in ("name", "stream", "code"):
            expect(getattr(self, name), str, name)
        expect(self.is_random, bool, "is_random")
        expect(self.parameters, Mapping, "parameters")
        for key, value in self.parameters.items():
            if not isinstance(key, str) or not isinstance(value, PLAIN_TYPES):
                raise ArgumentError(
                    f"method {self.label}: {short_repr(key)} is {short_repr(value)}",
                    argument="parameters",
                    expected="names with numbers, texts, booleans or None",
                )
        if self.kind is not None:
            expect(self.kind, type, "kind")

    def make(self) -> Heuristic:
        """Return the heuristic.

        Raises
        ------
        FileError
            If it is not built in, and was read from a folder rather than from the user's text.
        """
        if self.kind is not None:
            return as_heuristic(self.kind, **self.parameters)
        if self.name not in HEURISTICS:
            raise FileError(
                f"method {self.label}: a stored study names {short_repr(self.name)}, which is "
                "loaded only when you name it yourself: mjopt compare METHOD..., or parse_method"
            )
        return get_heuristic(self.name, **self.parameters)

    @property
    def text(self) -> str:
        """The text that :func:`parse_method` reads as this method, with every parameter.

        It includes the label unless that is the usual one of a known class.

        Examples
        --------
        >>> parse_method("mine=tree-search:prune=false").text
        'mine=tree-search:order=melds-first,prune=False'
        """
        options = [f"{k}={v}" for k, v in sorted(self.parameters.items()) if v is not None]
        text = f"{self.name}:{','.join(options)}" if options else self.name
        try:
            has_usual_label = label_of(self.make()) == self.label
        except MjoptError:  # not built in, for example
            has_usual_label = False
        return text if has_usual_label else f"{self.label}={text}"


def parse_method(text: str) -> Method:
    """Parse a method such as ``ndde`` or ``ndde:population=50,generations=500``.

    An unknown method or parameter, or a value that is out of range or not a number, text, boolean
    or None, is an `ArgumentError`.

    Examples
    --------
    >>> method = parse_method("ndde:population=50,generations=500")
    >>> method.label, method.parameters["population"], method.is_random
    ('ndde-50-500', 50, True)
    >>> method.stream == parse_method("ndde:population=50").stream
    True
    """
    label, heuristic = read_method(text)
    _, name, _ = cut_method(text)
    parameters: dict[str, object] = {
        parameter.name: getattr(heuristic, parameter.name)
        for parameter in fields(heuristic)  # type: ignore[arg-type]
        if parameter.init
    }
    for key, value in parameters.items():
        if not isinstance(value, PLAIN_TYPES):
            kind = type(value).__name__
            raise ArgumentError(
                f"method {short_repr(text)}: {key} is a {kind}", expected="a number or a word"
            )
    options = [f"{key}={value}" for key, value in parameters.items() if key not in BUDGET]
    stream_name = heuristic.name if ":" in name else name  # independent of the path of the file
    return Method(
        label=label,
        name=name,
        parameters=parameters,
        is_random=bool(heuristic.is_random),
        stream=f"{stream_name}:{','.join(options)}".rstrip(":"),
        code=code_version(type(heuristic)),
        kind=type(heuristic),
    )


def parse_methods(texts: Iterable[str]) -> tuple[Method, ...]:
    """Parse several methods, which must differ.

    Examples
    --------
    >>> parse_methods(["ndde", "ndde:population=20"])
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: methods 'ndde' and 'ndde:population=20' are the same: ...
    """
    parsed: dict[str, tuple[str, Method]] = {}
    for text in expect_all(texts, str, "texts"):
        method = parse_method(text)
        if method.label in parsed:
            other_text, other = parsed[method.label]
            what = "the same:" if other == method else "both called"
            raise ArgumentError(
                f"methods {short_repr(other_text)} and {short_repr(text)} are {what} {method.label}"
            )
        parsed[method.label] = text, method
    return tuple(method for _, method in parsed.values())


def describe_change(before: Method, now: Method) -> str:
    """Describe why the rows of a method must be recomputed; empty if they are up to date.

    Examples
    --------
    >>> describe_change(parse_method("a=ndde"), parse_method("a=ndde:population=30"))
    'population was 20, is 30'
    """
    old_name, new_name = (method.stream.partition(":")[0] for method in (before, now))
    if old_name != new_name:
        return f"{old_name} is now {new_name}"
    old, new = before.parameters, now.parameters
    parts = [
        f"{name} is removed" if name not in new
        else f"{name}={new[name]} is new" if name not in old
        else f"{name} was {old[name]}, is {new[name]}"
        for name in {**new, **old}
        if name not in old or name not in new or old[name] != new[name]
    ]  # fmt: skip
    if before.code != now.code:
        release = f" ({before.code} before, now {now.code})" if "mjopt" in before.code else ""
        parts.append("its code has changed" + release)
    if before.is_random != now.is_random:
        parts.append("is_random has changed")
    return ", ".join(parts)
