"""Equivalence classes of the tiles of a suit: those that the same other tiles complete.

The groups of a tile set are four parts: two make the left half of a hand, and two the right one.
A class of a part is what the layered automata of the templates tell apart. Templates that ask the
same of the right half are one there. Of two classes of parts or halves that are alike beside every
class of the others, one is left (Myhill and Nerode).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import names_of
from mjopt.hands.rules.template import Kinds, Template
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundle import MELD, Share, fits, share_sums, wanted_parts
from mjopt.tables.costs import Costs
from mjopt.tables.groups import MOST_GROUPS, groups_of
from mjopt.tables.layers import (
    Demand,
    Layers,
    Numbers,
    both,
    demand_of,
    greatest_cost,
    load_demand,
    number_rows,
    read_after,
    relabelled,
    restricted,
    unread,
)
from mjopt.tables.rule_tables import num_shares
from mjopt.tables.template_columns import covers_all

# A hand misses, for one template, the least sum of costs of shares of the parts that add up to the
# template; over all templates the least of these. Two classes of a part are alike if this number is
# the same beside all classes of the other parts (up to `most`, above which it does not matter): no
# draw can tell them apart, and their polynomials can be added before any product. A joined table
# has one row or column for each class that differs.

MOST_SHARES: Final = 500
"""Most shares in all different demands on groups: deriving one takes up to 70 ms, once."""

MOST_JOKERS: Final = 15
"""Most kinds of jokers."""

MOST_CLASSES: Final = 20_000
"""Most classes of a part; forms with more are refused."""

MOST_PAIRS: Final = 100_000_000
"""Most pairs of classes that draws lead to, of two parts or of both halves."""

MOST_KINDS: Final = 15
"""Most kinds of a part: 64 bits hold the ways to draw any number of its tiles."""

_FEW: Final = 200_000  # pairs of all classes: joined once for a rule set, not for each hand
_BLOCK: Final = 256  # rows
_FEWER: Final = "ask about fewer forms (forms=, --forms)"

Number = TypeVar("Number", bound=np.generic)
Codes = NDArray[np.int32]
Oriented = tuple[Codes, Codes, Codes, Codes]
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Joined:
    """Classes of parts and halves that differ beside some classes of the others.

    Costs are tiles that a hand misses without its jokers.
    """

    places: tuple[Numbers, ...]  # by class of each part; that of a class that was left out is -1
    codes: tuple[Codes, Codes]  # the class of each half by those of its two parts
    costs: Costs  # shape (P, O), by the classes of both halves

    @cached_property
    def oriented(self) -> Oriented:
        """The codes of each half, with the classes of each part as rows."""
        left, right = self.codes
        return left, _transposed(left), right, _transposed(right)

    @cached_property
    def across(self) -> Costs:
        """The costs with the classes of the right half as rows."""
        return _transposed(self.costs)

    def num_classes(self, place: int) -> int:
        """Return the number of classes of a part."""
        return int(self.codes[place // 2].shape[place % 2])

    def complete_class(self, place: int) -> int:
        """Return the class of a part that completes the hand, whatever the others are, or -1."""
        costs = self.across if place // 2 else self.costs
        is_complete = (costs == 0).all(axis=1)[self.oriented[place]].all(axis=1)
        return int(is_complete.argmax()) if is_complete.any() else -1


class JoinedLayers(NamedTuple):
    """The joined classes of all parts, and automata that lead to them."""

    joined: Joined
    layers: tuple[Layers, ...]


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
    _check(sum(shares_of.values()), MOST_SHARES, "shares of the parts of all forms", forms)
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
    _check(len(templates[0].jokers) if templates else 0, MOST_JOKERS, "kinds of jokers", forms)
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
        _check(both, MOST_KINDS, "kinds of tiles in two suits", forms)
        sizes = sorted([*sizes[2:], both])


def _check(number: int, most: int, noun: str, forms: str) -> None:
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
        _check(len(found.costs), MOST_CLASSES, "classes of a suit", forms)
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
        sums = _pair_costs(first.costs, here, second.costs, there, wanted, classes.most)
        for share, cost in sums.items():
            if (demand, share) not in columns:
                columns[demand, share] = len(costs)
                costs.append(cost.reshape(-1))
        shares.append({share: columns[demand, share] for share in sums})
    found = read_after(first, second, np.stack(costs, axis=1))
    _check(len(found.costs), MOST_CLASSES, "classes of two suits", forms)
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


def _pair_costs(
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


def join(classes: RuleClasses, reached: Sequence[Numbers] | None = None, forms: str = "") -> Joined:
    """Join the classes of four parts: all of them, or those that draws lead to.

    Templates are added one right half after another. Classes that are alike for those added so far
    become one each time, so that few remain at every step. HandError if there are too many pairs of
    classes.
    """
    rows = [np.arange(len(layers.costs)) for layers in classes.layers]
    chosen = rows if reached is None else reached
    own = [layers.costs[some] for layers, some in zip(classes.layers, chosen, strict=True)]
    places = [np.zeros(len(some), np.int64) for some in chosen]
    joined = Joined(
        places=tuple(places),
        codes=(np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int32)),
        costs=np.full((1, 1), classes.most, np.int8),
    )
    for members in _alike(classes):
        joined = _with_templates(joined, _costs_of(classes, members, own), forms)
    if reached is None:
        return joined
    spread = []
    for row, some, numbers in zip(rows, chosen, joined.places, strict=True):
        every = np.full(len(row), -1, np.int64)
        every[some] = numbers
        spread.append(every)
    return replace(joined, places=tuple(spread))


@lru_cache(maxsize=64)
def join_all(classes: RuleClasses) -> JoinedLayers | None:
    """Join all classes of four parts; None if only those that draws lead to should be joined."""
    one, two, three, four = [len(layers.costs) for layers in classes.layers]
    if max(one * two, three * four) > _FEW:
        return None
    joined = join(classes, None, classes.forms)
    made: dict[object, Layers] = {}
    layers = []
    for place, (own, numbers) in enumerate(zip(classes.layers, joined.places, strict=True)):
        complete = joined.complete_class(place)
        key = id(own), numbers.tobytes(), complete
        if key not in made:
            no_costs = np.zeros((int(numbers.max()) + 1, 0), np.int8)
            made[key] = relabelled(own, numbers, no_costs, complete)
        layers.append(made[key])
    return JoinedLayers(joined, tuple(layers))


def _alike(classes: RuleClasses) -> Iterable[list[int]]:
    """Return the templates by all that they ask of the right half."""
    found: dict[object, list[int]] = {}
    for template in range(len(classes.wanted)):
        right = [tuple(sorted(part[template].items())) for part in classes.shares[2:]]
        found.setdefault((*right, classes.wanted[template]), []).append(template)
    return found.values()


def _costs_of(classes: RuleClasses, members: Sequence[int], own: Sequence[Costs]) -> Joined:
    """Return the classes of templates that ask the same of the right half."""
    most, wanted = classes.most, classes.wanted[members[0]]
    lines, tables, shares = [], [], []
    for part, costs in zip(classes.shares, own, strict=True):
        # Rows that agree in the columns of these templates are one class for them.
        columns = sorted({column for template in members for column in part[template].values()})
        asked = costs[:, columns]
        first, numbers = number_rows(asked.T, most)
        lines.append(numbers)
        tables.append(asked[first])
        order = {column: place for place, column in enumerate(columns)}
        shares.append([{s: order[c] for s, c in part[t].items()} for t in members])
    # These templates need the same of the right half. So the left half only counts by the least
    # cost of each share over the templates: min over templates of (lack + supply) = (min of lack) +
    # supply.
    supplied = _pair_costs(tables[2], shares[2][0], tables[3], shares[3][0], wanted, most)
    lacking: dict[Share, Costs] = {}
    for one, two in zip(shares[0], shares[1], strict=True):
        for share, found in _pair_costs(tables[0], one, tables[1], two, wanted, most).items():
            if wanted - share in supplied:
                known = lacking.get(wanted - share)
                lacking[wanted - share] = found if known is None else np.minimum(known, found)
    left, lack = _number_pairs(lacking.values(), most)
    right, supply = _number_pairs([supplied[share] for share in lacking], most)
    answers = np.full((lack.shape[1], supply.shape[1]), most, np.int8)
    for misses, others in zip(lack, supply, strict=True):
        np.minimum(answers, misses[:, None] + others, out=answers)
    return Joined(places=tuple(lines), codes=(left, right), costs=answers)


def _number_pairs(every: Collection[Costs], most: int) -> tuple[Codes, Costs]:
    """Return the class of each pair of classes, and the costs of these by share and class."""
    flat = [costs.reshape(-1) for costs in every]
    first, numbers = number_rows(flat, most)
    shape = next(iter(every)).shape
    return numbers.reshape(shape).astype(np.int32), np.array([costs[first] for costs in flat])


def _with_templates(known: Joined, more: Joined, forms: str) -> Joined:
    """Return the classes for the templates of both, the fewest that differ."""
    places, pairs = [], []
    for one, two in zip(known.places, more.places, strict=True):
        # A class for both sets of templates is a pair of classes; only pairs that occur are
        # numbered.
        first, numbers = number_rows([one, two], max(int(one.max()), int(two.max())))
        places.append(numbers)
        pairs.append((one[first], two[first]))
    joint, used = [], []
    for half in range(2):
        (a, c), (b, d) = pairs[2 * half], pairs[2 * half + 1]
        _check(len(a) * len(b), MOST_PAIRS, "pairs of classes of suits", forms)
        width = more.costs.shape[half]
        is_used = np.zeros(known.costs.shape[half] * width, np.bool_)
        table = np.empty((len(a), len(b)), np.int32)
        for row, one, two in zip(table, known.codes[half][a], more.codes[half][c], strict=True):
            np.add(one.take(b) * width, two.take(d), out=row)  # a row fits in the CPU cache
            is_used[row] = True
        joint.append(table)
        used.append(np.flatnonzero(is_used))
    (p, q), (o, r) = [divmod(codes, more.costs.shape[i]) for i, codes in enumerate(used)]
    _check(len(p) * len(o), MOST_PAIRS, "pairs of halves of hands", forms)
    costs = zip(known.costs[p], more.costs[q], strict=True)
    # Myhill and Nerode: halves with equal rows of costs become one class, then parts with equal
    # rows of such halves.
    rows, columns, answers = _merged(np.minimum(one.take(o), two.take(r)) for one, two in costs)
    codes = []
    for half, numbers in enumerate((rows, columns)):
        number = np.empty(known.costs.shape[half] * more.costs.shape[half], np.int32)
        number[used[half]] = numbers
        lines, across, table = _merged(number.take(row) for row in joint[half])
        codes.append(table)
        places[2 * half] = lines[places[2 * half]]
        places[2 * half + 1] = across[places[2 * half + 1]]
    return Joined(places=tuple(places), codes=(codes[0], codes[1]), costs=answers)


def _merged(rows: Iterable[NDArray[Number]]) -> tuple[Numbers, Numbers, NDArray[Number]]:
    """Return the number of each row and column of a table, equal ones alike, and the rest of it."""
    distinct: list[NDArray[Number]] = []
    lines = _number(rows, distinct)
    table = np.stack(distinct)
    columns = _number(_transposed(table), [])
    return lines, columns, table.take(np.unique(columns, return_index=True)[1], axis=1)


def _transposed(table: NDArray[Number]) -> NDArray[Number]:
    """Return the columns of a table as rows; blocks fit in the CPU cache: ten times as fast."""
    across = np.empty(table.shape[::-1], table.dtype)
    for start in range(0, len(table), _BLOCK):
        across[:, start : start + _BLOCK] = table[start : start + _BLOCK].T
    return across


def _number(rows: Iterable[NDArray[Number]], distinct: list[NDArray[Number]]) -> Numbers:
    """Return the number of each row among the distinct ones, which are appended to a list."""
    known: dict[bytes, int] = {}
    numbers = []
    for row in rows:
        number = known.setdefault(row.tobytes(), len(known))
        if number == len(distinct):
            distinct.append(row)
        numbers.append(number)
    return np.array(numbers, np.int64)
