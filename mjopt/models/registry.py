"""Every formulation by name: built-in ones, those of a user, and those of installed packages.

To add a formulation, write a class and one line in ``FORMULATIONS``, or give another package an
entry point of the group ``mjopt.models``. ``mine.py:Mine`` names a class in a file wherever a model
is expected. The conformance tests cover all formulations in ``FORMULATIONS``.
"""

from typing import Final, TypeAlias

from mjopt._internal.registry import PluginRegistry
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode
from mjopt.errors import ModelError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import FORMS, is_classic
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.program import Program

ModelLike: TypeAlias = str | Formulation | type[Formulation]
"""A formulation: its name, ``FILE.py:CLASS``, a class or an object."""


def _defect(kind: object) -> str | None:
    for member in ("name", "goal", "form", "write"):
        if not hasattr(kind, member):
            return f"it has no {member!r}; derive it from mjopt.models.Formulation"
    goal = getattr(kind, "goal", None)
    return None if isinstance(goal, Goal) else f"goal {short_repr(goal)} is not a Goal"


FORMULATIONS: Final = PluginRegistry[type[Formulation]](
    "model",
    "mjopt.models",
    {
        "blockwise": "mjopt.models.blockwise:Blockwise",
        "network": "mjopt.models.network:Network",
        "completion": "mjopt.models.completion:Completion",
        "predecomposition": "mjopt.models.predecomposition:PredecompositionModel",
        "partition": "mjopt.models.partition:Partition",
    },
    ModelError,
    _defect,
)
"""The class of every formulation, by name; ``FORMULATIONS["mine"] = Mine`` adds one."""


def get_formulation(model: ModelLike) -> Formulation:
    """Return a formulation by name, by ``FILE.py:CLASS``, from a class, or as it is given.

    Examples
    --------
    >>> from mjopt.models.blockwise import Blockwise
    >>> get_formulation("network").name, get_formulation(Blockwise(tighten=False)).name
    ('network', 'blockwise')
    >>> get_formulation("blokwise")
    Traceback (most recent call last):
    mjopt.errors.ModelError: model 'blokwise': unknown, expected one of blockwise, network ...
    """
    if isinstance(model, str):
        model = FORMULATIONS.find(model)
    elif defect := _defect(model):
        raise ModelError(f"model {short_repr(model)}: {defect}")
    if isinstance(model, type):
        return FORMULATIONS.create(str(getattr(model, "name", model)), model, {})
    return model


def write_program(
    formulation: Formulation, query: HandQuery, form: WinningForm | None = None
) -> Program:
    """Return the program of a query; a fault of a user's formulation is a ModelError."""
    program: object
    with UserCode(type(formulation), f"model {formulation.name} fails", ModelError):
        if form is not None and not _is_own(formulation, form):
            if not hasattr(formulation, "write_form"):
                raise ModelError(f"model {formulation.name} finds only the form {formulation.form}")
            program = formulation.write_form(query, form)
        else:
            program = formulation.write(query)
    if not isinstance(program, Program):
        raise ModelError(
            f"model {formulation.name}: write returns {short_repr(program)}", expected="a Program"
        )
    return program


def _is_own(formulation: Formulation, form: WinningForm) -> bool:
    """Return whether a form is that of the formulation, and not another of its name."""
    return form.name == formulation.form and (form.name not in FORMS or is_classic((form,)))
