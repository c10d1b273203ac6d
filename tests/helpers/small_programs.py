"""Integer programs for solver tests: small ones to enumerate, hard ones to interrupt."""

import itertools
import random
from collections.abc import Sequence

from hypothesis import strategies as st

from mjopt.models.program import Program, Rows

Row = tuple[int | None, int | None, Sequence[tuple[int, int]]]


def make(
    objective: Sequence[int],
    bounds: Sequence[tuple[int, int]],
    rows: Sequence[Row] = (),
    *,
    offset: int = 0,
    integer: bool = True,
) -> Program:
    size = len(objective)
    return Program(
        name="toy",
        objective=tuple(objective),
        offset=offset,
        lower=tuple(low for low, _ in bounds),
        upper=tuple(high for _, high in bounds),
        integer=(integer,) * size,
        rows=Rows.gather([(f"r{i}", *row) for i, row in enumerate(rows)]),
        names=tuple(f"x{j}" for j in range(size)),
        pieces=((),) * size,
    )


def brute_force(program: Program) -> int | None:
    """Return the optimum over all points within the bounds, or None if infeasible."""
    spans = [range(a, b + 1) for a, b in zip(program.lower, program.upper, strict=True)]
    points = itertools.product(*spans)
    return min((program.evaluate(x) for x in points if program.fault(x) is None), default=None)


SPANS = st.tuples(st.integers(-3, 2), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))


@st.composite
def programs(
    draw: st.DrawFn, spans: st.SearchStrategy[tuple[int, int]] = SPANS, least: int = 0
) -> Program:
    """Draw a program of at most five variables with rows of every kind; some are infeasible."""
    size = draw(st.integers(least, 5))
    small = st.integers(-4, 4)
    bounds = [draw(spans) for _ in range(size)]
    side = st.none() | st.integers(-8, 8)
    rows: list[Row] = []
    for _ in range(draw(st.integers(0, 4))):
        terms = [(j, c) for j in range(size) if (c := draw(small))]
        low, high = draw(st.tuples(side, side))
        if draw(st.booleans()):
            high = low  # an equality, or a free row
        rows.append((low, high, draw(st.permutations(terms))))
    objective = draw(st.lists(small, min_size=size, max_size=size))
    return make(objective, bounds, rows, offset=draw(st.integers(-9, 9)))


def binary_programs() -> st.SearchStrategy[Program]:
    """Return programs of 0/1 variables; some variables are fixed."""
    return programs(st.sampled_from([(0, 1), (0, 1), (0, 0), (1, 1)]), least=1)


def market_split(num_rows: int, num_halves: int, seed: int = 0, *, slack: bool = True) -> Program:
    """Return a market split instance: split customers so that each product is halved. Very hard.

    With slack, deviations are minimised; without slack, none are allowed.
    After Cornuejols and Dawande (1999), doi:10.1287/ijoc.11.2.205.
    """
    rng = random.Random(seed)
    rows: list[Row] = []
    for i in range(num_rows):
        demand = [rng.randrange(1, 100) for _ in range(num_halves)]
        terms = list(enumerate(demand))
        if slack:
            terms += [(num_halves + 2 * i, 1), (num_halves + 2 * i + 1, -1)]
        rows.append((sum(demand) // 2, sum(demand) // 2, terms))
    num_slacks = 2 * num_rows * slack
    return make(
        [0] * num_halves + [1] * num_slacks,
        [(0, 1)] * num_halves + [(0, 10_000)] * num_slacks,
        rows,
    )
