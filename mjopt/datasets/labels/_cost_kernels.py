"""Kernel for the paper's cost."""

from typing import Any

from mjopt.runtime.kernels import kernel
from mjopt.tables.paper_joins import least_cost


@kernel
def least_costs(words: Any, bit: Any, out: Any) -> None:
    """Write the least of Eq. 8 for every signature of a whole hand."""
    for row in range(len(words)):
        out[row] = least_cost(words[row], bit, True)
