"""Write certificates as VIPR 1.1: the program of a hand and its bound in one ``lin`` line."""

from collections.abc import Mapping
from math import inf
from typing import Final

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.claim import INTEGER, ClaimedBounds, match_line, match_lines, read_bound
from mjopt.analysis.formats.dual_proof import dual_proof
from mjopt.analysis.formats.proof_header import build_program, write_header
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery
from mjopt.models.program import Program

_FORMAT: Final = "VIPR"
_TERMS: Final = f"([0-9]{{1,9}}(?: [0-9]{{1,9}} {INTEGER})*)"  # p i1 a1 ... ip ap


_GOAL: Final = (
    f"RTP (?:infeas|range (-inf|{INTEGER}) (inf|{INTEGER}))",
    "RTP range LOWER UPPER or RTP infeas, of whole numbers",
)
_DERIVATION: Final = f"{{ lin {_TERMS} }} -1"
_BOUND: Final = (
    ("SOL 1", "SOL 1"),
    (f"point {_TERMS}", "point and its terms"),
    ("DER 1", "DER 1"),
    (f"bound G {INTEGER} OBJ {_DERIVATION}", "bound G N OBJ { lin TERMS } -1"),
)
_CONTRADICTION: Final = (
    ("SOL 0", "SOL 0"),
    ("DER 1", "DER 1"),
    (f"contradiction G {INTEGER} 0 {_DERIVATION}", "contradiction G N 0 { lin TERMS } -1"),
)


def to_vipr(certificate: Certificate) -> str:
    """Write a certificate of one winning form as VIPR 1.1.

    The duals weigh the rows and the reduced costs weigh the bounds of the variables; their
    sum is the one derivation of the file. An unreachable hand becomes a proof of
    infeasibility. The comment on the first line names the hand.

    Raises
    ------
    CertificateError
        If the certificate does not hold, or covers several forms.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> lines = to_vipr(certify(Hand.parse("1m", called=4))).splitlines()
    >>> lines[-5]
    'RTP range 1 1'
    """
    proof = dual_proof(certificate)
    program = proof.program
    closed = _variables_with_upper_row(proof.query, program)
    upper_row = {variable: program.num_variables + at for at, variable in enumerate(closed)}
    first_row = program.num_variables + len(closed)
    multipliers = {
        (i if cost > 0 else upper_row[i]): cost for i, cost in enumerate(proof.reduced) if cost
    }
    multipliers |= {first_row + row: dual for row, dual in proof.duals.items()}
    if proof.value is None or proof.point is None:
        gap = sum((program.rows.lower[row] or 0) * dual for row, dual in proof.duals.items())
        gap += sum(program.upper[i] * cost for i, cost in enumerate(proof.reduced) if cost < 0)
        lines = ["RTP infeas", "SOL 0", "DER 1", f"contradiction G {gap} 0"]
    else:
        point = {i: value for i, value in enumerate(proof.point) if value}
        lines = [
            f"RTP range {proof.value} {proof.value}",
            "SOL 1",
            f"point {_terms(point)}",
            "DER 1",
            f"bound G {proof.value} OBJ",
        ]
    lines[-1] += f" {{ lin {_terms(multipliers)} }} -1"
    return write_vipr_program(proof.query) + "\n".join(lines) + "\n"


def write_vipr_program(query: HandQuery) -> str:
    """Write the beginning of a VIPR file: the hand in a comment, and its program.

    The rows are the lower bounds of all variables, upper bounds, and the rows of the program.
    """
    program = build_program(query)
    closed = _variables_with_upper_row(query, program)
    size = program.num_variables
    objective = {i: cost for i, cost in enumerate(program.objective) if cost}
    lower = [f"{name}_low G {program.lower[i]} 1 {i} 1" for i, name in enumerate(program.names)]
    upper = [f"{program.names[i]}_up L {program.upper[i]} 1 {i} 1" for i in closed]
    rows = [f"{name} E {low or 0} {_terms(dict(terms))}" for name, low, _, terms in program.rows]
    lines = [
        f"% {write_header(query)}",
        "VER 1.1",
        f"VAR {size}",
        " ".join(program.names),
        f"INT {size}",
        " ".join(map(str, range(size))),
        "OBJ min",
        _terms(objective),
        f"CON {len(lower) + len(upper) + len(rows)} {len(lower) + len(upper)}",
        *lower,
        *upper,
        *rows,
    ]
    return "\n".join(lines) + "\n"


def read_vipr_claim(text: str, query: HandQuery) -> ClaimedBounds:
    """Read the claim of a VIPR file of a query, and check that its solution has that value.

    The derivation of the bound is left to ``viprchk``, but it must be one line by ``lin``.

    `CertificateError` is raised if the program is not that of the query, the claim does not settle
    the deficiency, or the proof has other lines than :func:`to_vipr` writes.
    """
    start = write_vipr_program(query)
    if not text.startswith(start):
        raise CertificateError(f"{_FORMAT}: the program is not that of the hand named on top")
    lines, first = text[len(start) :].split("\n"), start.count("\n") + 1
    goal = match_line(lines[0], *_GOAL, _FORMAT, first)
    has_bounds = goal[1] is not None
    claim = (
        ClaimedBounds(read_bound(goal[1]), read_bound(goal[2]))
        if has_bounds
        else ClaimedBounds(inf, inf)
    )
    claim.require_settled(_FORMAT)
    patterns = [_GOAL, *(_BOUND if has_bounds else _CONTRADICTION)]
    matches = match_lines(lines, patterns, _FORMAT, first)
    program = build_program(query)
    num_rows = program.num_variables + len(_variables_with_upper_row(query, program))
    _read_terms(matches[-1][1], num_rows + len(program.rows))
    if has_bounds:
        terms = _read_terms(matches[2][1], program.num_variables)
        point = [terms.get(variable, 0) for variable in range(program.num_variables)]
        claim.require_point(program, point, _FORMAT)
    return claim


def _variables_with_upper_row(query: HandQuery, program: Program) -> list[int]:
    """Return the variables whose upper bound no row implies.

    Rows imply the upper bounds of 1 in the network, through which one unit flows, and in
    the program of thirteen orphans, whose rows sum to 1; without them a file is a quarter smaller.
    """
    needs_all = query.is_classic and query.forms[0].is_pairs
    return [i for i, most in enumerate(program.upper) if needs_all or most == 0]


def _terms(terms: Mapping[int, int]) -> str:
    """Write ``p i1 a1 ... ip ap``."""
    return " ".join([str(len(terms)), *(f"{index} {value}" for index, value in terms.items())])


def _read_terms(text: str, size: int) -> dict[int, int]:
    """Read ``p i1 a1 ... ip ap``; raise if an index is not below the size or is given twice."""
    count, *words = map(int, text.split())
    terms = dict(zip(words[::2], words[1::2], strict=True))
    if not len(terms) == len(words) / 2 == count or any(index >= size for index in terms):
        raise CertificateError(
            f"{_FORMAT}: {count} terms announced",
            expected=f"as many indices below {size} with values, each index once",
        )
    return terms
