"""Write programs as LP, which is readable, and as MPS, which every solver reads."""

import textwrap

from mjopt.models.program import Program, Row, Rows

_WIDTH = 100  # some readers stop at 255 or 510 characters a line


def to_lp(program: Program) -> str:
    r"""Write a program in CPLEX's LP format.

    Ranged rows are written as two rows and the offset as a variable fixed at 1 (see
    `without_ranges`), so that HiGHS and CBC read the same program. OR-Tools uses another format
    of this name.

    Examples
    --------
    >>> from mjopt.models.program import Rows
    >>> program = Program(
    ...     name="toy", objective=(1, -2), offset=5, lower=(0, -1), upper=(9, 1),
    ...     integer=(True, True), rows=Rows.gather([("r", 2, 7, [(0, 1), (1, -1)])]),
    ...     names=("a", "b"), pieces=((), ()),
    ... )
    >>> print(to_lp(program))
    \ toy
    Minimize
     cost: 1 a - 2 b + 5 offset
    Subject To
     r: 1 a - 1 b <= 7
     r_low: 1 a - 1 b >= 2
    Bounds
     0 <= a <= 9
     -1 <= b <= 1
     1 <= offset <= 1
    General
     a b offset
    End
    """
    program = without_ranges(program)
    names = program.names
    label = fresh_name("cost", set(program.rows.names))
    # CBC rejects a variable that first appears among the bounds.
    used = set(program.rows.columns)
    costs = [(j, cost) for j, cost in enumerate(program.objective) if cost or j not in used]
    lines = [f"\\ {program.name}", "Minimize", *_wrapped(f"{label}: {_sum(costs, names)}")]
    lines.append("Subject To")
    no_rows = Rows.gather([("no_rows", None, 0, [])])  # GLPK's reader needs a row
    for name, low, high, terms in program.rows or no_rows:
        sense = "=" if low == high else ">=" if high is None else "<="
        side = low if high is None else high
        lines += _wrapped(f"{name}: {_sum(terms, names)} {sense} {side}")
    lines.append("Bounds")
    for name, lower, upper in zip(names, program.lower, program.upper, strict=True):
        lines.append(f" {lower} <= {name} <= {upper}")
    whole = [name for name, is_whole in zip(names, program.integer, strict=True) if is_whole]
    if whole:
        lines += ["General", *_wrapped(" ".join(whole))]
    return "\n".join([*lines, "End", ""])


def _sum(terms: tuple[tuple[int, int], ...] | list[tuple[int, int]], names: tuple[str, ...]) -> str:
    if not terms:
        return f"0 {names[0]}"  # a row needs a variable
    parts = [f"{'-' if c < 0 else '+'} {abs(c)} {names[j]}" for j, c in terms]
    return " ".join(parts).removeprefix("+ ")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=" ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def to_mps(program: Program) -> str:
    """Write a program as free MPS.

    Only what all readers read alike is used: integer variables are enclosed in markers, every
    bound is written, and ranged rows and the offset are replaced as in LP (see
    `without_ranges`).

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
     G  r_low
    COLUMNS
     MARKER1  'MARKER'  'INTORG'
     a  cost  1
     a  r  1
     a  r_low  1
     b  cost  0
     b  r  -1
     b  r_low  -1
     offset  cost  5
     MARKER2  'MARKER'  'INTEND'
    RHS
     RHS  r  7
     RHS  r_low  2
    BOUNDS
     LO  BND  a  0
     UP  BND  a  9
     LO  BND  b  0
     UP  BND  b  1
     LO  BND  offset  1
     UP  BND  offset  1
    ENDATA
    """
    program = without_ranges(program)
    # Without FREE, CBC guesses the format from the indent, and guesses wrong.
    cost = fresh_name("cost", set(program.rows.names))
    lines = [f"NAME  {'_'.join(program.name.split())}  FREE", "ROWS", f" N  {cost}"]
    right = []
    entries = [
        [f" {name}  {cost}  {weight}"]
        for name, weight in zip(program.names, program.objective, strict=True)
    ]
    for name, low, high, terms in program.rows:
        kind = "G" if high is None else "E" if low == high else "L"
        lines.append(f" {kind}  {name}")
        if side := low if high is None else high:
            right.append(f" RHS  {name}  {side}")
        for variable, weight in terms:
            entries[variable].append(f" {program.names[variable]}  {name}  {weight}")
    lines.append("COLUMNS")
    markers, is_whole = 0, False
    for entry, whole in zip([*entries, []], [*program.integer, False], strict=True):
        if whole != is_whole:
            markers += 1
            word = "'INTORG'" if whole else "'INTEND'"
            lines.append(f" MARKER{markers}  'MARKER'  {word}")
            is_whole = whole
        lines += entry
    lines += ["RHS", *right, "BOUNDS"]
    for name, lower, upper in zip(program.names, program.lower, program.upper, strict=True):
        lines += [f" LO  BND  {name}  {lower}", f" UP  BND  {name}  {upper}"]
    return "\n".join([*lines, "ENDATA", ""])


def without_ranges(program: Program) -> Program:
    """Return an equal program without ranged rows, free rows or an offset.

    A ranged row becomes two rows, free rows are dropped, and the offset becomes the cost of
    one more variable, fixed at 1. Readers disagree about all of these: GLPK reads the constant of
    an MPS file with the other sign, CBC ignores that of an LP file, PuLP's reader of MPS supports
    neither a constant nor ``RANGES``, and some readers take any ``N`` row for the objective.

    Examples
    --------
    >>> program = Program(
    ...     name="toy", objective=(1,), offset=5, lower=(0,), upper=(9,), integer=(True,),
    ...     rows=Rows.gather([("r", 2, 7, [(0, 1)])]), names=("a",), pieces=((),),
    ... )
    >>> same = without_ranges(program)
    >>> [row[:3] for row in same.rows], same.names, same.objective, same.offset
    ([('r', None, 7), ('r_low', 2, None)], ('a', 'offset'), (1, 5), 0)
    """
    taken = set(program.rows.names)
    rows: list[Row] = []
    for name, low, high, terms in program.rows:
        if low is not None and high is not None and low != high:
            rows.append((name, None, high, terms))
            rows.append((fresh_name(f"{name}_low", taken), low, None, terms))
        elif low is not None or high is not None:
            rows.append((name, low, high, terms))
    # Neither format can hold a program without variables.
    needs_one = program.offset != 0 or program.num_variables == 0
    return Program(
        name=program.name,
        objective=program.objective + (program.offset,) * needs_one,
        lower=program.lower + (1,) * needs_one,
        upper=program.upper + (1,) * needs_one,
        integer=program.integer + (all(program.integer),) * needs_one,
        rows=Rows.gather(rows),
        names=program.names + (fresh_name("offset", set(program.names)),) * needs_one,
        pieces=program.pieces + ((),) * needs_one,
    )


def fresh_name(name: str, taken: set[str]) -> str:
    """Return an unused name, and add it to those taken."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
