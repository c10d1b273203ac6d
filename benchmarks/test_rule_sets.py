"""Labels, useful tiles, discards and draws of every rule set, beside those of riichi.

Calls alternate within one run, so that the ratios hold on a busy machine; times are processor time.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import mjopt
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules, parse_rules
from mjopt.hands.rules.rule_set import RuleSet

LAIZI = 'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1\n'
NAMES = [*RULE_SETS, "laizi"]


def rules_of(name: str) -> RuleSet:
    return parse_rules(LAIZI, "laizi.toml") if name == "laizi" else get_rules(name)


def deal(rules: RuleSet, number: int, size: int) -> NDArray[np.uint8]:
    """Deal hands uniformly."""
    rng, kinds = np.random.default_rng(2026), rules.tiles.num_kinds
    order = rng.random((number, 4 * kinds)).argpartition(size, axis=1)[:, :size] // 4
    hands = np.zeros((number, kinds), np.uint8)
    np.add.at(hands, (np.arange(number)[:, None], order), 1)
    return hands


def seconds_of(call: Callable[[], object], rounds: int) -> float:
    """Return the least processor time of several calls."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def calls_in_bulk(rules: RuleSet, number: int) -> dict[str, Callable[[], object]]:
    full, fewer = (deal(rules, number, size) for size in (rules.size, rules.size - 1))
    return {
        "label": lambda: mjopt.label(full, rules=rules),
        "useful_tiles_many": lambda: mjopt.useful_tiles_many(fewer, rules=rules),
        "discards_many": lambda: mjopt.discards_many(full, rules=rules),
    }


def calls_of_one(rules: RuleSet, number: int) -> dict[str, Callable[[], object]]:
    hands = [
        mjopt.Hand.from_counts(row, tiles=rules.tiles, rules=rules)
        for row in deal(rules, number, rules.size).tolist()
    ]
    return {
        "deficiency": lambda: [mjopt.deficiency(hand) for hand in hands],
        "discards": lambda: [mjopt.discards(hand) for hand in hands],
        "draws": lambda: [mjopt.draws(hand) for hand in hands[:2]],
    }


@pytest.mark.parametrize("kind", ["bulk", "one"])
def test_every_rule_set(kind: str, quick: bool) -> None:
    """Print a row for each rule set: ns a hand in bulk, or us a hand one by one."""
    number = {"bulk": 5_000 if quick else 200_000, "one": 10 if quick else 100}[kind]
    scale, calls = (1e9, calls_in_bulk) if kind == "bulk" else (1e6, calls_of_one)
    for name in NAMES:
        row = []
        for title, call in calls(rules_of(name), number).items():
            call()
            hands = 2 if title == "draws" else number
            each = seconds_of(call, 1 if quick else 3) / hands * scale
            row.append(f"{title} {each:,.0f}" if each >= 20 else f"{title} {each:.1f}")
        sys.stdout.write(f"\n{name:12}" + "   ".join(row))
