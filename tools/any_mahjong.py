"""Measure how far random hands are from winning under each rule set.

``python -m tools.any_mahjong`` prints the table of docs/results/any-mahjong.md, from which
``python -m tools.figures`` draws the figure. Hands are dealt before the draw: 13 tiles, in Taiwan
16. All deals are counted.
"""

import mjopt
from mjopt.hands.rules.rule_file import RULE_SETS
from mjopt.hands.rules.rule_set import RuleSet

LAST = 8
"""Hands at least so far away share the last column."""


def line_of(rules: RuleSet) -> str:
    """Return a row of the table: the mean, and the shares in per cent."""
    counted = mjopt.census(rules=rules, size=rules.size - 1)
    shares = [number / counted.num_deals for number in counted.deals]
    mean = sum(value * share for value, share in enumerate(shares))
    shares += [0.0] * (LAST + 1 - len(shares))
    cells = [*shares[1:LAST], sum(shares[LAST:])]
    texts = [_per_cent(cell) for cell in cells]
    return f"| {' | '.join([f'`{rules.name}`', str(rules.size - 1), f'{mean:.5f}', *texts])} |"


def _per_cent(share: float) -> str:
    if 0 < share < 1e-6:
        return "< 0.0001"
    return f"{100 * share:.{2 if share > 1e-4 else 4}f}" if share else "0"


def main() -> None:
    """Print the table."""
    columns = ["rules", "tiles", "mean", *map(str, range(1, LAST)), f"{LAST} and more"]
    print(f"| {' | '.join(columns)} |\n|---|{'---:|' * (LAST + 2)}")
    for name in RULE_SETS:
        print(line_of(mjopt.get_rules(name)), flush=True)


if __name__ == "__main__":
    main()
