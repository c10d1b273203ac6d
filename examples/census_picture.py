"""
All deals by deficiency
=======================

The exact census: every deal of 14 tiles, with three suits (M0) and with honours (FULL). The
picture needs ``pip install 'mjopt[experiments]'``.
"""

import matplotlib.pyplot as plt
import numpy as np

from mjopt import FULL, M0, census


def main() -> None:
    """Count, print and draw."""
    _, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for place, tiles in enumerate((M0, FULL)):
        deals = census(tiles).deals
        shares = [100 * number / sum(deals) for number in deals]
        mean = sum(value * number for value, number in enumerate(deals)) / sum(deals)
        print(f"{tiles.name}: {sum(deals):,} deals, mean deficiency {mean:.4f}")
        print("    " + "  ".join(f"{value}: {share:.4f} %" for value, share in enumerate(shares)))
        offset = np.arange(len(shares)) + 0.4 * place - 0.2
        axes.bar(offset, shares, width=0.4, label=f"{tiles.name}, {tiles.num_tiles} tiles")
    axes.set(xlabel="deficiency of 14 tiles dealt", ylabel="share of deals (%)")
    axes.legend()


if __name__ == "__main__":
    main()
    plt.show()
