"""Equivalence classes of the tiles of a suit: those that the same other tiles complete.

The groups of a tile set are four parts of a hand. A class of a part is what the layered automata of
the templates tell apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import names_of
from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundles.layers import (
    Demand,
    Layers,
    both,
    demand_of,
    greatest_cost,
    load_demand,
    read_after,
    restricted,
    unread,
)
from mjopt.tables.bundles.rule_tables import num_shares
from mjopt.tables.bundles.template_columns import covers_all
from mjopt.tables.suits.costs import Costs
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.shares import MELD, Share, fits, share_sums, wanted_parts

# A class has a cost, the tiles missing, for each share of each template that the part may supply.
# `joined_classes` finds which of these classes differ together with those of the other parts
# (docs/reference/expected-draws.md, "Counting").

MOST_SHARES: Final = 500
"""Most shares in all different demands on groups: deriving one takes up to 70 ms, once."""

MOST_JOKERS: Final = 15
"""Most kinds of jokers."""

MOST_CLASSES: Final = 20_000
"""Most classes of a part; forms with more are refused."""

MOST_KINDS: Final = 15
"""Most kinds of a part: 64 bits hold the ways to draw any number of its tiles."""

_FEWER: Final = "ask about fewer forms (forms=, --forms)"

Part = tuple[dict[Share, int], ...]
"""For each template, the column of each share in the costs of a part."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleClasses:
    """The automata of the four parts of a hand."""

    kinds: tuple[Kinds, ...]  # of each part
    layers: tuple[Layers, ...]
    shares: tuple[Part, ...]
    wanted: tuple[Share, ...]  # of each template, less the called melds
    jokers: Kinds
    most: int  # costs above this number count as this number
    forms: str  # for messages


def rule_classes(query: HandQuery) -> RuleClasses:
    """Return the classes for the forms of a query.

    HandError if draws, and with them win chances, are not counted for these forms together.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> classes = rule_classes(HandQuery(Hand.parse("1112345678999m1p", rules="riichi")))
    >>> [len(layers.costs) for layers in classes.layers]
    [173, 173, 173, 55]
    """
    hand = query.hand
    every = tuple(dict.fromkeys(t for form in query.forms for t in query.templates(form)))
    return _rule_classes(every, hand.tiles, hand.called, ", ".join(names_of(query.forms)))


@lru_cache(maxsize=64)
def _rule_classes(
    templates: tuple[Template, ...], tiles: TileSet, called: int, forms: str
) -> RuleClasses:
    _check_templates(templates, forms)
    _check_kinds(tiles, forms)
    jokers = templates[0].jokers if templates else ()
    most = greatest_cost(templates[0]) if templates else 1
    groups = [group.kinds for group in groups_of(tiles)]
    wanted = [wanted_parts(template) - called * MELD for template in templates]
    demands = [[demand_of(template, tiles, kinds) for kinds in groups] for template in templates]
    shares_of = {
        demand: num_shares(template)
        for template, row in zip(templates, demands, strict=True)
        for demand in row
    }
    check_number(sum(shares_of.values()), MOST_SHARES, "shares of the parts of all forms", forms)
    useful = [_useful(row, total) for row, total in zip(demands, wanted, strict=True)]
    # Templates that no tiles complete are left out.
    able = [number for number, row in enumerate(useful) if all(row)]
    demands, useful = [demands[i] for i in able], [useful[i] for i in able]
    wanted = [wanted[i] for i in able]
    known: dict[object, tuple[Layers, dict[object, int]]] = {}
    layers, shares = [], []
    for place, part in enumerate(groups):
        asked = [(row[place], tuple(own[place])) for row, own in zip(demands, useful, strict=True)]
        # Suits of which all templates ask the same share one automaton.
        alike = tuple(sorted(set(asked))), part.stop - part.start
        if alike not in known:
            known[alike] = _part(*alike, forms)
        found, columns = known[alike]
        layers.append(found)
        shares.append(
            tuple({share: columns[demand, share] for share in own} for demand, own in asked)
        )
    missing = MOST_GROUPS - len(groups)
    classes = RuleClasses(
        kinds=(*(tuple(range(part.start, part.stop)) for part in groups), *[()] * missing),
        layers=(*layers, *[unread(0)] * missing),
        shares=(*shares, *[({0: 0},) * len(wanted)] * missing),
        wanted=tuple(wanted),
        jokers=jokers,
        most=most,
        forms=forms,
    )
    while len(classes.kinds) > MOST_GROUPS:
        classes = _with_fewer_parts(classes, forms)
    return classes


