"""The learning agent of Ouyang and Zhou (2023): planes, networks, tree search, training.

Playing what was learned needs NumPy alone; training needs the extra ``[learning]``.
"""

from mjopt.learning.actions import (
    NUM_CHANNELS,
    NUM_TYPES,
    ActionType,
    change_of,
    full_number,
    happened,
    legal_numbers,
    small_number,
    small_of_full,
)
from mjopt.learning.configuration import PRESETS, Configuration

__all__ = [
    "NUM_CHANNELS",
    "NUM_TYPES",
    "PRESETS",
    "ActionType",
    "Configuration",
    "change_of",
    "full_number",
    "happened",
    "legal_numbers",
    "small_number",
    "small_of_full",
]
