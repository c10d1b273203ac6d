"""Lookup tables: exact deficiencies of arrays of hands."""

from mjopt.tables.labels.batch import label_limited
from mjopt.tables.lookup import label_limited_one, label_one

__all__ = [
    "label_limited",
    "label_limited_one",
    "label_one",
]
