"""Run what a table or figure of the paper needs, and write ours beside the published."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from mjopt.errors import StudyError
from mjopt.experiments.reproduction.outputs import tables_of, write_outputs
from mjopt.experiments.reproduction.plans import Scale, needed_studies
from mjopt.experiments.studies.running import open_work
from mjopt.experiments.studies.study import Study
from mjopt.experiments.studies.watcher import Quiet, Watcher
from mjopt.reports.table import Table


def reproduce(
    targets: Sequence[str],
    scale: Scale,
    folder: Path,
    *,
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    watcher: Watcher | None = None,
    rows_only: bool = False,
) -> list[Table]:
    """Reproduce tables and figures of the paper.

    What is there already is not made again; a run that was stopped goes on.

    Parameters
    ----------
    targets
        ``table1`` ... ``table7``, ``figure2`` ... ``figure4``.
    scale
        How much is run.
    folder
        Where everything goes: a folder for each study, ``tables`` and ``figures``.
    seed
        Of hands and runs.
    jobs, scheduler
        Who works, as for `run_study`.
    watcher
        Is told how it goes.
    rows_only
        Make the raw rows and stop there.

    Returns
    -------
    list of Table
        The tables, those behind Figure 4 and the list of choices last.

    Raises
    ------
    StudyError, FileError
        As for `mjopt.experiments.studies.running.run_study`.
    """
    watcher = watcher or Quiet()
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file, expected a folder")
    needed = needed_studies(targets, scale, seed=seed)
    studies: dict[str, Study] = {}
    with ExitStack() as stack:
        works = [
            stack.enter_context(
                open_work(
                    one.plan,
                    one.sets,
                    folder / one.name,
                    jobs=jobs,
                    scheduler=scheduler,
                    watcher=watcher,
                    only=one.only,
                )
            )
            for one in needed
        ]
        watcher.begin(sum(work.expected_seconds for work in works))
        for one, work in zip(needed, works, strict=True):
            work.run()
            studies[one.name] = work.study
    if rows_only:
        return []
    watcher.say("writing tables and figures")
    tables = tables_of(targets, studies)
    write_outputs(folder, targets, studies, tables)
    return tables
