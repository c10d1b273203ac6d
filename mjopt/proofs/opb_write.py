"""OPB instances from plain data."""

from collections.abc import Mapping

from mjopt.errors import CertificateError
from mjopt.proofs.pb_program import PbProgram, PbRow
from mjopt.proofs.pb_words import is_name


def write_opb(program: PbProgram) -> str:
    """Write a 0/1 program as OPB text, in the plain form that every reader takes.

    Raises
    ------
    CertificateError
        If the objective has a constant part, for which OPB has no room, or a name is unfit.

    Examples
    --------
    >>> rows = (PbRow({0: 1, 1: 1}, 1, True), PbRow({0: 2, 1: -1}, 0))
    >>> program = PbProgram(names=("x1", "x2"), rows=rows, objective={1: 3})
    >>> print(write_opb(program))
    * #variable= 2 #constraint= 2
    min: +3 x2 ;
    +1 x1 +1 x2 = 1 ;
    +2 x1 -1 x2 >= 0 ;
    <BLANKLINE>
    """
    unfit = next((name for name in program.names if not is_name(name)), None)
    if unfit is not None or len(set(program.names)) != len(program.names):
        raise CertificateError(f"variables need distinct OPB names, found {unfit or 'one twice'!r}")
    lines = [f"* #variable= {len(program.names)} #constraint= {len(program.rows)}"]
    if program.constant:
        raise CertificateError(f"OPB objectives have no constant, found {program.constant}")
    if program.objective is not None:
        lines.append(" ".join(["min:", *_sum(program.objective, program.names), ";"]))
    lines += [_row(row, program.names) for row in program.rows]
    return "\n".join(lines) + "\n"


def _row(row: PbRow, names: tuple[str, ...]) -> str:
    """Write a constraint."""
    relation = "=" if row.is_equation else ">="
    return " ".join([*_sum(row.terms, names), relation, str(row.rhs), ";"])


def _sum(terms: Mapping[int, int], names: tuple[str, ...]) -> list[str]:
    """Write coefficients, always signed, with their variables."""
    return [f"{coefficient:+d} {names[variable]}" for variable, coefficient in terms.items()]
