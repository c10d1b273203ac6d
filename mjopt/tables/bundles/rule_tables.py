"""Tables of any winning forms: bundles of templates, and the templates that have none."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.bundle import Bundle
from mjopt.tables.bundles.bundle_file import has_bundle, load_bundle
from mjopt.tables.bundles.template_columns import covers_all
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.template_cost import suit_uses

# D(hand) is a minimum over templates (docs/reference/winning-forms.md), so any grouping into
# bundles is right; it decides only time and memory. A bundle costs one look-up a label, but classes
# multiply when unlike templates share one. So the templates of a family are tried together,
# families without melds join the bundle before them while it stays small, and templates that fit in
# none are left to other ways (`others`, see `rule_labels`).

MOST_TOGETHER: Final = 256
"""Most classes of a group of different templates without melds that share a bundle."""

MOST_ANSWERS_TOGETHER: Final = 1 << 20
"""Most answers of such a bundle."""

MOST_RANKS: Final = 9
"""Most kinds of a group."""

MOST_SHARES: Final = 60
"""Most shares of a template; more take much time and memory to derive."""

MOST_BITS: Final = 64
"""Most bits of the classes of a group in all bundles: a word holds them."""

SPARE: Final = 1
"""Tiles that a hand may hold beyond those of a complete hand, before a discard."""

_SIZE_BITS: Final = 6  # of a bundle that only knows numbers of tiles

_READY: Final[set[tuple[tuple[Template, ...], TileSet]]] = set()
"""Templates known to have tables: to look for their files takes longer than a label."""

Family = tuple[int, Kinds, object]
"""Whether templates have melds and fixed tiles; their jokers; and the parts that must be equal."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleTables:
    """The tables of some templates of a tile set."""

    tiles: TileSet
    size: int  # tiles of a complete hand
    most: int  # tiles of a state of a group, at most
    bundles: tuple[Bundle, ...]  # the first one knows the numbers of tiles
    templates: tuple[tuple[Template, ...], ...]  # those of each bundle
    # For each bundle, the kinds whose tiles are subtracted from its answers.
    jokers: tuple[Kinds, ...]
    others: tuple[Template, ...]  # the templates without tables

    @property
    def num_bits(self) -> int:
        """Bits of the classes of a group in all bundles."""
        return sum(bundle.num_bits for bundle in self.bundles)


def has_tables(tiles: TileSet) -> bool:
    """Return whether templates of a tile set can have tables."""
    groups = groups_of(tiles)
    return len(groups) <= MOST_GROUPS and all(group.width <= MOST_RANKS for group in groups)


def may_have_tables(template: Template) -> bool:
    """Return whether tables of a template can be tried, before anything is derived."""
    is_simple = not template.jokers or covers_all(template)
    return is_simple and num_shares(template) <= MOST_SHARES


def num_shares(template: Template) -> int:
    """Return at least the number of shares that a group may have."""
    parts = template.melds, template.eyes, template.pairs, template.distinct, template.doubled
    return prod([number + 1 for number in parts])


@lru_cache(maxsize=64)
def rule_tables(templates: tuple[Template, ...], tiles: TileSet) -> RuleTables:
    """Return the tables of some templates, at least one, of the same number of tiles.

    Templates that ask alike are tried together: first those of melds without fixed tiles, which
    also know the numbers of tiles; then those without melds; then those of melds and fixed tiles,
    apart if they ask for other tiles of the third group. The tile set has at most four groups.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> riichi = get_rules("riichi")
    >>> templates = tuple(t for form in riichi.forms for t in form.templates)
    >>> [bundle.answers.shape for bundle in rule_tables(templates, riichi.tiles).bundles]
    [(5, 362, 494), (1, 182, 96)]
    """
    plan = _Plan(tiles, templates[0].num_tiles)
    for family, some in _families(templates, tiles):
        plan.add(family, some)
    return plan.result(templates)


def are_ready(templates: tuple[Template, ...], tiles: TileSet) -> bool:
    """Return whether tables were derived on this machine before, or are part of the package."""
    if (templates, tiles) in _READY:
        return True
    families = _families(templates, tiles)
    if not has_tables(tiles) or not families:
        return False
    plan = _Plan(tiles, templates[0].num_tiles)
    before: list[tuple[Template, ...]] = []  # of the last bundle, which others may share
    for place, (family, some) in enumerate(families):
        together = [known + some for known in before if family[0] == 1]
        found = [each for each in (some, *together) if plan.is_ready(family, each, place)]
        if not found:
            return False
        before = found if family[0] == 1 else []
    _READY.add((templates, tiles))
    return True


