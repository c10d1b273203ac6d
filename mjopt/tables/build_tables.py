"""Derive the tables from the rules alone: ``python -m mjopt.tables.build_tables``."""

import hashlib
import sys
import zlib

import numpy as np
from numpy.typing import NDArray

from mjopt.tables.costs import NUM_COSTS, cost_vectors, joined
from mjopt.tables.state_index import MOST_TILES, num_states, state_copies
from mjopt.tables.table_file import DIGEST, PATH, SECTIONS

Rows = NDArray[np.int8]


def _classes(rows: Rows) -> tuple[Rows, NDArray[np.intp]]:
    """Assign numbers to the distinct rows (tiles, cost vector) in ascending order.

    All rows with too many tiles form one class, the last.
    """
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:  # eleven numbers, each at most fourteen: four bits each
        key = key << 4 | np.minimum(column, 15)
    key[rows[:, 0] > MOST_TILES] = (MOST_TILES + 1) << 4 * NUM_COSTS
    classes, number = np.unique(key, return_inverse=True)
    shifts = 4 * np.arange(NUM_COSTS, -1, -1)
    return (classes[:, None] >> shifts & 15).astype(np.int8), number


def _suit_classes(num_kinds: int, *, has_chows: bool) -> tuple[Rows, NDArray[np.intp]]:
    copies = state_copies(np.arange(num_states(num_kinds), dtype=np.uint32), num_kinds)
    row = copies.astype(np.int64) @ 5 ** np.arange(num_kinds - 1, -1, -1)
    costs = cost_vectors(num_kinds, has_chows=has_chows)[row]
    tiles = copies.sum(axis=1, dtype=np.int8)
    return _classes(np.column_stack([tiles, costs]))


def _join_classes(first: Rows, second: Rows) -> tuple[Rows, NDArray[np.intp]]:
    tiles = first[:, None, :1] + second[None, :, :1]
    costs = joined(first[:, 1:], second[:, 1:])
    keys = np.concatenate([tiles, costs], axis=2).reshape(-1, 1 + NUM_COSTS)
    return _classes(keys)


def derive() -> bytes:
    """Return the bytes of every table, in the order of ``SECTIONS``.

    Takes one or two seconds and 100 MB, without compilation.
    """
    suits, suit_class = _suit_classes(9, has_chows=True)
    honours, honour_class = _suit_classes(7, has_chows=False)
    pairs, pair_class = _join_classes(suits, suits)
    mixed, mixed_class = _join_classes(suits, honours)
    arrays: dict[str, NDArray[np.integer]] = {
        "suit_class": suit_class,
        "honour_class": honour_class,
        "pair_class": pair_class,
        "mixed_class": mixed_class,
    }
    for name, rows in (("suit", suits), ("honour", honours), ("pair", pairs), ("mixed", mixed)):
        arrays[f"{name}_cost"] = rows[:, 1:]
        arrays[f"{name}_size"] = rows[:, 0]
    parts = []
    for name, (kind, shape) in SECTIONS.items():
        assert arrays[name].size == np.prod(shape), (name, arrays[name].shape, shape)
        parts.append(np.ascontiguousarray(arrays[name]).astype(kind).tobytes())
    return b"".join(parts)


def main() -> int:
    """Derive the tables and write the file that is part of the package."""
    derived = derive()
    found = hashlib.sha256(derived).hexdigest()
    PATH.write_bytes(zlib.compress(derived, 9))
    sys.stdout.write(f"{PATH.name}: {PATH.stat().st_size} bytes, SHA-256 {found}\n")
    if found != DIGEST:
        sys.stdout.write("store.DIGEST is another: put this one there\n")
    return int(found != DIGEST)


if __name__ == "__main__":
    sys.exit(main())
