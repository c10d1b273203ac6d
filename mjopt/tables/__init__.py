"""Lookup tables: exact deficiencies of arrays of hands."""

from mjopt.tables.batch import label, label_limited
from mjopt.tables.census import Census, census
from mjopt.tables.lookup import label_limited_one, label_one
from mjopt.tables.packed import label_packed, pack, unpack

__all__ = [
    "Census",
    "census",
    "label",
    "label_limited",
    "label_limited_one",
    "label_one",
    "label_packed",
    "pack",
    "unpack",
]
