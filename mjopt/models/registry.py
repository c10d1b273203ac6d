"""Every formulation by name: built-in ones, those of a user, and those of installed packages.

To add a formulation, call :func:`register`, or give another package an entry point of the group
``mjopt.models``. ``mine.py:Mine`` names a class in a file wherever a model is expected. The
conformance tests cover all formulations in ``FORMULATIONS``.
"""

from typing import Any, Final, TypeAlias

from mjopt._internal.registry import PluginRegistry
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt.errors import MjoptError, ModelError
from mjopt.hands.query import HandQuery
from mjopt.models.blockwise import Blockwise
from mjopt.models.completion import Completion
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.network import Network
from mjopt.models.partition import Partition
from mjopt.models.predecomposition import Predecomposition
from mjopt.models.program import Program
from mjopt.models.special_forms import SevenPairs, ThirteenOrphans

GROUP: Final = "mjopt.models"

FORMULATIONS: dict[str, type[Formulation]] = {
    "blockwise": Blockwise,
    "network": Network,
    "completion": Completion,
    "predecomposition": Predecomposition,
    "partition": Partition,
    "seven_pairs": SevenPairs,
    "thirteen_orphans": ThirteenOrphans,
}
"""The class of every formulation, by name."""

ModelLike: TypeAlias = str | Formulation | type[Formulation]
"""A formulation: its name, ``FILE.py:CLASS``, a class or an object."""


def _defect(kind: Any) -> str | None:
    for member in ("name", "goal", "form", "write"):
        if not hasattr(kind, member):
            return f"it has no {member!r}; derive it from mjopt.models.Formulation"
    return None if isinstance(kind.goal, Goal) else f"goal {short_repr(kind.goal)} is no Goal"


_REGISTRY: Final = PluginRegistry("model", GROUP, FORMULATIONS, ModelError, _defect)


def known_models() -> tuple[str, ...]:
    """Return every name that ``get_formulation`` knows, those of installed packages last."""
    return _REGISTRY.names


def register(name: str, kind: type[Formulation]) -> None:
    """Give a formulation a name.

    Parameters
    ----------
    name
        The name, as for ``mjopt.solve(..., model=name)``.
    kind
        A class derived from `Formulation`.

    Raises
    ------
    ModelError
        If another formulation has the name, or the class is no formulation.

    Examples
    --------
    >>> register("network", Network)  # again
    >>> register("network", Blockwise)
    Traceback (most recent call last):
    mjopt.errors.ModelError: model 'network' exists already: Network
    """
    if not (isinstance(name, str) and name.strip()):
        raise ModelError(f"name of a model: {short_repr(name)}, expected text")
    if defect := _defect(kind):
        raise ModelError(f"{short_repr(kind)} is no model: {defect}")
    if FORMULATIONS.get(name, kind) is not kind:
        raise ModelError(f"model {name!r} exists already: {FORMULATIONS[name].__name__}")
    FORMULATIONS[name] = kind


def get_formulation(model: ModelLike) -> Formulation:
    """Return a formulation by name, by ``FILE.py:CLASS``, from a class, or as it is given.

    Examples
    --------
    >>> get_formulation("network").name, get_formulation(Blockwise(tighten=False)).name
    ('network', 'blockwise')
    >>> get_formulation("blokwise")
    Traceback (most recent call last):
    mjopt.errors.ModelError: unknown model 'blokwise', expected one of blockwise, ...
    """
    kind: Any = model
    if isinstance(model, str):
        kind = _REGISTRY.find(model)
    elif defect := _defect(model):
        raise ModelError(f"model {short_repr(model)}: {defect}")
    if isinstance(kind, type):
        kind = _REGISTRY.create(str(getattr(kind, "name", kind)), kind, {})
    formulation: Formulation = kind
    return formulation


def write_program(formulation: Formulation, query: HandQuery) -> Program:
    """Return the program of a query; a fault of a user's formulation is a ModelError."""
    try:
        program: Any = formulation.write(query)
    except MjoptError:
        raise
    except Exception as error:  # a user's class can raise anything
        if type(formulation) in _BUILTIN:
            raise
        reason = shorten(f"{type(error).__name__}: {error}", MESSAGE)
        raise ModelError(f"model {formulation.name} fails: {reason}") from error
    if not isinstance(program, Program):
        raise ModelError(
            f"model {formulation.name}: write returns {short_repr(program)}, expected a Program"
        )
    return program


_BUILTIN: Final = frozenset(FORMULATIONS.values())
