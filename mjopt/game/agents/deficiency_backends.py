"""Methods that compute the deficiency for a deficiency agent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, Unpack

import numpy as np

from mjopt.errors import GameError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.hands.winning_forms import STANDARD, UNREACHABLE, missing_tiles
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import is_method, known_names, label_of, read_method
from mjopt.heuristics.runner import run_batch
from mjopt.models.formulation import Goal
from mjopt.models.registry import FORMULATIONS, get_formulation
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import get_solver
from mjopt.tables.lookup import label_one

Counts = tuple[int, ...]


class Asked(TypedDict):
    """The context of a decision, given to a method with the hands.

    Parameters
    ----------
    called
        Melds on the table.
    tiles, forms
        Of the rules.
    rng
        The agent's random numbers.
    """

    called: int
    tiles: TileSet
    forms: Sequence[str]
    rng: np.random.Generator


class Method(Protocol):
    """A method that computes deficiencies, possibly inexact."""

    @property
    def name(self) -> str:
        """As it stands in tables and records."""

    def values(self, hands: Sequence[Counts], **asked: Unpack[Asked]) -> list[int]:
        """Return the deficiency of every hand, as the method sees it.

        Parameters
        ----------
        hands
            Copies per kind, all with ``14 - 3 * called`` tiles or one fewer.
        asked
            All of :class:`Asked`, by name.
        """


def _partial(hands: Sequence[Counts], asked: Asked) -> Iterator[Hand]:
    for counts in hands:
        yield Hand.from_counts(counts, tiles=asked["tiles"], called=asked["called"], partial=True)


def _open_forms(asked: Asked) -> Sequence[str]:
    """Return the forms that a hand may still take: after a call only the standard one."""
    return (STANDARD,) if asked["called"] else asked["forms"]


@dataclass(frozen=True, slots=True)
class TableMethod:
    """The look-up tables: exact, in microseconds."""

    name: str = "table"

    def values(self, hands: Sequence[Counts], **asked: Unpack[Asked]) -> list[int]:
        """Return the true deficiencies."""
        called, forms = asked["called"], asked["forms"]
        return [label_one(hand, called, forms=forms, partial=True) for hand in hands]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMethod:
    """An integer program, solved for every hand.

    Parameters
    ----------
    model, solver
        One of ``mjopt.FORMULATIONS``, and of ``mjopt.SOLVERS`` (None: the first that
        is available).
    """

    model: str = "network"
    solver: str | None = None

    def __post_init__(self) -> None:
        """Refuse a model that gives no deficiency, or a solver that is not there."""
        if get_formulation(self.model).goal is not Goal.DEFICIENCY:
            raise GameError(f"method={self.model} does not answer with a deficiency")
        if self.solver is not None:
            get_solver(self.solver)

    @property
    def name(self) -> str:
        """The model, and the solver if it is named."""
        return f"{self.model}-{self.solver}" if self.solver else self.model

    def values(self, hands: Sequence[Counts], **asked: Unpack[Asked]) -> list[int]:
        """Return the deficiencies that the solver finds."""
        from mjopt.analysis.deficiency import deficiency

        forms, options = _open_forms(asked), SolveOptions()
        return [
            deficiency(hand, forms=forms, model=self.model, solver=self.solver, options=options)
            for hand in _partial(hands, asked)
        ]


@dataclass(frozen=True, slots=True)
class HeuristicMethod:
    """A heuristic, run once on every hand; special forms are counted exactly.

    Parameters
    ----------
    heuristic
        The method with its parameters.
    """

    heuristic: Heuristic

    @property
    def name(self) -> str:
        """The name with its population, its generations and what is not default."""
        return label_of(self.heuristic)

    def values(self, hands: Sequence[Counts], **asked: Unpack[Asked]) -> list[int]:
        """Return the best costs that the searches find."""
        batch = run_batch(
            self.heuristic,
            np.array(hands, np.uint8),
            # A fresh family of streams for each decision, out of the agent's own.
            seed=int(asked["rng"].integers(2**63)),
            method=self.heuristic.name,
            hand_numbers=np.arange(len(hands)),
            run=0,
            tiles=asked["tiles"],
            called=asked["called"],
        )
        found = [int(value) for value in batch.value]
        special = [form for form in _open_forms(asked) if form != STANDARD]
        if not special:
            return found
        pairs = zip(found, _partial(hands, asked), strict=True)
        return [min(value, _special(hand, special)) for value, hand in pairs]


def _special(hand: Hand, forms: Sequence[str]) -> int:
    missing = (missing_tiles(form, hand, hand.unseen) for form in forms)
    return min((sum(tiles) for tiles in missing if tiles is not None), default=UNREACHABLE)


@dataclass(frozen=True, slots=True)
class FunctionMethod:
    """Any function from a hand to a number.

    Examples
    --------
    >>> import mjopt
    >>> method = FunctionMethod("ours", mjopt.deficiency)
    >>> method.values([(2,) * 7 + (0,) * 20], called=0, tiles=mjopt.M0, forms=("standard",),
    ...     rng=np.random.default_rng(1))
    [0]
    """

    name: str
    function: Callable[[Hand], int] = field(compare=False)

    def values(self, hands: Sequence[Counts], **asked: Unpack[Asked]) -> list[int]:
        """Return what the function says of each hand."""
        return [self.function(hand) for hand in _partial(hands, asked)]


def read_method_options(name: str, options: Mapping[str, Any]) -> Method:
    """Return a method by name: ``table``, a formulation, or a heuristic.

    Parameters
    ----------
    name
        The name.
    options
        ``solver`` for a formulation, the parameters of a heuristic, nothing else.

    Examples
    --------
    >>> read_method_options("ndde", {"population": 50}).name
    'ndde-50-50'
    >>> read_method_options("network", {"solver": "cp-sat"}).name
    'network-cp-sat'
    >>> read_method_options("tabel", {})
    Traceback (most recent call last):
    mjopt.errors.GameError: method=tabel, expected table, a model (...) or a heuristic (...)
    """
    if name in ("table", *FORMULATIONS):
        extra = [option for option in options if name == "table" or option != "solver"]
        if extra:
            raise GameError(f"method={name} has no option {extra[0]!r}")
        return TableMethod() if name == "table" else ModelMethod(model=name, **options)
    if not is_method(name):
        raise GameError(
            f"method={name}, expected table, a model ({', '.join(FORMULATIONS)}) "
            f"or a heuristic ({', '.join(known_names())})"
        )
    text = ",".join(f"{key}={value}" for key, value in options.items())
    return HeuristicMethod(read_method(f"{name}:{text}")[1])
