"""The deficiency of one hand for any template, in plain Python without tables."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.suits.costs import NO_JOKERS, Jokers, Use, encode, join_parts, part_costs

# The definition of docs/reference/winning-forms.md, computed suit by suit with `part_costs` and
# joined. It knows every template, joker and limit of unseen tiles, so it answers where no table
# does, and the tests compare all tables with it.

Copies = tuple[int, ...]


def least_missing(
    templates: Iterable[Template],
    tiles: TileSet,
    counts: Copies,
    unseen: Copies,
    called: int = 0,
) -> int:
    """Return the fewest tiles that a hand misses for some template; or ``UNREACHABLE``.

    Copies are per kind: those held, and those that can still arrive, at most those not held. Each
    of the ``called`` melds on the table can be one of the melds.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> hand = Hand.parse("123456789m123p12345s", rules="taiwan")
    >>> taiwan = hand.rules.forms[0].templates
    >>> least_missing(taiwan, hand.tiles, hand.counts, hand.unseen)
    1
    """
    found = (
        _missing(template, tiles, counts, unseen, called)
        for template in templates
        if template.melds >= called
    )
    return min(found, default=UNREACHABLE)


def _missing(
    template: Template, tiles: TileSet, counts: Copies, unseen: Copies, called: int
) -> int:
    jokers, held_jokers, reach = NO_JOKERS, 0, [h + u for h, u in zip(counts, unseen, strict=True)]
    if template.jokers:
        held_jokers = template.held_jokers(counts)
        others = sum([unseen[kind] for kind in template.jokers])
        most = min(held_jokers + others, template.most_jokers)
        jokers = Jokers(most, "melds" in template.joker_parts, template.has_fifth)
        counts = template.natural(counts)
        reach = [0 if kind in template.jokers else most for kind, most in enumerate(reach)]
    wanted = encode(
        template.melds - called,
        template.eyes,
        template.distinct,
        template.doubled,
        template.pairs,
    )
    both: Mapping[int, int] = {0: 0}
    for part in tiles.slices:
        uses = suit_uses(template, tiles, part.start, part.stop, jokers.most)
        costs = _suit_costs(counts[part], tuple(reach[part]), uses, wanted, jokers)
        both = join_parts(both, costs, wanted, jokers)
    joker = encode(jokers=1)
    missing = [
        cost + max(0, parts // joker - held_jokers)
        for parts, cost in both.items()
        if parts % joker == wanted
    ]
    return min(missing, default=UNREACHABLE)


@lru_cache(maxsize=1 << 14)
def _suit_costs(
    held: Copies, reach: Copies, uses: tuple[tuple[Use, ...], ...], most: int, jokers: Jokers
) -> dict[int, int]:
    """Return the fewest tiles that a suit misses; cached, since most suits recur."""
    return part_costs(held, reach, uses, most, jokers)


@lru_cache(maxsize=1 << 12)
def suit_uses(
    template: Template, tiles: TileSet, start: int, stop: int, jokers: int = 0
) -> tuple[tuple[Use, ...], ...]:
    """Return the uses of each kind of a suit; those that need more copies than exist are omitted.

    Three equal chows are three pongs, so at most two begin with a kind if pongs count.
    """
    return tuple(_uses(template, tiles, kind, jokers) for kind in range(start, stop))


def _uses(template: Template, tiles: TileSet, kind: int, jokers: int) -> tuple[Use, ...]:
    limit = COPIES + jokers * template.has_fifth
    inside = kind in template.kinds
    is_start = kind in tiles.chow_starts and {kind, kind + 1, kind + 2} <= set(template.kinds)
    most_chows = limit if is_start and template.has_chows else 0
    most_chows = min(most_chows, template.melds, 2 if template.has_pongs else limit)
    most_pongs = limit // 3 if inside and template.has_pongs else 0
    most_distinct = min(1, template.distinct) if kind in template.of else 0
    most_pairs = (limit // 2 if template.has_equal_pairs else 1) if inside else 0
    eligible = template.joker_fixed[kind] if template.joker_fixed else 0
    weights = [part in template.joker_parts for part in ("melds", "eyes", "distinct", "pairs")]
    return tuple(
        Use(
            chows,
            encode(chows + pongs, eyes, distinct, doubled, pairs),
            copies,
            eligible
            + weights[0] * (chows + 3 * pongs)
            + weights[1] * 2 * eyes
            + weights[2] * (distinct + doubled)
            + weights[3] * 2 * pairs,
        )
        for chows in range(most_chows + 1)
        for pongs in range(min(most_pongs, template.melds - chows) + 1)
        for eyes in range(min(limit // 2 if inside else 0, template.eyes) + 1)
        for distinct in range(most_distinct + 1)
        for doubled in range(min(distinct, template.doubled) + 1)
        for pairs in range(min(most_pairs, template.pairs) + 1)
        if (
            copies := template.fixed[kind]
            + (chows + 3 * pongs + 2 * eyes + distinct + doubled + 2 * pairs)
        )
        <= limit
    )
