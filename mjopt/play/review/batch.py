"""Review many logs in parts, in parallel, with the results in a folder."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mjopt._internal.executor import open_executor
from mjopt._internal.files import atomic_write, lock_folder
from mjopt._internal.progress import ignore
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt._version import __version__
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.review.api import check_measure, content_or_error, read_named, review_games
from mjopt.play.review.detect_format import MOST_BYTES
from mjopt.play.review.evaluate import CHANCE, DEFICIENCY
from mjopt.play.review.export import calls_file, discards_file
from mjopt.play.review.summary import ReviewSummary

FILES_A_PART: Final = 40
"""About 20,000 discards, two seconds of work."""

VERSION: Final = 6  # of the columns and sums
CONFIG: Final = "review.json"
SUMMARY: Final = "summary.json"
PARTS: Final = "parts"

Problem = dict[str, str | int]
"""A :class:`~mjopt.play.review.api.Refused` or a flaw as a JSON-compatible dictionary."""

Logs = list[tuple[str, bytes | FileError]]
"""Names of log files, and their contents or the error of the system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions:
    """Options of a review, for all logs."""

    # forms, by, seat, strict: as for :func:`mjopt.play.review`
    forms: str | tuple[str, ...] | None = None
    by: str = DEFICIENCY
    seat: int | None = None
    strict: bool = False
    form: str = "parquet"  # file format of the discards, one of ``export.FORMATS``

    def __post_init__(self) -> None:
        check_measure(self.by)
        if self.seat not in (None, *range(NUM_SEATS)):
            raise ArgumentError(
                argument="seat", value=str(self.seat), expected=f"0 to {NUM_SEATS - 1}"
            )

    @property
    def calls_form(self) -> str:
        """The file format of the calls."""
        return "jsonl" if self.form == "jsonl" else "csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPart:
    """Results of some logs: the contents of two files, sums, and what is wrong with games."""

    discards: bytes
    calls: bytes
    summary: dict[str, object]
    refused: list[Problem]
    flaws: list[Problem]


def review_folder(
    files: Sequence[Path],
    folder: Path,
    options: ReviewOptions,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    advance: Callable[[int], None] = ignore,
) -> tuple[ReviewSummary, list[Problem], list[Problem]]:
    """Review many logs, write the results into a folder, and return sums, refusals and flaws.

    The review resumes after an interruption with the parts that are missing. A part is
    recomputed if one of its logs, the options or the version has changed.

    The folder, created if missing, receives ``discards-*``, ``calls-*`` and ``summary.json``.
    ``scheduler`` is the address of a Dask scheduler; ``advance`` is called with the number of newly
    finished logs. FileError if the folder holds something else, a file of a finished part was
    modified, or another process writes there.
    """
    with lock_folder(folder):
        claim_run(folder, CONFIG, {"version": VERSION}, what="review")
        store = UnitStore(folder / PARTS)
        parts = {_key(_read(paths), options): paths for paths in _split(files, options.by)}
        missing = store.missing(parts)
        for key in parts.keys() - missing:
            advance(len(parts[key]))
        with open_executor(jobs, scheduler=scheduler) as workers:
            all_logs = (_read(parts[key]) for key in missing)
            results = workers.map(partial(review_part, options), all_logs)
            for key, result in zip(missing, results, strict=True):
                discards = folder / f"discards-{key}.{options.form}"
                calls = folder / f"calls-{key}.{options.calls_form}"
                atomic_write(discards, result.discards)
                atomic_write(calls, result.calls)
                facts = {
                    "summary": result.summary,
                    "refused": result.refused,
                    "flaws": result.flaws,
                }
                store.write(key, facts, files=[discards, calls])
                advance(len(parts[key]))
        total, refused, flaws = ReviewSummary(), list[Problem](), list[Problem]()
        for key in parts:
            sums = store.read(key).facts
            total.join(ReviewSummary.from_document(sums["summary"]))
            refused += sums["refused"]
            flaws += sums["flaws"]
        document = {"by": options.by, **total.to_document(), "refusals": refused, "flaws": flaws}
        atomic_write(folder / SUMMARY, json.dumps(document, indent=1) + "\n")
        for key in store.all_keys():  # of changed logs and of other options
            if key not in parts:
                store.remove(key)
    return total, refused, flaws


def review_part(options: ReviewOptions, logs: Logs) -> ReviewPart:
    """Review some logs; runs in a worker."""
    games = (game for name, data in logs for game in read_named(name, data))
    review = review_games(
        games,
        forms=options.forms,
        by=options.by,
        seat=options.seat,
        strict=options.strict,
    )
    names = [f"{name}:{line}" for name, line in review.sources]
    return ReviewPart(
        discards=discards_file(review.judged, names, options.form),
        calls=calls_file(review.judged, names, options.calls_form),
        summary=review.summary.to_document(),
        refused=[asdict(refusal) for refusal in review.refused],
        flaws=[asdict(flaw) for flaw in review.flaws],
    )


def _split(files: Sequence[Path], by: str) -> Iterator[list[Path]]:
    """Yield the logs of each part: few if they are large, one if that takes minutes."""
    paths, size = list[Path](), 0
    most = 1 if by == CHANCE else FILES_A_PART
    for path in files:
        more = os.path.getsize(path) if os.path.isfile(path) else 0
        if paths and (len(paths) == most or size + more > MOST_BYTES):
            yield paths
            paths, size = [], 0
        paths.append(path)
        size += more
    if paths:
        yield paths


def _read(paths: Sequence[Path]) -> Logs:
    return [(str(path), content_or_error(path)) for path in paths]


def _key(logs: Logs, options: ReviewOptions) -> str:
    digest = hashlib.sha256(json.dumps([__version__, asdict(options)]).encode())
    for name, data in logs:
        content = data if isinstance(data, bytes) else str(data).encode()
        digest.update(json.dumps([name, hashlib.sha256(content).hexdigest()]).encode())
    return digest.hexdigest()[:16]
