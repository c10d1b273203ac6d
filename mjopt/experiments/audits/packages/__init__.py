"""Somebody else's deficiencies held against the true ones, row by row."""

from mjopt.experiments.audits.packages.comparison import Disagreement, Findings, compare
from mjopt.experiments.audits.packages.peers import PEERS, get_peer
from mjopt.experiments.audits.packages.value_file import ValueFile, ValueRow

__all__ = [
    "PEERS",
    "Disagreement",
    "Findings",
    "ValueFile",
    "ValueRow",
    "compare",
    "get_peer",
]
