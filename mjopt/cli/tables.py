"""`mjopt tables`: the lookup tables, proved entry by entry."""

import json as json_text
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt.answers.table_proof import certify_tables, verify_tables
from mjopt.cli.options import Json, OutputFile
from mjopt.cli.show import print_json
from mjopt.errors import CertificateError, FileError
from mjopt.runtime.folder import write_whole
from mjopt.runtime.json_text import read_json

REFUSED = 3


def certify(*, output: OutputFile = "-") -> None:
    """Prove all 405,350 suit states, 43,130 honour states and every join; write a summary.

    Example: `mjopt tables certify -o tables.json`
    """
    summary = certify_tables()
    if output == "-":
        print_json(summary)
        return
    write_whole(Path(output), f"{json_text.dumps(summary, indent=2)}\n".encode())
    print(
        f"proved {summary['suit_states']:,} suit states and {summary['honour_states']:,} honour "
        f"states, ten entries each, and {summary['joins']:,} entries of joins "
        f"in {summary['seconds']} s"
    )


def verify(
    file: Annotated[str, Argument(help="A summary by `mjopt tables certify`.")],
    *,
    again: Annotated[bool, Option("--again", help="Prove everything again.")] = False,
    json: Json = False,
) -> int:
    """Check that a summary is about the tables of this package. Exit status 3 if not.

    Example: `mjopt tables verify tables.json --again`
    """
    path = Path(file)
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    reason = None
    try:
        verify_tables(read_json(path.read_text(encoding="utf-8")), again=again)
    except CertificateError as error:
        reason = str(error)
    except ValueError as error:
        reason = f"not JSON: {error}"
    if json:
        print_json({"file": file, "accepted": reason is None, "reason": reason})
    else:
        print(f"{file}: {'accepted' if reason is None else f'refused: {reason}'}")
    return 0 if reason is None else REFUSED


commands = (certify, verify)
