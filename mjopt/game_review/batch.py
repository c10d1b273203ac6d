"""Many logs judged into a folder: part by part, resumable, by any number of workers."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from mjopt import __version__
from mjopt._internal.folder import hold_folder, write_whole
from mjopt._internal.pool import open_pool
from mjopt._internal.strict_json import read_json_file
from mjopt.game_review.api import read_named, review_games
from mjopt.game_review.export import calls_file, discards_file
from mjopt.game_review.summary import Summary

FILES_A_PART: Final = 40
"""Some 20,000 discards, about a second of work."""

ROWS: Final = 3  # of what files and sums hold: more is said now of calls than before
SUMMARY: Final = "summary.json"
PARTS: Final = "parts"

Logs = list[tuple[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is done with every log."""

    # forms, draws, seat: as for :func:`mjopt.review`
    forms: tuple[str, ...] | None = None
    draws: bool = False
    seat: int | None = None
    form: str = (
        "parquet"  # how the discards are written, one of ``mjopt.game_review.export.FORMATS``
    )

    @property
    def calls_form(self) -> str:
        """How the calls are written, which are few."""
        return "jsonl" if self.form == "jsonl" else "csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What came of some logs: files, sums, and what was refused."""

    discards: bytes
    calls: bytes
    summary: dict[str, Any]
    refused: list[dict[str, Any]]


def review_folder(
    files: Sequence[Path],
    folder: Path,
    asked: Asked,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> tuple[Summary, list[dict[str, Any]]]:
    """Judge many logs into a folder, and return the sums and the refusals.

    Each part is there when both its files and its sums are: what a stopped run has made
    stays, and the same call goes on after it. A part is made again when one of its logs,
    the question or the version has changed.

    ``advance`` is told how many logs are done; ``jobs`` and ``scheduler`` are those of
    ``mjopt._internal.pool``.
    """
    total, refused = Summary(), list[dict[str, Any]]()
    with hold_folder(folder):
        (folder / PARTS).mkdir(exist_ok=True)
        names = {}
        with open_pool(None if scheduler else jobs, scheduler=scheduler, kept=True) as pool:
            waiting: list[tuple[str, int]] = []
            done: dict[str, dict[str, Any]] = {}

            def missing() -> Iterator[Logs]:
                for first in range(0, len(files), FILES_A_PART):
                    logs = [(str(path), path.read_bytes()) for path in files[first:][:FILES_A_PART]]
                    key = _key(logs, asked)
                    names[first] = key
                    place = folder / PARTS / f"{key}.json"
                    if place.exists() and all(p.exists() for p in _files(folder, key, asked)):
                        done[key] = read_json_file(place)
                        advance(len(logs))
                    else:
                        waiting.append((key, len(logs)))
                        yield logs

            for part in pool.in_order(partial(judge_part, asked), missing()):
                key, number = waiting.pop(0)
                for path, content in zip(
                    _files(folder, key, asked), (part.discards, part.calls), strict=True
                ):
                    write_whole(path, content)
                done[key] = {"summary": part.summary, "refused": part.refused}
                write_whole(folder / PARTS / f"{key}.json", json.dumps(done[key]).encode())
                advance(number)
        for key in names.values():
            total.join(Summary.from_document(done[key]["summary"]))
            refused += done[key]["refused"]
        document = {**total.to_document(), "refusals": refused}
        write_whole(folder / SUMMARY, (json.dumps(document, indent=1) + "\n").encode())
        _remove_others(folder, set(names.values()))
    return total, refused


def judge_part(asked: Asked, logs: Logs) -> Part:
    """Judge some logs; a worker does it."""
    read = (game for name, data in logs for game in read_named(name, data))
    found = review_games(read, forms=asked.forms, draws=asked.draws, seat=asked.seat)
    names = [f"{name}:{line}" for name, line in found.sources]
    return Part(
        discards=discards_file(found.judged, names, asked.form),
        calls=calls_file(found.judged, names, asked.calls_form),
        summary=found.summary.to_document(),
        refused=[asdict(one) for one in found.refused],
    )


def _key(logs: Logs, asked: Asked) -> str:
    digest = hashlib.sha256(json.dumps([__version__, ROWS, asdict(asked)]).encode())
    for name, data in logs:
        digest.update(json.dumps([name, hashlib.sha256(data).hexdigest()]).encode())
    return digest.hexdigest()[:16]


def _files(folder: Path, key: str, asked: Asked) -> tuple[Path, Path]:
    return folder / f"discards-{key}.{asked.form}", folder / f"calls-{key}.{asked.calls_form}"


def _remove_others(folder: Path, keys: set[str]) -> None:
    """Remove parts of logs that have changed since, and of other questions: ours alone."""
    for path in (folder / PARTS).glob("*.json"):
        if path.stem not in keys:
            for other in (*folder.glob(f"discards-{path.stem}.*"), path):
                other.unlink(missing_ok=True)
            for other in folder.glob(f"calls-{path.stem}.*"):
                other.unlink(missing_ok=True)
