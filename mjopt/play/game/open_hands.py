"""Open hands of riichi: how far they are from a hand with a yaku, by the forms of riichi-open.

A closed hand needs no form, since riichi is a yaku. An open hand wins if it has one of the forms.
Those of value honours and of chows name fixed tiles, and a called meld can be a part of these.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from mjopt.hands.blocks import Block, Shape
from mjopt.hands.rules.classic_forms import UNREACHABLE, standard_template
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import Forms, templates_beside
from mjopt.hands.tiles import FULL
from mjopt.play.game.moves import with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.rules import RIICHI_GAME
from mjopt.tables.suits.template_cost import least_missing

Counts = tuple[int, ...]

RULES: Final = "riichi-open"
EAST, WHITE = 27, 31


def value_kinds(seat: int, dealer: int, wind: int, seats: int = 4) -> frozenset[int]:
    """Return the kinds whose pongs are a yaku: dragons, the seat's wind, the prevailing wind.

    Examples
    --------
    >>> sorted(value_kinds(1, 0, 0))
    [27, 28, 31, 32, 33]
    """
    return frozenset({EAST + (seat - dealer) % seats, EAST + wind, WHITE, WHITE + 1, WHITE + 2})


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

    ``values`` are the kinds whose pongs are a yaku; see :func:`value_kinds`.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow, pong
    >>> values = value_kinds(1, 0, 0)
    >>> len(open_templates((pong(33),), values)), len(open_templates((chow(0), chow(12)), values))
    (1, 9)
    """
    pongs = {meld.kinds[0] for meld in melds if meld.shape is not Shape.CHOW}
    if pongs & values:
        return (standard_template(FULL),)
    return tuple(
        template
        for form in yaku_forms(values)
        for some in templates_beside(form, melds)
        for template in some
    )


@lru_cache(maxsize=1 << 5)
def yaku_forms(values: frozenset[int]) -> Forms:
    """Return the forms of riichi-open without the pongs of winds that are no yaku.

    Examples
    --------
    >>> [form.name.partition(".")[2] for form in yaku_forms(value_kinds(1, 0, 0))][2:6]
    ['red_dragon', 'east_wind', 'south_wind', 'all_simples']
    """
    others = frozenset(range(EAST, WHITE)) - values
    return tuple(
        form
        for form in get_rules(RULES).forms
        if not any(form.templates[0].fixed[kind] for kind in others)
    )


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