def _check_templates(templates: Sequence[Template], forms: str) -> None:
    """Refuse templates whose draws are not counted, before anything is derived."""
    said = f"{forms}: draws and win chances are not counted "
    check_number(
        len(templates[0].jokers) if templates else 0, MOST_JOKERS, "kinds of jokers", forms
    )
    for template in templates:
        if template.jokers and not covers_all(template):
            raise HandError(
                f"{said}with jokers that do not stand for every tile",
                hint="ask about forms without them (forms=, --forms)",
            )
        if template.jokers != templates[0].jokers:
            raise HandError(f"{said}for forms with different jokers at once", hint=_FEWER)


def _check_kinds(tiles: TileSet, forms: str) -> None:
    """Refuse tile sets whose groups are more kinds than four parts can hold."""
    sizes = sorted([group.width for group in groups_of(tiles)])
    while len(sizes) > MOST_GROUPS:
        both = sizes[0] + sizes[1]
        check_number(both, MOST_KINDS, "kinds of tiles in two suits", forms)
        sizes = sorted([*sizes[2:], both])


def check_number(number: int, most: int, noun: str, forms: str) -> None:
    """Refuse forms that need more of something than the most; ``noun`` names it."""
    if number > most:
        raise HandError(
            f"{forms}: draws and win chances are not counted with {number:,} {noun}",
            expected=f"at most {most:,}",
            hint=_FEWER,
        )


def _useful(demands: Sequence[Demand], wanted: Share) -> list[list[Share]]:
    """Return for each group the shares that the other groups can complete."""
    every = [[*load_demand(demand).shares] for demand in demands]
    found = []
    for place, shares in enumerate(every):
        others = share_sums(every[:place] + every[place + 1 :], wanted)
        found.append([s for s in shares if fits(s, wanted) and wanted - s in others])
    return found


def _part(
    asked: Sequence[tuple[Demand, tuple[Share, ...]]], num_kinds: int, forms: str
) -> tuple[Layers, dict[object, int]]:
    """Return the automaton of all demands on a group, and the column of each of their shares."""
    columns: dict[object, int] = {}
    found = unread(num_kinds)
    for demand, shares in asked:
        own = load_demand(demand)
        first = found.costs.shape[1]
        columns |= {(demand, share): first + number for number, share in enumerate(shares)}
        found = both(found, restricted(own.layers, [own.shares[share] for share in shares]))
        check_number(len(found.costs), MOST_CLASSES, "classes of a suit", forms)
    return found, columns


def _with_fewer_parts(classes: RuleClasses, forms: str) -> RuleClasses:
    """Return the classes with two parts as one, whose kinds are read one after another."""
    sizes = [len(kinds) for kinds in classes.kinds]
    # The two parts with the fewest kinds, since the classes of a part grow with its kinds.
    one, two = min(combinations(range(len(sizes)), 2), key=lambda pair: sum(sizes[i] for i in pair))
    first, second = classes.layers[one], classes.layers[two]
    shares: list[dict[Share, int]] = []
    columns: dict[object, int] = {}
    costs: list[Costs] = []
    for template, wanted in enumerate(classes.wanted):
        here, there = classes.shares[one][template], classes.shares[two][template]
        demand = tuple(sorted(here.items())), tuple(sorted(there.items()))
        sums = pair_costs(first.costs, here, second.costs, there, wanted, classes.most)
        for share, cost in sums.items():
            if (demand, share) not in columns:
                columns[demand, share] = len(costs)
                costs.append(cost.reshape(-1))
        shares.append({share: columns[demand, share] for share in sums})
    found = read_after(first, second, np.stack(costs, axis=1))
    check_number(len(found.costs), MOST_CLASSES, "classes of two suits", forms)
    rest = [place for place in range(len(sizes)) if place not in (one, two)]
    return RuleClasses(
        kinds=(*(classes.kinds[i] for i in rest), classes.kinds[one] + classes.kinds[two]),
        layers=(*(classes.layers[i] for i in rest), found),
        shares=(*(classes.shares[i] for i in rest), tuple(shares)),
        wanted=classes.wanted,
        jokers=classes.jokers,
        most=classes.most,
        forms=forms,
    )


def pair_costs(
    one: Costs,
    shares: Mapping[Share, int],
    two: Costs,
    others: Mapping[Share, int],
    wanted: Share,
    most: int,
) -> dict[Share, Costs]:
    """Return the costs of all shares of two parts for a template, shape ``(A, B)``."""
    found: dict[Share, Costs] = {}
    for share, column in shares.items():
        for more, other in others.items():
            total = share + more
            if fits(total, wanted):
                costs = np.minimum(one[:, column, None] + two[:, other], np.int8(most))
                known = found.get(total)
                found[total] = costs if known is None else np.minimum(known, costs, out=known)
    return found
