"""The configuration of a study: all inputs that determine its rows."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Final, NamedTuple, TypeVar, get_origin

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr
from mjopt._internal.strict_json import read_json
from mjopt._internal.validation import expect, expect_all, pick, whole
from mjopt._version import __version__
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import TILE_SETS
from mjopt.studies.method import Method, check_name

T = TypeVar("T")

FORMAT: Final = 2
"""Version of the folder's layout; a reader refuses any other."""

MAX_RUNS: Final = 10_000
SAMPLE: Final = 2_000
"""Hands of each set that are also run with the other way to stop, by default."""

CURVES: Final = 6
"""Hands of each set whose convergence is recorded, by default."""

SAMPLE_SEED: Final = 20_231_107


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSet:
    """A set of hands of a study; `mjopt.studies.instances` makes it.

    Parameters
    ----------
    name
        Its name in this study and in file names, such as ``two-type-10000``.
    recipe, seed
        They determine the hands.
    num_hands
        Number of hands.
    digest
        SHA-256 of the counts, hand by hand.
    certificates
        Number of deficiencies proved by a certificate.
    counts
        Copies per kind, shape ``(N, K)``; None in a study that was read from a folder.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> chosen = study.config.sets[0]
    >>> chosen.name, chosen.num_hands, chosen.seed
    ('two-type-20', 20, 1)
    """

    name: str
    recipe: str
    seed: int
    num_hands: int
    digest: str = ""
    certificates: int = 0
    counts: "npt.NDArray[np.uint8] | None" = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Validate the name and the numbers."""
        check_name(self.name, "hand set")
        for name in ("recipe", "digest"):
            expect(getattr(self, name), str, name)
        _make_whole(self, "seed", "num_hands", "certificates")
        if self.num_hands < 1:
            raise ArgumentError(
                f"hand set {self.name}: {self.num_hands} hands", expected="at least 1"
            )
        if self.certificates not in range(self.num_hands + 1):
            raise ArgumentError(
                f"hand set {self.name}: {self.certificates} certificates of {self.num_hands} hands"
            )


class Unit(NamedTuple):
    """One run of one method on one hand set: the smallest part that is stored."""

    kind: str  # rows, sample (stopped the other way), timing (no rows) or curves
    hand_set: str
    method: str  # its label
    run: int
    early_stop: bool  # whether a search stops at the true deficiency
    key: str  # SHA-256 of everything the result depends on


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyConfig:
    """Every method on every hand of every set, with a number of runs.

    Parameters
    ----------
    methods, sets
        The methods and the hands.
    runs
        Runs of each random method on each hand.
    seed
        The seed of every random stream.
    early_stop
        Whether a run of the main rows stops as soon as its value is at most the certified
        deficiency, as the paper times it.
    sample
        Hands of each set (from a fixed permutation) that are also run the other way, once for
        each method; 0 for none.
    curves
        Hands of each set, the first ones, whose best value is stored for every generation,
        without early stop; 0 for none.
    tiles
        The key of the tile set: ``m0`` or ``136``.
    version
        The version of the package.

    Raises
    ------
    ArgumentError
        If there is no method or hand set, a name occurs twice, or a number is out of range.

    Examples
    --------
    >>> config = StudyConfig(
    ...     methods=(Method(label="ndde-20-50", name="ndde"),),
    ...     sets=(HandSet(name="one-type", recipe="one-type", seed=0, num_hands=118_800),),
    ...     runs=30,
    ...     seed=0,
    ... )
    >>> StudyConfig.from_json(config.to_json()) == config
    True
    """

    methods: tuple[Method, ...]
    sets: tuple[HandSet, ...]
    runs: int
    seed: int
    early_stop: bool = False
    sample: int = 0
    curves: int = 0
    tiles: str = "m0"
    version: str = __version__

    def __post_init__(self) -> None:
        """Validate names and numbers."""
        object.__setattr__(self, "methods", expect_all(self.methods, Method, "methods"))
        object.__setattr__(self, "sets", expect_all(self.sets, HandSet, "sets"))
        expect(self.early_stop, bool, "early_stop")
        expect(self.version, str, "version")
        pick(self.tiles, TILE_SETS, "tiles", ArgumentError)
        _make_whole(self, "runs", "seed", "sample", "curves")
        if not self.methods or not self.sets:
            raise ArgumentError("a study needs at least one method and one hand set")
        for what, names in (
            ("method", [method.label for method in self.methods]),
            ("hand set", [hands.name for hands in self.sets]),
        ):
            for name in names:
                if names.count(name) > 1:
                    raise ArgumentError(f"{what} {name} is named twice")
        if not 1 <= self.runs <= MAX_RUNS:
            raise ArgumentError(
                argument="runs", value=short_repr(self.runs), expected=f"1..{MAX_RUNS}"
            )
        for name in ("sample", "curves", "seed"):
            if getattr(self, name) < 0:
                raise ArgumentError(
                    argument=name, value=short_repr(getattr(self, name)), expected="0 or more"
                )

    def method(self, label: str) -> Method:
        """Return a method by its label."""
        return _find({method.label: method for method in self.methods}, label, "method")

    def hand_set(self, name: str) -> HandSet:
        """Return a hand set by its name."""
        return _find({hands.name: hands for hands in self.sets}, name, "hand set")

    def num_runs(self, method: Method) -> int:
        """Return the runs of a method on each hand: one if it is not random."""
        expect(method, Method, "method")
        return self.runs if method.is_random else 1

    def stops_early(self, method: Method) -> bool:
        """Return whether the main rows of a method stop at the certified value.

        A deterministic method never does: its final answer counts, as for the paper's tree search.
        """
        expect(method, Method, "method")
        return self.early_stop and method.is_random

    def stream_name(self, unit: Unit) -> str:
        """Return the name of the random streams of a unit.

        Hand ``n`` of run ``r`` draws from ``stream(config.seed, name, n, r)`` of
        `mjopt.heuristics.seeding`.
        """
        expect(unit, Unit, "unit")
        method = self.method(unit.method)
        return f"{unit.hand_set}/{method.stream or method.name}"

    def hand_numbers(self, unit: Unit) -> "npt.NDArray[np.int32]":
        """Return the numbers of the hands of a unit, ascending, shape ``(N,)``."""
        expect(unit, Unit, "unit")
        size = self.hand_set(unit.hand_set).num_hands
        if unit.kind == "rows":
            return np.arange(size, dtype=np.int32)
        if unit.kind == "curves":
            return np.arange(min(size, self.curves), dtype=np.int32)
        return sample_of(size, self.sample)

    def units(self) -> Iterator[Unit]:
        """Yield every unit in the order in which they are stored.

        A deterministic method runs once and does not stop early in the main rows; the sample
        shows it with early stop. It is timed on the sample as often as random methods run.
        """
        for hands in self.sets:
            for method in self.methods:
                stops, runs = self.stops_early(method), self.num_runs(method)
                if self.curves:
                    for run in range(runs):
                        yield self._unit("curves", hands, method, run, early_stop=False)
                for run in range(runs):
                    yield self._unit("rows", hands, method, run, early_stop=stops)
                if self.sample:
                    yield self._unit("sample", hands, method, 0, early_stop=not stops)
                    for run in range(runs, self.runs):
                        yield self._unit("timing", hands, method, run, early_stop=stops)

    def _unit(
        self, kind: str, hands: HandSet, method: Method, run: int, *, early_stop: bool
    ) -> Unit:
        num_hands = {"rows": 0, "curves": self.curves}.get(kind, self.sample)
        inputs = [
            *(kind, hands.name, hands.digest, self.seed, self.tiles, run, early_stop, num_hands),
            *(method.label, method.stream, method.is_random, method.code),
            sorted((key, str(value)) for key, value in method.parameters.items()),
        ]
        key = hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:32]
        return Unit(kind, hands.name, method.label, run, early_stop, key)

    def to_json(self) -> str:
        """Return the configuration as JSON; equal configurations give equal bytes."""
        bare = replace(self, sets=tuple(replace(hands, counts=None) for hands in self.sets))
        document = {"format": FORMAT, **asdict(bare)}
        for method in document["methods"]:
            del method["kind"]
        for hands in document["sets"]:
            del hands["counts"]
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "StudyConfig":
        """Read a configuration.

        Raises
        ------
        FileError
            If the text is not a configuration of this version of the layout.
        ArgumentError
            If it is the configuration of no study.
        """
        expect(text, str, "text")
        try:
            document = read_json(text)
        except ValueError as error:
            raise FileError(f"not a JSON document ({error})") from None
        if not isinstance(document, dict):
            raise FileError("not a JSON document that holds an object")
        if (layout := document.pop("format", None)) != FORMAT:
            raise FileError(argument="format", value=short_repr(layout), expected=str(FORMAT))
        try:
            methods = tuple(_from_dict(Method, item) for item in document.pop("methods"))
            sets = tuple(_from_dict(HandSet, item) for item in document.pop("sets"))
            return _from_dict(cls, {"methods": methods, "sets": sets, **document})
        except (KeyError, TypeError) as error:
            raise FileError(f"not a study: {error}") from None


def sample_of(num_hands: int, size: int, *, seed: int = SAMPLE_SEED) -> npt.NDArray[np.int32]:
    """Return a random sample of hand numbers, ascending.

    Examples
    --------
    >>> len(sample_of(10, 3)), len(sample_of(10, 30))
    (3, 10)
    """
    order = np.random.default_rng(seed).permutation(num_hands)
    return np.sort(order[:size]).astype(np.int32)


def describe_difference(stored: StudyConfig, wanted: StudyConfig) -> str:
    """Describe why a stored study cannot be extended to another configuration; empty if it can.

    Methods, hand sets and runs may be added or left out; nothing else may differ.
    """
    parts = []
    for name in ("seed", "early_stop", "sample", "curves", "tiles"):
        before, now = getattr(stored, name), getattr(wanted, name)
        if before != now:
            parts.append(f"{name}: {before} there, {now} here")
    known = {hands.name: hands for hands in stored.sets}
    for hands in wanted.sets:
        other = known.get(hands.name, hands)
        for attribute in ("recipe", "seed", "digest", "certificates"):
            before, now = getattr(other, attribute), getattr(hands, attribute)
            if before != now:
                parts.append(f"{attribute} of {hands.name}: {before} there, {now} here")
                break
    return "; ".join(parts)


def _from_dict(kind: type[T], values: object) -> T:
    """Make a dataclass from values in a file; values of other types are an error."""
    if not isinstance(values, dict):
        raise FileError(f"not a study: {short_repr(values)}", expected="an object")
    for parameter in fields(kind):  # type: ignore[arg-type]
        expected = (
            parameter.type if isinstance(parameter.type, type) else get_origin(parameter.type)
        )
        value = values.get(parameter.name)
        is_right = type(value) is expected or (isinstance(value, dict) and expected is Mapping)
        if parameter.name in values and not is_right:
            raise FileError(f"not a study: {parameter.name} is {short_repr(value)}")
    return kind(**values)


def _make_whole(record: object, *names: str) -> None:
    """Validate whole numbers of a frozen record; also one of NumPy becomes an int."""
    for name in names:
        object.__setattr__(record, name, whole(getattr(record, name), name))


def _find(known: dict[str, T], name: str, what: str) -> T:
    expect(name, str, what)
    if name not in known:
        raise ArgumentError(f"no {what} {short_repr(name)} in this study", expected=tuple(known))
    return known[name]
