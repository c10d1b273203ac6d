"""Evaluated discards and calls as dictionaries and columns, CSV, JSON lines and Parquet."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import TileSet
from mjopt.play.game.events import RED_OF, TILE_NAMES
from mjopt.play.review.chance import Chance
from mjopt.play.review.evaluate import CHANCE, Discards, Evaluation
from mjopt.play.review.rows import CallRow, DiscardRow

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS: Final = ("parquet", "csv", "jsonl")
_LISTS: Final = ("hand", "red", "unseen", "left", "left_copies")

MEANINGS: Final = {
    "row": "number of the row in this file",
    "game": "where the game was read: file and line",
    "wind": "prevailing wind, 0 for east",
    "round": "number of the round in that wind, from 1",
    "honba": "counters of the round",
    "dealer": "seat that draws first",
    "turn": "number of the discard of the seat, from 1",
    "seat": "seat that discards",
    "called": "melds of the seat on the table",
    "declared": "the seat had declared ready and had no choice",
    "hand": "concealed copies of each kind before the discard",
    "red": "red fives of characters, dots, bamboos among them",
    "unseen": "copies of each kind that the seat cannot see",
    "discard": "tile discarded: 0..33 the kinds, 34..36 the red fives",
    "is_drawn": "the discard is the tile just drawn",
    "before": "least deficiency that any discard leaves",
    "after": "deficiency after the discard",
    "copies": "unseen copies of useful tiles after the discard",
    "best": "kind to discard by deficiency, then copies; the lowest of equals",
    "best_copies": "unseen copies of useful tiles after the best discard",
    "rank": "one more than the number of better kinds",
    "moves_away": "the discard raised the deficiency; folding does so too",
    "left": "deficiency after each kind is discarded; 127 if none is held",
    "left_copies": "unseen copies of useful tiles after each kind is discarded",
    "draws": "expected draws after the discard; NaN if not requested",
    "best_draws": "least expected draws among discards that keep the least deficiency",
    "best_by_draws": "kind with these draws; -1 if not requested",
    "draws_left": "own draws left after the discard, if nothing is called",
    "folds": "safe by the discards of a player who declared ready or called three melds",
}
"""The columns of an evaluated discard and their meanings; see ``docs/reference/review.md``."""

BY_DRAWS: Final = ("draws", "best_draws", "best_by_draws")
REPORTED: Final = (*tuple(MEANINGS)[8:10], *tuple(MEANINGS)[13:22], "draws_left", "folds")
"""Columns that documents also contain, from ``called`` to ``folds``."""


CHANCES: Final = {
    "position": "the position, which mjopt advise reads",
    "effort": "of the advice",
    "measure": "by which the options are ranked: chance, estimate, draws, or nothing can be won",
    "best_option": "the best option",
    "at_least": "proven chance to win after the decision; missing if not searched",
    "best_at_least": "proven chance to win of the best option; missing if not searched",
    "lost": "chance to win that the decision loses against it; missing if unknown",
    "is_lost_proven": "every play after the decision wins less than the best option",
}
"""Columns of a decision judged by the chance to win; missing after a declaration."""
DANGERS: Final = {
    "danger": "of the discard against players in riichi: safe by rule, proved safe, or its share",
    "deals_in": "share of their ready hands that win on it; missing if nobody was in riichi",
    "safest": "the safest kind that could have been discarded",
    "safest_danger": "its danger, as of the discard",
    "safest_deals_in": "its share, as of the discard",
    "safest_lost": "chance to win that it loses against the best option; missing if unknown",
}
"""More columns of such a discard; missing if nobody was in riichi."""
CHANCE_TEXTS: Final = (
    *("position", "effort", "measure", "best_option"),
    *("danger", "safest", "safest_danger"),
)


def documents(judged: Evaluation) -> Iterator[DiscardRow]:
    """Yield each discard as a JSON-compatible dictionary."""
    discards = judged.discards
    names = ("game", "deal", "turn", "seat", "hand", "red", *REPORTED, *BY_DRAWS)
    rows = zip(*(_column(discards, name).tolist() for name in names), strict=True)
    chances = judged.chances or (None,) * len(discards)
    for (number, deal, turn, seat, hand, red, *rest), chance in zip(rows, chances, strict=True):
        *values, draws, best_draws, by_draws = rest
        game = judged.games[number]
        where = {"game": number, "round": game.rounds[deal].name, "turn": turn, "seat": seat}
        row = dict(zip(REPORTED, values, strict=True))
        row |= {name: TILE_NAMES[row[name]] for name in ("discard", "best")}
        row |= {"deficiency": row["after"], "by": judged.by}
        if by_draws >= 0:
            means = _number(draws), _number(best_draws), TILE_NAMES[by_draws]
            row |= zip(BY_DRAWS, means, strict=True)
        if judged.by == CHANCE:
            row |= chance_fields(chance)
        text = _hand_text(hand, red, game.rules.rule_set.tiles)
        yield cast("DiscardRow", where | {"hand": text} | row)


def chance_fields(
    chance: Chance | None, names: Iterable[str] = (*CHANCES, *DANGERS)
) -> dict[str, object]:
    """Return values of ``CHANCES`` and ``DANGERS``, all None without a chance."""
    return {name: None if chance is None else getattr(chance, name) for name in names}


def _number(value: float) -> float | None:
    """Return expected draws, or None if the entire wall cannot complete the hand."""
    return float(value) if np.isfinite(value) else None


def _hand_text(hand: list[int], reds: list[int], tiles: TileSet) -> str:
    red = [0] * tiles.num_kinds
    for fives, number in zip(RED_OF, reds, strict=True):
        red[fives] = number
    return get_notation("mpsz").write(tuple(hand[: tiles.num_kinds]), tuple(red), tiles)


def call_documents(judged: Evaluation) -> Iterator[CallRow]:
    """Yield each call, made or missed, as a JSON-compatible dictionary."""
    for call in judged.calls:
        deal = judged.games[call.game].rounds[call.deal]
        row: CallRow = {
            "game": call.game,
            "round": deal.name,
            "turn": call.turn,
            "seat": call.seat,
            "call": call.called.action.word,
            "made": call.made,
            "tile": TILE_NAMES[call.called.tile],
            "from": call.seat if call.called.other < 0 else call.called.other,
            "held": " ".join(TILE_NAMES[tile] for tile in call.called.tiles),
            "without": call.without,
            "copies_without": call.useful_without,
            "with": call.with_it,
            "copies_with": call.useful_with,
            "win": str(call.win or ""),
            "by": judged.by,
        }
        if not np.isnan(call.draws_without):
            row["draws_without"] = _number(call.draws_without)
            row["draws_with"] = _number(call.draws_with)
        if judged.by == CHANCE:
            yield cast("CallRow", row | chance_fields(call.chance, CHANCES))
        else:
            yield row


def columns(judged: Evaluation) -> dict[str, NDArray[np.generic]]:
    """Return the discards as columns, one array each; see ``MEANINGS``.

    ``hand``, ``unseen``, ``left`` and ``left_copies`` have one number per kind, ``red`` has one
    per suit. Tiles are numbers: ``0..33`` are the kinds, 34 to 36 the red fives.
    """
    discards = judged.discards
    deals = [
        (deal.wind, deal.number, deal.honba, deal.dealer)
        for game in judged.games
        for deal in game.rounds
    ]
    first = np.cumsum([0, *(len(game.rounds) for game in judged.games)])
    about = np.array(deals, np.int16).reshape(-1, 4)[first[discards.game] + discards.deal]
    _, _, *names = MEANINGS  # row and game are added on export
    rest = {name: _column(discards, name) for name in names[4:]}
    return dict(zip(names[:4], about.T, strict=True)) | rest


def _column(discards: Discards, name: str) -> NDArray[np.generic]:
    """Return a column of ``MEANINGS``."""
    column: NDArray[np.generic] = getattr(discards, "deficiency" if name == "after" else name)
    return column


def discards_file(judged: Evaluation, names: Sequence[str], form: str) -> bytes:
    """Return the discards as file content in one of :data:`FORMATS`; ``names`` has game names."""
    if form == "parquet":
        return _parquet(judged, names)
    rows = ({**row, "game": names[row["game"]]} for row in documents(judged))
    return _text(({key: row[key] for key in row if key != "deficiency"} for row in rows), form)


def calls_file(judged: Evaluation, names: Sequence[str], form: str) -> bytes:
    """Return the calls as file content, CSV or JSON lines."""
    return _text(({**row, "game": names[row["game"]]} for row in call_documents(judged)), form)


def _text(rows: Iterable[Mapping[str, object]], form: str) -> bytes:
    text = io.StringIO(newline="")
    if form == "jsonl":
        for row in rows:
            text.write(json.dumps(row, ensure_ascii=False) + "\n")
        return text.getvalue().encode()
    writer = csv.writer(text, lineterminator="\n")
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow(row.values())
    return text.getvalue().encode()


def _parquet(judged: Evaluation, names: Sequence[str]) -> bytes:
    need("pyarrow", extra="play")
    import pyarrow as pa
    from pyarrow import parquet

    from mjopt.datasets.arrow import arrow_table

    discard_columns = columns(judged)
    number = len(judged.discards)
    games = np.array(names, object)[judged.discards.game] if number else np.array([], object)
    whole = {"row": np.arange(number, dtype=np.int32), "game": games, **discard_columns}
    metadata = {name: {"meaning": MEANINGS[name]} for name in whole}
    fields = [
        pa.field(name, _type(name, values), nullable=False, metadata=metadata[name])
        for name, values in whole.items()
    ]
    table = arrow_table(whole, pa.schema(fields))
    if judged.by == CHANCE:
        rows = [chance_fields(chance) for chance in judged.chances]
        for name, meaning in (CHANCES | DANGERS).items():
            kind = pa.bool_() if name == "is_lost_proven" else pa.float64()
            kind = pa.string() if name in CHANCE_TEXTS else kind
            field = pa.field(name, kind, metadata={"meaning": meaning})
            table = table.append_column(field, pa.array([row[name] for row in rows], kind))
    table = table.replace_schema_metadata({"by": judged.by})
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd", compression_level=1)
    return sink.getvalue()


def _type(name: str, values: NDArray[np.generic]) -> "pa.DataType":
    import pyarrow as pa

    if name == "game":
        return pa.string()
    kind = pa.from_numpy_dtype(values.dtype)
    if name not in _LISTS:
        return kind
    return pa.list_(pa.field("element", kind, nullable=False), values.shape[1])
