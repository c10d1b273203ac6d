"""Every formulation by name. The conformance tests cover all of them."""

from mjopt._internal.validation import pick
from mjopt.errors import ModelError
from mjopt.models.blockwise import Blockwise
from mjopt.models.completion import Completion
from mjopt.models.formulation import Formulation
from mjopt.models.network import Network
from mjopt.models.partition import Partition
from mjopt.models.predecomposition import Predecomposition
from mjopt.models.special_forms import SevenPairs, ThirteenOrphans

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


def get_formulation(name: str) -> Formulation:
    """Return a formulation by name.

    Examples
    --------
    >>> get_formulation("blokwise")
    Traceback (most recent call last):
    mjopt.errors.ModelError: unknown model 'blokwise', expected one of blockwise, ...
    """
    return pick(name, FORMULATIONS, "model", ModelError)()
