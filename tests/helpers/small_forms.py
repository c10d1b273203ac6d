"""Winning forms of every kind on tile sets so small that all hands of a form can be listed."""

import random
from dataclasses import dataclass
from typing import Any

from mjopt import Hand
from mjopt.hands.blocks import Block, chow, pong
from mjopt.hands.rule_set import RuleSet, WinningForm
from mjopt.hands.template import JOKER_PARTS, Template
from mjopt.hands.tiles import Suit, TileSet

FIVE = TileSet("five", (Suit("m", "one", (1, 2, 3, 4, 5)),))
THREES = TileSet(
    "threes",
    (
        Suit("m", "one", (1, 2, 3)),
        Suit("p", "two", (1, 2, 3)),
        Suit("z", "honours", (1, 2), has_chows=False),
    ),
)
FIVE_AND_JOKER = TileSet("joker", (*FIVE.suits, Suit("j", "jokers", (1,), has_chows=False)))
PARTS = tuple(part for part in JOKER_PARTS if part != "fixed")


@dataclass(frozen=True)
class SmallForm:
    """A form and the rule set of its hands."""

    form: WinningForm
    rules: RuleSet


def _template(tiles: TileSet, **parts: Any) -> Template:
    """Return a template; its fixed tiles are given as copies by kind."""
    fixed, joker_fixed = parts.pop("fixed", {}), parts.pop("joker_fixed", {})
    counts = tuple(fixed.get(kind, 0) for kind in range(tiles.num_kinds))
    if parts.get("jokers"):
        parts["joker_fixed"] = tuple(joker_fixed.get(k, 0) for k in range(tiles.num_kinds))
    if any(parts.get(part) for part in ("melds", "eyes", "pairs")):
        parts.setdefault("kinds", tuple(range(tiles.num_kinds)))
    return Template(fixed=counts, **parts)


def _form(name: str, tiles: TileSet, *templates: Template) -> SmallForm:
    form = WinningForm(name, tiles, templates)
    rules = RuleSet(name=name, title=name, tiles=tiles, size=form.size, forms=(form,))
    return SmallForm(form, rules)


def _made(name: str, tiles: TileSet, *several: dict[str, Any]) -> SmallForm:
    return _form(name, tiles, *(_template(tiles, **parts) for parts in several))


M, P, Z = (0, 1, 2), (3, 4, 5), (6, 7)
LAIZI = {"jokers": (7,), "joker_parts": PARTS}


def _card() -> SmallForm:
    """Return a card of two lines, mirrored and shifted, with jokers in three and more alike."""
    templates = []
    for first in range(4):
        for single, triple in ((first, first + 1), (first + 1, first)):
            templates.append(
                _template(
                    FIVE_AND_JOKER,
                    fixed={single: 2, triple: 3},
                    melds=1,
                    has_chows=False,
                    kinds=(0, 1, 2, 3, 4),
                    jokers=(5,),
                    joker_parts=("melds",),
                    joker_fixed={triple: 3},
                )
            )
    for low in range(3):
        fixed = {low: 1, low + 1: 2, low + 2: 3}
        templates += [
            _template(
                FIVE_AND_JOKER,
                fixed=counts,
                pairs=1,
                kinds=(0, 1, 2, 3, 4),
                jokers=(5,),
                joker_fixed={kind: 3 for kind, copies in counts.items() if copies == 3},
            )
            for counts in (fixed, dict(zip(fixed, (3, 2, 1), strict=True)))
        ]
    return _form("card", FIVE_AND_JOKER, *templates)


