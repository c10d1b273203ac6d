"""`mjopt verify`: check certificates of any format, with no solver."""

import os
from typing import Annotated, Any

from typer import Argument, Option

from mjopt.answers.formats import External, Report, ask_external, check_files
from mjopt.cli.options import Jobs, Json, input_paths
from mjopt.cli.show import print_json

UNREADABLE = 2
REFUSED = 3


def command(
    files: Annotated[
        list[str], Argument(help="Certificates; - for one on stdin.", metavar="FILE...")
    ],
    *,
    external: Annotated[
        bool, Option("--external", help="Ask viprchk and veripb too, if on the path.")
    ] = False,
    jobs: Jobs = None,
    json: Json = False,
) -> int:
    """Check certificates; the format (JSON, JSON lines, VIPR, OPB) shows in their content.

    An OPB instance and its VeriPB proof are one certificate: name one or both. Exit
    status 3 if any is refused, 2 if a file cannot be read.

    Example: `mjopt verify hand.json hand.vipr hand.opb`
    """
    rows: list[dict[str, Any]] = []
    status = 0
    with input_paths(files) as paths:
        names = dict(zip(paths, files, strict=True))
        for report in check_files(paths, jobs=jobs or os.cpu_count() or 1):
            asked = None
            if external and report.is_accepted:
                asked = ask_external(report.format, list(report.paths))
            refused = not report.is_accepted or (asked is not None and asked.accepted is False)
            if refused:
                status = max(status, REFUSED if report.is_readable else UNREADABLE)
            called = [names.get(path, str(path)) for path in report.paths]
            rows.append(_row(called, report, asked))
            if not json:
                print(_line(" ".join(called), report, asked))
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)
    return status


def _line(name: str, report: Report, asked: External | None) -> str:
    if not report.is_readable:
        return f"unreadable\t{name}\t{report.refusal}"
    if not report.is_accepted:
        return f"refused\t{name}\t{report.refusal}"
    line = f"accepted\t{name}\t{report.statement} [{report.format}]"
    if asked is None:
        return line
    if asked.accepted is None:
        return f"{line}\n\t\t{asked.words}"
    verdict = "accepts" if asked.accepted else "REFUSES"
    program = " ".join(part for part in (asked.program, asked.version) if part)
    return f"{line}\n\t\t{program} {verdict}: {asked.words}"


def _row(names: list[str], report: Report, asked: External | None) -> dict[str, Any]:
    row = {"files": names, **report.to_document()}
    if asked is not None:
        row["external"] = {
            "program": asked.program or None,
            "version": asked.version or None,
            "accepted": asked.accepted,
            "words": asked.words,
        }
    return row
