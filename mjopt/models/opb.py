"""Write programs of 0/1 variables as OPB, the format of pseudo-Boolean solvers."""

from collections.abc import Sequence

from mjopt.errors import ModelError
from mjopt.models.lp_mps import without_ranges
from mjopt.models.program import Program


def to_opb(program: Program, *, comments: Sequence[str] | None = None) -> str:
    """Write a program whose variables are all 0 or 1 as OPB; `ModelError` for another program.

    The variables are called ``x1``, ``x2``, ... After the rows, one constraint closes each variable
    that is fixed at 0 or 1. The format has no constant: it is the cost of a variable fixed at 1.
    The lines of comment at the top are by default the names of the program and its variables.

    Examples
    --------
    >>> from mjopt.models.program import Rows
    >>> program = Program(
    ...     name="toy", objective=(1, -2), lower=(0, 0), upper=(1, 1), integer=(True, True),
    ...     rows=Rows.gather([("r", None, 1, [(0, 1), (1, 1)])]), names=("a", "b"),
    ...     pieces=((), ()),
    ... )
    >>> print(to_opb(program), end="")
    * #variable= 2 #constraint= 1
    * toy
    * x1 = a
    * x2 = b
    min: +1 x1 -2 x2 ;
    -1 x1 -1 x2 >= -1 ;
    """
    program = without_ranges(program)
    fixed = []
    for variable, (name, low, high, is_whole) in enumerate(
        zip(program.names, program.lower, program.upper, program.integer, strict=True)
    ):
        if not (is_whole and low >= 0 and high <= 1):
            kind = "a whole number" if is_whole else "a number"
            raise ModelError(
                f"{program.name}: variable {name} is {kind} of {low}..{high}, "
                "but OPB has 0 and 1 only"
            )
        if high == 0:
            fixed.append(f"-1 x{variable + 1} >= 0 ;")
        if low == 1:
            fixed.append(f"+1 x{variable + 1} >= 1 ;")
    if comments is None:
        named = [f"x{number} = {name}" for number, name in enumerate(program.names, start=1)]
        comments = [program.name, *named]
    costs = [(variable, cost) for variable, cost in enumerate(program.objective) if cost]
    lines = [
        f"* #variable= {program.num_variables} #constraint= {len(program.rows) + len(fixed)}",
        *(f"* {comment}" for comment in comments),
        f"min: {_sum(costs)} ;" if costs else "min: ;",
    ]
    for _, lower, upper, terms in program.rows:
        # Only = and >= are allowed.
        sense, sign = ("=", 1) if lower == upper else (">=", 1 if upper is None else -1)
        side = lower if upper is None else upper
        signed = [(variable, sign * weight) for variable, weight in terms]
        lines.append(f"{_sum(signed) or '0 x1'} {sense} {sign * (side or 0)} ;")
    return "\n".join([*lines, *fixed, ""])


def _sum(terms: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{weight:+d} x{variable + 1}" for variable, weight in terms)
