"""A sampled bound on the mean of optimal play, sharper than the mean ceiling.

The information relaxation of Brown, Smith and Sun (2010): a player who knows all draws, but pays
for this knowledge. The payment at each draw is the value of the hand with this tile minus its
mean over the tiles in the wall, with the ceiling as value. A play that does not know the draws
pays 0 on average, so the mean over deals of the best result with knowledge is at least that of
optimal play. The ceiling minus the result is a sum of losses that are not negative: of draws, where
the wall holds fewer wanted tiles than the ceiling assumes, and of discards that are not those of
the ceiling. So a search for the least loss in order of loss ends soon.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ceiling.least_loss import least_loss
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.validation import whole
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.table import CeilingTable
from mjopt.errors import ArgumentError, FileError
from mjopt.play.solitaire.ceiling_play import deal_walls, lookup_arrays
from mjopt.tables.rows._array_input import check_threads

FIRST_WIDTH: Final = 32
WIDTH: Final = 4096
"""Number of hands that a search keeps after each draw."""

Z_95: Final = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaxedBound:
    """A sampled upper bound on the mean chance to win of optimal play, over all deals."""

    deals: int  # in the sample
    ceiling: float  # mean over all deals, which is exact
    loss: float  # mean least loss of a player who knows all draws
    standard_error: float  # of the loss
    # Number of deals on which the search proved its result; for the others a smaller loss counts.
    complete: int

    @property
    def value(self) -> float:
        """The estimated bound: losses are relative to stored ceilings, which are rounded up."""
        return self.ceiling + 1 / STORED_ONE - self.loss

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the bound."""
        half = Z_95 * self.standard_error
        return self.value - half, self.value + half


def relaxed_bound(
    table: CeilingTable,
    *,
    deals: int = 1000,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> RelaxedBound:
    """Estimate a bound on the mean of optimal play by an information relaxation.

    With called melds, whose tiles are unknown, they count as tiles of the wall.

    Progress is reported in deals. The result does not depend on the number of threads. FileError if
    the table does not hold all layers.

    References
    ----------
    .. [1] D. B. Brown, J. E. Smith, P. Sun, "Information relaxations and duality in stochastic
       dynamic programs", Operations Research 58 (2010).
    """
    key = table.key
    if not key.all_layers:
        raise FileError(str(table.path), expected="a table with all layers")
    if whole(deals, "deals") < 2:
        raise ArgumentError(argument="deals", value=str(deals), expected="2 or more")
    progress = progress or NoProgress()
    progress.begin(deals, "deals")
    search = _search(table)
    decks = deal_walls(key.tile_set, deals, key.size + 1 + key.draws, (seed, 0))
    losses, complete = np.empty(deals), 0
    with ThreadPoolExecutor(check_threads(threads), thread_name_prefix="mjopt-relaxation") as pool:
        try:
            for row, (found, proven) in enumerate(pool.map(search, decks)):
                losses[row] = proven / STORED_ONE
                complete += found == proven
                progress.advance()
        finally:
            pool.shutdown(cancel_futures=True)
    return RelaxedBound(
        deals=deals,
        ceiling=table.means[-1],
        loss=float(losses.mean()),
        standard_error=float(losses.std(ddof=1)) / sqrt(deals),
        complete=int(complete),
    )


def _search(table: CeilingTable) -> Callable[[NDArray[np.uint8]], tuple[float, float]]:
    """Return a function from a deck to the least loss found, and a bound below it."""
    layers, draws = table.all_layers, table.key.draws
    constants = lookup_arrays(table), table.key.tile_set.num_kinds

    def search(deck: NDArray[np.uint8]) -> tuple[float, float]:
        found, proven = least_loss(deck, draws, layers, FIRST_WIDTH, float(STORED_ONE), *constants)
        if found != proven:  # the result of a narrow search limits a wide one
            found, proven = least_loss(deck, draws, layers, WIDTH, found, *constants)
        return found, proven

    return search
