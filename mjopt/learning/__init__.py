"""The learning agent of Ouyang and Zhou (2023): planes, networks, tree search, training.

Playing needs only NumPy; training needs the extra ``[learning]``.
"""

from mjopt._internal.lazy_import import load_later

# Importing a module of the package must not import others: pytest would then load them twice.
_HOMES = {
    "NUM_CHANNELS": "mjopt.learning.actions",
    "NUM_TYPES": "mjopt.learning.actions",
    "PRESETS": "mjopt.learning.config",
    "ActionType": "mjopt.learning.actions",
    "Configuration": "mjopt.learning.config",
    "NormalAgent": "mjopt.learning.agents",
    "action_planes": "mjopt.learning.planes",
    "change_of": "mjopt.learning.actions",
    "encode": "mjopt.learning.planes",
    "encode_view": "mjopt.learning.planes",
    "full_number": "mjopt.learning.actions",
    "legal_numbers": "mjopt.learning.actions",
    "public_planes": "mjopt.learning.planes",
    "small_number": "mjopt.learning.actions",
    "small_of_full": "mjopt.learning.actions",
    "transition_number": "mjopt.learning.actions",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
