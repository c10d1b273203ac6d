"""
All hands of one type
=====================

Write the paper's one-type set, all 118,800 hands, as a NumPy array for ``mjopt label``.

Usage: python examples/one_type_hands.py [FILE.npy]
"""

import sys

import numpy as np

from mjopt.tables.state_index import one_type_counts


def main(path: str = "one_type.npy") -> None:
    suit = one_type_counts()
    counts = np.zeros((len(suit), 27), dtype=np.uint8)
    counts[:, :9] = suit
    np.save(path, counts)
    print(f"{len(counts):,} hands in {path}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
