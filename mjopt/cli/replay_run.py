"""What `mjopt replay` does: read, check, print."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mjopt.cli.input_file import input_path
from mjopt.cli.show import print_json
from mjopt.errors import FileError, GameError, RecordError
from mjopt.game.agents.person import describe_event
from mjopt.game.mjai_log import mjai_lines
from mjopt.game.record import Record, read_record
from mjopt.game.replaying import replay, replay_steps
from mjopt.game.state import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRun:
    """One replay as asked for on the command line."""

    source: str
    mjai: bool
    show: int | None
    as_json: bool

    def __post_init__(self) -> None:
        """Refuse what cannot be printed together."""
        if self.mjai + self.as_json + (self.show is not None) > 1:
            raise GameError("--mjai, --show and --json print different things: give one of them")


def replay_file(run: ReplayRun) -> int:
    """Replay every line of a file, and return how many were refused."""
    endings: Counter[str] = Counter()
    refused: list[dict[str, Any]] = []
    shown = False
    with input_path([run.source]) as [path]:
        if not path.is_file():
            raise FileError(f"{path}: no such file")
        for number, line in _lines(path):
            try:
                record = read_record(line)
                outcome = replay(record).outcome
                if run.mjai:
                    print("\n".join(mjai_lines(record)))
                if run.show == number:
                    shown = True
                    _show(record)
            except RecordError as error:
                refused.append({"line": number, "error": str(error)})
                print(f"mjopt: {run.source}, line {number}: {error}", file=sys.stderr)
                continue
            assert outcome is not None
            endings[outcome.ending.value] += 1
    if run.show is not None and not shown and not refused:
        raise GameError(f"--show {run.show}: {run.source} has no such line")
    if run.as_json:
        print_json(
            {
                "accepted": endings.total(),
                "refused": refused,
                "endings": dict(sorted(endings.items())),
            }
        )
    elif not run.mjai and run.show is None:
        told = ", ".join(f"{games} {ending}" for ending, games in sorted(endings.items()))
        print(f"{endings.total()} games replayed" + (f": {told}" if told else ""))
    return len(refused)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except UnicodeDecodeError:
        raise FileError(f"{path}: not text") from None


def _show(record: Record) -> None:
    tiles = record.rules.tiles
    print(f"{record.rules.name}, dealer seat {record.dealer + 1}")
    for seat, (name, hand) in enumerate(zip(record.names, record.hands, strict=True), start=1):
        print(f"seat {seat} {name}: {' '.join(tiles.names[kind] for kind in hand)}")
    for state, events in replay_steps(record):
        for event in events:
            print(describe_event(event, tiles.names))
        if state.outcome is not None:
            _show_end(state.outcome)


def _show_end(outcome: Outcome) -> None:
    scores = ", ".join(f"{points:+d}" for points in outcome.scores)
    print(f"{outcome.ending.value}: {scores}")
