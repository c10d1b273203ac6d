"""Write an audit into a folder: what disagrees, with certificates and a summary."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from mjopt.experiments.audits.packages.causes import IMPOSSIBLE, NOT_A_NUMBER, TOO_HIGH, TOO_LOW
from mjopt.experiments.audits.packages.comparison import Disagreement, Findings
from mjopt.experiments.audits.packages.evidence import Numbering, proved
from mjopt.hands.forms import UNREACHABLE
from mjopt.runtime.folder import replace_whole, write_whole

COLUMNS = (
    *("line", "hand", "called", "written", "theirs", "true", "difference"),
    *("kind", "cause", "certificate"),
)
BATCH = 16_384  # disagreements certified together


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file that is complete or absent."""
    with replace_whole(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.flush()
        text.detach()


def write_summary(folder: Path, document: dict[str, Any]) -> None:
    """Write ``summary.json``."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    write_whole(folder / "summary.json", text.encode())


def write_findings(
    folder: Path,
    findings: Findings,
    *,
    certificates: str = "all",
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the rows that are not right.

    ``disagreements.csv`` holds the hands with a wrong value, each with the line of
    its certificate in ``certificates.jsonl``; ``not_hands.csv`` the rows that are
    not hands, with the reason.

    Parameters
    ----------
    folder
        Where to; it exists.
    findings
        What a comparison found.
    certificates
        One of ``CERTIFICATES``.
    jobs, scheduler
        Who certifies, as for `certify_many`.
    progress
        Called with the number of further disagreements done.
    """
    numbers = Numbering(certificates)
    with (
        open_text(folder / "disagreements.csv") as rows,
        open_text(folder / "certificates.jsonl") as proofs,
    ):
        table = csv.writer(rows, lineterminator="\n")
        table.writerow(COLUMNS)
        for batch in _batches(findings.wrong(TOO_LOW, TOO_HIGH, NOT_A_NUMBER)):
            table.writerows(_cells(row, numbers) for row in batch)
            new, forms = numbers.new(), findings.forms
            for certificate in proved(new, forms=forms, jobs=jobs, scheduler=scheduler):
                proofs.write(certificate.to_json() + "\n")
            if progress:
                progress(len(batch))
    with open_text(folder / "not_hands.csv") as rows:
        table = csv.writer(rows, lineterminator="\n")
        table.writerow(("line", "hand", "reason"))
        for row in findings.wrong(IMPOSSIBLE):
            table.writerow((row.line, row.text, row.reason))


def _batches(rows: Iterable[Disagreement]) -> Iterator[list[Disagreement]]:
    stream = iter(rows)
    while batch := list(islice(stream, BATCH)):
        yield batch


def _cells(row: Disagreement, numbers: Numbering) -> list[Any]:
    assert row.hand is not None and row.true is not None  # noqa: PT018 - no impossible hands here
    return [
        row.line,
        row.text,
        row.hand.called,
        row.written,
        row.theirs,
        "unreachable" if row.true == UNREACHABLE else row.true,
        row.difference,
        row.kind,
        row.cause,
        numbers.of(row.hand, row.true),
    ]
