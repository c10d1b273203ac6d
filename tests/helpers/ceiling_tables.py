"""Ceiling tables for tests: of full size, but nearly all values are the same."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjopt.chances.ceiling.layout import make_layout
from mjopt.chances.ceiling.table import CeilingTable, TableKey, header_bytes

Values = Mapping[tuple[int, ...], int]

ALL_KEYS = tuple(
    TableKey(tiles=tiles, called=called, all_layers=True)
    for tiles in ("m0", "136")
    for called in range(5)
)
_FLAT = "0" * 64  # digest of a layer that is not in the file


class _Layer:
    """A layer of one value, apart from some hand numbers."""

    def __init__(self, values: dict[int, int], other: int) -> None:
        self._values, self._other = values, other

    def __getitem__(self, numbers: Any) -> Any:
        found = np.full(np.shape(numbers), self._other, np.uint16)
        for number, value in self._values.items():
            found[numbers == number] = value
        return found


def install_flat_tables(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    keys: Iterable[TableKey] = ALL_KEYS,
    values: Values | None = None,
    *,
    other: int = 0,
) -> None:
    """Make a folder with tables of one value the data folder; some hands may have other values.

    The files are sparse, and nothing reads their layers.
    """
    for key in keys:
        layout = make_layout(key.tile_set, key.size)
        head = header_bytes(key, [0.0] * (key.draws + 1), [_FLAT] * len(key.layers))
        path = folder / key.file_name
        path.write_bytes(head)
        os.truncate(path, len(head) + 2 * len(key.layers) * layout.num_states)
    read = CeilingTable.layer

    def layer(table: CeilingTable, draws: int) -> Any:
        if draws not in table.key.layers or table.digests[0] != _FLAT:
            return read(table, draws)
        size, layout = table.key.size, table.layout
        hands = {hand: value for hand, value in (values or {}).items() if sum(hand) == size}
        numbers = (layout.numbers(np.array([hand], np.uint8)).item() for hand in hands)
        return _Layer(dict(zip(numbers, hands.values(), strict=True)), other)

    monkeypatch.setattr(CeilingTable, "layer", layer)
    monkeypatch.setenv("MJOPT_DATA", str(folder))
