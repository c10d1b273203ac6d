"""The kinds that nearest hands draw, of many hands at once."""

import numpy as np
import pytest

from mjopt import Hand, targets
from mjopt._internal.jit import compile_always
from mjopt.analysis import useful_rows
from mjopt.hands.rules.rule_file import get_rules
from mjopt.tables import neighbours

HANDS = [
    "1112345678999m1p",
    "123m456m789m11p23s1p",
    "111222333m444p55s",  # complete
    "123m456m789m123p55s",
    "123456m789p1199s3m",
    "111222m345p678s59p",
]


@pytest.mark.parametrize("way", ["kernel", "look-ups", "labels"])
def test_kinds_drawn_by_many_hands_are_those_of_each_alone(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels in parts of two hands: a part of complete hands comes between others."""
    monkeypatch.setattr(neighbours, "_PART", 2)
    if way == "labels":
        monkeypatch.setattr(neighbours, "_lookup", lambda *_: None)
        monkeypatch.setattr(neighbours, "_gains", lambda *_: None)
    hands = [Hand.parse(text, rules="basic") for text in HANDS]
    rows = np.array([hand.counts for hand in hands], np.uint8)
    with compile_always(is_on=way == "kernel"):
        found = useful_rows.drawn_kinds(rows, get_rules("basic"))
    for hand, row in zip(hands, found, strict=True):
        drawn = {
            kind
            for target in targets(hand)
            for kind, (held, copies) in enumerate(zip(hand.counts, target, strict=True))
            if copies > held
        }
        assert set(np.flatnonzero(row).tolist()) == drawn, hand
