"""`mjopt verify`: check certificates of any format, with no solver."""

import os
import sys
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from mjopt._internal.registry import read_options, split_options
from mjopt._internal.sanitize import plain
from mjopt.analysis.formats import External, Report, ask_external, check_files
from mjopt.cli.options import Jobs, Json
from mjopt.cli.output import print_json
from mjopt.cli.progress import awaited
from mjopt.errors import CertificateError
from mjopt.proofs import Limits

UNREADABLE = 2
REFUSED = 3
NAMES = [field.name for field in fields(Limits)]


def command(
    files: Annotated[
        list[str], Argument(help="Certificates; - for one on stdin.", metavar="FILE...")
    ],
    *,
    external: Annotated[
        bool, Option("--external", help="Ask viprchk and veripb too, if on the path.")
    ] = False,
    limit: Annotated[
        str,
        Option(
            "--limit",
            help=f"How much is read, computed and kept at most: {', '.join(NAMES)}.",
            metavar="NAME=NUMBER,...",
        ),
    ] = "",
    jobs: Jobs = None,
    json: Json = False,
) -> int:
    """Check certificates; the format (JSON, JSON lines, VIPR, OPB, play) shows in their content.

    An OPB instance and its VeriPB proof are one certificate: name one or both. What is
    printed names every condition that is not the default. Exit status 3 if any is refused,
    2 if a file cannot be read or another checker gives no verdict.

    Example: `mjopt verify hand.json hand.vipr hand.opb --limit bytes=20000000,seconds=600`
    """
    rows: list[dict[str, Any]] = []
    status = 0
    names = {Path(name): name for name in files}
    streams = {Path("-"): sys.stdin.buffer} if "-" in files else {}
    limits = read_limits(limit)
    workers = jobs or os.cpu_count() or 1
    reports = check_files(list(names), jobs=workers, limits=limits, streams=streams)
    for report in awaited("checking", reports):
        asked = None
        if external and report.is_accepted:
            asked = ask_external(report.format, list(report.paths))
        if not report.is_accepted:
            status = max(status, REFUSED if report.is_readable else UNREADABLE)
        elif asked is not None and (asked.accepted is False or asked.has_failed):
            status = max(status, UNREADABLE if asked.has_failed else REFUSED)
        called = [names.get(path, str(path)) for path in report.paths]
        rows.append(_row(called, report, asked))
        if not json:
            print(_line(plain(" ".join(called)), report, asked))
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)
    return status


def read_limits(text: str) -> Limits:
    """Read limits, each NAME=NUMBER; the others stay as they are."""
    found: dict[str, Any] = {}
    for name, value in read_options(split_options(text), what="--limit", error=CertificateError):
        if name not in NAMES or name in found:
            problem = "given twice" if name in found else f"expected one of {', '.join(NAMES)}"
            raise CertificateError(f"--limit {name}: {problem}")
        found[name] = value
    return Limits(**found)


def _line(name: str, report: Report, asked: External | None) -> str:
    if not report.is_readable:
        return f"unreadable\t{name}\t{plain(report.refusal)}"
    if not report.is_accepted:
        return f"refused\t{name}\t{plain(report.refusal)}"
    line = f"accepted\t{name}\t{report.statement} [{report.format}]"
    if asked is None:
        return line
    program = " ".join(part for part in (asked.program, asked.version) if part)
    if asked.accepted is None:
        words = f"{program} gives no verdict: {asked.words}" if asked.has_failed else asked.words
        return f"{line}\n\t\t{words}"
    verdict = "accepts" if asked.accepted else "REFUSES"
    return f"{line}\n\t\t{program} {verdict}: {asked.words}"


def _row(names: list[str], report: Report, asked: External | None) -> dict[str, Any]:
    row = {"files": names, **report.to_document()}
    if asked is not None:
        row["external"] = {
            "program": asked.program or None,
            "version": asked.version or None,
            "accepted": asked.accepted,
            "failed": asked.has_failed,
            "words": asked.words,
        }
    return row
