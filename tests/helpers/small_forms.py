"""Winning forms on tile sets so small that all complete hands can be listed, and brute force."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from mjopt import UNREACHABLE, Hand
from mjopt.hands.blocks import Block, chow, pong
from mjopt.hands.rules.feasibility import PartsSearch
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import JOKER_PARTS, Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, Suit, TileSet

FIVE = TileSet("five", (Suit("m", "one", (1, 2, 3, 4, 5)),))
FIVE_AND_JOKER = TileSet("joker", (*FIVE.suits, Suit("j", "jokers", (1,), has_chows=False)))
_HONOURS = Suit("z", "honours", (1, 2), has_chows=False)
_M3, _P3 = Suit("m", "one", (1, 2, 3)), Suit("p", "two", (1, 2, 3))
THREES = TileSet("threes", (_M3, _P3, _HONOURS))
MIDDLE = TileSet("middle", (_M3, Suit("p", "two", (4, 5, 6))))
FOUR = TileSet("four", (Suit("m", "one", (1, 2, 3, 4)), _HONOURS))

# Forms of each part, made of templates

_PARTS = tuple(part for part in JOKER_PARTS if part != "fixed")
_M, _P, _Z = (0, 1, 2), (3, 4, 5), (6, 7)
_LAIZI = {"jokers": (7,), "joker_parts": _PARTS}


def _template(tiles: TileSet, **parts: Any) -> Template:
    """Return a template; its fixed tiles are given as copies by kind."""
    fixed, joker_fixed = parts.pop("fixed", {}), parts.pop("joker_fixed", {})
    counts = tuple(fixed.get(kind, 0) for kind in range(tiles.num_kinds))
    if parts.get("jokers"):
        parts["joker_fixed"] = tuple(joker_fixed.get(k, 0) for k in range(tiles.num_kinds))
    if any(parts.get(part) for part in ("melds", "eyes", "pairs")):
        parts.setdefault("kinds", tuple(range(tiles.num_kinds)))
    return Template(fixed=counts, **parts)


def _form(name: str, tiles: TileSet, *templates: dict[str, Any]) -> WinningForm:
    return WinningForm(name, tiles, tuple(_template(tiles, **parts) for parts in templates))


def _card_lines() -> Iterator[dict[str, Any]]:
    """Yield a card of two lines, mirrored and shifted, with jokers in three and more alike."""
    more = {"kinds": (0, 1, 2, 3, 4), "jokers": (5,)}
    for first in range(4):
        for single, triple in ((first, first + 1), (first + 1, first)):
            yield {
                "fixed": {single: 2, triple: 3},
                "joker_fixed": {triple: 3},
                "melds": 1,
                "has_chows": False,
                "joker_parts": ("melds",),
                **more,
            }
    for low in range(3):
        for copies in ((1, 2, 3), (3, 2, 1)):
            fixed = dict(zip(range(low, low + 3), copies, strict=True))
            threes = {kind: 3 for kind in fixed if fixed[kind] == 3}
            yield {"fixed": fixed, "joker_fixed": threes, "pairs": 1, **more}


SMALL_FORMS: dict[str, WinningForm] = {
    form.name: form
    for form in (
        _form("five_melds", FIVE, {"melds": 5, "eyes": 1}),
        _form("two_eyes", THREES, {"melds": 2, "eyes": 2}),
        _form("no_eye", FIVE, {"melds": 3}),
        _form(
            "missing_suit",
            THREES,
            {"melds": 3, "eyes": 1, "kinds": _M + _P},
            {"melds": 3, "eyes": 1, "kinds": _M + _Z},
            {"melds": 3, "eyes": 1, "kinds": _P + _Z},
        ),
        _form(
            "flush",
            THREES,
            {"melds": 2, "eyes": 1, "kinds": _M + _Z},
            {"melds": 2, "eyes": 1, "kinds": _P + _Z},
        ),
        _form("pongs_only", THREES, {"melds": 3, "eyes": 1, "has_chows": False}),
        _form("chows_only", FIVE, {"melds": 3, "eyes": 1, "has_pongs": False}),
        _form("distinct", THREES, {"distinct": 6, "of": (*_M, *_P, 7)}),
        _form("doubled", THREES, {"distinct": 5, "doubled": 2, "of": _M + _Z}),
        _form("distinct_and_groups", FIVE, {"distinct": 2, "of": (0, 2, 4), "melds": 2, "eyes": 1}),
        _form("pairs", THREES, {"pairs": 5}),
        _form("equal_pairs", THREES, {"pairs": 5, "has_equal_pairs": True, "kinds": _M + _P}),
        _form(
            "knitted",
            THREES,
            {"fixed": {0: 1, 4: 1, 6: 2}, "melds": 1, "eyes": 1},
            {"fixed": {3: 1, 1: 1, 7: 2}, "melds": 1, "eyes": 1},
        ),
        _form("laizi", THREES, {"melds": 2, "eyes": 1, **_LAIZI}),
        _form(
            "two_jokers",
            THREES,
            {"melds": 2, "eyes": 1, "jokers": _Z, "joker_parts": ("melds",)},
        ),
        _form("laizi_pairs", THREES, {"pairs": 4, **_LAIZI}),
        _form(
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
                **_LAIZI,
            },
        ),
        _form(
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
        _form(
            "fifth",
            FIVE_AND_JOKER,
            {
                "melds": 2,
                "eyes": 2,
                "kinds": (0, 1, 2, 3, 4),
                "jokers": (5,),
                "joker_parts": _PARTS,
                "has_fifth": True,
            },
        ),
        _form(
            "fifth_pongs",
            FIVE_AND_JOKER,
            {
                "melds": 3,
                "has_chows": False,
                "kinds": (0, 1, 2, 3, 4),
                "jokers": (5,),
                "joker_parts": _PARTS,
                "has_fifth": True,
            },
        ),
        _form("card", FIVE_AND_JOKER, *_card_lines()),
    )
}
"""Forms by name."""


def deal_hand(rng: random.Random, form: WinningForm) -> tuple[Hand, tuple[int, ...] | None]:
    """Draw a hand, perhaps with called melds or too few tiles, and perhaps limited unseen tiles."""
    rules = RuleSet.of_form(form)
    tiles, size, jokers = rules.tiles, rules.size, rules.jokers
    melds: list[Block] = []
    called = rng.choice([0, 0, 0, *range(1, rules.most_called + 1)])
    left = [4] * tiles.num_kinds
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
        counts, tiles=tiles, called=called, melds=melds, partial=True, rules=rules
    )
    most = rng.choice([None, None, None, 4, 3, 2, 1])
    unseen = None if most is None else tuple(rng.randint(0, most) for _ in counts)
    return hand, unseen


# Rule sets, made of text

_TILES_D = '[tiles]\nsuits = "d"\nwithout = "6789d"\n'
_TILES_DE = '[tiles]\nsuits = "de"\nhonours = 2\nwithout = "456789d456789e"\n'
_TILES_DEJ = '[tiles]\nsuits = "de"\nhonours = 2\njokers = 1\nwithout = "456789d456789e"\n'

RULE_TEXTS: dict[str, str] = {
    # Taiwan: five melds and an eye.
    "five-melds": f'name = "five-melds"\nsize = 17\n{_TILES_D}[[form]]\nmelds = 5\neyes = 1\n',
    # Knitted hands: fixed tiles of both suits, and different kinds.
    "knitted": (
        f'name = "knitted"\nsize = 8\n{_TILES_DE}'
        '[[form]]\nname = "straight"\nfixed = "13a2b"\nmelds = 1\neyes = 1\n'
        '[[form]]\nname = "singles"\ndistinct = 5\ndoubled = 3\nof = "13a2b12z"\n'
        '[[form]]\nname = "pairs"\npairs = 4\nalike = true\n'
    ),
    # Half flush: one suit and honours; two eyes.
    "one-suit": (
        f'name = "one-suit"\nsize = 13\n{_TILES_DE}[[form]]\nkinds = "123a12z"\n'
        "melds = 3\neyes = 2\n"
    ),
    # Laizi: an honour is a joker everywhere.
    "laizi": (
        f'name = "laizi"\nsize = 11\n{_TILES_DE}[jokers]\nkinds = "2z"\n'
        "[[form]]\nmelds = 3\neyes = 1\n"
    ),
    # A card: fixed tiles and pongs with jokers in threes, one eye without.
    "card": (
        f'name = "card"\nsize = 9\n{_TILES_DEJ}[jokers]\nkinds = "1j"\nleast = 3\n'
        'parts = ["fixed", "melds"]\n'
        '[[form]]\nname = "steps"\nfixed = "1a222b33a"\nmelds = 1\nchows = false\n'
        'kinds = "123b12z"\n'
        '[[form]]\nname = "threes"\nfixed = "1111z"\nmelds = 1\neyes = 1\nkinds = "123d12z"\n'
    ),
    # Jokers that stand for a fifth copy.
    "fifth": (
        f'name = "fifth"\nsize = 8\n{_TILES_DEJ}[jokers]\nkinds = "1j"\nfifth = true\n'
        '[[form]]\nname = "pairs"\npairs = 4\nalike = true\nkinds = "12d1z"\n'
        '[[form]]\nname = "melds"\nmelds = 2\neyes = 1\nkinds = "123d1z"\n'
    ),
}


def small_rules(name: str) -> RuleSet:
    """Return a rule set by its name."""
    return parse_rules(RULE_TEXTS[name], f"{name}.toml")


# Random templates

_RANDOM_SETS = (FIVE, MIDDLE, FOUR)


def random_template(rng: np.random.Generator, tiles: TileSet, kind: str) -> Template | None:
    """Return a template of some kind; None if it asks for nothing."""
    every = range(tiles.num_kinds)
    joker = [int(rng.integers(tiles.num_kinds))] if "joker" in kind and rng.random() < 0.9 else []

    def some(least: int) -> tuple[int, ...]:
        size = int(rng.integers(least, tiles.num_kinds + 1))
        return tuple(sorted(rng.choice(tiles.num_kinds, size, replace=False).tolist()))

    fixed = [0] * tiles.num_kinds
    if "fixed" in kind:
        for k in rng.integers(0, tiles.num_kinds, 4).tolist():
            fixed[k] += k not in joker
    names = ("melds", "eyes", "distinct", "pairs")
    chosen = tuple(part for part in names if rng.random() < 0.6)
    able = tuple(int(rng.integers(0, n + 1)) for n in fixed)
    if "all" in kind:
        chosen, able = names, tuple(fixed)
    of = some(2) if "distinct" in kind else ()
    distinct = int(rng.integers(1, len(of) + 1)) if of else 0
    has_chows, has_pongs = [(True, True), (True, False), (False, True)][int(rng.integers(3))]
    template = Template(
        fixed=tuple(fixed),
        melds=int(rng.integers(1, 4)) if "melds" in kind else 0,
        eyes=int(rng.integers(0, 3)) if "eyes" in kind else 0,
        pairs=int(rng.integers(1, 4)) if "pairs" in kind else 0,
        has_chows=has_chows,
        has_pongs=has_pongs,
        kinds=tuple(every) if rng.random() < 0.5 else some(3),
        distinct=distinct,
        doubled=int(rng.integers(0, distinct + 1)) if of else 0,
        of=of,
        has_equal_pairs=bool(rng.integers(2)),
        jokers=tuple(joker),
        joker_parts=chosen if joker else (),
        joker_fixed=able if joker else (),
        has_fifth=bool(joker) and "fifth" in kind,
    )
    return template if 2 <= template.num_tiles <= 14 else None


TEMPLATE_KINDS = (
    "fixed",
    "melds eyes",
    "melds eyes fixed",
    "eyes fixed",
    "distinct fixed",
    "distinct",
    "pairs",
    "pairs fixed",
    "fixed joker",
    "melds eyes joker all",
    "fixed joker all",
    "distinct joker all",
    "melds eyes fixed joker",
    "pairs joker fifth",
    "melds eyes joker fifth",
    "melds distinct",
    "pairs eyes distinct joker",
)
"""Kinds of templates: the parts that one may have, and its jokers."""


def random_cases(
    seed: int, number: int, kind: str
) -> Iterator[tuple[Template, TileSet, np.ndarray, np.ndarray, int]]:
    """Yield templates with hands, unseen copies and called melds."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        tiles = _RANDOM_SETS[int(rng.integers(len(_RANDOM_SETS)))]
        template = random_template(rng, tiles, kind)
        if template is None or not PartsSearch().is_possible(template, tiles):
            continue
        called = int(rng.integers(0, template.melds + 1)) if rng.random() < 0.3 else 0
        size = template.num_tiles - 3 * called - int(rng.integers(2))
        if size < 1:
            continue
        pool = np.repeat(np.arange(tiles.num_kinds), 4)
        rows = np.zeros((6, tiles.num_kinds), np.uint8)
        for row in rows:
            np.add.at(row, rng.permutation(pool)[:size], 1)
        unseen = np.minimum(rng.integers(0, 5, rows.shape), 4 - rows).astype(np.uint8)
        yield template, tiles, rows, unseen, called


