"""Somebody else's deficiencies held against the true ones, row by row."""

from mjopt.value_audit.adapters import PEERS, get_peer
from mjopt.value_audit.compare import Disagreement, Findings, compare
from mjopt.value_audit.rows import ValueRow
from mjopt.value_audit.value_file import ValueFile

__all__ = [
    "PEERS",
    "Disagreement",
    "Findings",
    "ValueFile",
    "ValueRow",
    "compare",
    "get_peer",
]
