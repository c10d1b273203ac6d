"""Measure how far random hands are from winning under each rule set.

``python -m tools.any_mahjong`` prints the table of docs/results/any-mahjong.md, from which
``python -m tools.figures`` draws the figure. Hands are dealt before the draw: 13 tiles, in Taiwan
16. Exact counts where the census knows the forms, else so many labelled deals.
"""

import sys
from contextlib import suppress
from math import sqrt

import numpy as np

import mjopt
from mjopt.datasets import read_recipe
from mjopt.errors import HandError
from mjopt.hands.rule_file import RULE_SETS
from mjopt.hands.rule_set import RuleSet

DEALS, SEED = 10_000_000, 46
PART = 1_000_000
LAST = 8
"""Hands at least so far away share the last column."""


def shares_of(rules: RuleSet, deals: int = DEALS, seed: int = SEED) -> tuple[list[float], bool]:
    """Return the share of deals by deficiency, and whether all deals are counted."""
    size = rules.size - 1
    with suppress(HandError):  # the census does not know the forms
        counted = mjopt.census(rules=rules, size=size)
        return [number / counted.num_deals for number in counted.deals], True
    recipe = read_recipe(f"deals:{deals}", size=size, rules=rules)
    hands = recipe.counts(seed=seed)
    numbers = np.zeros(rules.size + 1, np.int64)
    for start in range(0, deals, PART):
        labels = mjopt.label(hands[start : start + PART], rules=rules, threads=None)
        numbers += np.bincount(labels, minlength=rules.size + 1)
    return [number / deals for number in np.trim_zeros(numbers, "b").tolist()], False


def line_of(rules: RuleSet, deals: int = DEALS) -> str:
    """Return a row of the table: the mean, and the shares in per cent."""
    shares, is_exact = shares_of(rules, deals)
    mean = sum(value * share for value, share in enumerate(shares))
    square = sum(value * value * share for value, share in enumerate(shares))
    width = 1.96 * sqrt((square - mean * mean) / deals)
    shown = f"{mean:.5f}" if is_exact else f"{mean:.4f} ± {width:.4f}"
    shares += [0.0] * (LAST + 1 - len(shares))
    cells = [*shares[1:LAST], sum(shares[LAST:])]
    texts = [_per_cent(cell) for cell in cells]
    source = "exact" if is_exact else f"{deals:,} deals"
    return f"| {' | '.join([f'`{rules.name}`', str(rules.size - 1), source, shown, *texts])} |"


def _per_cent(share: float) -> str:
    if 0 < share < 1e-6:
        return "< 0.0001"
    return f"{100 * share:.{2 if share > 1e-4 else 4}f}" if share else "0"


def main(deals: int = DEALS) -> None:
    """Print the table."""
    columns = ["rules", "tiles", "source", "mean", *map(str, range(1, LAST)), f"{LAST} and more"]
    print(f"| {' | '.join(columns)} |\n|---|---:|---|---:|{'---:|' * LAST}")
    for name in RULE_SETS:
        print(line_of(mjopt.get_rules(name), deals), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
