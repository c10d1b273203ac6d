"""Kernel for the paper's cost."""

from typing import Any

from mjopt.compiled import kernel
from mjopt.paper_audit.joins import least_cost

__all__ = ["least_costs"]


@kernel
def least_costs(words: Any, bit: Any, out: Any) -> None:
    """Write the least of Eq. 8 for every signature of a whole hand."""
    for row in range(len(words)):
        out[row] = least_cost(words[row], bit, True)
