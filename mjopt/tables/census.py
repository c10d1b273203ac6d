"""Count all hands and deals by deficiency, exactly, for any winning forms with tables.

Nothing is sampled: `deficiency_counts` adds up products of numbers of states.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, whole
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.rules.classic_forms import HAND_SIZE, names_of
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.hands.tiles import M0, TileSet, as_list, as_tiles
from mjopt.tables.bundles.bundle import MOST_ANSWERS, MOST_CLASSES
from mjopt.tables.bundles.rule_arrays import RuleArrays, arrays_of
from mjopt.tables.bundles.rule_tables import (
    MOST_BITS,
    MOST_SHARES,
    has_tables,
    may_have_tables,
    num_shares,
)
from mjopt.tables.bundles.template_columns import covers_all
from mjopt.tables.deficiency_counts import count_by_deficiency
from mjopt.tables.suits.groups import MOST_GROUPS

_OTHERS: Final = "count other forms (forms=, --forms)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Numbers of hands and deals by deficiency.

    Parameters
    ----------
    tiles
        Name of the tile set.
    size
        Tiles of a hand: those of a complete hand, or one fewer.
    forms
        The forms over which the least deficiency is taken.
    types
        Number of suits that a hand has tiles of (honours count as one), or None for any
        number.
    counts
        Distinct hands, by deficiency.
    deals
        Ways to deal them from the full set, by deficiency: every hand weighted by the
        ways to choose its copies.

    Examples
    --------
    >>> census(M0, types=1).counts
    (39777, 273195, 43158, 270)
    """

    tiles: str
    size: int
    forms: tuple[str, ...]
    types: int | None
    counts: tuple[int, ...]
    deals: tuple[int, ...]

    def __post_init__(self) -> None:
        """Validate lengths and signs."""
        numbers = as_list(self.counts, "counts") + as_list(self.deals, "deals")
        both = [whole(number, "census") for number in numbers]
        if len(self.counts) != len(self.deals) or min(both, default=0) < 0:
            raise HandError(
                f"counts {short_repr(self.counts)}, deals {short_repr(self.deals)}",
                argument="census",
                expected="equally many numbers of 0 or more",
            )

    @property
    def num_hands(self) -> int:
        """Number of distinct hands."""
        return sum(self.counts)

    @property
    def num_deals(self) -> int:
        """Number of deals."""
        return sum(self.deals)


def census(
    tiles: TileSet | str = M0,
    *,
    size: int | None = None,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    types: int | None = None,
) -> Census:
    """Count all hands by deficiency, exactly.

    Parameters
    ----------
    tiles
        The tile set or its name: ``m0``, ``136`` or ``sanma``.
    size, forms, types
        As in :class:`Census`; ``types`` restricts the hands to that number of suits. By default
        the size is that of a complete hand. Forms whose jokers stand for some tiles only, and forms
        with too many classes of a suit, are refused by name.
    rules
        The rule set; it decides the tile set, the size and the default forms.

    Examples
    --------
    >>> found = census(M0)
    >>> found.num_hands, found.counts[0]
    (21310147575, 5237550)
    """
    rules = None if rules is None else get_rules(rules)
    tiles = as_tiles(tiles) if rules is None else rules.tiles
    if rules is None and not tiles.is_built_in:
        raise HandError(tiles.name, argument="census", expected="M0, FULL or SANMA")
    most = HAND_SIZE if rules is None else rules.size
    chosen = read_forms(forms, tiles, most, rules=rules)
    size = most if size is None else size
    if as_whole(size) not in (most - 1, most):
        raise ArgumentError(
            f"hands of {short_repr(size)} tiles",
            argument="census",
            expected=f"{most - 1} or {most}",
        )
    if types is not None and as_whole(types) not in range(1, len(tiles.suits) + 1):
        raise ArgumentError(
            f"{short_repr(types)} types", argument="census", expected=f"1..{len(tiles.suits)}"
        )
    arrays = _arrays_of(chosen, tiles)
    counts, deals = count_by_deficiency(arrays, size, types, ", ".join(names_of(chosen)))
    most = max(counts, default=0)
    return Census(
        tiles=tiles.name,
        size=size,
        forms=names_of(chosen),
        types=types,
        counts=tuple(counts[value] for value in range(most + 1)),
        deals=tuple(deals[value] for value in range(most + 1)),
    )


def _arrays_of(forms: tuple[WinningForm, ...], tiles: TileSet) -> RuleArrays:
    """Return the tables of some forms, or raise an error if one has none."""
    if not has_tables(tiles):
        raise HandError(
            f"hands of {len(tiles.suits)} suits are not counted",
            argument="census",
            expected=f"at most {MOST_GROUPS}",
        )
    every = [(form, template) for form in forms for template in form.templates]
    for form, template in every:
        if not may_have_tables(template):
            raise _refusal(form, template)
    arrays = arrays_of(templates_of(forms), tiles)
    for form, template in every:
        if template in arrays.tables.others:
            raise _refusal(form, template)
    return arrays


def _refusal(form: WinningForm, template: Template) -> HandError:
    """Return the error for a template without tables."""
    reason, expected, shares = "is not counted", "", num_shares(template)
    if template.has_fifth:
        reason += " with jokers that stand for a fifth copy"
    elif template.jokers and not covers_all(template):
        reason += " with jokers that do not stand for every tile"
    elif shares > MOST_SHARES:
        reason += f" with {shares:,} combinations of numbers of parts"
        expected = f"at most {MOST_SHARES}"
    else:
        reason += " without tables"
        expected = (
            f"at most {MOST_CLASSES} classes of a suit, {MOST_ANSWERS:,} pairs of classes of two "
            f"halves, {MOST_BITS} bits for all forms"
        )
    return HandError(f"{form} {reason}", argument="census", expected=expected, hint=_OTHERS)
