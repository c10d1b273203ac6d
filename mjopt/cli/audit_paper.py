"""What `mjopt audit --paper` does: judge all hands, print the outcomes, write the hands."""

import os
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mjopt.cli.audit_run import progress_bar
from mjopt.cli.show import print_json
from mjopt.experiments.audits.packages.evidence import check_choice
from mjopt.experiments.audits.paper import audit_paper
from mjopt.experiments.audits.paper.report import summary, write_report
from mjopt.runtime.folder import make_folder


def run_paper(
    *, output: str | None, certificates: str, jobs: int | None, quiet: bool, as_json: bool
) -> int:
    """Audit the paper; return the exit status, 1 if the cost is not the deficiency."""
    check_choice(certificates)
    num_jobs = (os.cpu_count() or 1) if jobs is None else jobs
    if output is not None:
        make_folder(Path(output))  # a bad name is said at once, not after the audit
    with progress_bar("judging all hands", None, quiet):
        audit = audit_paper(threads=num_jobs)
    document = summary(audit)
    if output is not None:
        with progress_bar("writing", None, quiet) as advance:
            document = write_report(
                audit,
                Path(output),
                certificates=certificates,
                jobs=num_jobs,
                progress=lambda _, number: advance(number),
            )
    if as_json:
        print_json(document)
    else:
        _print(document)
    return 1 if document["different"] else 0


def _print(document: dict[str, Any]) -> None:
    console = Console(width=100)
    for title, key in (
        ("Eq. 8 with both special cases", "with_special_case_2"),
        ("Eq. 8 without special case 2", "without_special_case_2"),
    ):
        table = Table(title=title, title_justify="left")
        for column in ("deficiency", "least cost", "hands", "deals", "deal probability", ""):
            table.add_column(column, justify="right")
        for row in document[key]:
            table.add_row(
                str(row["deficiency"]),
                str(row["cost"]),
                f"{row['hands']:,}",
                f"{row['deals']:,}",
                f"{row['deal_probability']:.4g}",
                "" if row["cost"] == row["deficiency"] else "differs",
            )
        console.print(table)
    print(
        f"{document['different']:,} of {document['hands']:,} hands cost less than their "
        f"deficiency (deal probability {document['deal_probability']:.4g}):"
    )
    print(f"{document['family']}.")
