"""Hands and methods shared by the tests of heuristics."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from helpers.support import AWKWARD, PAPER_HANDS, deal
from reference_implementations.heuristics.search import search_plainly

from mjopt import FULL, M0, Hand
from mjopt.heuristics import NEVER, Result, Stop
from mjopt.heuristics.encoding import ORDERS
from mjopt.heuristics.ndde import REFILLS, VARIATIONS
from mjopt.heuristics.population import EMPTIES, PopulationMethod
from mjopt.heuristics.repair import REPAIRS

EMPTY = Hand.parse("147m147p147s12345z", tiles=FULL)  # S is empty
ONE_ELEMENT = Hand.parse("147m147p147s1123z", tiles=FULL)  # NS = 1, 13 tiles
UNDERSHOT = Hand.parse("B3333C222267D7777", notation="paper")  # Eq. 8 costs 2, deficiency 3

OWN_OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "ndde": {
        "out_of_range": ("clip", "redraw", "wrap"),
        "rounding": ("half-even", "half-up"),
        "selection": ("after-generation", "in-place"),
        "scale": (0.5, 0.9),
        "crossover": (0.5, 0.2),
    },
    "pso": {
        "empties": EMPTIES,
        "takes_equal": (False, True),
        "inertia": (0.7, 1.0),
        "cognitive": (2.0, 1.0),
        "social": (2.0, 1.0),
        "max_speed": (0.25, 1.0),
    },
    "ga": {
        "redraws_empty": (False, True),
        "elitist": (False, True),
        "scaling": ("linear", "inverse"),
        "mutation": (0.01, 0.2),
        "crossover": (0.8, 0.3),
    },
    "tlbo": {"empties": tuple(reversed(EMPTIES)), "takes_equal": (False, True)},
    "ndde-refill": {
        "refill": tuple(reversed(REFILLS)),
        "variation": VARIATIONS,
        "selection": ("after-generation", "in-place"),
    },
}
"""Every option of every method; the first choice is the default."""

COMMON_OPTIONS: dict[str, tuple[Any, ...]] = {
    "order": ORDERS,
    "repair": tuple(REPAIRS),
    "special_case_1": (True, False),
    "special_case_2": (True, False),
    "strict_generations": (False, True),
}


class OtherGenerator(np.random.Generator):
    """A generator that kernels do not know, so that a search runs in Python."""


def plainly(method: PopulationMethod, hand: Hand, *, rng: Any, stop: Stop = NEVER) -> Result:
    """Run the plain Python version of a method."""
    twin = import_module(f"reference_implementations.heuristics.{method.name.replace('-', '_')}")
    return search_plainly(
        method, hand, rng=rng, first=twin.first, generation=twin.generation, stop=stop, target=2
    )


def random_hand(rng: random.Random) -> Hand:
    """Deal a hand: both tile sets, called melds, few kinds, 13 or 14 tiles."""
    called = rng.choice([0, 0, 0, 1, 2, 3, 4])
    few = rng.choice([None, None, 1, 2, 5, 6, 8])
    suits = rng.randint(1, 3) if few is None else None
    size = 14 - 3 * called - rng.randint(0, 1)
    tiles = rng.choice([M0, FULL])
    return deal(rng, tiles, size=size, suits=suits, called=called, num_kinds=few)


def awkward_hands() -> Iterator[Hand]:
    """Yield hands that break naive implementations."""
    yield from (EMPTY, ONE_ELEMENT, UNDERSHOT)
    yield from (known.hand for known in AWKWARD)
    yield from (Hand.parse(text, notation="paper") for text in PAPER_HANDS.values())
    yield Hand.parse("11m", called=4)
    yield Hand.parse("5m", called=4)
    yield Hand.parse("12m", called=4)
    yield Hand.from_counts([0] * 27, partial=True)
    yield Hand.parse("44445555666677m")
    yield Hand.parse("1112223334444z", tiles=FULL)
