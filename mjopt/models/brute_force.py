"""Brute force over complete hands: slow and simple, with no code in common with the models.

A complete hand consists of melds and at most one eye in each suit. This module lists all such
choices inside one suit, counts the missing tiles for each, and tries every way to share four melds
and the eye, or seven pairs, among the suits. For the templates of other winning forms it does the
same with all of their parts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, product
from math import prod
from operator import add, le

import numpy as np
import numpy.typing as npt

from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import Suit, TileSet

Counts = npt.NDArray[np.int8]
Numbers = tuple[int, ...]
SuitParts = tuple[list[Numbers], npt.NDArray[np.int16], Counts, Counts]
Choice = tuple[Numbers, Numbers, Numbers]  # parts made, copies used, copies that jokers could be


@lru_cache(maxsize=32)
def suit_choices(suit: Suit) -> dict[tuple[int, int], Counts]:
    """List the distinct counts of m melds and e eyes inside a suit, shape (N, ranks), by (m, e).

    m is in ``0..4`` and e in ``0..1``.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> choices = suit_choices(M0.suits[0])
    >>> [len(choices[m, 0]) for m in range(5)], [len(choices[m, 1]) for m in range(5)]
    ([1, 16, 127, 627, 2098], [9, 135, 996, 4475, 13259])
    """
    width = len(suit.ranks)
    triples = [tuple(3 * (i == j) for j in range(width)) for i in range(width)]
    if suit.has_chows:
        triples += [
            tuple(int(j in (i, i + 1, i + 2)) for j in range(width))
            for i in range(width - 2)
            if suit.ranks[i + 2] - suit.ranks[i] == 2
        ]
    pairs = [tuple(2 * (i == j) for j in range(width)) for i in range(width)]
    melds = [{(0,) * width}]
    for _ in range(4):
        melds.append(_extend(melds[-1], triples))
    found = {(m, 0): made for m, made in enumerate(melds)}
    found |= {(m, 1): _extend(made, pairs) for m, made in enumerate(melds)}
    # Fortran order makes the distances five times as fast.
    return {
        key: np.array(sorted(made), dtype=np.int8, order="F").reshape(len(made), width, order="A")
        for key, made in found.items()
    }


def _extend(hands: set[tuple[int, ...]], blocks: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    grown = {tuple(map(sum, zip(hand, block, strict=True))) for hand in hands for block in blocks}
    return {hand for hand in grown if max(hand) <= 4}


@lru_cache(maxsize=32)
def _shares(num_suits: int, melds: int) -> list[tuple[tuple[int, int], ...]]:
    """Return every way to share melds and one eye among suits, as (m, e) per suit."""
    return [
        tuple((m, int(i == eye)) for i, m in enumerate(parts))
        for parts in product(range(melds + 1), repeat=num_suits)
        if sum(parts) == melds
        for eye in range(num_suits)
    ]


def deficiency(hand: Hand, *, unseen: Sequence[int] | None = None, forms: FormsLike = None) -> int:
    """Return the deficiency, or ``UNREACHABLE``, by comparison with every complete hand.

    Examples
    --------
    >>> deficiency(Hand.parse("1112345678999m1p"))
    1
    """
    held = np.array(hand.counts, dtype=np.int8)
    left = 4 - held - np.array(hand.shown, dtype=np.int8)
    cap = left if unseen is None else np.minimum(left, np.array(unseen, dtype=np.int8))
    best = UNREACHABLE
    for form in read_forms(forms, hand.tiles, hand.size, rules=hand.rules):
        if form.is_plain:
            best = min(best, _standard(hand.tiles, held, cap, 4 - hand.called))
        elif form.is_pairs:
            best = min(best, UNREACHABLE if hand.called else _seven_pairs(hand.tiles, held, cap))
        elif form.is_singles:
            best = min(
                best, UNREACHABLE if hand.called else _singles(form.templates[0].of, held, cap)
            )
        else:
            best = min(best, *(_template(template, hand, cap) for template in form.templates))
    return best


def _standard(tiles: TileSet, held: Counts, cap: Counts, melds: int) -> int:
    per_suit: list[dict[tuple[int, int], int]] = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        least: dict[tuple[int, int], int] = {}
        for key, hands in suit_choices(suit).items():
            missing = np.maximum(hands - held[part], 0)
            possible = (missing <= cap[part]).all(axis=1)
            costs = missing.sum(axis=1, dtype=np.int8)[possible]
            least[key] = int(costs.min()) if len(costs) else UNREACHABLE
        per_suit.append(least)
    totals = (
        [least[key] for least, key in zip(per_suit, share, strict=True)]
        for share in _shares(len(tiles.suits), melds)
    )
    return min(UNREACHABLE if UNREACHABLE in parts else sum(parts) for parts in totals)


def _seven_pairs(tiles: TileSet, held: Counts, cap: Counts) -> int:
    missing = np.maximum(2 - held, 0)
    prices = np.where(missing <= cap, missing, UNREACHABLE)
    per_suit = [
        [min(map(sum, combinations(part, pairs)), default=UNREACHABLE) for pairs in range(8)]
        for part in (prices[part].tolist() for part in tiles.slices)
    ]
    totals = (
        sum(least[pairs] for least, pairs in zip(per_suit, share, strict=True))
        for share in product(range(8), repeat=len(per_suit))
        if sum(share) == 7
    )
    return min(UNREACHABLE, *totals)


def _singles(kinds: Sequence[int], held: Counts, cap: Counts) -> int:
    """Return the least number of tiles missing from all of some kinds, one of them twice."""
    best, some = UNREACHABLE, list(kinds)
    for pair in some:
        wanted = np.array([1 + (kind == pair) for kind in some])
        missing = np.maximum(wanted - held[some], 0)
        if (missing <= cap[some]).all():
            best = min(best, int(missing.sum()))
    return best


def _template(template: Template, hand: Hand, cap: Counts) -> int:
    """Return the least number of tiles missing from a hand with the parts of a template.

    Each called meld is a free meld or one of the largest split of the fixed tiles into melds.
    """
    melds = [meld.kinds[:3] for meld in hand.melds]
    splits = _splits(template.fixed, hand.tiles) if melds else {()}
    most = max(map(len, splits))
    best = UNREACHABLE
    for is_fixed in product((False, True), repeat=len(melds)):
        named = Counter(meld for meld, fixed in zip(melds, is_fixed, strict=True) if fixed)
        free = [meld for meld, fixed in zip(melds, is_fixed, strict=True) if not fixed]
        is_part = any(named <= Counter(split) for split in splits if len(split) == most)
        if is_part and all(_may_be_meld(template, meld) for meld in free):
            fixed, eligible = list(template.fixed), list(template.joker_fixed)
            for kind in named.elements():
                for part in kind:
                    fixed[part] -= 1
            eligible = [min(pair) for pair in zip(eligible, fixed, strict=False)]
            number = template.melds + named.total()
            parts = replace(template, fixed=tuple(fixed), joker_fixed=tuple(eligible), melds=number)
            best = min(best, _missing(parts, hand, cap))
    return best


def _may_be_meld(template: Template, kinds: Numbers) -> bool:
    is_allowed = template.has_chows if len(set(kinds)) > 1 else template.has_pongs
    return is_allowed and set(kinds) <= set(template.kinds)


@lru_cache(maxsize=512)
def _splits(fixed: Numbers, tiles: TileSet) -> set[tuple[Numbers, ...]]:
    """List the sets of melds that some tiles hold at once, none first."""
    melds = [(kind,) * 3 for kind in range(tiles.num_kinds)]
    melds += [(kind, kind + 1, kind + 2) for kind in tiles.chow_starts]
    splits: set[tuple[Numbers, ...]] = {()}
    grown = splits
    while grown:
        grown = {
            tuple(sorted((*split, meld)))
            for split in grown
            for meld in melds
            if Counter(chain(meld, *split)) <= _counter(fixed)
        }
        splits = splits | grown
    return splits


def _counter(counts: Numbers) -> "Counter[int]":
    return Counter(dict(enumerate(counts)))


def _missing(template: Template, hand: Hand, cap: Counts) -> int:
    """Return the least number of tiles missing, with every called meld one of the melds."""
    if hand.called > template.melds:
        return UNREACHABLE
    natural = np.array([kind not in template.jokers for kind in range(hand.tiles.num_kinds)])
    held = np.array(hand.counts, dtype=np.int8) * natural
    own = sum(hand.counts) - int(held.sum())
    most = own + int(cap[~natural].sum())
    cap = cap * natural
    wanted = _numbers_of(template, hand.called)
    # After some suits, by the parts made: tiles missing, those of them that jokers could be, and
    # those that only jokers can be.
    results: dict[Numbers, set[Numbers]] = {(0,) * 5: {(0, 0, 0)}}
    for choices, part in zip(_part_choices(template, hand.tiles), hand.tiles.slices, strict=True):
        prices = _prices(choices, held[part], cap[part])
        grown: dict[Numbers, set[Numbers]] = defaultdict(set)
        for (made, before), (more, here) in product(results.items(), prices.items()):
            total = _add(made, more)
            if all(map(le, total, wanted)):
                grown[total] |= {_add(a, b) for a in before for b in here}
        results = grown
    return min(
        (
            missing - min(own, could_be)
            for missing, could_be, must_be in results.get(wanted, ())
            if must_be <= most
        ),
        default=UNREACHABLE,
    )


def _numbers_of(template: Template, called: int = 0) -> Numbers:
    """Return the numbers of parts that a template asks of the tiles in the hand."""
    singles = (template.distinct, template.doubled)
    return template.melds - called, template.eyes, *singles, template.pairs


def _add(a: Numbers, b: Numbers) -> Numbers:
    return tuple(map(add, a, b))


def _prices(choices: SuitParts, held: Counts, cap: Counts) -> dict[Numbers, set[Numbers]]:
    """Return the different (missing, could be jokers, must be jokers) of the choices of a suit."""
    numbers, groups, use, eligible = choices
    missing = np.maximum(use - held, 0)
    must_be = np.maximum(missing - cap, 0)
    possible = (must_be <= eligible).all(axis=1)
    columns = (missing, np.minimum(missing, eligible), must_be)
    sums = [column[possible].sum(axis=1, dtype=np.int8) for column in columns]
    prices: dict[Numbers, set[Numbers]] = defaultdict(set)
    for group, *price in np.stack([groups[possible], *sums], axis=1).tolist():
        prices[numbers[group]].add(tuple(price))
    return prices


@lru_cache(maxsize=512)
def _part_choices(template: Template, tiles: TileSet) -> tuple[SuitParts, ...]:
    """List the choices of parts inside each suit, fixed tiles included.

    For each suit these are the possible numbers of melds, eyes, distinct kinds, doubled ones and
    pairs; and for each choice the place of its numbers in that list, the copies used and those that
    jokers could be, shape (N, number of ranks).
    """
    found = []
    for suit, place in zip(tiles.suits, tiles.slices, strict=True):
        choices = sorted(_suit_parts(template, suit, place))
        numbers = sorted({made for made, _, _ in choices})
        groups = np.array([numbers.index(made) for made, _, _ in choices], dtype=np.int16)
        use = np.array([copies for _, copies, _ in choices], dtype=np.int8)
        eligible = np.array([copies for _, _, copies in choices], dtype=np.int8)
        found.append((numbers, groups, use, eligible))
    return tuple(found)


def _suit_parts(template: Template, suit: Suit, place: slice) -> set[Choice]:
    """Return every choice of parts inside one suit."""
    kinds = range(place.start, place.stop)
    inside = [kind for kind in template.kinds if kind in kinds]
    nothing = (0,) * len(kinds)
    limit = 4 + 4 * len(template.jokers) * template.has_fifth
    wanted = _numbers_of(template)

    def option(made: Numbers, block: Numbers, part: str) -> Choice:
        copies = tuple([block.count(kind) for kind in kinds])
        return made, copies, copies if part in template.joker_parts else nothing

    def grow(choices: set[Choice], options: list[Choice]) -> set[Choice]:
        grown = {
            (_add(a[0], b[0]), _add(a[1], b[1]), _add(a[2], b[2])) for a in choices for b in options
        }
        return {
            choice
            for choice in grown
            if max(choice[1]) <= limit and all(map(le, choice[0], wanted))
        }

    melds = [(kind,) * 3 for kind in inside if template.has_pongs]
    for kind in inside if template.has_chows and suit.has_chows else ():
        run = range(kind, kind + 3)
        is_run = set(run) <= set(inside)
        if is_run and suit.ranks[run[2] - place.start] == suit.ranks[kind - place.start] + 2:
            melds.append((kind, kind + 1, kind + 2))
    eligible = template.joker_fixed[place] if template.jokers else nothing
    choices: set[Choice] = {((0,) * 5, template.fixed[place], eligible)}
    triples = [option((1, 0, 0, 0, 0), meld, "melds") for meld in melds]
    twos = [option((0, 1, 0, 0, 0), (kind,) * 2, "eyes") for kind in inside]
    for number, options in ((template.melds, triples), (template.eyes, twos)):
        more = choices
        for _ in range(number):
            more = grow(more, options)
            choices = choices | more
    for kind in template.of if template.distinct else ():
        once = option((0, 0, 1, 0, 0), (kind,), "distinct")
        twice = option((0, 0, 1, 1, 0), (kind,) * 2, "distinct")
        choices |= grow(choices, [once, twice] if kind in kinds else [])
    for kind in inside if template.pairs else ():
        most = limit // 2 if template.has_equal_pairs else 1
        numbers = range(1, min(most, template.pairs) + 1)
        pairs = [option((0, 0, 0, 0, n), (kind,) * 2 * n, "pairs") for n in numbers]
        choices |= grow(choices, pairs)
    return choices


def count_complete_hands(tiles: TileSet, *, called: int = 0) -> int:
    """Count the distinct complete hands of a tile set.

    The number of tiles in a suit determines its melds and eyes, so hands of different
    shares are different hands.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> count_complete_hands(M0), count_complete_hands(FULL)
    (5237550, 11498658)
    """
    return sum(
        prod(len(suit_choices(suit)[key]) for suit, key in zip(tiles.suits, share, strict=True))
        for share in _shares(len(tiles.suits), 4 - called)
    )


def complete_hands(tiles: TileSet, *, called: int = 0) -> Iterator[Counts]:
    """Yield every complete hand, in arrays of shape (N, K), one per share of the melds."""
    for share in _shares(len(tiles.suits), 4 - called):
        parts = [suit_choices(suit)[key] for suit, key in zip(tiles.suits, share, strict=True)]
        grid = np.indices([len(part) for part in parts]).reshape(len(parts), -1)
        yield np.concatenate([part.T[:, i] for part, i in zip(parts, grid, strict=True)]).T
