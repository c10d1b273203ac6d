"""OPB text, a pseudo-Boolean instance, into a 0/1 program."""

import re
from dataclasses import dataclass

from mjopt.errors import CertificateError
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.pb_program import PbProgram, PbRow
from mjopt.proofs.pb_words import Names, read_at_least, read_sum, statements
from mjopt.proofs.words import MAX_DIGITS, Words, quote, refuse_foreign, show

_HEADER = re.compile(
    r"\*\s*#variable=\s*([0-9]+)\s+#constraint=\s*([0-9]+)"
    r"(?:\s+#equal=\s*([0-9]+)\s+intsize=\s*[0-9]+)?\s*"
)
_NUMBERED = re.compile(r"~?x[1-9][0-9]*")
_SPELLED = re.compile(r"~?[A-Za-z].*")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpbInstance:
    """A program read from OPB text, with the spellings that its proofs may use.

    Parameters
    ----------
    program
        The 0/1 program.
    names
        Literals of its variables; closed.
    labels
        Number that proofs give to each labelled constraint.
    """

    program: PbProgram
    names: Names
    labels: dict[str, int]


def read_opb(text: str, limits: Limits = LIMITS) -> OpbInstance:
    """Read a linear OPB instance.

    The header must announce what follows. Where every variable is spelled ``x1``, ``x2``, ...
    they are numbered so, up to the number announced; other names are numbered as they appear.
    Constraints may carry a label, ``@name``.

    Raises
    ------
    CertificateError
        If the text is not in the format, is not linear, maximises, names a variable twice in one
        sum, does not hold what its header announces, or is past a limit. The message names
        the line.

    References
    ----------
    .. [1] Roussel and Manquinho, "Input/output format and solver requirements for the
       competitions of pseudo-Boolean solvers".

    Examples
    --------
    >>> instance = read_opb('''* #variable= 2 #constraint= 2
    ... min: 1 x1 2 x2 ;
    ... 1 x1 1 x2 >= 1 ;
    ... 1 ~x1 = 0 ;''')
    >>> instance.program.objective, instance.program.rows[1]
    ({0: 1, 1: 2}, PbRow(terms={0: -1}, rhs=-1, is_equation=True))
    """
    limits.check_text(text, "OPB")
    refuse_foreign(text, "OPB")
    lines = text.split("\n")
    announced = _header(lines[0])
    body = statements(("" if line.startswith("*") else line for line in lines), "OPB", limits)
    names = _names(body, announced[0])
    limits.check("lines", len(names.order), "OPB, variables")
    objective: dict[int, int] | None = None
    constant = 0
    if body and body[0].words[1:2] == [":"]:
        objective, constant = _objective(body.pop(0), names)
    rows, labels = _rows(body, names)
    names.is_open = False
    program = PbProgram(
        names=tuple(names.order), rows=tuple(rows), objective=objective, constant=constant
    )
    _refuse_miscount(program, announced)
    return OpbInstance(program=program, names=names, labels=labels)


def _header(line: str) -> tuple[int, int, int | None]:
    """Return the numbers of variables, constraints and (where given) equations announced."""
    found = _HEADER.fullmatch(line)
    if found is None or len(line) > MAX_DIGITS:
        raise CertificateError("OPB, line 1: expected * #variable= N #constraint= M")
    return int(found[1]), int(found[2]), None if found[3] is None else int(found[3])


def _names(body: list[Words], num_variables: int) -> Names:
    """Return x1 to xN where only such names are used, else an open list."""
    spelled = {word for words in body for word in words.words if _SPELLED.fullmatch(word)}
    spelled -= {"min", "max"}
    names = Names()
    if all(_NUMBERED.fullmatch(word) for word in spelled):
        if num_variables > sum(len(words.words) for words in body):
            raise CertificateError(
                f"OPB, line 1: {show(num_variables)} variables announced, and fewer words follow"
            )
        for number in range(1, num_variables + 1):
            names[f"x{number}"]  # looking a new name up is what lists it
        names.is_open = False
    return names


def _objective(words: Words, names: Names) -> tuple[dict[int, int], int]:
    """Read ``min: sum``."""
    if words.words[0] != "min":
        words.refuse(f"expected min:, found {quote(words.words[0])}")
    words.at = 2
    return read_sum(words, len(words.words), names)


def _rows(body: list[Words], names: Names) -> tuple[list[PbRow], dict[str, int]]:
    """Read the constraints, and number the labelled ones as proofs do."""
    rows: list[PbRow] = []
    labels: dict[str, int] = {}
    proof_id = 1
    for words in body:
        label = words.next("a label") if words.words[0].startswith("@") else ""
        row, is_equation = read_at_least(words, names)
        words.end()
        rows.append(PbRow(row.terms, row.rhs, is_equation))
        if label:
            if is_equation or label in labels or label == "@":
                words.refuse(f"label {quote(label)} must be new, and of one inequality")
            labels[label] = proof_id
        proof_id += 1 + is_equation
    return rows, labels


def _refuse_miscount(program: PbProgram, announced: tuple[int, int, int | None]) -> None:
    """Refuse a header that announces something else than what follows."""
    num_variables, num_rows, num_equations = announced
    equations = sum(row.is_equation for row in program.rows)
    if num_equations is None:
        num_equations = equations
    for what, said, found in (
        ("constraints", num_rows, len(program.rows)),
        ("equations", num_equations, equations),
        # A variable that is in no sum cannot be missed under a name of one's own.
        ("variables", num_variables, max(num_variables, len(program.names))),
    ):
        if said != found:
            raise CertificateError(
                f"OPB, line 1: {show(said)} {what} announced, {show(found)} found"
            )
