"""The learning agent of Ouyang and Zhou (2023): planes, networks, tree search, training.

Playing needs only NumPy; training needs the extra ``[learning]``.
"""

from mjopt.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    ActionType,
    change_of,
    full_number,
    legal_numbers,
    small_number,
    small_of_full,
    transition_number,
)
from mjopt.learning.agents import NormalAgent
from mjopt.learning.config import PRESETS, Configuration
from mjopt.learning.planes import action_planes, encode, encode_view, public_planes

__all__ = [
    "NUM_CHANNELS",
    "NUM_TYPES",
    "PRESETS",
    "ActionType",
    "Configuration",
    "NormalAgent",
    "action_planes",
    "change_of",
    "encode",
    "encode_view",
    "full_number",
    "legal_numbers",
    "public_planes",
    "small_number",
    "small_of_full",
    "transition_number",
]
