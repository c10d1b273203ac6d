"""The classes of the parts and halves of a hand that differ beside some classes of the others.

Two parts make the left half of a hand, and two the right one. Templates that ask the same of the
right half are one there. Of two classes of parts or halves that are alike beside every class of the
others, one is left (Myhill and Nerode).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.draws.rule_classes import RuleClasses, check_number, pair_costs
from mjopt.tables.bundles.layers import Layers, Numbers, number_rows, relabelled
from mjopt.tables.suits.costs import Costs
from mjopt.tables.suits.shares import Share

# A hand misses, for one template, the least sum of costs of shares of the parts that add up to the
# template; over all templates the least of these. Two classes of a part are alike if this number is
# the same beside all classes of the other parts (up to `most`, above which it does not matter): no
# draw can tell them apart, and their polynomials can be added before any product. A joined table
# has one row or column for each class that differs.

MOST_PAIRS: Final = 100_000_000
"""Most pairs of classes that draws lead to, of two parts or of both halves."""

_FEW: Final = 200_000  # pairs of all classes: joined once for a rule set, not for each hand
_BLOCK: Final = 256  # rows

Number = TypeVar("Number", bound=np.generic)
Codes = NDArray[np.int32]
Oriented = tuple[Codes, Codes, Codes, Codes]


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
    supplied = pair_costs(tables[2], shares[2][0], tables[3], shares[3][0], wanted, most)
    lacking: dict[Share, Costs] = {}
    for one, two in zip(shares[0], shares[1], strict=True):
        for share, found in pair_costs(tables[0], one, tables[1], two, wanted, most).items():
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
        check_number(len(a) * len(b), MOST_PAIRS, "pairs of classes of suits", forms)
        width = more.costs.shape[half]
        is_used = np.zeros(known.costs.shape[half] * width, np.bool_)
        table = np.empty((len(a), len(b)), np.int32)
        for row, one, two in zip(table, known.codes[half][a], more.codes[half][c], strict=True):
            np.add(one.take(b) * width, two.take(d), out=row)  # a row fits in the CPU cache
            is_used[row] = True
        joint.append(table)
        used.append(np.flatnonzero(is_used))
    (p, q), (o, r) = [divmod(codes, more.costs.shape[i]) for i, codes in enumerate(used)]
    check_number(len(p) * len(o), MOST_PAIRS, "pairs of halves of hands", forms)
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
