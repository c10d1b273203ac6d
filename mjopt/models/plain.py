"""Programs without ranged rows and constants, for readers that know neither."""

from mjopt.models.program import Program, Rows


def plain(program: Program) -> Program:
    """Return an equal program without ranged rows, free rows or an offset.

    A ranged row becomes two, a free row goes, and the offset becomes the cost of
    one more variable, fixed at 1. PuLP's MPS reader knows neither ``RANGES`` nor
    a constant, and CBC's LP reader drops the constant without a word.

    Examples
    --------
    >>> program = Program(
    ...     name="toy", objective=(1,), offset=5, lower=(0,), upper=(9,), integer=(True,),
    ...     rows=Rows.gather([("r", 2, 7, [(0, 1)])]), names=("a",), pieces=((),),
    ... )
    >>> [row[:3] for row in plain(program).rows]
    [('r', None, 7), ('r_low', 2, None)]
    >>> plain(program).names, plain(program).objective, plain(program).offset
    (('a', 'offset'), (1, 5), 0)
    """
    taken = set(program.rows.names)
    rows: list[tuple[str, int | None, int | None, tuple[tuple[int, int], ...]]] = []
    for name, low, high, terms in program.rows:
        if low is not None and high is not None and low != high:
            rows.append((name, None, high, terms))
            rows.append((_fresh(f"{name}_low", taken), low, None, terms))
        elif low is not None or high is not None:
            rows.append((name, low, high, terms))
    # Neither format can hold a program without variables.
    needs_one = program.offset != 0 or program.num_variables == 0
    return Program(
        name=program.name,
        objective=program.objective + (program.offset,) * needs_one,
        lower=program.lower + (1,) * needs_one,
        upper=program.upper + (1,) * needs_one,
        integer=program.integer + (True,) * needs_one,
        rows=Rows.gather(rows),
        names=program.names + (_fresh("offset", set(program.names)),) * needs_one,
        pieces=program.pieces + ((),) * needs_one,
    )


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
