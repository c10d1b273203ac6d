"""
Your own rule for discards
==========================

A rule is a function of a hand with its drawn tile and of the wall, the number of tiles left of
each kind. It returns the kind to discard or its name. ``mjopt solitaire`` lets rules play the same
random deals alone::

    mjopt solitaire useful own_rule.py:second_order own_rule.py:mixture --deals 1000
"""

import inspect

import mjopt
from mjopt.play.solitaire import rank_rules

Wall = tuple[int, ...]


def second_order(hand: mjopt.Hand, wall: Wall) -> int:
    """Discard for the least deficiency, then most useful tiles, then most of them after these."""
    rows = mjopt.discards(hand, unseen=wall)
    best = rows[0].deficiency, rows[0].after.num_copies
    tied = [row for row in rows if (row.deficiency, row.after.num_copies) == best]
    if len(tied) == 1:
        return tied[0].kind
    return max(tied, key=lambda row: count_two_steps(row, wall)).kind


def mixture(hand: mjopt.Hand, wall: Wall) -> int:
    """Discard for the least deficiency, then for useful tiles now and after the next draw."""
    rows = mjopt.discards(hand, unseen=wall)
    nearest = [row for row in rows if row.deficiency == rows[0].deficiency]
    left = sum(wall)
    return max(
        nearest, key=lambda row: row.after.num_copies + 3 * count_two_steps(row, wall) / left
    ).kind


def count_two_steps(row: mjopt.Discard, wall: Wall) -> int:
    """Count the ways to draw two useful tiles in a row after a discard."""
    if row.deficiency == 1:  # the first one completes the hand
        return 0
    ways = 0
    for kind, copies in row.after.copies:
        drawn = [held + (k == kind) for k, held in enumerate(row.after.hand.counts)]
        left = [number - (k == kind) for k, number in enumerate(wall)]
        ways += copies * mjopt.discards(drawn, unseen=left)[0].after.num_copies
    return ways


def main(deals: int = 5) -> None:
    """Rank both rules beside two built-in ones."""
    file = inspect.getfile(mixture)
    rules = ["deficiency", "useful", f"{file}:second_order", f"{file}:mixture"]
    for row in rank_rules(rules, deals=deals, seed=1).rules:
        print(f"{row.name.rpartition('/')[2]}: {row.wins[-1]} of {deals} deals won")


if __name__ == "__main__":
    main(20)
