"""The plan of a study: everything its rows depend on, frozen before the first is made."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, TypeVar, get_origin

from mjopt._internal.sanitize import short
from mjopt._internal.strict_json import read_json
from mjopt.errors import StudyError
from mjopt.hands.tiles import TILE_SETS

T = TypeVar("T")

FORMAT: Final = 1
"""Version of the folder's layout; a reader refuses any other."""

MOST_RUNS: Final = 10_000
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


def _check_name(name: str, what: str) -> None:
    if not SAFE.fullmatch(name):
        raise StudyError(
            f"{what} {name!r}: expected letters, digits, '.', '_' and '-', at most 120"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMethod:
    """One method of a study."""

    label: str  # its name in this study and in file names, such as ``ndde-20-50``
    name: str  # in the registry of heuristics
    # Every parameter, defaults included: plain numbers and words.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_random: bool = True  # whether a run draws from its stream; if not, it is run once
    # What its streams are named by, after the hand set: all parameters but the budget, so
    # that a run with a smaller one is the beginning of a run with more.
    stream: str = ""

    def __post_init__(self) -> None:
        """Refuse labels that no file can have."""
        _check_name(self.label, "method label")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSet:
    """One set of hands of a study."""

    name: str  # in this study and in file names, such as ``two-type-10000``
    recipe: str  # says which hands: `mjopt.studies.study_hands` reads it
    seed: int  # what drew them
    num_hands: int
    digest: str = ""  # SHA-256 of their counts, hand by hand: other hands are another study
    certificates: int = 0  # labels proved by a certificate, of hands chosen at random

    def __post_init__(self) -> None:
        """Refuse names that no file can have, and sets without hands."""
        _check_name(self.name, "hand set")
        if self.num_hands < 1:
            raise StudyError(f"hand set {self.name}: {self.num_hands} hands, expected at least 1")
        if self.certificates not in range(self.num_hands + 1):
            raise StudyError(
                f"hand set {self.name}: {self.certificates} certificates of {self.num_hands} hands"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a study measures: every method on every hand of every set, so many times.

    Parameters
    ----------
    methods, sets
        What meets what.
    runs
        Runs of each random method on each hand.
    seed
        The seed of every stream.
    early_stop
        Whether a run of the main rows stops as soon as its value is at most the
        certified deficiency. The paper's times do that.
    sample
        Hands of each set (the first of a fixed permutation) that are also run the
        other way, once for each method, for times and rows of both kinds; 0 for none.
    curves
        Hands of each set, the first ones, whose best value is kept generation by
        generation, without early stop; 0 for none.
    tiles
        The key of the tile set: ``m0`` or ``136``.
    version
        The version of the package that made the plan.

    Examples
    --------
    >>> plan = Plan(
    ...     methods=(PlannedMethod(label="ndde-20-50", name="ndde"),),
    ...     sets=(PlannedSet(name="one-type", recipe="one-type", seed=0, num_hands=118_800),),
    ...     runs=30,
    ...     seed=0,
    ... )
    >>> Plan.from_json(plan.to_json()) == plan
    True
    """

    methods: tuple[PlannedMethod, ...]
    sets: tuple[PlannedSet, ...]
    runs: int
    seed: int
    early_stop: bool = False
    sample: int = 0
    curves: int = 0
    tiles: str = "m0"
    version: str = ""

    def __post_init__(self) -> None:
        """Refuse empty studies and names that stand twice."""
        if not self.methods or not self.sets:
            raise StudyError("a study needs at least one method and one hand set")
        for what, names in (
            ("method", [method.label for method in self.methods]),
            ("hand set", [hands.name for hands in self.sets]),
        ):
            for name in names:
                if names.count(name) > 1:
                    raise StudyError(f"{what} {name} is named twice")
        if not 1 <= self.runs <= MOST_RUNS:
            raise StudyError(f"{self.runs} runs, expected 1..{MOST_RUNS}")
        for name in ("sample", "curves", "seed"):
            if getattr(self, name) < 0:
                raise StudyError(f"{name} {getattr(self, name)}, expected 0 or more")

    def method(self, label: str) -> PlannedMethod:
        """Return a method by its label."""
        return _find({method.label: method for method in self.methods}, label, "method")

    def hand_set(self, name: str) -> PlannedSet:
        """Return a hand set by its name."""
        return _find({hands.name: hands for hands in self.sets}, name, "hand set")

    def num_runs(self, method: PlannedMethod) -> int:
        """Return how often a method runs on each hand: once if it draws nothing."""
        return self.runs if method.is_random else 1

    def num_timed(self, method: PlannedMethod) -> int:
        """Return how many runs of a method are timed: all, on the sample at least."""
        return self.runs if self.sample else self.num_runs(method)

    def stops_early(self, method: PlannedMethod) -> bool:
        """Return whether the main rows of a method stop at the certified value.

        A method that draws nothing never does: it is judged by what it answers on its
        own, as the paper's tree search is.
        """
        return self.early_stop and method.is_random

    def stream_name(self, hands: PlannedSet, method: PlannedMethod) -> str:
        """Return the name of the streams of a method on a set of hands.

        Row ``n`` of run ``r`` draws from
        ``mjopt.heuristics.seeding.stream(plan.seed, name, n, r)``.
        """
        return f"{hands.name}/{method.stream or method.name}"

    def to_json(self) -> str:
        """Return the plan as a JSON document, the same bytes for the same plan."""
        document = {"format": FORMAT, **asdict(self)}
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """Read a plan.

        Raises
        ------
        StudyError
            If the text is not a plan of this version of the layout.
        """
        try:
            document = read_json(text)
        except ValueError as error:
            raise StudyError(f"not a JSON document ({error})") from None
        if not isinstance(document, dict):
            raise StudyError("not a JSON document that holds an object")
        if (found := document.pop("format", None)) != FORMAT:
            raise StudyError(f"format {found!r}, expected {FORMAT}")
        try:
            methods = tuple(_made(PlannedMethod, one) for one in document.pop("methods"))
            sets = tuple(_made(PlannedSet, one) for one in document.pop("sets"))
            plan = _made(cls, {"methods": methods, "sets": sets, **document})
        except (KeyError, TypeError) as error:
            raise StudyError(f"not a plan: {error}") from None
        if plan.tiles not in TILE_SETS:
            known = ", ".join(TILE_SETS)
            raise StudyError(f"tiles {short(repr(plan.tiles))}, expected one of {known}")
        return plan

    def difference(self, other: "Plan") -> str:
        """Say in a few words where another plan differs; empty if it does not.

        Examples
        --------
        >>> plan = Plan(
        ...     methods=(PlannedMethod(label="ndde-20-50", name="ndde"),),
        ...     sets=(PlannedSet(name="one-type", recipe="one-type", seed=0, num_hands=9),),
        ...     runs=30,
        ...     seed=0,
        ... )
        >>> from dataclasses import replace
        >>> plan.difference(replace(plan, runs=10))
        'runs: 10 there, 30 here'
        """
        told = []
        for one in fields(self):
            mine, its = getattr(self, one.name), getattr(other, one.name)
            if mine == its:
                continue
            if one.name in ("methods", "sets"):
                mine, its = _told_apart(mine, its)
            told.append(f"{one.name}: {its} there, {mine} here")
        return "; ".join(told)

    @property
    def digest(self) -> str:
        """SHA-256 of the plan, in hexadecimal."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def _made(kind: type[T], values: Any) -> T:
    """Make one of the records of a plan from what a file says; refuse values of other kinds."""
    if not isinstance(values, dict):
        raise StudyError(f"not a plan: {short(repr(values))}, expected an object")
    for one in fields(kind):  # type: ignore[arg-type]
        expected = one.type if isinstance(one.type, type) else get_origin(one.type)
        value = values.get(one.name)
        is_right = type(value) is expected or (isinstance(value, dict) and expected is Mapping)
        if one.name in values and not is_right:
            raise StudyError(f"not a plan: {one.name} is {short(repr(value))}")
    return kind(**values)


def _find(known: dict[str, T], name: str, what: str) -> T:
    if name not in known:
        names = ", ".join(known)
        raise StudyError(f"no {what} {name!r} in this study, expected one of {names}")
    return known[name]


def _told_apart(mine: Sequence[Any], its: Sequence[Any]) -> tuple[str, str]:
    """Return what only one side has; by name if that tells them apart, else in full."""
    only = [one for one in mine if one not in its], [one for one in its if one not in mine]
    if any(only):  # else the same ones in another order
        mine, its = only
    names = [", ".join(getattr(m, "label", "") or m.name for m in side) for side in (mine, its)]
    if names[0] == names[1]:
        for one in fields(mine[0]):
            values = tuple(getattr(side[0], one.name) for side in (mine, its))
            if values[0] != values[1]:
                return (f"{names[0]} with {one.name} {values[0]}", str(values[1]))
    return names[0] or "no more", names[1] or "no more"
