"""What `mjopt reproduce` does: run, write, print."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mjopt.cli.show import print_json
from mjopt.cli.study_progress import StudyProgress
from mjopt.errors import StudyError
from mjopt.experiments.reproduction.plans import SCALES, read_targets
from mjopt.experiments.reproduction.reproducing import PAGE, reproduce
from mjopt.reports.table import Table, to_markdown
from mjopt.runtime.extras import EXPERIMENTS, need

LONG = "-cells"  # tables for machines: written, not printed


def reproduce_command(
    words: Sequence[str],
    *,
    scale: str,
    output: str | None,
    seed: int,
    jobs: int | None,
    rows_only: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Reproduce what was named, and print the tables."""
    need(*EXPERIMENTS, extra="experiments")
    targets = read_targets(words)
    if scale not in SCALES:
        raise StudyError(f"--scale {scale}: expected one of {', '.join(SCALES)}")
    processes = (os.cpu_count() or 1) if jobs is None else jobs
    if processes < 1:
        raise StudyError(f"--jobs {jobs}: expected at least 1")
    folder = Path(output or f"reproduction-{scale}")
    with StudyProgress(jobs=processes, quiet=quiet) as progress:
        progress.say(f"{', '.join(targets)} at {scale} scale in {folder}, seed {seed}")
        tables = reproduce(
            targets,
            SCALES[scale],
            folder,
            seed=seed,
            jobs=processes,
            watcher=progress,
            rows_only=rows_only,
        )
    if as_json:
        document = {"folder": str(folder), "scale": scale, "seed": seed, "targets": list(targets)}
        print_json({**document, "tables": [_plain(table) for table in tables]})
        return
    for table in tables:
        if not table.name.endswith(LONG):
            print(to_markdown(table))
    if not rows_only:
        print(f"{folder}/{PAGE}, {folder}/tables, {folder}/figures")


def _plain(table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns]
    return {
        "name": table.name,
        "title": table.title,
        "rows": [dict(zip(names, row, strict=True)) for row in table.rows],
        "notes": list(table.notes),
    }
