"""What `mjopt audit` does with a file or a package: compare, print, write."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from mjopt.cli.input_file import input_path
from mjopt.cli.show import print_json
from mjopt.errors import FileError
from mjopt.experiments.audits.packages.causes import (
    IMPOSSIBLE,
    KINDS,
    NOT_A_NUMBER,
    TOO_HIGH,
    TOO_LOW,
)
from mjopt.experiments.audits.packages.comparison import SHOWN, Disagreement, Findings, compare
from mjopt.experiments.audits.packages.evidence import check_choice
from mjopt.experiments.audits.packages.peers import get_peer, peer_rows
from mjopt.experiments.audits.packages.value_file import ValueFile, ValueRow
from mjopt.experiments.audits.packages.write import make_folder, write_findings, write_summary
from mjopt.hands.files import READABLE, HandFile, file_format
from mjopt.hands.forms import STANDARD, check_forms
from mjopt.hands.tiles import FULL, TileSet


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRun:
    """One audit as asked for on the command line.

    Parameters
    ----------
    tiles, notation, called, partial
        How the hands are to be read.
    forms
        The winning forms; None for the usual ones.
    output
        The folder to write; None for none.
    certificates
        ``all``, ``representatives`` or ``none``.
    jobs
        Processes that certify; None for one per core.
    quiet
        Show no progress bar.
    as_json
        Print one JSON document.
    """

    tiles: TileSet
    notation: str
    called: int | None
    partial: bool
    forms: tuple[str, ...] | None
    output: str | None
    certificates: str
    jobs: int | None
    quiet: bool
    as_json: bool

    @property
    def num_jobs(self) -> int:
        """How many processes."""
        return (os.cpu_count() or 1) if self.jobs is None else self.jobs


def audit_file(source: str, column: str | None, means: str | None, run: AuditRun) -> int:
    """Audit a file of hands with values; return the exit status."""
    with input_path([source]) as [path]:
        values = ValueFile.open(
            path,
            tiles=run.tiles,
            notation=run.notation,
            called=run.called,
            partial=run.partial,
            column=column,
            means=means,
            format="csv" if source == "-" else None,
        )
        forms = run.forms or (STANDARD,)
        with Findings(tiles=run.tiles, forms=forms, means=values.means) as findings:
            what = {"file": source, "column": values.column}
            return _audit(what, values.rows(), len(values), findings, run)


def audit_package(name: str, source: str, run: AuditRun) -> int:
    """Audit a package on a file of hands; return the exit status."""
    peer = get_peer(name)
    forms = check_forms(peer.check_forms(run.forms), FULL)
    find = peer.finder(forms)
    with input_path([source]) as [path]:
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        hands = HandFile(
            path=path,
            format="text" if source == "-" else file_format(path, READABLE),
            tiles=run.tiles,
            notation=run.notation,
            called=run.called or 0,
        )
        rows = peer_rows((row.hand for row in hands.rows()), find, run.notation)
        with Findings(tiles=FULL, forms=forms, means="deficiency") as findings:
            what = {"package": name, "version": peer.version, "hands_file": source}
            return _audit(what, rows, len(hands), findings, run)


def _audit(
    what: dict[str, Any],
    rows: Iterable[ValueRow],
    total: int,
    findings: Findings,
    run: AuditRun,
) -> int:
    check_choice(run.certificates)
    if run.output is not None:
        make_folder(Path(run.output))
    with progress_bar("comparing", total, run.quiet) as advance:
        compare(rows, findings, progress=advance)
    document = what | findings.to_document()
    if run.output is not None:
        with progress_bar("certifying", findings.num_wrong, run.quiet) as advance:
            write_findings(
                Path(run.output),
                findings,
                certificates=run.certificates,
                jobs=run.num_jobs,
                progress=advance,
            )
        write_summary(Path(run.output), document)
    wrong = list(islice(findings.wrong(TOO_LOW, TOO_HIGH, NOT_A_NUMBER), SHOWN))
    no_hands = list(islice(findings.wrong(IMPOSSIBLE), SHOWN))
    if run.as_json:
        print_json(
            document
            | {
                "first_wrong": [_example(row) for row in wrong],
                "first_not_hands": [
                    {"line": row.line, "hand": row.text, "reason": row.reason} for row in no_hands
                ],
            }
        )
    else:
        _print(document, wrong, no_hands)
    return 1 if findings.num_wrong else 0


def _example(row: Disagreement) -> dict[str, Any]:
    return {
        "line": row.line,
        "hand": row.text,
        "written": row.written,
        "theirs": row.theirs,
        "true": row.true,
        "kind": row.kind,
        "cause": row.cause,
    }


def _print(
    document: dict[str, Any], wrong: list[Disagreement], no_hands: list[Disagreement]
) -> None:
    forms = ", ".join(document["forms"])
    subject = document.get("file") or f"{document['package']} {document['version'] or ''}".strip()
    print(f"{subject}: {document['hands']:,} hands, {document['wrong']:,} rows wrong ({forms})")
    if not document["wrong"]:
        return
    console = Console(width=100)
    table = Table("true deficiency", *KINDS[:3], title="Wrong values", title_justify="left")
    cells = {(row["deficiency"], row["kind"]): row["rows"] for row in document["by_deficiency"]}
    for value in dict.fromkeys(value for value, _ in cells):
        name = "unreachable" if value is None else str(value)
        table.add_row(name, *(str(cells.get((value, kind), 0)) for kind in KINDS[:3]))
    if cells:
        console.print(table)
    for cause, rows in document["causes"].items():
        print(f"{rows:>10,}  {cause}")
    for row in wrong:
        print(f"line {row.line}: {row.text}: {row.written or 'nothing'}, the truth is {row.true}")
    if document["kinds"][IMPOSSIBLE]:
        print(f"{document['kinds'][IMPOSSIBLE]:,} rows are not hands")
    for row in no_hands:
        print(f"line {row.line}: {row.text}: {row.reason}")


@contextmanager
def progress_bar(name: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show progress on stderr, if that is a terminal; give the call that advances it."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    hide = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hide) as progress:
        task = progress.add_task(name, total=total)
        yield lambda number: progress.advance(task, number)
