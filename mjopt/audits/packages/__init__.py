"""Compare deficiencies from files and other packages with the exact ones, row by row."""

from mjopt.audits.packages.adapters import PEERS, get_peer
from mjopt.audits.packages.comparison import Disagreement, Findings, compare
from mjopt.audits.packages.value_file import ValueFile, ValueRow

__all__ = [
    "PEERS",
    "Disagreement",
    "Findings",
    "ValueFile",
    "ValueRow",
    "compare",
    "get_peer",
]
