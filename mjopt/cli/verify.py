"""`mjopt verify`: check certificates of any format, with no solver."""

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Final

from typer import Argument, Option

from mjopt._internal.registry import read_options
from mjopt._internal.sanitize import plain, shorten
from mjopt.analysis.formats import verify_files
from mjopt.cli.options import Jobs, Json, count_jobs
from mjopt.cli.output import print_json
from mjopt.cli.progress import waiting
from mjopt.errors import ArgumentError
from mjopt.proofs import LIMITS, Limits

_EXIT_STATUS: Final = {"accepted": 0, "unreadable": 2, "unchecked": 2, "refused": 3}


def command(
    files: Annotated[
        list[str], Argument(help="Certificates; - for one on stdin.", metavar="FILE...")
    ],
    *,
    limits: Annotated[
        str,
        Option(
            "--limits",
            metavar="NAME=N,...",
            help="bytes: size of one certificate, unpacked; steps: of checking it.",
        ),
    ] = f"bytes={LIMITS.bytes},steps={LIMITS.steps}",
    jobs: Jobs = None,
    json: Json = False,
) -> int:
    """Check certificates; the content determines the format.

    JSON certificates and JSON lines are checked by mjopt itself. VIPR files are checked by
    viprchk, and OPB instances with their VeriPB proofs by veripb (and CakePB), where these
    programs are installed; a proof whose claim does not settle the deficiency is refused
    before. Give either FILE.opb or FILE.pbp. Exit status 3 if a file is refused, 2 if one
    cannot be read or its checker is missing or gives no verdict.

    Example: `mjopt verify hand.json hand.vipr hand.opb`
    """
    names = {Path(name): name for name in files}
    results = iter(
        verify_files(
            list(names),
            jobs=count_jobs(jobs),
            limits=_read_limits(limits),
            stdin=sys.stdin.buffer if "-" in files else None,
        )
    )
    rows: list[dict[str, object]] = []
    status = 0
    while True:
        with waiting("checking"):
            result = next(results, None)
        if result is None:
            break
        status = max(status, _EXIT_STATUS[result.status])
        if result.limit:
            result = replace(result, message=f"{result.message} (--limits {result.limit}=N)")
        shown = [names.get(path, str(path)) for path in result.paths]
        rows.append({"files": shown, **result.to_document()})
        if not json:
            suffix = f" [{result.format}]" if result.is_accepted else ""
            print(f"{result.status}\t{plain(' '.join(shown))}\t{plain(result.message)}{suffix}")
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)
    return status


def _read_limits(text: str) -> Limits:
    given = read_options(text.split(","), what="--limits", error=ArgumentError, meanings={})
    values = asdict(LIMITS)
    for name, value in given:
        if name not in values:
            raise ArgumentError(argument="--limits", value=shorten(name), expected=tuple(values))
        values[name] = value
    return Limits(**values)
