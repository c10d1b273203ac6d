"""VIPR certificates from plain data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mjopt.errors import CertificateError
from mjopt.proofs.mixed_program import AT_LEAST, AT_MOST, SENSES, MixedProgram, Row
from mjopt.proofs.vipr_file import VERSIONS, Claim, Derivation, Solution
from mjopt.proofs.words import MAX_DIGITS, Rational, quote

_LETTERS = {sense: letter for letter, sense in SENSES.items()}


def write_vipr(
    program: MixedProgram,
    claim: Claim,
    *,
    solutions: Sequence[Solution] = (),
    derivations: Sequence[Derivation] = (),
    version: str = "1.1",
) -> str:
    """Write a certificate; nothing is verified here.

    A row whose terms *are* the objective of the program (the same object) is spelled ``OBJ``.

    Raises
    ------
    CertificateError
        If a name is not one word, or a number has more digits than the reader takes.

    Examples
    --------
    >>> from fractions import Fraction
    >>> program = MixedProgram(
    ...     variables=("x",), integers=frozenset({0}), objective={0: 1},
    ...     rows=(Row("need", AT_LEAST, 3, {0: 2}),),
    ... )
    >>> bound = Row("bound", AT_LEAST, 2, program.objective)
    >>> print(write_vipr(
    ...     program, Claim(False, 2, 2), solutions=[Solution("best", {0: 2})],
    ...     derivations=[Derivation(bound, "rnd", {0: Fraction(1, 2)})],
    ... ))
    VER 1.1
    VAR 1
    x
    INT 1
    0
    OBJ min
    1 0 1
    CON 1 0
    need G 3 1 0 2
    RTP range 2 2
    SOL 1
    best 1 0 2
    DER 1
    bound G 2 OBJ { rnd 1 0 1/2 } -1
    <BLANKLINE>
    """
    if version not in VERSIONS:
        raise CertificateError(f"VIPR version {version!r} is not one of {', '.join(VERSIONS)}")
    integers = sorted(program.integers)
    lines = [
        f"VER {version}",
        f"VAR {len(program.variables)}",
        " ".join(map(_name, program.variables)),
        f"INT {len(integers)}",
        " ".join(map(str, integers)),
        f"OBJ {'min' if program.minimise else 'max'}",
        _terms(program.objective),
        f"CON {len(program.rows)} {program.num_bounds}",
        *(_row(row, program) for row in program.rows),
        _claim(claim),
        f"SOL {len(solutions)}",
        *(f"{_name(solution.name)} {_terms(solution.values)}" for solution in solutions),
        f"DER {len(derivations)}",
        *(_derivation(step, program) for step in derivations),
    ]
    return "\n".join(lines) + "\n"


def write_dual_bound(
    program: MixedProgram,
    multipliers: Mapping[int, Rational],
    bound: Rational,
    *,
    point: Mapping[int, Rational] | None = None,
    version: str = "1.1",
) -> str:
    """Write the certificate of a bound that dual multipliers prove in one ``lin`` line.

    Parameters
    ----------
    program
        The program; bounds of variables are rows of it.
    multipliers
        Dual value of each row by index (reduced costs on the bound rows); zeros may be absent.
    bound
        The bound on the objective: from below when minimising, from above when maximising.
    point
        A feasible point that reaches the bound; without one, the other end stays open.

    Examples
    --------
    >>> program = MixedProgram(
    ...     variables=("x", "y"), integers=frozenset(), objective={0: 2, 1: 3}, num_bounds=2,
    ...     rows=(Row("x0", AT_LEAST, 0, {0: 1}), Row("y0", AT_LEAST, 0, {1: 1}),
    ...           Row("need", AT_LEAST, 4, {0: 1, 1: 1})),
    ... )
    >>> text = write_dual_bound(program, {2: 2, 1: 1}, 8, point={0: 4})
    >>> print(text.splitlines()[-1])
    bound G 8 OBJ { lin 2 2 2 1 1 } -1
    """
    solutions = [] if point is None else [Solution(_fresh("point", ()), dict(point))]
    name = _fresh("bound", (row.name for row in program.rows))
    sense = AT_LEAST if program.minimise else AT_MOST
    step = Derivation(Row(name, sense, bound, program.objective), "lin", dict(multipliers))
    reached = None if point is None else bound
    ends = (bound, reached) if program.minimise else (reached, bound)
    claim = Claim(False, *ends)
    return write_vipr(program, claim, solutions=solutions, derivations=[step], version=version)


def _fresh(name: str, taken: Iterable[str]) -> str:
    """Return a name that nothing else has."""
    names = set(taken)
    while name in names:
        name += "_"
    return name


def _name(name: str) -> str:
    """Return a name that is one word."""
    if name.isascii() and name.isprintable() and len(name.split()) == 1 and " " not in name:
        return name
    raise CertificateError(f"{quote(name)} cannot name anything in a VIPR file")


def _number(value: Rational) -> str:
    """Write a number exactly."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    # Far beyond the limit Python may refuse to spell the number at all.
    text = str(value) if bits < 4 * MAX_DIGITS else None
    if text is None or len(text) > MAX_DIGITS:
        raise CertificateError(f"a number has more than {MAX_DIGITS} digits")
    return text


def _terms(terms: Mapping[int, Rational]) -> str:
    """Write ``p i1 a1 ... ip ap``."""
    pairs = (f"{index} {_number(value)}" for index, value in terms.items())
    return " ".join([str(len(terms)), *pairs])


def _row(row: Row, program: MixedProgram) -> str:
    """Write a constraint."""
    terms = "OBJ" if row.terms is program.objective else _terms(row.terms)
    return f"{_name(row.name)} {_LETTERS[row.sense]} {_number(row.rhs)} {terms}"


def _claim(claim: Claim) -> str:
    """Write the relation to prove."""
    if claim.infeasible:
        return "RTP infeas"
    lower = "-inf" if claim.lower is None else _number(claim.lower)
    upper = "inf" if claim.upper is None else _number(claim.upper)
    return f"RTP range {lower} {upper}"


def _derivation(step: Derivation, program: MixedProgram) -> str:
    """Write a derived row and its reason."""
    return f"{_row(step.row, program)} {{ {' '.join(_reason(step))} }} {step.last_use}"


def _reason(step: Derivation) -> Iterator[str]:
    """Yield the words of a reason."""
    yield step.reason
    if step.reason in ("lin", "rnd"):
        yield _terms(step.multipliers)
    for row, assumption in step.cases:
        yield f"{row} {assumption}"
