"""Winning forms of small tile sets, and their deficiency by brute force over the parts."""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

from mjopt import UNREACHABLE
from mjopt.hands.rule_file import parse_rules
from mjopt.hands.rule_set import RuleSet
from mjopt.hands.template import Template
from mjopt.hands.tiles import COPIES, TileSet

_FIVE = '[tiles]\nsuits = "d"\nwithout = "6789d"\n'
_TWO = '[tiles]\nsuits = "de"\nhonours = 2\nwithout = "456789d456789e"\n'
_JOKER = '[tiles]\nsuits = "de"\nhonours = 2\njokers = 1\nwithout = "456789d456789e"\n'

TEXTS: dict[str, str] = {
    # Taiwan: five melds and an eye.
    "five-melds": f'name = "five-melds"\nsize = 17\n{_FIVE}[[form]]\nmelds = 5\neyes = 1\n',
    # Knitted hands: fixed tiles of both suits, and different kinds.
    "knitted": (
        f'name = "knitted"\nsize = 8\n{_TWO}'
        '[[form]]\nname = "straight"\nfixed = "13a2b"\nmelds = 1\neyes = 1\n'
        '[[form]]\nname = "singles"\ndistinct = 5\ndoubled = 3\nof = "13a2b12z"\n'
        '[[form]]\nname = "pairs"\npairs = 4\nalike = true\n'
    ),
    # Half flush: one suit and honours; two eyes.
    "one-suit": (
        f'name = "one-suit"\nsize = 13\n{_TWO}[[form]]\nkinds = "123a12z"\nmelds = 3\neyes = 2\n'
    ),
    # Laizi: an honour is a joker everywhere.
    "laizi": (
        f'name = "laizi"\nsize = 11\n{_TWO}[jokers]\nkinds = "2z"\n[[form]]\nmelds = 3\neyes = 1\n'
    ),
    # A card: fixed tiles and pongs with jokers in threes, one eye without.
    "card": (
        f'name = "card"\nsize = 9\n{_JOKER}[jokers]\nkinds = "1j"\nleast = 3\n'
        'parts = ["fixed", "melds"]\n'
        '[[form]]\nname = "steps"\nfixed = "1a222b33a"\nmelds = 1\nchows = false\n'
        'kinds = "123b12z"\n'
        '[[form]]\nname = "threes"\nfixed = "1111z"\nmelds = 1\neyes = 1\nkinds = "123d12z"\n'
    ),
    # Jokers that stand for a fifth copy.
    "fifth": (
        f'name = "fifth"\nsize = 8\n{_JOKER}[jokers]\nkinds = "1j"\nfifth = true\n'
        '[[form]]\nname = "pairs"\npairs = 4\nalike = true\nkinds = "12d1z"\n'
        '[[form]]\nname = "melds"\nmelds = 2\neyes = 1\nkinds = "123d1z"\n'
    ),
}


def small_rules(name: str) -> RuleSet:
    """Return a rule set by its name."""
    return parse_rules(TEXTS[name], f"{name}.toml")


def brute_deficiency(
    templates: Sequence[Template],
    tiles: TileSet,
    held: Sequence[int],
    unseen: Sequence[int],
    called: int,
    melds: Sequence[Sequence[int]] = (),
) -> int:
    """Return the fewest missing tiles over all choices of parts, or ``UNREACHABLE``."""
    best = UNREACHABLE
    for template in templates:
        if called > template.melds or not all(_fits(meld, template) for meld in melds):
            continue
        jokers = [sum(counts[kind] for kind in template.jokers) for counts in (held, unseen)]
        natural = [
            [0 if kind in template.jokers else counts[kind] for kind in range(tiles.num_kinds)]
            for counts in (held, unseen)
        ]
        seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
        for use, eligible in _hands(template, tiles, called):
            if (use, eligible) not in seen:
                seen.add((use, eligible))
                best = min(best, _price(template, use, eligible, natural, jokers))
    return best


def _fits(meld: Sequence[int], template: Template) -> bool:
    is_allowed = template.has_pongs if len(set(meld)) == 1 else template.has_chows
    return is_allowed and set(meld) <= set(template.kinds)


def _price(
    template: Template,
    use: Sequence[int],
    eligible: Sequence[int],
    natural: Sequence[Sequence[int]],
    jokers: Sequence[int],
) -> int:
    """Return the missing tiles of one complete hand; jokers stand for as many as they can."""
    missing = forced = helped = 0
    for copies, most, have, left in zip(use, eligible, *natural, strict=True):
        if copies > COPIES and not template.has_fifth:
            return UNREACHABLE
        must = max(0, copies - min(COPIES, have + left))
        if must > most:
            return UNREACHABLE
        missing += max(0, copies - have)
        forced += must
        helped += min(most, max(0, copies - have))
    if forced > sum(jokers):
        return UNREACHABLE
    used = max(forced, min(helped, jokers[0]))
    return missing - used + max(0, used - jokers[0])


def _hands(
    template: Template, tiles: TileSet, called: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the copies of every choice of parts, and for how many of them jokers may stand."""
    inside = template.kinds
    melds = [(k, k, k) for k in inside] if template.has_pongs else []
    if template.has_chows:
        melds += [
            (k, k + 1, k + 2)
            for k in inside
            if k in tiles.chow_starts and k + 1 in inside and k + 2 in inside
        ]
    singles = [(k,) for k in template.of]
    for chosen in combinations_with_replacement(melds, template.melds - called):
        for eyes in combinations_with_replacement(inside, template.eyes):
            for distinct in combinations(singles, template.distinct):
                for doubled in combinations(distinct, template.doubled):
                    for pairs in _pairs(template):
                        parts = {
                            "melds": chosen,
                            "eyes": [(k, k) for k in eyes],
                            "distinct": distinct + doubled,
                            "pairs": [(k, k) for k in pairs],
                        }
                        use = list(template.fixed)
                        eligible = list(template.joker_fixed or [0] * tiles.num_kinds)
                        for name, blocks in parts.items():
                            for kind in (kind for block in blocks for kind in block):
                                use[kind] += 1
                                eligible[kind] += name in template.joker_parts
                        yield tuple(use), tuple(eligible)


def _pairs(template: Template) -> Iterator[tuple[int, ...]]:
    if template.has_equal_pairs:
        return combinations_with_replacement(template.kinds, template.pairs)
    return combinations(template.kinds, template.pairs)
