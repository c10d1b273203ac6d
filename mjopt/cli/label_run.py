"""What `mjopt label` does: read, solve with a journal and a progress bar, write."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from mjopt.cli.options import input_paths
from mjopt.datasets.label_file import Labeller, Recipe, check_labels, label_by_tables
from mjopt.errors import FileError
from mjopt.hands.files import READABLE, WRITABLE, HandFile, file_format, write_labels
from mjopt.hands.tiles import TileSet
from mjopt.models.solving import DEFAULT_MODEL
from mjopt.runtime.folder import replace_whole
from mjopt.runtime.journal import Journal, digest_of

CHUNK = 256  # rows between two entries in the journal


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRun:
    """One labelling of one file, as asked for on the command line.

    Parameters
    ----------
    source, output
        File names; ``-`` for standard input and output.
    tiles, notation, called, partial
        How the hands are to be read.
    forms
        The winning forms.
    recipe
        What integer program is solved for each; None for the tables.
    check
        How many random rows an integer program solves again.
    seed
        Which rows those are.
    jobs
        Threads, or processes for integer programs; None for one per core.
    quiet
        Show no progress bar.
    """

    source: str
    output: str
    tiles: TileSet
    notation: str
    called: int
    partial: bool
    forms: tuple[str, ...]
    recipe: Recipe | None
    check: int
    seed: int
    jobs: int | None
    quiet: bool


class _RateColumn(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        """Show the rate, once there is one."""
        return Text(f"{task.speed:,.0f} rows/s" if task.speed else "")


def label_file(run: LabelRun) -> None:
    """Label every hand of a file; the output is complete or absent."""
    out = None if run.output == "-" else Path(run.output)
    out_format = "csv" if out is None else file_format(out, WRITABLE)
    with input_paths([run.source]) as [path], _work_path(out) as work:
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        in_format = "text" if run.source == "-" else file_format(path, READABLE)
        hands = HandFile(
            path=path,
            format=in_format,
            tiles=run.tiles,
            notation=run.notation,
            called=run.called,
            partial=run.partial,
        )
        if run.recipe is None:
            jobs = (os.cpu_count() or 1) if run.jobs is None else run.jobs
            with _progress(run, total=len(hands)) as (advance, _):
                labels = label_by_tables(hands, run.forms, threads=jobs, advance=advance)
            _finish(run, out, out_format, hands, labels, "deficiency")
            return
        settings = {
            "version": version("mjopt"),
            "input": digest_of(path),
            "tiles": run.tiles.name,
            "notation": run.notation,
            "called": run.called,
            "partial": run.partial,
            "model": run.recipe.model,
            "solver": run.recipe.solver,
            "forms": run.forms,
        }
        journal = Journal(work, settings)
        try:
            _fill(journal, hands, run.recipe, run)
        except KeyboardInterrupt:
            hint = "" if out is None else "; the same command goes on from there"
            print(f"mjopt: interrupted after {len(journal)} rows{hint}", file=sys.stderr)
            raise
        finally:
            journal.close()
        _finish(run, out, out_format, hands, journal.labels(), run.recipe.label_name)
        journal.discard()


def _finish(
    run: LabelRun,
    out: Path | None,
    out_format: str,
    hands: HandFile,
    labels: npt.NDArray[np.int8],
    name: str,
) -> None:
    """Check some rows if asked to, then write the labels."""
    if run.check:
        model = run.recipe.model if run.recipe else DEFAULT_MODEL
        solver = run.recipe.solver if run.recipe else None
        recipe = Recipe(model=model, solver=solver, forms=run.forms)
        checked = check_labels(hands, labels, recipe, number=run.check, seed=run.seed)
        print(
            f"mjopt: {checked} rows (seed {run.seed}) solved again by {recipe.model}: all agree",
            file=sys.stderr,
        )
    if out is None:
        write_labels(sys.stdout.buffer, out_format, hands, labels, name)
    else:
        with replace_whole(out) as file:
            write_labels(file, out_format, hands, labels, name)


@contextmanager
def _progress(
    run: LabelRun, *, total: int, done: int = 0
) -> Iterator[tuple[Callable[[int], None], Console]]:
    """Show a bar on a terminal, unless told not to; give what moves it on."""
    console = Console(stderr=True)
    hide = run.quiet or not console.is_terminal
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _RateColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=hide) as progress:
        task = progress.add_task("labelling", total=total, completed=done)
        yield (lambda rows: progress.advance(task, rows)), console


def _fill(journal: Journal, hands: HandFile, recipe: Recipe, run: LabelRun) -> None:
    total, done = len(hands), len(journal)
    jobs = (os.cpu_count() or 1) if run.jobs is None else run.jobs
    if total - done < 4 * CHUNK:  # starting processes costs more than it saves
        jobs = min(jobs, 1 + (total - done) // CHUNK)
    with (
        Labeller(recipe, jobs=jobs) as labeller,
        _progress(run, total=total, done=done) as (advance, console),
    ):
        if done:
            console.print(f"going on from row {done} of {total}", highlight=False)
        stream = labeller.labels(row.hand for row in hands.rows(done))
        while chunk := list(islice(stream, CHUNK)):
            journal.append(chunk)
            advance(len(chunk))


@contextmanager
def _work_path(out: Path | None) -> Iterator[Path]:
    """Give the place of the journal: beside the output, if there is a file for it."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "stdout"
