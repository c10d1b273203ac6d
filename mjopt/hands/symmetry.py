"""Symmetries of hands: canonical form, and those that keep the winning forms of a rule set."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product

from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import Suit, TileSet

_MOST_SUITS = 4  # more are only mirrored all together: their orders are too many to try

SuitOrder = tuple[tuple[int, bool], ...]
"""For each suit with chows, the suit that takes its place, and whether it is mirrored."""


@lru_cache(maxsize=32)
def _suit_roles(tiles: TileSet) -> tuple[tuple[int, int, bool, bool, tuple[object, ...]], ...]:
    """Return each suit's slice, whether it can be reversed or permuted, and its class."""
    roles = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        is_mirrored = tuple(10 - rank for rank in reversed(suit.ranks)) == suit.ranks
        is_honours = suit.letter == "z"
        permutes = is_honours and not suit.has_chows
        suit_class = (suit.ranks, suit.has_chows, is_honours)
        roles.append((part.start, part.stop, is_mirrored, permutes, suit_class))
    return tuple(roles)


def canonical_counts(counts: tuple[int, ...], tiles: TileSet) -> tuple[int, ...]:
    """Return copies per kind that are equal for two hands if and only if these are equivalent.

    Suits with the same ranks can be exchanged, each suit of ranks 1..9 can be reversed, and honours
    can be permuted. This preserves the deficiency of every form and the paper's cost, if all copies
    not held are unseen.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import M0
    >>> one, two = Hand.parse("1235m778899p9999s"), Hand.parse("1111m112233p5789s")
    >>> canonical_counts(one.counts, M0) == canonical_counts(two.counts, M0)
    True
    """
    roles = _suit_roles(tiles)
    parts: list[tuple[int, ...]] = []
    for start, stop, is_mirrored, permutes, _ in roles:
        part = counts[start:stop]
        if permutes:
            part = tuple(sorted(part))
        elif is_mirrored:
            part = min(part, part[::-1])
        parts.append(part)
    by_class: dict[tuple[object, ...], list[int]] = {}
    for i, role in enumerate(roles):
        by_class.setdefault(role[4], []).append(i)
    for indices in by_class.values():
        for i, part in zip(indices, sorted(parts[i] for i in indices), strict=True):
            parts[i] = part
    return tuple([number for part in parts for number in part])


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSymmetry:
    """Rearrangements of tiles that keep every winning form of a rule set."""

    suits: tuple[int, ...]  # those with chows
    orders: tuple[SuitOrder, ...]  # ways to permute and mirror these suits, with the identity
    classes: tuple[tuple[int, ...], ...]  # the other kinds, by classes whose kinds can be permuted

    def describe(self, tiles: TileSet) -> str:
        """Return the symmetries in words.

        Examples
        --------
        >>> from mjopt.hands.rules.rule_file import get_rules
        >>> for name in ("taiwan", "mcr"):
        ...     find_symmetry(get_rules(name)).describe(get_rules(name).tiles)
        'suits in any order, each suit or its mirror; 1234567z in any order'
        'suits in any order, all suits or all their mirrors; 1234567z in any order'
        """
        words = []
        for suit, part in zip(tiles.suits, tiles.slices, strict=True):
            for kinds in self.classes:
                if len(kinds) > 1 and part.start <= kinds[0] < part.stop:
                    ranks = "".join(str(tiles.rank(kind)) for kind in kinds)
                    words.append(f"{ranks}{suit.letter} in any order")
        return "; ".join([*self._words_of_suits(), *words]) or "none"

    def _words_of_suits(self) -> Iterator[str]:
        if len(self.orders) == 1:
            return
        orders = {tuple(suit for suit, _ in order) for order in self.orders}
        mirrors = {tuple(is_mirrored for _, is_mirrored in order) for order in self.orders}
        number = 1
        for place in range(len(self.suits)):
            number *= place + 1
        if len(self.orders) < len(orders) * len(mirrors) or 1 < len(orders) < number:
            yield f"{len(self.orders)} ways to permute and mirror the suits"
            return
        any_order = "suits in any order" if len(orders) > 1 else ""
        if len(mirrors) == 2 ** len(self.suits):
            yield ", ".join(filter(None, [any_order, "each suit or its mirror"]))
        elif mirrors == {(False,) * len(self.suits), (True,) * len(self.suits)}:
            yield ", ".join(filter(None, [any_order, "all suits or all their mirrors"]))
        elif len(mirrors) == 1:
            yield any_order
        else:
            yield f"{len(self.orders)} ways to permute and mirror the suits"


