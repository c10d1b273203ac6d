"""Labels of datasets."""

from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label
from mjopt.datasets.labels.registry import LABELS, get_label
from mjopt.datasets.labels.target_counts import num_decompositions, num_targets
from mjopt.tables.useful import best_discard_masks, useful_masks

__all__ = [
    "LABELS",
    "DatasetColumn",
    "HandRows",
    "Label",
    "best_discard_masks",
    "get_label",
    "num_decompositions",
    "num_targets",
    "useful_masks",
]
