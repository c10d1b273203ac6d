"""The union of programs, such as those of templates: 0/1 variables choose exactly one of them."""

from collections.abc import Sequence

from mjopt.models.program import Program, Row, Rows


def union(programs: Sequence[Program], name: str) -> Program:
    """Return a program whose solutions are those of one of several programs.

    A binary variable chooses the program. The variables of the others are 0: their rows are those
    of the program with the constants multiplied by the binary variable. Hence the union of
    networks is a network, whose relaxation is still integral.

    The variables of the programs are at least 0. Without any program the result is infeasible.

    Examples
    --------
    >>> import mjopt
    >>> answer = mjopt.solve("123456789m12345p", forms="half-flush", model="network")
    >>> answer.value, answer.form
    (5, 'half-flush')
    """
    if len(programs) == 1:
        return programs[0]
    objective: list[int] = []
    upper: list[int] = []
    names: list[str] = []
    pieces = []
    rows: list[Row] = []
    chosen: list[tuple[int, int]] = []
    for number, program in enumerate(programs):
        first = len(objective)
        switch = first + program.num_variables
        for row, low, high, terms in program.rows:
            moved = [(first + variable, times) for variable, times in terms]
            if low is not None and low == high:
                rows.append((f"{row}_of_{number}", 0, 0, [*moved, *_times(switch, -low)]))
                continue
            if low is not None:
                rows.append((f"{row}_from_{number}", 0, None, [*moved, *_times(switch, -low)]))
            if high is not None:
                rows.append((f"{row}_to_{number}", None, 0, [*moved, *_times(switch, -high)]))
        objective += [*program.objective, program.offset]
        upper += [*program.upper, 1]
        names += [*(f"{variable}_of_{number}" for variable in program.names), f"template_{number}"]
        pieces += [*program.pieces, ()]
        chosen.append((switch, 1))
    if not programs:
        objective, upper, names, pieces = [0], [0], ["impossible"], [()]
        chosen = [(0, 1)]
    rows.append(("one_template", 1, 1, chosen))
    size = len(objective)
    return Program(
        name=name,
        objective=tuple(objective),
        offset=0,
        lower=(0,) * size,
        upper=tuple(upper),
        integer=(True,) * size,
        rows=Rows.gather(rows),
        names=tuple(names),
        pieces=tuple(pieces),
    )


def _times(variable: int, coefficient: int) -> list[tuple[int, int]]:
    return [(variable, coefficient)] if coefficient else []