def find_symmetry(rules: RuleSet) -> RuleSymmetry:
    """Return the rearrangements of tiles under which each winning form stays the same.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> found = find_symmetry(get_rules("mcr.knitted_straight"))
    >>> len(found.orders), found.classes
    (12, ((27, 28, 29, 30, 31, 32, 33),))
    """
    return _find_symmetry(rules.tiles, tuple(form.templates for form in rules.forms))


@lru_cache(maxsize=32)
def _find_symmetry(tiles: TileSet, forms: tuple[tuple[Template, ...], ...]) -> RuleSymmetry:
    every = tuple(range(tiles.num_kinds))
    known = [frozenset(templates) for templates in forms]

    def keeps(order: tuple[int, ...]) -> bool:
        return all(_moved(part, order) in some for some in known for part in some)

    suits = tuple(number for number, suit in enumerate(tiles.suits) if suit.has_chows)
    orders = tuple(
        order for order in _suit_orders(tiles, suits) if keeps(_kinds_of(tiles, suits, order))
    )
    classes: list[tuple[int, ...]] = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        own: list[list[int]] = []
        for kind in every[part] if not suit.has_chows else ():
            for some in own:
                swap = list(every)
                swap[kind], swap[some[0]] = some[0], kind
                if keeps(tuple(swap)):
                    some.append(kind)
                    break
            else:
                own.append([kind])
        classes += map(tuple, own)
    return RuleSymmetry(suits=suits, orders=orders, classes=tuple(classes))


def _suit_orders(tiles: TileSet, suits: tuple[int, ...]) -> Iterator[SuitOrder]:
    """Yield ways to permute equal suits and to mirror those that are equal to their mirror."""
    is_few = len(suits) <= _MOST_SUITS
    mirrors = [(False, True) if _is_mirrored(tiles.suits[suit]) else (False,) for suit in suits]
    uniform = product((False, True)) if all(len(m) == 2 for m in mirrors) else [(False,)]
    for places in permutations(suits) if is_few else [suits]:
        pairs = zip(places, suits, strict=True)
        if any(tiles.suits[one].ranks != tiles.suits[other].ranks for one, other in pairs):
            continue
        for some in product(*mirrors) if is_few else (each * len(suits) for each in uniform):
            yield tuple(zip(places, some, strict=True))


def _is_mirrored(suit: Suit) -> bool:
    return tuple(10 - rank for rank in reversed(suit.ranks)) == suit.ranks


def _kinds_of(tiles: TileSet, suits: tuple[int, ...], order: SuitOrder) -> tuple[int, ...]:
    """Return the kind that takes the place of each kind."""
    kinds = list(range(tiles.num_kinds))
    for place, (source, is_mirrored) in zip(suits, order, strict=True):
        part = tiles.slices[source]
        taken = list(range(part.start, part.stop))
        kinds[tiles.slices[place]] = taken[::-1] if is_mirrored else taken
    return tuple(kinds)


def _moved(template: Template, order: tuple[int, ...]) -> Template:
    """Return a template whose kind k is the kind ``order[k]`` of another."""

    def some(kinds: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([place for place, kind in enumerate(order) if kind in kinds])

    return replace(
        template,
        fixed=tuple([template.fixed[kind] for kind in order]),
        kinds=some(template.kinds),
        of=some(template.of),
        jokers=some(template.jokers),
        joker_fixed=tuple([template.joker_fixed[k] for k in order]) if template.joker_fixed else (),
    )
