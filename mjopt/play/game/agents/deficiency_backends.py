"""Methods that compute the deficiency for the deficiency agent."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypedDict, Unpack

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt.errors import GameError
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import missing_tiles
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import TileSet
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import HEURISTICS, is_method, label_of, read_method
from mjopt.heuristics.runner import run_batch
from mjopt.models.formulation import Goal
from mjopt.models.registry import FORMULATIONS, get_formulation
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import get_solver
from mjopt.tables.lookup import label_one

Counts = tuple[int, ...]


class DecisionContext(TypedDict):
    """The context of a decision, passed to a method with the hands."""

    called: int  # number of melds on the table
    tiles: TileSet  # of the rules, as are the winning forms
    forms: tuple[WinningForm, ...]
    rng: np.random.Generator  # the agent's


class DeficiencyMethod(Protocol):
    """A method that computes deficiencies, possibly inexact.

    Examples
    --------
    >>> from mjopt.play.game.agents import TableMethod
    >>> TableMethod().name
    'table'
    """

    @property
    def name(self) -> str:
        """The name in tables and records."""

    def values(self, hands: Sequence[Counts], **context: Unpack[DecisionContext]) -> list[int]:
        """Return the deficiency of every hand according to the method.

        Parameters
        ----------
        hands
            Concealed copies per kind, each hand with ``14 - 3 * called`` tiles or one fewer.
        context
            The fields of :class:`DecisionContext`, as keyword arguments.
        """


def _partial(hands: Sequence[Counts], context: DecisionContext) -> Iterator[Hand]:
    for counts in hands:
        yield Hand.from_counts(
            counts, tiles=context["tiles"], called=context["called"], partial=True
        )


def _open_forms(context: DecisionContext) -> tuple[WinningForm, ...]:
    """Return the winning forms still possible: after a call only those with melds."""
    forms = context["forms"]
    return tuple(form for form in forms if form.is_plain) if context["called"] else forms


@dataclass(frozen=True, slots=True)
class TableMethod:
    """The lookup tables: exact, in microseconds.

    Examples
    --------
    >>> TableMethod().name
    'table'
    """

    name: str = "table"

    def values(self, hands: Sequence[Counts], **context: Unpack[DecisionContext]) -> list[int]:
        """Return the exact deficiencies."""
        called, forms = context["called"], context["forms"]
        return [label_one(hand, called, forms=forms, partial=True) for hand in hands]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMethod:
    """An integer program, solved for each hand.

    Parameters
    ----------
    model, solver
        A name in ``mjopt.FORMULATIONS``, and a name in ``mjopt.SOLVERS`` (None: the first
        available solver).

    Examples
    --------
    >>> ModelMethod(model="blockwise", solver="highs").name
    'blockwise-highs'
    """

    model: str = "network"
    solver: str | None = None

    def __post_init__(self) -> None:
        """Reject a model that does not compute the deficiency, or an unavailable solver."""
        if get_formulation(self.model).goal is not Goal.DEFICIENCY:
            raise GameError(f"method={self.model} does not compute a deficiency")
        if self.solver is not None:
            get_solver(self.solver)

    @property
    def name(self) -> str:
        """The model, and the solver if specified."""
        return f"{self.model}-{self.solver}" if self.solver else self.model

    def values(self, hands: Sequence[Counts], **context: Unpack[DecisionContext]) -> list[int]:
        """Return the deficiencies computed by the solver."""
        from mjopt.analysis.deficiency import deficiency

        forms, options = _open_forms(context), SolveOptions()
        return [
            deficiency(hand, forms=forms, model=self.model, solver=self.solver, options=options)
            for hand in _partial(hands, context)
        ]


@dataclass(frozen=True, slots=True)
class HeuristicMethod:
    """A heuristic, run once on each hand; special forms are computed exactly.

    Parameters
    ----------
    heuristic
        The heuristic with its parameters.

    Examples
    --------
    >>> from mjopt.heuristics import HEURISTICS
    >>> HeuristicMethod(HEURISTICS["ndde"]()).name
    'ndde-20-50'
    """

    heuristic: Heuristic

    @property
    def name(self) -> str:
        """The name with population, generations and the parameters that are not default."""
        return label_of(self.heuristic)

    def values(self, hands: Sequence[Counts], **context: Unpack[DecisionContext]) -> list[int]:
        """Return the best cost found for each hand."""
        batch = run_batch(
            self.heuristic,
            np.array(hands, np.uint8),
            # New random streams for each decision, derived from the agent's generator.
            seed=int(context["rng"].integers(2**63)),
            method=self.heuristic.name,
            hand_numbers=np.arange(len(hands)),
            run=0,
            tiles=context["tiles"],
            called=context["called"],
        )
        values = [int(value) for value in batch.value]
        special = [form for form in _open_forms(context) if not form.is_plain]
        if not special:
            return values
        pairs = zip(values, _partial(hands, context), strict=True)
        return [min(value, _special(hand, special)) for value, hand in pairs]


def _special(hand: Hand, forms: Sequence[WinningForm]) -> int:
    missing = (missing_tiles(form, hand, hand.unseen) for form in forms)
    return min((sum(tiles) for tiles in missing if tiles is not None), default=UNREACHABLE)


@dataclass(frozen=True, slots=True)
class FunctionMethod:
    """A function from a hand to a number.

    Examples
    --------
    >>> import mjopt
    >>> from mjopt.play.game.rules import M0_RULES
    >>> method = FunctionMethod("ours", mjopt.deficiency)
    >>> how = {"tiles": mjopt.M0, "forms": M0_RULES.forms, "rng": np.random.default_rng(1)}
    >>> method.values([(2,) * 7 + (0,) * 20], called=0, **how)
    [0]
    """

    name: str
    function: Callable[[Hand], int] = field(compare=False)

    def values(self, hands: Sequence[Counts], **context: Unpack[DecisionContext]) -> list[int]:
        """Return the value of the function for each hand."""
        return [self.function(hand) for hand in _partial(hands, context)]


class MethodOptions(TypedDict, total=False):
    """The options of a method, as in the spec of an agent; those of a heuristic are not listed."""

    solver: str


def read_method_options(name: str, options: MethodOptions) -> DeficiencyMethod:
    """Return a method by name: ``table``, a formulation, or a heuristic.

    The options are ``solver`` for a formulation, and the parameters of a heuristic.

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
            raise GameError(f"method={name} has no option {short_repr(extra[0])}")
        if name == "table":
            return TableMethod()
        return ModelMethod(model=name, solver=options.get("solver"))
    if not is_method(name):
        raise GameError(
            f"method={name}",
            expected=f"table, a model ({', '.join(FORMULATIONS)}) or a heuristic "
            f"({', '.join(HEURISTICS.names)})",
        )
    text = ",".join(f"{key}={value}" for key, value in options.items())
    return HeuristicMethod(read_method(f"{name}:{text}")[1])
