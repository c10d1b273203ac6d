"""Integer programs as plain records, with an exact check of feasible points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mjopt._internal.validation import expect
from mjopt.errors import ModelError
from mjopt.hands.blocks import Block, join_jokers

Row = tuple[str, int | None, int | None, Sequence[tuple[int, int]]]
"""Name, lower and upper bound (None: unbounded), and (variable, coefficient) pairs."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Rows:
    """Linear constraints ``lower <= a x <= upper`` in compressed sparse rows.

    Hands of one tile set often share their rows, so solvers cache by identity, and
    equality is identity.

    Parameters
    ----------
    starts
        Where each row begins in ``columns``, one more entry than rows.
    columns
        Variable of each entry; no variable twice in one row.
    coefficients
        Coefficient of each entry, an integer, never 0.
    lower, upper
        Bounds of each row; None means unbounded on that side.
    names
        A distinct name for each row, safe in LP and MPS files.

    Examples
    --------
    >>> Rows.gather([("difference", 0, None, [(0, 1), (1, -1)])]).coefficients
    (1, -1)
    """

    starts: tuple[int, ...]
    columns: tuple[int, ...]
    coefficients: tuple[int, ...]
    lower: tuple[int | None, ...]
    upper: tuple[int | None, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        """Validate the lengths of the parts."""
        sizes = {len(self.starts) - 1, len(self.lower), len(self.upper), len(self.names)}
        entries = {self.starts[-1], len(self.columns), len(self.coefficients)}
        if len(sizes) != 1 or len(entries) != 1:
            raise ModelError(
                f"rows do not fit together: {sorted(sizes)} rows, {sorted(entries)} entries"
            )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.names)

    def __iter__(self) -> Iterator[tuple[str, int | None, int | None, tuple[tuple[int, int], ...]]]:
        """Yield each row as (name, lower, upper, ((variable, coefficient), ...))."""
        for i, name in enumerate(self.names):
            row = slice(self.starts[i], self.starts[i + 1])
            terms = tuple(zip(self.columns[row], self.coefficients[row], strict=True))
            yield name, self.lower[i], self.upper[i], terms

    @classmethod
    def gather(cls, rows: Sequence[Row]) -> "Rows":
        """Pack a list of rows."""
        terms = [term for row in rows for term in row[3]]
        return cls(
            starts=(0, *accumulate(len(row[3]) for row in rows)),
            columns=tuple([variable for variable, _ in terms]),
            coefficients=tuple([coefficient for _, coefficient in terms]),
            lower=tuple([row[1] for row in rows]),
            upper=tuple([row[2] for row in rows]),
            names=tuple([row[0] for row in rows]),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Program:
    """Minimise ``offset + objective x`` over bounded variables and rows.

    All data are integers, so that a solution can be checked exactly.

    Parameters
    ----------
    name
        The formulation and the hand, for files and messages.
    objective
        Cost of one unit of each variable.
    offset
        Constant part of the objective.
    lower, upper
        Bounds of each variable; all finite.
    integer
        Whether each variable must be whole.
    rows
        The constraints.
    names
        A distinct name for each variable, safe in LP and MPS files.
    pieces
        The blocks that one unit of each variable adds to the solution; empty for auxiliary
        variables.

    Examples
    --------
    >>> from mjopt.hands.blocks import eye
    >>> rows = Rows.gather([("one_eye", 1, 1, [(0, 1), (1, 1)])])
    >>> program = Program(
    ...     name="toy", objective=(2, 1), lower=(0, 0), upper=(1, 1), integer=(True, True),
    ...     rows=rows, names=("a", "b"), pieces=((eye(0),), (eye(1),)),
    ... )
    >>> program.evaluate((0, 1)), program.fault((0, 1)), program.fault((1, 1))
    (1, None, 'row one_eye is 2, outside 1..1')
    """

    name: str
    objective: tuple[int, ...]
    offset: int = 0
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    integer: tuple[bool, ...]
    rows: Rows
    names: tuple[str, ...]
    pieces: tuple[tuple[Block, ...], ...]

    def __post_init__(self) -> None:
        """Validate that all parts have the same length."""
        expect(self.rows, Rows, "rows")
        parts = (self.objective, self.lower, self.upper, self.integer, self.names, self.pieces)
        if len({len(part) for part in parts}) != 1:
            raise ModelError(f"{self.name}: parts differ in length {[len(p) for p in parts]}")

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.objective)

    def evaluate(self, values: Sequence[int]) -> int:
        """Return the objective at a point."""
        return self.offset + sum(c * x for c, x in zip(self.objective, values, strict=True) if x)

    def fault(self, values: Sequence[int]) -> str | None:
        """Describe a bound or row that an integer point breaks; None if it is feasible."""
        if len(values) != self.num_variables:
            return f"{len(values)} values for {self.num_variables} variables"
        for name, lower, value, upper in zip(
            self.names, self.lower, values, self.upper, strict=True
        ):
            if not lower <= value <= upper:
                return f"variable {name} is {value}, outside {lower}..{upper}"
        rows = self.rows
        for i, name in enumerate(rows.names):
            entries = range(rows.starts[i], rows.starts[i + 1])
            total = sum([rows.coefficients[e] * values[rows.columns[e]] for e in entries])
            low, high = rows.lower[i], rows.upper[i]
            if (low is not None and total < low) or (high is not None and total > high):
                span = f"{'' if low is None else low}..{'' if high is None else high}"
                return f"row {name} is {total}, outside {span}"
        return None

    def decode(self, values: Sequence[int]) -> tuple[Block, ...]:
        """Return the blocks of a point, in order of kind."""
        blocks: list[Block] = []
        for pieces, value in zip(self.pieces, values, strict=True):
            if value:
                blocks += pieces * value
        return join_jokers(blocks)
