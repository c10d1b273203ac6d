"""Open hands of riichi: how far they are from a hand with a yaku, by the forms of riichi-open.

A closed hand needs no form, since riichi is a yaku. An open hand wins if it has one of the forms.
Those of value honours and of chows name fixed tiles. A called meld that is one of their groups is
done: its tiles leave the fixed part, and the template has one meld more, which is called.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from mjopt.hands.blocks import Block, Shape, chow, pong
from mjopt.hands.rule_file import get_rules
from mjopt.hands.rule_set import standard_template
from mjopt.hands.template import Template
from mjopt.hands.tiles import FULL
from mjopt.hands.winning_forms import UNREACHABLE
from mjopt.play.game.moves import with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.rules import RIICHI_GAME
from mjopt.tables.template_cost import least_missing

Counts = tuple[int, ...]

RULES: Final = "riichi-open"
EAST, WHITE = 27, 31


def value_kinds(seat: int, dealer: int, wind: int) -> frozenset[int]:
    """Return the kinds whose pongs are a yaku: dragons, the seat's wind, the prevailing wind.

    Examples
    --------
    >>> sorted(value_kinds(1, 0, 0))
    [27, 28, 31, 32, 33]
    """
    return frozenset({EAST + (seat - dealer) % 4, EAST + wind, WHITE, WHITE + 1, WHITE + 2})


def needs_yaku(view: View) -> bool:
    """Return whether a view is of a riichi table, where open hands need a yaku."""
    return view.rules == RIICHI_GAME


def open_melds(view: View) -> tuple[Block, ...]:
    """Return the seat's melds as blocks; empty if the hand is closed."""
    is_open = any(meld.seat_from != view.seat for meld in view.melds)
    return tuple(meld.block for meld in view.melds) if is_open else ()


@lru_cache(maxsize=1 << 10)
def open_templates(melds: tuple[Block, ...], values: frozenset[int]) -> tuple[Template, ...]:
    """Return the templates of winning hands with these melds on the table.

    Parameters
    ----------
    melds
        All melds on the table.
    values
        The kinds whose pongs are a yaku; see :func:`value_kinds`.

    Examples
    --------
    >>> values = value_kinds(1, 0, 0)
    >>> len(open_templates((pong(33),), values)), len(open_templates((chow(0), chow(12)), values))
    (1, 9)
    """
    pongs = {meld.kinds[0] for meld in melds if meld.shape is not Shape.CHOW}
    if pongs & values:
        return (standard_template(FULL),)
    winds = frozenset(range(EAST, WHITE)) - values
    found: dict[Template, None] = {}
    for form in get_rules(RULES).forms:
        for template in form.templates:
            groups = _groups(template.fixed)
            done = [meld for meld in groups if meld in melds]
            others = [meld for meld in melds if meld not in done]
            if not any(group.kinds[0] in winds for group in groups) and (
                template.melds >= len(others) and all(map(template.allows, others))
            ):
                fixed = list(template.fixed)
                for kind in (kind for meld in done for kind in meld.kinds):
                    fixed[kind] -= 1
                made = replace(template, fixed=tuple(fixed), melds=template.melds + len(done))
                found[made] = None
    return tuple(found)


@lru_cache(maxsize=1 << 8)
def _groups(fixed: Counts) -> tuple[Block, ...]:
    """Return the pong and the chows of a fixed part."""
    left, groups = list(fixed), list[Block]()
    for kind in range(len(left)):
        while left[kind]:
            group = pong(kind) if left[kind] >= 3 else chow(kind)
            groups.append(group)
            for part in group.kinds:
                left[part] -= 1
    return tuple(groups)


def open_distance(
    counts: Counts, melds: tuple[Block, ...], values: frozenset[int], unseen: Counts
) -> int:
    """Return how many tiles an open hand misses for a win with a yaku.

    It is ``UNREACHABLE`` if the copies that are left allow none of the forms.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("234m4567p55s2z", tiles=FULL, melds=["789s"])
    >>> open_distance(hand.counts, hand.melds, value_kinds(0, 0, 0), hand.unseen)
    3
    """
    templates = open_templates(melds, values)
    return least_missing(templates, FULL, counts, unseen, len(melds))


def rate_open_discards(
    counts: Counts,
    melds: tuple[Block, ...],
    values: frozenset[int],
    unseen: Counts,
    kinds: Sequence[int],
) -> Mapping[int, tuple[float, ...]]:
    """Rate an open hand after each discard: tiles missing, then useful copies, negative."""
    templates, called = open_templates(melds, values), len(melds)
    missing = [least_missing((t,), FULL, counts, unseen, called) for t in templates]
    best = min(missing, default=UNREACHABLE)
    # Some discard keeps the least, so a template that is farther leads to no best discard, and a
    # tile that helps after a discard helps before it.
    nearest = tuple(t for t, n in zip(templates, missing, strict=True) if n == best)
    helpful = _helpful(counts, unseen, called, nearest, best, range(len(counts)))
    ratings = dict[int, tuple[float, ...]]()
    for kind in kinds:
        after = with_copies(counts, kind, -1)
        if least_missing(nearest, FULL, after, unseen, called) > best:
            ratings[kind] = (best + 1, 0)
        else:
            useful = _helpful(after, unseen, called, nearest, best, helpful)
            ratings[kind] = (best, -sum(unseen[drawn] for drawn in useful))
    return ratings


def _helpful(
    counts: Counts,
    unseen: Counts,
    called: int,
    templates: tuple[Template, ...],
    missing: int,
    kinds: Iterable[int],
) -> list[int]:
    """Return those of some kinds that lower the number of missing tiles."""
    return [
        kind
        for kind in kinds
        if unseen[kind]
        and least_missing(
            templates,
            FULL,
            with_copies(counts, kind, 1),
            with_copies(unseen, kind, -1),
            called,
        )
        < missing
    ]
