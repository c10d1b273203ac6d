"""The learning agent of Ouyang and Zhou (2023): planes, networks, tree search, training.

Playing needs only NumPy; training needs the extra ``[learning]``.
"""

from mjopt._internal.lazy_import import load_later

# Importing a module of the package must not import others: pytest would then load them twice.
_HOMES = {
    "NUM_CHANNELS": "mjopt.play.learning.actions",
    "NUM_TYPES": "mjopt.play.learning.actions",
    "PRESETS": "mjopt.play.learning.config",
    "ActionType": "mjopt.play.learning.actions",
    "Configuration": "mjopt.play.learning.config",
    "NormalAgent": "mjopt.play.learning.agents",
    "SearchSettings": "mjopt.play.learning.mcts_config",
    "action_planes": "mjopt.play.learning.planes",
    "change_of": "mjopt.play.learning.actions",
    "encode": "mjopt.play.learning.planes",
    "encode_view": "mjopt.play.learning.planes",
    "full_number": "mjopt.play.learning.actions",
    "legal_numbers": "mjopt.play.learning.actions",
    "public_planes": "mjopt.play.learning.planes",
    "search_states": "mjopt.play.learning.mcts",
    "small_number": "mjopt.play.learning.actions",
    "small_of_full": "mjopt.play.learning.actions",
    "toy_state": "mjopt.play.learning.env",
    "transition_number": "mjopt.play.learning.actions",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
