"""
All hands of one type
=====================

Write the paper's one-type set, all 118,800 hands, as a NumPy array for ``mjopt label``.

Usage: python examples/one_type_hands.py [FILE.npy]
"""

import sys

import numpy as np

from mjopt.datasets import read_recipe


def main(path: str = "one_type.npy") -> None:
    counts = read_recipe("one-type").counts()
    np.save(path, counts)
    print(f"{len(counts):,} hands in {path}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
