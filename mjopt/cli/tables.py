"""`mjopt tables`: prove the lookup tables entry by entry, and check the proof summary."""

import json as json_text
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.files import atomic_write, check_output
from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.analysis.table_proof import certify_tables, verify_tables
from mjopt.cli.options import Json, OutputFile
from mjopt.cli.output import print_json
from mjopt.cli.progress import waiting
from mjopt.cli.standard_input import input_paths
from mjopt.errors import CertificateError, FileError
from mjopt.proofs import read_native

REFUSED = 3
MAX_BYTES = 65536  # a summary has about 500

COMPARED = "every field; digests and counts are those of the tables of this package"
NOT_PROVED = "the proofs of entries, joins and sizes, which --again runs"
PROVED = "every entry, join and size was proved again, and the summary agrees"
UNVERIFIABLE = "the version that wrote it, and the seconds it took"


def certify(*, output: OutputFile = "-", json: Json = False) -> None:
    """Prove all 405,350 suit states, 43,130 honour states and every join; write a summary.

    Example: `mjopt tables certify -o tables.json`
    """
    path = Path(output)
    if output != "-":
        check_output(path)
    with waiting("proving every entry"):
        summary = certify_tables()
    if output != "-":
        atomic_write(path, f"{json_text.dumps(summary, indent=2)}\n")
    if json or output == "-":
        print_json(summary)
        return
    print(
        f"proved {summary['suit_states']:,} suit states and {summary['honour_states']:,} honour "
        f"states, ten entries each, and {summary['joins']:,} entries of joins "
        f"in {summary['seconds']} s"
    )


def verify(
    file: Annotated[
        str, Argument(help="A summary by `mjopt tables certify`; - for standard input.")
    ],
    *,
    again: Annotated[bool, Option("--again", help="Prove everything again.")] = False,
    json: Json = False,
) -> int:
    """Check that a summary matches the tables of this package. Exit status 3 if not.

    The command recomputes digests and counts. With --again it also repeats the proofs.

    Example: `mjopt tables verify tables.json --again`
    """
    checked, unchecked = (
        (PROVED, UNVERIFIABLE) if again else (COMPARED, f"{NOT_PROVED}, {UNVERIFIABLE}")
    )
    reason = None
    try:
        with input_paths([file]) as [path]:
            if not path.is_file():
                raise FileError("no such file", argument=str(path))
            if path.stat().st_size > MAX_BYTES:
                raise CertificateError(f"more than {MAX_BYTES:,} bytes: no such summary")
            with waiting("proving every entry"):
                verify_tables(read_native(path.read_text(encoding="utf-8")), again=again)
    except CertificateError as error:
        reason = str(error)
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 text at byte {error.start}"
    if json:
        row = {"file": file, "accepted": reason is None, "reason": reason}
        print_json(row | ({} if reason else {"checked": checked, "not_checked": unchecked}))
    elif reason is None:
        print(f"{plain(file)}: accepted\n  checked: {checked}\n  not checked: {unchecked}")
    else:
        print(f"{plain(file)}: refused: {shorten(reason, MESSAGE)}")
    return 0 if reason is None else REFUSED


commands = (certify, verify)
