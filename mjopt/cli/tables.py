"""`mjopt tables`: the lookup tables, proved entry by entry."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from mjopt.cli.options import Json
from mjopt.cli.show import print_json
from mjopt.errors import CertificateError, FileError

NAME = "tables"
REFUSED = 3

app = typer.Typer(help="Prove every entry of the lookup tables, or check such a proof's summary.")


@app.command("certify")
def certify(
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", help="File for the summary; - for stdout.")
    ] = "-",
) -> None:
    """Prove all 405,350 suit states, 43,130 honour states and every join; write a summary.

    Example: `mjopt tables certify -o tables.json`
    """
    from mjopt.answers.table_proof import certify_tables
    from mjopt.runtime.folder import write_whole

    summary = certify_tables().to_document()
    if output == "-":
        print_json(summary)
        return
    write_whole(Path(output), (json_text.dumps(summary, indent=2) + "\n").encode())
    print(
        f"proved {summary['suit_states']:,} suit states and {summary['honour_states']:,} honour "
        f"states, ten entries each, and {summary['joins']:,} entries of joins "
        f"in {summary['seconds']} s"
    )


@app.command("verify")
def verify(
    file: Annotated[str, typer.Argument(help="A summary by `mjopt tables certify`.")],
    *,
    again: Annotated[bool, typer.Option("--again", help="Prove everything again.")] = False,
    json: Json = False,
) -> int:
    """Check that a summary is about the tables of this package. Exit status 3 if not.

    Example: `mjopt tables verify tables.json --again`
    """
    from mjopt.answers.table_proof import verify_tables

    path = Path(file)
    if not path.is_file():
        raise FileError(f"{path}: no such file")
    reason = None
    try:
        verify_tables(json_text.loads(path.read_text(encoding="utf-8")), again=again)
    except CertificateError as error:
        reason = str(error)
    except ValueError as error:
        reason = f"not JSON: {error}"
    if json:
        print_json({"file": file, "accepted": reason is None, "reason": reason})
    else:
        print(f"{file}: {'accepted' if reason is None else f'refused: {reason}'}")
    return 0 if reason is None else REFUSED