# Brute force

Parts = tuple[tuple[int, ...], ...]  # the kinds of each
Use = tuple[tuple[int, ...], tuple[int, ...]]
"""Copies of each kind, and for how many of them jokers may stand."""


def literal_deficiency(
    templates: Sequence[Template],
    tiles: TileSet,
    held: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    melds: Sequence[Sequence[int]] = (),
) -> int:
    """Return the fewest missing tiles over all choices of parts, or ``UNREACHABLE``."""
    best = UNREACHABLE
    for template in beside(templates, tiles, melds):
        if called > template.melds:
            continue
        jokers = [sum(counts[kind] for kind in template.jokers) for counts in (held, unseen)]
        natural = [
            [0 if kind in template.jokers else counts[kind] for kind in range(tiles.num_kinds)]
            for counts in (held, unseen)
        ]
        for use, eligible in complete_hands(template, tiles, called):
            best = min(best, _num_missing(use, eligible, natural, jokers))
    return best


def beside(
    templates: Sequence[Template], tiles: TileSet, melds: Sequence[Sequence[int]]
) -> Iterator[Template]:
    """Yield the templates, without the fixed tiles that some called melds are."""
    for template in templates:
        cuts = largest_cuts(template.fixed, tiles)
        for chosen in product((False, True), repeat=len(melds)):
            named = [tuple(m[:3]) for m, is_named in zip(melds, chosen, strict=True) if is_named]
            free = [meld for meld, is_named in zip(melds, chosen, strict=True) if not is_named]
            if all(_fits(meld, template) for meld in free) and any(
                Counter(named) <= Counter(cut) for cut in cuts
            ):
                taken = Counter(kind for meld in named for kind in meld)
                fixed = [copies - taken[kind] for kind, copies in enumerate(template.fixed)]
                eligible = [min(each) for each in zip(template.joker_fixed, fixed, strict=False)]
                yield replace(
                    template,
                    fixed=tuple(fixed),
                    joker_fixed=tuple(eligible),
                    melds=template.melds + len(named),
                )


