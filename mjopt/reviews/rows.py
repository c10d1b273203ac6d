"""Judged discards and calls as documents and as columns: what files and other programs get."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import TileSet
from mjopt.reviews.events import KIND_OF, TILE_NAMES
from mjopt.reviews.judging import Discards, Judged, useful_after

MEANINGS: Final = {
    "row": "number of the row in this file",
    "game": "where the game was read: file and line",
    "wind": "prevailing wind, 0 for east",
    "round": "number of the round in that wind, from 1",
    "honba": "counters",
    "dealer": "seat that draws first",
    "turn": "which discard of the seat, from 1",
    "seat": "who throws",
    "called": "melds of the seat on the table",
    "declared": "the seat had declared itself ready and had no choice",
    "hand": "concealed copies of each kind before the discard",
    "red": "red fives of characters, dots, bamboos among them",
    "unseen": "copies of each kind that the seat cannot see",
    "discard": "tile thrown: 0..33 the kinds, 34..36 the red fives",
    "is_drawn": "it is the tile just drawn",
    "before": "least deficiency that any discard leaves",
    "deficiency": "deficiency after the discard",
    "copies": "unseen copies of useful tiles after it",
    "best": "kind to throw by deficiency, then copies; the lowest of equals",
    "best_copies": "unseen copies of useful tiles after that one",
    "rank": "one more than the kinds that are better",
    "moves_away": "the discard raised the deficiency; folding does so too",
    "left": "deficiency after each kind is thrown; 127 if none is held",
    "left_copies": "unseen copies of useful tiles after each kind is thrown",
    "draws": "expected draws after the discard; NaN if not asked",
    "best_draws": "least expected draws among discards that keep the least deficiency",
    "best_by_draws": "the kind that has it; -1 if not asked",
}
"""What every judged discard is told with: see ``docs/review.md``."""

ATTRIBUTES: Final = {
    "declared": "is_ready",
    "discard": "tile",
    "deficiency": "after",
    "copies": "useful",
    "best_copies": "best_useful",
    "left_copies": "copies",
}
"""Of :class:`Discards`, where it has another name for a column."""


def documents(judged: Judged, *, useful: bool = False) -> Iterator[dict[str, Any]]:
    """Yield what is said of each discard, fit for JSON.

    Parameters
    ----------
    judged
        Games that were judged.
    useful
        Also which tiles are useful after the discard, and after the best one.
    """
    found, names = judged.discards, TILE_NAMES
    for row in range(len(found)):
        game = judged.games[int(found.game[row])]
        deal = game.rounds[int(found.deal[row])]
        tile, best = int(found.tile[row]), int(found.best[row])
        told: dict[str, Any] = {
            "game": int(found.game[row]),
            "round": deal.name,
            "turn": int(found.turn[row]),
            "seat": int(found.seat[row]),
            "hand": _hand_text(found, row, game.ruling.tiles),
            "called": int(found.called[row]),
            "declared": bool(found.is_ready[row]),
            "discard": names[tile],
            "is_drawn": bool(found.is_drawn[row]),
            "before": int(found.before[row]),
            "deficiency": int(found.after[row]),
            "copies": int(found.useful[row]),
            "best": names[best],
            "best_copies": int(found.best_useful[row]),
            "rank": int(found.rank[row]),
            "moves_away": bool(found.after[row] > found.before[row]),
        }
        if not np.isnan(found.draws[row]):
            told["draws"] = _number(found.draws[row])
            told["best_draws"] = _number(found.best_draws[row])
            told["best_by_draws"] = names[int(found.best_by_draws[row])]
        if useful:
            for key, kind in (("useful", KIND_OF[tile]), ("best_useful", best)):
                tiles = useful_after(judged, row, kind)
                told[key] = {names[one]: copies for one, copies in tiles.items()}
        yield told


def _number(value: Any) -> float | None:
    """Return expected draws; None where not even the whole wall completes the hand."""
    return float(value) if np.isfinite(value) else None


def _hand_text(found: Discards, row: int, tiles: TileSet) -> str:
    counts = tuple(found.hand[row].tolist()[: tiles.num_kinds])
    red = [0] * tiles.num_kinds
    for place, kind in enumerate((4, 13, 22)):
        red[kind] = int(found.red[row, place])
    return get_notation("mpsz").write(counts, tuple(red), tiles)


def call_documents(judged: Judged) -> Iterator[dict[str, Any]]:
    """Yield what is said of each call, made or passed up, fit for JSON."""
    for call in judged.calls:
        deal = judged.games[call.game].rounds[call.deal]
        told = {
            "game": call.game,
            "round": deal.name,
            "turn": call.turn,
            "seat": call.seat,
            "call": call.called.did.value,
            "made": call.made,
            "tile": TILE_NAMES[call.called.tile],
            "from": call.called.other,
            "held": " ".join(TILE_NAMES[tile] for tile in call.called.tiles),
            "without": call.without,
            "copies_without": call.useful_without,
            "with": call.with_it,
            "copies_with": call.useful_with,
        }
        if not np.isnan(call.draws_without):
            told["draws_without"] = _number(call.draws_without)
            told["draws_with"] = _number(call.draws_with)
        yield told


def columns(judged: Judged) -> dict[str, Any]:
    """Return the discards as columns, one array each; ``MEANINGS`` names them.

    ``hand``, ``unseen``, ``left`` and ``left_copies`` have a number for each kind, ``red``
    one for each suit; tiles are numbers, ``0..33`` the kinds and 34 to 36 the red fives.
    """
    found = judged.discards
    deals = [
        (deal.wind, deal.number, deal.honba, deal.dealer)
        for game in judged.games
        for deal in game.rounds
    ]
    first = np.cumsum([0, *(len(game.rounds) for game in judged.games)])
    about = np.array(deals, np.int16).reshape(-1, 4)[first[found.game] + found.deal]
    _, _, *names = MEANINGS  # the row and the game are those of a file
    rest = {name: getattr(found, ATTRIBUTES.get(name, name)) for name in names[4:]}
    return dict(zip(names[:4], about.T, strict=True)) | rest
