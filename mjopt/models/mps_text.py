"""Programs as MPS text, the format every solver reads."""

from mjopt.models.lp_text import fresh_name, without_ranges
from mjopt.models.program import Program


def to_mps(program: Program, *, plain: bool = False) -> str:
    """Write a program as free MPS.

    Whole variables stand between markers and every bound is written out, since
    readers disagree about the default bounds of whole variables. The offset is
    the right-hand side of the objective, negated; OR-Tools, HiGHS and CBC all
    read it so. Free rows are left out: an ``N`` row is the objective to some.

    Parameters
    ----------
    program
        The program.
    plain
        Whether to do without ``RANGES`` and a constant, which PuLP's reader does
        not know; see `mjopt.models.lp_text.without_ranges`.

    Examples
    --------
    >>> from mjopt.models.program import Rows
    >>> program = Program(
    ...     name="toy", objective=(1, 0), offset=5, lower=(0, 0), upper=(9, 1),
    ...     integer=(True, True), rows=Rows.gather([("r", 2, 7, [(0, 1), (1, -1)])]),
    ...     names=("a", "b"), pieces=((), ()),
    ... )
    >>> print(to_mps(program))
    NAME  toy  FREE
    ROWS
     N  cost
     L  r
    COLUMNS
     MARKER1  'MARKER'  'INTORG'
     a  cost  1
     a  r  1
     b  cost  0
     b  r  -1
     MARKER2  'MARKER'  'INTEND'
    RHS
     RHS  cost  -5
     RHS  r  7
    RANGES
     RNG  r  5
    BOUNDS
     LO  BND  a  0
     UP  BND  a  9
     LO  BND  b  0
     UP  BND  b  1
    ENDATA
    """
    # A range is a distance, so it cannot say that a row's bounds cross.
    sides = zip(program.rows.lower, program.rows.upper, strict=True)
    crossed = any(low is not None and high is not None and low > high for low, high in sides)
    if plain or crossed or program.num_variables == 0:
        program = without_ranges(program)
    # FREE is for CBC, which otherwise guesses from the indent and guesses wrong.
    cost = fresh_name("cost", set(program.rows.names))
    lines = [f"NAME  {'_'.join(program.name.split())}  FREE", "ROWS", f" N  {cost}"]
    right, ranges = [], []
    if program.offset:
        right.append(f" RHS  {cost}  {-program.offset}")
    for name, low, high in zip(
        program.rows.names, program.rows.lower, program.rows.upper, strict=True
    ):
        if low is None and high is None:
            continue
        kind = "G" if high is None else "E" if low == high else "L"
        lines.append(f" {kind}  {name}")
        if side := low if high is None else high:
            right.append(f" RHS  {name}  {side}")
        if kind == "L" and low is not None and high is not None:
            ranges.append(f" RNG  {name}  {high - low}")
    lines += ["COLUMNS", *_columns(program, cost), "RHS", *right]
    if ranges:
        lines += ["RANGES", *ranges]
    lines.append("BOUNDS")
    for name, low, high in zip(program.names, program.lower, program.upper, strict=True):
        lines += [f" LO  BND  {name}  {low}", f" UP  BND  {name}  {high}"]
    return "\n".join([*lines, "ENDATA", ""])


def _columns(program: Program, cost: str) -> list[str]:
    rows = program.rows
    entries = [
        [f" {name}  {cost}  {weight}"]
        for name, weight in zip(program.names, program.objective, strict=True)
    ]
    for i, name in enumerate(rows.names):
        if rows.lower[i] is None and rows.upper[i] is None:
            continue
        for e in range(rows.starts[i], rows.starts[i + 1]):
            j = rows.columns[e]
            entries[j].append(f" {program.names[j]}  {name}  {rows.coefficients[e]}")
    lines = []
    markers, is_whole = 0, False
    for entry, whole in zip([*entries, []], [*program.integer, False], strict=True):
        if whole != is_whole:
            markers += 1
            word = "'INTORG'" if whole else "'INTEND'"
            lines.append(f" MARKER{markers}  'MARKER'  {word}")
            is_whole = whole
        lines += entry
    return lines
