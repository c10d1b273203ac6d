"""Positions of logs in which an opponent is in riichi, as the player who discards saw them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_path
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import ignore
from mjopt.errors import FileError
from mjopt.hands.tiles import COPIES, FULL
from mjopt.play.game.log import LogGame
from mjopt.play.game.log_repair import readable_steps
from mjopt.play.game.moves import Action, with_copies
from mjopt.play.game.rules import NUM_SEATS, RIICHI_TABLE
from mjopt.play.review.api import LogEntry
from mjopt.play.review.log_danger import riichi_opponents
from mjopt.tables.lookup import label_one

if TYPE_CHECKING:
    import pyarrow as pa

Counts = tuple[int, ...]
_BATCH: Final = 4096  # rows in memory at once


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiPosition:
    """A discard, and an opponent in riichi."""

    game: int
    num_riichi: int  # opponents in riichi
    num_melds: int  # concealed kongs of this one
    opponent_melds: str  # their tiles, between commas
    hand: Counts  # copies of the player who discards, the drawn tile included
    called: int  # melds of this player
    unseen: Counts  # copies that this player does not see
    cannot_win_on: Counts  # kinds that the opponent discarded, or let pass since his riichi
    true_waits: Counts | None  # kinds that complete his hand; None if the log hides it


def riichi_positions(game: LogGame, number: int = 0) -> Iterator[RiichiPosition]:
    """Yield a position for each discard of a game of four players and each opponent in riichi.

    Rounds end where they cannot be replayed. Discards from hidden hands are left out.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> from mjopt.play.review.mjopt_log import read
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["a", "b", "c", "d"], seed=1, game=0)
    >>> [*riichi_positions(read(line))]  # three suits without riichi
    []
    """
    if game.rules.seats != NUM_SEATS:
        return
    for state, event in readable_steps(game):
        seat = event.seat
        if event.action is not Action.DISCARD or state.hidden[seat]:
            continue
        hand = tuple(state.hands[seat])
        pairs = zip(hand, state.table.shown, strict=True)
        unseen = tuple(COPIES - held - shown for held, shown in pairs)
        in_riichi = riichi_opponents(state, seat)
        for other, opponent in in_riichi.items():
            melds = (meld.block.text(FULL) for meld in state.table.melds[other])
            yield RiichiPosition(
                game=number,
                num_riichi=len(in_riichi),
                num_melds=state.called(other),
                opponent_melds=",".join(melds),
                hand=hand,
                called=state.called(seat),
                unseen=unseen,
                cannot_win_on=tuple(map(int, opponent.passed)),
                true_waits=None
                if state.hidden[other]
                else waits_of(state.hands[other], state.called(other)),
            )


@lru_cache(maxsize=64)  # a hand in riichi stays the same
def waits_of(hand: Counts, called: int) -> Counts:
    """Return the kinds that complete a hand of riichi, of which it does not hold all copies."""
    forms = RIICHI_TABLE.forms
    return tuple(
        kind
        for kind, copies in enumerate(hand)
        if copies < COPIES and not label_one(with_copies(hand, kind, 1), called, forms=forms)
    )


@dataclass(slots=True)
class PositionReport:
    """The numbers of positions and games in a file, and the games that could not be read."""

    num_positions: int
    num_games: int
    refused: list[tuple[str, int, str]]  # source, line, and reason


def write_positions(
    entries: Iterable[LogEntry], path: Path, *, advance: Callable[[int], object] = ignore
) -> PositionReport:
    """Write the positions of logs with exactly one opponent in riichi as a Parquet file.

    FileError if no game has such a position, or the file cannot be written.
    """
    need("pyarrow", extra="datasets")
    from pyarrow import parquet

    report, rows = PositionReport(0, 0, []), list[RiichiPosition]()
    with atomic_path(path) as temporary, parquet.ParquetWriter(temporary, _schema()) as writer:
        for source, line, game in entries:
            if isinstance(game, FileError):
                report.refused.append((source, line, str(game)))
                continue
            found = riichi_positions(game, report.num_games)
            rows += (position for position in found if position.num_riichi == 1)
            report.num_games += 1
            advance(1)
            if len(rows) >= _BATCH:
                report.num_positions += _write(writer, rows)
        report.num_positions += _write(writer, rows)
        if not report.num_positions:
            number = f"{report.num_games} game{'s' * (report.num_games != 1)} read"
            raise FileError(
                f"{number}, no discard of four players while exactly one opponent is in riichi"
            )
    return report


def _schema() -> "pa.Schema":
    import pyarrow as pa

    copies, kinds = pa.list_(pa.uint8(), FULL.num_kinds), pa.list_(pa.uint8())
    types = {
        "game": pa.int32(),
        "num_riichi": pa.int8(),
        "num_melds": pa.int8(),
        "opponent_melds": pa.string(),
        "hand": copies,
        "called": pa.int8(),
        "unseen": copies,
        "cannot_win_on": kinds,
        "true_waits": kinds,
    }
    return pa.schema(list(types.items()))


def _write(writer: object, rows: list[RiichiPosition]) -> int:
    """Write some rows, and return their number."""
    import pyarrow as pa

    schema, number = _schema(), len(rows)
    columns = [pa.array([getattr(row, f.name) for row in rows], f.type) for f in schema]
    writer.write_table(pa.Table.from_arrays(columns, schema=schema))  # type: ignore[attr-defined]
    rows.clear()
    return number
