"""Check the files of an instance against its index entry and its certificate."""

import gzip
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from mjopt._internal.files import sha256_of
from mjopt.analysis.certificate import Certificate
from mjopt.errors import FileError, MjoptError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.instances.checksums import MOST_BYTES, read_checked
from mjopt.instances.index import Instance
from mjopt.models.lp_mps import to_mps
from mjopt.models.opb import to_opb
from mjopt.models.program import Program

INFEASIBLE = "=infeas="


class CheckedInstance(NamedTuple):
    """The program of an instance, and its text by format."""

    program: Program
    texts: dict[str, str]


def check_instance(
    folder: Path, instance: Instance, checksums: Mapping[str, str]
) -> CheckedInstance:
    """Read all files of an instance.

    Raises
    ------
    FileError
        If a file is not as it was written, is not of this program or hand, or its certificate or
        solution does not show the optimum of the index.
    """
    program = instance.program()
    size = (program.num_variables, len(program.rows))
    if size != (instance.variables, instance.rows):
        raise FileError(
            f"{instance.variables} variables and {instance.rows} rows in the index",
            argument=instance.name,
            expected=f"{size[0]} and {size[1]}",
        )
    written = program_texts(program)
    named = {"mps": (instance.mps, instance.mps_sha256), "opb": (instance.opb, instance.opb_sha256)}
    for ending, (name, sha256) in named.items():
        text = _read_program(folder, name, sha256, checksums) if name else None
        if text != written.get(ending):
            raise FileError(
                f"{ending.upper()} is not what this version of mjopt writes for the hand",
                argument=str(folder / (name or instance.mps)),
            )
    _check_certificate(folder, instance, checksums)
    _check_solution(folder, instance, program, checksums)
    return CheckedInstance(program, written)


def program_texts(program: Program) -> dict[str, str]:
    """Return a program by format: MPS, and OPB if all variables are 0 or 1."""
    texts = {"mps": to_mps(program)}
    if max(program.upper, default=0) <= 1:
        texts["opb"] = to_opb(program)
    return texts


def _read_program(folder: Path, name: str, sha256: str, checksums: Mapping[str, str]) -> str:
    packed = read_checked(folder, name, checksums)
    try:
        with gzip.GzipFile(fileobj=BytesIO(packed)) as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise FileError(f"more than {MOST_BYTES:,} bytes unpacked", argument=str(folder / name))
        text = content.decode()
    except (OSError, EOFError, UnicodeDecodeError, zlib.error):
        raise FileError("damaged", argument=str(folder / name)) from None
    if sha256_of(content) != sha256:
        raise FileError("differs from its digest in the index", argument=str(folder / name))
    return text


def _check_certificate(folder: Path, instance: Instance, checksums: Mapping[str, str]) -> None:
    path = folder / instance.certificate
    content = read_checked(folder, instance.certificate, checksums)
    try:
        certificate = Certificate.from_json(content.decode())
        certificate.verify()
    except (MjoptError, UnicodeDecodeError) as error:
        raise FileError(f"refused: {error}", argument=str(path)) from None
    query = instance.query
    proved = (certificate.hand, certificate.unseen, certificate.forms)
    if proved != (query.hand, query.unseen, query.forms):
        raise FileError(f"not the certificate of {query.hand.to_text()}", argument=str(path))
    found = certificate.deficiency
    if (None if found == UNREACHABLE else found) != instance.deficiency:
        raise FileError(
            f"deficiency {instance.deficiency} of {instance.name} in the index",
            argument=str(path),
            expected=f"{certificate.deficiency}, as the certificate proves",
        )


def _check_solution(
    folder: Path, instance: Instance, program: Program, checksums: Mapping[str, str]
) -> None:
    path = folder / instance.solution
    text = read_checked(folder, instance.solution, checksums).decode(errors="replace")
    if instance.optimum is None and text == f"{INFEASIBLE}\n":
        return
    first, *lines = text.splitlines() or [""]
    try:
        named = {name: int(value) for name, value in map(str.split, lines)}
    except ValueError:
        raise FileError("not a solution in the form of MIPLIB", argument=str(path)) from None
    values = [named.pop(name, 0) for name in program.names]
    fault = f"variable {next(iter(named))} is unknown" if named else program.fault(values)
    if fault:
        raise FileError(fault, argument=str(path))
    if first != f"=obj= {instance.optimum}" or program.evaluate(values) != instance.optimum:
        raise FileError(
            f"{first[:40]}, at a point that costs {program.evaluate(values)}",
            argument=str(path),
            expected=f"the optimum in the index, {instance.optimum}",
        )
