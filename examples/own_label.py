"""
Your own label
==============

A label adds columns to a dataset: it has a name, columns, and a function of many hands. Parquet
needs ``pip install 'mjopt[datasets]'``.
"""

import tempfile
from pathlib import Path

import numpy as np

from mjopt.datasets import (
    LABELS,
    DatasetColumn,
    HandRows,
    Label,
    build,
    check_dataset,
    make_plan,
    sample_rows,
)


def suits_held(rows: HandRows) -> np.ndarray:
    """Count the suits of each hand; honours are a suit, too."""
    letters = np.array([name[1] for name in rows.deal.tiles.names])
    held = [rows.hands[:, letters == letter].any(axis=1) for letter in np.unique(letters)]
    return np.sum(held, axis=0)


SUITS = Label(
    name="suits",
    engine="suits 1",  # stored in every row; change the number when the values change
    columns=(DatasetColumn("num_suits", "int8", "suits with tiles in the hand"),),
    compute=suits_held,
    # The second method, by which `check_dataset` verifies a sample of rows.
    verify=lambda hand: len({hand.tiles.letter(k) for k, n in enumerate(hand.counts) if n}),
)


def main() -> None:
    """Build a dataset with the label, and check it."""
    LABELS[SUITS.name] = SUITS  # its name in this process
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hands")
        build(make_plan("two-type:1000", seed=1, labels=("deficiency", "suits")), path)
        print("sound:", check_dataset(path, sample=20).is_sound)
        for row in sample_rows(path, 3, rng=np.random.default_rng(1)):
            print(row["hand"], row["deficiency"], row["num_suits"])


if __name__ == "__main__":
    main()
