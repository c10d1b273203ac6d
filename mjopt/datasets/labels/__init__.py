"""Labels of datasets."""

from mjopt.datasets.labels.registry import get_label
from mjopt.datasets.labels.target_counts import num_decompositions, num_targets
from mjopt.tables.useful import best_discard_masks, useful_masks

__all__ = [
    "best_discard_masks",
    "get_label",
    "num_decompositions",
    "num_targets",
    "useful_masks",
]