SMALL_FORMS: dict[str, SmallForm] = {
    small.form: small
    for small in (
        _made("five_melds", FIVE, {"melds": 5, "eyes": 1}),
        _made("two_eyes", THREES, {"melds": 2, "eyes": 2}),
        _made("no_eye", FIVE, {"melds": 3}),
        _made(
            "missing_suit",
            THREES,
            {"melds": 3, "eyes": 1, "kinds": M + P},
            {"melds": 3, "eyes": 1, "kinds": M + Z},
            {"melds": 3, "eyes": 1, "kinds": P + Z},
        ),
        _made(
            "flush",
            THREES,
            {"melds": 2, "eyes": 1, "kinds": M + Z},
            {"melds": 2, "eyes": 1, "kinds": P + Z},
        ),
        _made("pongs_only", THREES, {"melds": 3, "eyes": 1, "has_chows": False}),
        _made("chows_only", FIVE, {"melds": 3, "eyes": 1, "has_pongs": False}),
        _made("distinct", THREES, {"distinct": 6, "of": (*M, *P, 7)}),
        _made("doubled", THREES, {"distinct": 5, "doubled": 2, "of": M + Z}),
        _made("distinct_and_groups", FIVE, {"distinct": 2, "of": (0, 2, 4), "melds": 2, "eyes": 1}),
        _made("pairs", THREES, {"pairs": 5}),
        _made("equal_pairs", THREES, {"pairs": 5, "has_equal_pairs": True, "kinds": M + P}),
        _made(
            "knitted",
            THREES,
            {"fixed": {0: 1, 4: 1, 6: 2}, "melds": 1, "eyes": 1},
            {"fixed": {3: 1, 1: 1, 7: 2}, "melds": 1, "eyes": 1},
        ),
        _made("laizi", THREES, {"melds": 2, "eyes": 1, **LAIZI}),
        _made("laizi_pairs", THREES, {"pairs": 4, **LAIZI}),
        _made(
            "laizi_all",
            THREES,
            {
                "fixed": {0: 2, 6: 1},
                "joker_fixed": {0: 2, 6: 1},
                "melds": 1,
                "eyes": 1,
                "distinct": 3,
                "of": (1, 4, 5, 7),
                "doubled": 1,
                **LAIZI,
            },
        ),
        _made(
            "jokers_in_threes",
            FIVE_AND_JOKER,
            {
                "melds": 2,
                "eyes": 1,
                "fixed": {2: 3},
                "joker_fixed": {2: 3},
                "kinds": (0, 1, 2, 3, 4),
                "jokers": (5,),
                "joker_parts": ("melds",),
            },
        ),
        _made(
            "fifth",
            FIVE_AND_JOKER,
            {
                "melds": 2,
                "eyes": 2,
                "kinds": (0, 1, 2, 3, 4),
                "jokers": (5,),
                "joker_parts": PARTS,
                "has_fifth": True,
            },
        ),
        _made(
            "fifth_pongs",
            FIVE_AND_JOKER,
            {
                "melds": 3,
                "has_chows": False,
                "kinds": (0, 1, 2, 3, 4),
                "jokers": (5,),
                "joker_parts": PARTS,
                "has_fifth": True,
            },
        ),
        _card(),
    )
}
"""The forms by name."""


def deal_small(rng: random.Random, small: SmallForm) -> tuple[Hand, tuple[int, ...] | None]:
    """Draw a hand, perhaps with called melds or too few tiles, and perhaps limited unseen tiles."""
    tiles, size = small.form.tiles, small.rules.size
    melds: list[Block] = []
    called = rng.choice([0, 0, 0, *range(1, small.rules.most_called + 1)])
    left = [4] * tiles.num_kinds
    jokers = small.rules.jokers
    if rng.random() < 0.7:
        for _ in range(called):
            known = [chow(kind) for kind in tiles.chow_starts]
            known += [pong(kind) for kind in range(tiles.num_kinds)]
            fit = [
                block
                for block in known
                if all(left[k] >= block.kinds.count(k) and k not in jokers for k in block.kinds)
            ]
            melds.append(rng.choice(fit))
            for kind in melds[-1].kinds:
                left[kind] -= 1
    wall = [kind for kind, copies in enumerate(left) for _ in range(copies)]
    if rng.random() < 0.3:
        few = rng.sample(range(tiles.num_kinds), max(3, tiles.num_kinds // 2))
        wall = [kind for kind in wall if kind in few] or wall
    number = size - 3 * called - rng.choice([0, 0, 1, 1, rng.randint(2, 6)])
    counts = [0] * tiles.num_kinds
    for kind in rng.sample(wall, max(0, min(number, len(wall)))):
        counts[kind] += 1
    hand = Hand.from_counts(
        counts, tiles=tiles, called=called, melds=melds, partial=True, rules=small.rules
    )
    most = rng.choice([None, None, None, 4, 3, 2, 1])
    unseen = None if most is None else tuple(rng.randint(0, most) for _ in counts)
    return hand, unseen
