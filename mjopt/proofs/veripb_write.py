"""VeriPB proofs from plain data: a bound, or a refutation, in one ``pol`` line."""

from collections.abc import Iterator, Mapping, Sequence

from mjopt.errors import CertificateError
from mjopt.proofs.pb_program import PbProgram
from mjopt.proofs.veripb_read import PROOF_VERSIONS


def write_bound_proof(
    program: PbProgram,
    multipliers: Mapping[int, int],
    bound: int,
    point: Sequence[bool],
    *,
    divisor: int = 1,
    version: str = "3.0",
) -> str:
    """Write the proof that a solution is optimal, by dual multipliers of the rows.

    Literal axioms make up what the multipliers leave of the objective; they are worked out here.

    Parameters
    ----------
    program
        The program; it has an objective.
    multipliers
        Weight of each row by index: 0 or more, of any sign on an equation.
    bound
        The bound that comes out, and that the point reaches.
    point
        The value of every variable.
    divisor
        What to divide the sum by, rounding up, where the dual solution is fractional.
    version
        ``3.0``, or an older one.

    Raises
    ------
    CertificateError
        If the version is unknown, or a weight has the wrong sign.

    Examples
    --------
    >>> from mjopt.proofs.pb_program import PbRow
    >>> program = PbProgram(
    ...     names=("x1", "x2"), objective={0: 1, 1: 2}, rows=(PbRow({0: 1, 1: 1}, 1, True),),
    ... )
    >>> print(write_bound_proof(program, {0: 1}, 1, (True, False)))
    pseudo-Boolean proof version 3.0
    f 2 ;
    @lb pol 1 x2 + ;
    output NONE ;
    conclusion BOUNDS 1 : @lb 1 : x1 ~x2 ;
    end pseudo-Boolean proof ;
    <BLANKLINE>
    >>> print(write_bound_proof(program, {0: 1}, 1, (True, False), version="1.2"))
    pseudo-Boolean proof version 1.2
    f 2
    pol 1 x2 +
    o x1 ~x2
    pol -1 -2 +
    c -1
    <BLANKLINE>
    """
    if program.objective is None:
        raise CertificateError("no objective to bound")
    polish = _polish(program, multipliers, program.objective, divisor)
    literals = " ".join(
        name if value else f"~{name}" for name, value in zip(program.names, point, strict=True)
    )
    if _major(version) == 1:
        return _old(program, version, [f"pol {polish}", f"o {literals}", "pol -1 -2 +", "c -1"])
    return _new(program, version, polish, f"BOUNDS {bound} : @lb {bound} : {literals}")


def write_refutation(
    program: PbProgram, multipliers: Mapping[int, int], *, divisor: int = 1, version: str = "3.0"
) -> str:
    """Write the proof that nothing is feasible, by multipliers whose sum is a contradiction.

    Examples
    --------
    >>> from mjopt.proofs.pb_program import PbRow
    >>> program = PbProgram(names=("x1", "x2"), rows=(PbRow({0: 1, 1: 1}, 3),))
    >>> print(write_refutation(program, {0: 1}, version="2.0"))
    pseudo-Boolean proof version 2.0
    f 1
    @lb pol 1 ~x1 + ~x2 +
    output NONE
    conclusion UNSAT : @lb
    end pseudo-Boolean proof
    <BLANKLINE>
    """
    polish = _polish(program, multipliers, {}, divisor)
    if _major(version) == 1:
        return _old(program, version, [f"pol {polish}", "c -1"])
    conclusion = "UNSAT : @lb" if program.objective is None else "BOUNDS INF : @lb INF"
    return _new(program, version, polish, conclusion)


def _major(version: str) -> int:
    """Return the first part of a known version."""
    if version not in PROOF_VERSIONS:
        raise CertificateError(f"version {version!r} is not one of {', '.join(PROOF_VERSIONS)}")
    return int(version[0])


def _old(program: PbProgram, version: str, rules: list[str]) -> str:
    """Write a proof of format 1.x."""
    head = [f"pseudo-Boolean proof version {version}", f"f {len(program.constraints())}"]
    return "\n".join(head + rules) + "\n"


def _new(program: PbProgram, version: str, polish: str, conclusion: str) -> str:
    """Write a proof of format 2.0 or 3.0, whose one derived constraint is @lb."""
    stop = " ;" if _major(version) > 2 else ""
    rules = [
        f"f {len(program.constraints())}",
        f"@lb pol {polish}",
        "output NONE",
        f"conclusion {conclusion}",
        "end pseudo-Boolean proof",
    ]
    head = f"pseudo-Boolean proof version {version}\n"
    return head + "".join(f"{rule}{stop}\n" for rule in rules)


def _polish(
    program: PbProgram, multipliers: Mapping[int, int], goal: Mapping[int, int], divisor: int
) -> str:
    """Spell the weighted sum of rows and literal axioms whose left side is the goal's."""
    if divisor < 1:
        raise CertificateError(f"divisor {divisor} should be 1 or more")
    summands = [
        *_weighted_rows(program, multipliers),
        *_axioms(program, multipliers, goal, divisor),
    ]
    if not summands and program.names:  # nothing to add up: x >= 0 saturated is 0 >= 0
        summands = [f"{program.names[0]} s"]
    spelled = [summand if i == 0 else f"{summand} +" for i, summand in enumerate(summands)]
    return " ".join(spelled + ([f"{divisor} d"] if divisor > 1 else []))


def _weighted_rows(program: PbProgram, multipliers: Mapping[int, int]) -> Iterator[str]:
    """Yield each row with its weight."""
    numbers: list[int] = []
    number = 1
    for row in program.rows:
        numbers.append(number)
        number += 1 + row.is_equation
    for index, weight in multipliers.items():
        if weight < 0 and not program.rows[index].is_equation:
            raise CertificateError(f"row {index} is no equation, and its weight is {weight}")
        if weight:
            yield _weigh(str(numbers[index] + (weight < 0)), abs(weight))


def _axioms(
    program: PbProgram, multipliers: Mapping[int, int], goal: Mapping[int, int], divisor: int
) -> Iterator[str]:
    """Yield the literal axioms that turn the left side of the rows into the goal's."""
    rest = {variable: divisor * coefficient for variable, coefficient in goal.items()}
    for index, weight in multipliers.items():
        for variable, coefficient in program.rows[index].terms.items():
            rest[variable] = rest.get(variable, 0) - weight * coefficient
    for variable, missing in sorted(rest.items()):
        if missing:
            name = program.names[variable]
            yield _weigh(name if missing > 0 else f"~{name}", abs(missing))


def _weigh(operand: str, weight: int) -> str:
    """Spell an operand times a weight."""
    return operand if weight == 1 else f"{operand} {weight} *"