@lru_cache(maxsize=256)
def largest_cuts(fixed: tuple[int, ...], tiles: TileSet) -> list[Parts]:
    """Return the sets of melds that are cut from some tiles, with as many melds as possible."""
    melds = [(kind,) * 3 for kind in range(tiles.num_kinds)]
    melds += [(kind, kind + 1, kind + 2) for kind in tiles.chow_starts]
    held = Counter(dict(enumerate(fixed)))
    inside = [meld for meld in melds if Counter(meld) <= held]
    for number in range(sum(fixed) // 3, -1, -1):
        cuts = [
            cut
            for cut in combinations_with_replacement(inside, number)
            if Counter(kind for meld in cut for kind in meld) <= held
        ]
        if cuts:
            return cuts
    return []


def _fits(meld: Sequence[int], template: Template) -> bool:
    is_allowed = template.has_pongs if len(set(meld)) == 1 else template.has_chows
    return is_allowed and set(meld) <= set(template.kinds)


def _num_missing(
    use: Sequence[int],
    eligible: Sequence[int],
    natural: Sequence[Sequence[int]],
    jokers: Sequence[int],
) -> int:
    """Return the missing tiles of one complete hand, with every number of jokers."""
    missing = least = most = 0
    for copies, able, have, left in zip(use, eligible, *natural, strict=True):
        lack = max(0, copies - have)
        must = max(0, copies - min(COPIES, have + left))
        if must > able:
            return UNREACHABLE
        missing += lack
        least += must
        most += min(able, lack)
    numbers = range(least, min(most, sum(jokers)) + 1)
    return min((missing - n + max(0, n - jokers[0]) for n in numbers), default=UNREACHABLE)


@lru_cache(maxsize=256)
def complete_hands(template: Template, tiles: TileSet, called: int) -> frozenset[Use]:
    """Return the copies of every choice of parts."""
    return frozenset(use for _, use in choose_parts(template, tiles, called))


def choose_parts(
    template: Template, tiles: TileSet, called: int = 0
) -> Iterator[tuple[dict[str, Parts], Use]]:
    """Yield every choice of parts; with more than four copies of a kind only if it is allowed.

    Of ``distinct`` the kinds that are there twice are given twice.
    """
    inside = template.kinds
    melds = [(k, k, k) for k in inside if template.has_pongs] + [
        (k, k + 1, k + 2)
        for k in tiles.chow_starts
        if template.has_chows and {k, k + 1, k + 2} <= set(inside)
    ]
    twos = [(k, k) for k in inside]
    some = combinations_with_replacement if template.has_equal_pairs else combinations
    for groups, eyes, pairs, distinct in product(
        combinations_with_replacement(melds, template.melds - called),
        combinations_with_replacement(twos, template.eyes),
        some(twos, template.pairs),
        combinations(template.of, template.distinct),
    ):
        for doubled in combinations(distinct, template.doubled):
            singles = tuple((k,) for k in sorted(distinct + doubled))
            use = list(template.fixed)
            eligible = list(template.joker_fixed or [0] * tiles.num_kinds)
            parts = {"melds": groups, "eyes": eyes, "pairs": pairs, "distinct": singles}
            for name, blocks in parts.items():
                for kind in (kind for block in blocks for kind in block):
                    use[kind] += 1
                    eligible[kind] += name in template.joker_parts
            if template.has_fifth or max(use) <= COPIES:
                yield parts, (tuple(use), tuple(eligible))