@lru_cache(maxsize=64)
def _families(
    templates: tuple[Template, ...], tiles: TileSet
) -> list[tuple[Family, tuple[Template, ...]]]:
    """Return the families of the templates that may have tables, in the order of bundles."""
    found: dict[Family, list[Template]] = defaultdict(list)
    for template in dict.fromkeys(templates):
        if may_have_tables(template):
            found[_family(template, tiles)].append(template)
    return sorted(
        ((family, tuple(some)) for family, some in found.items()), key=lambda pair: pair[0][0]
    )


def _family(template: Template, tiles: TileSet) -> Family:
    """Return the family of a template: the templates of a family are tried in one bundle."""
    parts = template.distinct, template.doubled, template.pairs
    if template.melds and not any(template.fixed) and not any(parts):
        return 0, template.jokers, ()
    if not template.melds:
        return 1, template.jokers, (template.eyes, *parts)
    third = groups_of(tiles)[:3][-1].kinds
    return 2, template.jokers, suit_uses(template, tiles, third.start, third.stop)


class _Plan:
    """The bundles chosen so far."""

    def __init__(self, tiles: TileSet, size: int) -> None:
        self._tiles, self._size = tiles, size
        self._most = max(size + SPARE, COPIES)
        self._chosen: list[tuple[Family, tuple[Template, ...], Bundle]] = []

    def add(self, family: Family, templates: tuple[Template, ...]) -> None:
        """Add templates to the last bundle, if none of either has melds, or as a new one.

        Not with other jokers than those of a bundle before, since look-ups count one number of
        jokers for each hand.
        """
        jokers = {known[1] for known, _, _ in self._chosen} - {()}
        if family[1] and jokers - {family[1]}:
            return
        if self._chosen and family[0] == 1 and self._chosen[-1][0][:2] == family[:2]:
            some = self._chosen[-1][1] + templates
            together = self._derive(some)
            if together is not None and _is_small(together):
                self._chosen[-1] = family, some, together
                return
        is_sized = family[0] == 0 and not self._chosen
        bundle = self._derive(templates, is_sized=is_sized)
        if bundle is not None and self._num_bits() + bundle.num_bits <= MOST_BITS:
            self._chosen.append((family, templates, bundle))

    def _num_bits(self) -> int:
        own = sum(bundle.num_bits for _, _, bundle in self._chosen)
        has_sizes = bool(self._chosen) and self._chosen[0][2].sizes is not None
        return own if has_sizes else own + _SIZE_BITS

    def result(self, templates: Sequence[Template]) -> RuleTables:
        """Return the tables of all templates."""
        if not self._chosen or self._chosen[0][2].sizes is None:
            sizes = self._derive((), is_sized=True)
            assert sizes is not None
            self._chosen.insert(0, ((0, (), ()), (), sizes))
        known = {template for _, some, _ in self._chosen for template in some}
        return RuleTables(
            self._tiles,
            self._size,
            self._most,
            tuple(bundle for _, _, bundle in self._chosen),
            tuple(some for _, some, _ in self._chosen),
            tuple(jokers for (_, jokers, _), _, _ in self._chosen),
            tuple(template for template in dict.fromkeys(templates) if template not in known),
        )

    def is_ready(self, family: Family, templates: tuple[Template, ...], place: int) -> bool:
        """Return whether there is a file of a bundle of the family at some place."""
        is_sized = family[0] == 0 and place == 0
        return has_bundle(templates, self._tiles, self._most, is_sized=is_sized)

    def _derive(self, templates: tuple[Template, ...], *, is_sized: bool = False) -> Bundle | None:
        return load_bundle(templates, self._tiles, self._most, is_sized=is_sized)


def _is_small(bundle: Bundle) -> bool:
    """Return whether templates without melds may share a bundle."""
    most = max(int(numbers.max()) + 1 for numbers in bundle.numbers)
    return most <= MOST_TOGETHER and bundle.answers.size <= MOST_ANSWERS_TOGETHER
