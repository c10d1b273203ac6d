"""Describe a ceiling table: its values over all deals, exactly."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.plot_style import make_panels, plot_style, series_style, write_figure
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.validation import expect
from mjopt.chances.ceiling._kernels import STORED_ONE, tally
from mjopt.chances.ceiling.layout import FIRST_NUMBER, Layout, has_honours, make_layout
from mjopt.chances.ceiling.suits import honour_moves, suit_moves
from mjopt.chances.ceiling.sweeps import MILLION, split_blocks
from mjopt.chances.ceiling.table import CeilingTable, TableKey
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.tables.rows._array_input import check_threads

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

_MAX_DEFICIENCY: Final = 14  # every tile of a hand changes


@dataclass(frozen=True, slots=True, kw_only=True)
class CeilingGroup:
    """The ceilings of all deals, or of those with one deficiency.

    Values are multiples of 1/65535, rounded up, as in the file.

    Parameters
    ----------
    deficiency
        Of these deals; None for all.
    deals
        Number of deals.
    mean
        Mean value.
    quantiles
        For each of ``QUANTILES``, the least value that at least this share of the deals does not
        exceed.
    highest, lowest
        A hand with the greatest value, and one with the least.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling, describe_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     found = describe_table(table)
    >>> group = found.groups[0]
    >>> group.deficiency, round(float(group.mean), 4)
    (0, 1.0)
    """

    deficiency: int | None
    deals: int
    mean: Fraction
    quantiles: tuple[Fraction, ...]
    highest: tuple[Hand, Fraction]
    lowest: tuple[Hand, Fraction]

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document."""
        pairs = zip(QUANTILES, self.quantiles, strict=True)
        return {
            "deficiency": self.deficiency,
            "deals": self.deals,
            "mean": float(self.mean),
            "quantiles": {str(share): float(value) for share, value in pairs},
            **{
                name: {"hand": hand.to_text(), "ceiling": str(value)}
                for name, (hand, value) in (("highest", self.highest), ("lowest", self.lowest))
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDescription:
    """The values of a table over all deals of a hand with its drawn tile.

    Parameters
    ----------
    key
        The question that the table answers.
    means
        Mean value before rounding for the file, by the number of draws to come, ``0..draws``.
    every
        All deals, for the greatest number of draws.
    groups
        The deals of each deficiency.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling, describe_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     found = describe_table(table)
    >>> len(found.groups), found.groups[0].deals
    (2, 162)
    """

    key: TableKey
    means: tuple[float, ...]
    every: CeilingGroup
    groups: tuple[CeilingGroup, ...]

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document."""
        return {
            "means": list(self.means),
            "all": self.every.to_document(),
            "by_deficiency": [group.to_document() for group in self.groups],
        }


def describe_table(
    table: CeilingTable, *, threads: int | None = None, progress: Progress | None = None
) -> TableDescription:
    """Describe the values of a table over all deals, each counted by its exact number.

    Parameters
    ----------
    table
        The table.
    threads
        Number of threads; by default all cores.
    progress
        Receives progress reports.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     found = describe_table(table, threads=1)
    >>> found.every.deals, [(group.deficiency, group.deals) for group in found.groups]
    (5778, [(0, 162), (1, 5616)])
    """
    expect(table, CeilingTable, "table")
    key = table.key
    full = make_layout(key.tile_set, key.size + 1)
    weights, extremes = _tally(table, full, check_threads(threads), progress or NoProgress())
    deficiencies = np.flatnonzero(weights.any(axis=1)).tolist()
    groups = [_group(n, weights[n], extremes[n], full, key.called) for n in deficiencies]
    every = _group(None, weights.sum(axis=0), _merge(extremes), full, key.called)
    assert every.deals == comb(key.tile_set.num_tiles, key.size + 1)
    return TableDescription(key=key, means=table.means, every=every, groups=tuple(groups))


def _tally(
    table: CeilingTable, full: Layout, threads: int, progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of deals by deficiency and value, and the extremes of each deficiency."""
    suits, honours, key = suit_moves(), honour_moves(), table.key
    moves = full.moves_to(table.layout)
    layer = np.asarray(table.layer(key.draws))
    weights = np.zeros((threads, _MAX_DEFICIENCY + 1, STORED_ONE + 1), np.int64)
    extremes = np.full((threads, _MAX_DEFICIENCY + 1, 4), -1, np.int64)
    free: SimpleQueue[int] = SimpleQueue()
    # Each running task borrows counts of its own, so that no two threads add to one array.
    for number in range(threads):
        free.put(number)

    def run(task: tuple[int, int, int]) -> None:
        block, low, high = task
        own = free.get()
        tally(
            weights[own],
            extremes[own],
            layer,
            full.blocks[block],
            moves[block],
            suits,
            honours,
            has_honours(key.tile_set),
            2 * (4 - key.called) + 1,
            STORED_ONE,
            low,
            high,
        )
        free.put(own)

    tasks = list(split_blocks(full))
    progress.begin(full.num_states / MILLION, "million hands")
    with ThreadPoolExecutor(threads, thread_name_prefix="mjopt-ceiling") as pool:
        try:
            for (block, low, high), _ in zip(tasks, pool.map(run, tasks), strict=True):
                progress.advance((high - low) * int(full.blocks[block, FIRST_NUMBER]) / MILLION)
        finally:
            pool.shutdown(cancel_futures=True)
    merged = np.array([_merge(extremes[:, n]) for n in range(extremes.shape[1])])
    return weights.sum(axis=0), merged


def _merge(extremes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Merge rows of extremes; of equal values, the hand with the least number counts."""
    found = extremes[extremes[:, 0] >= 0]
    if not len(found):
        return np.full(4, -1, np.int64)
    high = found[np.lexsort((found[:, 1], -found[:, 0]))[0]]
    low = found[np.lexsort((found[:, 3], found[:, 2]))[0]]
    return np.concatenate([high[:2], low[2:]])


def _group(
    deficiency: int | None,
    weights: NDArray[np.int64],
    extremes: NDArray[np.int64],
    full: Layout,
    called: int,
) -> CeilingGroup:
    values = np.flatnonzero(weights)
    numbers: list[int] = weights[values].tolist()  # Python integers: the sums below are exact
    deals = sum(numbers)
    total = sum(value * number for value, number in zip(values.tolist(), numbers, strict=True))
    below = np.cumsum(weights[values])
    places = [
        int(np.searchsorted(below, -(-Fraction(str(share)) * deals // 1))) for share in QUANTILES
    ]
    highest, lowest = (
        (
            Hand.from_counts(full.hand(int(extremes[n + 1])).tolist(), called=called),
            Fraction(int(extremes[n]), STORED_ONE),
        )
        for n in (0, 2)
    )
    return CeilingGroup(
        deficiency=deficiency,
        deals=deals,
        mean=Fraction(total, deals * STORED_ONE),
        quantiles=tuple(Fraction(int(values[place]), STORED_ONE) for place in places),
        highest=highest,
        lowest=lowest,
    )


def plot_description(
    found: TableDescription, path: Path, *, played: Sequence[float] | None = None
) -> None:
    """Plot the mean ceiling by number of draws; the same description gives the same file.

    Parameters
    ----------
    found
        The description.
    path
        A ``.svg`` or ``.png`` file.
    played
        Shares of deals that a player won within 0, 1, ... draws, drawn as a second curve.

    Raises
    ------
    FileError
        If the name ends in something else.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling, describe_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6), )
    ...     plot_description(describe_table(table), Path(folder, "means.svg"))
    ...     Path(folder, "means.svg").is_file()
    True
    """
    expect(found, TableDescription, "found")
    if played is not None and len(played) != len(found.means):
        raise ArgumentError(
            f"{len(played)} shares", argument="played", expected=str(len(found.means))
        )
    write_figure(path, _figure(found, played))


@plot_style()
def _figure(found: TableDescription, played: Sequence[float] | None) -> "Figure":
    figure, [panel] = make_panels(1)
    draws = range(len(found.means))
    curves = {"ceiling: no play wins more often": found.means, "played by the table": played}
    for index, (label, shares) in enumerate(curves.items()):
        if shares is not None:
            heights = [100 * share for share in shares]
            panel.plot(draws, heights, label=label, **series_style(index).curve)
    panel.set_xlabel("draws to come")
    panel.set_ylabel("deals won (%)")
    panel.set_ylim(0, None)
    panel.locator_params(axis="x", integer=True)
    panel.legend(loc="upper left")
    return figure
