"""Judged discards and calls as documents and as columns: what files and other programs get."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import TileSet
from mjopt.reviews.events import KIND_OF, TILE_NAMES
from mjopt.reviews.judging import Discards, Judged, useful_after

COLUMNS: Final = (
    "wind",
    "round",
    "honba",
    "dealer",
    "turn",
    "seat",
    "called",
    "declared",
    "hand",
    "red",
    "unseen",
    "discard",
    "is_drawn",
    "before",
    "deficiency",
    "copies",
    "best",
    "best_copies",
    "rank",
    "moves_away",
    "left",
    "left_copies",
    "draws",
    "best_draws",
    "best_by_draws",
)
"""What every judged discard is told with, beside its game: see ``docs/review.md``."""


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
    """Return the discards as columns, one array each; ``COLUMNS`` names them.

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
    return {
        **dict(zip(COLUMNS[:4], about.T, strict=True)),
        "turn": found.turn,
        "seat": found.seat,
        "called": found.called,
        "declared": found.is_ready,
        "hand": found.hand,
        "red": found.red,
        "unseen": found.unseen,
        "discard": found.tile,
        "is_drawn": found.is_drawn,
        "before": found.before,
        "deficiency": found.after,
        "copies": found.useful,
        "best": found.best,
        "best_copies": found.best_useful,
        "rank": found.rank,
        "moves_away": found.moves_away,
        "left": found.left,
        "left_copies": found.copies,
        "draws": found.draws,
        "best_draws": found.best_draws,
        "best_by_draws": found.best_by_draws,
    }
