"""Ceiling tables: for every hand, a bound on the chance to win that no play exceeds."""

from mjopt.chances.ceiling.build import Requirements, build_ceiling, requirements
from mjopt.chances.ceiling.check import TableCheck, check_table
from mjopt.chances.ceiling.describe import (
    CeilingGroup,
    TableDescription,
    describe_table,
    plot_description,
)
from mjopt.chances.ceiling.table import CeilingTable, TableKey, data_folder, find_table

__all__ = [
    "CeilingGroup",
    "CeilingTable",
    "Requirements",
    "TableCheck",
    "TableDescription",
    "TableKey",
    "build_ceiling",
    "check_table",
    "data_folder",
    "describe_table",
    "find_table",
    "plot_description",
    "requirements",
]
