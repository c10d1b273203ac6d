"""Check a ceiling table: build it again, and recompute sampled hands in exact fractions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isclose
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.chances.ceiling._kernels import ONE, STORED_ONE, Values
from mjopt.chances.ceiling.build import check_memory, requirements
from mjopt.chances.ceiling.layout import OFFSET, Layout, make_layout
from mjopt.chances.ceiling.recursion import (
    Counts,
    Number,
    changed,
    discard_value,
    draw_value,
    drawn_kinds,
    hands_after,
)
from mjopt.chances.ceiling.sweeps import stored_values, sweeping
from mjopt.chances.ceiling.table import CeilingTable, Stored
from mjopt.errors import ArgumentError, CertificateError, FileError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.rows._array_input import check_threads

# Three comparisons: digests (the file is as it was written), a second build (all stored values),
# and single steps of the recursion for sampled hands in exact fractions (`recursion`, which shares
# no code with the kernels). A step needs only values of the layer before, which were checked in the
# same way: so samples of every layer test the whole induction.

Exact = dict[Counts, int]
"""Values of hands, in units of 1 / ONE or of the file."""

MAX_SAMPLE: Final = 1_000_000

_BATCH: Final = 50  # hands whose successors are in memory together
_AWKWARD_SHARE: Final = 4  # every fourth hand of a sample is an awkward one


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCheck:
    """Numbers of layers and hands that a check compared and found equal.

    Parameters
    ----------
    layers
        Stored layers whose SHA-256 was compared.
    rebuilt
        Whether the table was built again and all stored numbers were compared.
    sampled
        Hands after a discard that were recomputed from the layer before.
    sampled_full
        Hands with a drawn tile that were recomputed on the way.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling, check_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     check_table(table, sample=12)
    TableCheck(layers=1, rebuilt=True, sampled=12, sampled_full=292)
    """

    layers: int
    rebuilt: bool
    sampled: int
    sampled_full: int


def check_table(
    table: CeilingTable,
    *,
    sample: int = 1000,
    seed: int = 0,
    rebuild: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TableCheck:
    """Check a table.

    The SHA-256 of every layer is compared with the header. Then the table is built again: sampled
    hands of every layer are recomputed from the layer before, in exact fractions and plain Python,
    and must be equal after rounding up; each stored layer must be equal to the file at all hands.

    Parameters
    ----------
    table
        The table.
    sample
        Number of sampled hands, spread over the layers.
    seed
        Seed of the sample.
    rebuild
        False saves the memory of a build. Sampled hands are then recomputed from the numbers of the
        file, if it has all layers, and must agree within their rounding.
    threads
        Number of threads; by default all cores.
    progress
        Receives progress reports.

    Raises
    ------
    CertificateError
        If anything differs.
    FileError
        If the table cannot be built again here, for want of memory.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     check_table(table, sample=12).sampled
    12
    """
    expect(table, CeilingTable, "table")
    if not 0 <= whole(sample, "sample") <= MAX_SAMPLE:
        raise ArgumentError(
            argument="sample", value=short_repr(sample), expected=f"0..{MAX_SAMPLE}"
        )
    if whole(seed, "seed") < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="0 or more")
    progress, threads = progress or NoProgress(), check_threads(threads)
    if rebuild:
        check_memory(requirements(table.key))
    try:
        table.check_digests()
    except FileError as error:
        raise CertificateError(error.detail, argument=error.argument) from error
    key, num_layers = table.key, len(table.key.layers)
    layout, rng = make_layout(key.tile_set, key.size), np.random.default_rng(seed)
    hands = _Sample(layout, key.draws, sample, rng)
    if rebuild:
        full = _check_by_rebuilding(table, hands, threads, progress)
    elif key.all_layers:
        full = _check_within_file(table, hands, progress)
    else:  # one layer alone says nothing about the others
        return TableCheck(layers=num_layers, rebuilt=False, sampled=0, sampled_full=0)
    return TableCheck(layers=num_layers, rebuilt=rebuild, sampled=sample, sampled_full=full)


class _Sample:
    """Sampled hands of every layer, in numbers as equal as possible.

    Most are random numbers; the others are hands where mistakes are likely: the first and last
    hand of a block of the layout, and hands with many kinds four times.
    """

    def __init__(self, layout: Layout, draws: int, sample: int, rng: np.random.Generator) -> None:
        self._layout, self._rng = layout, rng
        self._sizes = [sample * m // draws - sample * (m - 1) // draws for m in range(1, draws + 1)]
        ends = np.append(layout.blocks[1:, OFFSET], layout.num_states) - 1
        fours = layout.numbers(_hands_of_fours(layout.tiles, layout.size))
        self._awkward = np.unique(np.concatenate([layout.blocks[:, OFFSET], ends, fours]))

    def batches(self, draws: int) -> Iterator[list[Counts]]:
        """Yield the hands of a layer in small batches."""
        size = self._sizes[draws - 1]
        numbers = self._rng.integers(self._layout.num_states, size=size)
        numbers[::_AWKWARD_SHARE] = self._rng.choice(self._awkward, len(numbers[::_AWKWARD_SHARE]))
        for start in range(0, size, _BATCH):
            yield [
                tuple(self._layout.hand(number).tolist())
                for number in numbers[start : start + _BATCH].tolist()
            ]


def _hands_of_fours(tiles: TileSet, size: int) -> NDArray[np.uint8]:
    """Return hands that hold as many kinds as possible four times, neighbours or far apart."""
    hands = []
    for step in range(1, tiles.num_kinds):
        for first in range(tiles.num_kinds):
            kinds = [(first + step * k) % tiles.num_kinds for k in range(-(-size // COPIES))]
            if len({*kinds}) == len(kinds):
                hand = np.zeros(tiles.num_kinds, np.uint8)
                hand[kinds] = COPIES
                hand[kinds[-1]] -= COPIES * len(kinds) - size
                hands.append(hand)
    return np.array(hands, np.uint8)


def _check_by_rebuilding(
    table: CeilingTable, hands: _Sample, threads: int, progress: Progress
) -> int:
    """Build the table again; return the number of recomputed hands with a drawn tile."""
    key = table.key
    layout, full_layout = (make_layout(key.tile_set, size) for size in (key.size, key.size + 1))
    expected: list[tuple[Exact, Exact]] = []
    num_full = 0

    # The next sweep overwrites the layer before, so expected values are computed ahead of it.
    def recompute(draws: int, held: Values) -> None:
        """Recompute the sampled hands of a layer from the layer before."""
        expected.clear()
        for batch in hands.batches(draws):
            before = _values_after(batch, layout, held)
            in_wall = key.wall_size - (key.draws - draws)
            expected.append(_recompute(batch, key.tile_set, in_wall, before))

    def observe(draws: int, full: Values, held: Values) -> None:
        nonlocal num_full
        for exact_held, exact_full in expected:
            _compare(draws, exact_held, layout, held, key.called)
            _compare(draws, exact_full, full_layout, full, key.called)
            num_full += len(exact_full)
        if draws in key.layers:
            _compare_layer(table, draws, held)
        if draws < key.draws:
            recompute(draws + 1, held)

    with sweeping(key, threads, progress) as sweeps:
        recompute(1, sweeps.held)
        sweeps.run(observe=observe)
    for draws, (mean, again) in enumerate(zip(table.means, sweeps.means, strict=True)):
        if not isclose(mean, again, rel_tol=1e-12):
            raise CertificateError(
                f"{table.path}: mean of {draws} draws {mean}", expected=str(again)
            )
    return num_full


def _numbers(layout: Layout, hands: Iterable[Counts]) -> NDArray[np.int64]:
    return layout.numbers(np.array([*hands], np.uint8).reshape(-1, layout.tiles.num_kinds))


def _values_after(batch: list[Counts], layout: Layout, values: Values | Stored) -> Exact:
    """Return the values of these hands and of all that one draw and one discard lead to."""
    reached = {*batch}.union(*map(hands_after, batch))
    found: list[int] = values[_numbers(layout, reached)].tolist()
    return dict(zip(reached, found, strict=True))


def _recompute(
    batch: list[Counts], tiles: TileSet, in_wall: int, values: Exact
) -> tuple[Exact, Exact]:
    """Return the exact values of hands, and of these hands with each tile that they can draw."""
    full = {changed(hand, kind, 1) for hand in batch for kind in drawn_kinds(hand)}
    best = {hand: int(discard_value(hand, tiles, values.__getitem__, ONE)) for hand in full}
    exact = {
        hand: ceil(draw_value(hand, in_wall, values[hand], best.__getitem__, ONE)) for hand in batch
    }
    return exact, best


def _compare(draws: int, expected: Exact, layout: Layout, values: Values, called: int) -> None:
    """Compare the built values of hands with exact ones."""
    found = values[_numbers(layout, expected)].tolist()
    for (hand, exact), built in zip(expected.items(), found, strict=True):
        if exact != built:
            raise CertificateError(
                f"layer {draws}, {_text(hand, called)}: the build gives {built}/{ONE}, "
                f"exact fractions {exact}/{ONE}"
            )


def _compare_layer(table: CeilingTable, draws: int, held: Values) -> None:
    """Compare a stored layer with the built one at all hands."""
    start = 0
    for stored, built in zip(table.read_layer(draws), stored_values(held), strict=True):
        if (wrong := np.flatnonzero(stored != built)).size:
            number = int(wrong[0])
            hand = tuple(table.layout.hand(start + number).tolist())
            raise CertificateError(
                f"layer {draws}, {_text(hand, table.key.called)}: the file holds "
                f"{stored[number]}/{STORED_ONE}",
                expected=f"{built[number]}/{STORED_ONE}",
            )
        start += len(built)


def _text(hand: Counts, called: int) -> str:
    return Hand.from_counts(hand, called=called).to_text()


def _check_within_file(table: CeilingTable, hands: _Sample, progress: Progress) -> int:
    """Compare sampled hands with the layer before, within the rounding of the file."""
    key = table.key
    progress.begin(key.draws, "layers")
    num_full = 0
    for draws in range(1, key.draws + 1):
        before: Stored = np.zeros(table.layout.num_states, np.uint16)
        before = table.layer(draws - 1) if draws > 1 else before
        in_wall = key.wall_size - (key.draws - draws)
        for batch in hands.batches(draws):
            values = _values_after(batch, table.layout, before)
            stored = table.layer(draws)[_numbers(table.layout, batch)].tolist()
            for hand, value in zip(batch, stored, strict=True):
                low, high = _interval(hand, key.tile_set, in_wall, values, is_exact=draws == 1)
                if not low <= value <= high:
                    raise CertificateError(
                        f"layer {draws}, {_text(hand, key.called)}: the file holds "
                        f"{value}/{STORED_ONE}",
                        expected=f"{low} to {high}",
                    )
                num_full += len(drawn_kinds(hand))
        progress.advance(1)
    return num_full


def _interval(
    hand: Counts, tiles: TileSet, in_wall: int, values: Exact, *, is_exact: bool
) -> tuple[int, int]:
    """Return the least and the greatest stored value that the layer before allows.

    A stored number exceeds its value by less than one unit. One step increases with the values of
    other hands; the own value counts once alone, and once subtracted from the others.
    """
    unit = 0 if is_exact else 1
    own = values[hand]

    def least(full: Counts) -> Number:
        return discard_value(full, tiles, values.__getitem__, STORED_ONE + unit) - unit

    def greatest(full: Counts) -> Number:
        return discard_value(full, tiles, values.__getitem__, STORED_ONE)

    low = draw_value(hand, in_wall, own, least, STORED_ONE) - unit
    high = draw_value(hand, in_wall, own - unit, greatest, STORED_ONE) + unit
    return max(0, ceil(low)), min(STORED_ONE, ceil(high + Fraction(STORED_ONE, ONE)))
